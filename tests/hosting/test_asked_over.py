"""Whatever lies open on a screen, what somebody elsewhere asks is seen and answered, and nothing is lost by it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final, cast

import pytest

from kalooki_tui.desk.setup.plan import AskCalls
from kalooki_tui.desk.table.front import Way
from kalooki_tui.desk.table.messages import Ask, Question
from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.view import Phase
from kalooki_tui.hosting.hand.front import HandFront
from kalooki_tui.hosting.host_app import HostApp
from kalooki_tui.ui.overlays import Layered
from kalooki_tui.ui.screens import question
from kalooki_tui.ui.screens.base import Shown
from kalooki_tui.ui.screens.dialogs import Ask as AskDialog
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.widgets.choices import Choice
from tests.hosting.hand.sockets import Hand
from tests.hosting.hand.sockets import seated as seated_at_a_phone
from tests.hosting.hand.sockets import table as table_for_phones
from tests.hosting.tables import SECONDS, hosting, until

#: Seconds after which a key that was not heard is pressed again.
AGAIN: Final = 1.0
ASKED: Final = "Bob wants to take back Bob's discard."
#: What can lie open on a screen at the table, and the keys or the call that open it.
OPENED: Final[dict[str, str | Callable[[TableScreen], object]]] = {
    "nothing": "",
    "help": "?",
    "rules": "i",
    "words": "G",
    "scores": "s",
    "settings": ",",
    "palette": "ctrl+p",
    "themes": lambda table: table.app.action_change_theme(),
    "seats": "ctrl+o",
    "a line that is typed": lambda table: table.beside._say("a line of your own"),  # type: ignore[attr-defined]
    "which way": lambda table: table.choose("Which?", "", [Way("This", 1), Way("That", 2)], lambda value: None),
    "leaving the match": "q",
    "leaving the program": "ctrl+q",
    "a fault": lambda table: table.report_fault(RuntimeError("a fault of the test")),
}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions hear keys at once."""
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.0)


async def open_it(app: HostApp, opened: str | Callable[[TableScreen], object]) -> None:
    """Open something on the host's screen, and wait until it lies on top."""
    before, table = app.screen, next(one for one in app.screen_stack if isinstance(one, TableScreen))
    await until(lambda: cast("Shown", before).is_live)
    if callable(opened):
        table.call_later(opened, table)
    elif opened:
        app.simulate_key({"?": "question_mark", ",": "comma"}.get(opened, opened))
    if opened:
        await until(lambda: app.screen is not before and cast("Shown", app.screen).is_live)


async def at_her_turn(app: HostApp) -> Place:
    """The host's place, once it is her turn and nothing lies over the table."""
    app.begin_match()
    await until(lambda: app.lobby.sitting is not None)
    sitting = app.lobby.sitting
    assert sitting is not None
    sitting.ask_calls = AskCalls.TURN
    await until(lambda: any(isinstance(one, TableScreen) for one in app.screen_stack))
    table = next(one for one in app.screen_stack if isinstance(one, TableScreen))

    def is_asked() -> bool:
        if isinstance(app.screen, AskDialog) and app.screen.hears(monotonic()):
            app.simulate_key("p" if app.screen.name == "call" else "a")
        # Whether a call is allowed is asked too, by a question that is about to open.
        return table.is_live and table.desk.is_asked and sitting.moment.phase in (Phase.DRAW, Phase.PLAY)

    await until(is_asked, lambda: f"{app.screen!r}")
    return sitting.places[0]


async def press_yes(app: HostApp, name: str) -> None:
    """Answer the question of that name by its key, which is not heard while the question is just being drawn."""
    await until(
        lambda: app.screen.name == name,
        lambda: f"{name}: {app.screen_stack}, lying {app.overlays._lying}, waiting {app.overlays._waiting}",
    )
    asked, pressed = app.screen, 0.0

    def is_answered() -> bool:
        nonlocal pressed
        if app.screen is asked and cast("AskDialog", asked).hears(monotonic()) and monotonic() - pressed > AGAIN:
            pressed = monotonic()
            app.simulate_key("y")
        return app.screen is not asked

    await until(is_answered)


async def test_whatever_lies_open_what_is_asked_is_answered_in_its_turn_and_leads_back() -> None:
    async with hosting("Ann", "ai:club", "ai:club") as app:
        place = await at_her_turn(app)
        table = app.screen
        for what, opened in OPENED.items():
            await open_it(app, opened)
            below = app.screen
            the_match = asyncio.ensure_future(
                app.overlays.ask(AskDialog("", "", [Choice("y", "Yes", 7)], name="asked-by-the-match"))
            )
            asked = place.ask(Question(Ask.CONSENT, place.here, words=ASKED))
            await until(lambda: app.screen.name == "consent")
            await press_yes(app, "consent")
            await until(asked.done)
            assert asked.result() is True, what
            if below is not table:
                await until(lambda below=below: app.screen is below, lambda what=what: f"{what}: {app.screen!r}")
                app.overlays.take_down(cast("Layered", below))
            await press_yes(app, "asked-by-the-match")
            assert await asyncio.wait_for(the_match, SECONDS) == 7, what
            await until(lambda: app.screen is table)


async def test_what_is_withdrawn_beneath_something_leaves_nothing_behind() -> None:
    async with hosting("Ann", "ai:club", "ai:club") as app:
        place = await at_her_turn(app)
        table = app.screen
        for opened in OPENED.values():
            asked = place.ask(Question(Ask.CONSENT, place.here, words=ASKED))
            await until(lambda: app.screen.name == "consent")
            if callable(opened) or opened.startswith("ctrl"):
                await open_it(app, opened)
            asked.cancel()
            await until(lambda: all(one.question.ask is Ask.TURN for one in place._posed))
            if app.screen is not table:
                app.overlays.take_down(cast("Layered", app.screen))
            await until(lambda: app.screen is table)


def asked_now(hand: Hand) -> str:
    """The name of the question that lies on top at a phone."""
    question_now = hand.state["question"]
    return "" if question_now is None else str(question_now["name"])


@pytest.mark.parametrize("first", ["which way", "consent"])
async def test_a_phone_keeps_the_persons_own_question_beneath(first: str) -> None:
    async with (
        table_for_phones("Ann@", "ai:club", "ai:club") as (app, address),
        seated_at_a_phone(address, "Ann") as ann,
    ):
        app.begin_match()
        await ann.until(lambda: ann.state and ann.state["yours"])
        sitting = app.lobby.sitting
        assert sitting is not None
        place = next(one for one in sitting.places if one.here)
        front = cast("HandFront", place._front)
        chosen: list[int] = []

        def choose() -> None:
            front.choose("Which?", "", [Way("This", 1), Way("That", 2)], chosen.append)

        if first == "which way":
            choose()
        asked = place.ask(Question(Ask.CONSENT, place.here, words=ASKED))
        await ann.until(lambda: asked_now(ann) == "consent")
        if first == "consent":
            before = ann.state["moment"]
            choose()
            await ann.until(lambda: ann.state["moment"] != before)
        assert asked_now(ann) == "consent"
        await ann.act(way=0)
        assert asked.result() is True
        await ann.until(lambda: asked_now(ann) == "which")
        await ann.act(way=1)
        assert chosen == [2]
