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
from kalooki_tui.desk.keeping import deal_words, seats_words, when
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.summary import Summary
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.dialogs import Choice, ChoiceLine
from kalooki_tui.ui.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.faces import LARGE, Brush, draw_card

#: The cards of the title: a run with a joker, as the game is about.
TITLE_CARDS: Final = (make_card(2, 10), make_card(2, 11), JOKER, make_card(2, 13), make_card(2, 14))
#: Cells of a line about a match.
WIDTH: Final = 56


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
        super().__init__(name="home-screen")
        self._current = 0
        self._matches: list[Summary] = []
        self._waiting: Summary | None = None
        """The match played last, of those that go on and nobody plays."""

    @property
    def choices(self) -> list[Choice]:
        """What there is to do; going on and playing again only where there is something to."""
        choices = []
        if self._waiting is not None:
            about = self._waiting
            line = f"{deal_words(about)}  ·  {seats_words(about)}  ·  {when(about.played)}"
            choices.append(Choice("c", f"Continue {about.name}\n     {shorten(line, WIDTH)}", "continue"))
        if self.game.settings.last is not None:
            choices.append(Choice("p", "Play again, set up as last time", "again"))
        return [
            *choices,
            Choice("n", "New match", "setup"),
            Choice("m", f"Matches: {self._counted()}", "matches"),
            Choice("w", "Watch four AI seats play", "watch"),
            Choice("t", "Statistics", "statistics"),
            Choice("o", "Settings", "settings"),
            Choice("r", "Rules of the games", "rules"),
            Choice("q", "Quit", "quit"),
        ]

    def _counted(self) -> str:
        if not self._matches:
            return "none yet; take in a record"
        going = sum(not one.finished for one in self._matches)
        over = len(self._matches) - going
        return f"{going} {'goes' if going == 1 else 'go'} on, {over} {'is' if over == 1 else 'are'} over"

    def _read_matches(self) -> None:
        try:
            self._matches = self.game.store.summaries()
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
        self._waiting = next((one for one in self._matches if not one.finished and not one.elsewhere), None)

    def compose(self) -> ComposeResult:
        """Title and menu."""
        self._read_matches()
        with Vertical(id="home"):
            yield TitleArt()
            with Vertical(id="menu"):
                for index, choice in enumerate(self.choices):
                    yield ChoiceLine(index, choice)
            yield Static(f"version {__version__} · ctrl+p finds any command", id="version")

    def on_mount(self) -> None:
        """Mark the first choice; tell of matches that cannot be listed."""
        self._mark()
        self.game.tell_notices()

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
        if not self.is_live:
            return
        app = self.game
        match what:
            case "continue" if self._waiting is not None:
                app.resume(self._waiting.id)
            case "again":
                app.play_again()
            case "setup":
                app.set_up()
            case "watch":
                app.watch_match()
            case "matches":
                app.show_matches()
            case "statistics":
                app.show_statistics()
            case "settings":
                app.show_settings()
            case "rules":
                app.show_rules()
            case "quit":
                app.exit()
