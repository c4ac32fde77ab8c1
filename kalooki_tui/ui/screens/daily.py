"""The daily deal: a calendar of days played, what everybody made of the day's cards, what AI players made of them."""

from __future__ import annotations

import asyncio
import calendar
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.course.progress import today
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.study.duplicates import (
    Attempt,
    attempts,
    days,
    easier_day,
    fork_of,
    fork_words,
    margin_words,
    par_words,
    share_line,
)
from kalooki_tui.desk.study.kept_reviews import lost_in
from kalooki_tui.desk.study.stepping import PastDeal
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.player.par import kept_par, par_of
from kalooki_tui.store.summary import Summary
from kalooki_tui.table.dates import FIRST_DAY, daily_id, spoken
from kalooki_tui.table.duplicate import Fork, Line, daily_number, daily_setup
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.ui import routes
from kalooki_tui.ui.reading_on import read_on
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.dialogs import Ask, AskLine
from kalooki_tui.ui.screens.replay import COMMANDS as STEPPING
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.widgets.canvas import column
from kalooki_tui.ui.widgets.choices import Choice, numbered
from kalooki_tui.ui.widgets.command_bar import CommandBar
from kalooki_tui.ui.widgets.pictures import large
from kalooki_tui.wording import FIRST_NAME, capital, counted

ABOUT: Final = "Everybody gets the same cards, in the same seat, against the same three club players.\n\n"
_WEEKDAYS: Final = " Mo  Tu  We  Th  Fr  Sa  Su"
#: What stands behind the number of a day that was played.
PLAYED: Final = "•"
AI_PLAYERS: Final = "AI players"
#: Cells of a name beside points.
LONGEST_NAME: Final = 16


def _why_no_ghost(at: Any) -> Refusal | None:
    if at.own is None or at.own.points is None:
        return choose("", "The club player's line is shown once you have played the deal.")
    return None if at.lines else choose("", "It is still being computed.")


def _why_not_later(at: Any) -> Refusal | None:
    return None if at.day < today() else choose("", "Tomorrow's deal comes tomorrow.")


COMMANDS: Final = (
    Command("daily-play", "enter", "Play", "Play the deal, or continue it.", lambda at: at.play(),
            text=lambda at: at.play_words),
    Command("daily-other", "n", "Another person", "Let another person play the same cards.",
            lambda at: at.ask_person()),
    Command("daily-easier", "e", "Easier", "The last deal of the easiest contract, to begin with.",
            lambda at: at.go_to(at.easier),
            lambda at: None if at.easier else choose("", "That is for whoever has finished no match yet.")),
    Command("daily-ghost", "g", "Ghost", "See the club player play on from where you left its line.",
            lambda at: at.show_ghost(), _why_no_ghost),
    Command("daily-share", "s", "Share", "One line to send to others; it is copied.",
            lambda at: at.share(), _why_no_ghost),
    Command("day-before", "left", "Day before", "The day before.", lambda at: at.go(-1)),
    Command("day-after", "right", "Day after", "The day after.", lambda at: at.go(1), _why_not_later),
    Command("week-before", "up", "", "A week before.", lambda at: at.go(-7)),
    Command("week-after", "down", "", "A week after.", lambda at: at.go(7), _why_not_later),
    Command("day-now", "t", "Today", "Today's deal.", lambda at: at.go_to(today())),
    Command("daily-back", "escape,q", "Back", "Back to the first screen.", lambda at: at.app.go(routes.home())),
)  # fmt: skip


class DailyScreen(GameScreen):
    """One day of the calendar."""

    DEFAULT_CSS = """
    DailyScreen { layout: vertical; }
    DailyScreen #daily-top { height: 1; padding: 0 1; background: $felt-deep; color: $gold; text-style: bold; }
    DailyScreen #daily { height: 1fr; padding: 1 1; align: center middle; }
    DailyScreen #daily Horizontal { height: auto; max-width: 110; }
    DailyScreen #calendar { width: 30; height: auto; padding: 1 0 0 1; }
    DailyScreen #day { width: 1fr; height: auto; padding: 1 2; background: $felt-deep; border-left: outer $gold; }
    """
    OFFERED = COMMANDS

    def __init__(self, day: date) -> None:
        super().__init__(name="daily")
        self.day = day
        self.lines: tuple[Line, ...] = ()
        """What AI players made of the day's deal, once that is known."""
        self.fork: Fork | None = None
        self.cost = ""
        """What the person's decisions cost, once that is known."""
        self.easier: date | None = None
        """The day with which whoever is new may begin; None: nobody is, or this one is as easy."""
        self._played: dict[date, list[Summary]] = {}

    def compose(self) -> ComposeResult:
        """The calendar beside the day."""
        yield Static(id="daily-top")
        with VerticalScroll(id="daily", can_focus=False), Horizontal():
            yield Static(id="calendar")
            yield Static(id="day")
        yield CommandBar()

    def on_screen_resume(self) -> None:
        """Read it again: somebody may have played meanwhile."""
        if self.is_here:
            self.read()

    def read(self) -> None:
        """Show the day as it is now."""
        try:
            summaries = self.app.store.summaries()
            self._played = days(summaries)
            self.easier = easier_day(summaries, self.day)
        except StoreError as error:
            self.notify(str(error), severity="error")
        self.lines, self.fork, self.cost = (), None, ""
        self.show()
        read_on(self.app)
        if any(one.points is not None for one in self.attempts):
            self.run_worker(self._find_par(self.day), group="par", exclusive=True, exit_on_error=False)

    def show_arrived(self) -> None:
        """Show the day with all its matches."""
        if not self.app.store.unread:
            self.read()

    async def _find_par(self, day: date) -> None:
        try:
            lines = await asyncio.to_thread(kept_par, day)
            if lines is None:
                lines = await self.app.compute(par_of, day)
        except Exception as error:  # noqa: BLE001 - the day's results are there without the par
            log_fault(error)
            return
        if self.is_here and day == self.day:
            self.lines = lines
            self._find_fork()
            self.show()
            await self._find_lost(day)

    async def _find_lost(self, day: date) -> None:
        """What the person's decisions cost, for the day and the line to share."""
        own = self.own
        if own is None or own.points is None:
            return
        try:
            lines = await asyncio.to_thread(list, self.app.store.lines(own.summary.id))
            cost = await lost_in(lines, own.name, self.app.compute)
        except Exception as error:  # noqa: BLE001 - the day's results are there without it
            log_fault(error)
            return
        if self.is_here and day == self.day:
            self.cost = cost
            self.show()

    def _find_fork(self) -> None:
        try:
            if self.own is not None and self.own.points is not None:
                self.fork = fork_of(self.app.store, self.own, self.lines[0])
        except (StoreError, ValueError) as error:
            self.notify(str(error), severity="error")

    @property
    def attempts(self) -> list[Attempt]:
        """Who has played or begun the day's deal."""
        return attempts(self._played.get(self.day, ()), daily_id(self.day))

    @property
    def own(self) -> Attempt | None:
        """Of these, the one that the line below them speaks of: who played last."""
        return max(self.attempts, key=lambda one: one.summary.played, default=None)

    @property
    def play_words(self) -> str:
        """What enter does."""
        own = self.own
        return "Play" if own is None else "Go on" if own.points is None else "Look"

    # What is shown

    def show(self) -> None:
        """Show the day."""
        self.query_one("#daily-top", Static).update(f"Daily deal · {spoken(self.day)}")
        self.query_one("#calendar", Static).update(self._calendar())
        self.query_one("#day", Static).update(self._day())
        self.bar.show(self.footer_keys(command for command in COMMANDS if self._is_shown(command)))

    def _is_shown(self, command: Command) -> bool:
        return bool(command.label) and (command.name != "daily-easier" or self.easier is not None)

    def _calendar(self) -> Content:
        head = spoken(self.day).partition(" ")[2]
        wide = len(_WEEKDAYS)
        parts = [
            Content.styled(f"{head:^{wide}}\n\n", "bold $gold"),
            Content.styled(f"{_WEEKDAYS}\n", "$on-felt-muted"),
        ]
        for week in calendar.Calendar().monthdatescalendar(self.day.year, self.day.month):
            parts += [self._date(day) if day.month == self.day.month else Content("    ") for day in week]
            parts.append(Content("\n"))
        parts.append(Content.styled(f"\n {PLAYED} played", "$on-felt-muted"))
        return Content("").join(parts)

    def _date(self, day: date) -> Content:
        look = "bold $gold" if day in self._played else "$on-felt-muted" if day > today() else "$on-felt"
        text = f" {day.day:>2}{PLAYED if day in self._played else ' '}"
        return Content.styled(text, "bold $felt-deep on $gold" if day == self.day else look)

    def _day(self) -> Content:
        setup = daily_setup(self.day, FIRST_NAME)
        words = setup.ruleset.vocabulary
        contract = contract_words(setup.ruleset.deals[0], words)
        lines = [
            Content.styled(f"{words.deal.capitalize()} {daily_number(self.day)}: {contract}\n", "bold $gold"),
            Content.styled(ABOUT, "$on-felt-muted"),
        ]
        found = self.attempts
        if not found:
            lines.append(Content("Nobody has played it here yet.\n"))
        if self.easier is not None:
            easiest = contract_words(daily_setup(self.easier, FIRST_NAME).ruleset.deals[0], words)
            key = next(command.shown for command in COMMANDS if command.name == "daily-easier")
            lines.append(Content(f"\nNew to the game? {key} opens the deal of {spoken(self.easier)}: {easiest}.\n"))
        own = self.own
        if own is not None and own.points is not None:
            lines += [Content.styled(f"{row}\n", "$gold") for row in large(str(own.points))]
            lines.append(Content.styled(f"{counted(own.points, 'point').partition(' ')[2]}\n\n", "$gold"))
        width = self._name_width
        for one in sorted(found, key=lambda one: (one.points is None, one.points or 0)):
            told = "has begun" if one.points is None else f"{one.points:>4}  {margin_words(one.margin or 0.0)}"
            name = column(one.name, width)
            lines.append(Content.assemble(name, Content.styled(told, "bold"), "\n"))
        if any(one.points is not None for one in found):
            lines += self._par()
        return Content("").join(lines)

    @property
    def _name_width(self) -> int:
        """Cells of a name, with a free one after it."""
        longest = max((cell_len(one.name) for one in self.attempts), default=0)
        return max(len(AI_PLAYERS) + 2, min(LONGEST_NAME, longest) + 1)

    def _par(self) -> list[Content]:
        if not self.lines:
            return [Content.styled("AI players are playing it …\n", "$on-felt-muted")]
        each = ", ".join(f"{line.level} {line.points}" for line in self.lines)
        lines = [Content(f"{AI_PLAYERS:<{self._name_width}}{par_words(self.lines):>4}  ({each})\n")]
        own = self.own
        if own is not None and own.points is not None:
            who = "" if own.name == FIRST_NAME or len(self.attempts) == 1 else f"{own.name}: "
            faces = daily_setup(self.day, FIRST_NAME).ruleset.faces
            lost = f"{capital(self.cost)}." if self.cost else "Working out what the decisions cost …"
            lines.append(Content.styled(f"\n{who}{lost}\n", "bold"))
            lines.append(Content.styled(who + fork_words(self.fork, faces) + "\n", "$on-felt-muted"))
        return lines

    # Commands

    def go(self, step: int) -> None:
        """So many days on."""
        self.go_to(self.day + timedelta(days=step))

    def go_to(self, day: date) -> None:
        """To a day, as far as there are deals."""
        self.day = max(FIRST_DAY, min(day, today()))
        self.read()

    def play(self) -> None:
        """Play, go on, or look at what was played."""
        own = self.own
        if own is None:
            names = self.app.settings.names
            self.app.go(routes.daily_match(self.day, names[0] if names else FIRST_NAME))
        elif own.points is None:
            self.app.go(routes.resume(own.summary.id))
        else:
            self.app.go(routes.replay(own.summary))

    def ask_person(self) -> None:
        """Who plays next?"""
        played = {one.name for one in self.attempts}
        names = [name for name in (FIRST_NAME, *self.app.settings.names) if name not in played]
        choices = [*numbered((name, name) for name in names[:8]), Choice("n", "Somebody else", "")]

        def chosen(name: object) -> None:
            if name == "":
                self.app.overlays.show(AskLine("Who plays?", "A name without spaces.", "", "name"), named)
            elif isinstance(name, str):
                named(name)

        def named(name: object) -> None:
            if isinstance(name, str) and name in played:
                self.notify(f"{name} has played this deal: only the first time counts.")
            elif isinstance(name, str):
                self.app.go(routes.daily_match(self.day, name))

        self.app.overlays.show(Ask("Who plays these cards next?", "", choices, may_close=True), chosen)

    def show_ghost(self) -> None:
        """The club player's line, from the fork on."""
        self.app.go(routes.daily_line(self.day, self.lines[0], 0 if self.fork is None else self.fork.place))

    def share(self) -> None:
        """The line to send, on the screen and in the clipboard."""
        assert self.own is not None
        word = daily_setup(self.day, FIRST_NAME).ruleset.vocabulary.deal
        line = share_line(self.day, daily_number(self.day), word, self.own, self.lines, self.cost)
        self.app.copy_to_clipboard(line)
        self.notify(line, title="Copied, if the terminal allows it", timeout=15)


class GhostScreen(ReplayScreen):
    """What an AI player made of the deal."""

    OFFERED = tuple(
        Command("leave", one.keys, one.label, "Back to the day.", lambda at: at.app.go(routes.daily(at.day)))
        if one.name == "leave"
        else one
        for one in STEPPING
    )

    def __init__(self, about: Summary, deals: list[PastDeal], seed: int | None, day: date, place: int) -> None:
        super().__init__(about, deals, seed)
        self.day, self._begins = day, place

    def on_mount(self) -> None:
        """Begin where the person left the line."""
        past = self._deals[0]
        self.place = past.number_of(self._begins)


def ghost_summary(day: date, line: Line) -> Summary:
    """An AI player's line as a list of matches would have it."""
    setup = daily_setup(day, FIRST_NAME)
    seats = (SeatPlan(FIRST_NAME, f"ai:{line.level}"), *setup.seats[1:])
    now = datetime.now(UTC)
    return Summary(
        id="ghost", ruleset=setup.ruleset.id, name=setup.ruleset.name, options=(), referee="strict", seats=seats,
        started=now, played=now, deal=1, deals=1, totals=(0,) * len(seats), finished=True, winners=(),
        teaching=False, imported=False,
    )  # fmt: skip
