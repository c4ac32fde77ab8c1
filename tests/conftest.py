"""How the whole suite is run."""

from __future__ import annotations

import os
import signal

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
