"""A position as values: one table at one moment, steps to play from it, and their expected results.

The fields are the keys of a position's file. What is read by the names of the seats or by the rules stays as it is
where these are not known yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.refusals import CODES, Refused
from kalooki_tui.engine.rules import Referee, Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.notation.cards import NotationError, parse_group
from kalooki_tui.notation.nodes import MOST_POINTS, cards_of, seat_of
from kalooki_tui.positions.expectations import Expectation
from kalooki_tui.problems import Place, nearest, shown
from kalooki_tui.rulesets.model import Part, Read, Within
from kalooki_tui.rulesets.possible import Impossible
from kalooki_tui.rulesets.trees import find
from kalooki_tui.rulesets.yaml_source import Node
from kalooki_tui.wording import quote

OUTCOMES: Final = ("refused", "charged")


class Known(NamedTuple):
    """What the rest of a position is read by."""

    names: Sequence[str]
    rules: Rules


def _by(read: Callable[[Any, Known], object], what: Any = object) -> Read:
    """A reader that waits until names and rules are known."""
    return Read(lambda value, known: value if known is None else read(value, known), what)


def _card(value: object, known: Known) -> Card:
    found = cards_of(value, known.rules.faces)
    if len(found) != 1:
        raise ValueError(f"must be one card, not {len(found)}")
    return found[0]


def _hand(value: object, known: Known) -> tuple[Card, ...] | int:
    if value is None or isinstance(value, str):
        return cards_of(value, known.rules.faces)
    if type(value) is not int or value < 0:
        raise ValueError(f"must be cards separated by spaces, or how many they are, not {shown(value)}")
    return value


def _laid(value: object, known: object) -> HasLaid:
    if isinstance(value, bool):
        return HasLaid.EARLIER if value else HasLaid.NO
    if value == HasLaid.THIS_TURN:
        return HasLaid.THIS_TURN
    raise ValueError("must be true, false or this-turn")


def _deal(number: int, known: Known) -> int:
    ruleset = known.rules.ruleset
    most = 100_000 if ruleset.end.after == "elimination" else len(ruleset.deals)
    if not 1 <= number <= most:
        raise ValueError(f"must be from 1 to {most}, not {number}")
    return number


@dataclass(frozen=True)
class _MeldAt(Part):
    """A meld of the table as the file has it."""

    owner: Seat
    cards: str


def _meld(at: _MeldAt, known: Known) -> Meld:
    try:
        return make_meld(known.rules.ruleset, at.owner, parse_group(at.cards, known.rules.faces))
    except NotationError as error:
        raise Impossible(str(error), ("cards",)) from None
    except Refused as refused:
        why = refused.refusal
        raise Impossible(f"{why.message} ({why.code}, {why.clause})", ("cards",)) from None


def _step(value: object, known: Known) -> PositionStep:
    given = value if isinstance(value, dict) else {}
    outcomes = {key: said for key, said in given.items() if key in OUTCOMES}
    seats = [key for key in given if key not in OUTCOMES]
    if isinstance(value, str):
        line = value
    elif len(seats) != 1:
        raise ValueError("must be one line 'name: action', and beside it refused: or charged: if that must come of it")
    elif not isinstance(action := given[seats[0]], str):
        raise Impossible(f"must be the text of an action, not {shown(action)}", (seats[0],))
    else:
        line = f"{seats[0]}: {action}"
    if len(outcomes) > 1:
        raise ValueError("must be refused or charged, not both")
    action = parse_action(line, known.names, known.rules.faces)
    for key, code in outcomes.items():
        return PositionStep(action, line, _code(code, key), charged=key == "charged")
    return PositionStep(action, line)


def _code(code: object, key: str) -> str:
    if code is True:
        return ""
    if not isinstance(code, str):
        raise Impossible(f"must be true or a code such as run.kiss, not {shown(code)}", (key,))
    if code not in CODES:
        raise Impossible(f"unknown code {quote(code)}{nearest(code[:40], CODES)}", (key,))
    return code


Seat: TypeAlias = Annotated[int, _by(lambda value, known: seat_of(value, known.names))]
Cards: TypeAlias = Annotated[tuple[Card, ...], _by(lambda value, known: cards_of(value, known.rules.faces))]
Number: TypeAlias = Annotated[int, Within(ge=-MOST_POINTS, le=MOST_POINTS)]
Count: TypeAlias = Annotated[int, Within(ge=0, le=MOST_POINTS)]


@dataclass(frozen=True)
class SeatAt(Part):
    """One seat at that moment, as the file has it."""

    name: str
    hand: Annotated[tuple[Card, ...] | int, _by(_hand)] = ()
    """A number: so many of the cards named nowhere."""
    laid: Annotated[HasLaid, Read(_laid)] = HasLaid.NO
    calls: Count = 0
    score: Number = 0
    penalties: Number = 0
    found_out: bool = False
    dropped: bool = False
    bend_forbidden: bool = False
    money: Number = 0
    buy_ins: Count = 0
    eliminated: bool = False

    @property
    def in_deal(self) -> bool:
        """Whether the seat takes part in the deal."""
        return not (self.dropped or self.eliminated)


@dataclass(frozen=True, slots=True)
class PositionStep:
    """One action and its expected result."""

    action: Action
    text: str
    refused: str | None = None
    """The code it must be refused with; an empty text: any code; None: it must be accepted."""
    charged: bool = False
    """Whether the refusal must be charged at once."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where in its file a position says what it says."""

    root: Node

    @property
    def keys(self) -> dict[str, Node]:
        """The keys that are there."""
        return self.root.value if isinstance(self.root.value, dict) else {}

    def key(self, key: str) -> Place:
        """Where a key's value stands; for one that is missing the phase, or the beginning of the file."""
        return find(self.root, (key if key in self.keys else "phase",))

    def within(self, key: str, number: int, *path: str) -> Place:
        """Where an entry of a list says something; for a key that is missing the entry itself."""
        return find(self.root, (key, number, *path))


@dataclass(frozen=True, kw_only=True)
class PositionKeys(Part):
    """What a position's file may hold; cards lie with the top first."""

    title: str = ""
    reason: str = ""
    """Why the best that can be done there is the best."""
    ruleset: object
    referee: Referee = Referee.STRICT
    deal: Annotated[int, _by(_deal, int)] = 1
    dealer: Seat | None = None
    turn: Seat | None = None
    phase: Phase = Phase.DRAW
    dead: bool = False
    flip: Annotated[Card, _by(_card)] | None = None
    out: Seat | None = None
    discarded_by: Seat | None = None
    caller: Seat | None = None
    reshuffles: Annotated[int, Within(ge=0, le=1000)] = 0
    pool: Number = 0
    seats: tuple[SeatAt, ...]
    table: tuple[Annotated[Meld, _by(_meld, _MeldAt)], ...] = ()
    stock: Cards = ()
    stock_only: bool = False
    discard: Cards = ()
    seed: Annotated[int, Within(ge=-(10**18), le=10**18)] = 1
    steps: tuple[Annotated[PositionStep, _by(_step)], ...] = ()
    expect: Any = ()


@dataclass(frozen=True, kw_only=True)
class Position(PositionKeys):
    """A position that has been read."""

    places: Places
    rules: Rules
    names: tuple[str, ...]
    dealer: int
    turn: int
    expect: tuple[Expectation, ...]
