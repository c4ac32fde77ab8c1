"""The fact that makes one choice better than another: something that can be counted from the seat's view.

A fact is data: a case, and what fills its slots. The sentences for it are the coach's. Nothing here is a weight of a
program; where no fact speaks for the better choice, the case says so.

The throw of a card is compared by what that card was for, in this order: cards from the contract, cards that help,
what another seat is seen to collect, points, cards of the hand that it could be melded with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Action, Call, Draw, Refuse, Source
from kalooki_tui.engine.public import public_of
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.players.club import Club
from kalooki_tui.players.endgame import LAY_EFFORT, fits, nearly_fits
from kalooki_tui.players.seat import called_nearer, goes_round, open_card, without
from kalooki_tui.solver import best_lay
from kalooki_tui.solver.shape import Effort
from kalooki_tui.wording import number_word, penalty_words

#: A hand of this many cards or fewer, of a seat that has laid, makes it late in the deal.
FEW_CARDS: Final = 2
#: Share of the cards that help which is hardly worth a word beside points.
SLIGHT: Final = 0.1


#: Cases that speak for having the open card.
FOR_CARD: Final = frozenset((
    "take-nearer", "take-completes", "call-nearer", "call-completes", "have-helps", "have-joins", "have-fits",
    "have-fits-meld", "deny", "out", "out-double",
))  # fmt: skip


class Fact(Struct, frozen=True):
    case: str
    slots: Mapping[str, Any] = field(default_factory=dict)
    """Cards and seats by number, counts, points."""

    @property
    def explains(self) -> bool:
        return not self.case.startswith("unexplained")

    @property
    def is_for_card(self) -> bool:
        """True if it speaks for having the open card."""
        return self.case in FOR_CARD


def is_late(situation: Situation) -> bool:
    if situation.has_laid or not situation.others_laid:
        return False
    return situation.view.hand_sizes[situation.nearest_out] <= FEW_CARDS


def has_card(action: Action) -> bool:
    return isinstance(action, Call | Refuse) or (isinstance(action, Draw) and action.source is not Source.STOCK)


# Throws


def of_throws(situation: Situation, best: Card, card: Card) -> Fact:
    """Return why it is better to throw `best` than `card`."""
    if card == JOKER:
        return Fact("throw-joker", {"best": best})
    if best == JOKER:
        return Fact("unexplained-throw", {"card": card, "best": best})
    if not situation.has_laid and situation.without(best).away < situation.without(card).away:
        return _open_throws(situation, best, card)
    taken, best_taken = situation.taker(card), situation.taker(best)
    if taken is not None and best_taken is None:
        seat, meld = taken
        case = "throw-gives-out" if situation.view.hand_sizes[seat] == 1 else "throw-gives"
        return Fact(case, {"card": card, "best": best, "seat": seat, "meld": meld})
    if best_taken is not None and taken is None:
        return Fact("unexplained-throw", {"card": card, "best": best})
    return _laid_throws(situation, best, card) if situation.has_laid else _open_throws(situation, best, card)


def _open_throws(situation: Situation, best: Card, card: Card) -> Fact:
    better, other = situation.without(best), situation.without(card)
    slots: dict[str, Any] = {
        "card": card, "best": best, "after": other.away, "best_after": better.away,
        "helps": other.helps, "best_helps": better.helps, "unseen": other.unseen,
    }  # fmt: skip
    if better.away < other.away:
        return _needed(situation, best, card, slots)
    values, gained = situation.rules.values, better.helps - other.helps
    is_slight = values[best] > values[card] and gained < SLIGHT * better.helps
    if better.away == other.away and gained > 0 and not is_slight:
        lost = tuple(sorted(one for one in better.cards - other.cards if situation.unseen[one]))
        return Fact("throw-helps", {**slots, "lost": lost})
    collected = _collected(situation, slots) if better.away == other.away else None
    return collected or _by_points(situation, slots)


def _collected(situation: Situation, slots: dict[str, Any]) -> Fact | None:
    """Return the fact that one of two cards goes with what another seat has taken; None: both do, or neither."""
    best, card, values = slots["best"], slots["card"], situation.rules.values
    found, best_found = situation.collector(card), situation.collector(best)
    if (found is None) is (best_found is None):
        return None
    seat, taken = found or best_found or (0, ())
    slots = {**slots, "seat": seat, "taken": taken[-2:], "points": values[card], "best_points": values[best]}
    if found is not None:
        return Fact("throw-collected", slots)
    fewer = not situation.has_laid and situation.without(best).helps < situation.without(card).helps
    explains = values[best] > values[card] and not fewer
    return Fact("throw-points-collected" if explains else "unexplained-throw", slots)


def _needed(situation: Situation, best: Card, card: Card, slots: Mapping[str, Any]) -> Fact:
    """Tell which meld the card was for, and which cards are spare."""
    plan = situation.plan(without(situation.view.hand, (best,)))
    if plan is not None:
        for meld in plan.melds:
            if card in meld.held:
                mates = without(meld.held, (card,))
                spare = tuple(sorted({*plan.over, best} - {JOKER}))
                case = "throw-needed" if mates else "throw-needed-alone"
                return Fact(case, {**slots, "mates": tuple(mates), "spare": spare})
    return Fact("throw-away", slots)


def _by_points(situation: Situation, slots: dict[str, Any]) -> Fact:
    """Compare points, then cards that go together; `slots` holds both cards and what the hand is without each."""
    values, best, card = situation.rules.values, slots["best"], slots["card"]
    nearest = situation.nearest_out
    slots = {
        **slots, "points": values[card], "best_points": values[best],
        "seat": nearest, "seat_cards": situation.view.hand_sizes[nearest],
    }  # fmt: skip
    if values[best] > values[card]:
        if situation.without(best).away > situation.without(card).away:
            return Fact("throw-points-further", slots) if situation.others_laid else Fact("unexplained-throw", slots)
        if situation.without(best).helps < situation.without(card).helps:
            return Fact("throw-points-fewer", slots)
        return Fact("throw-points-late" if is_late(situation) else "throw-points", slots)
    mates, best_mates = situation.mates(card), situation.mates(best)
    same = situation.without(best).away, situation.without(best).helps
    if same == (situation.without(card).away, situation.without(card).helps) and len(mates) > len(best_mates):
        case = "throw-mates" if best_mates else "throw-mates-none"
        return Fact(case, {**slots, "mates": mates, "beside": best_mates})
    return Fact("unexplained-throw", slots)


def _laid_throws(situation: Situation, best: Card, card: Card) -> Fact:
    """Compare throws of a seat that has laid: what may be tacked or is collected stays, then the dearest goes."""
    view, values = situation.view, situation.rules.values
    slots: dict[str, Any] = {"card": card, "best": best, "points": values[card], "best_points": values[best]}
    near = next((place for place, meld in enumerate(view.melds) if nearly_fits(view.rules, meld, card)), None)
    if near is not None and not any(nearly_fits(view.rules, meld, best) for meld in view.melds):
        return Fact("throw-near", {**slots, "meld": near})
    collected = _collected(situation, slots)
    if collected is not None:
        return collected
    if values[best] > values[card]:
        return Fact("throw-points", slots)
    mates, beside = situation.mates(card), situation.mates(best)
    if len(mates) > len(beside):
        return Fact("throw-mates" if beside else "throw-mates-none", {**slots, "mates": mates, "beside": beside})
    return Fact("unexplained-throw", slots)


# The open card


def why_take(situation: Situation, action: Action) -> Fact:
    """Return why it is better to have the open card, by this action, than to leave it; not for going out."""
    view, card, now = situation.view, open_card(situation.view), situation.now
    assert card is not None
    if now is None:
        place = next((place for place, meld in enumerate(view.melds) if fits(view.rules, view.seat, meld, card)), None)
        if place is not None:
            return Fact("have-fits", {"card": card, "meld": place})
        melds = Club("coach").useful_when_laid(view, card)
        return Fact("have-fits-meld" if melds else "unexplained-have", {"card": card})
    if isinstance(action, Call) and view.contract.whole:
        return Fact("unexplained-have", {"card": card})
    slots = _having_slots(situation, card, action)
    kind = "call" if isinstance(action, Call) and view.rules.ruleset.calls.penalty else "take"
    if slots["after"] < now.away:
        return Fact(f"{kind}-{'completes' if slots['after'] == 0 else 'nearer'}", slots)
    if now.away == 0:
        joined = _joins(situation, card)
        return Fact("unexplained-have", slots) if joined is None else Fact("have-joins", {**slots, "left": joined})
    if slots["best_helps"] > now.helps:
        return Fact("have-helps", slots)
    return Fact("unexplained-have", slots)


def why_deny(situation: Situation) -> Fact:
    """Return why it is better to have a card only to throw it again: the caller does not get it."""
    view, card = situation.view, open_card(situation.view)
    assert card is not None
    penalty = view.rules.ruleset.calls.penalty
    slots = {"card": card, "seat": view.caller or 0, "nor": f", nor {penalty_words(penalty)}" if penalty else ""}
    return Fact("unexplained-have" if view.caller is None else "deny", slots)


def why_leave(situation: Situation, action: Action) -> Fact:
    """Return why it is better to leave the open card than to have it by this action."""
    view, card, now = situation.view, open_card(situation.view), situation.now
    assert card is not None
    slots = _having_slots(situation, card, action)
    if goes_round(view):
        return Fact("goes-round", slots)
    if called_nearer(view):
        nearest = min(public_of(view).callers, key=lambda seat: (seat - view.turn) % len(view.names))
        return Fact("called-nearer", {**slots, "seat": nearest})
    if isinstance(action, Call) and view.contract.whole:
        more = 1 + view.rules.ruleset.calls.penalty
        return Fact("call-grows", {**slots, "more": f"{number_word(more)} card{'s' * (more > 1)} more"})
    if now is None:
        fitting = any(fits(view.rules, view.seat, meld, card) for meld in view.melds)
        return Fact("unexplained-leave" if fitting else "fits-nowhere", slots)
    if now.away == 0:
        return Fact("unexplained-leave" if _joins(situation, card) is not None else "ready", slots)
    costs = view.rules.ruleset.calls.penalty
    if slots["after"] < now.away:
        case = "call-price" if costs else "call-spent"
        return Fact(case if isinstance(action, Call) else "unexplained-leave", slots)
    if isinstance(action, Call) and costs:
        return Fact("call-in-vain", slots)
    helps_clearly = slots["best_helps"] - now.helps > SLIGHT * slots["best_helps"]
    return Fact("unexplained-leave" if helps_clearly else "no-nearer", slots)


def _having_slots(situation: Situation, card: Card, action: Action) -> dict[str, Any]:
    now = situation.now
    penalty = situation.rules.ruleset.calls.penalty
    unknown = "an unknown card" if penalty == 1 else f"{number_word(penalty)} unknown cards"
    price = f"{unknown}, about {round(situation.average_points * penalty)} points"
    slots: dict[str, Any] = {
        "card": card, "price": price, "calls": situation.calls_left,
        "unseen": situation.unseen_total,
    }  # fmt: skip
    if now is not None:
        with_card = situation.with_card(card)
        after = situation.away_after_call(card) if isinstance(action, Call) else with_card.away
        slots |= {"away": now.away, "after": after, "helps": now.helps, "best_helps": with_card.helps}
    return slots


def _joins(situation: Situation, card: Card) -> tuple[Card, ...] | None:
    """Return what stays if the contract, which the hand holds, is laid with the card; None: the card is no use."""
    view = situation.view

    def left(hand: tuple[Card, ...]) -> tuple[Card, ...] | None:
        found = best_lay(view.rules, view.contract, hand, effort=Effort(LAY_EFFORT))
        return None if found is None else found.left

    before, after = left(view.hand), left((*view.hand, card))
    if before is None or after is None or len(after) > len(before):
        return None
    return after if view.rules.points(after) <= view.rules.points(before) else None
