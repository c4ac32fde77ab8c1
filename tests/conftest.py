"""How the whole suite is run."""

from __future__ import annotations

import os
import signal
from typing import Final

LONGEST_ID: Final = 60
"""Characters of a text that an id of a case holds."""

# A shell that starts tests in the background may have them ignore interruptions, and all that they start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int | None:
    """Half as many more workers as there are cores, with `-n auto`: tests of the app wait for half of their time.

    The variable that xdist reads has the last word.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_make_parametrize_id(val: object) -> str | None:
    """A long text is named by its beginning: people read ids, and every process that a test starts is given its own."""
    if not isinstance(val, (str, bytes)) or len(val) <= LONGEST_ID:
        return None
    begun = val[:LONGEST_ID]
    text = begun.decode("latin-1") if isinstance(begun, bytes) else begun
    return f"{text.encode('unicode_escape').decode()}..."
