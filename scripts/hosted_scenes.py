"""Pictures of a table at several screens: the host's lobby, and what a guest sees. Nothing listens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast

from textual.pilot import Pilot

from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.hosting.doors import Address, Doors, OpenHand
from kalooki_tui.hosting.guest import Guest, Guests, OpenApp
from kalooki_tui.hosting.guest_app import GuestApp
from kalooki_tui.hosting.host_app import HostApp
from kalooki_tui.hosting.house import Doorway, House
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from kalooki_tui.hosting.screens import LobbyScreen

SEATS = ("Ann", "Bob@", "@", "ai:club")
SECONDS = 60.0


class DrawnDoors:
    """Doors that are only drawn."""

    addresses = (
        Address("ssh", "ssh -p 2222 192.168.1.20"),
        Address("browser", "http://192.168.1.20:8000/"),
        Address("phone", "http://192.168.1.20:8000/hand"),
    )

    async def close(self, sentence: str) -> None:
        """Nothing is open."""


class DrawnHouse(House):
    """Opens nothing."""

    async def open(self, open_app: OpenApp, open_hand: OpenHand | None = None) -> None:
        """Show where people would come to."""
        self.doors = cast("Doors", DrawnDoors())


def hosted(thinker: Any) -> HostApp:
    """The host's app, in its lobby."""
    plan = MatchPlan(seed=11, speed=Speed.INSTANT)
    app = HostApp(DrawnHouse(Lobby(plan, read_chairs(SEATS)), Doorway((), None, None), Guests("7QK4")))
    app.thinker = thinker
    return app


async def lobby(thinker: Any, size: tuple[int, int]) -> str:
    """The lobby, one of two guests there."""
    app = hosted(thinker)
    async with app.run_test(size=size) as pilot:
        chair = app.lobby.chairs[1]
        app.lobby.sit_down(chair, Guest("Bob", "ssh", "key"), "Bob")
        await _until(
            pilot, lambda: isinstance(app.screen, LobbyScreen) and "has come" in str(app.screen.words.render())
        )
        await pilot.pause(0.1)
        return app.export_screenshot(title="Kalooki")


async def guest(thinker: Any, size: tuple[int, int]) -> str:
    """A guest's own screen, while a card can be called."""
    host = hosted(thinker)
    looks = host._looks.of(Guest("Bob", "browser", "cookie"))
    guest = GuestApp(Guest("Bob", "browser", "cookie"), host.lobby, thinker, looks, "Ann's table")
    async with host.run_test(size=size), guest.run_test(size=size) as pilot:
        await _until(pilot, lambda: guest.screen.name == "come")
        guest.visitor.sit(2)
        host.lobby.turn(host.lobby.chairs[2])
        host.begin_match()
        await _until(pilot, lambda: guest.screen.name == "call")
        await pilot.pause(0.3)
        return guest.export_screenshot(title="Kalooki")


async def _until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():
            await pilot.pause(0.02)


#: The pictures, by name.
HOSTED: Final = {"lobby": lobby, "own-screen": guest}
