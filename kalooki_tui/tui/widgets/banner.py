"""Contract of the deal: a line that stays on top, and a banner for the start of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from kalooki_tui.cards import Card
from kalooki_tui.coach.vocabulary import contract_words, example_melds
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.commands import key_of
from kalooki_tui.presenter.sentences import Slot, deal_facts, deal_words, empty_slots, reminder
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, Target, shorten, style
from kalooki_tui.tui.widgets.faces import LARGE, SMALL, Brush, draw_cards
from kalooki_tui.wording import does


class ContractBanner(CanvasWidget):
    """Top line: deal, contract, slots that fill, cards dealt, who deals, a pause; on a second row, a note."""

    DEFAULT_CSS = "ContractBanner { height: 1; }"
    GROUND = "felt_deep"
    HOVERS = True
    _title = _words = _note = ""
    _slots: tuple[Slot, ...] = ()
    _facts: tuple[str, ...] = ()
    _sign = ""
    """Sign that AI seats wait, independent of the prompt: it stands rightmost and is always there."""

    def show(self, view: View, slots: Sequence[Slot] | None = None, note: str = "", *, waits: bool = False) -> None:
        """Show a view's contract; `slots` as far as they are filled, empty if not given; `note` on the second row.

        `waits`: AI seats wait until a key is pressed, or the person has moved.
        """
        self._title, self._words = deal_words(view), contract_words(view.contract, view.rules.ruleset.vocabulary)
        self._facts = (f"{view.contract.cards} cards", does(view.names[view.dealer], "deal"))
        self._note, self._sign = note, f" paused: {key_of('pause')} " if waits else ""
        self.show_slots(empty_slots(view) if slots is None else slots)

    def show_slots(self, slots: Sequence[Slot]) -> None:
        self._slots = tuple(slots)
        self.repaint_for((self._title, self._words, self._slots, self._facts, self._note, self._sign))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground = palette.felt_deep
        gold, bright = style(palette.gold, ground, True), style(palette.on_felt, ground, True)
        muted = style(palette.on_felt_muted, ground)
        x = canvas.text(1, 0, self._title, gold) + 2
        slots_width = sum(_slot_width(slot) + 2 for slot in self._slots)
        end = canvas.width - (1 + cell_len(self._sign) if self._sign else 0)
        canvas.text(end, 0, self._sign, style(palette.felt_deep, palette.gold, True))
        x = canvas.text(x, 0, shorten(self._words, end - x - slots_width - 2), bright) + 2
        for slot in self._slots:
            start, x = x, _paint_slot(canvas, palette, slot, x) + 2
            canvas.mark(start, 0, x - start - 2, 1, slot)
        facts = list(self._facts)
        while facts and cell_len(" · ".join(facts)) > end - x - 1 + (1 if self._slots else 0):
            facts.pop(0)
        text = " · ".join(facts)
        canvas.text(end - 1 - cell_len(text), 0, text, muted)
        canvas.text(1, 1, shorten(self._note, canvas.width - 2), muted)

    def tip(self, target: Target) -> str | None:
        assert isinstance(target, Slot)
        if target.kind is None:
            return f"The first lay-down has to be worth {target.needed} points; {target.have} are together."
        what = "cards of one rank" if target.kind is Kind.SET else "cards in a row of one suit"
        there = "full" if target.have >= target.needed else f"{target.have} together"
        if target.held and not target.have:
            there = f"{target.held} together in your hand"
        return f"The contract asks here for {target.needed} {what}: {there}."


def _slot_width(slot: Slot) -> int:
    if slot.kind is None:
        return len(f"{slot.have}/{slot.needed} ") + 10
    return 2 + max(slot.needed, slot.have)


def _paint_slot(canvas: Canvas, palette: Palette, slot: Slot, x: int) -> int:
    ground = palette.felt_deep
    gold, muted = style(palette.gold, ground, True), style(palette.on_felt_muted, ground)
    full = slot.have >= slot.needed
    if slot.kind is None:
        x = canvas.text(x, 0, f"{slot.have}/{slot.needed} ", gold if full else muted)
        done = min(10, 10 * slot.have // max(1, slot.needed))
        x = canvas.text(x, 0, "▮" * done, gold)
        return canvas.text(x, 0, "▯" * (10 - done), muted)
    x = canvas.text(x, 0, "✓ " if full else f"{slot.needed} ", gold if full else muted)
    x = canvas.text(x, 0, "▮" * slot.have, gold)
    # What is together in the hand only is half full.
    x = canvas.text(x, 0, "▒" * max(0, slot.held - slot.have), style(palette.on_felt, ground))
    return canvas.text(x, 0, "▯" * max(0, slot.needed - max(slot.have, slot.held)), muted)


#: By the rows there are for a deal's banner: the size of its cards, cells from one to the next and between melds.
EXAMPLE_SIZES: Final = ((16, (LARGE, 9, 5)), (12, (SMALL, 5, 4)), (0, ((5, 3), 3, 3)))
#: Rows of a terminal from which on a deal's banner has the largest of them.
TALL: Final = 36


class DealBanner(CanvasWidget):
    DEFAULT_CSS = "DealBanner { height: 12; }"
    GROUND = "felt_deep"
    _view: View | None = None

    def show(self, view: View) -> None:
        self._view = view
        self.repaint()

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        view = self._view
        if view is None:
            return
        ground = palette.felt_deep
        words = contract_words(view.contract, view.rules.ruleset.vocabulary)
        rule = "━" * min(canvas.width - 2, 60)
        groups = example_melds(view.rules.ruleset, view.contract)
        fitting = (
            sizes
            for rows, sizes in EXAMPLE_SIZES
            if canvas.height >= rows and _examples_width(groups, *sizes) <= canvas.width - 4
        )
        size, step, gap = next(fitting, EXAMPLE_SIZES[-1][1])
        width = _examples_width(groups, size, step, gap)
        top = max(0, (canvas.height - (6 + size[1] + 1)) // 2)
        muted = style(palette.on_felt_muted, ground)
        canvas.centred(top, rule, style(palette.gold, ground))
        canvas.centred(top + 1, deal_words(view), style(palette.gold, ground, True))
        canvas.centred(top + 2, words, style(palette.on_felt, ground, True))
        x = (canvas.width - width) // 2
        brush = Brush(palette, view.rules.faces, self.look)
        for group in groups:
            x = draw_cards(canvas, x, top + 4, group, brush, size, step) + gap
        below = top + 4 + size[1] + (1 if canvas.height > top + 7 + size[1] else 0)
        canvas.centred(below, shorten(deal_facts(view), canvas.width - 2), muted)
        canvas.centred(below + 1, shorten(reminder(view), canvas.width - 2), muted)
        canvas.centred(below + 2, rule, style(palette.gold, ground))


def _examples_width(groups: list[list[Card]], size: tuple[int, int], step: int, gap: int) -> int:
    return sum((len(group) - 1) * step + size[0] for group in groups) + gap * max(0, len(groups) - 1)


#: Dots of a cell: two columns of four rows.
ACROSS, DOWN = 2, 4
#: Bit of the dot in each column and row of a braille letter.
_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BLANK = 0x2800


def line(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the dots of the straight line from one dot to another."""
    across, down = end[0] - start[0], end[1] - start[1]
    steps = max(abs(across), abs(down), 1)
    return [
        (start[0] + round(across * step / steps), start[1] + round(down * step / steps)) for step in range(steps + 1)
    ]


class Dots:
    """Dots gathered for cells. A cell has one ink: lines that share cells have every other one."""

    def __init__(self) -> None:
        self._bits: dict[tuple[int, int], int] = {}
        self._inks: dict[tuple[int, int], list[Style]] = {}

    def draw_line(self, start: tuple[int, int], end: tuple[int, int], ink: Style) -> None:
        for x, y in line(start, end):
            cell = x // ACROSS, y // DOWN
            self._bits[cell] = self._bits.get(cell, 0) | _BITS[x % ACROSS][y % DOWN]
            inks = self._inks.setdefault(cell, [])
            if ink not in inks:
                inks.append(ink)

    def put_on(self, canvas: Canvas, *, ascii_only: bool) -> None:
        for (x, y), bits in self._bits.items():
            inks = self._inks[x, y]
            canvas.text(x, y, "." if ascii_only else chr(_BLANK + bits), inks[x % len(inks)])
