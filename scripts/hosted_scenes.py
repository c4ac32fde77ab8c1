"""Scenes of a table at several screens: the host's lobby, and what a guest sees. Nothing listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from textual.pilot import Pilot

from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.hosting.apps import GuestApp, HostApp
from kalooki_tui.hosting.doors import Address, Doors, Doorway, House, OpenHand
from kalooki_tui.hosting.guest import Guest, Guests, OpenApp
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from kalooki_tui.hosting.screens import BoardScreen, LobbyScreen
from kalooki_tui.ui.game_app import GameApp

SEATS = ("Ann", "Bob@", "@", "ai:club")
SECONDS = 60.0
Shown = tuple[Pilot[None], GameApp]


class DrawnDoors:
    """Doors that are only drawn."""

    ssh_port, web_port = 2222, 8000
    addresses = (
        Address("ssh", "ssh -p 2222 192.168.1.20"),
        Address("browser", "http://192.168.1.20:8000/"),
    )

    async def close(self, sentence: str) -> None:
        """Nothing is open."""


class DrawnHouse(House):
    """Opens nothing."""

    async def open(self, open_app: OpenApp, open_hand: OpenHand) -> None:
        """Show where people would come to."""
        self.doors = cast("Doors", DrawnDoors())


def hosted(thinker: Any, seats: Sequence[str] = SEATS) -> HostApp:
    """The host's app, in its lobby."""
    plan = MatchPlan(seed=11, speed=Speed.INSTANT)
    app = HostApp(DrawnHouse(Lobby(plan, read_chairs(seats)), Doorway((), None, None), Guests("7QK4")))
    app.thinker = thinker
    return app


@asynccontextmanager
async def lobby(thinker: Any, size: tuple[int, int]) -> AsyncIterator[Shown]:
    """The lobby, one of two guests there."""
    app = hosted(thinker)
    async with app.run_test(size=size) as pilot:
        bob = Guest("Bob", "key")
        app.lobby.sit_down(app.lobby.chairs[1], bob, bob.name)
        await _until(
            pilot, lambda: isinstance(app.screen, LobbyScreen) and "has come" in str(app.screen.words.render())
        )
        await pilot.pause(0.1)
        yield pilot, app


@asynccontextmanager
async def coming(thinker: Any, size: tuple[int, int]) -> AsyncIterator[Shown]:
    """A guest who has not sat down."""
    host = hosted(thinker)
    async with _visiting(host, thinker, size) as (pilot, guest):
        yield pilot, guest


@asynccontextmanager
async def guest(thinker: Any, size: tuple[int, int]) -> AsyncIterator[Shown]:
    """A guest's own screen, while a card can be called."""
    host = hosted(thinker)
    async with _visiting(host, thinker, size) as (pilot, guest):
        guest.visitor.sit(2)
        host.lobby.turn(host.lobby.chairs[2])
        host.begin_match()
        await _until(pilot, lambda: guest.screen.name == "call")
        await pilot.pause(0.3)
        yield pilot, guest


@asynccontextmanager
async def board(thinker: Any, size: tuple[int, int]) -> AsyncIterator[Shown]:
    """The table in the middle, without a hand."""
    app = hosted(thinker, ("Ann@", "Bob@", "ai:club"))
    async with app.run_test(size=size) as pilot:
        for chair in app.lobby.chairs[:2]:
            app.lobby.sit_down(chair, Guest(chair.kept_for, chair.kept_for), chair.kept_for)
        app.begin_match()
        await _until(pilot, lambda: isinstance(app.screen, BoardScreen) and app.screen.is_mounted)
        await pilot.pause(0.5)
        yield pilot, app


@asynccontextmanager
async def _visiting(host: HostApp, thinker: Any, size: tuple[int, int]) -> AsyncIterator[tuple[Pilot[None], GuestApp]]:
    bob = Guest("Bob", "cookie")
    guest = GuestApp(bob, host.lobby, thinker, host._looks.of(bob), "Ann's table")
    async with host.run_test(size=size), guest.run_test(size=size) as pilot:
        await _until(pilot, lambda: guest.screen.name == "come")
        await pilot.pause(0.1)
        yield pilot, guest


async def _until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():
            await pilot.pause(0.02)


#: The pictures in screenshots/, by name, and those that there are none of.
HOSTED: Final = {"lobby": lobby, "own-screen": guest}
FURTHER: Final = {"come": coming, "board": board}
