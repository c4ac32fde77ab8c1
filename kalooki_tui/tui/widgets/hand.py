"""Hands: a seat's own, one focusable widget with a cursor inside, however many cards it holds; and all of a table.

Cards lie as large as there is room for, the last one whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.geometry import Offset
from textual.message import Message

from kalooki_tui.cards import ACE, FRENCH, Card, Faces, suit_first
from kalooki_tui.presenter.commands import HAND
from kalooki_tui.presenter.hand_order import Hand, HandCard
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, Target, shorten, style
from kalooki_tui.tui.widgets.command_bar import bindings
from kalooki_tui.tui.widgets.faces import (
    HUGE,
    LARGE,
    SMALL,
    Brush,
    card_face,
    draw_back,
    draw_cards,
    draw_empty,
    fills_edge,
)

#: The left edge of the card under the cursor.
CURSOR_EDGE: Final = "▌"
#: Ranks that are letters in other decks, and the highest rank of one digit.
LETTERS: Final = ("J", "Q", "K")
NINE: Final = 9
#: Small letters of ranks that have no other use at the table; those of queens and kings have.
SMALL_RANKS: Final = ("a", "j")
#: The first digit of the ranks above nine, where a deck numbers them.
TEENS: Final = "1"
_RANK_WORDS: Final = {ACE: "ace", 10: "ten", 11: "jack", 12: "queen", 13: "king"}


class Ghost(NamedTuple):
    bundle: int
    text: str


class HandView(CanvasWidget, Hand, can_focus=True):
    DEFAULT_CSS = "HandView { height: 6; }"
    HOVERS = True
    OFFERED = HAND
    BINDINGS = bindings(HAND)

    @dataclass
    class SelectionChanged(Message):
        cards: tuple[Card, ...]

    class OrderChanged(Message):
        """New order of the hand, by the player."""

    @dataclass
    class NoCard(Message):
        """Key of a rank without such a card in the hand; or its small letter, which is no key for cards."""

        key: str

    @dataclass
    class Carried(Message):
        card: Card
        at: Offset

    class PutBack(Message):
        """Return over the hand of a card that was dragged outside."""

    @dataclass
    class Dropped(Message):
        card: Card
        at: Offset

    _backs = 0
    _digit = ""
    _before_digit: HandCard | None = None
    _dragged: int | None = None
    _drag_moved = False
    _is_carried = False

    def __init__(self) -> None:
        CanvasWidget.__init__(self)
        Hand.__init__(self)

    def hand_changed(self) -> None:
        held = [(one.card, one.chosen, one.new, one.bundle) for one in self.held if not one.staged]
        self.repaint_for((held, self.lacks, self._backs, self.cursor, self.faces))

    def choice_changed(self) -> None:
        self.post_message(self.SelectionChanged(self.selected))

    def order_changed(self) -> None:
        self.post_message(self.OrderChanged())

    def set_hand(self, cards: Iterable[Card], **options: Any) -> None:
        self._backs = 0
        super().set_hand(cards, **options)

    def turn_down(self, count: int) -> None:
        """Show `count` backs and forget every card: nothing private is left in the widget."""
        self.forget()
        self._backs = count
        self.hovered = None
        self._let_go()
        self.forget_drawing()
        self.repaint()

    def move_card(self, step: int) -> None:
        self.move(self.cursor, self.cursor + step)

    def move_cursor(self, index: int) -> None:
        self._digit = ""
        super().move_cursor(index)

    def step(self, step: int) -> None:
        self.move_cursor((self.cursor + step) % max(1, len(self.in_sight)))

    def go_to(self, index: int) -> None:
        self.move_cursor(len(self.in_sight) - 1 if index < 0 else index)

    def step_row(self, step: int) -> None:
        fan, _ = self._spread()
        if fan is not None:
            self.move_cursor(fan.neighbour(self.cursor, step))

    def choose(self) -> None:
        self.toggle(self.cursor)

    def take_key(self, event: events.Key) -> None:
        """Act on a key that was pressed while something else has the focus, and that nothing else wants."""
        self.on_key(event)
        for command in HAND:
            if event.key in command.every_key:
                event.stop()
                event.prevent_default()
                command.run(self)

    def on_key(self, event: events.Key) -> None:
        """Jump to a card of a rank.

        The first time to the leftmost, wherever the cursor is; the same rank again leads to the next.
        """
        typed = event.character or ""
        before, self._digit = self._digit, ""
        rank = rank_of_key(typed, self.faces, before)
        if rank is None:
            if typed in SMALL_RANKS or (typed in LETTERS and self.faces.has_numbers):
                self._named, self.has_missed = None, True
                self.post_message(self.NoCard(typed))
            return
        named = self._before_digit if before else self._named
        if self.name_rank(rank, named):
            event.stop()
            event.prevent_default()
        else:
            self.post_message(self.NoCard(before + typed if rank > NINE else typed))
        if typed == TEENS and not before and self.faces.has_numbers:
            self._digit, self._before_digit = typed, named

    def on_mouse_down(self, event: events.MouseDown) -> None:
        index = self.target_at(event)
        if index is None or event.button != 1:
            return
        self._drag_moved = False
        if event.shift:
            self.select_range(self.cursor, index)
            self.move_cursor(index)
            return
        self._dragged = index
        self.move_cursor(index)
        self.capture_mouse()

    def hover(self, target: Target) -> None:
        if self._dragged is None:
            super().hover(target)
        elif target is not None and target != self._dragged:
            self.move(self._dragged, target)
            self._dragged, self._drag_moved = target, True

    def on_mouse_move(self, event: events.MouseMove) -> None:
        card = self._held_card()
        if card is None:
            return
        outside = not self.region.contains_point(event.screen_offset)
        if outside:
            self._drag_moved = self._is_carried = True
            self.post_message(self.Carried(card, event.screen_offset))
        elif self._is_carried:
            self._is_carried = False
            self.post_message(self.PutBack())

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragged is None:
            return
        index, card, carried = self._dragged, self._held_card(), self._is_carried
        self._let_go()
        if carried and card is not None:
            self.post_message(self.Dropped(card, event.screen_offset))
        elif not self._drag_moved:
            self.toggle(index)

    def _held_card(self) -> Card | None:
        """Return the card the pointer holds; the hand may have changed since it was taken."""
        visible = self.in_sight
        held = self._dragged is not None and self._dragged < len(visible)
        return visible[self._dragged or 0].card if held else None

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        brush = Brush(palette, self.faces, self.look)
        visible = self.in_sight
        fan, ghosts = self._spread(canvas.width, canvas.height)
        if fan is None:
            return
        if self._backs:
            for x, y, _ in fan.places:
                draw_back(canvas, x, y, brush, fan.size)
            return
        gold, muted = style(palette.gold, palette.felt, True), style(palette.on_felt_muted, palette.felt)
        tightest = min(shown for _, _, shown in fan.places)
        drawn = []
        for index, (held, (x, y, shown)) in enumerate(zip(visible, fan.places, strict=True)):
            plain = palette.card_shade if index % 2 and tightest < TIGHT else palette.card
            ground = palette.card_chosen if held.chosen else palette.card_hover if index == self.hovered else plain
            seen = shown if shown == fan.size[0] else tightest
            face = card_face(held.card, brush, fan.size, shown=seen, ground=ground)
            top = int(fan.size[1] > 1 and fills_edge(held.card, self.faces, fan.size, seen))
            drawn.append((index, x, y - (1 if held.chosen and fan.lift else 0), top, face, ground))
        for index, x, raised, top, face, ground in drawn:
            canvas.stamp(x, raised, face, index)
            if index == self.cursor:
                edge = style(palette.gilt, ground, True)
                canvas.fill(x, raised + top, 1, fan.size[1] - top, edge, CURSOR_EDGE, target=index)
        for (x, y, shown), text in ghosts:
            draw_empty(canvas, x, y, brush, (shown, fan.size[1]), text, at_top=True)
        for index, (held, (x, y, shown)) in enumerate(zip(visible, fan.places, strict=True)):
            if held.new and fan.lift and not held.chosen:
                canvas.text(x + 1, y - 1, "new▾" if shown > 4 else "▾", gold)
            if index == self.cursor:
                under = y + fan.size[1]
                canvas.text(x + 1, under, "▲", gold if self.has_focus else muted)

    def _spread(self, width: int = 0, height: int = 0) -> tuple[Fan | None, list[tuple[Place, str]]]:
        region = self.scrollable_content_region
        slots = self._slots()
        pairs = enumerate(pairwise(slots), start=1)
        gaps = {index for index, (left, right) in pairs if left.bundle != right.bundle}
        fan = arrange(len(slots) or self._backs, width or region.width, height or region.height, gaps)
        if fan is None or not self.lacks:
            return fan, []
        ghosts = [(place, slot.text) for slot, place in zip(slots, fan.places, strict=True) if isinstance(slot, Ghost)]
        cards = [place for slot, place in zip(slots, fan.places, strict=True) if isinstance(slot, HandCard)]
        return replace(fan, places=tuple(cards)), ghosts

    def _slots(self) -> list[HandCard | Ghost]:
        slots: list[HandCard | Ghost] = []
        cards = self.in_sight
        for card, following in zip_longest(cards, cards[1:]):
            slots.append(card)
            ends = following is None or following.bundle != card.bundle
            if ends and 0 <= card.bundle < len(self.lacks):
                slots += [Ghost(card.bundle, text) for text in self.lacks[card.bundle]]
        return slots

    def _let_go(self) -> None:
        if self._dragged is not None:
            self._dragged = None
            self.release_mouse()
        if self._is_carried:
            self._is_carried = False
            self.post_message(self.PutBack())


#: Columns at either side of a row of cards.
MARGIN: Final = 1
#: Fewest columns of a small card that show its index on one row.
INDEX_STEP: Final = 4
#: Below this many columns a card, neighbours are hard to tell apart.
TIGHT: Final = 3
#: Columns from one large card to the next that still show its index and a row of pips.
LARGE_STEP: Final = 4
#: The same of huge cards.
HUGE_STEP: Final = 6
#: Free columns between cards where there is room for all of them side by side.
APART: Final = 1


#: Column and row of a card, and how many of its columns the next card leaves to be seen.
Place: TypeAlias = tuple[int, int, int]


class Fan(Struct, frozen=True):
    size: tuple[int, int]
    places: tuple[Place, ...]
    lift: bool
    """Whether there is a free row above, for chosen cards."""

    def neighbour(self, index: int, rows: int) -> int:
        """Return the card above (rows -1) or below (1) card `index`, or `index` itself."""
        x, y, _ = self.places[index]
        others = [(abs(place[0] - x), other) for other, place in enumerate(self.places) if (place[1] - y) * rows > 0]
        return min(others)[1] if others else index


def arrange(count: int, width: int, height: int, gaps: Collection[int] = ()) -> Fan | None:
    """Arrange `count` cards in `width` × `height` cells; None if there are no cards.

    `gaps`: cards with a small gap before them if there is room. One row above is kept for chosen cards and one
    below for the cursor.
    """
    if count <= 0 or width < SMALL[0] or height <= 0:
        return None
    lift = height >= 4
    free = height - (2 if lift else 1 if height >= 2 else 0)
    for size, least in ((HUGE, HUGE_STEP), (LARGE, LARGE_STEP)):
        if free >= size[1] and _step(count, width, size[0]) >= least:
            return Fan(size, tuple(_row(count, width, size[0], height - 1 - size[1], gaps)), lift)
    small = (SMALL[0], max(1, min(free, SMALL[1] + 1)))
    step = _step(count, width, small[0])
    if (step < INDEX_STEP and height >= 10) or (step < TIGHT and height >= 8):
        return _two_rows(count, width, height, gaps)
    top = height - small[1] - (1 if height >= 2 else 0)
    return Fan(small, tuple(_row(count, width, small[0], top, gaps)), lift)


def _two_rows(count: int, width: int, height: int, gaps: Collection[int]) -> Fan:
    each = height // 2
    size = (SMALL[0], min(each - 2, SMALL[1]))
    first = (count + 1) // 2
    top = height - 2 * each + each - 1 - size[1]
    upper = _row(first, width, size[0], top, [gap for gap in gaps if gap < first])
    lower = _row(count - first, width, size[0], top + each, [gap - first for gap in gaps if gap > first])
    return Fan(size, (*upper, *lower), True)


def _step(count: int, width: int, card: int) -> float:
    """Return the columns from one card to the next, so that the last one is whole."""
    return (width - 2 * MARGIN - card) / max(1, count - 1)


def _row(count: int, width: int, card: int, top: int, gaps: Collection[int]) -> list[tuple[int, int, int]]:
    step = _step(count, width, card)
    # Side by side, or overlapping so far that it is seen to be meant.
    step = card + APART if step >= card + APART and not gaps else min(card - 1, step)
    gap = 0
    if gaps:
        spare = width - 2 * MARGIN - card - min(step, INDEX_STEP) * (count - 1)
        gap = int(min(2, spare // len(gaps))) if spare > 0 else 0
        step = min(step, (width - 2 * MARGIN - card - gap * len(gaps)) / max(1, count - 1))
    # Whole steps look even; only where columns are scarce is every one of them used.
    if step >= INDEX_STEP:
        step = int(step)
    columns, shift = [], 0
    for index in range(count):
        shift += gap if index in gaps else 0
        columns.append(MARGIN + int(index * step) + shift)
    middle = (width - MARGIN - columns[-1] - card) // 2
    columns = [x + max(0, middle) for x in columns]
    following = [*columns[1:], columns[-1] + card]
    return [(x, top, min(card, after - x)) for x, after in zip(columns, following, strict=True)]


NAME: Final = 9
#: Cards of a long hand, which are to be told apart by this many columns each.
LONG: Final = 16
LEAST_STEP: Final = 4
#: Rows of a screen that is not low.
HIGH: Final = 32
#: Of a card: its size, and the free rows below it. The best first.
FORMS: Final = (
    (HUGE, 1), (LARGE, 1), ((7, 5), 1), (SMALL, 1), (SMALL, 0), ((6, 3), 1), ((6, 3), 0),
    ((6, 2), 1), ((6, 2), 0), ((4, 1), 0),
)  # fmt: skip


class HandsLayout(Struct, frozen=True):
    """Layout of hands: cards of one size, in one column or two."""

    size: tuple[int, int]
    gap: int
    columns: int
    lines: int

    @property
    def height(self) -> int:
        return self.lines * (self.size[1] + self.gap)


def rows_for_hands(height: int) -> int:
    """Return the rows that hands may take of a screen: a third, and more where the melds have room all the same."""
    return height // 3 if height < HIGH else height * 4 // 9


def hands_layout(seats: int, width: int, height: int) -> HandsLayout:
    """Return the largest cards in which that many hands fit `width` × `height` cells; else the smallest."""
    found = HandsLayout(FORMS[-1][0], 0, 1, seats)
    for size, gap in FORMS:
        for columns in (1, 2):
            found = HandsLayout(size, gap, columns, -(-seats // columns))
            wide = width // columns - NAME - size[0] >= (LONG - 1) * LEAST_STEP
            if wide and found.height <= height:
                return found
    return found


class HandsView(CanvasWidget):
    DEFAULT_CSS = "HandsView { display: none; }"
    _hands: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    _turn = 0
    _faces: Faces = FRENCH

    def show(self, hands: Sequence[tuple[str, Sequence[Card]]], turn: int, faces: Faces, size: tuple[int, int]) -> None:
        """Show hands by name, in a screen of that size; with none, be gone and know no card any more."""
        self._hands = tuple((name, tuple(sorted(cards, key=suit_first))) for name, cards in hands)
        self._turn, self._faces = turn, faces
        self.display = bool(hands)
        if hands:
            self.styles.height = hands_layout(len(hands), size[0], rows_for_hands(size[1])).height
            self.repaint()
        else:
            self.forget_drawing()

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        layout = hands_layout(len(self._hands), canvas.width, canvas.height)
        brush = Brush(palette, self._faces, self.look)
        wide = canvas.width // layout.columns
        # One step for all, so that cards stand below one another.
        most = max(len(cards) for _, cards in self._hands)
        step = min(layout.size[0] - 1, max(1, (wide - NAME - 1 - layout.size[0]) // max(1, most - 1)))
        for seat, (name, cards) in enumerate(self._hands):
            x, y = seat // layout.lines * wide, seat % layout.lines * (layout.size[1] + layout.gap)
            ink = style(palette.gold if seat == self._turn else palette.on_felt, palette.felt, True)
            canvas.text(x + 1, y, shorten(("▸" if seat == self._turn else " ") + name, NAME - 2), ink)
            draw_cards(canvas, x + NAME, y, cards, brush, layout.size, step, edged=layout.gap == 0)
            if not cards:
                canvas.text(x + NAME, y, "no cards", style(palette.on_felt_muted, palette.felt))


def no_card_words(key: str, joker: str, faces: Faces) -> str:
    """Return why the key of a rank led to no card; `joker`: the game's word for one."""
    rank = rank_of_key(key[-1], faces, key[:-1])
    if rank is None:
        letters = "1 3 goes to a 13" if faces.has_numbers else "J to a jack"
        return f"Ranks are their capital letters and digits: A goes to an ace, {letters}."
    word = faces.rank_name(rank) if faces.has_numbers and rank != ACE else _RANK_WORDS.get(rank, str(rank))
    there = f"There is no {word if rank else joker} in your hand"
    return f"{there}; 0 to 3 makes it a ten to a 13." if key == TEENS and faces.has_numbers else f"{there}."


def rank_of_key(character: str, faces: Faces, before: str = "") -> int | None:
    """Return the rank that a key leads to: digits, 0 for ten, capital A J Q K; * is the joker, rank 0.

    Where the deck numbers its ranks, 1 and a digit are the ranks 10 to 13; `before`: the digit typed just before.
    """
    if not character or character not in "A*1234567890JQK":
        return None
    if faces.has_numbers:
        if before == TEENS and character in ("0", "1", "2", "3"):
            return 10 + int(character)
        letters = {"A": 1, "1": 1, "0": 10, "*": 0}
    else:
        letters = {"A": 1, "1": 1, "0": 10, "J": 11, "Q": 12, "K": 13, "*": 0}
    if character in letters:
        return letters[character]
    return int(character) if len(character) == 1 and character in "23456789" else None
