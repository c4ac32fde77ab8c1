"""Looks of guests: what each has chosen for their own screen, kept by the host under the guest's name."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from kalooki_tui.hosting.guest import Guest
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.paths import guests_folder
from kalooki_tui.store.player.settings import PlayerSettings, SettingsFile

MOST: Final = 64
"""Files that are kept: those that were written last."""


class OwnLooks(SettingsFile):
    """Settings of a guest. What is wrong with their file is the host's business, and is told to no guest."""

    @property
    def where(self) -> str:
        """No folder of the host's."""
        return "Kept by the host under your name" if self.path != Path() else "Kept as long as the table is open"

    def save(self, settings: PlayerSettings) -> Path | None:
        """Keep them: where that cannot be, for as long as the table is open."""
        self.settings = settings
        if self.path != Path():
            with suppress(StoreError, OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                super().save(settings)
                _forget_oldest(self.path.parent)
        return None


class Looks:
    """The looks of everybody who has come to a table."""

    def __init__(self) -> None:
        self._known: dict[str, OwnLooks] = {}

    def of(self, guest: Guest) -> OwnLooks:
        """The looks of a guest: by the name they came with, else by their token, for as long as the table is open.

        Whoever has neither gets looks for this visit only.
        """
        key = guest.name.casefold() or guest.token
        if not key:
            return OwnLooks(Path())
        if key not in self._known:
            self._known[key] = _kept(key) if guest.name else OwnLooks(Path())
        return self._known[key]


def _kept(name: str) -> OwnLooks:
    # A name can hold what a file's cannot.
    looks = OwnLooks.load(guests_folder() / f"{sha256(name.encode()).hexdigest()[:16]}.toml")
    assert isinstance(looks, OwnLooks)
    looks.problems = ()
    return looks


def _forget_oldest(folder: Path) -> None:
    files = sorted(folder.glob("*.toml"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[MOST:]:
        file.unlink(missing_ok=True)
