"""The first screen."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from kalooki_tui import __version__
from kalooki_tui.cards import FRENCH, JOKER, make_card
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.dialogs import Choice, ChoiceLine
from kalooki_tui.ui.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, style
from kalooki_tui.ui.widgets.faces import LARGE, Brush, draw_card

#: The cards of the title: a run with a joker, as the game is about.
TITLE_CARDS: Final = (make_card(2, 10), make_card(2, 11), JOKER, make_card(2, 13), make_card(2, 14))


class TitleArt(Painted):
    """A run of cards and the game's name."""

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw it in the middle."""
        brush = Brush(palette, FRENCH, self.look)
        step = LARGE[0]
        width = step * (len(TITLE_CARDS) - 1) + LARGE[0]
        x = (canvas.width - width) // 2
        for place, card in enumerate(TITLE_CARDS):
            draw_card(canvas, x + place * step, 0, card, brush, LARGE, shown=LARGE[0])
        name = "K A L O O K I"
        canvas.text((canvas.width - len(name)) // 2, 8, name, style(palette.gold, palette.felt, True))
        words = "contract rummy of the Caribbean"
        canvas.text((canvas.width - len(words)) // 2, 9, words, style(palette.on_felt_muted, palette.felt))


class HomeScreen(GameScreen):
    """Play, watch, read the rules, leave."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,shift+tab", "move(-1)", show=False),
        Binding("down,tab", "move(1)", show=False),
        Binding("enter,space", "take", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="home-screen")
        self._current = 0

    @property
    def choices(self) -> list[Choice]:
        """What there is to do; playing again only once a match has been set up."""
        again = [Choice("p", "Play again, as last time", "again")] if self.game.last_plan is not None else []
        return [
            *again,
            Choice("n", "New match", "setup"),
            Choice("w", "Watch four AI seats play", "watch"),
            Choice("r", "Rules of the games", "rules"),
            Choice("q", "Quit", "quit"),
        ]

    def compose(self) -> ComposeResult:
        """Title and menu."""
        with Vertical(id="home"):
            yield TitleArt()
            with Vertical(id="menu"):
                for index, choice in enumerate(self.choices):
                    yield ChoiceLine(index, choice)
            yield Static(f"version {__version__} · ctrl+p finds any command", id="version")

    def on_mount(self) -> None:
        """Mark the first choice."""
        self._mark()

    def _mark(self) -> None:
        for line in self.query(ChoiceLine):
            line.set_class(line.index == self._current, "-current")

    def action_move(self, step: int) -> None:
        """Go to another choice."""
        self._current = (self._current + step) % len(self.choices)
        self._mark()

    def action_take(self) -> None:
        """Do what is marked."""
        self._do(self.choices[self._current].value)

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        """Do what was clicked."""
        self._do(self.choices[event.index].value)

    def on_key(self, event: events.Key) -> None:
        """Do what a letter says."""
        for choice in self.choices:
            if event.key == choice.key:
                event.stop()
                self._do(choice.value)

    def _do(self, what: str) -> None:
        if self.too_small:
            return
        app = self.game
        match what:
            case "again" if app.last_plan is not None:
                app.play_again(app.last_plan)
            case "setup":
                app.set_up()
            case "watch":
                app.watch_match()
            case "rules":
                app.show_rules()
            case "quit":
                app.exit()
