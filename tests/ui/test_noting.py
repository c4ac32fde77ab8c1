"""Notes on the screen: shown once, closed by a key of their own, in nobody's way, and of nothing private."""

from __future__ import annotations

import pytest

from kalooki_tui.store.player.settings import SettingsFile
from kalooki_tui.ui.playing import noting
from kalooki_tui.ui.screens.rules import RuleLine, RulesScreen
from kalooki_tui.ui.screens.table import TableScreen
from tests.ui.conftest import AppAtPosition, app_at_table, is_asked, plan, press, table_of, text_of, wait_until
from tests.ui.driving import answer, play_until
from tests.ui.openings import asked, at_table, running
from tests.ui.test_privacy import assert_nothing_private

ACES = """
ruleset: jamaican
deal: 2
dealer: Cat
turn: Ann
phase: play
seats:
  - {name: Ann, hand: 5C 5D 5H KS KD 7C 8C 9C AS 2D JK}
  - {name: Bob, hand: 5S 6H 7H QC 2C 3D 4C 10S JS QH}
  - {name: Cat, hand: 9D 9H 3S 4S 6S 8D 10D JC QS AC}
discard: 5C
"""
JOKER = ACES.replace("ruleset: jamaican", "ruleset: air-jamaica\nreferee: penalties")


async def test_a_note_is_shown_and_closed_for_good_by_its_key() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, app, screen):
        assert "Aces are not alike" in text_of(app)
        assert "black A 15, red A 1" in text_of(app)
        # What it is about, and everything else, is still to be seen.
        for words in ("Ann's hand", "DISCARD", "No melds on the table yet", "x Discard"):
            assert words in text_of(app)
        await press(pilot, "full_stop")
        assert "Aces are not alike" not in text_of(app)
        assert not screen.note.display
        assert SettingsFile.load().settings.notes_seen == ["aces"]
        await pilot.press("full_stop")
        assert "There is no note to close." in text_of(app)
    async with at_table(AppAtPosition(ACES)) as (_, app, _):
        assert "Aces are not alike" not in text_of(app)


async def test_a_note_takes_no_key_from_the_game() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, _, screen):
        assert screen.note.display
        for key in ("enter", "space", "escape", "tab", "o"):
            await pilot.press(key)
            assert screen.note.display, key
        assert SettingsFile.load().settings.notes_seen == []
        await pilot.press("tab", "2", "x")
        await wait_until(pilot, lambda: len(screen.desk.view.history) > 0 and screen.desk.view.turn != 0)


async def test_a_click_closes_it_too() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, _, screen):
        await pilot.click("NoteStrip")
        await wait_until(pilot, lambda: not screen.note.display)
        assert screen.hand.has_focus


async def test_what_has_been_read_goes_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noting, "READ", 0.0)
    async with at_table(AppAtPosition(ACES)) as (pilot, _, screen):
        assert "Aces" in screen.note.text
        await press(pilot, "2", "x", until=lambda: "Aces" not in screen.note.text)
        assert SettingsFile.load().settings.notes_seen == ["aces"]


async def test_what_nobody_could_read_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noting, "READ", 60.0)
    async with at_table(AppAtPosition(ACES.replace("AS 2D JK", "AS JK"))) as (pilot, _, screen):
        assert "Aces" in screen.note.text
        await press(pilot, "A", "x", until=lambda: "Aces" not in screen.note.text)
        assert SettingsFile.load().settings.notes_seen == []


async def test_its_rule_is_one_key_away() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, app, _):
        await press(pilot, "i", until=lambda: isinstance(app.screen, RulesScreen))
        assert ["G3" in line.text for line in app.screen.query(RuleLine) if line.is_lit] == [True]


async def test_settings_switch_them_off_and_show_all_again() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, app, screen):
        await press(pilot, "full_stop", "comma", until=lambda: app.screen.name == "settings")
        await pilot.press("n")
        assert SettingsFile.load().settings.notes is False
        await press(pilot, "n", "escape", until=lambda: app.screen is screen)
        await wait_until(pilot, lambda: "Aces" in screen.note.text)


async def test_no_notes_where_nobody_plays() -> None:
    async with running(app_at_table(plan("ai:club", "ai:club", "ai:club", ruleset="kooky"))) as (pilot, app):
        await wait_until(pilot, lambda: any(isinstance(screen, TableScreen) for screen in app.screen_stack))
        await pilot.pause(0.1)
        assert not table_of(app).note.display


async def test_nothing_of_a_hand_is_told_while_it_is_covered() -> None:
    async with asked(AppAtPosition(ACES.replace("Bob", "Zoe")), "curtain") as (pilot, app):
        assert table_of(app).note.text == ""
        assert_nothing_private(app)
        await press(pilot, "1", until=lambda: is_asked(app) and app.screen is table_of(app))
        screen = table_of(app)
        assert "Aces" in screen.note.text
        screen.conceal()
        assert screen.note.text == ""


async def test_the_flip_is_told_of_where_two_people_are_asked_about_it() -> None:
    async with running(app_at_table(plan("Ann", "Bob", ruleset="tuluki"))) as (pilot, app):
        await play_until(pilot, app, lambda: "The flip lies open" in text_of(app) and app.screen is not table_of(app))
        question = app.screen
        assert question is not table_of(app)
        assert "(. closes it · i more)" in text_of(app), "its keys stand together"
        assert table_of(app).note.text == "", "it is not told beneath as well"
        await pilot.press("enter", "space", "escape")
        assert app.screen is question
        await press(pilot, "full_stop")
        assert app.screen is question, "closing the note answers nothing"
        assert "flip" in SettingsFile.load().settings.notes_seen
        assert "The flip lies open" not in "\n".join(text_of(app).splitlines()[3:])


async def test_a_joker_is_thrown_only_after_its_price_was_named() -> None:
    async with at_table(AppAtPosition(JOKER)) as (pilot, app, screen):
        await press(pilot, "asterisk", "x")
        assert "costs 50 points (F4)" in text_of(app)
        assert "Press x again to try it" in " ".join(text_of(app).split())
        assert screen.desk.view.penalties[0] == 0
        await press(pilot, "x", until=lambda: screen.desk.view.penalties[0] == 50)
        # The note about aces is there already, and lets the next one wait.
        await press(pilot, "full_stop", until=lambda: "Penalty points are added" in screen.note.text)


async def test_ai_seats_give_reasons_when_a_deal_of_a_teaching_match_is_over() -> None:
    app = app_at_table(plan("Ann", "Bob=ai:club", "Cat=ai:club", teaching=True))
    async with app.run_test(size=(100, 40)) as pilot:
        while app.screen.name != "deal-over":
            await wait_until(pilot, lambda: is_asked(app))
            told = [line.text for line in table_of(app).log_view.lines]
            assert not any("contract" in line or "in hand" in line for line in told)  # of a hidden hand nothing (V2)
            await answer(pilot, app)
        await press(pilot, "w", until=lambda: "Why they moved as they did" in text_of(app))
        assert "Bob discards" in text_of(app)
        await press(pilot, "w", until=lambda: app.screen.name == "deal-over")


async def test_who_loses_a_challenge_and_drops_out_is_told() -> None:
    app = AppAtPosition(ACES.replace("ruleset: jamaican", "ruleset: trinidad\nreferee: penalties"))
    async with at_table(app) as (pilot, _, screen):
        await pilot.press("R")
        await press(pilot, "1", until=lambda: "Challenge Bob?" in text_of(app))
        assert "points now" in text_of(app)
        await pilot.press("y")
        await wait_until(
            pilot,
            lambda: not screen.sitting._table.match.deal.in_deal[0] or screen.sitting._table.match.deal.number > 2,
        )
        await wait_until(pilot, lambda: app.screen.name == "deal-over" or "out of this deal" in screen.status.title)
        await wait_until(pilot, lambda: app.screen.name == "deal-over")
        assert "dropped out after a challenge" in text_of(app)


async def test_where_rows_are_scarce_a_note_takes_none_from_melds_and_log() -> None:
    async with at_table(AppAtPosition(ACES)) as (pilot, _, screen):
        middle = screen.query_one("#middle")
        assert screen.note.display
        noted = middle.size.height
        await press(pilot, "full_stop", until=lambda: not screen.note.display and screen.recap.size.height > 0)
        assert middle.size.height == noted
