"""What is otherwise in a browser: keys that it keeps for itself have others, and an app ends with its server."""

import os
import subprocess
import sys
from pathlib import Path

from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.finder import Finder
from kalooki_tui.ui.screens.setup import COMMANDS


async def test_another_key_finds_commands() -> None:
    app = KalookiApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, Finder)


def test_keys_that_browsers_keep_are_never_the_only_ones() -> None:
    kept = {"ctrl+n", "ctrl+p", "ctrl+q", "ctrl+s", "ctrl+t", "ctrl+w"}
    for command in COMMANDS:
        assert set(command.keys.split(",")) - kept, command.name


def test_the_app_ends_when_its_server_has_gone(tmp_path: Path) -> None:
    environment = {
        **os.environ, "KALOOKI_HOME": str(tmp_path), "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver",
    }  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "kalooki_tui"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as app:
        assert app.stdin is not None
        assert app.stdout is not None
        assert app.stdout.readline() == b"__GANGLION__\n"
        app.stdin.close()
        app.stdout.read()
        assert app.wait(timeout=60) == 0
