"""What is otherwise in a browser: keys that it keeps for itself have others."""

from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.dialogs import Finder
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
