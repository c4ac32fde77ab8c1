"""Who plays is changed at the table: between people, in the middle of a turn, at the end of a deal."""

from __future__ import annotations

from textual.pilot import Pilot

from kalooki_tui.engine.view import Phase
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.table import TableScreen
from tests.ui.conftest import app_at_table, is_asked, key_of, plan, table_of, text_of, wait_until
from tests.ui.driving import answer, play_until
from tests.ui.openings import between, played_to
from tests.ui.test_privacy import assert_nothing_private


async def change(pilot: Pilot[None], app: KalookiApp, seat: str, what: str, *typed: str) -> None:
    """Go through the questions."""
    await pilot.press("ctrl+o")
    await wait_until(pilot, lambda: "Which seat do you want to change?" in text_of(app))
    await pilot.press(key_of(app, f"{seat}: "))
    await wait_until(pilot, lambda: "What is to change?" in text_of(app))
    await pilot.press(key_of(app, what))
    await wait_until(pilot, lambda: "What is to change?" not in text_of(app))
    await pilot.press(*typed)


def live_of(app: KalookiApp) -> LiveMatch:
    """The match that is kept."""
    live = table_of(app).sitting._live
    assert live is not None
    return live


async def test_a_person_gives_the_seat_to_an_ai_and_the_other_plays_alone() -> None:
    async with between(app_at_table(plan("Ann", "Bob", "ai:club")), "callers") as (pilot, app, _):
        await change(pilot, app, "Bob", "An AI plays for Bob", "1")
        table = table_of(app)
        await wait_until(pilot, lambda: table.place.here == (0,) and table.viewer == 0)
        assert not table.shared
        await play_until(pilot, app, lambda: isinstance(app.screen, TableScreen) and is_asked(app))
        assert any("An AI, novice, plays for Bob from now on." in line.text for line in table.log_view.lines)
        assert '"seat": "Bob", "name": "Bob", "player": "ai:novice"' in "".join(live_of(app).lines)


async def test_a_second_person_takes_the_seat_of_an_ai_and_the_hand_is_covered() -> None:
    async with played_to(app_at_table(plan("Ann", "ai:club", "ai:club")), Phase.PLAY) as (pilot, app, table):
        name = table.sitting.names[1]
        await change(pilot, app, name, "A person here takes the seat", *"Gran", "enter")
        await wait_until(pilot, lambda: table.shared and app.screen.name == "curtain")
        assert table.place.here == (0, 1)
        assert_nothing_private(app)
        assert table.sitting.names[1] == "Gran"
        assert "2 Gran" in text_of(app)
        await answer(pilot, app)
        await wait_until(pilot, lambda: table.viewer == 0 and is_asked(app))
        assert table.desk.view.phase is Phase.PLAY


async def test_a_name_is_mended_and_a_level_changed() -> None:
    async with played_to(app_at_table(plan("MumDad", "ai:club", "ai:club")), Phase.DRAW) as (pilot, app, table):
        await change(pilot, app, "MumDad", "Another name", *"Mum", "enter")
        await wait_until(pilot, lambda: table.sitting.names[0] == "Mum")
        assert "Mum's hand" in text_of(app)
        await change(pilot, app, table.sitting.names[1], "An AI of another level", "1")
        await wait_until(pilot, lambda: table.sitting.plans[1].player == "ai:novice")
        await change(pilot, app, "Mum", "Another name", *"B:b", "enter")
        await wait_until(pilot, lambda: "holds a colon" in text_of(app))
        assert table.sitting.names[0] == "Mum"


async def test_somebody_must_stay() -> None:
    async with played_to(app_at_table(plan("Ann", "ai:club", "ai:club")), Phase.DRAW) as (pilot, app, table):
        await change(pilot, app, "Ann", "An AI plays for Ann", "1")
        await wait_until(pilot, lambda: "Somebody must stay" in text_of(app))
        assert table.place.here == (0,)


async def test_the_scores_lead_to_who_plays() -> None:
    async with played_to(app_at_table(plan("Ann", "ai:club", "ai:club")), Phase.PLAY) as (pilot, app, table):
        await pilot.press("s")
        await wait_until(pilot, lambda: app.screen.name == "scores")
        assert "ctrl+o changes who plays" in text_of(app)
        await change(pilot, app, table.sitting.names[1], "Another name", *"Gran", "enter")
        await wait_until(pilot, lambda: "Gran" in table.sitting.names)
        assert not any(screen.name == "scores" for screen in app.screen_stack)
