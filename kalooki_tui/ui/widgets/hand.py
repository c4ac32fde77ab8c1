"""A seat's hand: one focusable widget with a cursor inside, however many cards it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import Any, ClassVar, Final

from textual import events
from textual.binding import BindingType
from textual.geometry import Offset
from textual.message import Message

from kalooki_tui.cards import FRENCH, RANK, Card, Faces
from kalooki_tui.desk.commands import HAND
from kalooki_tui.desk.table.front import Arrangement
from kalooki_tui.ui.commands import bindings
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, Target, style
from kalooki_tui.ui.widgets.faces import Brush, draw_back, draw_card, draw_empty
from kalooki_tui.ui.widgets.fan import TIGHT, Fan, Place, arrange
from kalooki_tui.ui.widgets.holding import (
    SMALL_RANKS,
    TEENS,
    Ghost,
    Held,
    by_rank,
    by_suit,
    gathered,
    has_numbers,
    merged,
    rank_of_key,
    stage,
    with_ghosts,
)

#: The left edge of the card under the cursor.
CURSOR_EDGE: Final = "▌"
#: Ranks that are letters in other decks, and the highest rank of one digit.
LETTERS: Final = ("J", "Q", "K")
NINE: Final = 9


class HandView(Painted, can_focus=True):
    """The hand, in the order its player gave it.

    The order outlives draws: `set_hand` keeps the place of each card that is still held and puts new ones at the end.
    """

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
        super().__init__(**options)
        self.faces: Faces = FRENCH
        self._held: list[Held] = []
        self._ghosts: tuple[Ghost, ...] = ()
        """Cards that the plan lacks, until the hand changes."""
        self._backs = 0
        self._cursor = 0
        self._digit = ""
        """The digit typed last, where a rank of two may begin with it."""
        self._before_digit: Held | None = None
        """The card named before it was typed."""
        self._named: Held | None = None
        """The card to which its rank's key has led, until the cursor leaves it or the hand changes."""
        self.has_missed = False
        """Whether a rank's key has led to no card, until a card is named or chosen, or the cursor moves."""
        self._dragged: int | None = None
        self._drag_moved = False
        self._is_carried = False
        """Whether the card held is outside the hand."""

    # What others read

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in their order, staged ones too; none while the hand is face down."""
        return tuple(held.card for held in self._held)

    @property
    def arrangement(self) -> Arrangement:
        """All cards in their order, the bundles they lie in, those marked as new, and the cursor."""
        new = tuple(place for place, held in enumerate(self._held) if held.new)
        return Arrangement(self.cards, tuple(held.bundle for held in self._held), new, self._cursor)

    @property
    def shown(self) -> tuple[Card, ...]:
        """The cards drawn, in their order."""
        return tuple(held.card for held in self._visible())

    @property
    def selected(self) -> tuple[Card, ...]:
        """The chosen cards, in the hand's order."""
        return tuple(held.card for held in self._visible() if held.chosen)

    @property
    def selected_indexes(self) -> tuple[int, ...]:
        """Places of the chosen cards among those shown."""
        return tuple(index for index, held in enumerate(self._visible()) if held.chosen)

    @property
    def cursor(self) -> int:
        """Place of the cursor among the cards shown."""
        return self._cursor

    @property
    def cursor_card(self) -> Card | None:
        """The card under the cursor."""
        visible = self._visible()
        return visible[self._cursor].card if visible else None

    @property
    def named_card(self) -> Card | None:
        """The card under the cursor, if its rank's key has led there."""
        visible = self._visible()
        here = visible[self._cursor] if visible else None
        return None if here is None or here is not self._named else here.card

    @property
    def is_face_down(self) -> bool:
        """Whether only backs are shown."""
        return self._backs > 0

    # What others set

    def set_hand(self, cards: Iterable[Card], *, order: Arrangement | None = None, faces: Faces | None = None) -> None:
        """Show a hand, as a multiset.

        Cards still held keep their place, choice and bundle; of several copies those staged, chosen or furthest right
        go first. New cards come at the end, marked until the hand changes again, unless the hand was empty before; the
        cursor goes to them. `order` gives a hand its places, marks and cursor from outside, when it comes back from
        face down, from a step taken back or from a saved match: what has come meanwhile, as by a call, is new.
        """
        self.faces = faces or self.faces
        cards = tuple(cards)
        had_chosen, fresh = self.selected, not self._held
        if Counter(cards) != Counter(self.cards):
            self._ghosts = ()
        self._backs = 0
        if order is not None:
            pairs = zip_longest(order.cards, order.bundles[: len(order.cards)], fillvalue=-1)
            marked = {*order.new}
            self._held = [Held(card, bundle=bundle, new=place in marked) for place, (card, bundle) in enumerate(pairs)]
            self._cursor, self._named, fresh = order.cursor, None, not order.cards
        if Counter(cards) != Counter(self.cards):
            self._held = merged(self._held, cards, mark_new=not fresh)
            self._named = None
            self._cursor = max((place for place, one in enumerate(self._visible()) if one.new), default=self._cursor)
        self._clamp()
        self.repaint_for(self._looks())
        if self.selected != had_chosen:
            self._tell_selection()

    def turn_down(self, count: int) -> None:
        """Show `count` backs and forget every card: nothing private is left in the widget."""
        self._held = []
        self._ghosts = ()
        self._named, self.has_missed = None, False
        self._backs = count
        self._cursor, self.hovered = 0, None
        self._let_go()
        self.forget_drawing()
        self.repaint()

    def set_staged(self, cards: Iterable[Card]) -> None:
        """Take out of sight cards that lie in melds not yet laid; cards no longer named come back to their place."""
        had_chosen = self.selected
        stage(self._held, cards)
        if any(held.staged for held in self._held):
            self._ghosts = ()
        self._clamp()
        self.repaint_for(self._looks())
        if self.selected != had_chosen:
            self._tell_selection()

    def select_cards(self, cards: Iterable[Card]) -> None:
        """Select exactly these cards; those not in the hand are ignored."""
        left = Counter(cards)
        for held in self._visible():
            held.chosen = left[held.card] > 0
            left[held.card] -= held.chosen
        self._selection_changed()

    def clear_selection(self) -> None:
        """Choose no card."""
        self.select_cards(())

    def sort_by_suit(self) -> None:
        """Order by suit, black and red in turn, then from the ace up; jokers last."""
        self._order(by_suit(self._held, self.faces))

    def sort_by_rank(self) -> None:
        """Order from the ace up, equal ranks side by side; jokers last."""
        self._order(by_rank(self._held))

    def gather(self, bundles: Sequence[Sequence[Card]], lacks: Sequence[Sequence[str]] = ()) -> None:
        """Put planned melds first, a small gap after each; the other cards follow in their order.

        `lacks`: for each bundle, what the meld still lacks, drawn as faint cards behind it until the hand changes.
        """
        self._order(gathered(self._held, bundles), keep_bundles=True)
        self._ghosts = tuple(Ghost(number, text) for number, texts in enumerate(lacks) for text in texts)
        self.repaint()

    def move_card(self, step: int) -> None:
        """Move the card under the cursor `step` places (-1 to the left, 1 to the right); the cursor goes with it."""
        visible = self._visible()
        to = self._cursor + step
        if visible and 0 <= to < len(visible):
            self._move(self._cursor, to)

    def move_cursor(self, index: int) -> None:
        """Put the cursor on a card by its place among those shown."""
        visible = self._visible()
        if not visible:
            return
        index = max(0, min(len(visible) - 1, index))
        self._named, self.has_missed, self._digit = None, False, ""
        if index != self._cursor:
            self._cursor = index
            self.repaint()

    # Keys and pointer

    def action_command(self, name: str) -> None:
        """A key of the hand's own."""
        next(command for command in HAND if command.name == name).run(self)

    def step(self, step: int) -> None:
        """Move the cursor; from either end it goes to the other."""
        self.move_cursor((self._cursor + step) % max(1, len(self._visible())))

    def go_to(self, index: int) -> None:
        """Move the cursor to a place; -1 is the last."""
        self.move_cursor(len(self._visible()) - 1 if index < 0 else index)

    def step_row(self, step: int) -> None:
        """Move the cursor a row up or down."""
        fan, _ = self._spread()
        if fan is not None:
            self.move_cursor(fan.neighbour(self._cursor, step))

    def choose(self) -> None:
        """Choose the card under the cursor, or undo the choice."""
        self._toggle(self._cursor)

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
                self._miss(typed)
            return
        visible = self._visible()
        named = self._before_digit if before else self._named
        start = 0
        if named is not None and named in visible and RANK[named.card] == rank:
            start = visible.index(named) + 1
        places = (index % len(visible) for index in range(start, start + len(visible)))
        place = next((index for index in places if RANK[visible[index].card] == rank), None)
        if place is None:
            self._miss(before + typed if rank > NINE else typed)
        else:
            event.stop()
            event.prevent_default()
            self.move_cursor(place)
            self._named, self.has_missed = visible[place], False
        if typed == TEENS and not before and has_numbers(self.faces):
            self._digit, self._before_digit = typed, named

    def _miss(self, key: str) -> None:
        self._named, self.has_missed = None, True
        self.post_message(self.NoCard(key))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of a card."""
        index = self.target_at(event)
        if index is None or event.button != 1:
            return
        self._drag_moved = False
        if event.shift:
            low, high = sorted((self._cursor, index))
            for held in self._visible()[low : high + 1]:
                held.chosen = True
            self.move_cursor(index)
            self._selection_changed()
            return
        self._dragged = index
        self.move_cursor(index)
        self.capture_mouse()

    def hover(self, target: Target) -> None:
        """Drag the card held, or show what the pointer is over."""
        if self._dragged is None:
            super().hover(target)
        elif target is not None and target != self._dragged:
            self._move(self._dragged, target)
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
            self._toggle(index)

    def _held_card(self) -> Card | None:
        """The card the pointer holds; the hand may have changed since it was taken."""
        visible = self._visible()
        held = self._dragged is not None and self._dragged < len(visible)
        return visible[self._dragged or 0].card if held else None

    # Drawing

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw the fan, chosen cards a row higher, the cursor at the edge of its card and below it."""
        brush = Brush(palette, self.faces, self.look)
        visible = self._visible()
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
            if index == self._cursor:
                canvas.fill(x, raised, 1, fan.size[1], style(palette.gilt, ground, True), CURSOR_EDGE, target=index)
        for (x, y, shown), text in ghosts:
            draw_empty(canvas, x, y, brush, (shown, fan.size[1]), text, at_top=True)
        for index, (held, (x, y, shown)) in enumerate(zip(visible, fan.places, strict=True)):
            if held.new and fan.lift and not held.chosen:
                canvas.text(x + 1, y - 1, "new▾" if shown > 4 else "▾", gold)
            if index == self._cursor:
                under = y + fan.size[1]
                canvas.text(x + 1, under, "▲", gold if self.has_focus else muted)

    def _spread(self, width: int = 0, height: int = 0) -> tuple[Fan | None, list[tuple[Place, str]]]:
        """Where the cards, or the backs, lie, and where the cards that the plan lacks would."""
        region = self.scrollable_content_region
        slots = with_ghosts(self._visible(), self._ghosts)
        pairs = enumerate(pairwise(slots), start=1)
        gaps = {index for index, (left, right) in pairs if left.bundle != right.bundle}
        fan = arrange(len(slots) or self._backs, width or region.width, height or region.height, gaps)
        if fan is None or not self._ghosts:
            return fan, []
        ghosts = [(place, slot.text) for slot, place in zip(slots, fan.places, strict=True) if isinstance(slot, Ghost)]
        cards = [place for slot, place in zip(slots, fan.places, strict=True) if isinstance(slot, Held)]
        return replace(fan, places=tuple(cards)), ghosts

    # Changes

    def _visible(self) -> list[Held]:
        return [held for held in self._held if not held.staged]

    def _let_go(self) -> None:
        if self._dragged is not None:
            self._dragged = None
            self.release_mouse()
        if self._is_carried:
            self._is_carried = False
            self.post_message(self.PutBack())

    def _looks(self) -> tuple[object, ...]:
        """The appearance, apart from focus and pointer."""
        held = [(one.card, one.chosen, one.new, one.bundle) for one in self._visible()]
        return (held, self._ghosts, self._backs, self._cursor, self.faces)

    def _clamp(self) -> None:
        self._cursor = max(0, min(self._cursor, len(self._visible()) - 1))

    def _toggle(self, index: int) -> None:
        visible = self._visible()
        if 0 <= index < len(visible):
            visible[index].chosen = not visible[index].chosen
            self._selection_changed()

    def _move(self, source: int, to: int) -> None:
        visible = self._visible()
        if max(source, to) >= len(visible):  # the hand may change while a card is dragged
            return
        held, beside = visible[source], visible[to]
        held.bundle = -1
        self._ghosts = ()
        self._held.remove(held)
        self._held.insert(self._held.index(beside) + (1 if to > source else 0), held)
        self._cursor = to
        self.repaint()
        self.post_message(self.OrderChanged(self.cards))

    def _order(self, ordered: list[Held], *, keep_bundles: bool = False) -> None:
        under = self._visible()[self._cursor] if self._visible() else None
        self._ghosts = ()
        if not keep_bundles:
            for held in ordered:
                held.bundle = -1
        self._held = ordered
        visible = self._visible()
        self._cursor = next((index for index, held in enumerate(visible) if held is under), 0)
        self.repaint()
        self.post_message(self.OrderChanged(self.cards))

    def _selection_changed(self) -> None:
        self.has_missed = False
        self.repaint()
        self._tell_selection()

    def _tell_selection(self) -> None:
        self.post_message(self.SelectionChanged(self.selected))
