"""Deal the hidden cards again: whole deals that look real to one seat, with likely hands.

    belief = Belief(view)
    worlds = belief.worlds(2000, "seed")
    margins = playouts(belief.start, worlds, ways, seat=view.seat)

Cards dealt purely at random give the others hands that are far too poor: after five turns a seat has collected
something. So each hand that has not laid gets a distance from its contract as such hands have (`distances`), by swaps
with the stock. What its seat took, threw and let pass counts as well, and that a seat which has laid keeps what is
cheap and fits nowhere (`hidden.leanings`). The native core deals (`core/sampler.c`); here is what it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from kalooki_tui.cards import KINDS_OF_CARD
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.moments import AFTER_DEAL
from kalooki_tui.engine.rebuilding import rebuild
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players.carelessness import carelessness, who_is_careless
from kalooki_tui.players.distances import usual_distances
from kalooki_tui.players.hidden import Hidden, leanings, what_is_hidden
from kalooki_tui.playouts import (
    CLUB,
    NOVICE,
    Cards,
    CoreSeat,
    Ending,
    Knowledge,
    Steps,
    Worlds,
    draw_worlds,
    endings,
)


class Belief:
    """The hidden cards as the view's seat may believe them to lie; `worlds` draws samples."""

    def __init__(self, view: View, *, matched: bool = True) -> None:
        """With `matched` false the hands are dealt by chance among all that is possible.

        Raises:
            ValueError: no deal is being played, or the dealer is to cut first.
        """
        if view.phase in (*AFTER_DEAL, Phase.CUT):
            raise ValueError("no deal is being played: there are no hidden cards")
        self.view, self.matched = view, matched
        self.hidden: Hidden = what_is_hidden(view)

    def worlds(self, count: int, seed: str = "", *, threads: int = 1, steps: Steps | None = None) -> Worlds:
        """Draw the hidden cards `count` times; the same seed gives the same worlds for any number of threads.

        `steps` counts the work.

        Raises:
            PlayoutFault: there is no native core, or it cannot play this contract.
        """
        return draw_worlds(self.start, self.knowledge, count, seed=seed, threads=threads, steps=steps)

    def deal(self, world: Cards, seed: str = "") -> Deal:
        """The whole deal with these hidden cards; `seed` names the random stream of a reshuffle to come."""
        view, pile = self.view, (*world.below, *self.hidden.pile)
        hands = [view.hand if seat == view.seat else hand for seat, hand in enumerate(world.hands)]
        return rebuild(view, hands, world.stock, pile, len(world.below), seed)

    @cached_property
    def start(self) -> Deal:
        """A deal in which all that is hidden lies anywhere: one to draw worlds for and to play them from."""
        hidden, size = self.hidden, self.view.stock
        cards = [card for card, copies in enumerate(hidden.pool) for _ in range(copies)]
        hands = []
        for known, room in zip(hidden.known, hidden.rooms, strict=True):
            hands.append((*known, *cards[:room]))
            cards = cards[room:]
        return self.deal(Cards(hands, cards[:size], (*hidden.public.below, *cards[size:])))

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
    ) -> list[list[Ending]]:
        """What each way comes to in the same likely worlds, by way and world. All that plays choices on does it here.

        The view's seat plays on as `own` and each other one as `others`, but as a novice in as many worlds as it seems
        careless (`carelessness`). Each draws from its own part of the stock, so that two ways differ by less luck.
        `drawing`, `playing`: count what it takes; the rest as `playouts.endings`.

        Raises:
            PlayoutFault: there is no native core, it cannot play this contract, or it gave up.
            ValueError: nothing can be played on from this moment.
        """
        worlds, first = self.worlds(count, seed, threads=threads, steps=drawing), 0
        found: list[list[Ending]] = [[] for _ in ways]
        for careless, size in who_is_careless(self._carelessness, count, seed).items():
            styles = [NOVICE if one else others for one in careless]
            styles[self.view.seat] = own
            some, name = worlds[first : first + size], f"{seed}/{first}" if first else seed
            more = endings(self.start, some, ways, styles=styles, seed=name, threads=threads, apart=True, steps=playing)
            for before, by_world in zip(found, more, strict=True):
                before.extend(by_world)
            first += size
        return found

    @cached_property
    def _carelessness(self) -> list[float]:
        return carelessness(self.view)

    @cached_property
    def knowledge(self) -> Knowledge:
        """The input of the core."""
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
