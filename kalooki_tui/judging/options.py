"""`assess`: the open choices of a view with their facts, the one recommended, and what tipped it. No English in it.

The judgement of throws is the club player's, term by term, so that the reason shown is the one that decided; beside it
stand the facts a person can count: cards away, cards that help, points, calls. Whether to have an open card is judged
as the expert does: by what can be counted, unless practice has taught otherwise at such a moment, which is then said.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, EndTurn, Lay, Pass, Refuse, Source
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.facts import HandFacts, Situation
from kalooki_tui.judging.turns import next_step
from kalooki_tui.players.club import Club, lay_contract
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.seat import goes_round, open_card
from kalooki_tui.players.weighing import Weighed, best_two, tipped
from kalooki_tui.values import dataclass

#: Points between the best and the next below which a choice is called even.
EVEN: Final = 0.5


class Reason(StrEnum):
    """What decided; the terms of a throw keep their names."""

    ONLY = "only"
    """There is nothing else you can do."""
    NEARER = "nearer"
    """The card brings the contract nearer."""
    COMPLETES = "completes"
    """The card completes the contract."""
    NO_NEARER = "no-nearer"
    """The card brings it no nearer."""
    READY = "ready"
    """The hand holds the contract already."""
    BETTER_THAN_STOCK = "better-than-stock"
    """The card opens more ways than one from the stock would on average."""
    FITS = "fits"
    """The seat has laid, and the card fits on the table."""
    FITS_NOWHERE = "fits-nowhere"
    """The seat has laid, and it fits nowhere."""
    THROWN_AGAIN = "thrown-again"
    """A good player would only throw the card again at the end of the turn."""
    GOES_ROUND = "goes-round"
    """Open cards have gone round the table without a change: the stock is drawn from."""
    PRACTICE = "practice"
    """What can be counted says otherwise, but this has come out better in practice at such a moment."""
    LAY = "lay"
    """The contract is complete."""
    ADD = "add"
    """A card can be got rid of on the table."""
    WAYS = "ways"
    PAIR = "pair"
    MELD = "meld"
    TABLE = "table"
    POINTS = "points"
    FEED = "feed"
    JOKER = "joker"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing the seat may do."""

    action: Action
    worth: float
    """Points that speak for it, against the other options of the same assessment; higher is better."""
    cards: tuple[Card, ...] = ()
    """The cards it is about: thrown, taken, called, laid."""
    after: HandFacts | None = None
    """The hand after it, a card thrown; None once the seat has laid, or where it was not counted."""
    weighed: Weighed | None = None
    """The terms of a throw."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The options, best first. There is at least one."""

    options: tuple[Option, ...]
    reason: Reason
    """What decided."""
    before: HandFacts | None
    """The hand as it is now; None once the seat has laid."""
    counted: Reason | None = None
    """Where practice decided: what can be counted, which says otherwise."""

    @property
    def best(self) -> Option:
        """What is recommended."""
        return self.options[0]

    @property
    def second(self) -> Option | None:
        """The next best, if there is a choice at all."""
        return self.options[1] if len(self.options) > 1 else None

    @property
    def margin(self) -> float:
        """Points by which the best is better than the next; 0 where there is no other."""
        return 0.0 if self.second is None else self.best.worth - self.second.worth

    @property
    def is_even(self) -> bool:
        """Whether the next best is as good, for all that can be counted."""
        return self.second is not None and self.margin < EVEN

    def option(self, action: Action) -> Option | None:
        """The option that is this action."""
        return next((option for option in self.options if option.action == action), None)


def assess(situation: Situation) -> Assessment:
    """Weigh what the seat in this situation may do now.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    view = situation.view
    if view.actor == view.seat and view.legal:
        match view.phase:
            case Phase.CALL_WINDOW | Phase.FLIP_WINDOW | Phase.DECISION | Phase.FLIP_DECISION | Phase.DRAW:
                return _taking(situation)
            case Phase.PLAY | Phase.ADD_ON:
                return _playing(situation)
    raise ValueError("this seat has nothing to decide here")


# Draw, call, allow or refuse: is the open card worth having?


def _taking(situation: Situation) -> Assessment:
    view = situation.view
    before = situation.now
    without = [action for action in view.legal if isinstance(action, Pass | Allow) or _is_from_stock(action)]
    with_card = [action for action in view.legal if action not in without and isinstance(action, Call | Refuse | Draw)]
    card = open_card(view)
    left = Option(without[0], 0.0, (), before)
    if not with_card or card is None:
        return Assessment((left,), Reason.ONLY, before)
    after = None if before is None else situation.hand((*view.hand, card))
    worth, reason = _worth_of_card(situation, card, after, is_call=isinstance(with_card[0], Call))
    counted = None
    if _by_practice(view, is_counted=worth > 0):
        worth, reason, counted = -1.0 if worth > 0 else 1.0, Reason.PRACTICE, reason
    if worth > 0 and not isinstance(with_card[0], Call) and not Expert("coach").keeps_it(view, with_card[0]):
        worth, reason, counted = -1.0, Reason.THROWN_AGAIN, None
    taken = Option(with_card[0], worth, (card,), after)
    options = (taken, left) if worth > 0 else (left, taken)
    return Assessment(options, reason, before, counted)


def _is_from_stock(action: Action) -> bool:
    return isinstance(action, Draw) and action.source is Source.STOCK


def _by_practice(view: View, *, is_counted: bool) -> bool:
    """Whether practice has taught the expert the opposite of what can be counted, and of its own weights."""
    if goes_round(view):
        return False
    expert = Expert("coach")
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            weighed, learned = Club.reason_to_call(expert, view), expert.reason_to_call(view)
        case Phase.DECISION | Phase.FLIP_DECISION:
            weighed, learned = Club.reason_to_refuse(expert, view), expert.reason_to_refuse(view)
        case _:
            weighed, learned = Club.reason_to_take(expert, view), expert.reason_to_take(view)
    return bool(weighed) == is_counted and bool(learned) != is_counted


def _worth_of_card(situation: Situation, card: Card, after: HandFacts | None, *, is_call: bool) -> tuple[float, Reason]:
    """What having the open card is worth, for all that can be counted; above 0: have it."""
    view, before, expert = situation.view, situation.now, Expert("coach")
    if goes_round(view):
        return -1.0, Reason.GOES_ROUND
    if before is None or after is None:
        fits = expert.useful_when_laid(view, card)
        return (1.0, Reason.FITS) if fits else (-1.0, Reason.FITS_NOWHERE)
    if before.away == 0:
        return -1.0, Reason.READY
    if is_call and not situation.calls_left:
        return -1.0, Reason.NO_NEARER
    if after.away < before.away:
        return 10.0, Reason.COMPLETES if after.away == 0 else Reason.NEARER
    enough = expert.enough_to_call(view) if is_call else expert.style.take_gain
    gain = expert.gain(view, card)
    if gain > enough:
        return gain - enough, Reason.BETTER_THAN_STOCK
    return -1.0, Reason.NO_NEARER


# The turn itself


def _playing(situation: Situation) -> Assessment:
    view, now = situation.view, situation.now
    found = lay_contract(view) if now is not None else next_step(view)
    if found is not None:
        action = found.action
        cards = tuple(card for group in action.groups for card in group.cards) if isinstance(action, Lay) else ()
        return Assessment((Option(action, 1.0, cards),), Reason.LAY if now is not None else Reason.ADD, now)
    throws = {action.card: action for action in view.legal if isinstance(action, Discard)}
    if not throws:
        other = next((action for action in view.legal if isinstance(action, EndTurn)), view.legal[0])
        return Assessment((Option(other, 0.0),), Reason.ONLY, now)
    weighed = Club("coach").weigh_throws(view)
    best, second = best_two(weighed)
    reason = Reason.ONLY if second is None else Reason(tipped(best, second).value)
    ordered = [best, *sorted((one for one in weighed if one is not best), key=lambda one: -one.total)]
    options = [Option(throws[one.card], one.total, (one.card,), None, one) for one in ordered]
    options[:2] = [with_facts(situation, option) for option in options[:2]]
    return Assessment(tuple(options), reason, now)


def with_facts(situation: Situation, option: Option) -> Option:
    """A throw with the facts of the hand that is left."""
    if situation.now is None:
        return option
    left = list(situation.view.hand)
    left.remove(option.cards[0])
    return replace(option, after=situation.hand(left))
