"""The number and the check value of each line of a record: a line that is lost, doubled or changed is found and named.

A check value is the first eight hexadecimal digits of SHA-256 over the check value of the line before (nothing before
the first line) and the bytes of the line itself up to the comma before ``"check"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

NUMBER: Final = "n"
"""The key of a line's number, counted from 1."""
CHECK: Final = "check"
"""The key of a line's check value; it is the line's last."""
DIGITS: Final = 8

_BEFORE: Final = f', "{CHECK}": "'
_AFTER: Final = '"}'
_NOTHING: Final = sha256()
"""Of no bytes: a copy is made in less time than another one."""
_TAIL: Final = len(_BEFORE) + DIGITS + len(_AFTER)


@dataclass(slots=True)
class CheckChain:
    """How far a record has come: the number and the check value of its last line."""

    count: int = 0
    check: str = ""

    def seal(self, text: str) -> str:
        """The next line, from its JSON without number and check value."""
        body = f'{text[:-1]}, "{NUMBER}": {self.count + 1}'
        self.count += 1
        self.check = sha256(self.check.encode() + body.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
        return f"{body}{_BEFORE}{self.check}{_AFTER}"

    def follows(self, raw: bytes) -> bool:
        """Whether these bytes, without their line end, are the next line; if so the chain has come as far."""
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
        """Why a line does not follow, in words."""
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
    """Whether a record whose first line this is has numbers and check values."""
    return NUMBER in data or CHECK in data


def unsealed(data: dict[str, Any]) -> dict[str, Any]:
    """A line without its number and check value."""
    return {key: value for key, value in data.items() if key not in (NUMBER, CHECK)}
