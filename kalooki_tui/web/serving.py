"""The server: one process of the game for each window of a browser."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kalooki_tui.web.gate import COOKIE, TOKEN, Gate


class NotInstalled(Exception):
    """The extra `web` is not installed."""


def serve(host: str, port: int, gate: Gate) -> None:
    """Serve until interrupted.

    Raises:
        NotInstalled: what it needs is not there.
        OSError: the port cannot be had.
    """
    if find_spec("textual_serve") is None:
        raise NotInstalled
    from aiohttp import web
    from textual_serve.server import Server

    async def guard(request: Any, handler: Any) -> Any:
        given = request.query.get(TOKEN) or request.cookies.get(COOKIE)
        why = gate.why_not(request.headers.get("Host", ""), request.headers.get("Origin"), given)
        if why:
            raise web.HTTPForbidden(text=why)
        # The page's own addresses are those under which the browser has found it.
        server.public_url = f"http://{request.host}"
        answer = await handler(request)
        if gate.token and not answer.prepared:
            answer.set_cookie(COOKIE, gate.token, httponly=True, samesite="Strict")
        return answer

    async def quiet(app: Any) -> None:
        """Nothing is printed beside what the command has said."""

    command = shlex.join([sys.executable, "-m", "kalooki_tui"])
    server: Any = Server(command, host, port, title="Kalooki", templates_path=Path(__file__).parent)
    make = server._make_app

    async def guarded() -> Any:
        app = await make()
        app.middlewares.append(web.middleware(guard))
        return app

    server._make_app, server.on_startup = guarded, quiet
    server.initialize_logging = lambda: None
    server.serve()
