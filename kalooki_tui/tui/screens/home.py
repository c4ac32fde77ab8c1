"""First screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from kalooki_tui import __version__
from kalooki_tui.cards import FRENCH, JOKER, make_card
from kalooki_tui.presenter.commands import Command
from kalooki_tui.presenter.match_list import progress_words, seats_words, when
from kalooki_tui.storage.files import StoreError
from kalooki_tui.tui import routes
from kalooki_tui.tui.preload import read_on
from kalooki_tui.tui.screens.base import MENU, GameScreen, unless
from kalooki_tui.tui.screens.question import ChoiceDialog
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, shorten, style
from kalooki_tui.tui.widgets.choices import Choice, ChoiceLine
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, Brush, draw_cards
from kalooki_tui.wording import counted

if TYPE_CHECKING:
    from kalooki_tui.storage.summary import Summary
    from kalooki_tui.training.same_cards import SameCards
    from kalooki_tui.tui.looks.themes import Palette

#: The cards of the title: a run with a joker.
TITLE_CARDS: Final = (make_card(2, 10), make_card(2, 11), JOKER, make_card(2, 13), make_card(2, 14))
#: Rows of the title with its cards, and of the name alone.
TITLE_ROWS: Final = 10
NAME_ROWS: Final = 3
VERSION_ROWS: Final = 2
#: Rows of the title with the largest cards, apart from each other.
HALL_ROWS: Final = HUGE[1] + NAME_ROWS
#: Columns from which on they are drawn, where there are rows for them and for a gap below each line of the menu.
HALL_WIDTH: Final = 150
#: Cells of a line about a match.
WIDTH: Final = 62


class TitleArt(CanvasWidget):
    def paint(self, canvas: Canvas, palette: Palette) -> None:
        row = 0
        if canvas.height >= TITLE_ROWS:
            in_hall = canvas.height >= HALL_ROWS
            size = HUGE if in_hall else LARGE
            step = size[0] + in_hall
            x = (canvas.width - step * len(TITLE_CARDS)) // 2
            draw_cards(canvas, x, 0, TITLE_CARDS, Brush(palette, FRENCH, self.look), size, step)
            row = size[1] + 1
        canvas.centred(row, "K A L O O K I", style(palette.gold, palette.felt, True))
        canvas.centred(row + 1, "contract rummy of the Caribbean", style(palette.on_felt_muted, palette.felt))


def _counted(at: Any) -> str:
    matches, unread = at.matches, at.app.store.unread
    if unread:
        return f"Matches: {len(matches)} found, {unread} not read yet"
    if not matches:
        return "Matches: none yet; import a record"
    going = sum(not one.finished for one in at.played)
    counts = {"unfinished": going, "finished": len(at.played) - going, "watched": len(matches) - len(at.played)}
    return f"Matches: {', '.join(f'{count} {what}' for what, count in counts.items() if count)}"


def _waiting_words(at: Any) -> str:
    about = at.waiting
    line = f"Continue {about.name} · {progress_words(about)} · {when(about.played)}"
    return f"{shorten(line, WIDTH)}\n     {shorten(seats_words(about, WIDTH), WIDTH)}"


LEARN: Final = "Learn the game, chapter by chapter"
#: What there is to do; going on and playing again are shown only where there is something to.
COMMANDS: Final = (
    Command("home-continue", "c", "Continue", "Continue the match played last.",
            lambda at: at.app.go(routes.resume(at.waiting.id)),
            unless(lambda at: at.waiting, "No match is waiting to be continued."), _waiting_words),
    Command("home-again", "p", "Play again, set up as last time", "The same seats and the same game once more.",
            lambda at: at.app.go(routes.same_seats()),
            unless(lambda at: at.app.settings.last, "No match has been set up yet.")),
    Command("home-due", "d", "Practise what is due", "Exercises on what you have learnt and should repeat.",
            lambda at: at.app.go(routes.practice()), unless(lambda at: at.due, "There is nothing to practise today."),
            lambda at: f"Practise what is due: {counted(at.due, 'skill')}"),
    Command("home-learn", "l", LEARN, "Exercises, and deals with a coach.",
            lambda at: at.app.go(routes.course(chapter="1" if at.is_new else "")),
            text=lambda at: "Never played? Your first chapter: ten minutes" if at.is_new else LEARN),
    Command("home-puzzles", "z", "Puzzles", "What would you do? An endless series, and one of the day.",
            lambda at: at.app.go(routes.puzzles())),
    Command("home-daily", "y", "Daily deal", "The same cards for everybody, new ones each day.",
            lambda at: at.app.go(routes.same_cards())),
    Command("home-duplicate", "u", "Duplicate match", "Continue a match in which everybody plays the same cards.",
            lambda at: at.app.go(routes.same_cards(at.duplicate.key[0])),
            unless(lambda at: at.duplicate, "No duplicate match is unfinished."),
            lambda at: f"Duplicate match: {at.duplicate.next} is next"),
    Command("home-new", "n", "New match", "Set up a match.", lambda at: at.app.go(routes.set_up())),
    Command("home-matches", "m", "Matches", "Continue, look at, export or import matches.",
            lambda at: at.app.go(routes.matches()), text=_counted),
    Command("home-watch", "w", "Watch four AI seats play", "A match of AI players alone.",
            lambda at: at.app.go(routes.watch_ai())),
)  # fmt: skip
#: Less often come for: they stand behind one line, and their keys count here too.
LESS: Final = (
    Command("home-statistics", "t", "Statistics", "Everybody's results.", lambda at: at.app.go(routes.statistics())),
    Command("home-settings", "o", "Settings", "Theme, glyphs, motion, bell, speed.",
            lambda at: at.app.go(routes.settings())),
    Command("home-rules", "r", "Rules", "Read the rules of a game.",
            lambda at: at.app.go(routes.rules_of_game())),
    Command("home-quit", "q", "Quit", "Leave the program.", lambda at: at.app.exit()),
)  # fmt: skip
MORE: Final = Command(
    "home-more", "e", "More", "Statistics, settings, rules; leave the program.", lambda at: at.show_more(),
    text=lambda at: " · ".join(f"{command.shown} {command.label}" for command in LESS),
)  # fmt: skip
_MATCH: Final = ("home-continue", "home-again")
_LEARNT: Final = ("home-due", "home-learn")
#: By what was done last: what is offered first then, as far as it is there.
FIRST: Final = {
    **dict.fromkeys((*_MATCH, "home-new"), _MATCH), **dict.fromkeys(_LEARNT, _LEARNT),
    **{name: (name,) for name in ("home-puzzles", "home-daily", "home-duplicate", "home-matches", "home-watch")},
}  # fmt: skip
NEW: Final = next(command for command in COMMANDS if command.name == "home-new")


class HomeScreen(GameScreen):
    CSS_PATH = "home.tcss"
    OFFERED = (*MENU, *COMMANDS, MORE, *LESS)

    def __init__(self, marked: str = "") -> None:
        super().__init__(name="home-screen")
        self._marked = marked
        self._is_early = False
        self.matches: list[Summary] = []
        self.waiting: Summary | None = None
        """Match that a person left last, of those that go on and nobody plays; none that was only watched."""
        self.duplicate: SameCards | None = None
        """Duplicate match played last, if somebody in it has yet to play."""
        self.due = 0
        self.has_learnt = False
        self._open: list[Command] = []

    @property
    def played(self) -> list[Summary]:
        return [one for one in self.matches if any(seat.is_human for seat in one.seats)]

    @property
    def is_new(self) -> bool:
        return not self.has_learnt and not self.played

    def _read_matches(self) -> None:
        with self.app.telling(StoreError):
            self.matches = self.app.store.summaries()
        self._is_early = self.app.store.unread > 0
        self.waiting = next((one for one in self.played if not one.finished and not one.elsewhere), None)
        if any(len(one.duplicate) > 1 for one in self.matches):
            from kalooki_tui.training.same_cards import played

            last = next(one for one in played(self.matches) if one.people)
            self.duplicate = last if last.next else None

    def compose(self) -> ComposeResult:
        self._read_matches()
        self.due = self.app.due
        self.has_learnt = any(skill.recent for skill in self.app.progress_file.progress.skills.values())
        with Vertical(id="home"):
            yield TitleArt()
            with Vertical(id="menu"):
                first = FIRST.get(self.app.settings.last_done, ())
                offered = [command for command in COMMANDS if command.is_open(self)]
                self._open = [*sorted(offered, key=lambda one: one.name not in first), MORE]
                self.current = next((at for at, one in enumerate(self._open) if one.name == self._marked), 0)
                for index, command in enumerate(self._open):
                    yield ChoiceLine(index, Choice(command.shown, command.words(self), command))
            yield Static(f"version {__version__} · ctrl+p finds any command", id="version")

    def on_resize(self, event: events.Resize) -> None:
        """Hide the title's cards where the menu needs their rows; fill a hall with the largest."""
        rows = sum(2 if command.name == "home-continue" else 1 for command in self._open)
        width, height = event.size
        fits = height >= rows + TITLE_ROWS + VERSION_ROWS
        hall = width >= HALL_WIDTH and height >= rows + len(self._open) + HALL_ROWS + VERSION_ROWS
        self.query_one("#home").set_class(hall, "-hall")
        self.query_one(TitleArt).styles.height = HALL_ROWS if hall else TITLE_ROWS if fits else NAME_ROWS

    def on_mount(self) -> None:
        self.app.tell_notices()
        read_on(self.app)

    @on(events.ScreenResume)
    def show_arrived(self) -> None:
        if self.is_here and self._is_early and not self.app.store.unread:
            self.app.go(routes.home(self._open[self.current].name))

    def show_more(self) -> None:
        choices = [Choice(command.shown, command.label, command.name) for command in LESS]
        self.app.overlays.choose(ChoiceDialog("More", "", choices, may_close=True, name="more"), self.run_command)

    def take(self, index: int) -> None:
        self.run_command(self._open[index].name)

    def action_command(self, name: str) -> None:
        super().action_command(name)
        app = self.app
        if name in FIRST and name != app.settings.last_done:
            # Writing settings can wait until what was asked for is there.
            app.call_after_refresh(lambda: app.remember(replace(app.settings, last_done=name)))
