"""A page without a browser: its messages over a real socket."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import aiohttp

from kalooki_tui.cards import JOKER
from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.rules import Referee
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.guest import Guests
from kalooki_tui.hosting.hand.guest import TOGETHER
from kalooki_tui.hosting.house import Doorway, House
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from tests.desk.table.fronts import InThisProcess
from tests.hosting.tables import own_and_public, until

CODE: Final = "7QK4"
HOST: Final = "127.0.0.1"
SECONDS: Final = 30.0
Message = dict[str, Any]


@asynccontextmanager
async def table(
    *seats: str, ruleset: str = "baby", seed: int = 3, referee: str = "strict", **settings: Any
) -> AsyncIterator[tuple[HostApp, str]]:
    """A host with an open door for browsers, and the address of the page."""
    plan = MatchPlan(
        ruleset=ruleset, seed=seed, referee=Referee(referee), speed=Speed.INSTANT, settings=settings, call_seconds=3
    )
    app = HostApp(House(Lobby(plan, read_chairs(seats)), Doorway((HOST,), None, 0), Guests(CODE)))
    app.thinker = InThisProcess()
    async with app.run_test(size=(80, 24)):
        await until(lambda: app.house.doors is not None)
        doors = app.house.doors
        assert doors is not None
        address = next(one.text for one in doors.addresses if one.line == "browser")
        try:
            yield app, address
        finally:
            await doors.close()


class Hand:
    """One page: the newest of each message that it was sent."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.heard: list[Message] = []
        self.state: Message = {}
        self.lobby: Message = {}
        self.is_over = False
        self._count = 0
        self.received = 0

    async def listen(self) -> None:
        """Take what comes, until the end."""
        async for message in self._socket:
            told = json.loads(message.data)
            self.received += 1
            self.heard.append(told)
            if "ask" in told:
                self.state = told
            elif "lobby" in told:
                self.lobby = told["lobby"]
        self.is_over = True

    async def say(self, **message: Any) -> int:
        """Send a message; its number."""
        self._count += 1
        await self._socket.send_str(json.dumps({**message, "id": self._count}))
        return self._count

    async def act(self, **message: Any) -> None:
        """Do something at this moment, and wait until it has been heard and shown."""
        before = self.received
        number = await self.say(**message, moment=self.state["moment"])
        await self.until(lambda: {"heard": number} in self.heard)
        await self.until(lambda: self.received > before + 1)

    async def rest(self) -> None:
        """Wait until nothing comes any more."""
        received = -1
        while received != self.received:
            received = self.received
            await asyncio.sleep(5 * TOGETHER)

    def told(self, key: str) -> list[Any]:
        """What messages of a kind have said."""
        return [message[key] for message in self.heard if key in message]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is so."""
        await until(lambda: bool(condition()), lambda: json.dumps(self.heard[-3:], indent=1))

    @property
    def seen(self) -> str:
        """Everything that it was sent."""
        return json.dumps(self.heard, ensure_ascii=False)


class Pocket:
    """A phone's browser, with its cookies."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session, self.address = session, address

    @asynccontextmanager
    async def page(self) -> AsyncIterator[Hand]:
        """Open the page."""
        async with self.session.ws_connect(f"{self.address}hand/ws", origin=self.address.rstrip("/")) as socket:
            hand = Hand(socket)
            listening = asyncio.ensure_future(hand.listen())
            try:
                yield hand
            finally:
                listening.cancel()


@asynccontextmanager
async def pocket(address: str, name: str, code: str = CODE) -> AsyncIterator[Pocket]:
    """A phone that has been let in."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        async with session.post(address, data={"code": code, "name": name}) as answer:
            assert answer.status == 200
        yield Pocket(session, address)


@asynccontextmanager
async def seated(address: str, name: str) -> AsyncIterator[Hand]:
    """A phone whose person has sat down in the first seat that is theirs."""
    async with pocket(address, name) as phone, phone.page() as hand:
        await hand.until(lambda: hand.lobby)
        seats = hand.lobby["seats"]
        number = next(number for number, seat in enumerate(seats, 1) if seat["open"])
        await hand.say(sit=number)
        await hand.until(lambda: hand.state or any(seat["mine"] for seat in hand.lobby["seats"]))
        yield hand


def leaked(hand: Hand, place: Place) -> set[str]:
    """Cards in anything that was sent to a page that its place knows nothing of."""
    faces, sent = place.rules.faces, json.dumps([one for one in hand.heard if "hello" not in one], ensure_ascii=False)
    shown = {card for card in range(JOKER) if re.search(rf"(?<!\w){faces.text(card)}(?!\w)", sent)}
    shown |= {card for card in range(JOKER) if re.search(rf"(?<!\w){faces.symbol(card)}", sent)}
    known = own_and_public(place)
    return {faces.symbol(card) for card in shown} - known
