"""What the cards a person has chosen can be added to, and which jokers one of them can replace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from kalooki_tui.cards import JOKER, RANK, Card
from kalooki_tui.engine.actions import Action, End, Group, Kind, Swap, Tack
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from kalooki_tui.engine.view import View

WhyNot = Callable[[Action], Refusal | None]

#: More chosen cards than this are tried in few orders only.
MOST_PERMUTED: Final = 5


@dataclass(frozen=True, slots=True)
class Addition:
    """A tack of all the chosen cards onto one meld, and the meld as it would be."""

    action: Tack
    result: Meld


@dataclass(frozen=True, slots=True)
class Swapping:
    """A swap the engine would take, in words that tell it from the others."""

    action: Swap
    words: str


def orders(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Orders in which cards may be added one after another, each once."""
    if len(cards) <= MOST_PERMUTED:
        yield from dict.fromkeys(permutations(cards))
        return
    # Of many cards those that can be added at all go upwards, downwards, or upwards after the jokers.
    upwards = tuple(sorted(cards, key=lambda card: RANK[card] or 99))
    yield from dict.fromkeys((tuple(cards), upwards, upwards[::-1], tuple(sorted(cards, key=lambda c: RANK[c]))))


def additions(view: View, seat: int, cards: Sequence[Card], why_not: WhyNot) -> list[Addition] | Refusal:
    """Every meld that takes all the cards, one addition for each way it can look afterwards (K1-K6, D6).

    A reason instead where no meld takes them: that of the meld which comes nearest to taking them.
    """
    found: dict[tuple[int, Meld], Addition] = {}
    for index, meld in enumerate(view.melds):
        ends: tuple[End | None, ...] = (None, End.HIGH, End.LOW) if meld.kind is Kind.RUN else (None,)
        for order in orders(cards):
            for end in ends:
                result = _try(view, seat, meld, order, end)
                if result is None or (index, result) in found:
                    continue
                action = Tack(seat, order, index, end)
                if why_not(action) is None:
                    found[index, result] = Addition(action, result)
    if found:
        return list(found.values())
    return _reason(view, seat, cards, why_not)


def _try(view: View, seat: int, meld: Meld, cards: tuple[Card, ...], end: End | None) -> Meld | None:
    try:
        return tack(view.rules, seat, meld, cards, end).meld
    except Refused:
        return None


def _reason(view: View, seat: int, cards: Sequence[Card], why_not: WhyNot) -> Refusal:
    """The most telling refusal: of a meld of the card's own suit or rank before any other."""
    if not view.melds:
        return Refusal("tack.gap", "K1", "There is no meld on the table to add to.")
    reasons = [why_not(Tack(seat, tuple(cards), index)) for index in range(len(view.melds))]
    told = [reason for reason in reasons if reason is not None]
    far = ("tack.suit", "tack.rank")
    near = [reason for reason in told if reason.code not in far]
    if near:
        return near[0]
    text = view.rules.faces.symbols(cards)
    together = " together" if len(cards) > 1 else ""
    return Refusal("tack.rank", "K1", f"No meld on the table takes {text}{together}.")


def swaps(view: View, seat: int, card: Card, why_not: WhyNot) -> list[Swapping] | Refusal:
    """Every swap of the card for a joker, with what becomes of the joker (K7-K10)."""
    found: dict[str, Swapping] = {}
    reasons: list[Refusal] = []
    for index, meld in enumerate(view.melds):
        if JOKER not in meld.cards:
            continue
        for action, words in _ways(view, seat, card, index, meld):
            why = why_not(action)
            if why is None:
                found.setdefault(words, Swapping(action, words))
            else:
                reasons.append(why)
    if found:
        return list(found.values())
    joker = view.rules.ruleset.vocabulary.joker
    nothing = Refusal("swap.no-joker", "K7", f"No {joker} on the table stands for {view.rules.faces.symbol(card)}.")
    return next((why for why in reasons if why.code not in ("swap.card", "swap.which-end", "swap.set")), nothing)


def _ways(view: View, seat: int, card: Card, index: int, meld: Meld) -> Iterator[tuple[Swap, str]]:
    faces = view.rules.faces
    joker = view.rules.ruleset.vocabulary.joker
    if view.rules.ruleset.swap == "use-at-once":
        yield from _uses(view, seat, card, index, meld)
        return
    for end in (None, End.HIGH, End.LOW):
        try:
            result = swap(view.rules, seat, meld, card, end)
        except Refused:
            if end is None:
                yield Swap(seat, card, index), ""
            continue
        if result.freed:
            yield Swap(seat, card, index, end), f"m{index + 1}: the {joker} comes to your hand"
        else:
            yield Swap(seat, card, index, end), f"m{index + 1} becomes {faces.symbols(result.meld.cards)}"


def _uses(view: View, seat: int, card: Card, index: int, meld: Meld) -> Iterator[tuple[Swap, str]]:
    """Kalookie 40: the freed joker is built onto a meld, or laid with two cards of the hand (K10)."""
    faces = view.rules.faces
    try:
        swapped = swap(view.rules, seat, meld, card).meld
    except Refused:
        yield Swap(seat, card, index), ""
        return
    for use, target in enumerate(view.melds):
        onto = swapped if use == index else target
        for end in (End.HIGH, End.LOW) if onto.kind is Kind.RUN else (None,):
            grown = _try(view, seat, onto, (JOKER,), end)
            if grown is not None:
                words = f"m{index + 1}, and m{use + 1} becomes {faces.symbols(grown.cards)}"
                yield Swap(seat, card, index, use=use, use_end=end), words
    rest = list(view.hand)
    rest.remove(card)
    for group in _with_joker(view, rest):
        words = f"m{index + 1}, and a new meld {faces.symbols(group.cards)}"
        yield Swap(seat, card, index, lay=(group,)), words


def _with_joker(view: View, hand: Sequence[Card]) -> Iterator[Group]:
    """Shortest melds of the freed joker and cards of the hand."""
    from kalooki_tui.engine.melds import judge_run, judge_set

    ruleset = view.rules.ruleset
    naturals = sorted({card for card in hand if card != JOKER})
    for first in naturals:
        for second in naturals:
            for cards in ((first, second, JOKER), (first, JOKER, second), (JOKER, first, second)):
                if first != second and judge_run(ruleset, cards) is None:
                    yield Group(cards, Kind.RUN)
            if first < second and judge_set(ruleset, (first, second, JOKER)) is None:
                yield Group((first, second, JOKER), Kind.SET)
