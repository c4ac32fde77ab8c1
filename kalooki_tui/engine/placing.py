"""Places on the table for a discard that has to be laid or tacked in the turn in which it is drawn (H6).

The search is exact, but for its limit. What may help a card onto a meld is what is done to that meld, and jokers that
come free; a new meld helps only if it holds the card, since whatever is tacked onto one could be laid with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.additions import Addition, Reach, single_tacks, swaps, uses
from kalooki_tui.engine.candidates import possible_melds, possible_runs, possible_sets
from kalooki_tui.engine.melds import Meld, find_repeated
from kalooki_tui.engine.permissions import adds_now, cards_to_keep, has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import State
from kalooki_tui.engine.tacks import has_grown, has_room_for_joker, joined, put
from kalooki_tui.engine.ways import Ways, WholeHand

#: Hands and tables looked at before a draw, which is refused where they are not enough. In play the most was 19; a hand
#: of 23 cards before eight long runs may take all. Once the card is drawn there is no limit: no seat is ever stuck.
MOST_POSITIONS: Final = 500
#: Swaps that bring a joker into the hand (K9, H12).
_FREEING: Final = ("free-own", "free-runs")


def first_step(state: State, seat: int, card: Card, *, drawing: bool = False) -> do.Action | None:
    """Return the first action of a way to put the card on the table in the seat's turn; None: there is none.

    `drawing`: the card is not in its hand yet.
    """
    hand = [*state.hands[seat], card] if drawing else state.hands[seat]
    further = state.rules.ruleset.lay.further_melds
    keeps = cards_to_keep(state, seat, state.bend_forbidden[seat])
    reach = Reach(state.rules, seat, hand, state.melds, keeps, state.added, further)
    most = MOST_POSITIONS if drawing else None
    if has_laid(state, seat):
        return _step(reach, card, adds=adds_now(state, seat), most=most)
    if state.contract.whole:
        melds = WholeHand(state.rules, state.contract, hand).way()
        return None if melds is None else do.Lay(seat, _groups(melds))
    groups = _first_lay(state, reach, card, most)
    return None if groups is None else do.Lay(seat, groups)


# A seat that has laid


def _step(reach: Reach, card: Card, *, adds: bool, most: int | None) -> do.Action | None:
    found = _at_once(reach, card, adds=adds)
    if found is not None or not adds:
        return found
    seen = set[object]()
    for target in _targets(reach, card):
        for way in _helping(reach, target):
            if _leads_on(_after(reach, way), card, target, seen, most):
                return way.action
    return None


def _leads_on(reach: Reach, card: Card, target: int, seen: set[object], most: int | None) -> bool:
    key = (target, tuple(sorted(reach.hand)), tuple(reach.melds), tuple(reach.added.items()))
    if key in seen or (most is not None and len(seen) >= most):
        return False
    seen.add(key)
    return _at_once(reach, card, adds=True) is not None or any(
        _leads_on(_after(reach, way), card, target, seen, most) for way in _helping(reach, target)
    )


def _at_once(reach: Reach, card: Card, *, adds: bool) -> do.Action | None:
    """Return the action that puts the card itself on the table now, or None."""
    if adds:
        for tack, _ in single_tacks(reach):
            if tack.cards[0] == card:
                return tack
        # The card takes a joker's place by itself, or goes with another card that does.
        with_others = reach.new_melds or reach.rules.ruleset.swap == "both-suits"
        for way in (*swaps(reach, (card,)), *uses(reach, () if with_others else (card,))):
            if _used(way).count(card):
                return way.action
    if reach.new_melds:
        own = [meld for meld in reach.melds if meld.owner == reach.seat]
        most = len(reach.hand) - reach.keeps
        for meld in _melds_with(reach, card):
            if len(meld.cards) <= most and find_repeated(reach.rules.ruleset, [*own, meld]) is None:
                return do.Lay(reach.seat, (_group(meld),))
    return None


def _used(way: Addition) -> list[Card]:
    """Return the cards of the hand that the addition puts on the table."""
    used = [*way.action.cards]
    if way.laid is not None:
        used += way.laid.cards
        used.remove(JOKER)
    return used


def _targets(reach: Reach, card: Card) -> list[int]:
    """Return the melds that may become a place for the card by what is done to them; -1: a new one."""
    ruleset = reach.rules.ruleset
    near = [index for index, meld in enumerate(reach.melds) if card == JOKER or meld.suit == SUIT[card]]
    return [*near, *[-1] * (ruleset.swap in _FREEING or ruleset.uses_freed_jokers)]


def _helping(reach: Reach, target: int) -> Iterator[Addition]:
    """Yield what is done to the target, swaps that bring a joker to the hand, and tacks that make room for one."""
    at_once = reach.rules.ruleset.uses_freed_jokers
    for tack, end in single_tacks(reach):
        meld = reach.melds[tack.meld]
        if tack.meld == target or (at_once and not _takes_joker(reach.rules, meld, end)):
            grown = joined(meld, tack.cards[0]) if end is None else put(meld, tack.cards[0], end)
            yield Addition(tack, {tack.meld: grown})
    yield from (way for way in swaps(reach) if way.frees is not None or target == way.action.meld)
    yield from (way for way in uses(reach) if target in (way.action.meld, _built(way)))


def _built(way: Addition) -> int | None:
    """Return the meld that a card of the hand or a freed joker is added to."""
    return way.action.meld if isinstance(way.action, do.Tack) else way.action.use


def _takes_joker(rules: Rules, meld: Meld, end: do.End | None) -> bool:
    """Check that no card that goes there would make room for a joker (M6, H11)."""
    side = None if end is None else meld.cards[-1 if end is do.End.HIGH else 0]
    return has_room_for_joker(rules, meld) and (side != JOKER or rules.ruleset.runs.kisses)


def _after(reach: Reach, way: Addition) -> Reach:
    """Return what the seat can reach once it has done that."""
    hand, melds, added = [*reach.hand], [*reach.melds], {**reach.added}
    for card in _used(way):
        hand.remove(card)
    hand += [] if way.frees is None else [way.frees]
    built = _built(way)
    if built is not None and reach.rules.ruleset.tack.end_limit is not None:
        for end in do.End:
            if melds[built].kind is do.Kind.RUN and has_grown(melds[built], way.changed[built], end):
                added[built, end] = added.get((built, end), 0) + 1
    for index, meld in way.changed.items():
        melds[index] = meld
    if way.laid is not None:
        melds.append(way.laid)
    return replace(reach, hand=hand, melds=melds, added=added)


# A seat that has not


def _first_lay(state: State, reach: Reach, card: Card, most: int | None) -> tuple[do.Group, ...] | None:
    """Return a first lay-down with the card in it, or behind which it finds a place (L1, L8, L9, H4)."""
    lay, hand, room = state.rules.ruleset.lay, reach.hand, len(reach.hand) - reach.keeps
    if next(Ways(state.rules, state.contract, hand).ways(), None) is None:
        return None
    ways = Ways(state.rules, state.contract, hand)
    for meld in _melds_with(reach, card):
        if not ways.may_need(meld, card):
            continue
        for melds in ways.with_meld(meld):
            if _size(melds) <= room:
                return _groups(melds)
        if not state.contract.points and (not lay.exact or lay.further_melds):
            for melds in ways.beside_meld(meld):
                if _size(melds) <= room:
                    return _groups(melds[lay.exact :])
    if not lay.same_turn_tack:
        return None
    rest = [*hand]
    rest.remove(card)
    for melds in Ways(state.rules, state.contract, rest).ways():
        left = [*hand]
        for meld in melds:
            for gone in meld.cards:
                left.remove(gone)
        own = [replace(meld, owner=reach.seat) for meld in melds]
        laid = replace(reach, hand=left, melds=[*reach.melds, *own])
        if len(left) >= reach.keeps and _step(laid, card, adds=True, most=most) is not None:
            return _groups(melds)
    return None


def _size(melds: Sequence[Meld]) -> int:
    return sum(len(meld.cards) for meld in melds)


def _group(meld: Meld) -> do.Group:
    return do.Group(meld.cards, meld.kind)


def _groups(melds: Sequence[Meld]) -> tuple[do.Group, ...]:
    return tuple(map(_group, melds))


def _melds_with(reach: Reach, card: Card) -> Iterator[Meld]:
    """Yield the melds of the hand that hold the card."""
    ruleset, hand, seat = reach.rules.ruleset, reach.hand, reach.seat
    if card == JOKER:
        yield from possible_melds(ruleset, hand, seat, fewest_jokers=1)
        return
    of_rank = [one for one in hand if one == JOKER or RANK[one] == RANK[card]]
    of_suit = [one for one in hand if one == JOKER or SUIT[one] == SUIT[card]]
    for meld in (*possible_sets(ruleset, of_rank, seat), *possible_runs(ruleset, of_suit, seat)):
        if card in meld.cards:
            yield meld
