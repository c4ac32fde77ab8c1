"""Which folders and files are the player's: `KALOOKI_HOME` names one folder for all, else the system's usual ones."""

from __future__ import annotations

import os
from pathlib import Path


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


def _home() -> Path | None:
    home = os.environ.get("KALOOKI_HOME")
    return Path(home) if home else None
