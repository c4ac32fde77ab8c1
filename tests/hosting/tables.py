"""A hosted table in one process: the host's app, and guests whose screens are read as a terminal shows them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, ClassVar, Final

from textual.app import App

from kalooki_tui.cards import JOKER, Faces
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import View
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.doors import HostedTable
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.guest_screen import Screen
from kalooki_tui.hosting.hand.front import HandFront
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.session.client import Client
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import AskCalls, MatchPlan, Speed
from kalooki_tui.storage.journal import unwritten
from kalooki_tui.storage.kept import Doorway
from kalooki_tui.tui.screens.table import TableScreen
from tests.hosting.callers import CODE, HOST, SECONDS, Hand, Line, pocket, until
from tests.moments import there
from tests.session.fronts import InThisProcess

SIZE: Final = (80, 24)
CLOSED: Final = Doorway((HOST,), None, None)
#: Cards of both decks; not what a joker stands for.
_CARD: Final = re.compile(r"(?<![★☻\w])(?:(?:10|[2-9AJQK])[♣♦♥♠]|(?:1[0-3]|[2-9A])[RBYG]\b)")


class Terminal(Line):
    showing: ClassVar[list[Terminal]] = []

    def __init__(self, app: HostApp, guest: Guest) -> None:
        super().__init__()
        self.showing.append(self)
        self.screen = Screen(self, SIZE, "xterm-256color")
        self._task = asyncio.ensure_future(self.screen.run(lambda: app._open_for(guest)))

    def type(self, keys: str) -> None:
        self.screen.feed(keys.encode())

    async def break_line(self) -> None:
        self.screen.lost()
        await asyncio.wait_for(self._task, SECONDS)

    @property
    def client(self) -> Client:
        return table_of(self.screen._app).client


@asynccontextmanager
async def hosting(
    *seats: str,
    ruleset: str = "baby",
    seed: int = 3,
    doorway: Doorway = CLOSED,
    referee: str = "strict",
    teach: bool = False,
    **settings: object,
) -> AsyncIterator[HostApp]:
    """The host's app in its lobby, its doors closed: guests are let in by the test. `settings`: those of the match."""
    plan = MatchPlan(
        ruleset=ruleset,
        seed=seed,
        referee=Referee(referee),
        speed=Speed.INSTANT,
        settings=settings,
        call_seconds=3,
        teach=teach,
    )
    app = HostApp(HostedTable(Lobby(plan, read_chairs(seats)), doorway, Guests(CODE)))
    app.thinker = InThisProcess()
    async with app.run_test(size=SIZE):
        await until(lambda: app.hosted.doors is not None)
        yield app
        while Terminal.showing:  # an app that is cancelled in place of ended may wait for ever
            await Terminal.showing.pop().break_line()


@asynccontextmanager
async def phone_table(*seats: str, **named: Any) -> AsyncIterator[tuple[HostApp, int]]:
    """The same with an open door for browsers, and its port."""
    async with hosting(*seats, doorway=Doorway((HOST,), None, 0), **named) as app:
        doors = there(app.hosted.doors)
        assert doors.doorway.web_port is not None
        try:
            yield app, doors.doorway.web_port
        finally:
            await doors.close()


def own_and_public(place: Client) -> set[str]:
    """Faces of all cards that the people of a place may see, or have seen."""
    views = [place.public, *(place.view(seat) for seat in place.here)]
    faces = views[0].rules.faces
    return {face for view in views for face in _faces(view, faces)}


def _faces(view: View, faces: Faces) -> Sequence[str]:
    cards = [*view.hand, *(card for meld in view.melds for card in meld.cards)]
    cards += [] if view.discard is None else [view.discard]
    cards += [card for event in view.history if isinstance(card := getattr(event, "card", None), int)]
    return [faces.symbol(card) for card in cards if card != JOKER]


def leaked(terminal: Terminal, place: Client | None = None) -> set[str]:
    """Cards on a screen that its place, or another, knows nothing of."""
    return set(_CARD.findall(terminal.text)) - own_and_public(place or terminal.client)


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


async def begun(app: HostApp, *names: str) -> list[Terminal]:
    """The same, once the match has begun and each sees their hand."""
    found = await seated(app, *names)
    app.call_later(app.begin_match)
    for terminal in found:
        await terminal.until("'s hand")
    return found


async def looking_on(app: HostApp) -> Terminal:
    eve = Terminal(app, Guest("Eve"))
    await eve.until("Eve")
    eve.type("w")
    await eve.until("You look on.")
    return eve


def session_of(app: HostApp) -> MatchSession:
    assert app.lobby.session is not None
    return app.lobby.session


def table_of(app: App[None] | None) -> TableScreen:
    assert app is not None
    return next(one for one in app.screen_stack if isinstance(one, TableScreen))


@asynccontextmanager
async def seated_phone(port: int, name: str) -> AsyncIterator[Hand]:
    """A phone whose person has sat down in the first seat that is theirs."""
    async with pocket(port, name) as phone, phone.page() as hand:
        await hand.until(lambda: hand.lobby)
        seats = hand.lobby["seats"]
        number = next(number for number, seat in enumerate(seats, 1) if seat["open"])
        await hand.say(sit=number)
        await hand.until(lambda: hand.state or any(seat["mine"] for seat in hand.lobby["seats"]))
        yield hand


@asynccontextmanager
async def at_phones(*names: str) -> AsyncIterator[tuple[HostApp, list[Hand]]]:
    """A match that has begun, these people at phones; AI seats make up three."""
    seats = (*(f"{name}@" for name in names), "ai:club", "ai:club")
    async with phone_table(*seats[: max(3, len(names))]) as (app, port), AsyncExitStack() as stack:
        hands = [await stack.enter_async_context(seated_phone(port, name)) for name in names]
        app.begin_match()
        for hand in hands:
            await hand.until(lambda hand=hand: hand.state)
        yield app, hands


def page_at(text: str, *others: SeatPlan, **named: Any) -> tuple[Table, HandFront, list[dict[str, Any]]]:
    """A page, without its line, for whose decision a position is; `others`: who plays the seats after the first."""
    position = read_position(text)
    plans = (SeatPlan(position.names[0]), *(others or map(SeatPlan, position.names[1:])))
    plan = MatchPlan(seats=plans, speed=Speed.INSTANT, ask_calls=AskCalls.ALWAYS, **named)
    rules, sent = position.rules, list[dict[str, Any]]()
    setup = TableSetup(rules.ruleset, plans, position.seed, rules.referee, rules.settings)
    table = Table(setup, set_up(position), plans)
    session = MatchSession(plan, unwritten(table), InThisProcess())
    return table, HandFront(session.sit((there(table.match.actor),)), plan, sent.append, lambda: None), sent


def leaked_to(hand: Hand, place: Client) -> set[str]:
    """Cards in anything that was sent to a page that its place knows nothing of."""
    faces, sent = (
        place.session.rules.faces,
        # The examples of a contract are the same in every match.
        json.dumps([one | {"examples": []} for one in hand.heard if "hello" not in one], ensure_ascii=False),
    )
    shown = {card for card in range(JOKER) if re.search(rf"(?<!\w){faces.text(card)}(?!\w)", sent)}
    shown |= {card for card in range(JOKER) if re.search(rf"(?<!\w){faces.symbol(card)}", sent)}
    known = own_and_public(place)
    return {faces.symbol(card) for card in shown} - known
