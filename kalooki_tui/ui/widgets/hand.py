"""A seat's hand: one focusable widget with a cursor inside, however many cards it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import Any, ClassVar, Final, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.geometry import Offset
from textual.message import Message

from kalooki_tui.cards import Card, Faces
from kalooki_tui.desk.commands import HAND
from kalooki_tui.desk.table.hand import SMALL_RANKS, TEENS, Arrangement, Hand, HandCard, has_numbers, rank_of_key
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, Target, style
from kalooki_tui.ui.widgets.command_bar import bindings
from kalooki_tui.ui.widgets.faces import Brush, draw_back, draw_card, draw_empty
from kalooki_tui.ui.widgets.fan import TIGHT, Fan, Place, arrange

#: The left edge of the card under the cursor.
CURSOR_EDGE: Final = "▌"
#: Ranks that are letters in other decks, and the highest rank of one digit.
LETTERS: Final = ("J", "Q", "K")
NINE: Final = 9


class Ghost(NamedTuple):
    """The place of a card that a planned meld lacks."""

    bundle: int
    text: str


class HandView(Painted, Hand, can_focus=True):
    """The hand, drawn."""

    DEFAULT_CSS = """
    HandView { height: 6; }
    """
    HOVERS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings(HAND)

    @dataclass
    class SelectionChanged(Message):
        """Which cards are chosen has changed."""

        cards: tuple[Card, ...]
        """The chosen cards, in the hand's order."""

    @dataclass
    class OrderChanged(Message):
        """The player has put the hand in another order."""

        cards: tuple[Card, ...]
        """All cards of the hand in their order, staged ones too: what `set_hand` takes as `order`."""

    @dataclass
    class NoCard(Message):
        """A rank's key was pressed without such a card in the hand; or its small letter, which is no key for cards."""

        key: str

    @dataclass
    class Carried(Message):
        """A card is dragged outside the hand."""

        card: Card
        at: Offset
        """The cell of the screen under the pointer."""

    class PutBack(Message):
        """The card that was dragged outside is over the hand again."""

    @dataclass
    class Dropped(Message):
        """A card was let go of outside the hand."""

        card: Card
        at: Offset
        """The cell of the screen under the pointer."""

    def __init__(self, **options: Any) -> None:
        Painted.__init__(self, **options)
        Hand.__init__(self)
        self._backs = 0
        self._digit = ""
        """The digit typed last, where a rank of two may begin with it."""
        self._before_digit: HandCard | None = None
        """The card named before it was typed."""
        self._dragged: int | None = None
        self._drag_moved = False
        self._is_carried = False
        """Whether the card held is outside the hand."""

    @property
    def is_face_down(self) -> bool:
        """Whether only backs are shown."""
        return self._backs > 0

    def hand_changed(self) -> None:
        """Draw it anew where it looks otherwise."""
        held = [(one.card, one.chosen, one.new, one.bundle) for one in self.in_sight]
        self.repaint_for((held, self.lacks, self._backs, self.cursor, self.faces))

    def choice_changed(self) -> None:
        self.post_message(self.SelectionChanged(self.selected))

    def order_changed(self) -> None:
        self.post_message(self.OrderChanged(self.cards))

    def set_hand(self, cards: Iterable[Card], *, order: Arrangement | None = None, faces: Faces | None = None) -> None:
        self._backs = 0
        super().set_hand(cards, order=order, faces=faces)

    def turn_down(self, count: int) -> None:
        """Show `count` backs and forget every card: nothing private is left in the widget."""
        self.forget()
        self._backs = count
        self.hovered = None
        self._let_go()
        self.forget_drawing()
        self.repaint()

    def move_card(self, step: int) -> None:
        """Move the card under the cursor `step` places (-1 to the left, 1 to the right); the cursor goes with it."""
        self.move(self.cursor, self.cursor + step)

    def move_cursor(self, index: int) -> None:
        """Put the cursor on a card by its place among those shown."""
        self._digit = ""
        super().move_cursor(index)

    # Keys and pointer

    def action_command(self, name: str) -> None:
        next(command for command in HAND if command.name == name).run(self)

    def step(self, step: int) -> None:
        """Move the cursor; from either end it goes to the other."""
        self.move_cursor((self.cursor + step) % max(1, len(self.in_sight)))

    def go_to(self, index: int) -> None:
        """Move the cursor to a place; -1 is the last."""
        self.move_cursor(len(self.in_sight) - 1 if index < 0 else index)

    def step_row(self, step: int) -> None:
        """Move the cursor a row up or down."""
        fan, _ = self._spread()
        if fan is not None:
            self.move_cursor(fan.neighbour(self.cursor, step))

    def choose(self) -> None:
        """Choose the card under the cursor, or undo the choice."""
        self.toggle(self.cursor)

    def take_key(self, event: events.Key) -> None:
        """A key that was pressed while something else has the focus, and that nothing else wants."""
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
            if typed in SMALL_RANKS or (typed in LETTERS and has_numbers(self.faces)):
                self._named, self.has_missed = None, True
                self.post_message(self.NoCard(typed))
            return
        named = self._before_digit if before else self._named
        if self.name_rank(rank, named):
            event.stop()
            event.prevent_default()
        else:
            self.post_message(self.NoCard(before + typed if rank > NINE else typed))
        if typed == TEENS and not before and has_numbers(self.faces):
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
        """Drag the card held, or show what the pointer is over."""
        if self._dragged is None:
            super().hover(target)
        elif target is not None and target != self._dragged:
            self.move(self._dragged, target)
            self._dragged, self._drag_moved = target, True

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell where a card goes that is dragged outside the hand."""
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
        """Let go of a card; one that was not dragged is chosen, or chosen no more."""
        if self._dragged is None:
            return
        index, card, carried = self._dragged, self._held_card(), self._is_carried
        self._let_go()
        if carried and card is not None:
            self.post_message(self.Dropped(card, event.screen_offset))
        elif not self._drag_moved:
            self.toggle(index)

    def _held_card(self) -> Card | None:
        """The card the pointer holds; the hand may have changed since it was taken."""
        visible = self.in_sight
        held = self._dragged is not None and self._dragged < len(visible)
        return visible[self._dragged or 0].card if held else None

    # Drawing

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw the fan, chosen cards a row higher, the cursor at the edge of its card and below it."""
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
        for index, (held, (x, y, shown)) in enumerate(zip(visible, fan.places, strict=True)):
            plain = palette.card_shade if index % 2 and fan.tightest < TIGHT else palette.card
            ground = palette.card_chosen if held.chosen else palette.card_hover if index == self.hovered else plain
            raised = y - (1 if held.chosen and fan.lift else 0)
            if fan.lift:
                canvas.fill(x, raised, 1, 1, gold, target=index)
            seen = shown if shown == fan.size[0] else fan.tightest
            draw_card(canvas, x, raised, held.card, brush, fan.size, shown=seen, ground=ground, target=index)
            if index == self.cursor:
                canvas.fill(x, raised, 1, fan.size[1], style(palette.gilt, ground, True), CURSOR_EDGE, target=index)
        for (x, y, shown), text in ghosts:
            draw_empty(canvas, x, y, brush, (shown, fan.size[1]), text, at_top=True)
        for index, (held, (x, y, shown)) in enumerate(zip(visible, fan.places, strict=True)):
            if held.new and fan.lift and not held.chosen:
                canvas.text(x + 1, y - 1, "new▾" if shown > 4 else "▾", gold)
            if index == self.cursor:
                under = y + fan.size[1]
                canvas.text(x + 1, under, "▲", gold if self.has_focus else muted)

    def _spread(self, width: int = 0, height: int = 0) -> tuple[Fan | None, list[tuple[Place, str]]]:
        """Where the cards, or the backs, lie, and where the cards that the plan lacks would."""
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
        """The cards, and what each planned meld lacks behind its last one."""
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
