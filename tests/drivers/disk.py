"""A disk that answers when a test says so."""

import errno
import os
import threading

import pytest

from kalooki_tui.storage import journal, match_file

LONGEST = 60.0
"""Seconds after which the disk answers by itself, where a test has failed before it said so."""


class Disk:
    """Stands in for the wait for the disk. `fails`: it answers that it cannot be written to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fails = False
        self.lines = 0
        """How many lines of the match are safe."""
        self._answers = threading.Event()
        self._answers.set()
        monkeypatch.setattr(match_file, "_sync", self._sync)
        monkeypatch.setattr(journal, "BREATH", 0.0)  # a fast disk is as slow as any

    def hold(self) -> None:
        self._answers.clear()

    def answer(self) -> None:
        self._answers.set()

    def _sync(self, handle: int) -> None:
        self._answers.wait(LONGEST)
        if self.fails:
            raise OSError(errno.EIO, "Input/output error")
        self.lines = os.pread(handle, os.fstat(handle).st_size, 0).count(b"\n")
