"""Decisions that people laugh at: how often each level takes one, and what it costs.

    python -m lab.laughable [--levels novice club expert] [--ruleset jamaican] [--deals 500]

Four equal players of a level play so many deals in the native core, whose decisions are those of the players in Python.
Wherever a seat does something of the kinds below, that and what would have been sensible are played to the end, in the
hands as they truly lie and with the stock shuffled anew; what it costs is points of the deal against the average of the
others, with a 95% interval over the decisions. Below zero is good: then it is not silly, whatever it looks like.

- *taken and thrown*: the open card is drawn, and a card of its face thrown in the same turn.
- *refused and thrown*: a call is refused, and the card, or one of its face, thrown in the same turn.
- *meld broken*: a throw leaves fewer complete melds for the contract, and another throw would not have.
- *opening passed*: a card is let go that brings the contract no nearer, but ten or more helping cards that nobody has
  seen; the sensible thing is to have it.
- *idle call*: a card is called that brings the contract no nearer and opens no helping card.
- *called and thrown*: a card is called, and a card of its face thrown at the end of the seat's next turn, by a seat
  that has not laid; the sensible thing was not to call.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import (
    ALLOW,
    CALL,
    DISCARD,
    DRAW_DISCARD,
    DRAW_FLIP,
    DRAW_STOCK,
    PASS,
    Action,
    Call,
    Discard,
    Draw,
    Pass,
    Refuse,
    Source,
)
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import Club
from kalooki_tui.players.memory import unseen_copies
from kalooki_tui.players.open_actions import hand_without
from kalooki_tui.players.seat import goes_round, open_card
from kalooki_tui.playouts import CoreSeat, play_deal
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import distance, useful_cards
from lab.deals import dealt, rules_of
from lab.measure_master import in_the_real_hands, interval, weights_of

#: Shuffles that no number was chosen by.
FRESH: Final = 200_001
#: Helping cards that a card must open for passing it to look silly.
MANY: Final = 10
#: Stocks in which a decision is valued.
STOCKS: Final = 100


@dataclass
class Laughed:
    """One decision that looks silly, with the sensible one in its place, and the deal as it was."""

    kind: str
    before: Deal
    done: Action
    sensible: Action


@dataclass
class Count:
    """What was found of one kind."""

    costs: list[float] = field(default_factory=list)
    chances: int = 0
    """Decisions that could have been of this kind."""


class Watch:
    """Follows one deal and says which of its decisions look silly."""

    def __init__(self) -> None:
        self.had: dict[int, tuple[str, Deal, Action, Action, Card]] = {}
        """By seat: how it came to an open card in this turn, with what would have been sensible."""
        self.called: dict[int, tuple[Deal, Card]] = {}
        self.chances: dict[str, int] = defaultdict(int)

    def look(self, deal: Deal, action: Action) -> Iterator[Laughed]:
        """What is silly about the action that is about to be taken."""
        assert deal.actor is not None
        seat, view = deal.actor, deal.view(deal.actor)
        card = open_card(view)
        if isinstance(action, Pass | Call | Draw) and card is not None:
            yield from self._looks_at_open_card(deal, view, action, card)
        match action:
            case Call():
                assert card is not None
                self.called[seat] = deal.clone(), card
            case Refuse():
                assert card is not None
                self.chances["refused and thrown"] += 1
                self.had[seat] = "refused and thrown", deal.clone(), action, ALLOW[seat], card
            case Draw(source=Source.STOCK):
                self.had.pop(seat, None)
            case Draw():
                assert card is not None
                self.chances["taken and thrown"] += 1
                self.had[seat] = "taken and thrown", deal.clone(), action, DRAW_STOCK[seat], card
            case Discard(card=thrown):
                yield from self._looks_at_throw(deal, view, thrown)

    def _looks_at_open_card(self, deal: Deal, view: View, action: Action, card: Card) -> Iterator[Laughed]:
        """A call or a draw, or letting the card go; what nobody could have, or has no use for, does not count."""
        seat, takes = view.seat, DRAW_FLIP if view.flip is not None else DRAW_DISCARD
        doing = takes[seat] if isinstance(action, Draw) else CALL[seat]
        if doing not in view.legal or has_laid(view, seat) or goes_round(view):
            return
        if isinstance(action, Pass | Call) and public_of(view).calls[seat] >= view.rules.ruleset.calls.limit:
            return
        away, helps = helping(view, view.hand)
        if away == 0:
            return
        near, more = helping(view, (*view.hand, card))
        if isinstance(action, Call):
            self.chances["idle call"] += 1
            if near == away and more <= helps:
                yield Laughed("idle call", deal, action, PASS[seat])
        elif action != doing and near == away:
            kind = "opening not taken" if isinstance(action, Draw) else "opening not called"
            self.chances[kind] += 1
            if more - helps >= MANY:
                yield Laughed(kind, deal, action, doing)

    def _looks_at_throw(self, deal: Deal, view: View, thrown: Card) -> Iterator[Laughed]:
        seat = view.seat
        had, called = self.had.pop(seat, None), self.called.pop(seat, None)
        if had is not None and had[4] == thrown:
            kind, before, done, sensible, _ = had
            yield Laughed(kind, before, done, sensible)
        if has_laid(view, seat):
            return
        if called is not None:
            self.chances["called and thrown"] += 1
            if called[1] == thrown:
                yield Laughed("called and thrown", called[0], CALL[seat], PASS[seat])
        others = sorted({one.card for one in view.legal if isinstance(one, Discard)} - {thrown})
        kept = complete(view, without(view, thrown))
        if complete(view, view.hand) == kept:
            return
        self.chances["meld broken"] += 1
        whole = [card for card in others if complete(view, without(view, card)) > kept]
        if whole:
            weights = {one.card: one.total for one in Club("").weigh_throws(view)}
            best = max(whole, key=lambda card: (card != JOKER, weights.get(card, -1e9)))
            yield Laughed("meld broken", deal, DISCARD[seat][thrown], DISCARD[seat][best])


def helping(view: View, hand: tuple[Card, ...]) -> tuple[int, int]:
    """How far the hand is from the contract, and how many cards that nobody has seen bring it nearer."""
    away, helps = useful_cards(view.rules, view.contract, hand)
    unseen = unseen_copies(view)
    return away, sum(unseen[card] for card in helps)


def without(view: View, card: Card) -> tuple[Card, ...]:
    return tuple(hand_without(view.hand, (card,)) or ())


def complete(view: View, hand: tuple[Card, ...]) -> int:
    """How many melds of the contract the hand holds together."""
    contract = view.contract
    found = 0
    for sets in range(contract.sets + 1):
        for runs in range(contract.runs + 1):
            if sets + runs > found and holds(view.rules, Contract(cards=1, sets=sets, runs=runs), hand):
                found = sets + runs
    return found


def holds(rules: Rules, contract: Contract, hand: tuple[Card, ...]) -> bool:
    return distance(rules, contract, hand) == 0


def laughed_at(rules: Rules, shuffle: int, style: CoreSeat, counts: dict[str, Count]) -> None:
    """Play one deal, and value what is silly in it."""
    seats, contracts = rules.seats, len(rules.ruleset.deals)
    name, dealer = f"laughable/{shuffle}", shuffle % seats
    deal = dealt(rules, (shuffle - 1) % contracts + 1, dealer, name)
    styles, watch = [style] * seats, Watch()
    found: list[Laughed] = []
    for action, stock in play_deal(deal, styles=styles, seed=name).actions:
        before = deal.clone()
        found += watch.look(before, action)
        deal.next_stock = stock
        deal.apply(action)
    for one in found:
        counts[one.kind].costs.append(cost(one, styles, name))
    for kind, chances in watch.chances.items():
        counts[kind].chances += chances


def cost(one: Laughed, styles: list[CoreSeat], name: str) -> float:
    """Points by which what was done is worse than what was sensible."""
    done, sensible = in_the_real_hands(one.before, [one.done, one.sensible], styles, name, STOCKS)
    return done - sensible


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", nargs="+", default=["novice", "club", "expert"])
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--deals", type=int, default=500)
    given = parser.parse_args()
    rules = rules_of(given.ruleset)
    for level in given.levels:
        counts: dict[str, Count] = defaultdict(Count)
        for shuffle in range(FRESH, FRESH + given.deals):
            laughed_at(rules, shuffle, weights_of(level, given.ruleset), counts)
        print(f"{level}, {given.deals} deals:")
        for kind, count in sorted(counts.items()):
            each = f"{1000 * len(count.costs) / given.deals:6.0f} in 1,000 deals, of {count.chances} decisions"
            print(f"  {kind:20} {each}" + (f", costs {interval(count.costs)} each" if count.costs else ""), flush=True)


if __name__ == "__main__":
    main()
