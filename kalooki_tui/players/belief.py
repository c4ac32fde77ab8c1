"""Hidden cards dealt anew: whole deals that look to one seat as the real one does, with hands as they are likely to be.

Cards dealt by mere chance give the others hands that are far too poor: who has had five turns has a hand that is worth
something. So each hand that has not laid gets a distance from its contract as such hands have (`distances`), and cards
are swapped with the stock until it has it. What its seat took, threw and let pass counts as well, and that a seat which
has laid keeps what is cheap and fits nowhere (`hidden.leanings`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rebuilding import NOT_IN_PLAY, rebuild
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players.distances import draw_distance, usual_distances
from kalooki_tui.players.hidden import Hidden, leanings, what_is_hidden
from kalooki_tui.solver.away import cards_away
from kalooki_tui.solver.effort import Effort
from kalooki_tui.solver.shape import Counts, count_cards

#: Most cards swapped to bring one hand to its distance.
MOST_SWAPS: Final = 14
#: Swaps by chance for each hidden card of a hand, through which its leanings come to count.
SWEEPS: Final = 4
#: Steps that asking for one distance may take.
EFFORT: Final = 600
_FAR: Final = 1000


@dataclass(frozen=True, slots=True)
class World:
    """Hidden cards of one deal, those of the view's own seat among them."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat."""
    stock: tuple[Card, ...]
    """The top is the last."""
    pile: tuple[Card, ...]
    """The top is the last."""
    face_down: int
    """Cards at the bottom of the pile that nobody sees."""


class Belief:
    """What the view's seat may believe of the hidden cards; `world` draws one of many."""

    def __init__(self, view: View, *, matched: bool = True) -> None:
        """With `matched` false the hands are dealt by chance among all that is possible.

        Raises:
            ValueError: no deal is being played.
        """
        if view.phase in NOT_IN_PLAY:
            raise ValueError("no deal is being played: there are no hidden cards")
        self.view, self.matched = view, matched
        self.hidden: Hidden = what_is_hidden(view)
        seats = range(len(view.names))
        others = [seat for seat in seats if self.hidden.rooms[seat] and view.in_deal[seat]]
        self.leanings = {seat: leanings(view, self.hidden, seat) for seat in others}
        memory = self.hidden.memory
        self.distances = {
            seat: usual_distances(view.rules, view.deal, view.contract, memory.turns[seat], memory.calls[seat])
            for seat in others
            if view.laid[seat] is HasLaid.NO
        }

    def world(self, dice: random.Random) -> World:
        """Hidden cards, one draw; the same state of `dice` gives the same."""
        view, hidden = self.view, self.hidden
        if view.phase is Phase.CUT:
            stock = [card for card, copies in enumerate(hidden.pool) for _ in range(copies)]
            dice.shuffle(stock)
            return World(((),) * len(view.names), tuple(stock), (), 0)
        table = _Dealing(self, dice)
        if self.matched:
            for seat in dice.sample(list(self.leanings), len(self.leanings)):
                table.lean(seat)
                if self.distances.get(seat):
                    table.approach(seat, draw_distance(dice, self.distances[seat]))
        dice.shuffle(table.stock)
        hands = tuple(
            view.hand if seat == view.seat else tuple(hidden.known[seat] + table.hands[seat])
            for seat in range(len(view.names))
        )
        below = (*hidden.below, *table.below)
        return World(hands, tuple(table.stock), (*below, *hidden.pile), len(below))

    def deal(self, world: World, seed: str = "") -> Deal:
        """The whole deal with these hidden cards; `seed` names the random stream of a reshuffle to come."""
        return rebuild(self.view, world.hands, world.stock, world.pile, world.face_down, seed)


class _Dealing:
    """One draw while it is made."""

    def __init__(self, belief: Belief, dice: random.Random) -> None:
        self.belief, self.hidden, self.dice = belief, belief.hidden, dice
        self.hands: list[list[Card]] = [[] for _ in self.hidden.rooms]
        self.below: list[Card] = []
        self.stock: list[Card] = []
        self.in_stock = [0] * KINDS_OF_CARD
        self._deal()
        for card in self.stock:
            self.in_stock[card] += 1

    def _deal(self) -> None:
        """By chance, among all that is possible."""
        hidden, dice = self.hidden, self.dice
        cards = [card for card, copies in enumerate(hidden.pool) for _ in range(copies)]
        dice.shuffle(cards)
        size = self.belief.view.stock
        most = hidden.most_in_stock
        if most is None:
            self.stock, rest = cards[:size], cards[size:]
        else:
            room = most[:]
            rest = []
            for card in cards:
                if room[card] and len(self.stock) < size:
                    room[card] -= 1
                    self.stock.append(card)
                else:
                    rest.append(card)
            rest = self._deal_fresh(rest)
            dice.shuffle(rest)
        for seat, size in enumerate(hidden.rooms):
            more = size - len(self.hands[seat])
            self.hands[seat] += rest[:more]
            rest = rest[more:]
        self.below = rest

    def _deal_fresh(self, cards: list[Card]) -> list[Card]:
        """Give cards that were all in the stock at the reshuffle to seats that drew since; return the others."""
        hidden, dice = self.hidden, self.dice
        places = [seat for seat, size in enumerate(hidden.rooms) for _ in range(min(size, hidden.drawn[seat]))]
        dice.shuffle(places)
        rest = [card for card in cards if card not in hidden.fresh]
        for card in cards:
            if card not in hidden.fresh:
                continue
            if places:
                self.hands[places.pop()].append(card)
            else:
                # It is still in the stock, then, and another card of it is not.
                place = next(index for index, other in enumerate(self.stock) if other not in hidden.fresh)
                rest.append(self.stock[place])
                self.stock[place] = card
        return rest

    def lean(self, seat: int) -> None:
        """Swap cards of the hand with the stock by chance, so that likely ones become likelier."""
        if not self.stock:
            return
        dice, hand, weights = self.dice, self.hands[seat], self.belief.leanings[seat]
        for _ in range(SWEEPS * len(hand)):
            mine, other = dice.randrange(len(hand)), dice.randrange(len(self.stock))
            out, into = hand[mine], self.stock[other]
            if out != into and dice.random() * weights[out] < weights[into] and self._may_swap(seat, out, into):
                self._swap(seat, mine, other)

    def _may_swap(self, seat: int, out: Card, into: Card) -> bool:
        """Whether the seat could hold `into` and the stock `out` instead (S2)."""
        most, fresh = self.hidden.most_in_stock, self.hidden.fresh
        if most is None:
            return True
        if self.in_stock[out] >= most[out]:
            return False
        if into not in fresh or out in fresh:
            return True
        return sum(card in fresh for card in self.hands[seat]) < self.hidden.drawn[seat]

    def _swap(self, seat: int, mine: int, other: int) -> None:
        hand = self.hands[seat]
        self.in_stock[hand[mine]] += 1
        self.in_stock[self.stock[other]] -= 1
        hand[mine], self.stock[other] = self.stock[other], hand[mine]

    def approach(self, seat: int, wanted: int) -> None:
        """Swap cards with the stock until the hand is `wanted` cards away from its contract, as far as that can be."""
        counts = count_cards([*self.hidden.known[seat], *self.hands[seat]])
        away = self._away(counts, _FAR, 0)
        for _ in range(MOST_SWAPS):
            if away == wanted:
                return
            nearer = away > wanted
            if not (self._step_nearer(seat, counts, away) if nearer else self._step_further(seat, counts, away)):
                return
            away += -1 if nearer else 1

    def _away(self, counts: Counts, bound: int, floor: int) -> int:
        view = self.belief.view
        return cards_away(view.rules, view.contract, counts, bound, floor, Effort(EFFORT))

    def _likely_first(self, cards: list[Card], weights: list[float]) -> list[Card]:
        """The kinds of card but jokers, in an order drawn by their copies and weights.

        A joker helps every hand: swapping it in to bring a hand nearer would give jokers to all the good hands.
        """
        found: dict[Card, float] = {}
        dice = self.dice
        for card in cards:
            if card == JOKER:
                continue
            key = dice.random() / weights[card]
            if key < found.get(card, 1e9):
                found[card] = key
        return sorted(found, key=found.__getitem__)

    def _step_nearer(self, seat: int, counts: Counts, away: int) -> bool:
        """Swap one card so that the hand is one card nearer."""
        weights = self.belief.leanings[seat]
        unlikely = [1 / weight for weight in weights]
        for into in self._likely_first(self.stock, weights):
            counts[into] += 1
            if self._away(counts, away, away - 1) < away:
                for out in self._likely_first(self.hands[seat], unlikely):
                    if out == into or not self._may_swap(seat, out, into):
                        continue
                    counts[out] -= 1
                    if self._away(counts, away, away - 1) < away:
                        self._exchange(seat, out, into)
                        return True
                    counts[out] += 1
            counts[into] -= 1
        return False

    def _step_further(self, seat: int, counts: Counts, away: int) -> bool:
        """Swap one card so that the hand is one card further away."""
        weights = self.belief.leanings[seat]
        unlikely = [1 / weight for weight in weights]
        for out in self._likely_first(self.hands[seat], unlikely):
            counts[out] -= 1
            if self._away(counts, away + 1, away) > away:
                for into in self._likely_first(self.stock, weights):
                    if out == into or not self._may_swap(seat, out, into):
                        continue
                    counts[into] += 1
                    if self._away(counts, away + 1, away) > away:
                        self._exchange(seat, out, into)
                        return True
                    counts[into] -= 1
            counts[out] += 1
        return False

    def _exchange(self, seat: int, out: Card, into: Card) -> None:
        self._swap(seat, self.hands[seat].index(out), self.stock.index(into))
