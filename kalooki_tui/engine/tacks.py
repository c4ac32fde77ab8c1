"""Adding cards to melds on the table (K1-K6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kalooki_tui.cards import JOKER, RANK, SUIT, Card, make_card
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import HIGH_ACE, Meld
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.rules import Rules

#: Cards added to each end of a run this turn (K6).
EndCounts = Mapping[End, int]
NO_COUNTS: EndCounts = {}


@dataclass(frozen=True, slots=True)
class Tacking:
    """A meld after a tack, and the ends its cards went to (none for a set)."""

    meld: Meld
    ends: tuple[End, ...]


def tack(
    rules: Rules,
    seat: int,
    meld: Meld,
    cards: Sequence[Card],
    end: End | None = None,
    used: EndCounts = NO_COUNTS,
) -> Tacking:
    """The meld after `seat` adds `cards` in this order; `used` counts this turn's earlier cards by end (K6).

    Every card which may go to either end goes to `end`; at least one card must, if it is said (D6).

    Raises:
        Refused: a card does not fit, or fits both ends and `end` is not said.
    """
    if meld.kind is Kind.SET:
        if end is not None:
            raise refuse("tack.gap", "K1", f"A {rules.ruleset.vocabulary.set} has no ends.")
        for card in cards:
            meld = _tack_to_set(rules, seat, meld, card)
        return Tacking(meld, ())
    outcomes: dict[Meld, Tacking] = {}
    refusals: list[Refusal] = []
    _grow(rules, seat, Tacking(meld, ()), tuple(cards), end, used, outcomes, refusals)
    if end is not None:
        outcomes = {grown: result for grown, result in outcomes.items() if end in result.ends}
    if not outcomes:
        raise Refused(refusals[0])
    if len(outcomes) > 1:
        text = rules.faces.symbols(cards)
        raise refuse(
            "tack.which-end",
            "D6",
            f"{text} would do at either end of {rules.faces.symbols(meld.cards)}: say low or high.",
        )
    return next(iter(outcomes.values()))


def _grow(
    rules: Rules,
    seat: int,
    result: Tacking,
    cards: tuple[Card, ...],
    end: End | None,
    used: EndCounts,
    outcomes: dict[Meld, Tacking],
    refusals: list[Refusal],
) -> None:
    """Try the cards one after another at every end that takes them; collect the melds that come of it."""
    if not cards:
        outcomes[result.meld] = result
        return
    card, meld = cards[0], result.meld
    fits: list[End] = []
    for candidate in (End.HIGH, End.LOW):
        count = used.get(candidate, 0) + result.ends.count(candidate)
        why = refuse_end(rules, seat, meld, card, candidate, count)
        if why is None:
            fits.append(candidate)
        elif end in (None, candidate):
            refusals.append(why)
    if not fits:
        refusals.insert(0, _best_reason(end, refusals))
    if end in fits:
        fits = [end]
    for candidate in fits:
        grown = Tacking(put(meld, card, candidate), (*result.ends, candidate))
        _grow(rules, seat, grown, cards[1:], end, used, outcomes, refusals)


def put(meld: Meld, card: Card, end: End) -> Meld:
    """The run with `card` put at an end."""
    if end is End.HIGH:
        return replace(meld, cards=(*meld.cards, card))
    return replace(meld, cards=(card, *meld.cards), low=meld.low - 1)


def _tack_to_set(rules: Rules, seat: int, meld: Meld, card: Card) -> Meld:
    faces, sets, word = rules.faces, rules.ruleset.sets, rules.ruleset.vocabulary.set
    text = faces.symbol(card)
    if card == JOKER:
        _check_joker_owner(rules, seat, meld)
    elif RANK[card] != meld.rank:
        raise refuse("tack.rank", "K1", f"{text} is not of the rank of {faces.symbols(meld.cards)}.")
    elif sets.suits == "distinct" and card in meld.cards:
        raise refuse("tack.suit", "K1", f"{faces.symbols(meld.cards)} has {text} already: the suits must be different.")
    if sets.maximum is not None and len(meld.cards) >= sets.maximum:
        raise refuse(
            "tack.full",
            "K1",
            f"A {word} holds at most {sets.maximum} cards: {faces.symbols(meld.cards)} is full.",
        )
    return replace(meld, cards=(*meld.cards, card))


def _check_joker_owner(rules: Rules, seat: int, meld: Meld) -> None:
    if rules.ruleset.tack.jokers == "own-melds" and meld.owner != seat:
        joker = rules.ruleset.vocabulary.joker
        raise refuse("tack.joker-owner", "K5", f"You may add a {joker} only to melds of your own.")


def low_end_open(rules: Rules, meld: Meld) -> bool:
    """Whether a run may grow at its low end: always, or only once its high end is the ace (K2, K3)."""
    return rules.ruleset.tack.run_growth == "both" or meld.high == HIGH_ACE


def refuse_end(rules: Rules, seat: int, meld: Meld, card: Card, end: End, count: int = 0) -> Refusal | None:
    """Why `card` cannot go to this end of a run, or None; `count` cards went there this turn already (K6)."""
    ruleset, faces = rules.ruleset, rules.faces
    text, run = faces.symbol(card), faces.symbols(meld.cards)
    if card != JOKER and SUIT[card] != meld.suit:
        return Refusal("tack.suit", "K1", f"{text} is not of the suit of {run}.")
    if len(meld.cards) >= ruleset.runs.longest:
        return Refusal("tack.full", "M4", f"{run} is complete and takes no more cards.")
    position = meld.high + 1 if end is End.HIGH else meld.low - 1
    if not 1 <= position <= HIGH_ACE:
        return Refusal("tack.full", "M3", f"{run} cannot grow past the ace at its {end} end.")
    if card != JOKER and card != make_card(meld.suit, position):
        return Refusal("tack.gap", "M2", f"{text} does not follow on from {run}.")
    if end is End.LOW and not low_end_open(rules, meld):
        word = ruleset.vocabulary.run
        return Refusal(
            "tack.low-closed",
            "K2",
            f"{text} does not fit yet: a {word} grows upwards until its high end is the ace.",
        )
    neighbour = meld.cards[-1] if end is End.HIGH else meld.cards[0]
    if card == JOKER:
        try:
            _check_joker_owner(rules, seat, meld)
        except Refused as refused:
            return refused.refusal
        if neighbour == JOKER and not ruleset.runs.kisses:
            return Refusal("tack.kiss", "K4", f"Two jokers would lie side by side at the {end} end of {run}.")
    limit = ruleset.tack.end_limit
    if limit is not None and count >= limit:
        return Refusal("tack.end-limit", "K6", f"Only {limit} cards may go to one end of {run} in one turn.")
    return None


#: Refusal codes from the most telling to the least: a card's own fault before the run's.
_TELLING = (
    "tack.suit", "tack.joker-owner", "tack.kiss", "tack.low-closed", "tack.end-limit", "tack.gap", "tack.full",
)  # fmt: skip


def _best_reason(end: End | None, refusals: list[Refusal]) -> Refusal:
    """Of the reasons at the two ends, the one that tells the player most."""
    if end is not None:
        return refusals[-1]
    return min(refusals[-2:], key=lambda refusal: _TELLING.index(refusal.code))
