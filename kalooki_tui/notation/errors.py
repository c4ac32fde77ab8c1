"""What is wrong with a text, said so that its writer can mend it."""

from __future__ import annotations

from typing import Final

_LONGEST_QUOTE: Final = 40


class NotationError(ValueError):
    """A text is not in the notation; the message names the text and what would be right."""


def quote(text: str) -> str:
    """The text in quotes, shortened and escaped, so that an error stays one readable line."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")
