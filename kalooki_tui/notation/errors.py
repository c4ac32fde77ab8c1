"""What is wrong with a text, said so that its writer can mend it."""

from __future__ import annotations

from typing import Final

_LONGEST_QUOTE: Final = 40


class NotationError(ValueError):
    """A text is not in the notation; the message names the text and what would be right."""


def counted(count: int, what: str) -> str:
    """How many of something there are, as a message says it: ``1 line``, ``2 lines``."""
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def quote(text: str) -> str:
    """The text in quotes, shortened and escaped, so that an error stays one readable line."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")
