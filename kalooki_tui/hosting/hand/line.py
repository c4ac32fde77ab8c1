"""The line to a page: what goes out in its order, the table always as it is now, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp.web import WebSocketResponse

from kalooki_tui.desk.faults import fault_sentence, log_fault
from kalooki_tui.hosting.limits import TAPS, Allowance
from kalooki_tui.hosting.screen import GRACE, PATIENCE, TOO_SLOW
from kalooki_tui.notation.messages import Message

#: Messages that may wait to be sent; the table is one of them, however often it changes.
BEHIND: Final = 400
#: Seconds whose taps may come at once: a page that comes back sends what it has kept.
BURST: Final = 5
#: Seconds in which changes are sent as one: a move is made in one turn of the loop, and the next asked for in another.
TOGETHER: Final = 0.01
TOO_MUCH: Final = "More came from your phone than anybody can tap, so this page has been closed."


class HandLine:
    """One page's line, from its coming to its going."""

    def __init__(self, socket: WebSocketResponse, transport: asyncio.Transport | None) -> None:
        """`transport`: what is below the socket; None: it is broken already."""
        self._socket, self._transport = socket, transport
        self._waiting: deque[Message] = deque()
        self._more = asyncio.Event()
        self._allowance = Allowance(TAPS * BURST, BURST)
        self._ended = asyncio.Event()
        self.over = asyncio.Event()
        """Set when it has ended, and whoever it was has left the table."""
        self.state: Callable[[], Message | None] = lambda: None
        """Gives the table as it is now; None where there is none."""
        self._has_changed = False
        """Whether the table is to be sent."""
        self._due: asyncio.TimerHandle | None = None
        """Has it sent, with all else that changes in that moment."""
        self._last = ""
        """The table that was sent last."""
        self._sentence = ""

    def send(self, message: Message) -> None:
        """Send this after what is waiting already."""
        self._waiting.append(message)
        self._more.set()
        if len(self._waiting) > BEHIND:
            self._waiting.clear()
            self.end(TOO_SLOW)

    def changed(self, *, again: bool = False) -> None:
        """Send the table as it is in a moment, if that is another than was sent last, or is wanted `again`."""
        if again:
            self._last = ""
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(TOGETHER, self._is_due)

    def _is_due(self) -> None:
        self._due = None
        self._has_changed = True
        self._more.set()

    def may_say(self) -> bool:
        """Whether another message may come from it; else it is ended."""
        if not self._allowance.take():
            self.end(TOO_MUCH)
        return not self._ended.is_set()

    def end(self, sentence: str) -> None:
        """End it, and say why; what ends it first is what is said."""
        if not self._ended.is_set():
            self._sentence = sentence
            self._ended.set()
            self._more.set()

    def fail(self, error: BaseException) -> None:
        """Something is wrong: it is written down for the host, and this page ends."""
        log_fault(error)
        self.end(fault_sentence(error, None))

    async def run(self) -> None:
        """Send until it is ended or broken. Nothing that goes wrong comes out."""
        try:
            while not self._ended.is_set():
                await self._more.wait()
                self._more.clear()
                await self._send_waiting()
            self._waiting.append({"ended": self._sentence})
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await self._send_waiting()
                    await self._socket.close()
        except OSError:  # and the line that has taken nothing for too long
            self._ended.set()
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one page harms nobody else
            log_fault(error)
        finally:
            self._ended.set()
            if self._transport is not None:
                self._transport.abort()

    async def _send_waiting(self) -> None:
        while self._waiting or self._has_changed:
            if self._waiting:
                text = json.dumps(self._waiting.popleft(), ensure_ascii=True)
            else:
                self._has_changed = False
                text = json.dumps(self.state(), ensure_ascii=True)
                if text in ("null", self._last):
                    continue
                self._last = text
            async with asyncio.timeout(PATIENCE):
                await self._socket.send_str(text)
