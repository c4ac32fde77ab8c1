"""Text broken to lines, kept for the next drawing, and things put side by side in rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rich.cells import cell_len

from kalooki_tui.ui.widgets.canvas import shorten

MOST_LINES: Final = 1000
#: Where a clause of a sentence ends.
_CLAUSE: Final = re.compile(r"[,;:](?= )")


@lru_cache(maxsize=MOST_LINES)
def wrapped(text: str, width: int, indent: str = "  ") -> tuple[str, ...]:
    """Lines of at most `width` cells, broken at spaces; those after the first are indented."""
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
    """A sentence, or as many of its first clauses as there is room for; cut only where not even one fits."""
    if cell_len(text) <= width:
        return text
    ends = [end.start() for end in _CLAUSE.finditer(text) if cell_len(text[: end.start()]) < width]
    return f"{text[: ends[-1]]}." if ends else shorten(text, width)


def whole_items(items: str, width: int) -> str:
    """A list parted by commas, or as many of its first items as there is room for, and then an ellipsis."""
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
