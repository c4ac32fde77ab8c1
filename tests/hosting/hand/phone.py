"""A phone: Chromium without a window, driven by taps over its own protocol."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import aiohttp

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS: Final = 20.0
DESKTOP: Final = 1000
"""Width from which on a screen has a mouse, and no finger touches it."""
MOUSE: Final = {"touchStart": "mousePressed", "touchMove": "mouseMoved", "touchEnd": "mouseReleased"}


def browser() -> str | None:
    """Where Chromium is; None: there is none on this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Phone:
    def __init__(self, chromium: Chromium, session: str, context: str) -> None:
        self.do = partial(chromium.do, session=session)
        self.context = context
        self.has_mouse = False
        self.said: list[str] = []
        """What the page has written to the console, errors of its scripts, and what the browser warns of."""

    def hear(self, message: dict[str, Any]) -> None:
        if message["method"] in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            # What the browser merely tells is no fault: that it left the focus where a quick finger had put it.
            is_told = message["params"].get("entry", {}).get("level") in ("verbose", "info")
            self.said += [] if is_told else [json.dumps(message["params"])]

    async def run(self, script: str) -> Any:
        found = await self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def look(self, width: int, height: int, *, scheme: str = "dark", **media: str) -> None:
        """Have a screen of a size, and what else the page may ask of it."""
        self.has_mouse = width >= DESKTOP
        size = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": not self.has_mouse}
        await self.do("Emulation.setTouchEmulationEnabled", enabled=not self.has_mouse)
        await self.do("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        features += [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        await self.do("Emulation.setEmulatedMedia", features=features)
        # The page is composed for its size in the frame after the next.
        await self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    async def go(self, address: str) -> None:
        await self.do("Page.navigate", url=address)
        await self.until("document.readyState === 'complete'")

    async def until(self, condition: str, seconds: float = SECONDS) -> None:
        async with asyncio.timeout(seconds):
            while True:
                with suppress(AssertionError):  # between two pages there is none
                    if await self.run(condition):
                        return
                await asyncio.sleep(0.03)

    async def until_shown(self, text: str) -> None:
        await self.until(f"document.body.innerText.includes({json.dumps(text)})")

    async def tap(self, element: str) -> bool:
        """Tap an element, given by a script; whether it could be tapped, being there and uppermost."""
        where = await self._where(element)
        if where is not None:
            await self._touch("touchStart", where)
            await self._touch("touchEnd")
        return where is not None

    async def drag(self, element: str, onto: str, *, hold: float = 0.0) -> None:
        """Drag an element onto another with one finger, which first rests on it for some seconds."""
        begin, end = await self._where(element), await self._where(onto)
        assert begin is not None
        assert end is not None
        await self._touch("touchStart", begin)
        await asyncio.sleep(hold)
        for step in range(1, 6):
            await self._touch("touchMove", [a + (b - a) * step / 5 for a, b in zip(begin, end, strict=True)])
        await self._touch("touchEnd")

    async def _where(self, element: str) -> list[float] | None:
        """A place of an element where it is uppermost: of a card that another covers, the corner that is in sight."""
        found: list[float] | None = await self.run(
            f"""(async () => {{
              const moving = document.getAnimations().filter((one) => one.effect.target.closest("#hand, #felt"));
              await Promise.all(moving.map((one) => one.finished.catch(() => null)));
              const element = {element};
              if (!element) return null;
              element.scrollIntoView({{block: "nearest", inline: "nearest"}});
              const box = element.getBoundingClientRect();
              const places = [0.25, 0.5, 0.12].flatMap((x) => [0.5, 0.25, 0.15].map((y) => [x, y]))
                .map(([x, y]) => [box.left + box.width * x, box.top + box.height * y]);
              return places.find((place) => element.contains(document.elementFromPoint(...place))) ?? null;
            }})()"""
        )
        return found

    async def _touch(self, kind: str, where: list[float] | None = None) -> None:
        if self.has_mouse:
            self._pointer = where or self._pointer
            named = {"type": MOUSE[kind], "x": self._pointer[0], "y": self._pointer[1], "clickCount": 1}
            await self.do("Input.dispatchMouseEvent", **named, button="left", buttons=int(kind != "touchEnd"))
            return
        points = [] if where is None else [{"x": where[0], "y": where[1]}]
        await self.do("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    async def press(self, key: str) -> None:
        """Press a key of the keyboard: a letter, a digit, or a key by its name."""
        text = {"text": key} if len(key) == 1 else {"windowsVirtualKeyCode": {"Escape": 27}[key]}
        await self.do("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        await self.do("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def tap_words(self, words: str) -> bool:
        return await self.tap(
            f"[...document.querySelectorAll('button')].find(one => one.textContent.startsWith({json.dumps(words)}))"
        )

    async def type(self, field: str, text: str) -> None:
        await self.run(f"document.querySelector({json.dumps(field)}).focus()")
        await self.do("Input.insertText", text=text)


class Chromium:
    """The browser; each phone is a context of its own, with cookies of its own."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, count()
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._phones: dict[str, Phone] = {}
        self.phones: list[Phone] = []

    async def listen(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told:
                answer = self._answers.pop(told["id"])
                if not answer.done():
                    answer.set_result(told)
            elif told.get("sessionId") in self._phones:
                self._phones[told["sessionId"]].hear(told)

    async def do(self, method: str, *, session: str = "", **params: Any) -> Any:
        """Have the browser, or the page of a session, do something."""
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        about = {"sessionId": session} if session else {}
        await self._socket.send_str(json.dumps({"id": number, "method": method, "params": params, **about}))
        message = await asyncio.wait_for(answer, SECONDS)
        assert "error" not in message, message
        return message["result"]

    async def phone(self, width: int = 360, height: int = 740, *, scheme: str = "dark", **media: str) -> Phone:
        context = (await self.do("Target.createBrowserContext"))["browserContextId"]
        phone = await self.page(context, width, height, scheme=scheme, **media)
        self.phones.append(phone)
        return phone

    async def page(self, context: str, width: int, height: int, *, scheme: str = "dark", **media: str) -> Phone:
        target = await self.do("Target.createTarget", url="about:blank", browserContextId=context)
        session = await self.do("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        phone = self._phones[session["sessionId"]] = Phone(self, session["sessionId"], context)
        for domain in ("Page", "Runtime", "Log", "Network"):
            await phone.do(f"{domain}.enable")
        await phone.look(width, height, scheme=scheme, **media)
        return phone


@contextmanager
def running() -> Iterator[str]:
    """A running browser's address."""
    program = browser()
    assert program is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        options = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
        command = [program, *options.split(), "--remote-debugging-port=0", f"--user-data-dir={home}", "about:blank"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            named, end = Path(home) / "DevToolsActivePort", time.monotonic() + SECONDS
            while not named.exists() or len(named.read_text().splitlines()) < 2:
                assert time.monotonic() < end
                time.sleep(0.05)
            port, path = named.read_text().splitlines()
            yield f"http://127.0.0.1:{port}{path}"
            process.kill()


@asynccontextmanager
async def chromium(address: str) -> AsyncIterator[Chromium]:
    async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as socket:
        found = Chromium(socket)
        listening = asyncio.ensure_future(found.listen())
        try:
            yield found
        finally:
            for phone in found.phones:
                await found.do("Target.disposeBrowserContext", browserContextId=phone.context)
            listening.cancel()
