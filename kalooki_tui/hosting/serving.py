"""`kalooki serve`: every window of a browser has its own game, all in one process."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kalooki_tui.hosting.doors import Doors
from kalooki_tui.hosting.gate import TokenGate, address_of, is_local
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.process import load_meanwhile, run_process

if TYPE_CHECKING:
    from textual.app import App


def serve(host: str, port: int, token: str, tls: ssl.SSLContext | None, tell: Callable[[str], None]) -> None:
    """Serve until a signal asks to end; `tell` is given the address once it can be opened.

    Raises:
        NotInstalled: what it needs is not there.
        OSError: the port cannot be had.
    """

    async def main(asked: asyncio.Future[int]) -> None:
        doors = await Doors.open(
            [host], None, port, Guests(), _open_game, gate=TokenGate(token, is_local(host)), tls=tls
        )
        tell(address_of(host, port, token, is_encrypted=tls is not None))
        load_meanwhile()
        await asked
        await doors.close("The server has been stopped.")

    run_process(main)


def _open_game(guest: Guest) -> App[Any]:
    from kalooki_tui.ui.app import KalookiApp

    return KalookiApp(is_alone=False)
