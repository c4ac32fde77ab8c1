"""Settings of the player, each on a line that shows its value, changed by its key or a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.cards import FRENCH, JOKER, make_card
from kalooki_tui.presenter.commands import Command
from kalooki_tui.session.plan import AskCalls, Speed
from kalooki_tui.storage.player.settings_file import PlayerSettings
from kalooki_tui.tui.looks import themes
from kalooki_tui.tui.screens.base import Dialog
from kalooki_tui.tui.widgets.choices import Choice, ChoiceLine
from kalooki_tui.tui.widgets.row import CardRow

ON_OFF: Final = (False, True)
#: Cards that show how theme, deck and glyphs look: a nine of each suit, a court card, an ace and a joker.
SAMPLE: Final = (*(make_card(suit, 9) for suit in range(4)), make_card(2, 12), make_card(3, 1), JOKER)


class Setting(Struct, frozen=True):
    """Setting: its key, its name in the file, its words, its values, its meaning."""

    key: str
    name: str
    words: str
    values: tuple[object, ...]
    hint: str
    clears: str = ""
    """Another setting that is empty again once this one is changed."""
    is_hosts: bool = False
    """Whether it is of the match or of what is kept of it: no guest at another's table has it."""


SETTINGS: Final = (
    Setting("t", "theme", "Theme", tuple(theme.name for theme in themes.THEMES), "colours of the table"),
    Setting("4", "four_colour", "Four-colour deck", ON_OFF, "clubs green, diamonds blue"),
    Setting("a", "ascii", "ASCII glyphs", ON_OFF, "if suit symbols are missing"),
    Setting("m", "reduced_motion", "Reduced motion", ON_OFF, "nothing moves or fades"),
    Setting("b", "bell", "Bell", ON_OFF, "rings when it is your turn"),
    Setting("c", "curtain", "Curtain", ON_OFF, "hides hands between people", is_hosts=True),
    Setting("w", "warnings", "Warnings", ON_OFF, "costly moves in teaching matches"),
    Setting("n", "notes", "Notes", ON_OFF, "explain a rule when it matters", clears="notes_seen"),
    Setting("s", "ai_speed", "AI speed", tuple(speed.value for speed in Speed), "how fast AI seats move",
            is_hosts=True),
    Setting("k", "ask_calls", "Ask about calls", tuple(ask.value for ask in AskCalls), "when you play AI seats",
            is_hosts=True),
    Setting("l", "phrases", "Messages", ON_OFF, "from people at other screens"),
    Setting("p", "keep_mistakes", "Keep mistakes", ("by hand", "by themselves"), "as puzzles, after a review",
            is_hosts=True),
)  # fmt: skip


def _command(setting: Setting) -> Command:
    return Command(
        f"set-{setting.name}", setting.key, setting.words, f"{setting.hint}.".capitalize(),
        lambda at: at.take(at.settings.index(setting)),
    )  # fmt: skip


class SettingsScreen(Dialog):
    OFFERED = (
        Command("close-settings", "escape,q", "Close", "Close the settings.", lambda at: at.dismiss(None)),
        Command("setting-above", "up,shift+tab", "", "To the setting above.", lambda at: at.go(-1)),
        Command("setting-below", "down,tab", "", "To the setting below.", lambda at: at.go(1)),
        Command("next-value", "enter,space,right", "", "The next value.", lambda at: at.change(1)),
        Command("last-value", "left", "", "The value before.", lambda at: at.change(-1)),
        *map(_command, SETTINGS),
    )

    name = "settings"
    current = 0
    heading = "Settings"
    foot = f"arrows, keys or clicks change them · {OFFERED[0].shown} closes"

    @property
    def settings(self) -> tuple[Setting, ...]:
        return tuple(one for one in SETTINGS if not (one.is_hosts and self.app.is_guest))

    @property
    def offered(self) -> tuple[Command, ...]:
        hidden = {_command(one).name for one in SETTINGS if one not in self.settings}
        return tuple(command for command in self.OFFERED if command.name not in hidden)

    def inside(self) -> ComposeResult:
        for index, line in enumerate(self._words()):
            yield ChoiceLine(index, line)
        sample = CardRow()
        sample.show(SAMPLE, FRENCH)
        yield sample
        yield Static(self.app.settings_file.where, classes="keys")

    def _words(self) -> Sequence[Choice]:
        game = self.app
        shown = [(one, shown_value(one, game.settings, game.usual_theme)) for one in self.settings]
        return [Choice(one.key, _line(one, value), None) for one, value in shown]

    def take(self, index: int) -> None:
        self.current = index
        self.change(1)

    def change(self, step: int) -> None:
        setting = self.settings[self.current]
        values = tuple(self.app.available_themes) if setting.name == "theme" else setting.values
        now = value_of(setting, self.app.settings, self.app.usual_theme)
        place = values.index(now) if now in values else -1
        value = values[(place + step) % len(values)]
        usual = setting.name == "theme" and value == self.app.usual_theme
        chosen: dict[str, object] = {setting.name: None if usual else value}
        if setting.clears:
            chosen[setting.clears] = []
        self.app.set(**chosen)
        words = self._words()
        for line in self.menu:
            line.show_choice(words[line.index])
        self.show_mark()


def value_of(setting: Setting, settings: PlayerSettings, usual_theme: str = themes.DEFAULT_THEME) -> object:
    """Return what holds now; `usual_theme` is the theme of a player who has chosen none."""
    value = getattr(settings, setting.name)
    return usual_theme if setting.name == "theme" and value is None else value


def shown_value(setting: Setting, settings: PlayerSettings, usual_theme: str = themes.DEFAULT_THEME) -> str:
    if setting.name == "ask_calls":
        return {"helps": "if it helps", "turn": "on my turn"}.get(settings.ask_calls, settings.ask_calls)
    value = value_of(setting, settings, usual_theme)
    return ("[x] on" if value else "[ ] off") if isinstance(value, bool) else str(value).removeprefix("kalooki-")


def _line(setting: Setting, value: str) -> Content:
    return Content.assemble(
        f"{setting.words:<18}",
        Content.styled(f"{value:<15}", "$on-felt-muted" if value.endswith("off") else "bold $gold"),
        Content.styled(setting.hint, "$on-felt-muted"),
    )
