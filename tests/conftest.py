"""How the whole suite is run."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections import defaultdict
from dataclasses import is_dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import Mock
from zlib import crc32

import pytest
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from textual._compositor import Compositor
    from textual.css.model import RuleSet
    from textual.css.stylesheet import Stylesheet

    from tests.commands import Golden, Run

GOLDEN: Final = Path(__file__).parent / "golden"
MEMORY_DISK: Final = Path("/dev/shm")
ROOM: Final = 2_000_000_000
"""Bytes that a disk in memory must have free: a whole run leaves a tenth of it behind."""
COLLECT_AFTER: Final = 10_000
"""Objects after which garbage is looked for; with the usual 700 that takes a tenth of the suite's time."""
WAITING: Final = (
    "tests/hosting/hand/test_taps", "tests/tui/test_drives", "tests/tui/test_kills", "tests/tui/test_monkey",
)  # fmt: skip
"""Files whose tests wait for long: begun last, they would be waited for while the other workers have nothing to do."""
LONGEST_ID: Final = 60
"""Characters of a text that the id of a case holds."""

# A shell that starts tests in the background may have them ignore interruptions, and all that they start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the game for each test: a developer's own files are neither seen nor changed."""
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    monkeypatch.delenv("KALOOKI_DEBUG", raising=False)
    return tmp_path


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens wait for the disk: on a machine busy with other tests nothing answers as fast as usual."""
    monkeypatch.setattr("kalooki_tui.storage.journal.BREATH", 60.0)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text that the program makes with the one kept under a name in tests/golden."""

    def check(name: str, text: str) -> None:
        file, text = GOLDEN / f"{name}.txt", f"{text.rstrip()}\n"
        if request.config.option.golden:
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"look at {file.name}, then `pytest --golden`"

    return check


@pytest.fixture(autouse=True, scope="session")
def parsed_once() -> Iterator[None]:
    """A sheet of styles is parsed once for all apps with the same variables: that takes an eighth of these tests."""
    from textual.css.stylesheet import Stylesheet

    parse = Stylesheet._parse_rules
    known: dict[tuple[object, ...], list[RuleSet]] = {}

    def remembered(sheet: Stylesheet, css: str, *args: Any, **others: Any) -> list[RuleSet]:
        key = (css, args, *others.values(), *sheet._variables.items())
        if key not in known:
            known[key] = parse(sheet, css, *args, **others)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", remembered)
        yield


@pytest.fixture(autouse=True)
def drawn_when_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A headless app draws only what `text_of` reads: it throws away all else, which takes a seventh of these tests.

    Nor does it look for garbage when it has begun, which takes another tenth.
    """
    from textual._compositor import Compositor, visible_screen_stack
    from textual._context import active_app

    draw = Compositor.render_update

    def draw_whole(compositor: Compositor, full: bool = False, **others: Any) -> RenderableType | None:
        if full or not active_app.get().is_headless:
            return draw(compositor, full, **others)
        visible_screen_stack.set(others["screen_stack"])
        compositor._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", draw_whole)
    monkeypatch.setattr("kalooki_tui.tui.preload.gc", Mock(get_threshold=gc.get_threshold))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The `kalooki` command in this process, with nothing typed."""
    from tests.commands import run

    monkeypatch.setattr("sys.stdin", StringIO())
    return partial(run, capsys)


def pytest_configure() -> None:
    """Keep what tests write in memory where there is room, since every step of a match waits for the disk."""
    gc.set_threshold(COLLECT_AFTER, 20, 20)
    if os.access(MEMORY_DISK, os.W_OK) and shutil.disk_usage(MEMORY_DISK).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_DISK))


def pytest_xdist_auto_num_workers() -> int | None:
    """Two workers a core, with `-n auto`: tests of the app wait for half of their time.

    The variable that xdist reads has the last word.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return 2 * (os.cpu_count() or 1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sweeps", action="store_true", help="run every case of the tests marked as sweeps")
    parser.addoption("--golden", action="store_true", help="keep the golden texts that differ, for git to show")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin what waits for long first. Run some cases of each sweep, others for another test: `--sweeps` runs all."""
    sweeps: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sweep") and not config.option.sweeps:
            sweeps[item.nodeid.partition("[")[0]].append(item)
    left_out = set()
    for name, cases in sweeps.items():
        marker = cases[0].get_closest_marker("sweep")
        (number,) = marker.args
        first = crc32(name.encode())
        left_out |= {*cases} - {cases[(first + len(cases) * turn // number) % len(cases)] for turn in range(number)}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = sorted(
        (item for item in items if item not in left_out), key=lambda item: not item.nodeid.startswith(WAITING)
    )


def pytest_make_parametrize_id(val: object) -> str | None:
    """A case is named by what it is, and what is long by its beginning; None where pytest names it well.

    People read these names, and every process that a test starts is given its own.
    """
    text = _name_of(val)
    if text is None:
        return None
    short = text if len(text) <= LONGEST_ID else f"{text[:LONGEST_ID]}..."
    return short.encode("unicode_escape").decode()


def _name_of(val: object) -> str | None:
    match val:
        case str():
            return val if len(val) > LONGEST_ID else None
        case bytes():
            return val.decode("latin-1")
        case tuple() | list():
            return " ".join(map(str, val)) or "none"
        case set() | frozenset():
            return " ".join(sorted(map(str, val))) or "none"
        case dict() | BaseException():
            return str(val) or type(val).__name__
        case _ if isinstance(val, Struct) or (is_dataclass(val) and not isinstance(val, type)):
            text = getattr(val, "name", "") or str(val)
            return text if len(text) <= 2 * LONGEST_ID else type(val).__name__
    return None
