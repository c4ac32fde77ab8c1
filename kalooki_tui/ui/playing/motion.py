"""Cards on their way: what has just happened is seen to move. Nothing waits for it, and any key ends it.

A flight shows only what everybody at the table may know: a card that nobody sees is shown by its back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, TypeAlias

from textual.geometry import Offset
from textual.timer import Timer

from kalooki_tui.cards import FRENCH, Card, Faces
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import (
    CallAllowed,
    CallRefused,
    Dealt,
    Discarded,
    Drew,
    Event,
    Flipped,
    Laid,
    PenaltyCard,
    Swapped,
    Tacked,
)
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, style
from kalooki_tui.ui.widgets.faces import SMALL, Brush, draw_back, draw_card

#: How long a flight takes, and how often it is drawn.
SECONDS: Final = 0.16
FRAMES_A_SECOND: Final = 30
#: Cards that fly at once, at most.
MOST: Final = 6

#: Where a flight begins or ends: kind of place, and number of seat or meld. Kinds: stock, discard, flip, seat, meld,
#: turn (the mark at a seat's name).
Place: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Flight:
    """One card on its way, or the mark of the turn."""

    start: Place
    end: Place
    card: Card | None = None
    """None: its back, or no card at all where the turn moves."""


def flights(events: Sequence[Event], seats: int) -> list[Flight]:
    """What is seen to move when these things have happened at a table of `seats`."""
    found: list[Flight] = []
    for event in events:
        match event:
            case Dealt(dealer=dealer):
                order = [(dealer + 1 + step) % seats for step in range(seats)]
                found += [Flight(("stock", 0), ("seat", seat)) for seat in order]
            case Drew(seat=seat, source=Source.STOCK) | PenaltyCard(seat=seat):
                found.append(Flight(("stock", 0), ("seat", seat)))
            case Drew(seat=seat, source=source, card=card) | CallRefused(seat=seat, source=source, card=card):
                found.append(Flight((source.value, 0), ("seat", seat), card))
            case CallAllowed(caller=seat, card=card):
                found.append(Flight(("discard", 0), ("seat", seat), card))
            case Flipped(card=card):
                found.append(Flight(("stock", 0), ("flip", 0), card))
            case Laid(seat=seat, meld=meld, cards=cards) | Tacked(seat=seat, meld=meld, cards=cards):
                found.append(Flight(("seat", seat), ("meld", meld), cards[0]))
            case Swapped(seat=seat, meld=meld, card=card):
                found.append(Flight(("seat", seat), ("meld", meld), card))
            case Discarded(seat=seat, card=card):
                found.append(Flight(("seat", seat), ("discard", 0), card))
    return found[:MOST]


def on_the_way(start: Offset, end: Offset, share: float) -> Offset:
    """Where a flight is when `share` of its time has passed: fast at first, slow in the end."""
    eased = 1 - (1 - max(0.0, min(1.0, share))) ** 2
    return Offset(round(start.x + (end.x - start.x) * eased), round(start.y + (end.y - start.y) * eased))


class Mover(Painted):
    """One thing that moves over the table."""

    DEFAULT_CSS = """
    Mover { layer: motion; position: absolute; width: 7; height: 4; display: none; }
    """

    def __init__(self) -> None:
        super().__init__(classes="mover")
        self._card: Card | None = None
        self._faces = FRENCH
        self._is_mark = False

    def show(self, card: Card | None, faces: Faces, at: Offset, *, is_mark: bool = False) -> None:
        """Appear at a cell of the screen, as this card, as a back or as the mark of the turn."""
        self._card, self._faces, self._is_mark = card, faces, is_mark
        self.styles.width, self.styles.height = (1, 1) if is_mark else SMALL
        self.styles.offset = at
        self.display = True
        self.repaint()

    def hide(self) -> None:
        """Be gone, with what was drawn."""
        if self.display:
            self._card = None
            self.display = False
            self.forget_drawing()

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        if self._is_mark:
            canvas.text(0, 0, "▸", style(palette.gold, palette.felt_raised, True))
        elif self._card is None:
            draw_back(canvas, 0, 0, Brush(palette, self._faces, self.look))
        else:
            draw_card(canvas, 0, 0, self._card, Brush(palette, self._faces, self.look), ground=palette.card_chosen)


class Motion:
    """What moves over one screen: flights for a moment, or a card carried by the pointer."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self._flights: list[tuple[Mover, Offset, Offset]] = []
        self._carried: Mover | None = None
        self._timer: Timer | None = None
        self._began = 0.0

    @property
    def is_moving(self) -> bool:
        return bool(self._flights)

    def fly(self, ways: Sequence[tuple[Flight, Offset, Offset]], faces: Faces) -> None:
        """Let these flights begin, each from one cell of the screen to another; what flies already ends."""
        if not ways:
            return
        self.end()
        movers = self._screen.query(Mover)
        for mover, (flight, start, end) in zip(movers, ways, strict=False):
            mover.show(flight.card, faces, start, is_mark=flight.start[0] == "turn")
            self._flights.append((mover, start, end))
        if self._flights:
            self._began = monotonic()
            self._timer = self._screen.set_interval(1 / FRAMES_A_SECOND, self._step)

    def carry(self, card: Card, faces: Faces, pointer: Offset) -> None:
        """Show a card under the pointer."""
        if self._carried is None:
            self.end()
            self._carried = self._screen.query(Mover).first(Mover)
        self._carried.show(card, faces, pointer - Offset(SMALL[0] // 2, SMALL[1] // 2))

    def end(self) -> None:
        """Everything is where it belongs."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        for mover, _, _ in self._flights:
            mover.hide()
        self._flights.clear()
        if self._carried is not None:
            self._carried.hide()
            self._carried = None

    def _step(self) -> None:
        share = (monotonic() - self._began) / SECONDS
        if share >= 1:
            self.end()
        for mover, start, end in self._flights:
            mover.styles.offset = on_the_way(start, end, share)
