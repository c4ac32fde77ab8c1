"""A terminal in front of the app: keys, mouse, size and pastes arrive as the program's own driver would send them."""

import asyncio
import string
import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from kalooki_tui.engine.view import View
from kalooki_tui.players import Player, PlayerChoice, make_player
from kalooki_tui.storage.paths import LOG_NAME, data_folder
from kalooki_tui.tui.app import KalookiApp

#: How many of the last things done are told when something goes wrong.
REMEMBERED: Final = 60
#: Longest time in seconds after which an app that works has dealt with what it was sent.
LONGEST_SETTLING: Final = 60.0
_NAMES: Final = {
    " ": "space", "?": "question_mark", ",": "comma", ".": "full_stop", "*": "asterisk", "[": "left_square_bracket",
    "]": "right_square_bracket", "-": "minus", "+": "plus", "/": "slash", "_": "underscore", ":": "colon",
    "=": "equals_sign", "'": "apostrophe", "@": "at", "#": "number_sign",
}  # fmt: skip
_CHARACTERS: Final = {name: character for character, name in _NAMES.items()} | {"enter": "\r", "tab": "\t"}


class Thinks:
    def __init__(self) -> None:
        self._players: dict[tuple[str, str], Player] = {}

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        player = self._players.setdefault((level, seed), make_player(level, seed))
        return player.decide(view)


class Keyboard:
    """Keyboard, mouse and window of one app that runs under `run_test`."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot
        assert isinstance(pilot.app, KalookiApp)
        self.app = pilot.app
        self.keys = 0
        self.done: deque[str] = deque(maxlen=REMEMBERED)
        """The last things done, in words."""
        self.lost: list[str] = []
        """What went wrong in tasks that nobody waits for."""
        asyncio.get_running_loop().set_exception_handler(self._note_lost)

    def _note_lost(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.lost.append(f"{context.get('message')}: {context.get('exception')!r}")

    def _send(self, event: events.Event) -> None:
        driver = self.app._driver
        if driver is not None and self.app.is_running:
            driver.process_message(event)

    # What a person's hands do

    def type_key(self, key: str) -> None:
        """Press a key by the name Textual gives it; nothing is waited for."""
        name = _NAMES.get(key, key)
        character = _CHARACTERS.get(name, name if len(name) == 1 else None)
        if len(name) == 1 and name in string.ascii_uppercase:
            character = name
        self.keys += 1
        self.done.append(name)
        self._send(events.Key(name, character))

    async def press(self, *keys: str) -> None:
        """Press keys, each after the app has dealt with the one before."""
        for key in keys:
            self.type_key(key)
            await self.settle()

    async def burst(self, *keys: str) -> None:
        """Press keys at once, as they come from a terminal that was slow."""
        for key in keys:
            self.type_key(key)
        await self.settle()

    async def paste(self, text: str) -> None:
        self.done.append(f"paste {text!r}")
        self._send(events.Paste(text))
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        self.done.append(f"resize {width}x{height}")
        if self.app._driver is not None:
            self.app._driver._size = (width, height)
        self._send(events.Resize(Size(width, height), Size(width, height)))
        await self.settle()

    def _mouse(self, kind: type[events.MouseEvent], x: int, y: int, button: int, shift: bool) -> None:
        self._send(
            kind(
                widget=None, x=x, y=y, delta_x=0, delta_y=0, button=button, shift=shift, meta=False, ctrl=False,
                screen_x=x, screen_y=y,
            )
        )  # fmt: skip

    async def click(self, x: int, y: int, button: int = 1, *, shift: bool = False) -> None:
        self.done.append(f"click {x},{y} button {button}{' shift' if shift else ''}")
        self._mouse(events.MouseMove, x, y, 0, shift)
        self._mouse(events.MouseDown, x, y, button, shift)
        self._mouse(events.MouseUp, x, y, button, shift)
        await self.settle()

    async def drag(self, x: int, y: int, to_x: int, to_y: int) -> None:
        self.done.append(f"drag {x},{y} to {to_x},{to_y}")
        self._mouse(events.MouseDown, x, y, 1, False)
        self._mouse(events.MouseMove, (x + to_x) // 2, (y + to_y) // 2, 1, False)
        self._mouse(events.MouseMove, to_x, to_y, 1, False)
        self._mouse(events.MouseUp, to_x, to_y, 1, False)
        await self.settle()

    async def wheel(self, x: int, y: int, *, up: bool) -> None:
        self.done.append(f"wheel {'up' if up else 'down'} {x},{y}")
        self._mouse(events.MouseScrollUp if up else events.MouseScrollDown, x, y, 0, False)
        await self.settle()

    # What comes of it

    async def settle(self, seconds: float = 0.0) -> None:
        """Wait until the app has dealt with everything it was sent.

        Raises:
            TimeoutError: it does not within `LONGEST_SETTLING`.
        """
        # Once for the message to arrive, once for what it sets off.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if self.app.is_running:
            done, end = asyncio.create_task(self._all_done(seconds)), time.monotonic() + LONGEST_SETTLING
            while not done.done():
                await asyncio.wait({done}, timeout=0.1)
                if self.app._exit:
                    done.cancel()  # a screen that goes with the app answers no more
                elif time.monotonic() > end:
                    raise TimeoutError
            if not done.cancelled():
                done.result()

    async def _all_done(self, seconds: float) -> None:
        """Let the app run for so long, then until every key has done its work."""
        await self.pilot.pause(seconds)
        while self.app.is_running and not self.app._exit and not self.app.is_quiet:
            await self.pilot.pause()

    def faults(self) -> list[str]:
        """Everything that went wrong so far: faults the app wrote down, and tasks that failed."""
        log = data_folder() / LOG_NAME
        written = [log.read_text(encoding="utf-8")] if log.exists() else []
        return [*written, *self.lost]


async def watched(
    app: KalookiApp, size: tuple[int, int], play: Callable[[Keyboard], Awaitable[None]]
) -> tuple[int, str | None]:
    """Let somebody play with an app: how many keys that took, and what went wrong; None: nothing."""
    keyboard, wrong = None, None
    try:
        async with app.run_test(size=size, tooltips=True, notifications=True) as pilot:
            keyboard = Keyboard(pilot)
            await play(keyboard)
    except Exception as error:  # noqa: BLE001 - whatever happens is what is looked for
        wrong = told_shortly("".join(traceback.format_exception(error)))
    if keyboard is None:
        return 0, wrong
    if wrong is None and (faults := keyboard.faults()):
        wrong = told_shortly("\n".join(faults))
    return keyboard.keys, None if wrong is None else f"{wrong}\n    last done: {' | '.join(keyboard.done)}"


def told_shortly(trace: str) -> str:
    """The places in the game's own code, and what was raised there."""
    lines = trace.strip().splitlines()
    everywhere = [line.strip() for line in lines if line.startswith("  File ")]
    places = [line for line in everywhere if "/kalooki_tui/" in line] or everywhere
    said = [line.strip() for line in lines if line and not line.startswith((" ", "Traceback", "The above", "During"))]
    return "\n".join(f"    {line}" for line in (*places[-6:], *said[-3:]))
