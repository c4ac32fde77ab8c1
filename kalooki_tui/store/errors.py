"""What can go wrong on disk; the text of each is a sentence for the player."""

from __future__ import annotations


class StoreError(Exception):
    """Something could not be read or written."""


class JournalError(StoreError):
    """A step could not be written down. The match goes on, and the step is written with the next one that can be."""


class NewerSchema(StoreError):
    """The matches were written by a newer version of the program, which alone knows how to read them."""


class Damaged(StoreError):
    """The file of the matches is none, or a part of it has been destroyed."""


class MatchBusy(StoreError):
    """Another program is playing the match."""


class NoSuchMatch(StoreError):
    """There is no match with that id."""


def reason(error: Exception) -> str:
    """Why, in words: of an error of the system without its number and file."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
