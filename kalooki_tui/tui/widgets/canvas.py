"""Grid of styled cells to draw on, and the base of all widgets that are drawn cell by cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.cells import cell_len, chop_cells, set_cell_size, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.filter import ANSIToTruecolor
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from kalooki_tui.tui.looks.palettes import DEFAULT_LOOK, Look
from kalooki_tui.tui.looks.themes import Palette

if TYPE_CHECKING:
    from kalooki_tui.presenter.commands import Command

#: What a widget shows of which nobody has said what it is.
_UNKNOWN: Final = object()

#: What lies under a cell: any value a widget chooses, to be found again when it is clicked.
Target = Any


@lru_cache(maxsize=4096)
def style(
    foreground: str,
    background: str,
    bold: bool = False,
    italic: bool = False,
    underline: bool = False,
    strike: bool = False,
) -> Style:
    """Return a rich style of two colours written ``#rrggbb``."""
    return Style(
        color=foreground,
        bgcolor=background,
        bold=bold or None,
        italic=italic or None,
        underline=underline or None,
        strike=strike or None,
    )


#: What tells names apart that end with it.
_NUMBER: Final = re.compile(r"[0-9]{1,3}$")


def shorten(text: str, width: int) -> str:
    """Cut a text off, but for a number at its end."""
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return "…"[:width]
    number = _NUMBER.search(text)
    if number is not None and len(number[0]) < width - 1:
        return chop_cells(text, width - 1 - len(number[0]))[0].rstrip() + "…" + number[0]
    return chop_cells(text, width - 1)[0].rstrip() + "…"


def column(text: str, width: int, *, right: bool = False) -> str:
    """Put `text` in a column of `width` cells, the last of them free; `right`: the first."""
    text = shorten(text, width - 1)
    return " " * (width - cell_len(text)) + text if right else set_cell_size(text, width)


@lru_cache(maxsize=4096)
def _signs(text: str) -> Sequence[tuple[str, int]]:
    """Return the graphemes of a text, as a letter with its marks or a whole emoji, each with its cells."""
    if text.isascii():
        return [(character, 1) for character in text]
    return [(text[start:end], cells) for start, end, cells in split_graphemes(text)[0]]


class Canvas:
    """Grid of `width` × `height` cells, of which the `rows` from `top` on are kept. Drawing outside is clipped."""

    __slots__ = ("bottom", "cells", "height", "styles", "targets", "top", "width")

    def __init__(self, width: int, height: int, ground: Style, top: int = 0, rows: int | None = None) -> None:
        rows = height if rows is None else rows
        self.width: Final = width
        self.height: Final = height
        self.top: Final = top
        self.bottom: Final = top + rows
        self.cells = [[" "] * width for _ in range(rows)]
        self.styles = [[ground] * width for _ in range(rows)]
        self.targets: list[list[Target]] = [[None] * width for _ in range(rows)]

    @property
    def extent(self) -> tuple[int, int, int]:
        """Width, and first row and end of the rows kept: drawings of one extent can be compared row by row."""
        return self.width, self.top, self.bottom

    def text(self, x: int, y: int, text: str, ink: Style, target: Target = None) -> int:
        """Write `text` from cell (x, y) and return the x after it. `target` None leaves the targets as they are."""
        if not self.top <= y < self.bottom:
            return x + cell_len(text)
        y -= self.top
        cells, styles, targets = self.cells[y], self.styles[y], self.targets[y]
        for sign, span in _signs(text):
            if span and x >= 0 and x + span <= self.width:
                cells[x] = sign
                for column in range(x, x + span):
                    styles[column] = ink
                    if target is not None:
                        targets[column] = target
                for column in range(x + 1, x + span):
                    cells[column] = ""
            x += span
        return x

    def centred(self, y: int, text: str, ink: Style, x: int = 0, width: int | None = None) -> None:
        """Write `text` in the middle of a row, or of `width` cells of it from `x` on."""
        self.text(x + ((self.width if width is None else width) - cell_len(text)) // 2, y, text, ink)

    def stamp(self, x: int, y: int, drawn: Canvas, target: Target = None) -> None:
        """Put what is drawn on another canvas at cell (x, y). `target` None leaves the targets as they are."""
        left, right = max(0, -x), min(drawn.width, self.width - x)
        if left >= right:
            return
        for row in range(max(0, self.top - y), min(len(drawn.cells), self.bottom - y)):
            here, across = y + row - self.top, slice(x + left, x + right)
            self.cells[here][across] = drawn.cells[row][left:right]
            self.styles[here][across] = drawn.styles[row][left:right]
            if target is not None:
                self.targets[here][across] = [target] * (right - left)

    def fill(
        self, x: int, y: int, width: int, height: int, ink: Style, character: str = " ", target: Target = None
    ) -> None:
        for row in range(max(self.top, y), min(self.bottom, y + height)):
            self.text(x, row, character * width, ink, target)

    def mark(self, x: int, y: int, width: int, height: int, target: Target) -> None:
        """Set the target of a rectangle, without drawing."""
        for row in range(max(self.top, y), min(self.bottom, y + height)):
            for column in range(max(0, x), min(self.width, x + width)):
                self.targets[row - self.top][column] = target

    def target(self, x: int, y: int) -> Target:
        if 0 <= x < self.width and self.top <= y < self.bottom:
            return self.targets[y - self.top][x]
        return None

    def strips(self, before: Canvas | None = None, strips: Sequence[Strip] = ()) -> list[Strip]:
        """Return the rows kept, neighbours of one style joined; a row as on the canvas `before` is its strip."""
        if before is None:
            return [self._strip(y) for y in range(len(self.cells))]
        return [
            strip if cells == old_cells and styles == old_styles else self._strip(y)
            for y, (strip, cells, old_cells, styles, old_styles) in enumerate(
                zip(strips, self.cells, before.cells, self.styles, before.styles, strict=True)
            )
        ]

    def _strip(self, y: int) -> Strip:
        segments: list[Segment] = []
        cells, styles, x = self.cells[y], self.styles[y], 0
        for _, group in groupby(styles, key=id):
            end = x + len(list(group))
            segments.append(Segment("".join(cells[x:end]), styles[x]))
            x = end
        return Strip(segments, self.width)


class CanvasWidget(ScrollView, can_focus=False, inherit_bindings=False):
    """Widget drawn on a canvas of its own width.

    A subclass implements `paint`, calls `repaint` when what it shows has changed, and asks `target_at` what a click
    hit. However often it calls `repaint`, it is painted once, when everything that happened together has been heard.
    Only rows that came out differently are sent to the screen.
    """

    DEFAULT_CSS = """
    CanvasWidget { overflow: hidden hidden; scrollbar-size-vertical: 1; background: transparent; }
    """
    #: Name of the palette's colour that lies under everything.
    GROUND: ClassVar[str] = "felt"
    #: Whether the widget shows what the pointer is over.
    HOVERS: ClassVar[bool] = False
    #: Commands of its own; its keys are made of them.
    OFFERED: ClassVar[tuple[Command, ...]] = ()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._strips: list[Strip] = []
        self._canvas: Canvas | None = None
        self._palette: Palette | None = None
        self._stale = False
        self._shown: object = _UNKNOWN
        self.hovered: Target = None
        """Target under the pointer, in widgets that show it (`HOVERS`)."""

    # What a subclass may implement

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        raise NotImplementedError

    def canvas_height(self, width: int, height: int) -> int:
        """Return the rows to draw on, where `height` are to be seen at once; more than that are scrolled."""
        return height

    def tip(self, target: Target) -> str | None:
        return None

    # What a subclass calls

    @property
    def palette(self) -> Palette:
        if self._palette is None:
            self._palette = Palette.from_variables(self.app.theme_variables)
        return self._palette

    @property
    def look(self) -> Look:
        return getattr(self.app, "look", DEFAULT_LOOK)

    @on(events.Focus)
    @on(events.Blur)
    def repaint(self) -> None:
        self._shown = _UNKNOWN
        if self.is_mounted and not self._stale:
            self._stale = True
            self.call_later(self.paint_now)

    def repaint_for(self, shown: object) -> None:
        """Draw again unless exactly this is shown: it was named at the last call, and nothing was repainted since."""
        if shown != self._shown:
            self.repaint()
            self._shown = shown

    def paint_now(self) -> None:
        if not self._stale:
            return
        before, canvas = self._strips, self._canvas
        self._draw()
        if self._canvas is None:
            return
        if canvas is None or canvas.extent != self._canvas.extent:
            self.refresh()
            return
        rows = [y for y, (old, new) in enumerate(zip(before, self._strips, strict=True)) if old is not new]
        if rows:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in rows))

    def forget_drawing(self) -> None:
        """Drop what was drawn last, though there may be no room to draw anything in its place now."""
        self._strips, self._canvas = [], None
        self.refresh()

    def repaint_all(self) -> None:
        self._palette = self._canvas = None
        self.repaint()

    def target_at(self, event: events.MouseEvent) -> Target:
        """Return the target under the pointer; None for nothing."""
        self.paint_now()
        offset = event.get_content_offset(self)
        if offset is None or self._canvas is None:
            return None
        return self._canvas.target(offset.x, offset.y + self.scroll_offset.y)

    def target_on(self, cell: Offset) -> Target:
        """Return the target of this widget under a cell of the screen; None for nothing."""
        if self._canvas is None or not self.content_region.contains_point(cell):
            return None
        here = cell - self.content_region.offset
        return self._canvas.target(here.x, here.y + self._canvas.top)

    def find(self, wanted: Callable[[Target], bool]) -> Offset | None:
        """Return the first cell of the screen under which something wanted lies; None if it is not in sight."""
        if self._canvas is None:
            return None
        for y, row in enumerate(self._canvas.targets):
            for x, target in enumerate(row):
                if target is not None and wanted(target):
                    return self.content_region.offset + Offset(x, y)
        return None

    def hover(self, target: Target) -> None:
        if target != self.hovered:
            self.hovered = target
            self.tooltip = None if target is None else self.tip(target)
            self.repaint()

    # Textual's side

    def action_command(self, name: str) -> None:
        next(command for command in self.OFFERED if command.name == name).run(self)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.HOVERS:
            self.hover(self.target_at(event))

    def on_leave(self) -> None:
        self.hover(None)

    def _draw(self) -> None:
        self._stale = False
        region = self.scrollable_content_region
        width, height = region.width, region.height
        if width <= 0 or height <= 0:
            self._canvas, self._strips = None, []
            return
        palette = self.palette
        whole = max(1, self.canvas_height(width, height))
        self._set_virtual_size(Size(width, whole), height)
        canvas = Canvas(width, whole, self._plain, self.scroll_offset.y, height)
        self.paint(canvas, palette)
        before = self._canvas if self._canvas is not None and self._canvas.extent == canvas.extent else None
        self._canvas, self._strips = canvas, canvas.strips(before, self._strips)

    def _set_virtual_size(self, size: Size, rows: int) -> None:
        """Let scrolling know how much there is, of which `rows` are seen at once."""
        # Not as a reactive value: a line more would lay the whole screen out anew, and only the thumb moves.
        self.set_reactive(CanvasWidget.virtual_size, size)
        hidden = max(0, size.height - rows)
        if self.scroll_y > hidden:
            self.scroll_y = self.scroll_target_y = hidden
        if self.styles.overflow_y == "auto":
            self.show_vertical_scrollbar = hidden > 0
            if hidden:
                self.vertical_scrollbar.window_virtual_size = size.height

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.repaint_all())

    def on_resize(self) -> None:
        self._draw()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows and columns of `crop`: without border, padding or opacity for Textual's own way to see to."""
        # While the layout changes, more may be asked for than there is; what is added needs a style, or filters fail.
        strips = [strip.crop_extend(crop.x, crop.right, self._plain) for strip in self._rows(crop.y, crop.bottom)]
        # Every colour here is a true one already.
        filters = [found for found in self.get_line_filters() if not isinstance(found, ANSIToTruecolor)]
        if filters:
            background = self.background_colors[1]
            for line_filter in filters:
                strips = [strip.apply_filter(line_filter, background) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        return self._rows(y, y + 1)[0]

    def _rows(self, start: int, end: int) -> list[Strip]:
        """Return visible rows, drawn anew if there is no drawing of this width and scroll offset."""
        width = self.scrollable_content_region.width
        if self._canvas is None or (self._canvas.width, self._canvas.top) != (width, self.scroll_offset.y):
            self._draw()
        rows = self._strips[start:end]
        if len(rows) < end - start:
            rows += [Strip.blank(width, self._plain)] * (end - start - len(rows))
        return rows

    @property
    def _plain(self) -> Style:
        return style(self.palette.on_felt, getattr(self.palette, self.GROUND))


MOST_LINES: Final = 1000
#: Where a clause of a sentence ends.
_CLAUSE: Final = re.compile(r"[,;:](?= )")


@lru_cache(maxsize=MOST_LINES)
def wrapped(text: str, width: int, indent: str = "  ") -> tuple[str, ...]:
    """Break `text` at spaces to lines of at most `width` cells; those after the first are indented."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line.strip() else line + word
        if cell_len(longer) > width and line.strip():
            lines.append(line)
            line = indent + word
        else:
            line = longer
    return (*lines, line) if line else tuple(lines)


def whole_clauses(text: str, width: int) -> str:
    """Return a sentence, or as many of its first clauses as there is room for; cut only where not even one fits."""
    if cell_len(text) <= width:
        return text
    ends = [end.start() for end in _CLAUSE.finditer(text) if cell_len(text[: end.start()]) < width]
    return f"{text[: ends[-1]]}." if ends else shorten(text, width)


def whole_items(items: str, width: int) -> str:
    """Return a list parted by commas, or as many of its first items as there is room for, and then an ellipsis."""
    words = items.split(", ")
    while len(words) > 1 and cell_len(items) > width:
        words.pop()
        items = ", ".join([*words, "…"])
    return shorten(items, width)


def in_rows(widths: Sequence[int], room: int, between: int = 1) -> list[list[int]]:
    """Split things into rows of `room` columns, in their order, with `between` columns from one to the next."""
    rows: list[list[int]] = []
    used = 0
    for index, width in enumerate(widths):
        if rows and used + between + width <= room:
            rows[-1].append(index)
            used += between + width
        else:
            rows.append([index])
            used = width
    return rows


if TYPE_CHECKING:
    from textual.widget import Widget
else:
    # The style sheet of a widget is that of its first base which is one: it must be the other.
    Widget = object


class CompoundWidget(Widget):
    """Widget that comes up only with its parts, which are missing where a screen goes at once, as after two keys."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Mount) and not self.children:
            return
        await super().on_event(event)
