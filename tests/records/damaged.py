"""Records as bad disks, other programs and mischief make them, for everything that reads a record."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from kalooki_tui.records.lines import unsealed
from kalooki_tui.records.verifying import State
from kalooki_tui.records.writing import dump
from kalooki_tui.table.headless import play_match, text_setup
from kalooki_tui.table.table import Table, record

MIDDLE: Final = 20
"""The line that is damaged; a draw from the stock in the first deal."""
HUGE: Final = 50_000_000
DEEP: Final = 100_000


class Damage(NamedTuple):
    """What was done to a record, and what has become of it."""

    name: str
    make: Callable[[Path], object]
    """Writes the damaged file."""
    state: State
    line: int = 0
    """The line that a sentence must name; 0: none."""


@cache
def whole(*, sealed: bool = True, seed: int = 4) -> tuple[str, ...]:
    lines: list[str] = []
    table = Table.open(text_setup("baby", ["Zoë=ai:club", "Bob=ai:club", "Cat=ai:club"], seed, []))
    record(table, lines.append)
    play_match(table)
    return tuple(lines if sealed else (dump(unsealed(json.loads(line))) for line in lines))


def text(lines: tuple[str, ...] | list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _bytes(name: str, content: Callable[[], bytes], state: State, line: int = 0) -> Damage:
    return Damage(name, lambda path: path.write_bytes(content()), state, line)


def _changed(name: str, change: Callable[[list[str]], object], line: int, *, sealed: bool = True) -> Damage:
    """Lines that were changed: they were lines of a record, and do not follow."""

    def content() -> bytes:
        lines = [*whole(sealed=sealed)]
        change(lines)
        return text(lines)

    return _bytes(name, content, State.EDITED, line)


def _edit(pattern: str, new: str, number: int) -> Callable[[list[str]], object]:
    def change(lines: list[str]) -> None:
        before = lines[number - 1]
        lines[number - 1] = re.sub(pattern, new, before, count=1)
        assert lines[number - 1] != before

    return change


def _swap(lines: list[str]) -> None:
    lines[MIDDLE - 1], lines[MIDDLE] = lines[MIDDLE], lines[MIDDLE - 1]


def _head(**keys: Any) -> Callable[[], bytes]:
    def content() -> bytes:
        first, *others = whole(sealed=False)
        return text([json.dumps({**json.loads(first), **keys}), *others])

    return content


def _line(new: str) -> Callable[[], bytes]:
    def content() -> bytes:
        lines = [*whole(sealed=False)]
        lines[MIDDLE - 1] = new
        return text(lines)

    return content


def _within_a_letter() -> bytes:
    content = text(whole())
    return content[: content.rindex("ë".encode()) + 1]


def _huge(name: str, start: Callable[[], bytes], line: int) -> Damage:
    """A last line of so many bytes; most of them take no room on the disk."""

    def make(path: Path) -> None:
        path.write_bytes(start() + b"{")
        os.truncate(path, HUGE)

    return Damage(name, make, State.NO_RECORD, line)


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


DAMAGES: Final = (
    _changed("changed card", _edit('"got": "QD"', '"got": "2C"', MIDDLE), MIDDLE, sealed=False),
    _changed("changed card under a check value", _edit('"got": "QD"', '"got": "2C"', MIDDLE), MIDDLE),
    _changed("changed number of a line", _edit(r'"n": \d+', '"n": 900', MIDDLE), MIDDLE),
    _changed("changed points", _edit(r'"totals": \{"Zoë": ', '"totals": {"Zoë": 7', len(whole())), len(whole())),
    _changed("a line lost", lambda lines: lines.pop(MIDDLE - 1), MIDDLE),
    _changed("a line lost, without check values", lambda lines: lines.pop(MIDDLE - 1), MIDDLE, sealed=False),
    _changed("two lines swapped", _swap, MIDDLE),
    _changed("a line doubled", lambda lines: lines.insert(MIDDLE, lines[MIDDLE - 1]), MIDDLE + 1),
    _changed("a line that undoes too much", lambda lines: lines.insert(MIDDLE, '{"undone": 900}'), 21, sealed=False),
    _bytes("cut between two lines", lambda: text(whole()[:-1]), State.CUT_SHORT),
    _bytes("cut within a line", lambda: text(whole())[:-40], State.CUT_SHORT),
    _bytes("cut within a letter", _within_a_letter, State.CUT_SHORT),
    _bytes("null characters at the end", lambda: text(whole()) + bytes(4096), State.CUT_SHORT),
    _changed("null characters within", _edit(r'"do"', "\0\0\0\0", MIDDLE), MIDDLE),
    _bytes("null characters alone", lambda: bytes(4096), State.NO_RECORD, 1),
    _bytes("not UTF-8 within", lambda: text(whole()).replace("ë".encode(), b"\xeb"), State.NO_RECORD, 1),
    _bytes("UTF-16", lambda: text(whole()).decode().encode("utf-16"), State.NO_RECORD, 1),
    _bytes("half a pair of surrogates", _head(seats=[{"name": name} for name in "A\ud800"]), State.NO_RECORD, 1),
    _huge("a first line of 50 MB", lambda: b"", 1),
    _huge("a last line of 50 MB", lambda: text(whole(sealed=False)), len(whole()) + 1),
    _bytes("empty", lambda: b"", State.NO_RECORD),
    _bytes("an empty line", _line(""), State.NO_RECORD, MIDDLE),
    Damage("a folder", lambda path: path.mkdir(), State.NO_RECORD),
    Damage("a pipe", os.mkfifo, State.NO_RECORD),
    _bytes("a list", _line("[1, 2]"), State.NO_RECORD, MIDDLE),
    _bytes("a number", _line("7"), State.NO_RECORD, MIDDLE),
    _bytes("a number of many digits", _line('{"undone": ' + "9" * 5000 + "}"), State.NO_RECORD, MIDDLE),
    _bytes("no key that it could have", _line('{"x": 1}'), State.NO_RECORD, MIDDLE),
    _bytes("an action that is a list", _line('{"do": []}'), State.NO_RECORD, MIDDLE),
    _bytes("commands for the terminal", _line('{"do": "Bob: \\u001b[2J\\u202e"}'), State.NO_RECORD, MIDDLE),
    _bytes("lists nested 100,000 deep", _line(_deep(DEEP)), State.NO_RECORD, MIDDLE),
    _bytes("an action nested 900 deep", _line(f'{{"do": {_deep(900)}}}'), State.NO_RECORD, MIDDLE),
    _bytes("a first line that is a list", lambda: b"[]\n", State.NO_RECORD, 1),
    _bytes("seats that are a number", _head(seats=7), State.NO_RECORD, 1),
    _bytes("seats nested 900 deep", _head(seats=json.loads(_deep(900))), State.NO_RECORD, 1),
    _bytes("rules that are a list", _head(rules=[]), State.NO_RECORD, 1),
    _bytes("rules nested 900 deep", _head(rules=json.loads(_deep(900))), State.NO_RECORD, 1),
    _bytes("settings nested 900 deep", _head(settings={"x": json.loads(_deep(900))}), State.NO_RECORD, 1),
    _bytes("another format", _head(kalooki=99), State.NO_RECORD, 1),
    _bytes("a position, not a record", lambda: b"ruleset: baby\ndeal: 1\n", State.NO_RECORD, 1),
)  # fmt: skip
"""Each a way in which a file is no whole record."""
