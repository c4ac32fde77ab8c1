import pytest

from kalooki_tui.cards import JOKER, RANK, SUIT
from kalooki_tui.engine.view import Phase
from kalooki_tui.session.plan import AskCalls
from kalooki_tui.storage.player.settings_file import SettingsFile
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.rule_pages import RuleLine, RulesScreen
from kalooki_tui.tui.tableside import notes
from kalooki_tui.tui.widgets.command_bar import _fitting
from scripts.scenes import middle
from tests.moments import call_window
from tests.tui.conftest import is_asked, press, table_of, text_of, wait_until
from tests.tui.driving import answer, play_until
from tests.tui.openings import AppAtPosition, alone, app_at_table, asked, at_home, at_table, plan, running

DECISION = call_window(second="Zoe").replace("call-window", "decision\ncaller: Zoe")
ACES = middle("Ann", "play")
PLAY = call_window().replace("call-window", "play").replace("discarded_by: Dee", "")


def lit(app: KalookiApp) -> list[str]:
    return [line.text for line in app.screen.query(RuleLine) if line.is_lit]


async def test_the_cut_opens_the_rule_of_the_cut() -> None:
    # In this match the person deals first.
    dealing = alone(ruleset="air-jamaica", settings={"dealer_cut": True}, seed=2)
    async with asked(dealing, "cut") as (pilot, app):
        assert "-50" in text_of(app), "what an exact cut scores"
        await press(pilot, "i", until=lambda: app.screen.name == "rules")
        await wait_until(pilot, lambda: "cuts a packet" in lit(app)[0])


async def test_a_note_takes_no_key_its_rule_is_one_away_a_click_closes_it_and_settings_show_all_again() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, app, screen):
        await pilot.press("enter", "space", "space", "escape", "tab", "shift+tab", "o")
        assert screen.note.display
        assert SettingsFile.load().settings.notes_seen == []
        noted = screen.query_one("#middle").size.height
        await press(pilot, "i", until=lambda: isinstance(app.screen, RulesScreen))
        assert ["G3" in line.text for line in app.screen.query(RuleLine) if line.is_lit] == [True]
        await press(pilot, "escape", until=lambda: app.screen is screen)
        await pilot.click("NoteStrip")
        await wait_until(pilot, lambda: not screen.note.display and screen.recap.size.height > 0)
        assert screen.hand.has_focus
        assert screen.query_one("#middle").size.height == noted, "melds and log keep their rows"
        await press(pilot, "comma", until=lambda: app.screen.name == "settings")
        await pilot.press("n")
        assert SettingsFile.load().settings.notes is False
        await press(pilot, "n", "escape", until=lambda: app.screen is screen)
        await wait_until(pilot, lambda: "Aces" in screen.note.text)


@pytest.mark.parametrize(("seconds", "seen"), [(0.0, True), (60.0, False)])
async def test_a_note_goes_with_the_next_step_and_comes_again_where_nobody_could_read_it(
    seconds: float, seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "READ", seconds)
    async with at_table(AppAtPosition(ACES)) as (pilot, _, screen):
        assert "Aces" in screen.note.text
        await press(pilot, "A", "x", until=lambda: "Aces" not in screen.note.text)
        assert ("aces" in SettingsFile.load().settings.notes_seen) is seen


async def test_the_flip_is_told_of_where_two_people_are_asked_about_it() -> None:
    async with running(app_at_table(plan("Ann", "Bob", ruleset="tuluki"))) as (pilot, app):
        await play_until(pilot, app, lambda: "The flip lies open" in text_of(app) and app.screen is not table_of(app))
        question = app.screen
        assert "(. closes it · i more)" in text_of(app), "its keys stand together"
        assert table_of(app).note.text == "", "it is not told beneath as well"
        await pilot.press("enter", "space", "escape")
        assert app.screen is question
        await press(pilot, "full_stop")
        assert app.screen is question, "closing the note answers nothing"
        assert "flip" in SettingsFile.load().settings.notes_seen


async def test_a_key_changes_which_calls_are_asked_about_for_this_match_and_the_next() -> None:
    async with asked(alone()) as (pilot, app):
        if app.screen.name == "decision":
            await answer(pilot, app, until=lambda: app.screen.name == "table" and table_of(app).state.is_asked)
        screen = table_of(app)
        await pilot.press("m")
        assert screen.session.ask_calls is AskCalls.HELPS
        assert screen.session._live.ui_state["ask_calls"] == "helps"
        await pilot.press("m")
    assert SettingsFile.load().settings.ask_calls == "turn"


async def test_undo_help_and_open_moves_never_leave_the_footer() -> None:
    app = alone(ruleset="jamaican")
    looked = 0
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(9):
            await wait_until(pilot, lambda: app.screen.name != "table" or table_of(app).state.is_asked)
            screen = table_of(app)
            if app.screen is screen:
                shown = [key.name for key in _fitting(screen.bar.keys, 79, 2)]
                wanted = {key.name for key in screen.bar.keys if key.matters and key.enabled}
                assert wanted | {"undo", "help"} <= set(shown)
                looked += 1
            await answer(pilot, app)
    assert looked > 3


async def test_a_new_deals_hand_is_sorted_by_rank_where_sets_prevail_and_its_slots_fill_from_it() -> None:
    async with asked(alone(ask_calls=AskCalls.TURN, seed=10)) as (pilot, app):
        while app.screen is not table_of(app):
            await answer(pilot, app, until=lambda: is_asked(app))
        screen = table_of(app)
        view = screen.session._table.view(0)
        ranks = [(card == JOKER, RANK[card], SUIT[card]) for card in screen.hand.cards[: view.contract.cards]]
        assert view.contract.sets > view.contract.runs
        assert ranks == sorted(ranks)
        held = sum(slot.held for slot in screen.state.slots())
        needed = sum(slot.needed for slot in screen.state.slots())
        assert held == needed - (screen.state.distance() or 0)
        await wait_until(pilot, lambda: text_of(app).splitlines()[0].count("▒") == held)


async def test_gaps_of_a_gathered_hand_survive_undo_and_a_restart() -> None:
    app = alone(ruleset="jamaican", teaching=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: is_asked(app))
        while app.screen.name != "table" or table_of(app).state.view.phase is not Phase.PLAY:
            await answer(pilot, app, until=lambda: is_asked(app))
        screen = table_of(app)
        await pilot.press("g")
        gathered = screen.hand.arrangement[:2]
        assert set(gathered[1]) > {-1}, "cards that come nearest to a meld lie together before it is complete"
        await answer(pilot, app, until=lambda: is_asked(app))
        while screen.hand.arrangement[:2] != gathered and screen.state.why_no_undo() is None:
            await press(pilot, "u")
        assert screen.hand.arrangement[:2] == gathered
        screen.hand_orders.keep()
    async with at_home() as (pilot, app):
        await press(pilot, "c", until=lambda: app.screen.name == "table" and table_of(app).state.is_asked)
        assert table_of(app).hand.arrangement[:2] == gathered
