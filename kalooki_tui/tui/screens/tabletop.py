"""Layout and motion of a table, while it is played and when it is played again."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final, TypeAlias

from msgspec import Struct
from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset, Size
from textual.timer import Timer
from textual.widgets import Static

from kalooki_tui.cards import FRENCH, Card, Faces
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.view import View
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.widgets.banner import ContractBanner
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, style
from kalooki_tui.tui.widgets.command_bar import CommandBar
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, SMALL, Brush, card_face, draw_back
from kalooki_tui.tui.widgets.hand import HandView
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.tui.widgets.status import LogView, NoteStrip, RecapView, StatusView
from kalooki_tui.wording import capital, whose


class TabletopScreen(GameScreen):
    keeps_keys = False
    CSS_PATH = "tabletop.tcss"

    banner = getters.query_one(ContractBanner)
    seats = getters.query_one(SeatsStrip)
    melds = getters.query_one(MeldsView)
    piles = getters.query_one(PilesView)
    log_view = getters.query_one(LogView)
    trouble = getters.query_one("#trouble", Static)
    consent_line = getters.query_one("#consent", Static)
    note = getters.query_one(NoteStrip)
    recap = getters.query_one(RecapView)
    status = getters.query_one(StatusView)
    hand = getters.query_one(HandView)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.motion = Motion(self)

    def compose(self) -> ComposeResult:
        yield ContractBanner()
        yield SeatsStrip()
        with Horizontal(id="middle"):
            yield MeldsView()
            with Vertical(id="side"):
                yield PilesView()
                yield LogView()
        yield Static(id="trouble")
        yield Static(id="consent")
        yield NoteStrip()
        yield RecapView()
        yield StatusView()
        yield HandView()
        yield CommandBar()
        for _ in range(MOST):
            yield Mover()

    def paint_now(self) -> None:
        above = (self.banner, self.seats, self.melds, self.piles, self.log_view)
        for widget in (*above, self.note, self.recap, self.status, self.hand, self.bar):
            widget.paint_now()

    def cell_of(self, place: Place, own: int | None) -> Offset | None:
        """Return the cell where a flight begins or ends; `own`: the seat whose hand lies open."""
        kind, number = place
        match kind:
            case "seat" if number == own:
                last = len(self.hand.shown) - 1
                return self.hand.find(lambda target: target == last) or self.hand.region.offset
            case "seat" | "turn":
                return self.seats.find(lambda target: target == number)
            case "meld":
                return self.melds.find(lambda target: target.index == number and not target.staged)
        return self.piles.find(lambda target: target == kind)

    def show_motion(self, events: Sequence[happened.Event], before: int, view: View, own: int | None) -> None:
        """Let what has happened be seen to move, if things are to move; `before`: whose turn it was."""
        if self.app.look.reduced_motion:
            return
        moving = flights(events, len(view.names))
        if view.turn != before:
            moving.insert(0, Flight(("turn", before), ("turn", view.turn)))
        ways = [(flight, self.cell_of(flight.start, own), self.cell_of(flight.end, own)) for flight in moving]
        self.motion.fly([(flight, a, b) for flight, a, b in ways if a is not None and b is not None], view.rules.faces)

    def on_mount(self) -> None:
        self._give_room(self.app.size)

    def on_resize(self, event: events.Resize) -> None:
        self._give_room(event.size)

    def _give_room(self, size: Size) -> None:
        layout = table_layout(size.width, size.height)
        self.banner.styles.height = layout.banner
        self.seats.tile_rows = layout.seats
        self.query_one("#side").styles.width = layout.side
        self.query_one("#middle").styles.padding = (layout.air, layout.air)
        self.piles.styles.height = layout.piles
        self.hand.styles.height = layout.hand

    def make_room(self, rows: int | None) -> int:
        """Keep rows free above the hand; a question covers the prompt, and in a low terminal what was missed."""
        layout = table_layout(self.app.size.width, self.app.size.height)
        if rows is not None:
            covered = self.status.size.height + (self.recap.size.height if layout.card == SMALL else 0)
            self.status.styles.margin = (max(0, rows - covered), 0, 0, 0)
        return layout.hand + 1


def hand_words(name: str) -> str:
    return f"{capital(whose(name))} hand"


#: Rows above a hand's cards for those that are chosen, and below for the cursor.
AROUND_HAND: Final = 2
#: Rows above a pile for its name, and below for its depth.
AROUND_PILE: Final = 2


class TableLayout(Struct, frozen=True):
    """Rows and columns of the table's parts; melds and log get what is left."""

    card: tuple[int, int]
    """Largest card there is room for in hand and piles."""
    side: int
    """Columns of piles and log."""
    banner: int
    """Rows of the contract's line, and of its note."""
    seats: int
    """Rows of a seat's tile."""
    air: int
    """Free rows and columns around melds and piles."""

    @property
    def hand(self) -> int:
        return self.card[1] + AROUND_HAND

    @property
    def piles(self) -> int:
        return self.card[1] + AROUND_PILE


def table_layout(width: int, height: int) -> TableLayout:
    if width >= 190 and height >= 48:
        return TableLayout(HUGE, side=52, banner=2, seats=4, air=1)
    if width >= 150 and height >= 44:
        return TableLayout(HUGE, side=44, banner=2, seats=3, air=1)
    if height >= 32:
        wide = width >= 110
        return TableLayout(LARGE, side=34 if wide else 30, banner=2, seats=2, air=1 if wide and height >= 40 else 0)
    return TableLayout(SMALL, side=27 if width < 110 else 40, banner=1, seats=2, air=0)


#: How long a flight takes, and how often it is drawn.
SECONDS: Final = 0.16
FRAMES_A_SECOND: Final = 30
#: Cards that fly at once, at most.
MOST: Final = 6

#: Where a flight begins or ends: kind of place, and number of seat or meld. Kinds: stock, discard, flip, seat, meld,
#: turn (the mark at a seat's name).
Place: TypeAlias = tuple[str, int]


class Flight(Struct, frozen=True):
    start: Place
    end: Place
    card: Card | None = None
    """None: its back, or no card at all where the turn moves."""


def flights(events: Sequence[happened.Event], seats: int) -> list[Flight]:
    found: list[Flight] = []
    for event in events:
        match event:
            case happened.Dealt(dealer=dealer):
                order = [(dealer + 1 + step) % seats for step in range(seats)]
                found += [Flight(("stock", 0), ("seat", seat)) for seat in order]
            case happened.Drew(seat=seat, source=Source.STOCK) | happened.PenaltyCard(seat=seat):
                found.append(Flight(("stock", 0), ("seat", seat)))
            case (
                happened.Drew(seat=seat, source=source, card=card)
                | happened.CallRefused(seat=seat, source=source, card=card)
            ):
                found.append(Flight((source.value, 0), ("seat", seat), card))
            case happened.CallAllowed(caller=seat, card=card):
                found.append(Flight(("discard", 0), ("seat", seat), card))
            case happened.Flipped(card=card):
                found.append(Flight(("stock", 0), ("flip", 0), card))
            case happened.Laid(seat=seat, meld=meld, cards=cards) | happened.Tacked(seat=seat, meld=meld, cards=cards):
                found.append(Flight(("seat", seat), ("meld", meld), cards[0]))
            case happened.Swapped(seat=seat, meld=meld, card=card):
                found.append(Flight(("seat", seat), ("meld", meld), card))
            case happened.Discarded(seat=seat, card=card):
                found.append(Flight(("seat", seat), ("discard", 0), card))
    return found[:MOST]


def on_the_way(start: Offset, end: Offset, share: float) -> Offset:
    """Return where a flight is after a share of its time: fast at first, slow in the end."""
    eased = 1 - (1 - max(0.0, min(1.0, share))) ** 2
    return Offset(round(start.x + (end.x - start.x) * eased), round(start.y + (end.y - start.y) * eased))


class Mover(CanvasWidget):
    DEFAULT_CSS = "Mover { layer: motion; position: absolute; width: 7; height: 4; display: none; }"
    _card: Card | None = None
    _faces = FRENCH
    _is_mark = False

    def show(self, card: Card | None, faces: Faces, at: Offset, *, is_mark: bool = False) -> None:
        self._card, self._faces, self._is_mark = card, faces, is_mark
        self.styles.width, self.styles.height = (1, 1) if is_mark else SMALL
        self.styles.offset = at
        self.display = True
        self.repaint()

    def hide(self) -> None:
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
            brush = Brush(palette, self._faces, self.look)
            canvas.stamp(0, 0, card_face(self._card, brush, ground=palette.card_chosen))


class Motion:
    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self._flights: list[tuple[Mover, Offset, Offset]] = []
        self._carried: Mover | None = None
        self._timer: Timer | None = None
        self._began = 0.0

    def fly(self, ways: Sequence[tuple[Flight, Offset, Offset]], faces: Faces) -> None:
        """Begin these flights, each from one cell of the screen to another; what flies already ends."""
        if not ways:
            return
        self.end()
        movers = self._screen.query(Mover)
        for mover, (flight, start, end) in zip(movers, ways, strict=False):
            mover.show(flight.card, faces, start, is_mark=flight.start[0] == "turn")
            self._flights.append((mover, start, end))
        if self._flights:
            self._began, self._screen.moving = monotonic(), self
            self._timer = self._screen.set_interval(1 / FRAMES_A_SECOND, self._step)

    def carry(self, card: Card, faces: Faces, pointer: Offset) -> None:
        if self._carried is None:
            self.end()
            self._carried, self._screen.moving = self._screen.query(Mover).first(Mover), self
        self._carried.show(card, faces, pointer - Offset(SMALL[0] // 2, SMALL[1] // 2))

    def end(self) -> None:
        self._screen.moving = None
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
