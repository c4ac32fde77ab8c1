"""Which folders and files are the player's: `KALOOKI_HOME` names one folder for all, else the system's usual ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from kalooki_tui.store.errors import StoreError, reason

MATCHES: Final = "matches"
"""The folder of the records, within that of the data."""
DATABASE: Final = "kalooki.db"
"""Where earlier versions kept them."""


def data_folder() -> Path:
    """Where matches are kept."""
    home = _home()
    if home is not None:
        return home
    from platformdirs import user_data_dir

    return Path(user_data_dir("kalooki"))


def config_folder() -> Path:
    """Where the settings and the player's own rulesets are."""
    home = _home()
    if home is not None:
        return home
    from platformdirs import user_config_dir

    return Path(user_config_dir("kalooki"))


def settings_file() -> Path:
    """The settings."""
    return config_folder() / "settings.toml"


def is_there(home: Path) -> bool:
    """Whether anything has been kept in that folder.

    Raises:
        StoreError: that cannot be seen; the text says why.
    """
    for name in (MATCHES, DATABASE):
        try:
            (home / name).stat()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(f"{home} cannot be used: {reason(error)}") from error
        return True
    return False


def _home() -> Path | None:
    home = os.environ.get("KALOOKI_HOME")
    return Path(home) if home else None
