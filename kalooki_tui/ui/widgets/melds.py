"""The melds on the table: one widget for all of them, with a cursor inside."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message

from kalooki_tui.cards import FRENCH, JOKER, RANK, SUIT, Card, Faces
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import Meld, stands_for
from kalooki_tui.engine.view import View
from kalooki_tui.ui.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.faces import SMALL, Brush, card_text, draw_card, draw_inline

GAP: Final = 2
#: Columns from which on melds may lie in the highest cards there are.
ROOMY: Final = 80
#: Heights of the cards, and whether melds lie as close as they go: the best form first.
FORMS: Final = ((5, False), (4, False), (3, False), (3, True), (2, False), (2, True), (1, False), (1, True))
#: Most cells of an owner's name, and where columns are scarce.
NAME: Final = 9
SHORT_NAME: Final = 5
#: Word on melds that are put together but not laid.
STAGED: Final = "staged"


@dataclass(frozen=True, slots=True)
class Item:
    """A meld as it is shown: number `index` on the table, or among the staged ones."""

    meld: Meld
    index: int
    staged: bool = False

    @property
    def label(self) -> str:
        """Its name: `m1` on the table, `s1` staged."""
        return f"{'s' if self.staged else 'm'}{self.index + 1}"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an item is drawn; x is that of its label."""

    item: Item
    x: int
    y: int
    width: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of all items, and of the owners' names by row."""

    card_height: int
    height: int
    label: int
    """Cells of a label."""
    places: tuple[Spot, ...]
    names: tuple[tuple[int, int], ...]
    """Row and seat."""


class MeldsView(Painted, can_focus=True):
    """All melds, grouped by owner: high cards where there is room, else cards a row high, scrolled if need be."""

    DEFAULT_CSS = """
    MeldsView { height: 1fr; width: 1fr; overflow: hidden auto; }
    """
    HOVERS = True
    # A click chooses a meld; the keys stay where they are.
    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Meld before", show=False),
        Binding("right", "step(1)", "Next meld", show=False),
        Binding("up", "row(-1)", "Row above", show=False),
        Binding("down", "row(1)", "Row below", show=False),
        Binding("home", "end(0)", "First meld", show=False),
        Binding("end", "end(-1)", "Last meld", show=False),
        Binding("space,enter", "choose", "Choose meld", show=False),
    ]

    @dataclass
    class MeldChosen(Message):
        """A meld on the table was chosen, by key or click."""

        meld: int
        """Its number on the table, from 0."""

    @dataclass
    class StagedChosen(Message):
        """A meld not yet laid was chosen."""

        index: int
        """Its number among the staged melds, from 0."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.faces: Faces = FRENCH
        self._names: tuple[str, ...] = ()
        self._items: tuple[Item, ...] = ()
        self._lit: frozenset[int] = frozenset()
        self._fresh: frozenset[int] = frozenset()
        """Melds laid or changed since one's last turn."""
        self._cursor = 0
        self._typed = ""
        self._layout_now: Layout | None = None

    # What others read and set

    def show(self, view: View, staged: Sequence[Meld] = (), fresh: Collection[int] = ()) -> None:
        """Show the melds of a view, and one's own that are put together but not yet laid; `fresh` are marked as new."""
        if self._fresh != fresh:
            self._fresh = frozenset(fresh)
            self.repaint()
        self.faces = view.rules.faces
        self.set_melds(view.melds, view.names, staged)

    def set_melds(self, melds: Sequence[Meld], names: Sequence[str], staged: Sequence[Meld] = ()) -> None:
        """Show melds in the order of the table; `names` are the seats'."""
        self._names = tuple(names)
        items = [Item(meld, index) for index, meld in enumerate(melds)]
        items += [Item(meld, index, staged=True) for index, meld in enumerate(staged)]
        self._items = tuple(sorted(items, key=lambda item: (item.meld.owner, item.staged, item.index)))
        self._cursor = max(0, min(self._cursor, len(self._items) - 1))
        self.repaint_for((self._items, self._names, self.faces))

    @property
    def lit(self) -> frozenset[int]:
        """Numbers of the melds that are lit up: those that take the chosen cards."""
        return self._lit

    @lit.setter
    def lit(self, melds: Collection[int]) -> None:
        if melds == self._lit:
            return
        self._lit = frozenset(melds)
        choices = self._choices()
        if choices and self._cursor not in choices:
            self._cursor = choices[0]
        self.repaint()

    @property
    def cursor_meld(self) -> int | None:
        """Number of the meld under the cursor; None for a staged one, or where there is none."""
        if not self._items or self._items[self._cursor].staged:
            return None
        return self._items[self._cursor].index

    # Keys and pointer

    def action_step(self, step: int) -> None:
        """Move the cursor to the meld before or after; among lit ones only, where any are lit."""
        choices = self._choices()
        if choices:
            at = choices.index(self._cursor) if self._cursor in choices else 0
            self._move_to(choices[max(0, min(len(choices) - 1, at + step))])

    def action_row(self, step: int) -> None:
        """Move the cursor a row up or down."""
        layout = self._layout_now
        if layout is None or not layout.places:
            return
        here = layout.places[self._cursor]
        rows = [
            (abs(place.y - here.y), abs(place.x - here.x), index)
            for index, place in enumerate(layout.places)
            if (place.y - here.y) * step > 0 and index in self._choices()
        ]
        if rows:
            self._move_to(min(rows)[2])

    def action_end(self, end: int) -> None:
        """Move the cursor to the first (0) or last (-1) meld."""
        choices = self._choices()
        if choices:
            self._move_to(choices[end])

    def action_choose(self) -> None:
        """Choose the meld under the cursor."""
        if self._items:
            self._choose(self._items[self._cursor])

    def on_key(self, event: events.Key) -> None:
        """Digits move the cursor to the meld of that number, where one is to be chosen; else they are the hand's."""
        if not self._lit or not (event.character or "").isdigit():
            self._typed = ""
            return
        for typed in (self._typed + str(event.character), str(event.character)):
            places = [i for i, item in enumerate(self._items) if not item.staged and str(item.index + 1) == typed]
            if places:
                self._typed = typed
                event.stop()
                self._move_to(places[0])
                return

    def on_click(self, event: events.Click) -> None:
        """Choose the meld clicked."""
        item = self.target_at(event)
        if isinstance(item, Item):
            self._cursor = self._items.index(item)
            self.repaint()
            self._choose(item)

    def _choices(self) -> list[int]:
        lit = [i for i, item in enumerate(self._items) if not item.staged and item.index in self._lit]
        return lit or list(range(len(self._items)))

    def _move_to(self, cursor: int) -> None:
        self._cursor = cursor
        self.repaint()
        if self._layout_now is not None:
            place = self._layout_now.places[cursor]
            self.scroll_to_region(Region(place.x, place.y, place.width, self._layout_now.card_height), animate=False)

    def _choose(self, item: Item) -> None:
        self.post_message(self.StagedChosen(item.index) if item.staged else self.MeldChosen(item.index))

    # Drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows needed at a width, with cards a row high."""
        return self._lay_out(width, 1).height

    def canvas_height(self, width: int, height: int) -> int:
        """Rows needed, and no fewer than are to be seen."""
        self._layout_now = self._lay_out(width, height)
        return max(height, self._layout_now.height)

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw names and melds."""
        layout = self._layout_now
        if not self._items or layout is None:
            text = "No melds on the table yet"
            canvas.text(1, 0, shorten(text, canvas.width - 1), style(palette.on_felt_muted, palette.felt, italic=True))
            return
        for row, seat in layout.names:
            canvas.text(
                1, row, shorten(self._names[seat], layout.places[0].x - 2), style(palette.on_felt, palette.felt, True)
            )
        brush = Brush(palette, self.faces, self.look)
        room = canvas.width
        for index, place in enumerate(layout.places):
            self._paint_item(canvas, brush, place, layout, room, index == self._cursor and self.has_focus)

    def _paint_item(
        self, canvas: Canvas, brush: Brush, place: Spot, layout: Layout, room: int, at_cursor: bool
    ) -> None:
        palette, item, x, y = brush.palette, place.item, place.x, place.y
        height = layout.card_height
        lit = not item.staged and item.index in self._lit
        canvas.mark(x, y, place.width - GAP, height, item)
        fresh = not item.staged and item.index in self._fresh
        label = ("+" if lit else "•" if fresh else " ") + item.label
        if at_cursor:
            ink = style(palette.felt_deep, palette.gold, True)
        elif lit or fresh or item.staged:
            ink = style(palette.gold, palette.felt, True)
        else:
            ink = style(palette.on_felt_muted, palette.felt, underline=item == self.hovered)
        canvas.text(x, y, label, ink)
        ground = palette.card_lit if lit else palette.card_staged if item.staged else palette.card
        x += layout.label
        word = style(palette.gold, palette.felt, italic=True)
        if height == 1:
            texts = _texts(item.meld, self.faces, short=_inline_width(item.meld, self.faces) > room - x - 1)
            for place_in, (card, text) in enumerate(zip(item.meld.cards, texts, strict=True)):
                stands = _stands_for(item.meld, place_in)
                x = draw_inline(canvas, x, y, card, brush, ground=ground, stands_for=stands, text=text, target=item)
            canvas.text(x, y, " ", style(palette.card_ink, ground), item)
            if item.staged:
                canvas.text(x + 2, y, STAGED, word)
            return
        if item.staged:
            canvas.text(x, y + height, STAGED, word)
        steps = _steps(item.meld, self.faces, height)
        for place_in, (card, step) in enumerate(zip(item.meld.cards, steps, strict=True)):
            stands = _stands_for(item.meld, place_in)
            draw_card(canvas, x, y, card, brush, (step, height), ground=ground, stands_for=stands, target=item)
            x += step

    def _lay_out(self, width: int, height: int) -> Layout:
        """The highest cards that leave no meld out of sight; else cards a row high, as close as they go."""
        layout = Layout(1, 0, 0, (), ())
        for card_height, tight in FORMS[width < ROOMY :]:
            layout = self._lay_out_at(width, card_height, tight)
            if layout.height <= height and all(place.x + place.width - GAP <= width for place in layout.places):
                break
        return layout

    def _lay_out_at(self, width: int, card_height: int, tight: bool) -> Layout:
        """Melds of one owner flow over rows: in columns of equal width, or `tight` one after the other."""
        label = 2 + max((len(item.label) for item in self._items), default=2) - (1 if tight and card_height == 1 else 0)
        longest = max((cell_len(self._names[item.meld.owner]) for item in self._items), default=0)
        left = 2 + min(SHORT_NAME if tight and card_height == 1 else NAME, longest)
        widths = [
            label + _item_width(item, self.faces, card_height, width - left - label) + GAP for item in self._items
        ]
        unit = 1 if tight else max(18, min(widths, default=18))
        columns = max(1, (width + GAP - left) // unit)
        places: list[Spot] = []
        names: list[tuple[int, int]] = []
        row, column, owner = -1, 0, -1
        for item, needed in zip(self._items, widths, strict=True):
            span = min(columns, -(-needed // unit))
            if item.meld.owner != owner or column + span > columns:
                row, column = row + 1, 0
                if item.meld.owner != owner:
                    owner = item.meld.owner
                    names.append((row, owner))
            places.append(Spot(item, left + column * unit, row, needed))
            column += span
        pitch = card_height + (1 if card_height > 1 else 0)
        # Below high cards there is a free row; the last one is needed only for the word under a staged meld.
        spare = 1 if card_height > 1 and not any(item.staged for item in self._items) else 0
        return Layout(
            card_height,
            max(0, (row + 1) * pitch - spare),
            label,
            tuple(Spot(place.item, place.x, place.y * pitch, place.width) for place in places),
            tuple((line * pitch, seat) for line, seat in names),
        )


def _stands_for(meld: Meld, index: int) -> Card | None:
    return stands_for(meld, index) if meld.cards[index] == JOKER else None


def _item_width(item: Item, faces: Faces, card_height: int, room: int) -> int:
    """Cells of an item's cards, and of the word after them where it is staged."""
    if card_height > 1:
        return sum(_steps(item.meld, faces, card_height))
    width = _inline_width(item.meld, faces)
    if width > room:
        width = sum(1 + len(text) for text in _texts(item.meld, faces, short=True)) + 1
    return width + (1 + len(STAGED) if item.staged else 0)


def _inline_width(meld: Meld, faces: Faces) -> int:
    return sum(1 + len(text) for text in _texts(meld, faces, short=False)) + 1


def _steps(meld: Meld, faces: Faces, card_height: int) -> list[int]:
    """Columns of each card where cards are higher than a row; the last one is whole."""
    least = 7 if card_height > SMALL[1] else 5 if card_height == SMALL[1] else 4
    texts = _texts(meld, faces, short=False)
    steps = [max(least, len(text) + 1) for text in texts]
    return [*steps[:-1], max(least + 2, steps[-1] + 1)]


def _texts(meld: Meld, faces: Faces, *, short: bool) -> list[str]:
    """How each card is written; short: what the whole meld shares is written at its ends only."""
    texts = [card_text(card, faces, _stands_for(meld, index)) for index, card in enumerate(meld.cards)]
    if not short:
        return texts
    for index in range(1, len(texts) - 1):
        card = meld.cards[index]
        stands = _stands_for(meld, index)
        if meld.kind is Kind.RUN:
            texts[index] = ("★" if stands is not None else "") + faces.rank_name(
                RANK[card if stands is None else stands]
            )
        elif card != JOKER:
            texts[index] = faces.suit_symbols[SUIT[card]]
    return texts
