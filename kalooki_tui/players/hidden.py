"""What a seat knows of the cards it does not see: where they may lie, and where they hardly do (V1, V2)."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, Card
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import (
    CallAllowed,
    CallRefused,
    Dealt,
    Discarded,
    Drew,
    DroppedOut,
    Event,
    Flipped,
    Laid,
    Passed,
    PenaltyCard,
    Reshuffled,
    Swapped,
    Tacked,
    TurnEnded,
)
from kalooki_tui.engine.history import History
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.memory import Memory, remember
from kalooki_tui.players.shedding import fits
from kalooki_tui.values import dataclass

#: How much likelier than by chance a hand holds a card that goes with one the seat took, threw or let pass, as counted
#: in matches of club players (Jamaican: 1.4 to 2.1, 0.3 to 0.65, 0.7 to 0.9; Trinidad much the same).
TAKEN: Final = 1.6
THROWN: Final = 0.5
PASSED: Final = 0.85
#: The same card as one it took, where it is of no use twice: only runs are asked for.
TWICE: Final = 0.1
#: A joker: whoever has one lays sooner, so the more turns a seat has had without laying, the less likely it has one.
KEPT: Final = 0.95
LESS_KEPT: Final = 0.06
LEAST_KEPT: Final = 0.6
#: In a hand that has laid each point of a card makes it so much less likely, up to the points of a dear card (in
#: Jamaican matches twos are there six times as often as tens), and a card that fits on the table is hardly ever there.
CHEAPER: Final = 0.3
DEAR: Final = 10
FITTING: Final = 0.1
#: How many of a seat's throws and passes count, the last ones.
RECENT: Final = 8


@dataclass(slots=True)
class Hidden:
    """Where hidden cards may lie, from one view. Lists have an entry a seat unless said otherwise."""

    memory: Memory
    known: list[list[Card]]
    """Cards that are known to be in other seats' hands; of the view's own seat and of seats out of the deal none."""
    rooms: list[int]
    """How many hidden cards each hand holds."""
    pool: list[int]
    """By card: copies that are hidden."""
    pile: list[Card]
    """The discard pile where it lies face up, the top last."""
    below: list[Card]
    """Known cards that lie face down under it (F3)."""
    unknown_below: int
    """Other cards there."""
    passed: list[list[Card]]
    """Open cards the seat could have had and let go."""
    passed_since: list[list[Card]]
    """Of these, the ones since its hand last changed."""
    most_in_stock: list[int] | None
    """By card: copies that the stock can hold, since it was made of a pile that everybody saw (S2); None: any."""
    fresh: frozenset[Card]
    """Cards of which every hidden copy was in the stock at the last reshuffle."""
    drawn: list[int]
    """Cards drawn from the stock since then, in all."""


def what_is_hidden(view: View) -> Hidden:
    """Read the view and its events."""
    memory, seats = remember(view), len(view.names)
    reader = _Reader(view)
    for number, event in enumerate(view.history):
        reader.note(number, event)
    known = [[] if seat == view.seat else taken[:] for seat, taken in enumerate(memory.taken)]
    rooms = [0 if seat == view.seat else view.hand_sizes[seat] - len(known[seat]) for seat in range(seats)]
    pool = [view.rules.packs] * (KINDS_OF_CARD - 1) + [view.rules.jokers]
    seen = [*view.hand, *reader.pile, *reader.below, *([] if view.flip is None else [view.flip])]
    for cards in (seen, *known, *(meld.cards for meld in view.melds)):
        for card in cards:
            pool[card] -= 1
    return Hidden(
        memory=memory,
        known=known,
        rooms=rooms,
        pool=pool,
        pile=reader.pile,
        below=reader.below,
        unknown_below=view.pile - len(reader.pile) - len(reader.below),
        passed=reader.passed,
        passed_since=reader.passed_since,
        most_in_stock=reader.stocked,
        fresh=reader.fresh,
        drawn=reader.drawn,
    )


class _Reader:
    """Follows the pile, the passes and the stock through the events."""

    def __init__(self, view: View) -> None:
        seats = len(view.names)
        self.view = view
        self.pile: list[Card] = []
        self.below: list[Card] = []
        self.flip: Card | None = None
        self.passed: list[list[Card]] = [[] for _ in range(seats)]
        self.passed_since: list[list[Card]] = [[] for _ in range(seats)]
        self.stocked: list[int] | None = None
        self.fresh: frozenset[Card] = frozenset()
        self.drawn = [0] * seats
        self.on_table = [0] * KINDS_OF_CARD
        self.takes = view.rules.ruleset.draw.offer == "take"
        self.live = True
        """Whether the turn seat could have drawn the top discard."""

    def note(self, number: int, event: Event) -> None:
        """Take event `number` into account."""
        match event:
            case Dealt(card=card):
                self.pile.append(card)
                self.live = True
            case Discarded(seat=seat, card=card):
                self.pile.append(card)
                self.live = True
                self.passed_since[seat] = []
            case TurnEnded():
                self.live = False
            case Passed(seat=seat):
                self._let_go(seat)
            case Drew(seat=seat, source=source):
                self._drew(seat, source)
            case CallAllowed(caller=seat) | CallRefused(seat=seat):
                self._take()
                self.live = False
                self.passed_since[seat] = []
            case PenaltyCard(seat=seat):
                self.drawn[seat] += 1
            case Flipped(card=card, given=given):
                if given is None:
                    self.flip = card
                else:
                    self.drawn[given] += 1
            case Laid(cards=cards) | Tacked(cards=cards):
                for card in cards:
                    self.on_table[card] += 1
            case Swapped(card=card):
                self.on_table[card] += 1
            case Reshuffled(size=size):
                self._reshuffled(size)
            case DroppedOut(seat=seat):
                before = replace(self.view, history=History(list(self.view.history[:number])))
                self.below += remember(before).taken[seat]
            case _:
                pass

    def _let_go(self, seat: int) -> None:
        card = self.flip if self.flip is not None else self.pile[-1] if self.pile else None
        if card is not None:
            self.passed[seat].append(card)
            self.passed_since[seat].append(card)

    def _take(self) -> None:
        if self.flip is not None:
            self.flip = None
        elif self.pile:
            self.pile.pop()

    def _drew(self, seat: int, source: Source) -> None:
        if source is not Source.STOCK:
            self._take()
            self.passed_since[seat] = []
            return
        self.drawn[seat] += 1
        if self.flip is not None:
            self._let_go(seat)
            self.pile.append(self.flip)
            self.flip = None
        elif self.live and self.takes:
            self._let_go(seat)
        self.passed_since[seat] = []

    def _reshuffled(self, size: int) -> None:
        """The pile but for its top is the stock now (S2): if everybody saw all of it, it is known what that holds."""
        if self.flip is not None:
            self.pile.append(self.flip)
            self.flip = None
        kept = self.pile[-1:]
        shuffled = [*self.below, *self.pile[: len(self.pile) - len(kept)]]
        self.stocked, self.fresh = None, frozenset()
        if len(shuffled) == size:
            self.stocked = [0] * KINDS_OF_CARD
            for card in shuffled:
                self.stocked[card] += 1
            packs = self.view.rules.packs
            in_hands = [packs - self.stocked[card] - kept.count(card) - self.on_table[card] for card in range(JOKER)]
            self.fresh = frozenset(card for card, copies in enumerate(in_hands) if copies == 0)
        self.pile, self.below = kept, []
        self.drawn = [0] * len(self.drawn)


def leanings(view: View, hidden: Hidden, seat: int) -> list[float]:
    """By card: how many times as likely as by chance the seat holds it, from what it took, threw and let pass."""
    if view.laid[seat] is not HasLaid.NO:
        return _leanings_once_laid(view, seat)
    contract = view.contract
    for_sets, for_runs = bool(contract.sets or contract.points), bool(contract.runs or contract.points)
    found = [1.0] * KINDS_OF_CARD
    memory = hidden.memory
    found[JOKER] = max(LEAST_KEPT, KEPT - LESS_KEPT * memory.turns[seat])
    for cards, times in (
        (memory.taken[seat], TAKEN),
        (memory.thrown[seat][-RECENT:], THROWN),
        (hidden.passed[seat][-RECENT:], PASSED),
    ):
        kinds = set(cards)
        for card in range(JOKER):
            if any(_goes_with(card, other, for_sets, for_runs) for other in kinds):
                found[card] *= times
    if not for_sets:
        for card in memory.taken[seat]:
            found[card] *= TWICE
    return found


def _leanings_once_laid(view: View, seat: int) -> list[float]:
    """What is left is cheap, and fits nowhere on the table."""
    rules = view.rules
    found = [exp(-CHEAPER * min(value, DEAR)) for value in rules.values]
    for card in range(KINDS_OF_CARD):
        if any(fits(rules, seat, meld, card) for meld in view.melds):
            found[card] *= FITTING
    return found


def _goes_with(card: Card, other: Card, for_sets: bool, for_runs: bool) -> bool:
    """Whether the two cards could belong to one meld of a kind that is wanted."""
    if other == JOKER:
        return False
    if RANK[card] == RANK[other]:
        return for_sets
    return for_runs and SUIT[card] == SUIT[other] and abs(card - other) <= 2
