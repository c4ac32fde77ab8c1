"""One live match: applies actions, records them, and tells its listeners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.events import Event, Passed
from kalooki_tui.engine.match import Match, MatchSetup, draw_seats, headless
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.seats import check_seating
from kalooki_tui.rulesets.model import Ruleset, Settings
from kalooki_tui.table.seats import SeatPlan, check_seats


@dataclass(frozen=True)
class TableSetup:
    """The set-up of a table: the ruleset with its options applied, the referee, the seats, the seed."""

    ruleset: Ruleset
    seats: tuple[SeatPlan, ...]
    seed: int
    referee: Referee = Referee.STRICT
    settings: Settings | None = None
    options: tuple[str, ...] = ()
    first_turn: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision, told apart from every other of its match: an answer counts for the moment in which it was asked."""

    deal: int
    attempt: int
    step: int
    """Events of the deal so far, passed calls left out: a window in which some have passed is the same one."""
    phase: Phase
    seat: int | None
    """Whose decision it is; None in a window, where several seats may be asked at once, and between deals."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened: an action with its events, an attempt that was charged, or a deal that began."""

    action: Action | None
    """None: the table dealt, or passed a contract over."""
    events: tuple[Event, ...]
    refusal: Refusal | None = None
    """Why the attempt was taken back, where it changed the deal all the same."""
    asked: bool = True
    """False: a person was not asked about a card, and passed without knowing."""


Listener = Callable[[Step], None]
Keeper = Callable[[Match, Step, Callable[[], None]], None]
"""Writes a step down, after which the match stands as given; then the step is shown to everybody."""


def drawn_seats(setup: TableSetup) -> tuple[int, ...]:
    """The place in the set-up of whoever sits in each seat: drawn where the ruleset draws seats (D11)."""
    if setup.ruleset.seating.first_dealer == "ace-draw":
        return draw_seats(tuple(plan.name for plan in setup.seats), setup.seed)
    return tuple(range(len(setup.seats)))


class Table:
    """A match with its seats. The app, the tests and headless runs all play through it."""

    def __init__(self, setup: TableSetup, match: Match, plans: tuple[SeatPlan, ...]) -> None:
        self.setup = setup
        self.match = match
        """The match as it is shown to everybody."""
        self.ahead = match
        """The same, with the steps that are still being written down."""
        self.keeper: Keeper | None = None
        self.waits = False
        """Whether the keeper may take a while, in which the step is not to be seen."""
        self.plans = plans
        """Who plays each seat, in clockwise order."""
        self._people = _people(plans)
        self._listeners: list[Listener] = []
        self._hearers: list[Callable[[str], None]] = []
        self._counted: tuple[tuple[int, int], int, int] = (0, 0), 0, 0
        """The attempt at a deal whose events have been counted, how many, and how many of them are no passes."""

    @classmethod
    def open(cls, setup: TableSetup) -> Table:
        """Draw seats where the ruleset does (D11), and deal the first deal.

        Raises:
            ValueError: the seats or the referee do not go with the ruleset.
        """
        check_seats(setup.seats)
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

    @property
    def people(self) -> tuple[int, ...]:
        """Seats played by people, wherever they sit."""
        return self._people

    def reseat(self, seat: int, plan: SeatPlan) -> None:
        """From now on a seat has this name and player.

        Raises:
            ValueError: the names would not tell the seats apart, or there is no such player.
        """
        plans = self.check_reseat(seat, plan)
        self.plans, self._people = plans, _people(plans)
        self.match.rename(tuple(one.name for one in plans))

    def check_reseat(self, seat: int, plan: SeatPlan) -> tuple[SeatPlan, ...]:
        """Who would play then.

        Raises:
            ValueError: as `reseat` would.
        """
        plans = (*self.plans[:seat], plan, *self.plans[seat + 1 :])
        check_seats(plans)
        check_seating(self.match.setup.names, tuple(one.name for one in plans), seat, plan.player)
        return plans

    def is_human(self, seat: int) -> bool:
        """Whether a person plays the seat."""
        return self.plans[seat].is_human

    def player_seed(self, seat: int) -> str:
        """Names the random stream of an AI seat: its own, so that it never moves a shuffle."""
        return player_seed(self.setup.seed, seat)

    def listen(self, listener: Listener) -> None:
        """Tell `listener` of every step from now on, in the order of joining."""
        self._listeners.append(listener)

    def hear(self, hearer: Callable[[str], None]) -> None:
        """Tell `hearer` each notice from now on: a sentence about the table itself, not about the game."""
        self._hearers.append(hearer)

    def tell(self, notice: str) -> None:
        """Tell the listeners, such as that a program at a seat has failed."""
        for hearer in self._hearers:
            hearer(notice)

    @property
    def moment(self) -> Moment:
        """The decision that stands."""
        deal, phase, actor = self.match.deal, self.match.phase, self.match.actor
        attempt, seen, step = self._counted
        if attempt != (deal.number, deal.attempt):
            seen = step = 0
        step += sum(not isinstance(event, Passed) for event in deal.history[seen:])
        self._counted = (deal.number, deal.attempt), len(deal.history), step
        return Moment(deal.number, deal.attempt, step, phase, None if phase in WINDOWS else actor)

    def view(self, seat: int) -> View:
        """The match as the seat may know it."""
        return self.match.view(seat)

    def apply(self, action: Action, *, asked: bool = True) -> list[Event]:
        """Take an action; the events hold hidden cards. Not `asked`: it is a pass made for a person.

        Raises:
            Refused: nothing changed, or only what the refusal says was charged.
        """
        match = self._next()
        before = len(match.deal.history)
        try:
            events = match.apply(action)
        except Refused as refused:
            if refused.refusal.changed:
                self._keep(match, Step(action, tuple(match.deal.history[before:]), refused.refusal))
            raise
        self._keep(match, Step(action, tuple(events), asked=asked))
        return events

    def attempt(self, action: Action, *, asked: bool = True) -> Refusal | None:
        """Take an action, or say why it is refused. Not `asked`: it is a pass made for a person."""
        try:
            self.apply(action, asked=asked)
        except Refused as refused:
            return refused.refusal
        return None

    def next_deal(self) -> list[Event]:
        """Deal the next contract, or a void one again."""
        match = self._next()
        events = match.next_deal()
        self._keep(match, Step(None, tuple(events)))
        return events

    def pass_over(self) -> list[Event]:
        """Pass over a contract whose deals were void (D15)."""
        match = self._next()
        events = match.pass_over()
        self._keep(match, Step(None, tuple(events)))
        return events

    def _next(self) -> Match:
        """The match to take a step in: a copy where the step is not to be seen at once."""
        return self.ahead.clone() if self.waits else self.ahead

    def _keep(self, match: Match, step: Step) -> None:
        self.ahead = match
        show = partial(self._show, match, step)
        if self.keeper is None:
            show()
        else:
            self.keeper(match, step, show)

    def _show(self, match: Match, step: Step) -> None:
        self.match = match
        for listener in self._listeners:
            listener(step)


def _people(plans: Sequence[SeatPlan]) -> tuple[int, ...]:
    return tuple(seat for seat, plan in enumerate(plans) if plan.is_human)


def player_seed(seed: int, seat: int) -> str:
    """The name of the random stream of an AI seat in the match of that seed."""
    return f"{seed}/player {seat}"
