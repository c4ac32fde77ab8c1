"""Melds on the table, one widget for all of them with a cursor inside; and a lay-down to look at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from textual import events
from textual.geometry import Region, Size
from textual.message import Message

from kalooki_tui.cards import FRENCH, Faces
from kalooki_tui.engine.melds import Meld, meant_by
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.commands import MELDS
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, Target, shorten, style
from kalooki_tui.tui.widgets.command_bar import bindings
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, SMALL, Brush, card_face, card_text, draw_inline
from kalooki_tui.tui.widgets.hand import MARGIN
from kalooki_tui.tui.widgets.spread import (
    STAGED,
    CardForm,
    Item,
    Layout,
    Placement,
    lay_out,
    steps,
    texts,
)
from kalooki_tui.wording import whom


class MeldsView(CanvasWidget, can_focus=True):
    """Melds, grouped by owner: tall cards if there is room, else cards one row high, scrolled if necessary."""

    DEFAULT_CSS = "MeldsView { height: 1fr; width: 1fr; overflow: hidden auto; }"
    HOVERS = True
    # A click chooses a meld; the keys stay where they are.
    FOCUS_ON_CLICK = False
    OFFERED = MELDS
    BINDINGS = bindings(MELDS)
    faces: Faces = FRENCH
    _names: tuple[str, ...] = ()
    _items: tuple[Item, ...] = ()
    _lit: frozenset[int] = frozenset()
    _fresh: frozenset[int] = frozenset()
    _cursor = 0
    _typed = ""
    _layout_now: Layout | None = None
    _laid_out: tuple[object, ...] = ()

    @dataclass
    class MeldChosen(Message):
        meld: int

    @dataclass
    class StagedChosen(Message):
        index: int

    def show(self, view: View, staged: Sequence[Meld] = (), fresh: Collection[int] = ()) -> None:
        """Show the melds of a view, and one's own that are staged; `fresh` are marked as new."""
        self._fresh = frozenset(fresh)
        self.faces = view.rules.faces
        self.set_melds(view.melds, view.names, staged)

    def set_melds(self, melds: Sequence[Meld], names: Sequence[str], staged: Sequence[Meld] = ()) -> None:
        self._names = tuple(names)
        items = [Item(meld, index) for index, meld in enumerate(melds)]
        items += [Item(meld, index, staged=True) for index, meld in enumerate(staged)]
        self._items = tuple(sorted(items, key=lambda item: (item.meld.owner, item.staged, item.index)))
        self._cursor = max(0, min(self._cursor, len(self._items) - 1))
        self.repaint_for((self._items, self._names, self.faces, self._fresh))

    @property
    def lit(self) -> frozenset[int]:
        """Numbers of the melds that are lit up: those that take the chosen cards."""
        return self._lit

    @lit.setter
    def lit(self, melds: Collection[int]) -> None:
        if frozenset(melds) == self._lit:
            return
        self._lit = frozenset(melds)
        choices = self._choices()
        if choices and self._cursor not in choices:
            self._cursor = choices[0]
        self.repaint()

    @property
    def cursor_meld(self) -> int | None:
        """Number of the meld under the cursor; None if it is staged or there is none."""
        if not self._items or self._items[self._cursor].staged:
            return None
        return self._items[self._cursor].index

    def tip(self, target: Target) -> str | None:
        assert isinstance(target, Item)
        meld, name = target.meld, self._names[target.meld.owner]
        cards = " ".join(card_text(card, self.faces, meant_by(meld, index)) for index, card in enumerate(meld.cards))
        if target.staged:
            return f"{cards}, put together but not laid. A click takes it back."
        marks = " It takes the chosen cards: a click adds them." if target.index in self._lit else ""
        marks += " New since your last turn." if target.index in self._fresh else ""
        return f"{target.label}, laid by {whom(name)}: {cards}.{marks}"

    def step(self, step: int) -> None:
        """Move the cursor to the meld before or after; among lit ones only, where any are lit."""
        choices = self._choices()
        if choices:
            at = choices.index(self._cursor) if self._cursor in choices else 0
            self._move_to(choices[max(0, min(len(choices) - 1, at + step))])

    def step_row(self, step: int) -> None:
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

    def go_to(self, end: int) -> None:
        choices = self._choices()
        if choices:
            self._move_to(choices[end])

    def choose(self) -> None:
        if self._items:
            self._choose(self._items[self._cursor])

    def on_key(self, event: events.Key) -> None:
        """Move the cursor to the meld of a digit, where one is to be chosen; else digits are the hand's."""
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

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return lay_out(self._items, self._names, self.faces, width, 1).height

    def canvas_height(self, width: int, height: int) -> int:
        wanted = (self._items, self._names, self.faces, width, height)
        if self._layout_now is None or self._laid_out != wanted:
            self._laid_out, self._layout_now = wanted, lay_out(*wanted)
        return max(height, self._layout_now.height)

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        layout = self._layout_now
        if not self._items or layout is None:
            text = "No melds on the table yet"
            canvas.text(1, 0, shorten(text, canvas.width - 1), style(palette.on_felt_muted, palette.felt, italic=True))
            return
        name = style(palette.on_felt, palette.felt, True)
        for x, y, seat, width in layout.names:
            canvas.text(x, y, shorten(self._names[seat], width), name)
        brush = Brush(palette, self.faces, self.look)
        for index, place in enumerate(layout.places):
            self._paint_item(canvas, brush, place, layout, index == self._cursor and self.has_focus)

    def _paint_item(self, canvas: Canvas, brush: Brush, place: Placement, layout: Layout, at_cursor: bool) -> None:
        palette, item, x, y = brush.palette, place.item, place.x, place.y
        form, height = layout.form, layout.card_height
        lit = not item.staged and item.index in self._lit
        canvas.mark(x, y, place.width, height, item)
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
        if height == 1:
            x = self._paint_inline(canvas, brush, item, x, y, place.width - layout.label, form, ground)
        else:
            x = draw_meld(canvas, brush, item.meld, x, y, form, ground, item)
        if item.staged:
            word = style(palette.gold, palette.felt, italic=True)
            canvas.text(*((x + 1, y) if form.gap == 0 else (place.x + layout.label, y + height)), STAGED, word)

    def _paint_inline(
        self, canvas: Canvas, brush: Brush, item: Item, x: int, y: int, width: int, form: CardForm, ground: str
    ) -> int:
        room = width - (1 + len(STAGED) if item.staged else 0)
        for index, (card, text) in enumerate(
            zip(item.meld.cards, texts(item.meld, self.faces, form, room), strict=True)
        ):
            stands = meant_by(item.meld, index)
            x = draw_inline(canvas, x, y, card, brush, ground=ground, stands_for=stands, text=text, target=item)
        return canvas.text(x, y, " ", style(brush.palette.card_ink, ground), item)


def draw_meld(
    canvas: Canvas, brush: Brush, meld: Meld, x: int, y: int, form: CardForm, ground: str, target: Target = None
) -> int:
    """Draw a meld in cards higher than a row and return the x after them."""
    height = form.size[1]
    covering = height >= LARGE[1]
    edge = style(brush.palette.card_edge, ground)
    for index, (card, step) in enumerate(zip(meld.cards, steps(meld, brush.faces, form), strict=True)):
        stands = meant_by(meld, index)
        size = form.size if covering else (step, height)
        face = card_face(card, brush, size, shown=step, ground=ground, stands_for=stands)
        canvas.stamp(x, y, face, target)
        if form.gap == 0:
            # Nothing else parts it from the meld below.
            canvas.text(x + 1, y + height - 1, "▁" * (step - 1), edge)
        x += step
    return x


#: The best form first: rows of the screen from which on it may be chosen, and lines of melds.
FORMS: Final = (
    (CardForm(HUGE, 9), 60, 1),
    (CardForm(LARGE, 6), 46, 1),
    (CardForm(SMALL, 5), 30, 1),
    (CardForm((6, 3), 4), 0, 1),
    (CardForm((6, 2), 4, gap=0), 0, 2),
)
#: Columns between two melds, at most and at least.
GAPS: Final = (4, 1)


class LayDownView(CanvasWidget):
    """Melds: in the middle with words above them and a free row below, or by themselves at the left."""

    DEFAULT_CSS = "LayDownView { height: auto; width: 100%; }"
    GROUND = "felt_deep"

    def __init__(self, words: str, melds: Sequence[Meld], faces: Faces) -> None:
        super().__init__()
        self._words, self._melds, self._faces = words, tuple(melds), faces

    def _width(self, melds: Sequence[Meld], form: CardForm, gap: int) -> int:
        return sum(sum(steps(meld, self._faces, form)) + gap for meld in melds) - gap

    def _chosen(self, width: int, height: int) -> tuple[CardForm, int, list[tuple[Meld, ...]]]:
        """Return the form for a screen of that height, the columns between melds, and the melds of each line."""
        for form, rows, lines in FORMS:
            for gap in GAPS:
                half = -(-len(self._melds) // lines)
                parted = [self._melds[first : first + half] for first in range(0, len(self._melds), half)]
                if height >= rows and all(self._width(line, form, gap) <= width for line in parted):
                    return form, gap, parted
        return form, gap, parted

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        form, _, lines = self._chosen(width, viewport.height)
        return (2 if self._words else 0) + len(lines) * form.size[1]

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        words = shorten(self._words, canvas.width)
        canvas.centred(0, words, style(palette.on_felt_muted, palette.felt_deep))
        form, gap, lines = self._chosen(canvas.width, self.app.size.height)
        brush = Brush(palette, self._faces, self.look)
        top = 1 if self._words else 0
        for row, line in enumerate(lines):
            x = max(0, (canvas.width - self._width(line, form, gap)) // 2) if self._words else MARGIN
            for meld in line:
                x = draw_meld(canvas, brush, meld, x, top + row * form.size[1], form, palette.card) + gap
