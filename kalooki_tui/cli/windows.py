"""What does not run on Windows is said at once, with the ways that do."""

from __future__ import annotations

import sys
from typing import Final

import click

WAYS: Final = (
    "It runs in WSL, which is Linux within Windows: wsl --install, then install the game there. "
    "A table that somebody opens on Linux or macOS is open to Windows too, by ssh or with a browser. "
    "Here, kalooki play --plain plays as lines of text."
)


def see_that_it_runs(what: str) -> None:
    """Raises click.ClickException on Windows, with what does not run there and what does."""
    if sys.platform == "win32":
        raise click.ClickException(f"{what} does not run on Windows itself. {WAYS}")
