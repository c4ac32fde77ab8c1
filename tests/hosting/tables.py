"""A hosted table in one process: the host's app, and guests whose screens are read as a terminal shows them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

import pyte
from textual.app import App

from kalooki_tui.cards import JOKER, Faces
from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.view import View
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.house import Doorway, House
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from kalooki_tui.hosting.screen import Screen
from kalooki_tui.ui.screens.table import TableScreen
from tests.desk.table.fronts import InThisProcess

SIZE: Final = (80, 24)
SECONDS: Final = 60.0
CLOSED: Final = Doorway(("127.0.0.1",), None, None)
#: Cards of both decks; not what a joker stands for.
_CARD: Final = re.compile(r"(?<![★☻\w])(?:(?:10|[2-9AJQK])[♣♦♥♠]|(?:1[0-3]|[2-9A])[RBYG]\b)")


class Terminal:
    """What one guest sees: a line whose bytes a terminal emulator takes."""

    def __init__(self, app: HostApp, guest: Guest) -> None:
        self._shown = pyte.Screen(*SIZE)
        self._stream = pyte.ByteStream(self._shown)
        self.screen = Screen(self, SIZE, "xterm-256color")
        self.sentence = ""
        self.sent = 0
        self._task = asyncio.ensure_future(self.screen.run(lambda: app._open_for(guest)))

    async def send(self, data: bytes) -> None:
        """Show it."""
        self.sent += len(data)
        self._stream.feed(data)

    async def close(self, sentence: str) -> None:
        """Remember what is said."""
        self.sentence = sentence

    def abort(self) -> None:
        """It is over."""

    @property
    def text(self) -> str:
        """What the terminal shows."""
        return "\n".join(line.rstrip() for line in self._shown.display)

    def type(self, keys: str) -> None:
        """Press keys."""
        self.screen.feed(keys.encode())

    async def until(self, says: str) -> None:
        """Wait until it shows something."""
        await until(lambda: says in self.text, lambda: f"{says!r} is not in\n{self.text}")

    async def break_line(self) -> None:
        """The line breaks."""
        self.screen.lost()
        await asyncio.wait_for(self._task, SECONDS)

    @property
    def place(self) -> Place:
        """The guest's place at the table."""
        return table_of(self.screen._app).place


async def until(condition: Callable[[], bool], why: Callable[[], str] = str) -> None:
    """Wait until something is so."""
    try:
        async with asyncio.timeout(SECONDS):
            while not condition():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(why()) from None


@asynccontextmanager
async def hosting(
    *seats: str, ruleset: str = "baby", seed: int = 3, doorway: Doorway = CLOSED, **settings: object
) -> AsyncIterator[HostApp]:
    """The host's app in its lobby, its doors closed: guests are let in by the test. `settings`: those of the match."""
    plan = MatchPlan(ruleset=ruleset, seed=seed, speed=Speed.INSTANT, settings=settings, call_seconds=3)
    app = HostApp(House(Lobby(plan, read_chairs(seats)), doorway, Guests("7QK4")))
    app.thinker = InThisProcess()
    async with app.run_test(size=SIZE):
        await until(lambda: app.house.doors is not None)
        yield app


def own_and_public(place: Place) -> set[str]:
    """Faces of all cards that the people of a place may see, or have seen."""
    views = [place.public, *(place.view(seat) for seat in place.here)]
    faces = views[0].rules.faces
    return {face for view in views for face in _faces(view, faces)}


def _faces(view: View, faces: Faces) -> Sequence[str]:
    cards = [*view.hand, *(card for meld in view.melds for card in meld.cards)]
    cards += [] if view.discard is None else [view.discard]
    cards += [card for event in view.history if isinstance(card := getattr(event, "card", None), int)]
    return [faces.symbol(card) for card in cards if card != JOKER]


def leaked(terminal: Terminal, place: Place | None = None) -> set[str]:
    """Cards on a screen that its place, or another, knows nothing of."""
    return set(_CARD.findall(terminal.text)) - own_and_public(place or terminal.place)


async def seated(app: HostApp, *names: str) -> list[Terminal]:
    """Guests who have come and sat down in the first seat that is theirs."""
    found = []
    for name in names:
        terminal = Terminal(app, Guest(name, f"key of {name}"))
        await until(lambda terminal=terminal: "You have a seat." in terminal.text or ", press " in terminal.text)  # type: ignore[misc]
        if "You have a seat." not in terminal.text:
            terminal.type(terminal.text.partition(f"{name}, press ")[2][:1])
            await terminal.until("You have a seat.")
        found.append(terminal)
    return found


def table_of(app: App[None] | None) -> TableScreen:
    """The table on somebody's screen."""
    assert app is not None
    return next(one for one in app.screen_stack if isinstance(one, TableScreen))
