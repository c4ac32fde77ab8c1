"""The door for browsers: a page that shows a terminal, and a socket that is its line. No process a window."""

from __future__ import annotations

import asyncio
import html
import json
import logging
import ssl
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from aiohttp import WSMsgType, web

from kalooki_tui.desk.faults import log_fault
from kalooki_tui.hosting.gate import TOKEN, Gate
from kalooki_tui.hosting.guest import BACKLOG, Guest, Guests, TurnedAway, Visit, name_of
from kalooki_tui.hosting.hand.door import HAND, HandDoor, ShowHand
from kalooki_tui.hosting.limits import KEYS
from kalooki_tui.hosting.screen import MESSAGE, Screen, Show

PAGE: Final = Path(__file__).with_name("page")
SOCKETS: Final = 128
"""Connections at once, those of pages as well: a browser holds up to six."""
FIRST: Final = 10.0
"""Seconds within which a connection must have asked for something, and a form must have come."""
KEPT: Final = 10
"""Seconds that a connection is kept for the next request."""
FORM: Final = 1024
"""Bytes of the largest form."""
ALIVE: Final = 10.0
"""Seconds after which a browser is asked whether it is there; half of that it has to answer."""
LAST_WORDS: Final = 0.3
"""Seconds that a browser has to agree to an end."""

#: Nothing comes from elsewhere, no other page shows this one, and no page that it leads to learns its address. To the
#: own server it is named: without that, browsers do not say whose page has sent the form.
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self' ws: wss:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


NO_VERSIONS: Final = {"Server": "kalooki"}


class Browsers:
    """Listens for browsers."""

    def __init__(self, gate: Gate, guests: Guests, show: Show, show_hand: ShowHand | None = None) -> None:
        """`show_hand`: where there is a page for phones."""
        self._gate = gate
        self._hands = None if show_hand is None else HandDoor(guests, show_hand)
        self._guests = guests
        self._show = show
        self._listening: list[asyncio.Server] = []
        self._sockets: set[Knock] = set()
        self._files = _files()
        self._pages = {name: (PAGE / name).read_text(encoding="utf-8") for name in ("screen.html", "come.html")}
        # What strangers send is nobody's business: nothing of it is written to the host's terminal.
        self._logger = logging.getLogger(__name__)
        self._logger.addHandler(logging.NullHandler())
        self._logger.propagate = False
        self._server = web.Server(self._handle, logger=self._logger)
        self.port = 0

    async def listen(self, addresses: Sequence[str], port: int, tls: ssl.SSLContext | None) -> None:
        """Listen on these addresses.

        Raises:
            OSError: the port cannot be had.
        """
        loop = asyncio.get_running_loop()
        self.port = port
        for address in addresses:
            server = await loop.create_server(self._knock, address, self.port, ssl=tls, backlog=BACKLOG)
            self._listening.append(server)
            self.port = self.port or server.sockets[0].getsockname()[1]

    def _knock(self) -> Knock:
        return Knock(self, self._server, self._logger)

    def listen_no_more(self) -> None:
        """Let nobody else come; who is here stays."""
        for server in self._listening:
            server.close()

    async def close(self) -> None:
        """End every connection."""
        for socket in list(self._sockets):
            socket.end("")
        await self._server.shutdown(LAST_WORDS)

    # Connections

    def arrive(self, knock: Knock) -> Visit:
        """A browser has made a connection.

        Raises:
            TurnedAway: there are too many.
        """
        if len(self._sockets) >= SOCKETS:
            raise TurnedAway("Too many connections.")
        visit = self._guests.arrive(knock.address, knock.end, is_screen=False)
        self._sockets.add(knock)
        return visit

    def leave(self, knock: Knock) -> None:
        """A connection has ended."""
        self._sockets.discard(knock)

    # Requests

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            answer = await self._answer(request)
            if not answer.prepared:
                answer.headers.update(NO_VERSIONS)
            return answer
        except (UnicodeError, ValueError):
            return _text("This request makes no sense.", 400)
        except TimeoutError:
            return _text("This took too long.", 408)
        except (OSError, asyncio.CancelledError, web.HTTPException):
            raise
        except Exception as error:  # noqa: BLE001 - one odd request harms nobody else
            log_fault(error)
            return _text("An error in the program.", 500)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        knock = request.protocol
        assert isinstance(knock, Knock)
        knock.has_asked()
        why = self._gate.why_not(request.headers.get("Host", ""), request.headers.get("Origin"))
        if why:
            return _text(why, 403)
        cookie = f"kalooki-{self.port}"
        # What a browser was given for the code comes in its cookie alone: addresses are copied and kept.
        given = "" if self._gate.asks_for_code else request.query.get(TOKEN, "")
        guest = self._gate.guest(given or request.cookies.get(cookie, ""))
        if guest is None:
            if not self._gate.asks_for_code or request.path not in (*self._entries, "/page/page.css"):
                return _text(self._gate.refusal, 403)
            if request.path in self._entries:
                return await self._come(request, cookie)
        else:
            knock.let_in()
        if request.method not in ("GET", "HEAD"):
            return _text("Not this way.", 405)
        if request.path == "/ws" and guest is not None:
            return await self._play(request, guest)
        if request.path == "/":
            answer = _page(self._pages["screen.html"])
            if given:
                answer.set_cookie(cookie, given, httponly=True, samesite="Strict", secure=request.secure)
            return answer
        answer_hand = None if self._hands is None else self._hands.answer_of(request.path)
        if answer_hand is not None and guest is not None:
            return await answer_hand(request, guest)
        file = self._files.get(request.path)
        return _text("There is nothing here.", 404) if file is None else web.FileResponse(file, headers=_cached())

    async def _come(self, request: web.BaseRequest, cookie: str) -> web.StreamResponse:
        """The form for code and name, and what comes of it."""
        if request.method != "POST":
            return self._form(request.path, "", "")
        if not 0 <= (request.content_length if request.content_length is not None else FORM + 1) <= FORM:
            return _text("This is too much.", 413)
        data = await asyncio.wait_for(request.read(), FIRST)
        fields = parse_qs(data.decode(), max_num_fields=4)
        code, name = (fields.get(field, [""])[0] for field in ("code", "name"))
        token, why = self._gate.let_in(request.remote or "", code, name)
        if why:
            return self._form(request.path, why, name_of(name))
        answer = web.Response(status=303, headers={"Location": request.path, **HEADERS})
        answer.set_cookie(cookie, token, httponly=True, samesite="Strict", secure=request.secure)
        return _last(answer)

    @property
    def _entries(self) -> tuple[str, ...]:
        """Where somebody who has not been let in may ask to be."""
        return ("/",) if self._hands is None else ("/", HAND)

    def _form(self, action: str, told: str, name: str) -> web.Response:
        shown = self._pages["come.html"].replace("{action}", action)
        shown = shown.replace("{told}", html.escape(told)).replace("{name}", html.escape(name))
        return _last(_page(shown))

    # Screens

    async def _play(self, request: web.BaseRequest, guest: Guest) -> web.StreamResponse:
        """Show a screen for as long as the socket lasts."""
        socket = web.WebSocketResponse(heartbeat=ALIVE, timeout=LAST_WORDS, max_msg_size=KEYS, compress=False)
        if not socket.can_prepare(request):
            return _text("This address is for the page's own socket.", 400)
        socket.headers.update(NO_VERSIONS)
        await socket.prepare(request)
        window = Window(socket, request)
        screen = Screen(window, _size(request.query), "xterm-256color", "truecolor")
        try:
            visit = self._guests.arrive(request.remote or "", screen.end, is_known=True)
        except TurnedAway as away:
            await window.close(str(away))
            return socket
        showing = asyncio.create_task(self._show(guest, screen))
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT or not await _hear(screen, socket, message.data):
                    break
        finally:
            screen.lost()
            visit.leave()
            await showing
        return socket


class Knock(web.RequestHandler):
    """One connection of a browser, which has to ask for something soon, and to show who it is."""

    def __init__(self, door: Browsers, server: web.Server, logger: logging.Logger) -> None:
        super().__init__(
            server, loop=asyncio.get_running_loop(), keepalive_timeout=KEPT, access_log=logger,
            logger=logger, auto_decompress=False, lingering_time=0,
        )  # fmt: skip
        self._door = door
        self._visit: Visit | None = None
        self._silence: asyncio.TimerHandle | None = None
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody knocks."""
        super().connection_made(transport)
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        try:
            self._visit = self._door.arrive(self)
        except TurnedAway as away:
            self.end(str(away))
            return
        self._silence = asyncio.get_running_loop().call_later(FIRST, self.end, "You have asked for nothing.")

    def connection_lost(self, exc: BaseException | None) -> None:
        """They have gone."""
        self.let_in()
        self.has_asked()
        self._door.leave(self)
        super().connection_lost(exc)

    def handle_error(self, *given: Any, **named: Any) -> web.StreamResponse:
        """Answer what is no request."""
        answer = super().handle_error(*given, **named)
        answer.headers.update(NO_VERSIONS)
        return answer

    def has_asked(self) -> None:
        """They have asked for something."""
        if self._silence is not None:
            self._silence.cancel()

    def let_in(self) -> None:
        """They wait at the door no more; it is their screen that counts."""
        if self._visit is not None:
            self._visit.leave()

    def end(self, sentence: str) -> None:
        """Close the connection, with a sentence."""
        transport = self.transport
        if transport is None or transport.is_closing():
            return
        if sentence:
            text = sentence.encode()
            head = f"HTTP/1.1 503 Busy\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\nConnection: close"
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(head.encode() + b"\r\n\r\n" + text)
        transport.close()
        self._door.leave(self)


class Window:
    """The socket of a page, as the line of a screen."""

    is_browser = True

    def __init__(self, socket: web.WebSocketResponse, request: web.BaseRequest) -> None:
        self._socket = socket
        self._request = request

    async def send(self, data: bytes) -> None:
        """Send; returns when it may be given more.

        Raises:
            OSError: the line is broken.
        """
        await self._socket.send_bytes(data)

    def open_url(self, url: str) -> None:
        """Have the browser show a page."""
        if url.startswith(("https://", "http://")) and not self._socket.closed:
            text = json.dumps(["open_url", {"url": url, "new_tab": True}])
            self._opening = asyncio.create_task(self._say(text))

    async def _say(self, text: str) -> None:
        with suppress(OSError):
            await self._socket.send_str(text)

    async def close(self, sentence: str) -> None:
        """Say the sentence, if there is one, and end the line."""
        if sentence:
            await self._say(json.dumps(["told", sentence]))
        await self._socket.close()

    def abort(self) -> None:
        """End the line now."""
        if self._request.transport is not None:
            self._request.transport.abort()


async def _hear(screen: Screen, socket: web.WebSocketResponse, text: str) -> bool:
    """Take a message of the page; false if it is none that the page sends, or if the screen is to hear no more."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    match message:
        case ["stdin", str(typed)]:
            screen.feed(typed.encode("utf-8", "replace"))
        case ["resize", {"width": int(width), "height": int(height)}]:
            screen.resize(width, height)
        case ["ping", sent]:
            if not screen.may_say(len(text) + MESSAGE):
                return True
            await socket.send_str(json.dumps(["pong", sent]))
        case ["focus" | "blur" as what]:
            if screen.may_say(MESSAGE):
                screen.focus(what == "focus")
        case _:
            return False
    return True


def _size(query: Any) -> tuple[int, int]:
    """The size that the page says its terminal has; the usual one where it says none."""
    found = [80, 24]
    for place, name in enumerate(("width", "height")):
        with suppress(ValueError):
            found[place] = int(query.get(name, "")[:9])
    return found[0], found[1]


def _files() -> dict[str, Path]:
    """What may be asked for, by its path."""
    found = find_spec("textual_serve")
    assert found is not None
    assert found.origin is not None
    static = Path(found.origin).with_name("static")
    named = {f"/static/{file.relative_to(static).as_posix()}": file for file in static.rglob("*") if file.is_file()}
    return named | {f"/page/{name}": PAGE / name for name in ("page.css", "screen.js")}


def _text(text: str, status: int) -> web.Response:
    return _last(web.Response(text=text, status=status, headers=HEADERS))


def _page(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html", headers=HEADERS)


def _cached() -> dict[str, str]:
    return {**HEADERS, "Cache-Control": "private, max-age=3600"}


def _last(answer: web.Response) -> web.Response:
    """An answer after which the connection ends: whoever is not let in keeps none."""
    answer.force_close()
    return answer
