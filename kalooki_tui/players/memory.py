"""What a seat can work out from the public events of a deal: cards gone, cards taken, calls made (V1)."""

from __future__ import annotations

from dataclasses import dataclass

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
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
)
from kalooki_tui.engine.view import View


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


def remember(view: View) -> Memory:
    """Read the deal's public events."""
    seats = len(view.names)
    memory = Memory(
        calls=[0] * seats,
        charged=[0] * seats,
        taken=[[] for _ in range(seats)],
        thrown=[[] for _ in range(seats)],
        turns=[0] * seats,
        pile=[],
    )
    for event in view.history:
        _note(memory, event)
    return memory


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


def calls_made(view: View, seat: int) -> int:
    """Successful calls of a seat in this deal, counted as they were made."""
    return sum(isinstance(event, CallAllowed) and event.caller == seat for event in view.history)


def unseen_copies(view: View, memory: Memory) -> list[int]:
    """Copies of each card that may be in the stock or, unseen, in another hand."""
    rules = view.rules
    left = [rules.packs] * (KINDS_OF_CARD - 1) + [rules.jokers]
    gone = [*view.hand, *memory.pile]
    for meld in view.melds:
        gone += meld.cards
    for seat, taken in enumerate(memory.taken):
        if seat != view.seat:
            gone += taken
    if memory.flip is not None:
        gone.append(memory.flip)
    for card in gone:
        if left[card]:
            left[card] -= 1
    return left
