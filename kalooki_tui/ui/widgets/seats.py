"""The seats of the table as tiles: turn, name, score, cards, calls left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from textual import events
from textual.geometry import Size
from textual.message import Message

from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.view import View
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.playing.people import INK, Badge
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, Target, shorten, style
from kalooki_tui.ui.widgets.faces import EDGE
from kalooki_tui.wording import counted, does

#: Narrowest tile, its gap included, in which names of eight letters are whole; and where that makes more than two rows:
#: eleven seats make two rows of these at 80 columns.
NARROW: Final = 16
NARROWEST: Final = 13
MOST_ROWS: Final = 2
WIDEST: Final = 60
TILE_ROWS: Final = 2
#: The mark of whoever leads, before the total.
LEADS: Final = "1st"


@dataclass(frozen=True, slots=True)
class SeatTile:
    """Contents of one seat's tile."""

    name: str
    cards: int
    total: int
    charged: int = 0
    """Points charged in this deal, which the total does not hold yet."""
    leads: bool = False
    """Whether its total is the lowest, and somebody else's is not."""
    turn: bool = False
    asked: bool = False
    """Its decision is waited for though it is not its turn."""
    dealer: bool = False
    laid: bool = False
    calls_left: int | None = None
    """None: not shown."""
    calls_all: int = 0
    calling: bool = False
    out: bool = False
    in_deal: bool = True
    eliminated: bool = False
    money: int | None = None
    badge: Badge | None = None
    """The key of its person, one of several: it stands before the name."""


def tiles_of(view: View, badges: Mapping[int, Badge] | None = None) -> tuple[SeatTile, ...]:
    """The tiles of a view's seats, some with their people's keys."""
    limit = view.rules.ruleset.calls.limit
    with_money = view.rules.ruleset.end.after == "elimination"
    playing = [total for total, gone in zip(view.totals, view.eliminated, strict=True) if not gone]
    first = min(playing, default=0) if len(set(playing)) > 1 else None
    return tuple(
        SeatTile(
            name=name,
            cards=view.hand_sizes[seat],
            total=view.totals[seat],
            charged=view.penalties[seat],
            leads=view.totals[seat] == first and not view.eliminated[seat],
            turn=view.turn == seat,
            asked=view.actor == seat != view.turn,
            dealer=view.dealer == seat,
            laid=has_laid(view, seat),
            calls_left=None if view.calls is None or limit == 0 else max(0, limit - view.calls[seat]),
            calls_all=limit,
            calling=view.caller == seat,
            out=view.out == seat,
            in_deal=view.in_deal[seat],
            eliminated=view.eliminated[seat],
            money=view.money[seat] if with_money else None,
            badge=(badges or {}).get(seat),
        )
        for seat, name in enumerate(view.names)
    )


class SeatsStrip(Painted):
    """All seats, in as few rows of tiles as the width allows."""

    DEFAULT_CSS = """
    SeatsStrip { height: auto; }
    """
    GROUND = "felt"
    HOVERS = True

    @dataclass
    class SeatChosen(Message):
        """A seat's tile was clicked."""

        seat: int

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._tiles: tuple[SeatTile, ...] = ()
        self._tile_rows = TILE_ROWS

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

    def show(self, view: View, badges: Mapping[int, Badge] | None = None) -> None:
        """Show the seats of a view, with the keys of several people."""
        self.set_tiles(tiles_of(view, badges))

    def set_tiles(self, tiles: tuple[SeatTile, ...]) -> None:
        """Show these tiles, seat 0 first."""
        changed = len(tiles) != len(self._tiles)
        self._tiles = tiles
        self.repaint_for(tiles)
        if changed:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._tile_rows * len(rows_of(len(self._tiles), width))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        seat = 0
        for row, count in enumerate(rows := rows_of(len(self._tiles), canvas.width)):
            width = min(WIDEST, canvas.width // max(rows)) if len(rows) > 1 else min(WIDEST, canvas.width // count)
            for place in range(count):
                self._paint_tile(canvas, palette, seat, place * width, row * self._tile_rows, width - 1)
                seat += 1

    def _paint_tile(self, canvas: Canvas, palette: Palette, seat: int, x: int, y: int, width: int) -> None:
        tile = self._tiles[seat]
        ground = palette.felt_raised if tile.turn or seat == self.hovered else palette.tile
        away = tile.eliminated or not tile.in_deal
        bright = style(palette.on_felt_muted if away else palette.on_felt, ground, not away, strike=tile.eliminated)
        plain, gold = style(palette.on_felt_muted, ground), style(palette.gold, ground, True)
        rows = self._tile_rows
        canvas.fill(x, y, width, rows, plain, target=seat)
        if palette.felt == palette.tile:
            canvas.fill(x + width, y, 1, rows, style(palette.felt_line, palette.felt), "│")
        mark = "▸" if tile.turn else "?" if tile.asked else " "
        canvas.text(x, y, mark, gold)
        total = f"{tile.total}{tile.charged:+d}" if tile.charged else str(tile.total)
        if tile.leads:
            total = f"{LEADS} {total}"
        right = x + width - 1
        canvas.text(right - len(total), y, total, gold if tile.leads else style(palette.on_felt, ground))
        indent = 2 if width >= 18 else 1
        room = width - indent - 2 - len(total) - (2 if tile.dealer else 0)
        start = x + indent
        if tile.badge is not None:
            canvas.text(x + 1, y, tile.badge.key, style(INK, tile.badge.ground, True))
            room, start = room + start - (x + 3), x + 3
        after = canvas.text(start, y, shorten(tile.name, room), gold if tile.turn else bright)
        if tile.dealer:
            canvas.text(after + 1, y, "D", plain)
        self._paint_second_row(canvas, palette, tile, x, y + 1, width, ground)

    def _paint_second_row(
        self, canvas: Canvas, palette: Palette, tile: SeatTile, x: int, y: int, width: int, ground: str
    ) -> None:
        plain, gold = style(palette.on_felt_muted, ground), style(palette.gold, ground, True)
        right = x + width - 1
        x += 2 if width >= 18 else 1
        away = "eliminated" if tile.eliminated else "" if tile.in_deal else "dropped out"
        money = "" if tile.money is None else f"¤{tile.money:+d}"
        if money and right - x > len(away) + len(money):
            right = canvas.text(right - len(money), y, money, plain) - len(money) - 1
        if away:
            canvas.text(x, y, shorten(away, right - x), plain)
            return
        number = str(tile.cards)
        word = "calls" if tile.calling else "out!" if tile.out else "laid" if tile.laid else ""
        dots = "" if tile.calls_left is None else "●" * tile.calls_left + "○" * (tile.calls_all - tile.calls_left)
        if self._tile_rows > TILE_ROWS:
            last, end = y + self._tile_rows - 2, right
            for text in filter(None, (dots, word)):
                end = canvas.text(end - len(text), last, text, gold) - len(text) - 1
            words = counted(tile.cards, "card")
            # With what else stands there, the number alone.
            words = words if len(words) <= end - x else number
            canvas.text(x, last, words, style(palette.on_felt, ground))
            self._paint_backs(canvas, palette, tile, x, y, right)
            return
        if word and right - x < len(number) + len(word) + len(dots) + 2:
            dots = ""
        for text in filter(None, (dots, word)):
            right = canvas.text(right - len(text), y, text, gold) - len(text) - 1
        backs = min(max(0, right - x - len(number) - 1), _backs(tile.cards, width))
        canvas.text(x, y, "▌" * backs, style(palette.back_edge, ground))
        canvas.text(x + backs + (1 if backs else 0), y, number, style(palette.on_felt, ground))

    def _paint_backs(self, canvas: Canvas, palette: Palette, tile: SeatTile, x: int, y: int, right: int) -> None:
        """Draw a fan of backs, one for each card as long as there is room."""
        step = 2 if right - x >= 2 * tile.cards + 2 else 1
        weave, edge = style(palette.back_weave, palette.back), style(palette.back_edge, palette.back)
        for row in range(y, y + self._tile_rows - TILE_ROWS):
            for card in range(min(tile.cards, (right - x) // step)):
                canvas.text(x + card * step, row, EDGE, edge)
                if step > 1:
                    canvas.text(x + card * step + 1, row, "╱╲"[(row - y) % 2], weave)

    def tip(self, target: Target) -> str | None:
        """A tile's signs explained in words."""
        return _tip(self._tiles[target]) if target < len(self._tiles) else None

    def on_click(self, event: events.Click) -> None:
        seat = self.target_at(event)
        if seat is not None:
            self.post_message(self.SeatChosen(seat))


def _tip(tile: SeatTile) -> str:
    if tile.eliminated or not tile.in_deal:
        return f"{does(tile.name, 'be')} out of {'the match' if tile.eliminated else 'this deal'}."
    facts = [f"{counted(tile.cards, 'card')} in hand", f"{counted(tile.total, 'point')} so far"]
    facts += ["leads"] if tile.leads else []
    facts += [f"{tile.charged:+d} charged in this deal"] if tile.charged else []
    facts += ["deals"] if tile.dealer else []
    facts += ["is to move"] if tile.turn or tile.asked else []
    facts += ["has laid"] if tile.laid else []
    told = f"{tile.name}: {', '.join(facts)}."
    if tile.calls_left is not None:
        told += f" Dots are calls: {tile.calls_left} of {tile.calls_all} left."
    return told


def rows_of(count: int, width: int) -> list[int]:
    """How many tiles each row holds, as even as can be."""
    if count == 0:
        return []
    rows = -(-count // max(1, width // NARROW))
    if rows > MOST_ROWS:
        rows = -(-count // max(1, width // NARROWEST))
    return [count // rows + (1 if row < count % rows else 0) for row in range(rows)]


def _backs(cards: int, width: int) -> int:
    """Backs drawn for a hand: one a card in a wide tile, fewer in a narrow one, in proportion."""
    if cards == 0:
        return 0
    return cards if width >= 26 else max(1, round(cards / 2)) if width >= 18 else max(1, round(cards / 4))
