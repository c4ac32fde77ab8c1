"""The player's settings: each a line that says what holds now, changed by its key or a click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.plan import Speed
from kalooki_tui.store.settings import PlayerSettings
from kalooki_tui.ui import themes
from kalooki_tui.ui.screens.base import Dialog
from kalooki_tui.ui.screens.dialogs import Choice, ChoiceLine

ON_OFF: Final = (False, True)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its key, its name in the file, its words, its values, what it does."""

    key: str
    name: str
    words: str
    values: tuple[object, ...]
    hint: str


SETTINGS: Final = (
    Setting("t", "theme", "Theme", tuple(theme.name for theme in themes.THEMES), "colours of the table"),
    Setting("4", "four_colour", "Four-colour deck", ON_OFF, "clubs green, diamonds blue"),
    Setting("a", "ascii", "ASCII glyphs", ON_OFF, "for terminals that draw no suits"),
    Setting("m", "reduced_motion", "Reduced motion", ON_OFF, "nothing moves or fades"),
    Setting("b", "bell", "Bell", ON_OFF, "rings when it is your turn"),
    Setting("c", "curtain", "Curtain", ON_OFF, "hides hands between people"),
    Setting("s", "ai_speed", "AI speed", tuple(speed.value for speed in Speed), "how fast AI seats move"),
)


class SettingsScreen(Dialog):
    """The settings; what is changed holds at once and is written down at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,shift+tab", "move(-1)", show=False),
        Binding("down,tab", "move(1)", show=False),
        Binding("enter,space,right", "change(1)", show=False),
        Binding("left", "change(-1)", show=False),
        Binding("escape,q", "close", show=False),
        *(Binding(setting.key, f"choose({index})", show=False) for index, setting in enumerate(SETTINGS)),
    ]

    def __init__(self) -> None:
        super().__init__(name="settings")
        self._current = 0

    def compose(self) -> ComposeResult:
        """A line each, and where they are written."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = "Settings"
            frame.border_subtitle = "arrows, keys or clicks change them · esc closes"
            for index, line in enumerate(self._lines()):
                yield ChoiceLine(index, line)
            yield Static(f"Kept in {self.game.settings_file.path}", classes="keys", markup=False)

    def _lines(self) -> Sequence[Choice]:
        return [Choice(one.key, _line(one, shown_value(one, self.game.settings)), None) for one in SETTINGS]

    def on_mount(self) -> None:
        """Mark the first."""
        self._show()

    def _show(self) -> None:
        lines = self._lines()
        for line in self.query(ChoiceLine):
            line.say(lines[line.index])
            line.set_class(line.index == self._current, "-current")

    def action_move(self, step: int) -> None:
        """Go to another setting."""
        self._current = (self._current + step) % len(SETTINGS)
        self._show()

    def action_choose(self, index: int) -> None:
        """Go to a setting and change it."""
        self._current = index
        self.action_change(1)

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        """The same by a click."""
        if self.is_live:
            self.action_choose(event.index)

    def action_change(self, step: int) -> None:
        """The next value of the setting marked."""
        setting = SETTINGS[self._current]
        now = value_of(setting, self.game.settings)
        place = setting.values.index(now) if now in setting.values else -1
        value = setting.values[(place + step) % len(setting.values)]
        usual = setting.name == "theme" and value == themes.DEFAULT_THEME
        self.game.set(**{setting.name: None if usual else value})
        self._show()

    def action_close(self) -> None:
        """Done."""
        self.dismiss(None)


def value_of(setting: Setting, settings: PlayerSettings) -> object:
    """What holds now."""
    value = getattr(settings, setting.name)
    return themes.DEFAULT_THEME if setting.name == "theme" and value is None else value


def shown_value(setting: Setting, settings: PlayerSettings) -> str:
    """What holds now, in a word."""
    value = value_of(setting, settings)
    return ("on" if value else "off") if isinstance(value, bool) else str(value).removeprefix("kalooki-")


def _line(setting: Setting, value: str) -> Content:
    return Content.assemble(
        f"{setting.words:<18}",
        Content.styled(f"{value:<12}", "$on-felt-muted" if value == "off" else "bold $gold"),
        Content.styled(setting.hint, "$on-felt-muted"),
    )
