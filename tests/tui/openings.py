"""How tests of the app begin: at the first screen, at a table where a person is asked, at a moment further on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Select

from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import PlayerChoice
from kalooki_tui.session.plan import AskCalls, MatchPlan, Speed
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.curtain import PassScreen
from kalooki_tui.tui.screens.setup import SetupScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.widgets.fields import Fold
from scripts.scenes import Pictured
from tests.drivers.keyboard import Thinks
from tests.tui.conftest import is_asked, is_asked_at_table, wait_until
from tests.tui.driving import Condition, play_to, play_until

AnyApp = TypeVar("AnyApp", bound=KalookiApp)
Size: TypeAlias = tuple[int, int]
#: The smallest terminal that the game is played in.
USUAL: Size = (80, 24)


def plan(*seats: str, ruleset: str = "baby", seed: int = 3, **others: Any) -> MatchPlan:
    """A match at which AI seats move at once."""
    others.setdefault("ask_calls", AskCalls.ALWAYS)
    return MatchPlan(ruleset=ruleset, seats=parse_seats(seats), seed=seed, speed=Speed.INSTANT, **others)


def app_at_table(match_plan: MatchPlan) -> KalookiApp:
    return KalookiApp(routes.new_match(match_plan), Thinks())


def alone(**others: Any) -> KalookiApp:
    return app_at_table(plan("Ann", "ai:club", "ai:club", **others))


def together(**others: Any) -> KalookiApp:
    return app_at_table(plan("Ann", "Bob", "Cat", **others))


class Waits(Thinks):
    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        await asyncio.Event().wait()
        raise AssertionError


class AppAtPosition(Pictured):
    """An app that begins at a position; seats named `Ann`, `Zoe` or `You` are people, the others AI."""

    def __init__(self, text: str) -> None:
        super().__init__(text, ("Ann", "Zoe", "You"), notes=True)


@asynccontextmanager
async def running(app: AnyApp, size: Size = USUAL, **options: Any) -> AsyncIterator[tuple[Pilot[None], AnyApp]]:
    """An app that has just begun."""
    async with app.run_test(size=size, **options) as pilot:
        yield pilot, app


@asynccontextmanager
async def at_home(size: Size = USUAL) -> AsyncIterator[tuple[Pilot[None], KalookiApp]]:
    """The app at its first screen."""
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        yield pilot, app


@asynccontextmanager
async def asked(app: AnyApp, name: str = "", size: Size = USUAL) -> AsyncIterator[tuple[Pilot[None], AnyApp]]:
    """An app that begins where somebody at the keyboard is asked: on the screen of this name, if one is given."""
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: is_asked(app) and name in ("", app.screen.name))
        yield pilot, app


@asynccontextmanager
async def at_table(app: AnyApp, size: Size = USUAL) -> AsyncIterator[tuple[Pilot[None], AnyApp, TableScreen]]:
    """An app that begins where the table's own keys are asked for."""
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: is_asked_at_table(app))
        yield pilot, app, app.screen


@asynccontextmanager
async def played_to(
    app: AnyApp, phase: Phase, condition: Condition = lambda screen: True, size: Size = USUAL
) -> AsyncIterator[tuple[Pilot[None], AnyApp, TableScreen]]:
    """An app in which the match is played on until the person is asked in this phase (and the condition holds)."""
    async with app.run_test(size=size) as pilot:
        yield pilot, app, await play_to(pilot, app, phase, condition)


@asynccontextmanager
async def between(app: AnyApp, name: str, size: Size = USUAL) -> AsyncIterator[tuple[Pilot[None], AnyApp, PassScreen]]:
    """An app in which the match is played on until a screen between people of this name comes."""
    async with app.run_test(size=size) as pilot:
        await play_until(pilot, app, lambda: app.screen.name == name)
        yield pilot, app, app.screen


@asynccontextmanager
async def form(size: Size = USUAL) -> AsyncIterator[tuple[Pilot[None], KalookiApp, SetupScreen]]:
    async with at_home(size) as (pilot, app):
        app.go(routes.set_up())
        await wait_until(pilot, lambda: app.screen.name == "setup" and app.screen.query("#fold-rules"))
        await pilot.pause(0.1)
        yield pilot, app, app.screen


async def open_all(screen: Screen[Any]) -> None:
    for fold in screen.query(Fold):
        await fold.open()


async def put(screen: SetupScreen, values: dict[str, object]) -> None:
    """Set fields, whose parts are opened for them."""
    for fold in screen.query(Fold):
        if any(not screen.query(f"#{field}") for field in values):
            await fold.open()
    for field, value in values.items():
        screen.query_one(f"#{field}").value = value


async def choose(pilot: Pilot[None], screen: SetupScreen, field: str, value: object) -> None:
    """Choose something in a list, and wait until the form shows it."""
    screen.query_one(f"#{field}", Select).value = value
    await pilot.pause(0.05)
    await wait_until(pilot, lambda: screen._filled and screen.is_settled)
