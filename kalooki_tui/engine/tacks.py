"""Adding cards to melds on the table (K1-K6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import HIGH_ACE, JOKER, RANK, RANKS, SUIT, Card, make_card
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import Meld, jokers_in
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.rules import Rules

#: Cards added to each end of a run this turn (K6).
EndCounts = Mapping[End, int]
NO_COUNTS: Final[EndCounts] = {}


class Fault(Struct, frozen=True):
    """Reason why a card does not fit a meld; `text` has blanks, which `refusal` fills in."""

    code: str
    clause: str
    text: str

    def refusal(self, rules: Rules, meld: Meld, card: Card, end: End | None = None) -> Refusal:
        """Return the refusal of this card: the sentence is written only where somebody reads it."""
        ruleset, faces = rules.ruleset, rules.faces
        words = ruleset.vocabulary
        message = self.text.format(
            card=faces.symbol(card),
            meld=faces.symbols(meld.cards),
            end=end,
            set=words.set,
            run=words.run,
            joker=words.joker,
            most=ruleset.sets.maximum,
            limit=ruleset.tack.end_limit,
        )
        return Refusal(self.code, self.clause, message)


_OTHER_RANK: Final = Fault("tack.rank", "K1", "{card} is not of the rank of {meld}.")
_SAME_SUIT: Final = Fault("tack.suit", "K1", "{meld} has {card} already: the suits must be different.")
_SET_FULL: Final = Fault("tack.full", "K1", "A {set} holds at most {most} cards: {meld} is full.")
_NOT_OWN: Final = Fault("tack.joker-owner", "K5", "You may add a {joker} only to your own melds.")
_OTHER_SUIT: Final = Fault("tack.suit", "K1", "{card} is not of the suit of {meld}.")
_COMPLETE: Final = Fault("tack.full", "M4", "{meld} is complete and takes no more cards.")
_PAST_ACE: Final = Fault("tack.full", "M3", "{meld} cannot grow past the ace at its {end} end.")
_GAP: Final = Fault("tack.gap", "M2", "{card} does not follow on from {meld}.")
_LOW_CLOSED: Final = Fault(
    "tack.low-closed", "K2", "{card} does not fit yet: a {run} grows upwards until its high end is the ace."
)
_KISS: Final = Fault("tack.kiss", "K4", "Two jokers would lie side by side at the {end} end of {meld}.")
_TOO_MANY: Final = Fault("tack.jokers", "H11", "{meld} would hold too many jokers for its other cards.")
_END_LIMIT: Final = Fault("tack.end-limit", "K6", "Only {limit} cards may go to one end of {meld} in one turn.")

#: Refusal codes from the most telling to the least: a card's own fault before the run's.
_TELLING: Final = (
    "tack.suit", "tack.joker-owner", "tack.kiss", "tack.jokers", "tack.low-closed", "tack.end-limit", "tack.gap",
    "tack.full",
)  # fmt: skip


def tack(
    rules: Rules,
    seat: int,
    meld: Meld,
    cards: Sequence[Card],
    end: End | None = None,
    used: EndCounts = NO_COUNTS,
) -> Meld:
    """Return the meld after `seat` adds `cards` in this order; `used` counts this turn's earlier cards by end (K6).

    Every card which may go to either end goes to `end`; at least one card must, if it is said (D6).

    Raises:
        Refused: there are no cards, one does not fit, or one fits both ends and `end` is not said.
    """
    if not cards:
        raise refuse("tack.empty", "K1", "Choose at least one card to add.")
    if meld.kind is Kind.SET:
        return _tack_to_set(rules, seat, meld, cards, end)
    growths: Iterable[Meld] = (meld,)
    for index, card in enumerate(cards):
        grown: dict[Meld, None] = {}
        for growth in growths:
            for side in narrowed(ends_taking(rules, seat, growth, card, meld, used), end):
                grown[put(growth, card, side)] = None
        if not grown:
            reason = _best_reason(rules, seat, growths, card, meld, end, used)
            raise Refused(_with_order(rules, seat, reason, growths, cards[index:]))
        growths = grown
    found = [growth for growth in growths if end is None or has_grown(meld, growth, end)]
    if not found:
        raise Refused(_best_reason(rules, seat, (meld,), cards[0], meld, end, used))
    if len(found) > 1:
        text = rules.faces.symbols(cards)
        raise refuse(
            "tack.which-end",
            "D6",
            f"{text} would do at either end of {rules.faces.symbols(meld.cards)}: say low or high.",
        )
    return found[0]


def _with_order(rules: Rules, seat: int, reason: Refusal, growths: Iterable[Meld], cards: Sequence[Card]) -> Refusal:
    """Return why the first of these cards does not fit, and which other has to go before it, if one has."""
    if reason.code != "tack.gap":
        return reason
    for before, growth in product(dict.fromkeys(cards[1:]), growths):
        for end in ends_taking(rules, seat, growth, before, growth, NO_COUNTS):
            grown = put(growth, before, end)
            if ends_taking(rules, seat, grown, cards[0], grown, NO_COUNTS):
                message = f"{reason.message.removesuffix('.')}: {rules.faces.symbol(before)} goes first."
                return Refusal(reason.code, reason.clause, message)
    return reason


def ends_taking(rules: Rules, seat: int, meld: Meld, card: Card, base: Meld, used: EndCounts) -> list[End]:
    """Return the ends of a run that take the card; `base` is the run as it was before this action (K6)."""
    return [
        end
        for end in (End.HIGH, End.LOW)
        if end_fault(rules, seat, meld, card, end, used_now(base, meld, end, used)) is None
    ]


def narrowed(ends: list[End], said: End | None) -> list[End]:
    """Narrow the ends that take a card to the one that was said, if it is among them (D6)."""
    return [said] if said in ends else ends


def end_counts(added: Mapping[tuple[int, End], int], meld: int) -> EndCounts:
    """Return the cards added this turn at the ends of one run (K6)."""
    return {end: count for (index, end), count in added.items() if index == meld} if added else NO_COUNTS


def used_now(base: Meld, meld: Meld, end: End, used: EndCounts) -> int:
    """Return the cards added to this end of a run this turn, those beyond `base` included (K6)."""
    return used.get(end, 0) + _growth(base, meld, end)


def has_grown(base: Meld, meld: Meld, end: End) -> bool:
    return _growth(base, meld, end) > 0


def _growth(base: Meld, meld: Meld, end: End) -> int:
    """Return how many cards a run has at this end beyond `base`; round the corner positions begin anew (H15)."""
    return (meld.high - base.high if end is End.HIGH else base.low - meld.low) % RANKS


def put(meld: Meld, card: Card, end: End) -> Meld:
    if end is End.HIGH:
        return Meld(meld.owner, meld.kind, (*meld.cards, card), suit=meld.suit, low=meld.low)
    # Below the ace lies the king (H15).
    return Meld(meld.owner, meld.kind, (card, *meld.cards), suit=meld.suit, low=meld.low - 1 or RANKS)


def _tack_to_set(rules: Rules, seat: int, meld: Meld, cards: Sequence[Card], end: End | None) -> Meld:
    if end is not None:
        raise refuse("tack.gap", "K1", f"A {rules.ruleset.vocabulary.set} has no ends.")
    for card in cards:
        fault = set_fault(rules, seat, meld, card)
        if fault is not None:
            raise Refused(fault.refusal(rules, meld, card))
        meld = joined(meld, card)
    return meld


def joined(meld: Meld, card: Card) -> Meld:
    return Meld(meld.owner, meld.kind, (*meld.cards, card), rank=meld.rank)


def set_fault(rules: Rules, seat: int, meld: Meld, card: Card) -> Fault | None:
    """Return why `card` cannot go to a set, or None (K1, K5)."""
    sets = rules.ruleset.sets
    if card == JOKER or (card in rules.wild and RANK[card] != meld.rank):
        if not takes_jokers(rules, seat, meld):
            return _NOT_OWN
        if not has_room_for_joker(rules, meld):
            return _TOO_MANY
    elif RANK[card] != meld.rank:
        return _OTHER_RANK
    elif sets.suits == "distinct" and card in meld.cards:
        return _SAME_SUIT
    if sets.maximum is not None and len(meld.cards) >= sets.maximum:
        return _SET_FULL
    return None


def takes_jokers(rules: Rules, seat: int, meld: Meld) -> bool:
    """Check that the seat may add jokers to this meld at all (K5)."""
    return rules.ruleset.tack.jokers == "any-meld" or meld.owner == seat


def has_room_for_joker(rules: Rules, meld: Meld) -> bool:
    """Check that a joker more is not too many for the meld's naturals (H11)."""
    naturals = len(meld.cards) - jokers_in(rules, meld)
    return naturals >= rules.ruleset.lay.fewest_naturals(len(meld.cards) + 1)


def low_end_open(rules: Rules, meld: Meld) -> bool:
    """Check that a run may grow at its low end: always, or only once its high end is the ace (K2, K3)."""
    return rules.ruleset.tack.run_growth == "both" or meld.high == HIGH_ACE


def end_fault(rules: Rules, seat: int, meld: Meld, card: Card, end: End, count: int = 0) -> Fault | None:
    """Return why `card` cannot go to this end of a run, or None; `count` cards went there this turn (K2-K6)."""
    ruleset, cards = rules.ruleset, meld.cards
    high = end is End.HIGH
    position = meld.low + len(cards) if high else meld.low - 1
    natural = card != JOKER and not (card in rules.wild and card != make_card(meld.suit, position))
    if natural and SUIT[card] != meld.suit:
        return _OTHER_SUIT
    if len(cards) >= ruleset.runs.longest:
        return _COMPLETE
    if not ruleset.runs.has_place(position):
        return _PAST_ACE
    if natural and card != make_card(meld.suit, position):
        return _GAP
    if not high and not low_end_open(rules, meld):
        return _LOW_CLOSED
    if not natural:
        if not takes_jokers(rules, seat, meld):
            return _NOT_OWN
        if meld.roles[-1 if high else 0] == JOKER and not ruleset.runs.kisses:
            return _KISS
        if not has_room_for_joker(rules, meld):
            return _TOO_MANY
    limit = ruleset.tack.end_limit
    return _END_LIMIT if limit is not None and count >= limit else None


def _best_reason(
    rules: Rules, seat: int, growths: Iterable[Meld], card: Card, base: Meld, said: End | None, used: EndCounts
) -> Refusal:
    """Return the reason that tells the player most, at the end that was said, or at both."""
    reasons = [
        (fault, growth, end)
        for growth in growths
        for end in ((End.HIGH, End.LOW) if said is None else (said,))
        if (fault := end_fault(rules, seat, growth, card, end, used_now(base, growth, end, used))) is not None
    ]
    fault, growth, end = min(reasons, key=lambda reason: _TELLING.index(reason[0].code))
    return fault.refusal(rules, growth, card, end)
