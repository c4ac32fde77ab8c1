"""Folders of rulesets: those that come with the program, and a user's own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from kalooki_tui.problems import SourceLocation, nearest, problem
from kalooki_tui.rulesets import DEFAULT_RULESET

SUFFIXES: Final = (".yaml", ".yml")
#: Folder beside the games of Kalooki.
CONTRACT_RUMMY: Final = "contract-rummy"
PACKAGE: Final = Path(__file__).parents[1]


class Entry(NamedTuple):
    id: str
    path: Path
    builtin: bool


def builtin_folder() -> Path:
    """Return the folder in the installed package, else in the checkout."""
    installed = PACKAGE / "_rulesets"
    return installed if installed.is_dir() else PACKAGE.parent / "rulesets"


def user_folder() -> Path:
    """Return `$KALOOKI_HOME/rulesets`, else `rulesets` in the config folder."""
    home = os.environ.get("KALOOKI_HOME")
    if home:
        return Path(home) / "rulesets"
    from platformdirs import user_config_dir

    return Path(user_config_dir("kalooki")) / "rulesets"


def available() -> list[Entry]:
    """List the rulesets with an id: the default, the other games of Kalooki, contract rummies, then the user's, by id.

    A user's file with the id of a built-in one is left out here and listed with its error by `catalogue`.
    """
    builtin = [Entry(path.stem, path, True) for path in builtin_files()]
    builtin.sort(key=lambda entry: entry.id != DEFAULT_RULESET)
    taken = {entry.id for entry in builtin}
    own = [Entry(path.stem, path, False) for path in yaml_files(user_folder()) if path.stem not in taken]
    return builtin + own


def builtin_files() -> list[Path]:
    """List the games of Kalooki, then the contract rummies, each by id."""
    return yaml_files(builtin_folder()) + yaml_files(builtin_folder() / CONTRACT_RUMMY)


def yaml_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    except OSError:
        return []


def is_path(id_or_path: str) -> bool:
    return id_or_path.endswith(SUFFIXES) or "/" in id_or_path or os.sep in id_or_path


def entry_of(ruleset_id: str, asked_at: SourceLocation) -> Entry:
    entries = {entry.id: entry for entry in available()}
    if ruleset_id not in entries:
        raise problem(f"there is no ruleset {ruleset_id!r}{nearest(ruleset_id, entries)}", asked_at)
    return entries[ruleset_id]


def locate(id_or_path: str, asked_at: SourceLocation) -> Path:
    """Find the file of an id, or of a path relative to the file that asks; raise InputError if there is none."""
    if not is_path(id_or_path):
        return entry_of(id_or_path, asked_at).path
    path = Path(asked_at.file).parent / id_or_path
    if not _exists(path):
        raise problem(f"there is no file {path}", asked_at)
    return path


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
