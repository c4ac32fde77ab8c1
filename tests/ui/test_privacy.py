"""With several people at one screen nobody sees another's hand, or one's own while others may look."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.cards import Card
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players.protocol import Decision
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.rules import RuleLine
from kalooki_tui.ui.screens.table import TableScreen
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import alone, app_at_table, is_asked, match_of, plan, press, table_of, text_of, wait_until
from tests.ui.driving import answer
from tests.ui.openings import asked, running


def public_cards(app: KalookiApp) -> set[Card]:
    """Cards that everybody may see: on the table, on the pile, named in the log."""
    view = table_of(app).sitting._table.view(0)
    cards = {card for meld in view.melds for card in meld.cards}
    if view.discard is not None:
        cards.add(view.discard)
    for event in view.history:
        for field in ("card", "cards", "now"):
            value = getattr(event, field, None)
            cards |= {value} if isinstance(value, int) else set(value or ())
    return cards


def assert_nothing_private(app: KalookiApp) -> None:
    """No card of any hand is on the screen or in a widget, unless everybody knows that card anyway."""
    table_screen = table_of(app)
    match, faces = table_screen.sitting._table.match, table_screen.sitting._table.match.rules.faces
    known = public_cards(app)
    hidden = {card for seat in range(len(match.names)) for card in match.view(seat).hand} - known
    shown = text_of(app) + "\n".join(_texts(app))
    for line in app.screen.query(RuleLine):
        # What is an example of a contract is one in every deal.
        shown = shown.replace(" | ".join(map(faces.symbols, line.line.example)) or "\0", "")
    for card in hidden:
        assert faces.symbol(card) not in shown.replace("10", "X" if not faces.symbol(card).startswith("10") else "10")
    assert table_screen.hand.cards == ()
    assert table_screen.desk.view.hand == ()
    assert table_screen.desk.view.legal == ()
    assert table_screen.desk.staged == []
    assert not app._notifications
    assert all(screen.query("HandView").nodes == [] or screen is table_screen for screen in app.screen_stack)


def _texts(app: KalookiApp) -> Iterable[str]:
    """What every text of every screen in the stack says, seen or not."""
    for screen in app.screen_stack:
        for static in screen.query(Static):
            content = static.content
            yield content.plain if isinstance(content, Content) else str(content)


async def test_nothing_private_is_shown_while_the_curtain_is_up() -> None:
    app = app_at_table(plan("Ann", "Bob", "ai:club"))
    curtains, prompts = 0, 0
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(60):
            await wait_until(pilot, lambda: is_asked(app))
            if app.screen.name == "deal-over":
                break
            if app.screen.name in ("curtain", "callers", "first-look"):
                assert_nothing_private(app)
                curtains += app.screen.name == "curtain"
                prompts += app.screen.name == "callers"
            await answer(pilot, app)
    assert curtains >= 1
    assert prompts >= 3


async def test_each_person_sees_the_own_hand_only() -> None:
    app = app_at_table(plan("Ann", "Bob", "ai:club"))
    seen: set[int] = set()
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(40):
            await wait_until(pilot, lambda: is_asked(app))
            screen = app.screen
            if isinstance(screen, TableScreen):
                seat = screen.viewer
                seen.add(seat)
                assert sorted(screen.hand.cards) == sorted(screen.sitting._table.view(seat).hand)
                assert f"{screen.sitting._table.match.names[seat]}'s hand" in text_of(app)
            await answer(pilot, app)
    assert len(seen) == 2


class Gate(Thinks):
    """AI seats that think for as long as the gate is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.open.set()

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat, once the gate is open."""
        await self.open.wait()
        return await super().decide(level, seed, view)


@pytest.mark.parametrize("curtain", [True, False])
async def test_a_hand_is_closed_while_others_move_after_its_turn(*, curtain: bool) -> None:
    gate = Gate()
    app = KalookiApp(routes.new_match(plan("Ann", "Bob", "ai:club", curtain=curtain)), gate)
    async with app.run_test(size=(80, 24)) as pilot:
        thrown = False
        for _ in range(60):
            await wait_until(pilot, lambda: is_asked(app))
            match = match_of(app)
            # After Ann's discard the AI seat is the first that is asked whether it calls.
            thrown = match.actor == 0 and match.phase is Phase.PLAY
            if thrown:
                assert table_of(app).hand.cards
                gate.open.clear()
            await answer(pilot, app)
            if thrown and match_of(app).actor == 2:
                break
        assert thrown
        await pilot.pause()
        assert_nothing_private(app)
        assert "Ann's hand" not in text_of(app)


async def test_without_a_curtain_hands_change_at_once() -> None:
    async with running(app_at_table(plan("Ann", "Bob", "ai:club", curtain=False))) as (pilot, app):
        for _ in range(15):
            await wait_until(pilot, lambda: is_asked(app))
            assert app.screen.name != "curtain"
            await answer(pilot, app)


async def test_the_palette_names_no_card_of_a_hand() -> None:
    async with asked(alone()) as (pilot, app):
        while not isinstance(app.screen, TableScreen):
            await answer(pilot, app, until=lambda: is_asked(app))
        await press(pilot, "ctrl+p", until=lambda: "Draw the top card" in text_of(app))
