"""Text broken to lines, kept for the next drawing, and things put side by side in rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rich.cells import cell_len

MOST_LINES: Final = 1000


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
