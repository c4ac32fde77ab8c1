"""How messages of every room put counts and quotations."""

from __future__ import annotations

from typing import Final

LONGEST_QUOTE: Final = 40
"""Characters of a text that a message shows."""


def counted(count: int, what: str) -> str:
    """How many of something there are: ``1 line``, ``2 lines``."""
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def quote(text: str) -> str:
    """The text in quotes, shortened and escaped, so that a message stays one readable line."""
    return repr(text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…")


def escaped(text: str) -> str:
    """The text with every character escaped that would not print as itself.

    A file's name may hold line breaks, commands for the terminal, or marks that turn the order of letters round.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
