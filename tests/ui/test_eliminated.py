"""People who are out of the match look on: nothing waits for their keys until its end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.desk.table import flow
from kalooki_tui.ui.screens.scores import DealOverScreen
from tests.ui.conftest import AppAtPosition, table_of, text_of, wait_until
from tests.ui.openings import asked


def ending(*others: Sequence[str], out: Sequence[str]) -> AppAtPosition:
    """Kalookie 40: Bob goes out with his next card, and these people have been eliminated before."""
    people = "\n".join(f'  - {{name: {name}, hand: "", score: 160, eliminated: true}}' for name in out)
    seats = "\n".join(f"  - {{name: {name}, hand: {hand}}}" for name, hand in others)
    return AppAtPosition(f"""
ruleset: kalookie-40
deal: 3
dealer: Cat
turn: Bob
phase: play
seats:
{people}
  - {{name: Bob, hand: 2D, laid: true}}
  - {{name: Cat, hand: 4D 7H}}
{seats}
pool: 40
discard: KH
""")


@pytest.mark.parametrize("out", [["Ann"], ["Ann", "Zoe"]], ids=["one", "two"])
async def test_the_match_goes_on_by_itself_where_everybody_at_the_keyboard_is_out(
    out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 0.01)
    app = ending(out=out)
    async with app.run_test(size=(80, 24)) as pilot:
        match = app.position_table.match
        await wait_until(pilot, lambda: match.deal.number > 3 and len(match.deal.history) > 5)
        assert match.totals[0] == 160


async def test_the_end_of_a_deal_can_be_read_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 60.0)
    async with asked(ending(out=["Ann"]), "deal-over") as (pilot, app):
        screen = app.screen
        assert isinstance(screen, DealOverScreen)
        assert "goes on by itself" in text_of(app)
        await pilot.press("z")
        await wait_until(pilot, lambda: "goes on by itself" not in text_of(app))
        screen._go_by_itself()
        await pilot.pause()
        assert app.screen is screen
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.position_table.match.deal.number == 4)


async def test_who_is_still_in_the_match_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 0.0)
    async with asked(ending(("Zoe", "5D 9H"), out=["Ann"]), "deal-over") as (pilot, app):
        assert "goes on by itself" not in text_of(app)
        await pilot.press("enter")
        await wait_until(pilot, lambda: table_of(app).sitting._table.match.deal.number == 4)
        await wait_until(pilot, lambda: app.screen.name == "curtain")
        assert "It is Zoe's turn" in text_of(app)
