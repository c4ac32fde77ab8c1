"""The app is asked to end where it runs: nothing of it is closed while a step is being written."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

from textual.app import App

from kalooki_tui.ui.terminal import ENDED_BY, Ending
from tests.ui.conftest import LONGEST_WAIT


class Asked(App[None]):
    """Notes in which thread it was asked to end."""

    asked_in: threading.Thread | None = None

    def exit(self, *values: Any, **named: Any) -> None:
        self.asked_in = threading.current_thread()
        super().exit(*values, **named)


async def test_a_signal_ends_the_app_in_its_own_thread() -> None:
    app = Asked()
    async with app.run_test():
        ending = Ending(app)
        code = ENDED_BY + signal.SIGTERM
        threading.Thread(target=ending._in_the_app, args=(lambda: app.exit(return_code=code),)).start()
        async with asyncio.timeout(LONGEST_WAIT):
            while app.asked_in is None:
                await asyncio.sleep(0.01)
    assert app.asked_in is threading.main_thread()
    assert app.return_code == ENDED_BY + signal.SIGTERM
