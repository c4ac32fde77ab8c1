"""Layout of melds: in the largest cards that leave none out of sight. Pure functions of the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from rich.cells import cell_len

from kalooki_tui.cards import JOKER, RANK, SUIT, Faces
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import Meld, meant_by
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, SMALL, card_text

GAP: Final = 2
#: Most cells of an owner's name.
NAME: Final = 9
SHORT_NAME: Final = 5
#: Word on melds that are put together but not laid.
STAGED: Final = "staged"
#: Columns by which melds may lie further apart than they must.
EASE: Final = 4


class SpreadLayout(Enum):
    COLUMNS = auto()
    """A row for each owner, with the name at its left; melds stand in columns of one width."""
    LINES = auto()
    """Flow like words: each owner's name before the first meld, further lines indented to the melds."""
    PACKED = auto()
    """Flow like words, further lines from the very edge."""


class CardForm(Struct, frozen=True):
    size: tuple[int, int]
    """Size of a whole card, the last one of each meld."""
    step: int
    """Columns from one card to the next, at least."""
    order: SpreadLayout = SpreadLayout.COLUMNS
    gap: int = 1
    """Free rows below the cards."""
    room: int = 0
    """Columns from which on it may be chosen."""

    @property
    def pitch(self) -> int:
        """Rows from one line of melds to the next."""
        return self.size[1] + self.gap


def _forms(size: tuple[int, int], step: int, gap: int = 1, room: int = 0) -> tuple[CardForm, ...]:
    orders = (SpreadLayout.COLUMNS, SpreadLayout.LINES) if gap else tuple(SpreadLayout)
    return tuple(CardForm(size, step, order, gap, room) for order in orders)


#: The best form first.
FORMS: Final = (
    CardForm(HUGE, 12, room=110),
    CardForm(HUGE, 9, room=110),
    CardForm(LARGE, 9, room=80),
    CardForm(LARGE, 6, room=80),
    *_forms((9, 5), 7, room=80),
    *_forms(SMALL, 5),
    *_forms((6, 3), 4),
    *_forms((6, 2), 4),
    *_forms((6, 2), 4, gap=0),
    *_forms((4, 1), 4, gap=0),
)


class Item(Struct, frozen=True):
    """Meld as it is shown: number `index` on the table, or among the staged ones."""

    meld: Meld
    index: int
    staged: bool = False

    @property
    def label(self) -> str:
        """Name: `m1` on the table, `s1` staged."""
        return f"{'s' if self.staged else 'm'}{self.index + 1}"


class Placement(Struct, frozen=True):
    """Place of an item; x is that of its label."""

    item: Item
    x: int
    y: int
    width: int


class Layout(Struct, frozen=True):
    form: CardForm
    height: int
    label: int
    places: tuple[Placement, ...]
    names: tuple[tuple[int, int, int, int], ...]
    """Column, row, seat and cells of each name."""

    @property
    def card_height(self) -> int:
        return self.form.size[1]

    def fits(self, width: int, height: int) -> bool:
        return self.height <= height and all(place.x + place.width <= width for place in self.places)


def lay_out(items: Sequence[Item], names: Sequence[str], faces: Faces, width: int, height: int) -> Layout:
    """Place melds, in their owners' order, in `width` × `height` cells: where nothing fits, more rows than that."""
    widest = 2 + max((len(item.label) for item in items), default=2)
    for form in (form for form in FORMS if width >= form.room):
        label = widest - (form.order is SpreadLayout.PACKED and form.size[1] == 1)
        rows = _in_columns if form.order is SpreadLayout.COLUMNS else _in_lines
        places, called, lines = rows(form, items, names, faces, label, width)
        # Below high cards there is a free row; the last one is needed only for the word under a staged meld.
        spare = form.gap if not any(item.staged for item in items) else 0
        layout = Layout(form, max(0, lines * form.pitch - spare), label, tuple(places), tuple(called))
        if layout.fits(width, height):
            break
    return layout


def _in_columns(
    form: CardForm, items: Sequence[Item], names: Sequence[str], faces: Faces, label: int, width: int
) -> tuple[list[Placement], list[tuple[int, int, int, int]], int]:
    """Begin a row for each owner, with the name at its left; melds stand in columns of one width."""
    longest = min(NAME, max((cell_len(names[item.meld.owner]) for item in items), default=0))
    left = 2 + longest
    room = width - left
    widths = [label + item_width(item, faces, form, room - label) for item in items]
    most = max(1, (room + GAP) // max(1, min(widths, default=room) + GAP))
    # The fewest columns of those that need the fewest rows.
    rows, count, cells = min(_cells(items, widths, room, count) for count in range(1, most + 1))
    unit = room // count
    if all(-(-(needed + GAP) // max(1, unit)) == 1 for needed in widths):
        unit = min(unit, max(widths, default=0) + GAP + EASE)
    places, called, owner = [], [], -1
    for item, needed, (row, column) in zip(items, widths, cells, strict=True):
        places.append(Placement(item, left + column * unit, row * form.pitch, needed))
        if item.meld.owner != owner:
            owner = item.meld.owner
            called.append((1, row * form.pitch, owner, longest))
    return places, called, rows


def _cells(
    items: Sequence[Item], widths: Sequence[int], room: int, count: int
) -> tuple[int, int, list[tuple[int, int]]]:
    """Return, with `count` columns, the rows needed, the columns, and the row and column of each meld."""
    unit = max(1, (room + GAP) // count)
    at: list[tuple[int, int]] = []
    row, column, owner = -1, 0, -1
    for item, needed in zip(items, widths, strict=True):
        span = min(count, -(-(needed + GAP) // unit))
        if item.meld.owner != owner or column + span > count:
            row, column, owner = row + 1, 0, item.meld.owner
        at.append((row, column))
        column += span
    return row + 1, count, at


def _in_lines(
    form: CardForm, items: Sequence[Item], names: Sequence[str], faces: Faces, label: int, width: int
) -> tuple[list[Placement], list[tuple[int, int, int, int]], int]:
    """Place melds as words are, with an owner's name before the first one's label."""
    places, called = [], []
    x, row, owner = 1, 0, -1
    for item in items:
        first = item.meld.owner != owner
        owner = item.meld.owner
        called_as = min(SHORT_NAME, cell_len(names[owner])) + 1
        name = called_as if first else 0
        needed = label + item_width(item, faces, form, width - 1 - called_as - label)
        if x > 1 and x + name + needed > width:
            x, row = 1, row + 1
            name = name if form.order is SpreadLayout.PACKED else called_as
        if first:
            called.append((x, row * form.pitch, owner, called_as - 1))
        x += name
        places.append(Placement(item, x, row * form.pitch, needed))
        x += needed + 1
    return places, called, row + 1 if places else 0


def item_width(item: Item, faces: Faces, form: CardForm, room: int) -> int:
    """Return the cells of an item's cards, and of the word after them where it is staged and nothing is below it."""
    word = 1 + len(STAGED) if item.staged and form.gap == 0 else 0
    if form.size[1] > 1:
        return sum(steps(item.meld, faces, form)) + word
    return sum(1 + len(text) for text in texts(item.meld, faces, form, room - word)) + 1 + word


def steps(meld: Meld, faces: Faces, form: CardForm) -> list[int]:
    """Return the columns of each card where cards are higher than a row; the last one is whole."""
    if form.size[1] >= LARGE[1]:
        return [form.step] * (len(meld.cards) - 1) + [form.size[0]]
    found = [max(form.step, len(text) + 1) for text in _whole_texts(meld, faces)]
    return [*found[:-1], max(form.size[0], found[-1] + 1)]


def texts(meld: Meld, faces: Faces, form: CardForm, room: int) -> list[str]:
    """Write each card on one row of `room` cells: of one width, else as short as can be.

    Shortest of all, what the whole meld shares is written at its ends only.
    """
    whole = _whole_texts(meld, faces)
    ways = [whole] if form.order is SpreadLayout.PACKED else [[text.ljust(form.step - 1) for text in whole], whole]
    for way in ways:
        if sum(1 + len(text) for text in way) + 1 <= room:
            return way
    for index in range(1, len(whole) - 1):
        card, stands = meld.cards[index], meant_by(meld, index)
        if meld.kind is Kind.RUN:
            rank = faces.rank_name(RANK[card if stands is None else stands])
            whole[index] = (faces.joker_symbol if stands is not None else "") + rank
        elif card != JOKER:
            whole[index] = faces.suit_symbols[SUIT[card]]
    return whole


def _whole_texts(meld: Meld, faces: Faces) -> list[str]:
    return [card_text(card, faces, meant_by(meld, index)) for index, card in enumerate(meld.cards)]
