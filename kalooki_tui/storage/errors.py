"""Errors of the disk; the text of each is a sentence for the player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kalooki_tui.problems import reason
from kalooki_tui.wording import escaped


class StoreError(Exception):
    """Failure to read or write; its text is one line, whatever a file's name holds."""

    def __init__(self, text: str) -> None:
        super().__init__(escaped(text))


class JournalError(StoreError):
    """Failure to write a step, which is written with a later one."""


class NoRecord(StoreError):
    """File that does not begin as a record does."""


class NewerFormat(StoreError):
    """File of a newer version of the program."""


class MatchBusy(StoreError):
    """Match that another program is playing."""


class NoSuchMatch(StoreError): ...


class GoesOn(StoreError):
    """Match that is not over: its record would show everybody's cards."""


@contextmanager
def store_errors(what: str) -> Iterator[None]:
    """Turn an error of the system into a StoreError that begins with `what`."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{what}: {reason(error)}") from error
