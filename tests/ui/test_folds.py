"""The form for a new match at a glance: the rest lies behind one line each, which says what is otherwise than usual."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import Checkbox, Input, Select, Static

from kalooki_tui.ui.widgets.fold import Fold
from tests.ui.conftest import text_of, wait_until
from tests.ui.openings import choose, form, open_all


async def test_at_eighty_columns_who_which_game_and_start_are_seen_at_once() -> None:
    async with form() as (_, app, screen):
        assert screen.form.max_scroll_y == 0
        shown = text_of(app)
        for said in ("4 seats", "Jamaican Kalooki", "Start (ctrl+s)", "▸ Table", "▸ Options", "▸ Rules"):
            assert said in shown
        assert shown.count("as usual · ") == 3
        assert "Curtain" not in shown


async def test_folded_parts_are_opened_by_keys_and_passed_by_them() -> None:
    async with form() as (pilot, app, screen):
        screen.query_one("#ruleset").focus()
        for heading in ("Table", "Options", "Rules"):
            await pilot.press("down")
            await wait_until(
                pilot, lambda heading=heading: re.search(rf"{heading} +as usual · enter opens", text_of(app))
            )
        await pilot.press("down")
        assert app.focused is screen.query_one("#people"), "nothing that is folded away is gone to"
        await pilot.press("up", "enter")
        await wait_until(pilot, lambda: "Rules           as usual · enter closes" in text_of(app))
        await pilot.press("down")
        await wait_until(pilot, lambda: app.focused is screen.query_one("#referee"))
        await pilot.press("up", "space")
        await wait_until(pilot, lambda: "enter opens" in text_of(app))
        await pilot.press("shift+tab", "shift+tab", "enter", "tab")
        await wait_until(pilot, lambda: app.focused is screen.query_one("#teaching"))


async def test_the_line_of_a_folded_part_says_what_is_chosen_otherwise() -> None:
    async with form() as (pilot, app, screen):
        screen.query_one("#teaching", Checkbox).value = True
        screen.query_one("#speed", Select).value = "brisk"
        screen.query_one("#setting-race", Checkbox).value = True
        screen.query_one("#option-six-jokers", Checkbox).value = True
        screen.query_one("#house-deals", Input).value = "1-3"
        screen.query_one("#house-calls", Input).value = "2"
        screen.query_one("#house-doubling", Select).value = "none"
        screen.query_one("#handicap", Input).value = "You=-50"
        screen.query_one("#referee", Select).value = "penalties"
        await wait_until(pilot, lambda: "penalties referee" in text_of(app))
        shown = text_of(app)
        assert "▸ Table           teaching match, AI moves brisk, fastest call wins" in shown
        assert "▸ Options         Six jokers" in shown
        assert "▸ Rules           penalties referee, games 1-3, 2 calls, You=-50, " in shown


async def test_the_last_set_up_says_on_its_lines_what_it_had_otherwise(own_home: Path) -> None:
    (own_home / "settings.toml").write_text(
        '[last]\nruleset = "jamaican"\nseats = ["Ann", "Bob", "ai:club"]\noptions = ["one-joker-fours", "deals=2"]\n'
    )
    async with form() as (_, app, _):
        assert "▸ Options         One joker fours" in text_of(app)
        assert "▸ Rules           games 2" in text_of(app)


@pytest.mark.parametrize(
    ("field", "value"),
    [("seed", "x1"), ("setting-over_call", "7"), ("handicap", "Zoe=5"), ("house-deals", "12"), ("house-calls", "x")],
)
async def test_a_wrong_field_that_is_folded_away_is_shown(field: str, value: str) -> None:
    async with form() as (pilot, app, screen):
        screen.query_one(f"#{field}", Input).value = value
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: app.focused is screen.query_one(f"#{field}"))
        assert str(screen.query_one("#problem", Static).content)
        await wait_until(pilot, lambda: value in text_of(app))


async def test_an_open_part_stays_open_when_the_game_changes() -> None:
    async with form() as (pilot, _, screen):
        open_all(screen)
        await choose(pilot, screen, "ruleset", "baby")
        assert not screen.query_one("#fold-rules", Fold).collapsed
        await choose(pilot, screen, "ruleset", "jamaican")
        await wait_until(pilot, lambda: not screen.query_one("#fold-rules", Fold).collapsed)
