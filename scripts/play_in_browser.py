"""Plays a turn in a real browser: `kalooki serve`, headless Chromium, the keys of a match, a picture of each step.

    build/web/bin/python scripts/play_in_browser.py --to build/browser

It needs the extra `web`, and Chromium under one of its usual names; it speaks to it by the protocol for its tools.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiohttp

SIZE = (1280, 800)
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60.0
#: Keys, and seconds until the picture after them: the set-up, its match, a card drawn, a card thrown.
STEPS = (
    ("home", (), 4.0),
    ("set-up", ("n",), 3.0),
    ("table", ("F5",), 6.0),
    ("drawn", ("d",), 3.0),
    ("thrown", ("x", "x"), 4.0),
)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running(*command: str, **environment: str) -> Any:
    """A program, ended at the end."""
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


class Page:
    """A page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    async def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """The answer to a request."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            answer = await self._socket.receive_json(timeout=PATIENCE)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])

    async def press(self, key: str) -> None:
        """A key."""
        code = 116 if key == "F5" else ord(key.upper())
        text = {} if key == "F5" else {"text": key}
        common = {"key": key, "windowsVirtualKeyCode": code, "code": key if key == "F5" else f"Key{key.upper()}"}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    async def picture(self, file: Path) -> None:
        """Write what is shown."""
        shown = await self.ask("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shown["data"]))  # noqa: ASYNC240 - nothing else goes on


@asynccontextmanager
async def opened(port: int) -> AsyncIterator[Page]:
    """The browser's first page."""
    async with aiohttp.ClientSession() as session:
        for _ in range(int(PATIENCE / 0.2)):
            await asyncio.sleep(0.2)
            try:
                async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                    pages = [one for one in await answer.json() if one["type"] == "page"]
            except aiohttp.ClientError:
                continue
            if pages:
                break
        else:
            raise RuntimeError("the browser does not answer")
        async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as found:
            yield Page(found)


async def play(address: str, tools: int, folder: Path) -> None:
    """Open the game and go through the steps."""
    async with opened(tools) as page:
        await page.ask("Page.navigate", url=address)
        await page.ask("Page.bringToFront")
        await asyncio.sleep(2)
        for number, (name, keys, pause) in enumerate(STEPS, start=1):
            for key in keys:
                await page.press(key)
                await asyncio.sleep(0.5)
            await asyncio.sleep(pause)
            await page.picture(folder / f"{number}-{name}.png")
            print(folder / f"{number}-{name}.png")


def main() -> None:
    """Serve, play, take pictures."""
    parser = argparse.ArgumentParser(description="Play a turn in headless Chromium.")
    parser.add_argument("--to", type=Path, default=Path("build/browser"))
    folder = parser.parse_args().to
    folder.mkdir(parents=True, exist_ok=True)
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        sys.exit("there is no Chromium: install the package chromium")
    port, tools = free_port(), free_port()
    with (
        tempfile.TemporaryDirectory() as home,
        running(sys.executable, "-m", "kalooki_tui", "serve", "--port", str(port), KALOOKI_HOME=f"{home}/kalooki"),
        running(
            browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--remote-debugging-port={tools}",
            f"--user-data-dir={home}/browser", f"--window-size={SIZE[0]},{SIZE[1]}", "about:blank",
        ),
    ):  # fmt: skip
        asyncio.run(play(f"http://127.0.0.1:{port}/", tools, folder))


if __name__ == "__main__":
    main()
