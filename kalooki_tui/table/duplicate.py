"""Duplicate play: several people play the same cards in the same seat against AI seats, each alone, and compare.

The daily deal is one deal that everybody gets on a date; a duplicate match is a whole match. The results of AI players
in the person's seat are computed here as well.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.engine.match import HEADLESS_REDEALS
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.seeds import new_seed
from kalooki_tui.table.dates import DAILY, spoken
from kalooki_tui.table.headless import USUAL_PLAYER, USUAL_SEATS, play_match
from kalooki_tui.table.recorder import record
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.simulation import single_deal
from kalooki_tui.table.table import Table, TableSetup
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: Of the way a date gives its cards: another one gives others.
DAILY_VERSION: Final = 1
#: Whose results are the par of a daily deal.
PAR_LEVELS: Final = ("club", "expert")


@dataclass(frozen=True, slots=True)
class Line:
    """Result of an AI player in the person's seat."""

    level: str
    actions: tuple[Action, ...]
    """Of all seats, in order."""
    seat: int
    points: int
    margin: float
    """The points less the mean of the others'."""
    record: tuple[str, ...]
    """The deal's record."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a person left a line: what both did at the person's throw of that number (or before it)."""

    place: int
    """How many actions both have in common."""
    throw: int
    """The throw at which, or before which, they part; from 1."""
    mine: Action
    theirs: Action
    card: Card | None = None
    """The card that lay open then."""


def daily_number(day: date) -> int:
    """Which contract is played on a date: each comes once in as many days as there are."""
    count = len(load_ruleset(DEFAULT_RULESET).deals)
    block, place = divmod(day.toordinal(), count)
    return random.Random(f"{DAILY}/{DAILY_VERSION}/{block}").sample(range(1, count + 1), count)[place]


def easy_day(day: date) -> date:
    """The last day until this one that plays the easiest contract, the first."""
    while daily_number(day) > 1:
        day -= timedelta(days=1)
    return day


def daily_setup(day: date, person: str) -> TableSetup:
    """The table of a date's deal: one person and AI seats. Everybody gets the same cards in the same seat."""
    number = daily_number(day)
    whole = resolve(load_ruleset(DEFAULT_RULESET), (), USUAL_SEATS)
    word = whole.vocabulary.deal
    ruleset = replace(single_deal(whole, number), name=f"Daily deal {spoken(day)} · {word} {number}")
    settings = replace(ruleset.usual_settings(), max_redeals=HEADLESS_REDEALS)
    return TableSetup(ruleset, seats_for(person, USUAL_SEATS), int(f"{DAILY_VERSION}{day:%Y%m%d}"), settings=settings)


def seats_for(person: str, count: int, others: Sequence[str] = ()) -> tuple[SeatPlan, ...]:
    """A person and AI seats, `count` in all; `others`: players of the AI seats, club players by default."""
    names = (name for name in AI_NAMES if name.casefold() != person.casefold())
    players = [*others, *[USUAL_PLAYER] * (count - 1 - len(others))]
    return (SeatPlan(person), *(SeatPlan(next(names), player) for player in players))


def new_duplicate() -> str:
    """By which a duplicate match is known."""
    return new_seed(6)


def person_in(table: Table) -> int:
    """The seat that the person has."""
    first = table.setup.seats[0].name
    return next(seat for seat, plan in enumerate(table.plans) if plan.name == first)


def play_line(setup: TableSetup, level: str) -> Line:
    """Play the match with an AI player in the person's seat, to its end."""
    person, *others = setup.seats
    table = Table.open(replace(setup, seats=(replace(person, player=f"ai:{level}"), *others)))
    seat, lines, actions = person_in(table), list[str](), list[Action]()
    record(table, lines.append)
    table.listen(lambda step: actions.append(step.action) if step.action is not None else actions.clear())
    play_match(table)
    totals = table.match.totals
    return Line(level, tuple(actions), seat, totals[seat], margin(totals, seat), tuple(lines))


def read_line(level: str, name: str, lines: Sequence[str]) -> Line:
    """A line out of its record; `name`: whose seat the player had.

    Raises:
        InputError: the record cannot be played again.
        ValueError: nobody of that name sits there, or the match is not over.
    """
    replay = Replay(open_lines("line", lines))
    for _ in replay.steps():
        pass
    seat, match = replay.head.names.index(name), replay.match
    if match is None or not match.finished or replay.due:
        raise ValueError("the match is not over")
    actions = replay.checkpoints.actions
    return Line(level, actions, seat, match.totals[seat], margin(match.totals, seat), tuple(lines))


def margin(points: Sequence[float], seat: int) -> float:
    """A seat's points less the mean of the others'; below zero is good."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def daily_par(day: date) -> tuple[Line, ...]:
    """Results of the AI players that set the par of a date's deal: the same for every person."""
    setup = daily_setup(day, FIRST_NAME)
    return tuple(play_line(setup, level) for level in PAR_LEVELS)


def fork(mine: Sequence[Action], theirs: Sequence[Action], seat: int) -> Fork | None:
    """Where the seat's play left the line; None: it never did. AI seats answer the same moment alike."""
    throws = 1
    for place, (own, other) in enumerate(zip(mine, theirs, strict=False)):
        if own != other:
            return Fork(place, throws, own, other) if seat in (own.seat, other.seat) else None
        throws += isinstance(own, Discard) and own.seat == seat
    return None
