"""What a ruleset says: one field for each rule that differs between the games, each with named policies.

Clause ids in the docstrings are those of the rules reference. The engine reads these fields and never asks
which ruleset they came from, so a new house rule is a YAML file.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kalooki_tui.cards import FACES, KINDS_OF_CARD, RANKS, SUITS, Faces

Count = Annotated[int, Field(ge=0, le=1000)]
Points = Annotated[int, Field(ge=-10_000, le=10_000)]
#: An id or the name of an option: typed on a command line and written in notation.
Handle = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=40)]
# Texts reach terminals, so none holds a control character.
Words = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
Prose = Annotated[str, Field(min_length=1, max_length=600, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f]+$")]


class Impossible(ValueError):
    """Values that are right one by one and do not go together; `where`: their paths, lists counted from 0."""

    def __init__(self, message: str, *where: tuple[str | int, ...]) -> None:
        super().__init__(message)
        self.where = where


class Part(BaseModel):
    """A part of a ruleset: unknown keys are errors, values are not changed once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Vocabulary(Part):
    """What this game calls things on screen (§1)."""

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


class Pack(Part):
    """How many packs of 52 and jokers a number of seats plays with (§9)."""

    seats: tuple[Annotated[int, Field(ge=2, le=11)], ...] = Field(min_length=1)
    packs: int = Field(ge=1, le=8)
    jokers: int = Field(ge=0, le=40)


class Contract(Part):
    """One deal of the match: the cards dealt and what the first lay-down must contain (L1-L5)."""

    cards: int = Field(ge=1, le=40)
    sets: int = Field(default=0, ge=0, le=10)
    runs: int = Field(default=0, ge=0, le=10)
    points: int = Field(default=0, ge=0, le=500)
    """Fewest points the first lay-down must be worth (L5); 0: the contract counts melds."""


class SetRules(Part):
    """What a set may hold (M1, M7, K1)."""

    minimum: int = Field(default=3, ge=2, le=13)
    maximum: int | None = Field(default=None, ge=2, le=40)
    suits: Literal["any", "distinct"] = "any"
    naturals: int = Field(default=2, ge=1, le=13)


class RunRules(Part):
    """What a run may hold (M2-M7, M9)."""

    minimum: int = Field(default=4, ge=2, le=13)
    longest: Literal[13, 14] = 14
    """13: a complete suit takes no more cards; 14: an ace at each end (M4)."""
    kisses: bool = False
    """Whether two jokers may lie side by side (M6)."""
    naturals: int = Field(default=1, ge=1, le=13)
    jokers_when_shortest: int | None = Field(default=None, ge=0, le=13)
    """Most jokers in a run laid with exactly `minimum` cards (M9)."""


class LayRules(Part):
    """Laying melds (M8, L6, L8)."""

    repeats: Literal["refused", "free"] = "refused"
    """Whether one seat may lay two sets of a rank or two runs of a suit in a deal (M8)."""
    full_suit_for_three_runs: bool = False
    """Whether a run of a complete suit stands for all of exactly three runs (L6)."""
    further_melds: bool = True
    """Whether a seat that has laid may lay more melds (L8)."""


class DrawRules(Part):
    """Who may draw what (C1, §12)."""

    laid_seat: Literal["stock", "either"] = "stock"
    """What a seat that has laid may draw (C1)."""
    offer: Literal["take", "flip"] = "take"
    """`take`: the turn seat may take the top discard. `flip`: it must call it, a flip follows (§12)."""


class CallRules(Part):
    """Calls out of turn (C2-C10)."""

    limit: int = Field(default=3, ge=0, le=20)
    """Successful calls a seat may make in a deal (C5); 0: there are no calls (C10)."""
    laid_seat: bool = False
    """Whether a seat that has laid may call (C9)."""


class TackRules(Part):
    """Adding to melds on the table (K1-K6)."""

    run_growth: Literal["high-then-low", "both"] = "both"
    jokers: Literal["any-meld", "own-melds"] = "any-meld"
    end_limit: int | None = Field(default=None, ge=1, le=14)
    """Most cards onto one end of one run in one turn (K6)."""


class DiscardRules(Part):
    """The end of a turn (S1, G1)."""

    jokers: bool = False
    last_card: Literal["any", "discard"] = "any"
    """`discard`: the last card of a hand must be discarded (G1)."""


class ScoreRules(Part):
    """Points for the cards left, and doubling (G3-G5)."""

    values: dict[str, Points]
    """By card (`AS`), else by rank (`K`); number ranks not named count their number. `JK` is the joker."""
    doubling: Literal["none", "bend", "first-bend"] = "none"
    """When the others score double: on any bend, or only if no other seat had laid before it (G4)."""
    add_on: bool = False
    """Whether laid seats may add on after a seat has gone out (G5)."""


class SeatingRules(Part):
    """Who deals and who begins (§9)."""

    first_dealer: Literal["random", "ace-draw"] = "random"
    next_dealer: Literal["left", "highest-score"] = "left"
    first_turn: Literal["dealers-left", "named-then-winner"] = "dealers-left"


class EndRules(Part):
    """When the match is over (G6, P3, P4)."""

    after: Literal["last-deal", "elimination"] = "last-deal"
    eliminate_over: int = Field(default=0, ge=0, le=10_000)
    """Totals above this are eliminated (P3)."""


class BadLay(Part):
    """F1: a first lay-down that is not the contract."""

    points: Points
    when: Literal["each-attempt", "end-of-turn"]
    """`end-of-turn`: once, and only if the seat has not laid by then (F1a)."""
    forbids_bend: bool = False


class OverCall(Part):
    """F2, F3: calls over the limit, found on a challenge."""

    points: Points
    """For each over-call; with `loser: drops-out`, added to the value of the loser's hand."""
    wrong_challenge: Points = 0
    loser: Literal["charged", "drops-out"] = "charged"
    laid_seat: bool = False
    """Whether a seat that has laid may be challenged (D13)."""
    forbids_bend: bool = False


class Infractions(Part):
    """What the penalties referee charges (§11); `null` parts are refused without a charge."""

    bad_lay: BadLay | None = None
    over_call: OverCall | None = None
    joker_discard: Points | None = None
    """F4."""


class OptionRule(Part):
    """A variant a table may choose: the lines of the ruleset it changes."""

    summary: Prose
    seats: tuple[int, ...] | None = None
    """Numbers of seats it is for; `null`: all."""
    excludes: tuple[Handle, ...] = ()
    recommended_from: int | None = None
    """Recommended at set-up from this many seats on (D15)."""
    changes: dict[str, object]
    """Merged over the ruleset; a mapping over a list changes the entries it numbers, counted from 1."""


class Settings(Part):
    """Amounts and switches a table chooses; a ruleset names those that apply and their defaults."""

    bad_lay: Points | None = None
    over_call: Annotated[int, Field(ge=50, le=500)] | None = None
    max_redeals: Annotated[int, Field(ge=1, le=1000)] | None = None
    max_buy_ins: Count = 1
    initial_stake: Count = 10
    call_up: Count = 1
    kalookie: Count = 2
    buy_in_stake: Count = 10
    dealer_cut: bool = False
    race: bool = False


#: Settings every ruleset has.
COMMON_SETTINGS = frozenset({"max_redeals", "race"})


class Ruleset(Part):
    """A whole game, options applied."""

    id: Handle
    name: Words
    summary: Prose
    vocabulary: Vocabulary = Vocabulary()
    deck: Literal["french", "colours"] = "french"
    packs: tuple[Pack, ...] = Field(min_length=1)
    deals: tuple[Contract, ...] = Field(min_length=1, max_length=50)
    sets: SetRules = SetRules()
    runs: RunRules = RunRules()
    lay: LayRules = LayRules()
    draw: DrawRules = DrawRules()
    calls: CallRules = CallRules()
    tack: TackRules = TackRules()
    swap: Literal["high-then-low", "up-only", "free-own", "use-at-once"] = "high-then-low"
    """Where a swapped joker goes: K7, K8, K9, K10."""
    discard: DiscardRules = DiscardRules()
    score: ScoreRules
    seating: SeatingRules = SeatingRules()
    end: EndRules = EndRules()
    infractions: Infractions | None = None
    """`null`: the strict referee only (§11)."""
    dealer_cut_bonus: Points | None = None
    """Points for an exact cut where the `dealer_cut` setting is on (B1)."""
    settings: dict[str, object] = {}
    """Defaults of the settings that apply, besides `max_redeals` and `race`."""
    options: dict[Handle, OptionRule] = {}

    @property
    def faces(self) -> Faces:
        """How the deck's cards are written and drawn."""
        return FACES[self.deck]

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """Numbers of seats the game can be played with, ascending."""
        return tuple(sorted({count for pack in self.packs for count in pack.seats}))

    def pack_for(self, seats: int) -> Pack:
        """The packs and jokers for `seats` seats (§9).

        Raises:
            ValueError: the game is not played with that many seats.
        """
        for pack in self.packs:
            if seats in pack.seats:
                return pack
        counts = ", ".join(map(str, self.seat_counts))
        raise ValueError(f"{self.name} is played with {counts} seats, not {seats}")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        seen: set[int] = set()
        for index, pack in enumerate(self.packs):
            for seats in pack.seats:
                if seats in seen:
                    raise Impossible(f"packs: {seats} seats are named twice", ("packs", index, "seats"))
                seen.add(seats)
            _check_deck(self, index, pack)
        _check_values(self)
        _check_melds(self)
        if self.end.after == "elimination" and self.end.eliminate_over == 0:
            raise Impossible("end.eliminate_over is needed where the match ends by elimination", ("end", "after"))
        _check_settings(self)
        _check_options(self)
        return self


def _check_deck(ruleset: Ruleset, index: int, pack: Pack) -> None:
    """Refuse a deal that the deck cannot supply or a contract it cannot meet."""
    size, seats = pack.packs * SUITS * RANKS + pack.jokers, max(pack.seats)
    for number, deal in enumerate(ruleset.deals, start=1):
        here = ("deals", number - 1)
        if not (deal.sets or deal.runs or deal.points):
            raise Impossible(f"deals: deal {number} asks for nothing: name sets, runs or points", here)
        if deal.points and (deal.sets or deal.runs):
            raise Impossible(f"deals: deal {number} asks for points and for melds: name one of them", here)
        if ruleset.lay.repeats == "refused" and (deal.runs > SUITS or deal.sets > RANKS):
            raise Impossible(f"deals: deal {number} asks for more than {SUITS} runs or {RANKS} sets (M8)", here)
        needed = deal.sets * ruleset.sets.minimum + deal.runs * ruleset.runs.minimum
        if needed > size:
            raise Impossible(
                f"deals: the contract of deal {number} takes {needed} cards, "
                f"but the deck for {seats} seats holds {size}",
                here,
                ("packs", index),
            )
        if seats * deal.cards + 1 > size:
            raise Impossible(
                f"deals: deal {number} gives {seats} seats {deal.cards} cards each and turns one up, "
                f"but the deck for {seats} seats holds {size}",
                here,
                ("packs", index),
            )


def _check_melds(ruleset: Ruleset) -> None:
    """Refuse sizes of sets and runs that no meld can have."""
    sets, runs = ruleset.sets, ruleset.runs
    if sets.maximum is not None and sets.maximum < sets.minimum:
        raise Impossible("sets.maximum is below sets.minimum", ("sets", "maximum"), ("sets", "minimum"))
    if sets.suits == "distinct" and (sets.maximum or KINDS_OF_CARD) > SUITS:
        raise Impossible(
            f"sets of distinct suits hold at most {SUITS} cards: sets.maximum must say so",
            ("sets", "maximum") if sets.maximum else ("sets", "suits"),
        )
    if sets.naturals > (sets.maximum or KINDS_OF_CARD):
        raise Impossible("sets.naturals is above sets.maximum", ("sets", "naturals"), ("sets", "maximum"))
    if runs.naturals > runs.longest:
        raise Impossible("runs.naturals is above runs.longest", ("runs", "naturals"), ("runs", "longest"))


def _check_settings(ruleset: Ruleset) -> None:
    for name, value in ruleset.settings.items():
        if name not in Settings.model_fields:
            known = ", ".join(Settings.model_fields)
            raise Impossible(f"there is no setting {name!r}; there are: {known}", ("settings", name))
        try:
            Settings.model_validate({name: value})
        except ValidationError as error:
            message = error.errors()[0]["msg"].replace("Input should be", "must be")
            raise Impossible(f"settings.{name} {message}", ("settings", name)) from None
    if ("dealer_cut" in ruleset.settings) != (ruleset.dealer_cut_bonus is not None):
        raise Impossible(
            "the setting dealer_cut and dealer_cut_bonus go together (B1)",
            ("settings", "dealer_cut") if "dealer_cut" in ruleset.settings else ("dealer_cut_bonus",),
        )


def _check_options(ruleset: Ruleset) -> None:
    for name, option in ruleset.options.items():
        for other in option.excludes:
            if other not in ruleset.options:
                raise Impossible(
                    f"options.{name}.excludes: there is no option {other!r}", ("options", name, "excludes")
                )
        for seats in option.seats or ():
            if seats not in ruleset.seat_counts:
                raise Impossible(
                    f"options.{name}.seats: the game is not played with {seats} seats",
                    ("options", name, "seats"),
                )


def _check_values(ruleset: Ruleset) -> None:
    faces = ruleset.faces
    cards = {faces.text(card) for card in range(KINDS_OF_CARD)}
    for name in ruleset.score.values:
        if name not in cards and name not in faces.rank_names:
            raise Impossible(f"score.values: there is no card or rank {name!r} in the deck", ("score", "values", name))
    card_values(ruleset)


def card_values(ruleset: Ruleset) -> tuple[int, ...]:
    """Points of each card by its number, the joker last (G3).

    Raises:
        ValueError: a card has no value.
    """
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
            raise Impossible(f"score.values: no value for {text}", ("score", "values"))
    return tuple(values)
