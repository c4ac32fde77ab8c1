"""Faults of the program: a log file for whoever mends it, one sentence for the player."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kalooki_tui.storage.paths import data_folder

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
