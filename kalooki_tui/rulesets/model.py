"""Fields of a ruleset: one for each rule that differs between the games, with its clause ids (`texts/en/rules.toml`).

The engine never asks which ruleset they came from: a new combination of these rules is a YAML file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, cast, get_type_hints

from msgspec import NODEFAULT, Struct, field, to_builtins
from msgspec.structs import fields, replace

from kalooki_tui.cards import FACES, FRENCH, HIGH_ACE, JOKER, KINDS_OF_CARD, RANK, RANKS, Card, Faces


class Within:
    """Bounds of a field, named as in pydantic's core schemas.

    The fields carry everything there is to check, so a ruleset that has been checked does not need pydantic.
    """

    def __init__(self, **limits: object) -> None:
        self.limits = limits

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return {**handler(source), **self.limits}


class Read:
    """A field that a function reads from a value of another type, `what`, and from what is known by then.

    Whoever imports the fields alone need not load pydantic.
    """

    def __init__(self, read: Callable[[Any, Any], object], what: Any = object) -> None:
        self.read, self.what = read, what

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        function = {"type": "with-info", "function": lambda value, info: self.read(value, info.context)}
        return {"type": "function-after", "function": function, "schema": handler.generate_schema(self.what)}


MOST_POINTS: Final = 1_000_000
Count = Annotated[int, Within(ge=0, le=1000)]
Points = Annotated[int, Within(ge=-10_000, le=10_000)]
#: An id or the name of an option: typed on a command line and written in notation.
Handle = Annotated[str, Within(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=40)]
# Texts reach terminals, so none holds a control character.
Words = Annotated[str, Within(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
Prose = Annotated[str, Within(min_length=1, max_length=600, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f]+$")]


class Part(Struct, frozen=True):
    """A part of a ruleset: unknown keys are errors, values are not changed once read."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        hints = get_type_hints(cls, vars(sys.modules[cls.__module__]), include_extras=True)
        names, keys = dict[str, str](), dict[str, object]()
        for one in fields(cls):
            names[one.encode_name], schema = one.name, handler.generate_schema(hints[one.name])
            if one.default is not NODEFAULT:
                schema = {"type": "default", "schema": schema, "default": one.default}
            keys[one.encode_name] = {"type": "typed-dict-field", "schema": schema, "required": one.required}
        read = {"type": "typed-dict", "fields": keys, "config": {"strict": True, "extra_fields_behavior": "forbid"}}
        make = {"type": "no-info", "function": lambda found: cls(**{names[key]: found[key] for key in found})}
        write = {"type": "function-plain", "function": to_builtins}
        ref = f"{cls.__qualname__}:{id(cls)}"
        return {"type": "function-after", "function": make, "schema": read, "serialization": write, "ref": ref}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        found = handler(schema)
        handler.resolve_ref_schema(found).update(title=cls.__name__, description=cls.__doc__)
        return found


class Vocabulary(Part, frozen=True, kw_only=True):
    """This game's words on screen (§1)."""

    set: Words = "set"
    sets: Words = "sets"
    run: Words = "run"
    runs: Words = "runs"
    deal: Words = "deal"
    match: Words = "match"
    joker: Words = "joker"
    jokers: Words = "jokers"
    call: Words = "call"
    lay: Words = "lay"
    tack: Words = "tack"
    bend: Words = "bend the table"
    flip: Words = "flip"


class Pack(Part, frozen=True, kw_only=True):
    """How many packs of 52 and jokers a number of seats plays with (§9)."""

    seats: Annotated[tuple[Annotated[int, Within(ge=2, le=11)], ...], Within(min_length=1)]
    packs: Annotated[int, Within(ge=1, le=8)]
    jokers: Annotated[int, Within(ge=0, le=40)]


#: Melds that a contract asks for: their number, or the fewest cards of each (H8).
Asked = Annotated[
    Annotated[int, Within(ge=0, le=10)]
    | Annotated[tuple[Annotated[int, Within(ge=1, le=14)], ...], Within(max_length=10)],
    Within(custom_error_type="asked", custom_error_message="must be a number of melds up to 10, or the cards of each"),
]


class Contract(Part, frozen=True, kw_only=True):
    """One deal of the match: the cards dealt and what the first lay-down must contain (L1-L5, H8)."""

    cards: Annotated[int, Within(ge=1, le=40)]
    asked_sets: Asked = field(default=0, name="sets")
    asked_runs: Asked = field(default=0, name="runs")
    points: Annotated[int, Within(ge=0, le=500)] = 0
    """Fewest points the first lay-down must be worth (L5); 0: the contract counts melds."""
    calls: Annotated[int, Within(ge=0, le=20)] | None = None
    """Successful calls a seat may make in this deal; `null`: as many as in the others (H13)."""
    whole: bool = False
    """Whether the first lay-down uses every card of the hand, so that it ends the deal (H9)."""
    number: Annotated[int, Within(ge=0, le=99)] = 0
    """Which of the whole game's deals it is, where a match has only some of them; 0: the match has all."""
    of: Annotated[int, Within(ge=0, le=99)] = 0
    """Deals of the whole game then."""

    @property
    def sets(self) -> int:
        return self.asked_sets if isinstance(self.asked_sets, int) else len(self.asked_sets)

    @property
    def runs(self) -> int:
        return self.asked_runs if isinstance(self.asked_runs, int) else len(self.asked_runs)

    @property
    def by_length(self) -> bool:
        """True if it says how long its melds are to be (H8)."""
        return not (isinstance(self.asked_sets, int) and isinstance(self.asked_runs, int))

    def set_lengths(self, shortest: int) -> tuple[int, ...]:
        """Return the fewest cards of each set, longest first, none below `shortest` (M1, H8)."""
        return _lengths(self.asked_sets, shortest)

    def run_lengths(self, shortest: int) -> tuple[int, ...]:
        """Return the fewest cards of each run, longest first, none below `shortest` (M2, H8)."""
        return _lengths(self.asked_runs, shortest)

    def fewest_cards(self, shortest_set: int, shortest_run: int) -> int:
        return sum(self.set_lengths(shortest_set)) + sum(self.run_lengths(shortest_run))

    def lengths_to_lay(self, shortest_set: int, shortest_run: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the lengths of sets and runs; where they take the whole hand, the cards dealt and one more (H9)."""
        sets, runs = self.set_lengths(shortest_set), self.run_lengths(shortest_run)
        more = self.cards + 1 - sum(sets) - sum(runs) if self.whole else 0
        if runs:
            return sets, (runs[0] + more, *runs[1:])
        return (sets[0] + more, *sets[1:]) if sets else sets, runs


def _lengths(asked: int | tuple[int, ...], shortest: int) -> tuple[int, ...]:
    if isinstance(asked, int):
        return (shortest,) * asked
    return tuple(sorted((max(shortest, length) for length in asked), reverse=True))


#: A rank as people write it: a number, or a letter.
Rank = Annotated[int, Within(ge=2, le=13)] | Literal["A", "J", "Q", "K"]


class SetRules(Part, frozen=True, kw_only=True):
    """Limits of a set (M1, M7, K1)."""

    minimum: Annotated[int, Within(ge=2, le=13)] = 3
    maximum: Annotated[int, Within(ge=2, le=40)] | None = None
    suits: Literal["any", "distinct"] = "any"
    naturals: Annotated[int, Within(ge=1, le=13)] = 2


class RunRules(Part, frozen=True, kw_only=True):
    """Limits of a run (M2-M7, M9, H15)."""

    minimum: Annotated[int, Within(ge=2, le=13)] = 4
    longest: Literal[13, 14] = 14
    """13: a complete suit takes no more cards; 14: an ace at each end (M4)."""
    kisses: bool = False
    """Whether two jokers may lie side by side (M6)."""
    naturals: Annotated[int, Within(ge=1, le=13)] = 1
    jokers_when_shortest: Annotated[int, Within(ge=0, le=13)] | None = None
    """Most jokers in a run laid with exactly `minimum` cards (M9)."""
    corner: bool = False
    """Whether a run goes on past the ace, from the king to the two (H15)."""

    @property
    def fewest_naturals(self) -> int:
        """Naturals of any run: without a kiss at least every other card of the shortest is one (M6, M7)."""
        return self.naturals if self.kisses else max(self.naturals, self.minimum // 2)

    def has_place(self, position: int) -> bool:
        """Check that a run may have a card there: 1 is the low ace, 14 the high one (M3, H15)."""
        return 1 <= position <= HIGH_ACE or self.corner

    def lows(self, length: int) -> range:
        """Return the positions at which a run of that length may begin."""
        return range(1, RANKS + 1 if self.corner else HIGH_ACE + 2 - length)

    def apart(self, card: Card, other: Card) -> int:
        """Return how many places lie from one card of a suit to another."""
        apart = abs(card - other)
        return min(apart, RANKS - apart) if self.corner else apart


class LayRules(Part, frozen=True, kw_only=True):
    """Laying melds (M8, L6, L8)."""

    repeats: Literal["refused", "free"] = "refused"
    """Whether one seat may lay two sets of a rank or two runs of a suit in a deal (M8)."""
    full_suit_for_three_runs: bool = False
    """Whether a run of a complete suit stands for all of exactly three runs (L6)."""
    jokers: Literal["any", "half", "fewer"] = "any"
    """How many jokers a meld may hold: any number, as many as naturals, or fewer than naturals (H11)."""
    exact: bool = False
    """Whether the first lay-down holds no more melds than the contract, and none longer (H10)."""
    further_melds: bool = True
    """Whether a seat that has laid may lay more melds (L8)."""
    same_turn_tack: bool = True
    """Whether a seat may tack and swap in the turn of its first lay-down (H4)."""

    def fewest_naturals(self, cards: int) -> int:
        """Return the fewest naturals among so many cards of a meld (H11)."""
        return {"any": 0, "half": (cards + 1) // 2, "fewer": cards // 2 + 1}[self.jokers]


class DrawRules(Part, frozen=True, kw_only=True):
    """Who may draw what (C1, §12)."""

    laid_seat: Literal["stock", "either"] = "stock"
    """Where a seat that has laid may draw from (C1)."""
    offer: Literal["take", "flip"] = "take"
    """`take`: the turn seat may take the top discard. `flip`: it must call it, a flip follows (§12)."""
    throw_back: bool = True
    """Whether a discard that was drawn may be discarded in the same turn (H5)."""
    must_use: bool = False
    """Whether a discard that was drawn is laid or tacked in the same turn, and drawn only where it can be (H6)."""


class CallRules(Part, frozen=True, kw_only=True):
    """Calls out of turn (C2-C10)."""

    limit: Annotated[int, Within(ge=0, le=20)] = 3
    """Successful calls a seat may make in a deal (C5); 0: there are no calls (C10)."""
    laid_seat: bool = False
    """Whether a seat that has laid may call (C9)."""
    penalty: Annotated[int, Within(ge=0, le=2)] = 1
    """Cards from the stock that come with an allowed call (C4, H2)."""
    order: Literal["asked", "nearest"] = "asked"
    """`asked`: the first seat that calls has the card (D30). `nearest`: all say whether they call (H3)."""


class TackRules(Part, frozen=True, kw_only=True):
    """Adding to melds on the table (K1-K6)."""

    run_growth: Literal["high-then-low", "both"] = "both"
    jokers: Literal["any-meld", "own-melds"] = "any-meld"
    end_limit: Annotated[int, Within(ge=1, le=14)] | None = None
    """Most cards onto one end of one run in one turn (K6)."""


class DiscardRules(Part, frozen=True, kw_only=True):
    """The end of a turn (S1, G1)."""

    jokers: bool = False
    last_card: Literal["any", "discard"] = "any"
    """`discard`: the last card of a hand must be discarded (G1)."""


class ScoreRules(Part, frozen=True, kw_only=True):
    """Points for the cards left, and doubling (G3-G5)."""

    values: dict[str, Points]
    """By card (`AS`), else by rank (`K`); number ranks not named count their number. `JK` is the joker."""
    doubling: Literal["none", "bend", "first-bend"] = "none"
    """When the others score double: on any bend, or only if no other seat had laid before it (G4)."""
    bend_bonus: Points = 0
    """Points that a seat scores besides, below zero, for going out in the turn of its first lay-down (H14)."""
    add_on: bool = False
    """Whether laid seats may add on after a seat has gone out (G5)."""


class SeatingRules(Part, frozen=True, kw_only=True):
    """Who deals and who begins (§9)."""

    first_dealer: Literal["random", "ace-draw"] = "random"
    next_dealer: Literal["left", "highest-score"] = "left"
    first_turn: Literal["dealers-left", "named-then-winner"] = "dealers-left"


class EndRules(Part, frozen=True, kw_only=True):
    """When the match is over (G6, P3, P4)."""

    after: Literal["last-deal", "elimination"] = "last-deal"
    eliminate_over: Annotated[int, Within(ge=0, le=10_000)] = 0
    """Totals above this are eliminated (P3)."""


class BadLay(Part, frozen=True, kw_only=True):
    """F1: a first lay-down that is not the contract."""

    points: Points
    when: Literal["each-attempt", "end-of-turn"]
    """`end-of-turn`: once, and only if the seat has not laid by then (F1a)."""
    forbids_bend: bool = False


class OverCall(Part, frozen=True, kw_only=True):
    """F2, F3: calls over the limit, found on a challenge."""

    points: Points
    """For each over-call; with `loser: drops-out`, added to the value of the loser's hand."""
    wrong_challenge: Points = 0
    loser: Literal["charged", "drops-out"] = "charged"
    laid_seat: bool = False
    """Whether a seat that has laid may be challenged (D13)."""
    forbids_bend: bool = False


class Infractions(Part, frozen=True, kw_only=True):
    """The charges of the penalties referee (§11); a `null` part is refused without a charge."""

    bad_lay: BadLay | None = None
    over_call: OverCall | None = None
    joker_discard: Points | None = None
    """F4."""


class OptionRule(Part, frozen=True, kw_only=True):
    """A variant a table may choose: the lines of the ruleset it changes."""

    summary: Prose
    seats: tuple[int, ...] | None = None
    """Numbers of seats it is for; `null`: all."""
    excludes: tuple[Handle, ...] = ()
    recommended_from: int | None = None
    """Recommended at set-up from this many seats on (D15)."""
    changes: dict[str, object]
    """Merged over the ruleset; a mapping over a list changes the entries it numbers, counted from 1."""


class Settings(Part, frozen=True, kw_only=True):
    """Amounts and switches a table chooses; a ruleset names those that apply and their defaults."""

    bad_lay: Points | None = None
    over_call: Annotated[int, Within(ge=50, le=500)] | None = None
    max_redeals: Annotated[int, Within(ge=1, le=1000)] | None = None
    max_turns: Annotated[int, Within(ge=1, le=1000)] | None = None
    max_buy_ins: Count = 1
    initial_stake: Count = 10
    call_up: Count = 1
    kalookie: Count = 2
    buy_in_stake: Count = 10
    dealer_cut: bool = False
    race: bool = False
    handicap: tuple[Annotated[int, Within(ge=-5000, le=5000)], ...] = ()
    """Points with which the seats begin, clockwise; empty: none do."""


#: Settings every ruleset has.
COMMON_SETTINGS: Final = frozenset({"max_redeals", "max_turns", "race", "handicap"})


class Ruleset(Part, frozen=True, kw_only=True):
    """A whole game, options applied."""

    id: Handle
    name: Words
    summary: Prose
    vocabulary: Vocabulary = Vocabulary()
    deck: Literal["french", "colours"] = "french"
    packs: Annotated[tuple[Pack, ...], Within(min_length=1)]
    deals: Annotated[tuple[Contract, ...], Within(min_length=1, max_length=50)]
    wild: Annotated[tuple[Rank, ...], Within(max_length=4)] = ()
    """Ranks whose cards may stand for any card, as jokers do (H7)."""
    sets: SetRules = SetRules()
    runs: RunRules = RunRules()
    lay: LayRules = LayRules()
    draw: DrawRules = DrawRules()
    calls: CallRules = CallRules()
    tack: TackRules = TackRules()
    swap: Literal[
        "high-then-low", "up-only", "free-own", "use-at-once", "both-suits", "none", "either-end", "free-runs"
    ] = "high-then-low"
    """Where a swapped joker goes: K7, K8, K9, K10, H1; H12: nowhere, to an end of its run, or out of any run."""
    discard: DiscardRules = DiscardRules()
    score: ScoreRules
    seating: SeatingRules = SeatingRules()
    end: EndRules = EndRules()
    infractions: Infractions | None = None
    """`null`: the strict referee only (§11)."""
    dealer_cut_bonus: Points | None = None
    """Points for an exact cut where the `dealer_cut` setting is on (B1)."""
    settings: dict[str, object] = field(default_factory=dict)
    """Defaults of the settings that apply, besides those that every game has."""
    options: dict[Handle, OptionRule] = field(default_factory=dict)

    @property
    def faces(self) -> Faces:
        return FACES[self.deck]

    @property
    def uses_freed_jokers(self) -> bool:
        """True if a freed joker is used in the same move and never comes into a hand (K10, H1)."""
        return self.swap in ("use-at-once", "both-suits")

    @property
    def has_swaps(self) -> bool:
        return self.swap != "none"

    @property
    def wild_cards(self) -> frozenset[Card]:
        """Cards of wild ranks (H7)."""
        return _cards_of(self.wild)

    @property
    def stand_ins(self) -> frozenset[Card]:
        """Cards that may stand for any other: jokers and wild ranks."""
        return _stand_ins_of(self.wild)

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """Numbers of seats the game can be played with, ascending."""
        return tuple(sorted({count for pack in self.packs for count in pack.seats}))

    def pack_for(self, seats: int) -> Pack:
        """Return the packs and jokers for `seats` seats (§9); raise ValueError if there are none."""
        for pack in self.packs:
            if seats in pack.seats:
                return pack
        every = self.seat_counts
        together = len(every) > 1 and list(every) == list(range(every[0], every[-1] + 1))
        counts = f"{every[0]} to {every[-1]}" if together else ", ".join(map(str, every))
        raise ValueError(f"{self.name} is played with {counts} seats, not {seats}")

    def usual_settings(self) -> Settings:
        return Settings(**cast("dict[str, Any]", self.settings))

    def __hash__(self) -> int:
        return hash(self.id)


@lru_cache(maxsize=64)
def _cards_of(ranks: tuple[int | str, ...]) -> frozenset[Card]:
    numbers = {rank if isinstance(rank, int) else FRENCH.rank_names.index(rank) + 1 for rank in ranks}
    return frozenset(card for card in range(JOKER) if RANK[card] in numbers)


@lru_cache(maxsize=64)
def _stand_ins_of(ranks: tuple[int | str, ...]) -> frozenset[Card]:
    return _cards_of(ranks) | {JOKER}


@lru_cache(maxsize=64)
def in_deal(ruleset: Ruleset, calls: int) -> Ruleset:
    """Return the ruleset as it is in a deal that has a number of calls of its own (H13)."""
    return replace(ruleset, calls=replace(ruleset.calls, limit=calls))


def card_values(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the points of each card by its number, the joker last (G3); raise ValueError if one is missing."""
    faces, named = ruleset.faces, ruleset.score.values
    values: list[int] = []
    for card in range(KINDS_OF_CARD):
        text = faces.text(card)
        rank = text[:-1] if text != "JK" else text
        if text in named:
            values.append(named[text])
        elif rank in named:
            values.append(named[rank])
        elif rank.isdigit():
            values.append(int(rank))
        else:
            raise ValueError(f"score.values: no value for {text}")
    return tuple(values)


def applying(ruleset: Ruleset, settings: Settings) -> dict[str, object]:
    """Return the settings that count in this game, as JSON data."""
    absent = {name for name in ("handicap", "max_turns") if not getattr(settings, name)}
    names = {*ruleset.settings, *COMMON_SETTINGS} - absent
    return {name: value for name, value in to_data(settings).items() if name in names}


#: Keys of a ruleset and of a contract that are not written where they say nothing.
_LEFT_OUT: Final = {"wild": (), "number": 0, "of": 0, "whole": False, "calls": None}


def to_data(part: Part) -> dict[str, object]:
    """Return a part, or a whole ruleset, as JSON data for a record; a contract's number where it has one."""
    data: dict[str, Any] = to_builtins(part)
    for contract in (data, *data.get("deals", ())):
        for key, usual in _LEFT_OUT.items():
            if key in contract and contract[key] == usual:
                del contract[key]
    return data
