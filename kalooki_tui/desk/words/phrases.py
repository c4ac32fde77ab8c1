"""What people at several screens say to each other: ready phrases, and a line of their own."""

from __future__ import annotations

from typing import Final

from kalooki_tui.wording import prints

#: Ready to be said with one key.
PHRASES: Final = (
    "Kalooki!",
    "Well played.",
    "Hurry up!",
    "One moment, please.",
    "Oh no!",
    "Thank you!",
    "Good luck!",
    "Sorry!",
)
LONGEST: Final = 100
"""Characters of a line."""


def plain_words(words: str) -> str:
    """A line as it is shown: without spaces that show nothing."""
    return " ".join(words.split())


def wrong_to_say(words: str) -> str:
    """Why a line cannot be said, in a sentence; empty: it can."""
    said = plain_words(words)
    if not said:
        return "Nothing was said."
    if len(said) > LONGEST:
        return f"That is longer than {LONGEST} characters."
    return "" if prints(said) else "That has a character that cannot be printed."
