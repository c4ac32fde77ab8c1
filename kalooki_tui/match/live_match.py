"""One live match: applies actions, records them, tells its listeners, and says what comes next."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.engine.actions import Action, Call, Pass
from kalooki_tui.engine.events import Called, Event, Passed
from kalooki_tui.engine.match import Match, MatchSetup, draw_seats, headless
from kalooki_tui.engine.permissions import AFTER_DEAL, WINDOWS, may_call
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.seating import SeatPlan, check_seats
from kalooki_tui.notation.seat_text import check_seating
from kalooki_tui.players import PlayerChoice
from kalooki_tui.records.lines import CheckChain
from kalooki_tui.records.writer import RecordHead, dump, start_lines, step_lines
from kalooki_tui.rulesets.model import Ruleset, Settings

if TYPE_CHECKING:
    from kalooki_tui.players.outside import OutsidePlayer


#: Shortest and longest reaction time of an AI seat where calls go to whoever is first (D4), in seconds.
REACTION_SECONDS: Final = (0.8, 3.0)


class TableSetup(Struct, frozen=True):
    ruleset: Ruleset
    seats: tuple[SeatPlan, ...]
    seed: int
    referee: Referee = Referee.STRICT
    settings: Settings | None = None
    options: tuple[str, ...] = ()
    first_turn: int = 0
    position: Mapping[str, Any] | None = None
    """Keys of the position at which the match begins; None: with its first deal."""


class Moment(Struct, frozen=True):
    """Decision, told apart from every other of its match: an answer counts for the moment it was asked in."""

    deal: int
    attempt: int
    step: int
    """Events of the deal so far without calls and passes: a window in which some have answered is the same one."""
    phase: Phase
    seat: int | None
    """Seat to decide; None in a window, where several seats may be asked at once, and between deals."""


class MatchStep(Struct, frozen=True):
    """Event at the table: an action with its events, an attempt that was charged, or a deal that began."""

    action: Action | None
    """None: the table dealt, or passed a contract over."""
    events: tuple[Event, ...]
    refusal: Refusal | None = None
    """Reason why the attempt was taken back, where it changed the deal all the same."""
    asked: bool = True
    """False: a person was not asked about a card, and passed without knowing."""


Listener = Callable[[MatchStep], None]
Keeper = Callable[[Match, MatchStep, Callable[[], None]], None]
"""Writes a step down, after which the match stands as given; then the step is shown to everybody."""


def drawn_seats(setup: TableSetup) -> tuple[int, ...]:
    if setup.ruleset.seating.first_dealer == "ace-draw" and setup.position is None:
        return draw_seats(tuple(plan.name for plan in setup.seats), setup.seed)
    return tuple(range(len(setup.seats)))


class Table:
    """Match with its seats. The app, the tests and headless runs all play through it."""

    def __init__(self, setup: TableSetup, match: Match, plans: tuple[SeatPlan, ...]) -> None:
        self.setup = setup
        self.match = match
        self.ahead = match
        self.keeper: Keeper | None = None
        self.waits = False
        """The keeper may take a while, in which the step is not to be seen."""
        self._seat(plans)
        self._listeners: list[Listener] = []
        self._hearers: list[Callable[[str], None]] = []
        self._counted: tuple[tuple[int, int], int, int] = (0, 0), 0, 0
        """Attempt whose events have been counted, how many, and how many of them are neither calls nor passes."""

    @classmethod
    def open(cls, setup: TableSetup) -> Table:
        """Draw seats where the ruleset does (D11), and deal; raise ValueError if seats or referee do not fit."""
        check_seats(setup.seats)
        if setup.position is not None:
            from kalooki_tui.positions.staging import resume_at

            rules = make_rules(setup.ruleset, len(setup.seats), setup.referee, setup.settings)
            return cls(setup, resume_at(setup.position, rules), setup.seats)
        settings = setup.settings or setup.ruleset.usual_settings()
        if not any(plan.is_human for plan in setup.seats):
            settings = headless(settings)
        rules = make_rules(setup.ruleset, len(setup.seats), setup.referee, settings)
        order = drawn_seats(setup)
        plans = tuple(setup.seats[index] for index in order)
        if rules.settings.handicap:
            points = tuple(rules.settings.handicap[index] for index in order)
            rules = replace(rules, settings=replace(rules.settings, handicap=points))
        match_setup = MatchSetup(rules, tuple(plan.name for plan in plans), setup.seed, setup.first_turn)
        return cls(setup, Match.start(match_setup), plans)

    def _seat(self, plans: tuple[SeatPlan, ...]) -> None:
        self.plans = plans
        self.people = tuple(seat for seat, plan in enumerate(plans) if plan.is_human)

    def reseat(self, seat: int, plan: SeatPlan) -> None:
        """Give a seat another name and player; raise ValueError for a taken name or an unknown player."""
        self._seat(self.check_reseat(seat, plan))
        self.match.rename(tuple(one.name for one in self.plans))

    def check_reseat(self, seat: int, plan: SeatPlan) -> tuple[SeatPlan, ...]:
        """Return the seats as they would be then; errors as in `reseat`."""
        plans = (*self.plans[:seat], plan, *self.plans[seat + 1 :])
        check_seats(plans)
        check_seating(self.match.setup.names, tuple(one.name for one in plans), seat, plan.player)
        return plans

    def is_human(self, seat: int) -> bool:
        return seat in self.people

    def player_seed(self, seat: int) -> str:
        return player_seed(self.setup.seed, seat)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def hear(self, hearer: Callable[[str], None]) -> None:
        """Tell `hearer` each notice from now on: a sentence about the table itself, not about the game."""
        self._hearers.append(hearer)

    def tell(self, notice: str) -> None:
        for hearer in self._hearers:
            hearer(notice)

    @property
    def moment(self) -> Moment:
        deal, phase, actor = self.match.deal, self.match.phase, self.match.actor
        attempt, seen, step = self._counted
        if attempt != (deal.number, deal.attempt):
            seen = step = 0
        step += sum(not isinstance(event, Called | Passed) for event in deal.history[seen:])
        self._counted = (deal.number, deal.attempt), len(deal.history), step
        return Moment(deal.number, deal.attempt, step, phase, None if phase in WINDOWS else actor)

    def view(self, seat: int) -> View:
        return self.match.view(seat)

    def apply(self, action: Action, *, asked: bool = True) -> list[Event]:
        """Take an action (not `asked`: a pass made for a person); if Refused, only a charge has changed the match."""
        match = self._next()
        before = len(match.deal.history)
        try:
            events = match.apply(action)
        except Refused as refused:
            if refused.refusal.changed:
                self._keep(match, MatchStep(action, tuple(match.deal.history[before:]), refused.refusal))
            raise
        self._keep(match, MatchStep(action, tuple(events), asked=asked))
        return events

    def attempt(self, action: Action, *, asked: bool = True) -> Refusal | None:
        try:
            self.apply(action, asked=asked)
        except Refused as refused:
            return refused.refusal
        return None

    def next_deal(self) -> list[Event]:
        return self._go_on(Match.next_deal)

    def pass_over(self) -> list[Event]:
        return self._go_on(Match.pass_over)

    def _go_on(self, how: Callable[[Match], list[Event]]) -> list[Event]:
        match = self._next()
        events = how(match)
        self._keep(match, MatchStep(None, tuple(events)))
        return events

    def _next(self) -> Match:
        """Return the match to take a step in: a copy where the step is not to be seen at once."""
        return self.ahead.clone() if self.waits else self.ahead

    def _keep(self, match: Match, step: MatchStep) -> None:
        def show() -> None:
            self.match = match
            for listener in self._listeners:
                listener(step)

        self.ahead = match
        if self.keeper is None:
            show()
        else:
            self.keeper(match, step, show)


def player_seed(seed: int, seat: int) -> str:
    """Name the random stream of an AI seat in the match of that seed; it never moves a shuffle."""
    return f"{seed}/player {seat}"


class WaitKind(Enum):
    SEAT = auto()
    """One seat, `seats[0]`, decides."""
    CALLERS = auto()
    """These people are asked at once which of them calls, as Tuluki's turn seat is, alone, about the card before it;
    `answer_callers` takes the answer."""
    RACE = auto()
    """These seats may call, and the first to do so gets the card (D4)."""
    END_OF_DEAL = auto()
    GO_ON = auto()
    """People are asked whether a contract that was void again is dealt again or passed over (D15, D32)."""
    DEAL = auto()
    RESULT = auto()
    WRITING = auto()
    """A step is still being written down; the next is not known yet."""
    OVER = auto()


class Wait(Struct, frozen=True):
    kind: WaitKind
    seats: tuple[int, ...] = ()


class Driver:
    """Driver of a match: `people` are asked in person, `programs` play; `strict`: an AI seat's refusal is an error."""

    def __init__(
        self,
        table: Table,
        *,
        people: Collection[int] = (),
        programs: Mapping[int, OutsidePlayer] | None = None,
        strict: bool = False,
    ) -> None:
        self.table = table
        self.programs = dict(programs or {})
        self._people = frozenset(people)
        self._strict = strict
        self._shown: tuple[int, int] | None = None
        self._told = False
        self._answers: dict[int, bool | None] = {}
        """Answers of people who were asked at once, by seat: call or pass; None: they were not asked."""
        self._answered: Moment | None = None
        self._notices: set[str] = set()

    def advance(self) -> Wait:
        """Do what needs nobody, and return what does. The end of a deal and the result come up once."""
        while self._take_answer():
            pass
        match, deal = self.table.match, self.table.match.deal
        if match is not self.table.ahead:
            return Wait(WaitKind.WRITING)
        if match.finished and not self._told:
            self._told = True
            return Wait(WaitKind.RESULT)
        if match.phase in AFTER_DEAL and self._shown != (deal.number, deal.attempt):
            self._shown = (deal.number, deal.attempt)
            return Wait(WaitKind.END_OF_DEAL)
        if match.finished:
            return Wait(WaitKind.OVER)
        if match.actor is None:
            return Wait(WaitKind.GO_ON if match.asks_to_go_on and self._people else WaitKind.DEAL)
        return self._decision(match.actor)

    def _decision(self, seat: int) -> Wait:
        match = self.table.match
        if match.phase in WINDOWS and match.rules.settings.race:
            return Wait(WaitKind.RACE, tuple(other for other in range(len(match.names)) if match.legal(other)))
        several = len(self._people) > 1 and seat in self._people
        if match.phase in WINDOWS and several:
            return Wait(
                WaitKind.CALLERS, tuple(filter(self._people.__contains__, callers(self.table.view(seat), seat)))
            )
        return Wait(WaitKind.SEAT, (seat,))

    def ask(self, people: Collection[int]) -> None:
        self._people = frozenset(people)

    # What becomes of answers

    def take(self, seat: int, decision: PlayerChoice) -> None:
        """Apply a computer player's decision; its notice is shown once in a match.

        A program that is refused is asked again; after its third refusal the novice plays for it, and the table says
        so. An AI seat is never refused, but for a fault in it.

        Raises:
            Refused: an AI seat was, and the driver is strict.
        """
        if decision.notice and decision.notice not in self._notices:
            self._notices.add(decision.notice)
            self.table.tell(decision.notice)
        try:
            self.table.apply(decision.action)
        except Refused as refused:
            program = self.programs.get(seat)
            if program is not None and not program.failed:
                program.refused(refused.refusal)
            elif self._strict:
                raise
            else:
                name, why = self.table.match.names[seat], refused.refusal.message
                self.table.tell(f"{name} made a move that was refused ({why}); another move is made instead.")
                self.table.apply(self.table.view(seat).legal[0])

    def answer_callers(self, answers: Mapping[int, bool | None]) -> None:
        """Take the answers of people asked at once; AI seats between them are still asked in their places (D30)."""
        self._answers = dict(answers)
        self._answered = self.table.moment

    def _take_answer(self) -> bool:
        """Apply the answer of a person who is asked now; return whether there was one."""
        if self._answers and self._answered != self.table.moment:
            self._answers.clear()
        seat = self.table.match.actor
        if seat is None or seat not in self._answers or self.table.match is not self.table.ahead:
            return False
        calls = self._answers.pop(seat)
        with suppress(Refused):  # then the seat is asked again
            self.table.apply(Call(seat) if calls else Pass(seat), asked=calls is not None)
        return True

    def deal(self, *, again: bool = True) -> None:
        """Go on to the next deal, or (not `again`) past a void contract, as always without people (D15, D32)."""
        if not again or (not self._people and self.table.match.is_void_for_good):
            self.table.pass_over()
        if not self.table.ahead.finished:
            self.table.next_deal()

    def tell_result(self) -> None:
        match = self.table.match
        for program in self.programs.values():
            program.finish(match.names, match.winners, match.totals)

    def close(self) -> None:
        for program in self.programs.values():
            program.close()

    def reactions(self, seats: Collection[int]) -> list[tuple[float, int]]:
        """Return AI reaction times in a race, in seconds, with the seats, in order; a replay gives the same."""
        deal, seed = self.table.match.deal, self.table.match.setup.seed
        stream = f"{seed}/deal {deal.number}.{deal.attempt}/reaction {len(deal.history)}"
        return sorted((random.Random(f"{stream}/{seat}").uniform(*REACTION_SECONDS), seat) for seat in seats)


def callers(view: View, first: int) -> tuple[int, ...]:
    """Return seats still to be asked whether they call, in order from `first` on (C2, C5, C9, D30)."""
    if view.rules.ruleset.draw.offer == "flip":
        return (first,)
    count = len(view.names)
    seats = [(view.turn + step) % count for step in range(1, count)]
    return tuple(seat for seat in seats[seats.index(first) :] if seat != view.discarded_by and may_call(view, seat))


def record(table: Table, write: Callable[[str], None]) -> None:
    """Write the lines of a match just opened, and of every step from now on, without line ends."""
    chain = CheckChain()
    for line in start_lines(record_head(table), table.match):
        write(chain.seal(dump(line)))

    def on_step(step: MatchStep) -> None:
        for line in step_lines(table.match, step.action, step.events, step.refusal, asked=step.asked):
            write(chain.seal(dump(line)))

    table.listen(on_step)


def record_head(table: Table) -> RecordHead:
    return RecordHead(
        rules=table.match.rules,
        names=table.match.names,
        players=tuple("human" if plan.is_human else plan.level for plan in table.plans),
        seed=table.setup.seed,
        options=table.setup.options,
        first_turn=table.setup.first_turn,
        position=table.setup.position,
    )
