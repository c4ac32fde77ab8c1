"""Lines of records as JSON with number and check value, so that a lost, doubled or changed line is found.

A check value is the first eight hexadecimal digits of SHA-256 over the check value of the line before (nothing before
the first line) and the bytes of the line up to the comma before ``"check"``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from kalooki_tui.wording import quote

NUMBER: Final = "n"
CHECK: Final = "check"
"""Key of a line's check value; it is the line's last."""
DIGITS: Final = 8

_BEFORE: Final = f', "{CHECK}": "'
_AFTER: Final = '"}'
_NOTHING: Final = sha256()
_TAIL: Final = len(_BEFORE) + DIGITS + len(_AFTER)


@dataclass(slots=True)
class CheckChain:
    """Checksum chain of a record: number and check value of its last line."""

    count: int = 0
    check: str = ""

    def seal(self, text: str) -> str:
        """Return the next line, from its JSON without number and check value."""
        body = f'{text[:-1]}, "{NUMBER}": {self.count + 1}'
        self.count += 1
        self.check = sha256(self.check.encode() + body.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
        return f"{body}{_BEFORE}{self.check}{_AFTER}"

    def follows(self, raw: bytes) -> bool:
        """Return whether these bytes, without a line end, are the next line, and if so move on."""
        # As `seal` does it, in fewer steps: a list of thousands of matches asks this millions of times.
        count, digest = self.count + 1, _NOTHING.copy()
        digest.update(self.check.encode() + raw[:-_TAIL])
        check = digest.hexdigest()[:DIGITS]
        if not raw.endswith(f', "{NUMBER}": {count}{_BEFORE}{check}{_AFTER}'.encode()):
            return False
        self.count = count
        self.check = check
        return True

    def why_not(self, data: dict[str, Any]) -> str:
        expected, number = self.count + 1, data.get(NUMBER)
        if not isinstance(number, int) or isinstance(number, bool) or CHECK not in data:
            return "the line has no number and check value, although the lines before it do"
        if number == expected:
            return "the line was changed: its check value is that of another"
        if number == self.count:
            return f"line {number} is here twice"
        if number < expected:
            return f"line {number} is here again, where line {expected} belongs"
        missing = f"line {expected} is" if number == expected + 1 else f"lines {expected} to {number - 1} are"
        return f"{missing} missing: this is line {number}"


def is_sealed(data: dict[str, Any]) -> bool:
    """Return whether a record with this first line has numbers and check values."""
    return NUMBER in data or CHECK in data


def unsealed(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in (NUMBER, CHECK)}


#: In the head: the position at which a match begins, or in words the moment of another that it goes on from.
POSITION: Final = "position"
FORMAT: Final = 1
"""Value of `kalooki` in a record's first line."""
LONGEST_LINE: Final = 1_000_000
"""In bytes: a whole deal of eleven seats is some two thousand."""


class _NotPlain(ValueError):
    """JSON that Python reads and a record does not hold."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse repeated keys: a reader would see only the last."""
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
