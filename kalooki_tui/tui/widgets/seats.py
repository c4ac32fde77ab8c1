"""The seats of the table as tiles: turn, name, score, cards, calls left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from textual import events
from textual.geometry import Size
from textual.message import Message

from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.tableside.people import INK, Badge
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, Target, shorten, style
from kalooki_tui.tui.widgets.faces import EDGE
from kalooki_tui.wording import counted, does

#: Narrowest tile, its gap included, in which names of eight letters are whole; and where that makes more than two rows:
#: eleven seats make two rows of these at 80 columns.
NARROW: Final = 16
NARROWEST: Final = 13
MOST_ROWS: Final = 2
WIDEST: Final = 60
#: Calls that a tile has room to show one by one.
MOST_DOTS: Final = 5
TILE_ROWS: Final = 2
#: The mark of whoever leads, before the total.
LEADS: Final = "1st"


class SeatsStrip(CanvasWidget):
    """Seats, in as few rows of tiles as the width allows."""

    DEFAULT_CSS = "SeatsStrip { height: auto; }"
    HOVERS = True
    _view: View | None = None
    _laid: Sequence[bool] = ()
    _badges: Mapping[int, Badge] = MappingProxyType({})
    _tile_rows = TILE_ROWS

    @dataclass
    class SeatChosen(Message):
        seat: int

    @property
    def tile_rows(self) -> int:
        """Rows of a tile: two; with three, calls have a row of their own; with four, backs are two rows high."""
        return self._tile_rows

    @tile_rows.setter
    def tile_rows(self, rows: int) -> None:
        if rows != self._tile_rows:
            self._tile_rows = rows
            self.repaint()
            self.refresh(layout=True)

    def show(self, view: View, badges: Mapping[int, Badge] = MappingProxyType({})) -> None:
        """Show the seats of a view, with the keys of several people before their names."""
        before, self._view, self._badges = self._seats, view, badges
        self._laid = [laid is not HasLaid.NO for laid in view.laid]
        if self._seats != before:
            self.refresh(layout=True)
        self.repaint_for((
            view.names, view.hand_sizes, view.totals, view.penalties, view.turn, view.actor, view.dealer, self._laid,
            view.calls, view.caller, view.out, view.in_deal, view.eliminated, view.money, self._badges,
        ))  # fmt: skip

    @property
    def _seats(self) -> int:
        return 0 if self._view is None else len(self._view.names)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._tile_rows * len(rows_of(self._seats, width))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        rows = rows_of(self._seats, canvas.width)
        places = [(place, row) for row, count in enumerate(rows) for place in range(count)]
        for seat, (place, row) in enumerate(places):
            width = min(WIDEST, canvas.width // max(rows))
            self._paint_tile(canvas, palette, Tile(seat, place * width, row * self._tile_rows, width - 1))

    def _paint_tile(self, canvas: Canvas, palette: Palette, tile: Tile) -> None:
        view, (seat, x, y, width) = self._view, tile
        assert view is not None
        is_turn, is_dealer, eliminated = view.turn == seat, view.dealer == seat, view.eliminated[seat]
        ground = palette.felt_raised if is_turn or seat == self.hovered else palette.tile
        away = eliminated or not view.in_deal[seat]
        bright = style(palette.on_felt_muted if away else palette.on_felt, ground, not away, strike=eliminated)
        plain, gold = style(palette.on_felt_muted, ground), style(palette.gold, ground, True)
        leads, charged, badge = seat in leaders(view), view.penalties[seat], self._badges.get(seat)
        # The total does not hold yet what was charged in this deal.
        total = f"{LEADS if leads else ''} {view.totals[seat]}{f' {charged:+d}' if charged else ''}".strip()
        room = width - tile.indent - 2 - len(total) - (2 if is_dealer else 0)
        start = x + tile.indent
        canvas.fill(x, y, width, self._tile_rows, plain, target=seat)
        if palette.felt == palette.tile:
            canvas.fill(x + width, y, 1, self._tile_rows, style(palette.felt_line, palette.felt), "│")
        # Its decision may be waited for though it is not its turn.
        canvas.text(x, y, "▸" if is_turn else "?" if view.actor == seat else " ", gold)
        canvas.text(x + width - 1 - len(total), y, total, gold if leads else style(palette.on_felt, ground))
        if badge is not None:
            canvas.text(x + 1, y, badge.key, style(INK, badge.ground, True))
            room, start = room + start - (x + 3), x + 3
        after = canvas.text(start, y, shorten(view.names[seat], room), gold if is_turn else bright)
        if is_dealer:
            canvas.text(after + 1, y, "D", plain)
        self._paint_second_row(canvas, palette, view, tile, ground)

    def _paint_second_row(self, canvas: Canvas, palette: Palette, view: View, tile: Tile, ground: str) -> None:
        seat, y, right = tile.seat, tile.y + 1, tile.x + tile.width - 1
        plain, gold = style(palette.on_felt_muted, ground), style(palette.gold, ground, True)
        x = tile.x + tile.indent
        away = "eliminated" if view.eliminated[seat] else "" if view.in_deal[seat] else "dropped out"
        money = f"¤{view.money[seat]:+d}" if view.rules.ruleset.end.after == "elimination" else ""
        if money and right - x > len(away) + len(money):
            right = canvas.text(right - len(money), y, money, plain) - len(money) - 1
        if away:
            canvas.text(x, y, shorten(away, right - x), plain)
            return
        cards = view.hand_sizes[seat]
        number = str(cards)
        laid = "laid" if self._laid[seat] else ""
        word = "calls" if view.caller == seat else "out!" if view.out == seat else laid
        calls, limit = calls_left(view, seat), view.rules.ruleset.calls.limit
        row = "" if calls is None else "●" * calls + "○" * (limit - calls)
        dots = row if limit <= MOST_DOTS else f"●×{calls}"
        if self._tile_rows > TILE_ROWS:
            last, end = y + self._tile_rows - 2, right
            for text in filter(None, (dots, word)):
                end = canvas.text(end - len(text), last, text, gold) - len(text) - 1
            words = counted(cards, "card")
            # With what else stands there, the number alone.
            words = words if len(words) <= end - x else number
            canvas.text(x, last, words, style(palette.on_felt, ground))
            self._paint_backs(canvas, palette, cards, x, y, right)
            return
        if word and right - x < len(number) + len(word) + len(dots) + 2:
            dots = ""
        for text in filter(None, (dots, word)):
            right = canvas.text(right - len(text), y, text, gold) - len(text) - 1
        # A back a card in a wide tile, fewer in a narrow one, in proportion.
        backs = cards if tile.width >= 26 else max(1, round(cards / (2 if tile.width >= 18 else 4)))
        backs = min(max(0, right - x - len(number) - 1), backs if cards else 0)
        canvas.text(x, y, "▌" * backs, style(palette.back_edge, ground))
        canvas.text(x + backs + (1 if backs else 0), y, number, style(palette.on_felt, ground))

    def _paint_backs(self, canvas: Canvas, palette: Palette, cards: int, x: int, y: int, right: int) -> None:
        step = 2 if right - x >= 2 * cards + 2 else 1
        weave, edge = style(palette.back_weave, palette.back), style(palette.back_edge, palette.back)
        for row in range(y, y + self._tile_rows - TILE_ROWS):
            for card in range(min(cards, (right - x) // step)):
                canvas.text(x + card * step, row, EDGE, edge)
                if step > 1:
                    canvas.text(x + card * step + 1, row, "╱╲"[(row - y) % 2], weave)

    def tip(self, target: Target) -> str | None:
        view, seat = self._view, target
        if view is None or seat >= self._seats:
            return None
        name = view.names[seat]
        if view.eliminated[seat] or not view.in_deal[seat]:
            return f"{does(name, 'be')} out of {'the match' if view.eliminated[seat] else 'this deal'}."
        facts = {
            f"{counted(view.hand_sizes[seat], 'card')} in hand": True,
            f"{counted(view.totals[seat], 'point')} so far": True,
            "leads": seat in leaders(view),
            f"{view.penalties[seat]:+d} charged in this deal": view.penalties[seat],
            "deals": view.dealer == seat,
            "is to move": seat in (view.turn, view.actor),
            "has laid": self._laid[seat],
        }
        told, calls = f"{name}: {', '.join(words for words, is_so in facts.items() if is_so)}.", calls_left(view, seat)
        limit = view.rules.ruleset.calls.limit
        return told if calls is None else f"{told} Dots are calls: {calls} of {limit} left."

    def on_click(self, event: events.Click) -> None:
        seat = self.target_at(event)
        if seat is not None:
            self.post_message(self.SeatChosen(seat))


class Tile(NamedTuple):
    seat: int
    x: int
    y: int
    width: int

    @property
    def indent(self) -> int:
        return 2 if self.width >= 18 else 1


def leaders(view: View) -> list[int]:
    """Return the seats whose total is the lowest, where somebody else's is not."""
    playing = [total for total, gone in zip(view.totals, view.eliminated, strict=True) if not gone]
    if len(set(playing)) < 2:
        return []
    return [seat for seat, total in enumerate(view.totals) if total == min(playing) and not view.eliminated[seat]]


def calls_left(view: View, seat: int) -> int | None:
    """Return the calls left; None: they are not shown."""
    limit = view.rules.ruleset.calls.limit
    return None if view.calls is None or limit == 0 else max(0, limit - view.calls[seat])


def rows_of(count: int, width: int) -> list[int]:
    """Return how many tiles each row holds, as even as can be."""
    if count == 0:
        return []
    rows = -(-count // max(1, width // NARROW))
    if rows > MOST_ROWS:
        rows = -(-count // max(1, width // NARROWEST))
    return [count // rows + (1 if row < count % rows else 0) for row in range(rows)]
