"""The game in a terminal: however it is ended, it ends in time, leaves nothing running and gives the terminal back."""

import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.drivers import kills

PLAY = (sys.executable, "-m", "kalooki_tui", "play", "--seat", "Ann", "--seat", "ai:club", "--seat", "ai:club")
IN_TIME = 60.0
"""Seconds; the app takes less than one, or for ever, but tests share their machine."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "settings.toml").write_text(kills.SETTINGS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def terminal(home: Path) -> Iterator[Any]:
    terminal = kills.Terminal(PLAY, home, ignored=(signal.SIGHUP,))
    terminal.wait_for(lambda text: "Ann's hand" in text)
    yield terminal
    terminal.close()


def seconds_to_end(terminal: Any, *, read: bool = True) -> float:
    started = time.monotonic()
    while terminal.process.poll() is None and time.monotonic() - started < IN_TIME:
        if read:
            terminal.read(0.02)
        else:
            time.sleep(0.02)
    return time.monotonic() - started


def all_end(processes: set[int]) -> bool:
    deadline = time.monotonic() + IN_TIME
    while kills.running(processes) and time.monotonic() < deadline:
        time.sleep(0.02)
    return kills.running(processes) == set()


def thinking(terminal: Any) -> set[int]:
    """The process that thinks, once there is one."""
    children: set[int] = set()

    def has_begun(text: str) -> bool:
        children.update(kills.descendants(terminal.process.pid))
        return len(children) > 0

    terminal.wait_for(has_begun)
    return children


def test_a_signal_ends_it_and_gives_the_terminal_back(terminal: Any, home: Path) -> None:
    children = thinking(terminal)
    assert {"1049", "1000", "2004", "25", "keys"} <= terminal.screen.modes
    assert terminal.attributes() != terminal.before
    assert list((home / "locks").iterdir())
    terminal.process.send_signal(signal.SIGINT)
    assert seconds_to_end(terminal) < IN_TIME
    assert terminal.process.returncode == 128 + signal.SIGINT
    terminal.read(0.1)
    assert terminal.screen.modes == set()
    assert terminal.screen.text.strip() == ""
    assert terminal.attributes() == terminal.before
    assert children
    assert all_end(children)
    assert list((home / "locks").iterdir()) == []


def test_it_stops_for_a_while_and_comes_back_as_it_was(home: Path) -> None:
    with closing(kills.Terminal(("bash", "--norc", "--noprofile", "-i"), home)) as terminal:
        terminal.type("bind 'set enable-bracketed-paste off'; " + shlex.join(PLAY) + "; echo over\n")
        terminal.wait_for(lambda text: "Ann's hand" in text)
        shown = terminal.screen.modes - {kills.IN_ONE}
        terminal.type("\x1a")
        terminal.wait_for(lambda text: "Stopped" in text)
        assert terminal.screen.modes == set()
        # In the background it has nothing to draw on, and stops again.
        terminal.type('bg; until [ -n "$(jobs -s)" ]; do sleep 0.1; done; echo it wai""ts\n')
        terminal.wait_for(lambda text: "it waits" in text)
        terminal.type("fg\n")
        terminal.wait_for(lambda text: "STOCK" in text)
        assert terminal.screen.modes - {kills.IN_ONE} == shown
        terminal.type("\x03")  # it hears keys again
        terminal.wait_for(lambda text: "Leave" in text)


def test_it_ends_with_its_terminal_though_it_hears_of_no_hang_up(terminal: Any) -> None:
    children = thinking(terminal)
    # Nor does it stop where nobody could bring it back.
    terminal.type("\x1a")
    terminal.wait_for(lambda text: "No shell waits here" in text)
    terminal.lose()
    assert seconds_to_end(terminal, read=False) < IN_TIME
    assert terminal.process.returncode == 128 + signal.SIGHUP
    assert all_end(children)


def test_it_ends_though_its_terminal_takes_nothing_any_more(terminal: Any) -> None:
    children = thinking(terminal)
    deadline = time.monotonic() + 1.5
    # Nobody reads what it draws, until it can write no more.
    while time.monotonic() < deadline:
        terminal.type("ooooooooo")
        time.sleep(0.05)
    terminal.process.terminate()
    assert seconds_to_end(terminal, read=False) < IN_TIME
    assert terminal.process.returncode == 128 + signal.SIGTERM
    assert all_end(children)
    assert terminal.attributes() == terminal.before
