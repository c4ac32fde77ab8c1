"""Cards move for a moment where things are to move: nothing waits for them, and nothing hidden is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.geometry import Offset

from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.engine.actions import Kind, Source
from kalooki_tui.engine.events import Called, Dealt, Discarded, Drew, Laid, Passed, PenaltyCard
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.playing import motion
from kalooki_tui.ui.playing.motion import MOST, Flight, Mover, flights, on_the_way
from scripts.make_screenshots import middle
from tests.ui.conftest import AppAtPosition, table_of, wait_until
from tests.ui.openings import at_table


def test_what_flies_where() -> None:
    assert flights([Discarded(2, 17)], 4) == [Flight(("seat", 2), ("discard", 0), 17)]
    assert flights([Drew(1, Source.DISCARD, 5)], 4) == [Flight(("discard", 0), ("seat", 1), 5)]
    assert flights([Laid(3, 7, Kind.SET, (1, 14, 27), True)], 4) == [Flight(("seat", 3), ("meld", 7), 1)]
    assert flights([Called(1, 5), Passed(2)], 4) == []
    assert len(flights([Dealt(1, 1, 0, 1, 3)], 11)) == MOST


@pytest.mark.parametrize("event", [Drew(1, Source.STOCK, 5), PenaltyCard(1, 5)])
def test_a_card_from_the_stock_flies_face_down_whoever_draws_it(event: Drew | PenaltyCard) -> None:
    assert flights([event], 4) == [Flight(("stock", 0), ("seat", 1), None)]


def test_a_flight_goes_from_its_start_to_its_end_and_never_back() -> None:
    start, end = Offset(70, 4), Offset(10, 18)
    ways = [on_the_way(start, end, share / 20) for share in range(21)]
    assert ways[0] == start
    assert ways[-1] == end
    assert [way.x for way in ways] == sorted((way.x for way in ways), reverse=True)
    assert on_the_way(start, end, 7.0) == end


class Moving(AppAtPosition):
    """At a table whose AI seats do not move at once."""

    def on_ready(self) -> None:
        self.position_plan = replace(self.position_plan, speed=Speed.BRISK)
        super().on_ready()


def movers(app: KalookiApp) -> list[Mover]:
    return [mover for mover in table_of(app).query(Mover) if mover.display]


async def test_a_key_acts_at_once_and_ends_what_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion, "SECONDS", 60.0)
    async with at_table(Moving(middle("Ann", "draw"))) as (pilot, app, table):
        await pilot.press("d")
        assert len(table.hand.cards) == 12
        assert table.motion.is_moving
        assert len(movers(app)) == 1
        cursor = table.hand.cursor
        await pilot.press("left")
        assert table.hand.cursor == cursor - 1
        assert not table.motion.is_moving
        assert movers(app) == []


async def test_a_flight_ends_by_itself_within_a_fifth_of_a_second() -> None:
    assert motion.SECONDS < 0.2
    async with at_table(Moving(middle("Ann", "draw")), size=(120, 36)) as (pilot, app, _):
        table_of(app).moves.draw_from(Source.STOCK)
        assert table_of(app).motion.is_moving
        await wait_until(pilot, lambda: not table_of(app).motion.is_moving)
        assert movers(app) == []


@pytest.mark.parametrize("how", ["instant", "reduced"])
async def test_nothing_moves_at_instant_speed_or_with_reduced_motion(how: str) -> None:
    app = AppAtPosition(middle("Ann", "draw")) if how == "instant" else Moving(middle("Ann", "draw"))
    async with at_table(app) as (pilot, _, _):
        if how == "reduced":
            app.set(reduced_motion=True)
        await pilot.press("d")
        assert len(table_of(app).hand.cards) == 12
        assert not table_of(app).motion.is_moving
