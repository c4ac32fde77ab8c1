"""Text broken to lines, kept for the next drawing."""

from __future__ import annotations

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
