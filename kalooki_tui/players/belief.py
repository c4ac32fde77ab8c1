"""Hidden cards dealt again: whole deals that look real to one seat, with likely hands.

    belief = Belief(view)
    worlds = belief.worlds(2000, "seed")
    by_way = endings(belief.start, worlds, ways)

Cards dealt purely at random give the others hands that are far too poor: after five turns a seat has collected
something. So each hand that has not laid is brought to a usual distance from its contract (`Knowledge.usual`), by
swaps with the stock. What its seat took, threw and let pass counts as well, and that a seat which has laid keeps what
is cheap and fits nowhere (`Knowledge.leanings`). The native core deals (`core/sampler.c`); here is what it is told.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, Card
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.permissions import AFTER_DEAL
from kalooki_tui.engine.public import Public, public_of
from kalooki_tui.engine.reconstruction import rebuild
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players.endgame import fits
from kalooki_tui.players.numbers import added_up, power_of_e
from kalooki_tui.playouts import (
    CLUB,
    NOVICE,
    Cards,
    CoreSeat,
    Knowledge,
    PlayoutResult,
    Steps,
    Worlds,
    draw_worlds,
    endings,
)
from kalooki_tui.rulesets.model import Contract, RunRules


class Belief:
    """Hidden cards as the view's seat may believe them to lie; `worlds` draws samples."""

    def __init__(self, view: View, *, matched: bool = True) -> None:
        """Raise ValueError outside play, or before the cut; unless `matched`, hands are dealt by chance."""
        if view.phase in (*AFTER_DEAL, Phase.CUT):
            raise ValueError("no deal is being played: there are no hidden cards")
        self.view, self.matched = view, matched
        self.hidden: Hidden = what_is_hidden(view)

    def worlds(self, count: int, seed: str = "", *, threads: int = 1, steps: Steps | None = None) -> Worlds:
        """Draw the hidden cards `count` times; the same seed gives the same worlds; PlayoutFault without a core."""
        return draw_worlds(self.start, self.knowledge, count, seed=seed, threads=threads, steps=steps)

    def deal(self, world: Cards, seed: str = "") -> Deal:
        """Rebuild the deal with these hidden cards; `seed` names the random stream of a reshuffle to come."""
        view, pile = self.view, (*world.below, *self.hidden.pile)
        hands = [view.hand if seat == view.seat else hand for seat, hand in enumerate(world.hands)]
        return rebuild(view, hands, world.stock, pile, len(world.below), seed)

    @cached_property
    def start(self) -> Deal:
        """Deal in which hidden cards lie anywhere: one to draw worlds for and to play them from."""
        return self.dealt()

    def dealt(self, seed: str = "") -> Deal:
        """Deal the hidden cards by chance, or without a seed in their order."""
        hidden, size = self.hidden, self.view.stock
        cards = [card for card, copies in enumerate(hidden.pool) for _ in range(copies)]
        if seed:
            random.Random(f"{seed}/hidden").shuffle(cards)
        hands = []
        for known, room in zip(hidden.known, hidden.rooms, strict=True):
            hands.append((*known, *cards[:room]))
            cards = cards[room:]
        return self.deal(Cards(hands, cards[:size], (*hidden.public.below, *cards[size:])), seed)

    def played_out(
        self,
        ways: Sequence[Sequence[Action]],
        count: int,
        seed: str,
        *,
        own: CoreSeat = CLUB,
        others: CoreSeat = CLUB,
        threads: int = 1,
        drawing: Steps | None = None,
        playing: Steps | None = None,
    ) -> list[list[PlayoutResult]]:
        """Return the endings of each way in the same likely worlds, by way and world. All playouts of choices run here.

        The view's seat plays on as `own` and each other one as `others`, but as a novice in as many worlds as it seems
        careless (`carelessness`). Each draws from its own part of the stock, so that two ways differ by less luck.
        `drawing`, `playing`: count what it takes; the rest as `playouts.endings`.

        Raises:
            PlayoutFault: there is no native core, it cannot play this contract, or it gave up.
            ValueError: nothing can be played on from this moment.
        """
        worlds, first = self.worlds(count, seed, threads=threads, steps=drawing), 0
        found: list[list[PlayoutResult]] = [[] for _ in ways]
        for careless, size in who_is_careless(carelessness(self.view), count, seed).items():
            styles = [NOVICE if one else others for one in careless]
            styles[self.view.seat] = own
            some, name = worlds[first : first + size], f"{seed}/{first}" if first else seed
            more = endings(self.start, some, ways, styles=styles, seed=name, threads=threads, apart=True, steps=playing)
            for before, by_world in zip(found, more, strict=True):
                before.extend(by_world)
            first += size
        return found

    @cached_property
    def knowledge(self) -> Knowledge:
        view, hidden = self.view, self.hidden
        seats, public = range(len(view.names)), hidden.public
        not_laid = [
            self.matched and bool(hidden.rooms[seat]) and view.in_deal[seat] and view.laid[seat] is HasLaid.NO
            for seat in seats
        ]
        return Knowledge(
            seat=view.seat,
            rooms=hidden.rooms,
            drawn=public.drawn,
            usual=[
                usual_distances(view.rules, view.deal, view.contract, public.turns[seat], public.calls[seat])
                if not_laid[seat]
                else ()
                for seat in seats
            ],
            passed=[public.passed_since[seat] if not_laid[seat] else () for seat in seats],
            leanings=[
                leanings(view, hidden, seat) if self.matched and hidden.rooms[seat] else [1.0] * KINDS_OF_CARD
                for seat in seats
            ],
            pool=hidden.pool,
            unknown_below=hidden.unknown_below,
            most_in_stock=public.stocked,
            fresh=public.fresh,
        )


#: How a card goes with one that its seat took, threw or let pass, the closest first: the same face, the same rank, or
#: one, two or three places away in the suit.
RELATIONS: Final = 5
#: How many times as likely as by chance a hand holds a card so related to one that its seat took, threw or let pass, in
#: contracts of runs alone and of sets alone; contracts of both lie between. Chosen so that worlds hold as many such
#: cards as the hands of Jamaican club players do.
TAKEN: Final = ((0.1, 2.2), (1.05, 2.3), (2.6, 1.0), (1.95, 1.2), (1.1, 0.85))
THROWN: Final = ((2.0, 0.75), (1.0, 0.95), (0.5, 1.0), (0.7, 1.0), (0.65, 1.0))
PASSED: Final = ((1.0, 0.65), (0.92, 0.65), (0.6, 1.03), (0.8, 1.05), (1.0, 1.0))
#: A joker: whoever has one lays sooner, so the more turns a seat has had without laying, the less likely it has one.
KEPT: Final = 1.25
LESS_KEPT: Final = 0.06
LEAST_KEPT: Final = 0.8
#: In a hand that has laid each point of a card makes it so much less likely, up to the points of a dear card (in
#: Jamaican matches twos are there six times as often as tens), and a card that fits on the table is hardly ever there.
CHEAPER: Final = 0.3
DEAR: Final = 10
FITTING: Final = 0.1
#: How many of a seat's throws and passes count, the last ones.
RECENT: Final = 8


@dataclass(slots=True)
class Hidden:
    """Places of hidden cards, from one view. Lists have an entry a seat unless said otherwise."""

    public: Public
    known: list[list[Card]]
    """Cards known to be in other seats' hands; none for the view's own seat and seats out of the deal."""
    rooms: list[int]
    pool: list[int]
    pile: list[Card]
    """Cards of the discard pile that lie face up, the top last; a position's events tell of none."""
    unknown_below: int


def what_is_hidden(view: View) -> Hidden:
    public, seats = public_of(view), len(view.names)
    known = [[] if seat == view.seat else taken for seat, taken in enumerate(public.taken)]
    rooms = [0 if seat == view.seat else view.hand_sizes[seat] - len(known[seat]) for seat in range(seats)]
    pool = view.rules.copies
    pile = public.pile or ([] if view.discard is None else [view.discard])
    seen = [*view.hand, *public.below, *pile, *([] if view.flip is None else [view.flip])]
    for cards in (seen, *known, *(meld.cards for meld in view.melds)):
        for card in cards:
            pool[card] -= 1
    return Hidden(public, known, rooms, pool, pile, view.pile - len(pile) - len(public.below))


def leanings(view: View, hidden: Hidden, seat: int) -> list[float]:
    """Return by card how much likelier than by chance the seat holds it, from what it took, threw and let pass."""
    if view.laid[seat] is not HasLaid.NO:
        return _leanings_once_laid(view, seat)
    runs = view.rules.ruleset.runs
    public, sets, melds = hidden.public, view.contract.sets, view.contract.sets + view.contract.runs
    # A contract in points (L5) is half sets.
    share = sets / melds if melds else 0.5
    found = [1.0] * KINDS_OF_CARD
    found[JOKER] = max(LEAST_KEPT, KEPT - LESS_KEPT * public.turns[seat])
    for cards, ends in (
        (public.taken[seat], TAKEN),
        (public.thrown[seat][-RECENT:], THROWN),
        (public.passed[seat][-RECENT:], PASSED),
    ):
        closest: dict[Card, int] = {}
        for card in set(cards) - {JOKER}:
            for other, relation in _relatives(card, runs):
                closest[other] = min(relation, closest.get(other, RELATIONS))
        for card, relation in closest.items():
            in_runs, in_sets = ends[relation]
            found[card] *= in_runs + (in_sets - in_runs) * share
    return found


def _leanings_once_laid(view: View, seat: int) -> list[float]:
    rules = view.rules
    found = [power_of_e(-CHEAPER * min(value, DEAR)) for value in rules.values]
    for card in range(KINDS_OF_CARD):
        if any(fits(rules, seat, meld, card) for meld in view.melds):
            found[card] *= FITTING
    return found


@cache
def _relatives(card: Card, runs: RunRules) -> tuple[tuple[Card, int], ...]:
    of_rank = [(other, int(other != card)) for other in range(JOKER) if RANK[other] == RANK[card]]
    of_suit = [(other, runs.apart(other, card)) for other in range(JOKER) if SUIT[other] == SUIT[card]]
    return (*of_rank, *((other, apart + 1) for other, apart in of_suit if 0 < apart < RELATIONS - 1))


#: The logarithm of the odds that a seat is a novice, before anything has been seen of it: one in four.
CARELESS_BEFORE: Final = -1.1
#: What is added for each of the `signs`.
CARELESS_WEIGHTS: Final = (0.15, -0.47, 1.36, -0.33)
#: Where it is less likely than that, a seat counts as a club player in all worlds; more likely, as a novice in most.
LEAST_CARELESS: Final = 0.3
MOST_CARELESS: Final = 0.9


def carelessness(view: View) -> list[float]:
    """Return by seat the share of worlds in which it plays on as a novice; 0 for the view's own seat."""
    others = [view.in_deal[seat] and seat != view.seat for seat in range(len(view.names))]
    return [_share(view, seat) if is_asked_about else 0.0 for seat, is_asked_about in enumerate(others)]


def signs(view: View, seat: int) -> tuple[float, ...]:
    """Return signs of carelessness: points lost beside ours, throws after the first, dear after cheap ones, calls."""
    public = public_of(view)
    thrown = [view.rules.values[card] for card in public.thrown[seat]]
    average = sum(view.totals) / len(view.totals)
    standing = (view.deal - 1) * (view.totals[seat] - view.totals[view.seat]) / max(1.0, average)
    return standing, max(0, len(thrown) - 1), sum(one < other for one, other in pairwise(thrown)), public.calls[seat]


def _share(view: View, seat: int) -> float:
    odds = CARELESS_BEFORE + added_up(
        weight * sign for weight, sign in zip(CARELESS_WEIGHTS, signs(view, seat), strict=True)
    )
    against = power_of_e(-abs(odds))
    share = (against if odds < 0 else 1.0) / (1.0 + against)
    return min(share, MOST_CARELESS) if share >= LEAST_CARELESS else 0.0


def who_is_careless(shares: Sequence[float], worlds: int, seed: str) -> Counter[tuple[bool, ...]]:
    """Count the worlds by the seats that play on as novices: each in its share of them, as near as can be."""
    dice = random.Random(seed)
    columns = []
    for share in shares:
        count = int(share * worlds + dice.random()) if share else 0
        column = [True] * count + [False] * (worlds - count)
        if 0 < count < worlds:
            dice.shuffle(column)
        columns.append(column)
    return Counter(zip(*columns, strict=True))


#: Later turns and further calls are counted with these.
MOST_TURNS: Final = 12
MOST_CALLS: Final = 3
#: Hands a cell should have been counted from; what lacks comes from its neighbours.
ENOUGH: Final = 40
TABLES: Final = Path(__file__).with_name("tables")
#: The ruleset whose tables serve one that has none of its own, where it has the same contract.
USUAL: Final = "jamaican"

Cells = tuple[tuple[tuple[int, ...], ...], ...]
"""By turns and calls: counts of the distances from 0 up."""


@lru_cache(maxsize=16)
def _deals(ruleset: str) -> tuple[Cells, ...]:
    path = TABLES / f"{ruleset}.json"
    if not path.is_file():
        return ()
    deals = json.loads(path.read_text(encoding="utf-8"))["deals"]
    return tuple(tuple(tuple(tuple(counts) for counts in rows) for rows in turns) for turns in deals)


def _cells(rules: Rules, deal: int, contract: Contract) -> Cells:
    """Return the counts of a contract; those of the usual ruleset where this one has none."""
    own = _deals(rules.ruleset.id)
    if own:
        return own[min(deal, len(own)) - 1]
    kinds = [(3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]
    asked = (contract.sets, contract.runs)
    return _deals(USUAL)[kinds.index(asked)] if asked in kinds and not contract.points else ()


@lru_cache(maxsize=4096)
def _pooled(cells: Cells, turns: int, calls: int) -> tuple[int, ...]:
    """Return the counts of a cell; where they are few, add its neighbours' in turns, then in calls."""
    total: list[int] = []
    order = sorted(
        ((turn, call) for turn in range(len(cells)) for call in range(len(cells[turn]))),
        key=lambda cell: (2 * abs(cell[1] - calls) + abs(cell[0] - turns), cell),
    )
    for turn, call in order:
        if sum(total) >= ENOUGH:
            break
        counts = cells[turn][call]
        total += [0] * (len(counts) - len(total))
        for away, count in enumerate(counts):
            total[away] += count
    return tuple(total)


def usual_distances(rules: Rules, deal: int, contract: Contract, turns: int, calls: int) -> Sequence[int]:
    """Return how often a hand was 0, 1, 2, … cards away; empty where nobody has counted."""
    cells = _cells(rules, deal, contract)
    return _pooled(cells, min(turns, MOST_TURNS), min(calls, MOST_CALLS)) if cells else ()
