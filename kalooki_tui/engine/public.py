"""A deal as everybody can know it (V1): the only fold of its public events, which all who reason about cards read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Event, History
from kalooki_tui.engine.permissions import Seen, next_seat
from kalooki_tui.engine.rules import Rules

if TYPE_CHECKING:
    from kalooki_tui.engine.view import View


def public_of(deal: Seen) -> Public:
    """Return the fold of a deal's events, made only once for a view: do not change it."""
    history = deal.history
    if not isinstance(history, History):
        return Public(deal.rules, deal.in_deal, history)
    if history.fold is None:
        history.fold = Public(deal.rules, deal.in_deal, history)
    found: Public = history.fold
    return found


class Public:
    """Fold of a deal's public events. Lists have an entry a seat unless said otherwise."""

    __slots__ = (
        "_events", "_in_deal", "_live", "_packs", "_takes", "_turn", "added_on", "bad_lays", "below", "bent", "callers",
        "calls", "cut_exactly", "drawn", "flip", "found", "fresh", "idle_turns", "on_table", "open_draw", "passed",
        "passed_now", "passed_since", "pile", "stocked", "taken", "throwers", "thrown", "turns", "was_taken",
    )  # fmt: skip

    def __init__(self, rules: Rules, in_deal: Sequence[bool], events: Sequence[Event]) -> None:
        seats = rules.seats
        self.calls = [0] * seats
        """Successful calls (C5); exact, since every call is public."""
        self.found = [0] * seats
        """Over-calls found by challenges so far (D23)."""
        self.taken: list[list[Card]] = [[] for _ in range(seats)]
        """Cards taken in the open and not seen to leave the hand since."""
        self.thrown: list[list[Card]] = [[] for _ in range(seats)]
        self.passed: list[list[Card]] = [[] for _ in range(seats)]
        """Open cards the seat could have had and let go."""
        self.passed_since: list[list[Card]] = [[] for _ in range(seats)]
        """Of these, the ones since its hand last changed."""
        self.turns = [0] * seats
        self.drawn = [0] * seats
        """Cards drawn from the stock since it was last made."""
        self.pile: list[Card] = []
        """Discard pile where it lies face up, the top last."""
        self.below: list[Card] = []
        """Known cards that lie face down under it (F3)."""
        self.flip: Card | None = None
        self.throwers: list[int | None] = []
        """Who threw the cards thrown and not taken since; None: nobody (D2)."""
        self.was_taken = False
        self.stocked: list[int] | None = None
        """By card: copies in the stock when it was made of a pile that everybody saw (S2); None: not known."""
        self.fresh: frozenset[Card] = frozenset()
        """Cards of which every hidden copy was in the stock then."""
        self.on_table = [0] * KINDS_OF_CARD
        """By card: copies laid and added, jokers where they were put."""
        self.passed_now: set[int] = set()
        """Seats that have passed the open card since the turn began."""
        self.callers: list[int] = []
        """Seats that have called the open card, while others are asked yet (H3); not by seat."""
        self.open_draw: tuple[int, Card] | None = None
        """Seat that drew an open card in this turn, and the card; None: another draw, or a refused call."""
        self._events = events
        self.added_on: set[int] = set()
        self.bad_lays: set[int] = set()
        """Seats charged for a lay-down that was not the contract (F1)."""
        self.cut_exactly: int | None = None
        self.bent = False
        self.idle_turns = 0
        """Turns since melds were last laid (D33)."""
        self._packs, self._takes = rules.packs, rules.ruleset.draw.offer == "take"
        self._in_deal, self._turn, self._live = list(in_deal), -1, True
        if not all(in_deal):
            for event in events:
                if isinstance(event, happened.DroppedOut):
                    self._in_deal[event.seat] = True
        for event in events:
            self.follow(event)

    def follow(self, event: Event) -> None:
        _READERS.get(type(event), Public._noted)(self, event)

    @property
    def known_pile(self) -> list[Card]:
        return [*self.below, *self.pile]

    @property
    def circling(self) -> int:
        """Discards since anything but open cards went round."""
        discards = 0
        for event in reversed(self._events):
            is_draw = isinstance(event, happened.Drew) and event.source is not Source.STOCK
            if isinstance(event, happened.Discarded):
                discards += 1
            elif not is_draw and not isinstance(event, happened.Passed | happened.Called | happened.CallRefused):
                break
        return discards

    def drawn_in_the_open(self, seat: int) -> Card | None:
        """Return the open card drawn by the seat in its present turn; None: another draw, or a refused call."""
        return self.open_draw[1] if self.open_draw is not None and self.open_draw[0] == seat else None

    def _noted(self, event: Event) -> None:
        match event:
            case happened.Called(seat=seat):
                self.callers.append(seat)
            case happened.AddedOn(seat=seat):
                self.added_on.add(seat)
            case happened.Challenged(target=target, found=found):
                self.found[target] += max(0, found)
            case happened.Charged(seat=seat, clause="F1"):
                self.bad_lays.add(seat)
            case happened.CutMade(seat=seat, exact=True):
                self.cut_exactly = seat
            case happened.PenaltyCard(seat=seat):
                self.drawn[seat] += 1
            case happened.TurnEnded(seat=seat):
                self._turn_over(seat)
                self._live = False
            case happened.WentOut(bent=bent):
                self.bent, self.idle_turns = bent, 0

    def _dealt(self, event: happened.Dealt) -> None:
        self.pile.append(event.card)
        self.throwers.append(None)
        self._live, self._turn = True, event.turn

    def _passed(self, event: happened.Passed) -> None:
        seat = event.seat
        self.passed_now.add(seat)
        card = self.flip if self.flip is not None else self.pile[-1] if self.pile else None
        if card is not None:
            self.passed[seat].append(card)
            self.passed_since[seat].append(card)

    def _allowed(self, event: happened.CallAllowed) -> None:
        self.calls[event.caller] += 1
        self._call_answered(event.caller, event.card)

    def _refused(self, event: happened.CallRefused) -> None:
        self.turns[event.seat] += 1
        self.open_draw = None
        self._call_answered(event.seat, event.card)

    def _call_answered(self, seat: int, card: Card) -> None:
        self.was_taken, self.callers = True, []
        if self.flip is None:
            del self.throwers[-1:]
        self._take(seat, card)
        self._live = False

    def _drew(self, event: happened.Drew) -> None:
        seat, card = event.seat, event.card
        self.turns[seat] += 1
        if event.source is not Source.STOCK and card is not None:
            self.open_draw = seat, card
            if event.source is Source.DISCARD:
                self.was_taken = True
                del self.throwers[-1:]
            self._take(seat, card)
            return
        self.open_draw = None
        self.drawn[seat] += 1
        if self.flip is not None:
            self.passed[seat].append(self.flip)
            self._bury_flip()
        elif self._live and self._takes and self.pile:
            self.passed[seat].append(self.pile[-1])
        self.passed_since[seat] = []

    def _flipped(self, event: happened.Flipped) -> None:
        self.passed_now = set()
        self.open_draw = None
        if event.given is None:
            self.flip = event.card
        else:
            self.turns[event.given] += 1
            self.drawn[event.given] += 1
            self.taken[event.given].append(event.card)

    def _laid(self, event: happened.Laid | happened.Tacked) -> None:
        if isinstance(event, happened.Laid):
            self.idle_turns = 0
        for card in event.cards:
            self.on_table[card] += 1
        self._leave(event.seat, event.cards)

    def _swapped(self, event: happened.Swapped) -> None:
        self.on_table[event.card] += 1
        self._leave(event.seat, (event.card,))
        if event.freed is not None:
            self.on_table[event.freed] -= 1
            self.taken[event.seat].append(event.freed)

    def _discarded(self, event: happened.Discarded) -> None:
        seat, card = event.seat, event.card
        self.pile.append(card)
        self.thrown[seat].append(card)
        self.throwers.append(seat)
        self._leave(seat, (card,))
        self.passed_since[seat] = []
        self._turn_over(seat)
        self._live = True

    def _turn_over(self, seat: int) -> None:
        self.passed_now, self.open_draw = set(), None
        self.idle_turns += 1
        self._turn = next_seat(self._in_deal, seat)

    def _dropped_out(self, event: happened.DroppedOut) -> None:
        seat = event.seat
        self.below += self.taken[seat]
        self.taken[seat] = []
        self._in_deal[seat] = False
        if seat in self.callers:
            self.callers.remove(seat)
        if seat == self._turn:
            # The next seat's turn begins with the same card, and all are asked again (D23).
            self.passed_now, self.callers, self._turn = set(), [], next_seat(self._in_deal, seat)

    def _reshuffled(self, event: happened.Reshuffled) -> None:
        """Make the pile except its top the stock (S2); if everybody saw all of it, its cards are known."""
        self._bury_flip()
        kept = self.pile[-1:]
        shuffled = [*self.below, *self.pile[:-1]]
        self.stocked, self.fresh = None, frozenset()
        if len(shuffled) == event.size:
            self.stocked = [0] * KINDS_OF_CARD
            for card in shuffled:
                self.stocked[card] += 1
            seen = (self.stocked[card] + kept.count(card) + self.on_table[card] for card in range(JOKER))
            self.fresh = frozenset(card for card, copies in enumerate(seen) if copies == self._packs)
        self.pile, self.below = kept, []
        self.drawn = [0] * len(self.drawn)

    def _take(self, seat: int, card: Card) -> None:
        if self.flip is not None:
            self.flip = None
        elif self.pile:
            self.pile.pop()
        self.taken[seat].append(card)
        self.passed_since[seat] = []

    def _bury_flip(self) -> None:
        """Put a flip that nobody took on the pile (U4)."""
        if self.flip is not None:
            self.pile.append(self.flip)
            self.throwers.append(None)
            self.flip = None

    def _leave(self, seat: int, cards: tuple[Card, ...]) -> None:
        taken = self.taken[seat]
        for card in cards:
            if card in taken:
                taken.remove(card)


def unseen_copies(view: View) -> list[int]:
    """Count the copies of each card that may be in the stock or, unseen, in another hand (V1)."""
    rules, public = view.rules, public_of(view)
    left = rules.copies
    gone = [*view.hand, *public.known_pile]
    for meld in view.melds:
        gone += meld.cards
    for seat, taken in enumerate(public.taken):
        if seat != view.seat:
            gone += taken
    if public.flip is not None:
        gone.append(public.flip)
    for card in gone:
        if left[card]:
            left[card] -= 1
    return left


#: Readers of frequent events and of long ones; `_noted` reads the others.
_READERS: Final[dict[type[Event], Callable[[Public, Any], None]]] = {
    happened.CallAllowed: Public._allowed,
    happened.CallRefused: Public._refused,
    happened.Dealt: Public._dealt,
    happened.Discarded: Public._discarded,
    happened.Drew: Public._drew,
    happened.DroppedOut: Public._dropped_out,
    happened.Flipped: Public._flipped,
    happened.Laid: Public._laid,
    happened.Passed: Public._passed,
    happened.Reshuffled: Public._reshuffled,
    happened.Swapped: Public._swapped,
    happened.Tacked: Public._laid,
}
