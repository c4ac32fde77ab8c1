"""At the table: what happened since my last turn, marks on new melds, which calls are asked about, keys that stay."""

from __future__ import annotations

import pytest

from kalooki_tui.cards import JOKER, RANK, SUIT
from kalooki_tui.desk.setup.plan import AskCalls
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.view import Phase
from kalooki_tui.store.player.settings import SettingsFile
from kalooki_tui.ui.widgets.command_bar import _fitting
from tests.ui.conftest import alone, app_at_table, is_asked, plan, press, table_of, text_of, wait_until
from tests.ui.driving import answer
from tests.ui.openings import asked, at_home, at_table


async def test_the_strip_tells_what_the_others_did_and_is_empty_without_an_open_hand() -> None:
    app = app_at_table(plan("Ann", "Bea=ai:club", "Cy=ai:club", ruleset="jamaican", ask_calls=AskCalls.TURN))
    async with at_table(app) as (pilot, _, _):
        while table_of(app).desk.view.phase is not Phase.PLAY:
            await answer(pilot, app)
        screen = table_of(app)
        await answer(pilot, app, until=lambda: screen.desk.is_asked and screen.desk.view.phase is Phase.DRAW)
        told = [one.whole for one in screen.recap.told]
        assert [one.split()[0] for one in told] == ["Bea", "Cy"]
        assert all("threw" in one for one in told)
        # Short enough for the strip's two rows: nothing of it is cut.
        shown = " ".join(text_of(app).split())
        assert all(word in shown for one in told for word in one.split())
        screen.conceal()
        assert screen.recap.told == []


@pytest.mark.parametrize("ask", [AskCalls.ALWAYS, AskCalls.TURN])
async def test_calls_are_asked_about_as_the_match_says(ask: AskCalls) -> None:
    app = alone(ruleset="jamaican", ask_calls=ask)
    asked = 0
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(12):
            await wait_until(pilot, lambda: app.screen.name != "table" or table_of(app).desk.is_asked)
            screen = table_of(app)
            if app.screen is screen and screen.sitting._table.match.phase in WINDOWS:
                asked += 1
            await answer(pilot, app)
        passes = [one for one in screen.sitting._table.view(0).history if one == happened.Passed(0)]
        assert passes
        unasked = [line for line in screen.sitting._live.lines if '"unasked": true' in line]
        assert bool(unasked) == (ask is AskCalls.TURN)  # so that taking back leads to what the person did
    assert bool(asked) == (ask is AskCalls.ALWAYS)


async def test_a_key_changes_which_calls_are_asked_about_for_this_match_and_the_next() -> None:
    async with asked(alone()) as (pilot, app):
        if app.screen.name == "decision":
            await answer(pilot, app, until=lambda: app.screen.name == "table" and table_of(app).desk.is_asked)
        screen = table_of(app)
        await pilot.press("m")
        assert screen.sitting.ask_calls is AskCalls.HELPS
        assert "calls that bring the contract nearer" in text_of(app)
        assert screen.sitting._live.ui_state["ask_calls"] == "helps"
        await pilot.press("m")
    assert SettingsFile.load().settings.ask_calls == "turn"


async def test_undo_help_and_open_moves_never_leave_the_footer() -> None:
    app = alone(ruleset="jamaican")
    looked = 0
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(16):
            await wait_until(pilot, lambda: app.screen.name != "table" or table_of(app).desk.is_asked)
            screen = table_of(app)
            if app.screen is screen:
                shown = [key.name for key in _fitting(screen.bar.keys, 79, 2)]
                wanted = {key.name for key in screen.bar.keys if key.matters and key.enabled}
                assert wanted | {"undo", "help"} <= set(shown)
                looked += 1
            await answer(pilot, app)
    assert looked > 5


async def test_a_new_deals_hand_is_sorted_by_rank_where_sets_prevail_and_its_slots_fill_from_it() -> None:
    async with asked(alone(ask_calls=AskCalls.TURN)) as (pilot, app):
        screen = table_of(app)
        deals, by_rank = set(), 0
        for _ in range(120):
            view = screen.sitting._table.view(0)
            if view.deal not in deals and app.screen is screen:
                deals.add(view.deal)
                ranks = [(card == JOKER, RANK[card], SUIT[card]) for card in screen.hand.cards[: view.contract.cards]]
                if view.contract.sets > view.contract.runs:
                    assert ranks == sorted(ranks)
                    by_rank += 1
                held = sum(slot.held for slot in screen.desk.slots())
                needed = sum(slot.needed for slot in screen.desk.slots())
                assert held == needed - (screen.desk.distance() or 0)
                await wait_until(pilot, lambda held=held: text_of(app).splitlines()[0].count("▒") == held)
            if len(deals) == 2:
                break
            await answer(pilot, app, until=lambda: is_asked(app))
    assert (deals, by_rank) == ({1, 2}, 1)


async def test_gaps_of_a_gathered_hand_survive_undo_and_a_restart() -> None:
    app = alone(ruleset="jamaican", teaching=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: is_asked(app))
        while app.screen.name != "table" or table_of(app).desk.view.phase is not Phase.PLAY:
            await answer(pilot, app, until=lambda: is_asked(app))
        screen = table_of(app)
        await pilot.press("g")
        gathered = screen.hand.arrangement[:2]
        assert set(gathered[1]) > {-1}, "cards that come nearest to a meld lie together before it is complete"
        await answer(pilot, app, until=lambda: is_asked(app))
        while screen.hand.arrangement[:2] != gathered and screen.desk.why_no_undo() is None:
            await press(pilot, "u")
        assert screen.hand.arrangement[:2] == gathered
        screen.hand_orders.keep()
    async with at_home() as (pilot, app):
        await press(pilot, "c", until=lambda: app.screen.name == "table" and table_of(app).desk.is_asked)
        assert table_of(app).hand.arrangement[:2] == gathered
