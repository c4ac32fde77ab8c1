"""Folders and files of the player: `KALOOKI_HOME` names one folder for all, else the system's usual ones."""

from __future__ import annotations

import errno
import os
import tempfile
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kalooki_tui.problems import reason
from kalooki_tui.storage.files import StoreError

MATCHES: Final = "matches"
HOSTED: Final = ".hosted"
"""Ending of the file beside a match that says how its table is found."""
LOCKS: Final = "locks"
INDEX: Final = "index.db"


def data_folder() -> Path:
    if home := _home():
        return home
    from platformdirs import user_data_path

    return user_data_path("kalooki")


def config_folder() -> Path:
    if home := _home():
        return home
    from platformdirs import user_config_path

    return user_config_path("kalooki")


def settings_file() -> Path:
    return config_folder() / "settings.toml"


def guests_folder() -> Path:
    return config_folder() / "guests"


def make_usable(home: Path) -> None:
    """Make the folders of a store; raise StoreError if matches cannot be kept there."""
    try:
        (home / MATCHES).mkdir(parents=True, exist_ok=True)
        for folder in (home, home / MATCHES):
            if not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
                is_read_only = hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY
                number = errno.EROFS if is_read_only else errno.EACCES
                raise OSError(number, os.strerror(number))
    except FileExistsError:
        raise StoreError(f"{home} cannot be used: Not a directory") from None
    except OSError as error:
        raise StoreError(f"{home} cannot be used: {reason(error)}") from error


def why_nothing_is_kept() -> list[str]:
    """Find out why matches or settings cannot be kept, by writing and reading; nothing is left."""
    home, why = data_folder(), dict[str, None]()
    for folder in (home / MATCHES, home / LOCKS, config_folder()):
        try:
            _try_to_keep(folder)
        except OSError as error:
            why[f"{nearest(folder)} cannot be used: {reason(error)}"] = None
    if os.path.lexists(home / INDEX) and not (home / INDEX).is_file():
        why[f"{home / INDEX} cannot be used: it is not a file"] = None
    return [*why]


def _try_to_keep(folder: Path) -> None:
    near, told = nearest(folder), os.urandom(8)
    if not near.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "it is not a folder")
    # A folder is what would be made first where there is none.
    with tempfile.TemporaryDirectory(prefix=".kalooki-", dir=near) as made:
        file = Path(made, "tried")
        with file.open("xb") as stream:
            stream.write(told)
            stream.flush()
            os.fsync(stream.fileno())
        if file.read_bytes() != told:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


def nearest(path: Path) -> Path:
    """Return the path if it exists, as a broken link too, else the nearest one above it."""
    return next((one for one in (path, *path.parents) if os.path.lexists(one)), Path(path.anchor or "."))


def is_there(home: Path) -> bool:
    """Return whether anything was kept in that folder; raise StoreError if that cannot be seen."""
    try:
        (home / MATCHES).stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{home} cannot be used: {reason(error)}") from error
    return True


def _home() -> Path | None:
    home = os.environ.get("KALOOKI_HOME")
    if not home:
        return None
    with suppress(RuntimeError):  # there is no such user
        return Path(home).expanduser()
    return Path(home)


LOG_NAME: Final = "faults.log"


def log_fault(error: BaseException) -> Path | None:
    """Append the fault to the log; None where nothing can be written."""
    path = data_folder() / LOG_NAME
    text = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n{text}\n")
    except OSError:
        return None
    return path


def fault_sentence(error: BaseException, path: Path | None) -> str:
    where = f" Details are in {path}." if path is not None else ""
    return f"An error in the program, not in what you did ({type(error).__name__}).{where}"
