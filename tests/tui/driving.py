"""Plays a person's seat by keys, as a careful beginner would."""

from collections.abc import Callable
from typing import TypeAlias

from textual.pilot import Pilot

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.view import Phase
from kalooki_tui.solver import distance
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.curtain import PassScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.widgets.canvas import CanvasWidget
from tests.tui.conftest import is_asked, text_of, wait_until

Condition: TypeAlias = Callable[[TableScreen], bool]

#: The key that answers each dialog without harm.
ANSWERS = {
    "decision": "a",
    "deal-over": "enter",
    "seats-drawn": "enter",
    "cut": "enter",
    "buy-in": "l",
    "contract-page": "enter",
    "go-on": "o",
    "peek": "enter",
    "question": "enter",
    "looking-back": "b",
}


async def answer(pilot: Pilot[None], app: KalookiApp, until: Callable[[], object] | None = None) -> None:
    """Press what the moment asks for, one step of a person's play, and let the app run until that has come of it."""
    await _answer(pilot, app)
    if until is not None:
        await wait_until(pilot, until)


async def _answer(pilot: Pilot[None], app: KalookiApp) -> None:
    screen = app.screen
    if isinstance(screen, PassScreen):
        await pilot.press(*screen.goes_on)
        await pilot.pause()
        return
    if not isinstance(screen, TableScreen):
        await pilot.press(ANSWERS[str(screen.name)])
        return
    state = screen.state
    match state.view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            await pilot.press("p")
        case Phase.DRAW:
            await pilot.press("d")
        case Phase.ADD_ON:
            await pilot.press("e")
        case Phase.PLAY:
            await _play(pilot, screen)
    await pilot.pause()


async def play_until(pilot: Pilot[None], app: KalookiApp, condition: Callable[[], object], steps: int = 600) -> None:
    """Answer what is asked until the condition holds when somebody is asked."""
    for _ in range(steps):
        await wait_until(pilot, lambda: is_asked(app))
        if condition():
            return
        await answer(pilot, app)
    raise AssertionError(f"it never came to that; on the screen:\n{text_of(app)}")


async def play_to(
    pilot: Pilot[None], app: KalookiApp, phase: Phase, condition: Condition = lambda screen: True
) -> TableScreen:
    """Play on until the person is asked at the table in this phase (and the condition holds)."""

    def is_there() -> bool:
        screen = app.screen
        return isinstance(screen, TableScreen) and screen.state.view.phase is phase and condition(screen)

    await play_until(pilot, app, is_there)
    return app.screen


async def _play(pilot: Pilot[None], screen: TableScreen) -> None:
    state = screen.state
    if not state.has_laid and state.distance() == 0:
        await pilot.press("L")
        await pilot.press("enter")
        await pilot.pause()
        return
    hand = screen.hand
    if all(card == JOKER for card in state.view.hand) and not state.view.rules.ruleset.discard.jokers:
        await pilot.press("e")
        return
    wanted = _to_throw(screen)
    hand.clear_selection()
    hand.focus()
    hand.move_cursor(hand.shown.index(wanted))
    await pilot.press("space")
    await pilot.press("x")


def _to_throw(screen: TableScreen) -> Card:
    """The card whose loss keeps the hand nearest to its contract, the dearest of those."""
    view = screen.state.view

    def loss(card: Card) -> tuple[int, int]:
        rest = list(view.hand)
        rest.remove(card)
        return distance(view.rules, view.contract, rest), -view.rules.values[card]

    return min((card for card in screen.hand.shown if card != JOKER), key=loss, default=JOKER)


async def click_on(pilot: Pilot[None], widget: CanvasWidget, target: object) -> None:
    """Click on the first cell of a painted widget that belongs to the target."""
    canvas = widget._canvas
    for y, row in enumerate(canvas.targets):
        for x, there in enumerate(row):
            if there == target and there is not None:
                await pilot.click(widget, offset=(x, y))
                return
    raise AssertionError(f"{target} is nowhere on {widget}")
