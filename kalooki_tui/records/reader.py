"""Reading a record's lines one at a time: a record may be far larger than memory."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from msgspec import Struct

from kalooki_tui.cards import Card, Faces
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.notation.card_text import NotationError, cards_of
from kalooki_tui.notation.seat_text import check_names, seat_of
from kalooki_tui.problems import (
    Failure,
    InputError,
    Problem,
    SourceLocation,
    about,
    located,
    nearest,
    open_input,
    problem,
    shown,
)
from kalooki_tui.records.lines import FORMAT, LONGEST_LINE, POSITION, CheckChain, is_sealed, parse_line
from kalooki_tui.records.writer import RecordHead
from kalooki_tui.rulesets.folders import SUFFIXES, available
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve, resolved_from_data
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import prints, quote

Value = TypeVar("Value")

LONGEST_RESULT: Final = 10_000
"""In bytes: that of eleven seats with long names is some nine hundred."""


class DoesNotFollow(InputError):
    """Line that does not follow from the lines before it."""

    def __init__(self, failure: Failure) -> None:
        place, message = failure
        super().__init__([Problem(place.file, place.line, message)])
        self.failure = failure

    def __reduce__(self) -> tuple[object, ...]:
        return DoesNotFollow, (self.failure,)


_KINDS: Final = {str: "text", int: "a whole number", list: "a list", dict: "a mapping of keys to values"}


class RawLine(Struct, frozen=True):
    """Line, or a mapping in one; what reads its values raises InputError with its place."""

    place: SourceLocation
    data: dict[str, Any]

    def value(self, key: str, kind: type[Value] | None = None) -> Value:
        if key not in self.data:
            raise problem(f"the line has no {quote(key)}", self.place)
        value: Value = self.data[key]
        if kind is not None and type(value) is not kind:
            raise problem(f"{key} must be {_KINDS[kind]}, not {shown(value)}", self.place)
        return value

    def mapping(self, key: str) -> RawLine:
        return RawLine(self.place, self.value(key, dict))

    def seat(self, key: str, names: Sequence[str]) -> int:
        return self.said(key, lambda: seat_of(self.value(key), names))

    def cards(self, key: str, faces: Faces) -> tuple[Card, ...]:
        return self.said(key, lambda: cards_of(self.value(key), faces))

    def said(self, key: str, parse: Callable[[], Value]) -> Value:
        try:
            return parse()
        except NotationError as error:
            raise problem(about(key, str(error)), self.place) from None


@dataclass(slots=True)
class RecordFile:
    """Open record; `cut_off` becomes True if the last line is only a part of one."""

    file: str
    stream: IO[bytes]
    cut_off: bool = False
    lines: int = field(default=0)
    chain: CheckChain | None = None
    """Checksum chain of the lines read; None: they have no check values."""

    def ends_with_result(self) -> bool:
        """Return whether the last line looks like a result; a pipe, which would have to be read, has none."""
        if not self.stream.seekable():
            return False
        here = self.stream.tell()
        self.stream.seek(0, io.SEEK_END)
        self.stream.seek(max(0, self.stream.tell() - LONGEST_RESULT))
        last = self.stream.read().rstrip(b"\n").rpartition(b"\n")[2]
        self.stream.seek(here)
        data, _ = parse_line(last)
        return data is not None and "result" in data

    def read(self) -> Iterator[RawLine]:
        """Yield the whole lines; raise InputError for a wrong one, DoesNotFollow for a lost, doubled or changed one."""
        while raw := self.stream.readline(LONGEST_LINE + 1):
            place = SourceLocation(self.file, self.lines + 1)
            data, error = parse_line(raw)
            if data is None:
                # Only the last line can lack its end, so only there half a line is not an error.
                if not raw.endswith(b"\n") and self.lines and len(raw) <= LONGEST_LINE:
                    self.cut_off = True
                    return
                if self.chain is not None:
                    raise DoesNotFollow(Failure(place, f"the line was changed: {error}"))
                raise problem(f"is not a record: {error}", place)
            if not self.lines and is_sealed(data):
                self.chain = CheckChain()
            if self.chain is None and is_sealed(data):
                raise DoesNotFollow(Failure(place, "the line has a check value, and the first line has none"))
            if self.chain is not None and not self.chain.follows(raw.removesuffix(b"\n")):
                raise DoesNotFollow(Failure(place, self.chain.why_not(data)))
            self.lines += 1
            yield RawLine(place, data)


def open_record(path: str | Path) -> RecordFile:
    """Open a record; raise InputError if the file is missing or may not be read."""
    return RecordFile(str(path), open_input(path, "record"))


def open_lines(name: str, lines: Iterable[str]) -> RecordFile:
    # A surrogate that stands alone, which Python keeps in text, is said to be no UTF-8 when its line is read.
    return RecordFile(name, io.BytesIO(b"".join(f"{line}\n".encode("utf-8", "surrogatepass") for line in lines)))


def read_head(line: RawLine) -> RecordHead:
    """Read the first line; raise InputError if no match can begin like that."""
    place = line.place
    if "kalooki" not in line.data:
        raise problem("is not a record: the first line has no key 'kalooki'", place)
    version = line.value("kalooki", int)
    if version != FORMAT:
        raise problem(f"the record is of format {version}; this program reads format {FORMAT}", place)
    seats = [RawLine(place, {"seat": seat}).mapping("seat") for seat in line.value("seats", list)]
    names = tuple(seat.value("name", str) for seat in seats)
    players = tuple(seat.value("player", str) if "player" in seat.data else "human" for seat in seats)
    listed = line.value("options", list) if line.data.get("options") is not None else []
    options = tuple(RawLine(place, {"options": one}).value("options", str) for one in listed)
    line.said("seats", lambda: check_names(names))
    for name, player in zip(names, players, strict=True):
        if not player.strip():
            raise problem(f"the player of {name} is empty: write human, or who else plays the seat", place)
    for word in (*players, *options):
        if not prints(word):
            raise problem(f"{quote(word)} has a character that cannot be printed", place)
    referee = line.data.get("referee", Referee.STRICT)
    if referee not in tuple(Referee):
        raise problem(f"referee must be one of {', '.join(Referee)}, not {shown(referee)}", place)
    seed = line.data.get("seed")
    if seed is not None and type(seed) is not int:
        raise problem("seed must be a whole number or null", place)
    with located(place):
        ruleset = _ruleset(line, options)
        chosen = make_settings(ruleset, line.mapping("settings").data if line.data.get("settings") is not None else {})
    try:
        rules = make_rules(ruleset, len(names), Referee(referee), chosen)
    except ValueError as error:
        raise problem(str(error), place) from None
    return RecordHead(
        rules=rules,
        names=names,
        players=players,
        seed=seed,
        options=options,
        first_turn=line.seat("first_turn", names) if "first_turn" in line.data else 0,
        position=line.value(POSITION) if isinstance(line.data.get(POSITION), dict) else None,
    )


def _ruleset(line: RawLine, options: tuple[str, ...]) -> Ruleset:
    ruleset_id, place = line.value("ruleset", str), line.place
    if "rules" not in line.data:
        return resolve(_installed(ruleset_id, place), options)
    ruleset = resolved_from_data(line.data["rules"], file=place.file, line=place.line)
    if ruleset_id != ruleset.id:
        raise problem(f"the ruleset is {quote(ruleset_id)}, but the rules are those of {quote(ruleset.id)}", place)
    return ruleset


def _installed(ruleset_id: str, place: SourceLocation) -> Ruleset:
    """Load the ruleset of an id, never of a path: a record must not choose which files are opened."""
    ids = [entry.id for entry in available() if not entry.id.endswith(SUFFIXES)]
    if ruleset_id not in ids:
        raise problem(f"there is no ruleset {quote(ruleset_id)}{nearest(ruleset_id[:40], ids)}", place)
    try:
        return load_ruleset(ruleset_id)
    except InputError as error:
        raise problem(f"the ruleset {ruleset_id} cannot be used: {error}", place) from None
