"""What AI players made of daily deals, a file a date, so that it is not played again at every start."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

from kalooki_tui import __version__
from kalooki_tui.store.files import read_whole, write_whole
from kalooki_tui.store.paths import data_folder
from kalooki_tui.table.duplicate import DAILY_VERSION, PAR_LEVELS, Line, daily_par, read_line
from kalooki_tui.wording import FIRST_NAME

FOLDER: Final = "daily"
MOST_BYTES: Final = 4_000_000
#: Dates that are kept, the last ones.
MOST: Final = 60


def par_of(day: date) -> tuple[Line, ...]:
    """What is kept of a date, else played now and kept. A file that cannot be used, or written, is no fault."""
    kept = kept_par(day)
    if kept is not None:
        return kept
    lines = daily_par(day)
    with suppress(OSError):
        _keep(day, lines)
    return lines


def kept_par(day: date) -> tuple[Line, ...] | None:
    """What is kept of a date; None: nothing, or it is of another version of the program, whose players may differ."""
    data = read_whole(_path(day), MOST_BYTES)
    if not isinstance(data, bytes) or len(data) > MOST_BYTES:
        return None
    try:
        plain: Any = json.loads(data)
        if (plain["program"], plain["version"]) != (__version__, DAILY_VERSION):
            return None
        lines = tuple(read_line(level, FIRST_NAME, plain["lines"][level]) for level in PAR_LEVELS)
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError):
        return None
    return lines


def _keep(day: date, lines: tuple[Line, ...]) -> None:
    plain = {"program": __version__, "version": DAILY_VERSION, "lines": {line.level: line.record for line in lines}}
    path = _path(day)
    write_whole(path, (json.dumps(plain, ensure_ascii=False) + "\n").encode(), unusable=False)
    for old in sorted(path.parent.glob("????-??-??.json"), key=lambda one: one.stat().st_mtime)[:-MOST]:
        old.unlink()


def _path(day: date) -> Path:
    return data_folder() / FOLDER / f"{day.isoformat()}.json"
