"""The native core is built for these tests where there is a compiler; else only those run that do without it."""

from __future__ import annotations

from contextlib import suppress

from kalooki_tui.playouts.building import NotBuilt, build, is_current

if not is_current():
    with suppress(NotBuilt):
        build()

collect_ignore = [] if is_current() else ["test_find_waits.py", "test_playouts.py", "test_proof.py"]
