"""Same cards for several people: a date's deal in a calendar, or a duplicate match; everybody's results."""

from __future__ import annotations

import asyncio
import calendar
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import accumulate
from typing import Any, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Center, Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.course.progress import today
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.presenter.commands import Command, not_open
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.storage.summary import Summary, daily_key, day_of
from kalooki_tui.training.reviews import lost_in
from kalooki_tui.training.same_cards import (
    FIRST_DAY,
    DuplicateEntry,
    SameCards,
    StandingRow,
    daily_number,
    daily_par,
    daily_ruleset,
    deal_points,
    easier_day,
    fork_of,
    margin_words,
    par_words,
    same_cards,
    share_line,
    spoken,
)
from kalooki_tui.tui import routes
from kalooki_tui.tui.preload import read_on
from kalooki_tui.tui.screens.base import GameScreen, unless
from kalooki_tui.tui.screens.question import AskLine, ChoiceDialog
from kalooki_tui.tui.widgets.canvas import column
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.choices import Choice, numbered
from kalooki_tui.tui.widgets.command_bar import CommandBar
from kalooki_tui.tui.widgets.pictures import in_dots
from kalooki_tui.wording import FIRST_NAME, capital, counted

ABOUT: Final = "Everybody gets the same cards, in the same seat, against the same three club players.\n\n"
_WEEKDAYS: Final = " Mo  Tu  We  Th  Fr  Sa  Su"
#: What stands behind the number of a day that was played.
PLAYED: Final = "•"
AI_PLAYERS: Final = "AI players"
#: Cells of a name beside points.
LONGEST_NAME: Final = 16
#: Columns of a person, and how many fit beside one another.
COLUMN: Final = 12
MOST: Final = 5


def _why_no_ghost(at: Any) -> Refusal | None:
    if at.own is None or at.own.points is None:
        return not_open("", "The club player's line is shown once you have played the deal.")
    return None if at.lines else not_open("", "It is still being computed.")


_LATER: Final = unless(lambda at: at.day < today(), "Tomorrow's deal comes tomorrow.")
PLAY: Final = Command("same-play", "enter", "Play", "Play these cards, continue, or step through them.",
                      lambda at: at.play(), text=lambda at: at.play_words)  # fmt: skip
BACK: Final = Command("same-back", "escape,q", "Back", "Back to the first screen.", lambda at: at.app.go(routes.home()))
EASIER: Final = Command(
    "same-easier", "e", "Easier", "The last deal of the easiest contract, to begin with.",
    lambda at: at.go_to(at.easier),
    unless(lambda at: at.easier, "That is for whoever has finished no match yet."),
)  # fmt: skip
DAY: Final = (
    PLAY,
    Command("same-other", "n", "Another person", "Let another person play the same cards.",
            lambda at: at.ask_person()),
    EASIER,
    Command("same-ghost", "g", "Ghost", "See the club player play on from where you left its line.",
            lambda at: at.app.go(routes.ghost(at.day, at.lines[0], at.fork[0])), _why_no_ghost),
    Command("same-share", "s", "Share", "One line to send to others; it is copied.",
            lambda at: at.share(), _why_no_ghost),
    Command("day-before", "left", "Day before", "The day before.", lambda at: at.go(-1)),
    Command("day-after", "right", "Day after", "The day after.", lambda at: at.go(1), _LATER),
    Command("week-before", "up", "", "A week before.", lambda at: at.go(-7)),
    Command("week-after", "down", "", "A week after.", lambda at: at.go(7), _LATER),
    Command("day-now", "t", "Today", "Today's deal.", lambda at: at.go_to(today())),
    BACK,
)  # fmt: skip
MATCH: Final = (
    PLAY,
    Command("same-look", "v", "Steps", "Step through what somebody has played.", lambda at: at.look(),
            unless(lambda at: at.found.over, "Nobody has played to the end yet.")),
    BACK,
)  # fmt: skip


class SameCardsScreen(GameScreen):
    DEFAULT_CSS = """
    SameCardsScreen VerticalScroll { height: 1fr; padding: 1 1; align: center middle; }
    SameCardsScreen.-match VerticalScroll { padding: 1 2; align: center top; }
    SameCardsScreen Center { height: auto; }
    SameCardsScreen Horizontal { height: auto; max-width: 110; }
    SameCardsScreen #calendar { width: 30; height: auto; padding: 1 0 0 1; }
    SameCardsScreen #results { width: 1fr; height: auto; padding: 1 2; background: $felt-deep; }
    SameCardsScreen.-day #results { border-left: outer $gold; }
    SameCardsScreen.-match #results { width: auto; min-width: 60; padding: 1 3; }
    SameCardsScreen ScoreChart { margin-top: 1; max-width: 100; }
    """
    OFFERED = (*DAY, MATCH[1])

    def __init__(self, known_by: str) -> None:
        super().__init__(name="same-cards")
        self.found = SameCards((known_by,))
        self.lines: tuple[StandingRow, ...] = ()
        self.fork: tuple[int, str] = 0, ""
        """How far the person played as the club player does, and where they left its line."""
        self.cost = ""
        self.easier: date | None = None
        """Day with which whoever is new may begin; None: nobody is, or this one is as easy."""
        self._days: set[date] = set()

    @property
    def day(self) -> date | None:
        """Date whose deal it is; None: it is a duplicate match."""
        return self.found.day

    @property
    def offered(self) -> tuple[Command, ...]:
        return DAY if self.day else MATCH

    def compose(self) -> ComposeResult:
        self.set_class(self.day is not None, "-day")
        self.set_class(self.day is None, "-match")
        yield Static(id="top")
        with VerticalScroll(can_focus=False):
            if self.day:
                with Horizontal():
                    yield Static(id="calendar")
                    yield Static(id="results")
            else:
                yield Center(Static(id="results"))
                yield Center(ScoreChart())
        yield CommandBar()

    def on_screen_resume(self) -> None:
        if self.is_here:
            self.read()

    def show_arrived(self) -> None:
        if not self.app.store.unread:
            self.read()

    def read(self, known_by: str = "") -> None:
        known_by = known_by or self.found.key[0]
        summaries: list[Summary] = []
        with self.app.telling(StoreError):
            summaries = self.app.store.summaries()
        self.found = same_cards(summaries, known_by)
        self._days = {day for one in summaries if (day := day_of(one.duplicate))}
        self.easier = easier_day(summaries, self.day) if self.day else None
        self.lines, self.fork, self.cost = (), (0, ""), ""
        self.workers.cancel_group(self, "par")
        self.show()
        read_on(self.app)
        if self.day and self.found.over:
            self.run_worker(self._compare(self.day), group="par", exit_on_error=False)

    async def _compare(self, day: date) -> None:
        """Find what AI players made of the day's cards, where the person left their line, and what that cost."""
        try:
            self.lines = await self.app.compute(daily_par, day)
            own = self.own
            if own is not None and own.points is not None:
                self.fork = fork_of(self.app.store, own, self.lines[0])
                self.show()
                record = await asyncio.to_thread(list, self.app.store.lines(own.summary.id))
                self.cost = await lost_in(record, own.name, self.app.compute)
        except (StoreError, ValueError) as error:
            self.notify(str(error), severity="error")
        except Exception as error:  # noqa: BLE001 - the day's results are there without it
            log_fault(error)
        self.show()

    @property
    def own(self) -> DuplicateEntry | None:
        """Attempt that the lines below the results speak of: who played last."""
        return max(self.found.attempts, key=lambda one: one.summary.played, default=None)

    @property
    def next(self) -> str | None:
        """Person who plays, or goes on, with enter; None: what was played is looked at."""
        usual = next(iter(self.app.settings.names), FIRST_NAME)
        return self.found.next or (None if self.found.attempts else usual)

    @property
    def play_words(self) -> str:
        if self.next is None:
            return "Look"
        if self.day is None:
            return f"{self.next} plays"
        return "Go on" if self.found.attempts else "Play"

    # What is shown

    def show(self) -> None:
        if not self.is_here:
            return
        top, results = self.query_one("#top", Static), self.query_one("#results", Static)
        if self.day:
            top.update(f"Daily deal · {spoken(self.day)}")
            self.query_one("#calendar", Static).update(self._calendar(self.day))
            results.update(self._day_results(self.day))
        elif self.found.attempts:
            game = self.found.attempts[0].summary.name
            top.update(f"Duplicate match · {game}: the same cards for everybody")
            points = {one.name: self._points(one) for one in self.found.attempts}
            results.update(self._match_results(points))
            chart = self.query_one(ScoreChart)
            chart.display = self.found.next is None
            if chart.display:
                grown = [[*accumulate(each)] for each in points.values()]
                chart.show([*points], [list(row) for row in zip(*grown, strict=False)])
        shown = [one for one in self.offered if one.label and (one is not EASIER or self.easier is not None)]
        self.query_one(CommandBar).show(self.footer_keys(shown))

    def _calendar(self, shown: date) -> Content:
        head = spoken(shown).partition(" ")[2]
        wide = len(_WEEKDAYS)
        parts = [
            Content.styled(f"{head:^{wide}}\n\n", "bold $gold"),
            Content.styled(f"{_WEEKDAYS}\n", "$on-felt-muted"),
        ]
        for week in calendar.Calendar().monthdatescalendar(shown.year, shown.month):
            for day in week:
                look = "bold $gold" if day in self._days else "$on-felt-muted" if day > today() else "$on-felt"
                text = f" {day.day:>2}{PLAYED if day in self._days else ' '}" if day.month == shown.month else "    "
                parts.append(Content.styled(text, "bold $felt-deep on $gold" if day == shown else look))
            parts.append(Content("\n"))
        parts.append(Content.styled(f"\n {PLAYED} played", "$on-felt-muted"))
        return Content("").join(parts)

    def _day_results(self, day: date) -> Content:
        ruleset, found, own = daily_ruleset(day), self.found, self.own
        words = ruleset.vocabulary
        heading = f"{words.deal.capitalize()} {daily_number(day)}: {contract_words(ruleset.deals[0], words)}\n"
        lines = [Content.styled(heading, "bold $gold"), Content.styled(ABOUT, "$on-felt-muted")]
        if own is None:
            lines.append(Content("Nobody has played it here yet.\n"))
            if self.easier is not None:
                easiest = contract_words(daily_ruleset(self.easier).deals[0], words)
                opens = f"{EASIER.shown} opens the deal of {spoken(self.easier)}: {easiest}."
                lines.append(Content(f"\nNew to the game? {opens}\n"))
        elif own.points is not None:
            lines += [Content.styled(f"{row}\n", "$gold") for row in in_dots(str(own.points))]
            lines.append(Content.styled(f"{counted(own.points, 'point').partition(' ')[2]}\n\n", "$gold"))
        longest = max((cell_len(one.name) for one in found.attempts), default=0)
        width = max(len(AI_PLAYERS) + 2, min(LONGEST_NAME, longest) + 1)
        for one in found.by_points:
            told = "has begun" if one.points is None else f"{one.points:>4}  {margin_words(one.margin)}"
            lines.append(Content.assemble(column(one.name, width), Content.styled(told, "bold"), "\n"))
        if found.over and not self.lines:
            lines.append(Content.styled("AI players are playing it …\n", "$on-felt-muted"))
        elif found.over:
            lines.append(Content(f"{AI_PLAYERS:<{width}}{par_words(self.lines)}\n"))
            if own is not None and own.points is not None:
                who = "" if own.name == FIRST_NAME or len(found.attempts) == 1 else f"{own.name}: "
                lost = f"{self.cost}." if self.cost else "working out what the decisions cost …"
                lines.append(Content.styled(f"\n{who}{lost if who else capital(lost)}\n", "bold"))
                lines.append(Content.styled(f"{who}{self.fork[1]}\n", "$on-felt-muted"))
        return Content("").join(lines)

    def _match_results(self, points: dict[str, list[int]]) -> Content:
        found, people = self.found, self.found.people[:MOST]
        # Whoever is still to play is not to know what these cards brought others.
        is_open = found.next is None
        lines = [Content.styled(_row("", people), "bold $gold")]
        for deal in range(max(map(len, points.values()), default=0)):
            each = [points.get(name, [])[deal : deal + 1] for name in people]
            cells = [("·" if one and not is_open else "".join(map(str, one))) for one in each]
            lines.append(Content(_row(f"deal {deal + 1}", cells)))
        lines.append(Content.styled(_row("total", [self._state(name) for name in people]), "bold"))
        if is_open:
            names = " and ".join(one.name for one in found.over if one.points == found.over[0].points)
            lines.append(Content.styled(f"\n{names} made the most of these cards.\n", "$gold"))
        else:
            lines.append(Content.styled("\nResults are shown once everybody has played.\n", "$on-felt-muted"))
            lines.append(Content(f"\n{found.next} plays next. Press {PLAY.shown} when nobody else is looking.\n"))
        return Content("").join(lines)

    def _state(self, name: str) -> str:
        own = self.found.of(name)
        if own is None:
            return "to come"
        if own.points is None:
            return "plays"
        return str(own.points) if self.found.next is None else "done"

    def _points(self, attempt: DuplicateEntry) -> list[int]:
        try:
            return deal_points(self.app.store, attempt)
        except StoreError as error:
            self.notify(str(error), severity="error")
            return []

    # Commands

    def go(self, step: int) -> None:
        assert self.day is not None
        self.go_to(self.day + timedelta(days=step))

    def go_to(self, day: date) -> None:
        self.read(daily_key(max(FIRST_DAY, min(day, today()))))

    def play(self) -> None:
        if self.next is None:
            self.look()
        else:
            self.app.go(routes.play_same_cards(self.found, self.next))

    def look(self) -> None:
        def chosen(attempt: DuplicateEntry) -> None:
            self.app.go(routes.replay(attempt.summary))

        over = self.found.over
        if len(over) == 1:
            chosen(over[0])
        else:
            choices = numbered((one.name, one) for one in over)
            self.app.overlays.choose(ChoiceDialog("Whose match?", "", choices, may_close=True), chosen)

    def ask_person(self) -> None:
        names = [name for name in (FIRST_NAME, *self.app.settings.names) if self.found.of(name) is None]
        choices = [*numbered((name, name) for name in names[:8]), Choice("n", "Somebody else", "")]

        def chosen(name: str) -> None:
            if not name:
                self.app.overlays.choose(AskLine("Who plays?", "The name:\n", "", "a name"), chosen)
            elif self.found.of(name) is not None:
                self.notify(f"{name} has played this deal: only the first time counts.")
            else:
                self.app.go(routes.play_same_cards(self.found, name))

        self.app.overlays.choose(ChoiceDialog("Who plays these cards next?", "", choices, may_close=True), chosen)

    def share(self) -> None:
        assert self.own is not None
        assert self.day is not None
        line = share_line(self.day, self.own, self.lines, self.cost)
        self.app.copy_to_clipboard(line)
        self.notify(line, title="Copied, if the terminal allows it", timeout=15)


def _row(head: str, cells: Sequence[str]) -> str:
    return f"{head:<8}" + "".join(column(cell, COLUMN, right=True) for cell in cells) + "\n"
