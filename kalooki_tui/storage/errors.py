"""Errors of the disk; the text of each is a sentence for the player."""

from __future__ import annotations

from kalooki_tui.wording import escaped


class StoreError(Exception):
    """Something could not be read or written. The text is one line, also where a file's name in it holds more."""

    def __init__(self, text: str) -> None:
        super().__init__(escaped(text))


class JournalError(StoreError):
    """A step could not be written down. The match goes on, and the step is written with the next one that can be."""


class NoRecord(StoreError):
    """A file does not begin as a record does."""


class NewerFormat(StoreError):
    """A newer version of the program wrote it, which alone knows how to read it."""


class MatchBusy(StoreError):
    """Another program is playing the match."""


class NoSuchMatch(StoreError):
    """There is no match with that id."""


class GoesOn(StoreError):
    """The match is not over: its record would show everybody's cards."""


def reason(error: Exception) -> str:
    """Why, in words: of an error of the system without its number and file."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
