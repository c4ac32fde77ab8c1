"""Scan of a record file for the facts of its match, without replaying it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from kalooki_tui.problems import InputError, SourceLocation, open_to_read, reason
from kalooki_tui.records.lines import FORMAT, LONGEST_LINE, POSITION, CheckChain, is_sealed, parse_line
from kalooki_tui.rulesets.house import deal_numbers
from kalooki_tui.storage.files import NewerFormat, NoRecord, StoreError, store_errors
from kalooki_tui.storage.match_facts import FactsReader, MatchFacts
from kalooki_tui.wording import prints


class Listing(Struct, frozen=True, kw_only=True):
    """Facts of a match for its list; totals and winners in clockwise order."""

    ruleset: str
    name: str
    """Name of the ruleset."""
    options: tuple[str, ...]
    referee: str
    deal: int
    deals: int | None
    """None: until one seat is left."""
    totals: tuple[int, ...]
    finished: bool
    winners: tuple[int, ...]
    teaching: bool
    from_position: bool = False
    """True if it does not begin with a deal, or goes on from a moment of another match."""
    duplicate: tuple[str, ...] = ()
    """Key of a match that others play with the same cards, then its people, if they are named."""


class Scan(Listing, frozen=True, kw_only=True):
    """Record as far as it can be read; of seats that changed, the present names and players."""

    seats: tuple[str, ...]
    players: tuple[str, ...]
    started: str
    home: str
    lines: int
    """Whole lines, up to the first damaged one."""
    size: int
    sealed: bool
    """True if lines have numbers and check values."""
    first: str
    """Check value of the first line, common to records that begin alike."""
    last: str
    """Check value of the last line, common to equal records."""
    torn: bool
    """True if half a line follows, or the last one lacks its end."""
    problem: str
    """Error in the next line; empty: none."""
    facts: MatchFacts | None
    """None: not finished."""


def scan_file(path: Path) -> Scan:
    """Scan a file; raise NoRecord, NewerFormat, or StoreError if it is unreadable."""
    with store_errors(f"{path.name} cannot be read"), open_to_read(path) as stream:
        short = os.fstat(stream.fileno()).st_size <= LONGEST_LINE
        return scan(path.name, stream if short else iter(lambda: stream.readline(LONGEST_LINE + 1), b""))


def scan(name: str, lines: Iterable[bytes]) -> Scan:
    """Scan lines with their ends, called `name` in errors; raise NoRecord or NewerFormat."""
    feed = iter(lines)
    raw = next(feed, b"")
    if not raw:
        raise NoRecord(f"{name} is empty")
    data, error = parse_line(raw)
    if data is None or "kalooki" not in data:
        raise NoRecord(f"{name}:1: is not a record{f': {error}' if error else ''}")
    if isinstance(data["kalooki"], int) and data["kalooki"] > FORMAT:
        raise NewerFormat(f"{name} was written by a newer version of kalooki: update kalooki to continue that match")
    chain, sealed = CheckChain(), is_sealed(data)
    if not _follows(chain, raw, data, sealed=sealed):
        raise NoRecord(f"{name}:1: {chain.why_not(data)}")
    head = _read_head(name, data)
    settings = data.get("settings")
    points = settings.get("handicap") if isinstance(settings, dict) else None
    begun = tuple(points) if isinstance(points, list) and all(type(one) is int for one in points) else ()
    if isinstance(begins := data.get(POSITION), dict) and isinstance(begins.get("seats"), list):
        begun = tuple(seat.get("score", 0) for seat in begins["seats"] if isinstance(seat, dict))
    reader = FactsReader(head["seats"], head["players"], deal_numbers(head["options"]), begun)
    if isinstance(begins, dict) and type(begins.get("deal")) is int:
        reader.deal = begins["deal"]
    first = last = chain.check
    count, size, torn, problem = 1, len(raw), not raw.endswith(b"\n"), ""
    for raw in feed:
        if raw.isspace() and all(map(bytes.isspace, feed)):
            # Nothing but empty lines at the end, as an editor adds them: nothing is lost.
            break
        if not raw.endswith(b"\n"):
            torn = len(raw) <= LONGEST_LINE
        why = _take(raw, chain, reader, sealed=sealed)
        if why:
            problem = "" if torn else f"{name}:{count + 1}: {why}"
            break
        count, size, last = count + 1, size + len(raw), chain.check
    is_over = reader.finished and not problem
    return Scan(
        **{**head, "seats": reader.seats, "players": reader.players},
        lines=count,
        size=size,
        sealed=sealed,
        first=first,
        last=last,
        torn=torn,
        problem=problem,
        deal=reader.deal,
        totals=reader.totals,
        finished=is_over,
        winners=reader.winners,
        facts=reader.facts() if is_over else None,
    )


def _take(raw: bytes, chain: CheckChain, reader: FactsReader, *, sealed: bool) -> str:
    data, error = parse_line(raw)
    if data is None:
        return f"the line was changed: {error}" if sealed else error
    if not _follows(chain, raw, data, sealed=sealed):
        return chain.why_not(data)
    try:
        reader.read(data)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return "does not follow"
    return ""


def _follows(chain: CheckChain, raw: bytes, data: dict[str, Any], *, sealed: bool) -> bool:
    if sealed:
        return chain.follows(raw.removesuffix(b"\n"))
    if is_sealed(data):
        return False
    # As it would be sealed, so that the same record has the same check values before and after.
    chain.seal(json.dumps(data, ensure_ascii=False))
    return True


def _read_head(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """Read the first line without building the rules, which is too slow for a list."""
    try:
        if "rules" not in data:
            # Only old records need all that these load.
            from kalooki_tui.records.reader import RawLine, read_head
            from kalooki_tui.records.writer import head_line

            data = {**data, **head_line(read_head(RawLine(SourceLocation(name, 1), data)))}
        rules = data["rules"]
        endless = rules["end"]["after"] == "elimination"
        options = tuple(map(_text, data.get("options") or ()))
        deal_numbers(options)
        return {
            "ruleset": _text(data["ruleset"]),
            "name": _text(rules["name"]),
            "deals": None if endless else len(rules["deals"]),
            "options": options,
            "referee": _text(data.get("referee", "strict")),
            "seats": tuple(_text(seat["name"]) for seat in data["seats"]),
            "players": tuple(_text(seat.get("player", "human")) for seat in data["seats"]),
            "started": _text(data.get("started", "")),
            "home": _text(data.get("home", "")),
            "teaching": data.get("teaching") is True,
            "from_position": POSITION in data,
            "duplicate": tuple(map(_text, data.get("duplicate", ()))),
        }
    except (InputError, KeyError, TypeError, ValueError, AttributeError) as error:
        why = str(error) if isinstance(error, InputError) else f"{name}: the first line is not that of a record"
        raise NoRecord(why) from None


def _text(value: Any) -> str:
    # Names are shown in lists: nothing in them may steer a terminal.
    if not isinstance(value, str) or not prints(value):
        raise TypeError
    return value


def whole_lines(path: Path, scan: Scan) -> Iterator[str]:
    """Return the readable lines of a record file; raise StoreError if it is gone."""
    try:
        with open_to_read(path) as stream:
            for _ in range(scan.lines):
                yield stream.readline().decode().removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path.name} cannot be read: {reason(error)}") from error


def facts_of(name: str, lines: Iterable[str]) -> MatchFacts:
    """Return the facts of a finished match; raise StoreError if the record does not follow to its end."""
    found = scan(name, (f"{line}\n".encode() for line in lines))
    facts = found.facts
    if facts is None:
        raise StoreError(found.problem or f"{name} is not finished")
    return facts
