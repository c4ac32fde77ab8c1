"""Plays a person's seat by keys, as a careful beginner would."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.view import Phase
from kalooki_tui.solver import discard_distances
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.table import TableScreen

#: The key that answers each dialog without harm.
ANSWERS = {
    "decision": "a",
    "deal-over": "enter",
    "curtain": "enter",
    "callers": "n",
    "seats-drawn": "enter",
    "cut": "enter",
    "buy-in": "l",
    "go-on": "o",
    "peek": "enter",
    "question": "enter",
}

Press = Callable[..., Awaitable[None]]


async def answer(pilot: Pilot[None], app: KalookiApp) -> None:
    """Press what the moment asks for: one step of a person's play."""
    screen = app.screen
    if not isinstance(screen, TableScreen):
        await pilot.press(ANSWERS[str(screen.id)])
        return
    desk = screen.desk
    match desk.view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            await pilot.press("p")
        case Phase.DRAW:
            await pilot.press("d")
        case Phase.ADD_ON:
            await pilot.press("e")
        case Phase.PLAY:
            await _play(pilot, screen)
    await pilot.pause()


async def _play(pilot: Pilot[None], screen: TableScreen) -> None:
    desk = screen.desk
    if not desk.has_laid and desk.distance() == 0:
        await pilot.press("L")
        await pilot.press("enter")
        await pilot.pause()
        return
    hand = screen.hand
    if all(card == JOKER for card in desk.view.hand) and not desk.view.rules.ruleset.discard.jokers:
        await pilot.press("e")
        return
    view = desk.view
    values = view.rules.values
    away = discard_distances(view.rules, view.contract, view.hand)
    wanted = min((card for card in hand.shown if card != JOKER), key=lambda card: (away.get(card, 0), -values[card]))
    hand.clear_selection()
    hand.focus()
    hand.move_cursor(hand.shown.index(wanted))
    await pilot.press("space")
    await pilot.press("x")
