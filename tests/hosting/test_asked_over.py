import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final, cast

from kalooki_tui.engine.view import Phase
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.presenter.moves import AnswerOption
from kalooki_tui.session.client import Client, Question, QuestionKind
from kalooki_tui.session.plan import AskCalls
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.question import ChoiceDialog
from kalooki_tui.tui.screens.table import TableScreen
from tests.hosting.callers import SECONDS, until
from tests.hosting.tables import at_phones, hosting, session_of, table_of

#: Seconds after which a key that was not heard is pressed again.
AGAIN: Final = 1.0
ASKED: Final = "Bob wants to take back Bob's discard."
#: What can lie open on a screen at the table, and the keys or the call that open it.
OPENED: Final[dict[str, str | Callable[[TableScreen], object]]] = {
    "nothing": "",
    "help": "?",
    "rules": "i",
    "settings": ",",
    "palette": "ctrl+p",
    "seats": "ctrl+o",
    "a line that is typed": lambda table: table.beside._say("a line of your own"),  # type: ignore[attr-defined]
    "which way": lambda table: table.choose(
        "Which?", "", [AnswerOption("This", 1), AnswerOption("That", 2)], lambda value: None
    ),
    "leaving the match": "q",
    "a fault": lambda table: table.report_fault(RuntimeError("a fault of the test")),
}


async def open_it(app: HostApp, opened: str | Callable[[TableScreen], object]) -> None:
    """Open something on the host's screen, and wait until it lies on top."""
    before, table = app.screen, table_of(app)
    await until(lambda: cast("GameScreen", before).is_live)
    if callable(opened):
        table.call_later(opened, table)
    elif opened:
        app.simulate_key({"?": "question_mark", ",": "comma"}.get(opened, opened))
    if opened:
        await until(lambda: app.screen is not before and cast("GameScreen", app.screen).is_live)


@asynccontextmanager
async def at_her_turn() -> AsyncIterator[tuple[HostApp, Client, TableScreen]]:
    """The host's place and table, once it is her turn and nothing lies over the table."""
    async with hosting("Ann", "ai:club", "ai:club") as app:
        app.begin_match()
        await until(lambda: app.lobby.session is not None)
        session = session_of(app)
        session.ask_calls = AskCalls.TURN
        await until(lambda: any(isinstance(one, TableScreen) for one in app.screen_stack))
        table = table_of(app)

        def is_asked() -> bool:
            if isinstance(app.screen, ChoiceDialog) and app.screen.hears(monotonic()):
                app.simulate_key("p" if app.screen.name == "call" else "a")
            # Whether a call is allowed is asked too, by a question that is about to open.
            return table.is_live and table.state.is_asked and table.state.view.phase in (Phase.DRAW, Phase.PLAY)

        await until(is_asked, lambda: f"{app.screen!r}")
        yield app, session.clients[0], table


async def agree(app: HostApp, asked: asyncio.Future[bool]) -> None:
    """Press the key that is named; one that was not heard, since what is asked has just come, once more."""
    async with asyncio.timeout(SECONDS):
        while not asked.done():
            app.simulate_key("Y")
            await asyncio.wait([asked], timeout=AGAIN)
    assert asked.result() is True


def told(app: HostApp) -> str:
    return " ".join(one.message for one in app._notifications)


def requested(place: Client) -> asyncio.Future[bool]:
    return place.ask(Question(QuestionKind.CONSENT, place.here, 30, ASKED))


async def a_request_that_is_withdrawn_leaves_nothing_behind(app: HostApp, place: Client, table: TableScreen) -> None:
    asked = requested(place)
    await until(lambda: table.consent_line.display)
    asked.cancel()
    await until(lambda: not table.consent_line.display)
    app.simulate_key("Y")
    await until(lambda: "Nobody asks to take anything back." in table.status.prompt)


async def whatever_lies_open_it_is_told_and_stands_beside_the_turn(
    app: HostApp, place: Client, table: TableScreen
) -> None:
    for what, opened in OPENED.items():
        await open_it(app, opened)
        below = app.screen
        asked = requested(place)
        await until(lambda: table.consent_line.display)
        assert app.screen is below, what
        if below is not table:
            if not getattr(below, "is_beside", False):
                await until(lambda: ASKED in told(app), lambda what=what: what)
            app.clear_notifications()
            app.overlays.take_down(cast("GameScreen", below))
            await until(lambda: app.screen is table)
        await agree(app, asked)
        await until(lambda: not table.consent_line.display)


async def whoever_is_to_move_answers_when_they_like(app: HostApp, place: Client, table: TableScreen) -> None:
    assert table.state.view.phase is Phase.DRAW
    asked = requested(place)
    await until(lambda: table.consent_line.display)
    assert str(table.consent_line.render()) == f"{ASKED} Y Let it be taken back · N It stays"
    app.simulate_key("d")
    await until(lambda: table.state.view.phase is Phase.PLAY)
    assert table.consent_line.display
    app.simulate_key("N")
    await until(asked.done)
    assert asked.result() is False
    app.simulate_key("Y")
    await until(lambda: "Nobody asks to take anything back." in table.status.prompt)


async def test_a_request_stands_beside_the_turn() -> None:
    async with at_her_turn() as (app, place, table):
        await a_request_that_is_withdrawn_leaves_nothing_behind(app, place, table)
        await whatever_lies_open_it_is_told_and_stands_beside_the_turn(app, place, table)
        await whoever_is_to_move_answers_when_they_like(app, place, table)


async def test_a_phone_is_asked_beside_its_turn() -> None:
    async with at_phones("Ann") as (app, [ann]):
        await ann.until(lambda: ann.state and ann.state["yours"])
        while ann.state["ask"] != "draw":
            await ann.act(answer="allow" if ann.state["ask"] == "decide" else "pass")
            await ann.until(lambda: ann.state["yours"])
        session = session_of(app)
        place = next(one for one in session.clients if one.here)
        moment, offered = ann.state["moment"], ann.state["buttons"]
        asked = requested(place)
        await ann.until(lambda: ann.state["consent"])
        assert ann.state["consent"]["text"] == ASKED
        assert (ann.state["moment"], ann.state["buttons"], ann.state["question"]) == (moment, offered, None)
        await ann.act(answer="draw stock")
        await ann.until(lambda: ann.state["ask"] == "play")
        assert ann.state["consent"] is not None
        await ann.say(consent=True, about="something else")
        await ann.rest()
        assert not asked.done()
        await ann.say(consent=True, about=ASKED)
        await ann.until(asked.done)
        assert asked.result() is True
        await ann.until(lambda: ann.state["consent"] is None)
