"""The player's settings: each a line that says what holds now, changed by its key or a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.setup.plan import AskCalls, Speed
from kalooki_tui.store.player.settings import PlayerSettings
from kalooki_tui.ui.looks import themes
from kalooki_tui.ui.screens.base import Dialog
from kalooki_tui.ui.screens.dialogs import Menu
from kalooki_tui.ui.widgets.choices import Choice, ChoiceLine
from kalooki_tui.values import dataclass

ON_OFF: Final = (False, True)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its key, its name in the file, its words, its values, what it does."""

    key: str
    name: str
    words: str
    values: tuple[object, ...]
    hint: str
    clears: str = ""
    """Another setting that is empty again once this one is changed."""


SETTINGS: Final = (
    Setting("t", "theme", "Theme", tuple(theme.name for theme in themes.THEMES), "colours of the table"),
    Setting("4", "four_colour", "Four-colour deck", ON_OFF, "clubs green, diamonds blue"),
    Setting("a", "ascii", "ASCII glyphs", ON_OFF, "if suit symbols are missing"),
    Setting("m", "reduced_motion", "Reduced motion", ON_OFF, "nothing moves or fades"),
    Setting("b", "bell", "Bell", ON_OFF, "rings when it is your turn"),
    Setting("c", "curtain", "Curtain", ON_OFF, "hides hands between people"),
    Setting("w", "warnings", "Warnings", ON_OFF, "costly throws in teaching matches"),
    Setting("n", "notes", "Notes", ON_OFF, "each rule once; on: show again", clears="notes_seen"),
    Setting("s", "ai_speed", "AI speed", tuple(speed.value for speed in Speed), "how fast AI seats move"),
    Setting(
        "k",
        "ask_calls",
        "Ask about calls",
        tuple(ask.value for ask in AskCalls),
        "when you play AI seats",
    ),
    Setting("l", "phrases", "Phrases", ON_OFF, "what people elsewhere say"),
    Setting("p", "keep_mistakes", "Keep mistakes", ("by hand", "by themselves"), "as puzzles, after a review"),
)


def _command(setting: Setting) -> Command:
    return Command(
        f"set-{setting.name}", setting.key, setting.words, f"{setting.hint}.".capitalize(),
        lambda at: at.take(SETTINGS.index(setting)),
    )  # fmt: skip


class SettingsScreen(Dialog, Menu):
    """The settings; what is changed holds at once and is written down at once."""

    OFFERED = (
        Command("close-settings", "escape,q", "Close", "Close the settings.", lambda at: at.dismiss(None)),
        Command("setting-above", "up,shift+tab", "", "To the setting above.", lambda at: at.go(-1)),
        Command("setting-below", "down,tab", "", "To the setting below.", lambda at: at.go(1)),
        Command("next-value", "enter,space,right", "", "The next value.", lambda at: at.change(1)),
        Command("last-value", "left", "", "The value before.", lambda at: at.change(-1)),
        *map(_command, SETTINGS),
    )

    def __init__(self) -> None:
        super().__init__(name="settings")

    def compose(self) -> ComposeResult:
        """A line each, and where they are written."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = "Settings"
            frame.border_subtitle = f"arrows, keys or clicks change them · {self.OFFERED[0].shown} closes"
            for index, line in enumerate(self._words()):
                yield ChoiceLine(index, line)
            yield Static(self.app.settings_file.where, classes="keys", markup=False)

    def _words(self) -> Sequence[Choice]:
        game = self.app
        shown = [shown_value(one, game.settings, game.usual_theme) for one in SETTINGS]
        return [Choice(one.key, _line(one, value), None) for one, value in zip(SETTINGS, shown, strict=True)]

    def take(self, index: int) -> None:
        """Go to a setting and change it."""
        self.current = index
        self.change(1)

    def change(self, step: int) -> None:
        """The next value of the setting marked."""
        setting = SETTINGS[self.current]
        values = self.app.theme_names if setting.name == "theme" else setting.values
        now = value_of(setting, self.app.settings, self.app.usual_theme)
        place = values.index(now) if now in values else -1
        value = values[(place + step) % len(values)]
        usual = setting.name == "theme" and value == self.app.usual_theme
        chosen: dict[str, object] = {setting.name: None if usual else value}
        if setting.clears:
            chosen[setting.clears] = []
        self.app.set(**chosen)
        words = self._words()
        for line in self.lines:
            line.show_choice(words[line.index])
        self.mark()


def value_of(setting: Setting, settings: PlayerSettings, usual_theme: str = themes.DEFAULT_THEME) -> object:
    """What holds now; `usual_theme` is the theme of a player who has chosen none."""
    value = getattr(settings, setting.name)
    return usual_theme if setting.name == "theme" and value is None else value


def shown_value(setting: Setting, settings: PlayerSettings, usual_theme: str = themes.DEFAULT_THEME) -> str:
    """What holds now, in a word."""
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
