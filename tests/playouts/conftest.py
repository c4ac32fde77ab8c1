"""The native core is built for these tests where there is a compiler; else only those run that do without it."""

from contextlib import suppress
from pathlib import Path

from kalooki_tui.playouts.compiler import NotBuilt, build, is_current

if not is_current():
    with suppress(NotBuilt):
        build()

NEEDING_NONE = "test_without_core.py"
collect_ignore = [path.name for path in Path(__file__).parent.glob("test_*.py") if path.name != NEEDING_NONE]
if is_current():
    collect_ignore = []
