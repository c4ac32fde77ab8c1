"""The lines of records as JSON, before anybody asks what they say of a match: lists of matches need no more."""

from __future__ import annotations

import json
from typing import Any, Final

from kalooki_tui.wording import quote

FORMAT: Final = 1
"""Version of the format, the value of `kalooki` in a record's first line."""
LONGEST_LINE: Final = 1_000_000
"""Bytes. A whole deal of eleven seats is some two thousand."""


class _NotPlain(ValueError):
    """JSON that Python reads and a record does not hold."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's keys and values: of two equal keys a reader would see only the last."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _NotPlain(f"the key {quote(twice)} is here twice")
    return found


def _no_number(word: str) -> Any:
    raise _NotPlain(f"the line is not JSON: {word} is not a number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number)


def parse_line(raw: bytes) -> tuple[dict[str, Any] | None, str]:
    """A line's object; None and why, where it is none."""
    if len(raw) > LONGEST_LINE:
        return None, f"the line is longer than {LONGEST_LINE:,} bytes"
    try:
        data = _DECODER.decode(raw.decode("utf-8"))
    except _NotPlain as error:
        return None, str(error)
    except UnicodeDecodeError:
        return None, "the line is not UTF-8 text"
    except json.JSONDecodeError as error:
        # Some of Python's messages end where a place is to follow.
        what = error.msg.removesuffix(" at").rstrip(": ")
        return None, f"the line is not JSON: {what} at column {error.colno}"
    except (ValueError, RecursionError):
        return None, "the line is not JSON that can be read"
    if not isinstance(data, dict):
        return None, "the line is not a JSON object"
    return data, ""
