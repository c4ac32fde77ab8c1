"""What everybody can remember of a deal, from its public events: cards gone, cards taken, calls made (V1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import (
    CallAllowed,
    CallRefused,
    Challenged,
    Dealt,
    Discarded,
    Drew,
    DroppedOut,
    Event,
    Flipped,
    Laid,
    Reshuffled,
    Swapped,
    Tacked,
    TurnEnded,
)
from kalooki_tui.values import dataclass


@dataclass(slots=True)
class Memory:
    """Lists have an entry a seat unless said otherwise."""

    calls: list[int]
    """Successful calls (C5); exact, since every call is public."""
    charged: list[int]
    """Over-calls found by challenges so far (D23)."""
    taken: list[list[Card]]
    """Cards taken in the open and not seen to leave the hand since."""
    thrown: list[list[Card]]
    """Discards, oldest first."""
    turns: list[int]
    """Turns begun."""
    pile: list[Card]
    """The discard pile as far as it is known, the top last."""
    flip: Card | None = None


def remember_events(seats: int, events: Iterable[Event]) -> Memory:
    """Read the public events of a deal of so many seats."""
    memory = Memory(
        calls=[0] * seats,
        charged=[0] * seats,
        taken=[[] for _ in range(seats)],
        thrown=[[] for _ in range(seats)],
        turns=[0] * seats,
        pile=[],
    )
    for event in events:
        _note(memory, event)
    return memory


def drawn_in_the_open(events: Sequence[Event], seat: int) -> Card | None:
    """The open card that is the seat's draw in this turn, its own; None: it is another, or that of a refused call."""
    for event in reversed(events):
        match event:
            case Drew(drawer, source, card):
                return card if drawer == seat and source is not Source.STOCK else None
            case Discarded() | TurnEnded() | CallRefused() | Flipped():
                return None
    return None


def _note(memory: Memory, event: Event) -> None:
    match event:
        case Discarded(seat, card):
            memory.pile.append(card)
            memory.thrown[seat].append(card)
            _leaves(memory, seat, (card,))
        case Drew(seat, source, card):
            memory.turns[seat] += 1
            if source is Source.STOCK:
                _bury_flip(memory)
            elif card is not None:
                _take(memory, seat, card, source)
        case CallAllowed(_, caller, card, _):
            memory.calls[caller] += 1
            _take(memory, caller, card, Source.DISCARD if memory.flip is None else Source.FLIP)
        case CallRefused(seat, _, card, source):
            memory.turns[seat] += 1
            _take(memory, seat, card, source)
        case Flipped(card, given):
            if given is None:
                memory.flip = card
            else:
                memory.turns[given] += 1
                memory.taken[given].append(card)
        case Laid(seat, _, _, cards, _) | Tacked(seat, _, cards, _):
            _leaves(memory, seat, cards)
        case Swapped(seat, _, card, _, freed):
            _leaves(memory, seat, (card,))
            if freed:
                memory.taken[seat].append(JOKER)
        case Reshuffled():
            _bury_flip(memory)
            memory.pile = memory.pile[-1:]
        case Dealt(card=card):
            memory.pile.append(card)
        case DroppedOut(seat=seat):
            memory.pile[:0] = memory.taken[seat]
            memory.taken[seat] = []
        case Challenged(target=target, found=found):
            memory.charged[target] += max(0, found)
        case _:
            pass


def _take(memory: Memory, seat: int, card: Card, source: Source) -> None:
    if source is Source.FLIP:
        memory.flip = None
    elif memory.pile:
        memory.pile.pop()
    memory.taken[seat].append(card)


def _bury_flip(memory: Memory) -> None:
    """A flip that nobody took lies on the pile (U4)."""
    if memory.flip is not None:
        memory.pile.append(memory.flip)
        memory.flip = None


def _leaves(memory: Memory, seat: int, cards: tuple[Card, ...]) -> None:
    taken = memory.taken[seat]
    for card in cards:
        if card in taken:
            taken.remove(card)
