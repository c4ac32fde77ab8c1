"""Putting the real card in a joker's place (K7-K11)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from kalooki_tui.cards import HIGH_ACE, JOKER, RANK, Card
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import Meld, stands_for
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.tacks import joined, put
from kalooki_tui.wording import capital

#: Cards of a set whose joker two cards free; one of more is complete (H1).
CLOSED_BY: Final = 3


class Swapping(Struct, frozen=True):
    """Meld after a swap; `freed`: the joker, or wild card (H7), that left it, if it did."""

    meld: Meld
    freed: Card | None = None


def swap(rules: Rules, seat: int, meld: Meld, card: Card, end: End | None = None, also: Card | None = None) -> Swapping:
    """Return the meld after `seat` puts `card` in a joker's place.

    `end` says where the joker goes, or which ace is meant (D26), where the rules leave it open. `also`: a second card,
    tacked on in the same move (H1).

    Raises:
        Refused: no joker stands for the card, or the joker has nowhere to go.
    """
    policy = rules.ruleset.swap
    if meld.kind is Kind.SET:
        return _swap_in_set(rules, meld, (card,) if also is None else (card, also), end)
    if also is not None:
        raise refuse("swap.card", "H1", "One card takes a joker's place in a run.")
    frees = rules.ruleset.uses_freed_jokers or policy == "free-runs" or (policy == "free-own" and meld.owner == seat)
    index = _joker_index(rules, meld, card, end if frees else None)
    if frees:
        _check_frees_end(rules, meld, card, end)
        return Swapping(_replaced(meld, index, card), freed=meld.cards[index])
    without, joker = _replaced(meld, index, card), meld.cards[index]
    if policy == "high-then-low":
        target = End.HIGH if without.high < HIGH_ACE else End.LOW
        _check_said(rules, meld, end, target)
        return Swapping(_moved(rules, meld, without, target, joker))
    if policy == "up-only":
        _check_said(rules, meld, end, End.HIGH)
        if not _has_place(rules, without, End.HIGH):
            run = rules.faces.symbols(meld.cards)
            raise refuse("swap.top", "K8", f"The joker of {run} could only move up, and there is no place above.")
        return Swapping(_moved(rules, meld, without, End.HIGH, joker))
    return Swapping(_moved_either(rules, meld, without, end, joker))


def _joker_index(rules: Rules, meld: Meld, card: Card, ace: End | None) -> int:
    """Return the index of the joker that stands for `card`; of two aces the high one, unless the low is said (D26)."""
    faces = rules.faces
    roles = meld.roles
    if JOKER not in roles:
        raise refuse("swap.no-joker", "K7", f"There is no joker in {faces.symbols(meld.cards)}.")
    places = [index for index, held in enumerate(roles) if held == JOKER and stands_for(meld, index) == card]
    if card == JOKER or not places:
        raise refuse("swap.card", "K7", f"No joker in {faces.symbols(meld.cards)} stands for {faces.symbol(card)}.")
    return places[0] if ace is End.LOW else places[-1]


def _check_frees_end(rules: Rules, meld: Meld, card: Card, end: End | None) -> None:
    """Check the end where the joker is freed: it can only say which ace is meant (D26)."""
    if end is None:
        return
    index = 0 if end is End.LOW else len(meld.cards) - 1
    if meld.roles[index] != JOKER or stands_for(meld, index) != card:
        text = rules.faces.symbol(card)
        raise refuse(
            "swap.card",
            "D26",
            f"The joker at the {end} end of {rules.faces.symbols(meld.cards)} does not stand for {text}.",
        )


def _check_said(rules: Rules, meld: Meld, said: End | None, target: End) -> None:
    if said is not None and said is not target:
        run = rules.faces.symbols(meld.cards)
        clause = "K8" if rules.ruleset.swap == "up-only" else "K7"
        raise refuse("swap.full", clause, f"The joker of {run} goes to the {target} end, not the {said} one.")


def _replaced(meld: Meld, index: int, card: Card) -> Meld:
    cards = (*meld.cards[:index], card, *meld.cards[index + 1 :])
    return Meld(meld.owner, meld.kind, cards, meld.rank, meld.suit, meld.low)


def _no_room(rules: Rules, meld: Meld, without: Meld, end: End) -> Refusal | None:
    """Return why the joker cannot go to this end of the run, or None."""
    run = rules.faces.symbols(meld.cards)
    if not _has_place(rules, without, end):
        return Refusal("swap.full", "D26a", f"There is no room for the joker at the {end} end of {run}.")
    neighbour = without.roles[-1] if end is End.HIGH else without.roles[0]
    if neighbour == JOKER and not rules.ruleset.runs.kisses:
        return Refusal("swap.kiss", "K7", f"Two jokers would lie side by side at the {end} end of {run}.")
    return None


def _has_place(rules: Rules, without: Meld, end: End) -> bool:
    """Check that a run may be a card longer at this end (M3, M4, H15)."""
    runs, position = rules.ruleset.runs, without.high + 1 if end is End.HIGH else without.low - 1
    return runs.has_place(position) and len(without.cards) < runs.longest


def _moved(rules: Rules, meld: Meld, without: Meld, end: End, joker: Card) -> Meld:
    why = _no_room(rules, meld, without, end)
    if why is not None:
        raise Refused(why)
    return put(without, joker, end)


def _moved_either(rules: Rules, meld: Meld, without: Meld, end: End | None, joker: Card) -> Meld:
    """Move the joker of another seat's run in Trinidad: the swapper chooses the end (K9)."""
    if end is not None:
        return _moved(rules, meld, without, end, joker)
    reasons = {candidate: _no_room(rules, meld, without, candidate) for candidate in End}
    open_ends = [candidate for candidate, why in reasons.items() if why is None]
    run = rules.faces.symbols(meld.cards)
    if all(why is not None and why.code == "swap.full" for why in reasons.values()):
        raise refuse("swap.full", "D26a", f"There is no room for the joker at either end of {run}.")
    if not open_ends:
        raise Refused(next(why for why in reasons.values() if why is not None))
    if len(open_ends) > 1:
        raise refuse("swap.which-end", "D6", f"The joker of {run} may go to either end: say low or high.")
    return put(without, joker, open_ends[0])


def _swap_in_set(rules: Rules, meld: Meld, cards: tuple[Card, ...], end: End | None) -> Swapping:
    """Swap a joker of a set for a card of a missing suit (K10, K11, D20), or of three cards for two of them (H1)."""
    faces, words = rules.faces, rules.ruleset.vocabulary
    held = faces.symbols(meld.cards)
    both = rules.ruleset.swap == "both-suits"
    if not rules.ruleset.uses_freed_jokers:
        raise refuse("swap.set", "K11", f"A {words.joker} in a {words.set} never moves: {held} stays as it is.")
    if JOKER not in meld.cards:
        raise refuse("swap.no-joker", "K10", f"There is no joker in {held}.")
    for card in cards:
        if card == JOKER or RANK[card] != meld.rank or card in meld.cards:
            raise refuse("swap.card", "K10", f"{faces.symbol(card)} is not a card that {held} lacks.")
    if end is not None:
        raise refuse("swap.card", "K10", f"A {words.set} has no ends.")
    if both and len(meld.cards) > CLOSED_BY:
        raise refuse("swap.closed", "H1", f"{held} is complete, and its {words.joker} stays.")
    if both is not (len({*cards}) > 1):
        why = f"the {words.joker} of {held} is freed by the two cards it lacks" if both else "one card takes its place"
        raise refuse("swap.both-suits", "H1" if both else "K10", f"{capital(why)}.")
    swapped = _replaced(meld, meld.cards.index(JOKER), cards[0])
    return Swapping(joined(swapped, cards[1]) if both else swapped, freed=JOKER)
