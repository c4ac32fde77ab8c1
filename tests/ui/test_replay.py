"""A match stepped through: all hands at once, the reasons of AI seats, turns by number."""

from __future__ import annotations

import threading

import pytest
from textual.widgets import Static

from kalooki_tui.coach.reasons import reason_of
from kalooki_tui.desk.study.stepping import PastDeal, past_deals, why_made
from kalooki_tui.rulesets.loader import catalogue, load_ruleset
from kalooki_tui.store.matches import open_store
from kalooki_tui.store.summary import Summary
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.widgets.hands import HandsView
from tests.drivers.keyboard import Thinks
from tests.moments import play_first_deal
from tests.ui.conftest import go, plan, press, text_of, wait_until
from tests.ui.openings import at_home, running


def played(ruleset: str = "baby", *seats: str) -> tuple[Summary, list[PastDeal]]:
    """A match in the store whose first deal is over."""
    seats = seats or ("ai:club",) * max(2, min(load_ruleset(ruleset).seat_counts))
    with open_store() as store:
        live = store.begin(plan(*seats, ruleset=ruleset).open())
        play_first_deal(live.table)
        live.close()
        about = store.summaries()[0]
        return about, past_deals(store.replay(about.id))


@pytest.mark.parametrize("ruleset", ["baby", "kalookie-40"])
def test_every_step_has_the_fact_that_speaks_for_it_whoever_made_it(ruleset: str) -> None:
    about, deals = played(ruleset)
    past = deals[0]
    told = [why_made(past, about.seats, number) for number in range(len(past))]
    assert told[0] == "The cards have been dealt: nobody has done anything yet."
    for number in range(1, len(past)):
        action = past.action(number)
        view = past.before(number).view(action.seat)
        name = about.seats[action.seat].name
        assert told[number] == (reason_of(view, action) or f"{name} had nothing to choose.")
        if told[number].endswith("had nothing to choose."):
            assert len(view.legal) == 1 or not view.discard
    throws = [one for number, one in enumerate(told) if "discard" in str(past.action(number)).lower()]
    assert len(set(throws)) > len(throws) // 2


@pytest.mark.parametrize("ruleset", [entry.id for entry in catalogue()])
async def test_all_hands_lie_open_at_eighty_columns(ruleset: str) -> None:
    about, deals = played(ruleset, *("ai:club",) * min(6, max(load_ruleset(ruleset).seat_counts)))
    async with at_home() as (pilot, app):
        await go(pilot, app, routes.replay(about), lambda: isinstance(app.screen, ReplayScreen) and app.screen.is_live)
        screen = app.screen
        await press(pilot, "a", "down", "down", "w", until=lambda: (0, screen.place) in screen._reasons)
        shown = text_of(app)
        faces = screen.state.rules.faces
        rows = {
            name: row
            for row in shown.splitlines()
            for name in [seat.name for seat in about.seats]
            if row[2:].startswith(name)
        }
        for seat, name in enumerate([seat.name for seat in about.seats]):
            for card in screen.state.view(seat).hand:
                assert faces.symbol(card) in rows[name]
        assert str(screen.query_one("#reason", Static).content) in " ".join(shown.split())
        assert not screen.hand.display
        assert f"of {len(deals[0].turn_starts())} · step" in shown
        await press(pilot, "a")
        assert screen.hand.display


@pytest.mark.parametrize(("size", "rows"), [((80, 24), 8), ((120, 36), 16), ((200, 50), 16)], ids=str)
async def test_all_hands_of_a_replay_are_cards_at_every_size(size: tuple[int, int], rows: int) -> None:
    about, _ = played("baby", *("ai:club",) * 4)
    async with at_home(size) as (pilot, app):
        await go(pilot, app, routes.replay(about), lambda: isinstance(app.screen, ReplayScreen) and app.screen.is_live)
        screen = app.screen
        await press(pilot, "a", until=lambda: screen.query_one(HandsView).size.height == rows)
        assert screen.query_one(HandsView).region.bottom == size[1] - 1, "right above the keys"


async def test_a_turn_is_gone_to_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    about, deals = played()
    app = KalookiApp(thinker=Thinks())
    told: list[str] = []
    monkeypatch.setattr(app, "notify", lambda message, **_: told.append(message))
    async with running(app) as (pilot, _):
        await go(pilot, app, routes.replay(about), lambda: isinstance(app.screen, ReplayScreen) and app.screen.is_live)
        screen = app.screen
        for text, place in (("3", deals[0].turn_starts()[2]), ("999", deals[0].turn_starts()[2]), ("1", 0)):
            await press(pilot, "g", until=lambda: app.screen.name == "ask-line")
            await press(pilot, *text, "enter", until=lambda: app.screen is screen)
            assert screen.place == place
            assert f"Turn {deals[0].turn_of(place)} of" in screen.status.title
        assert ["no turn '999'" in message for message in told] == [True]


async def test_while_a_record_is_read_the_screen_is_alive_and_may_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    about, _ = played()
    read, begun = threading.Event(), threading.Event()

    def slowly(replay: object) -> list[object]:
        begun.set()
        read.wait(20)
        return []

    monkeypatch.setattr("kalooki_tui.desk.study.stepping.past_deals", slowly)
    async with at_home() as (pilot, app):
        app.go(routes.replay(about))
        await wait_until(pilot, begun.is_set)
        await press(pilot, "m", until=lambda: app.screen.name == "matches")
        read.set()
        await wait_until(pilot, lambda: not any(worker.group == "replay" for worker in app.workers))
        assert app.screen.name == "matches"
        assert "nothing to step through" not in text_of(app)
