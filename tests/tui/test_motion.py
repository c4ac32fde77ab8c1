"""Cards that move for a moment, which nothing waits for and nothing hidden is shown by, and cards that are dragged."""

import pytest
from msgspec.structs import replace
from textual.geometry import Offset
from textual.pilot import Pilot

from kalooki_tui.engine.actions import Kind, Source
from kalooki_tui.engine.events import (
    CallAllowed,
    Called,
    Dealt,
    Discarded,
    Drew,
    Flipped,
    Laid,
    Passed,
    PenaltyCard,
    Swapped,
)  # fmt: skip
from kalooki_tui.session.plan import Speed
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import tabletop
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.screens.tabletop import MOST, Flight, Mover, flights, on_the_way
from scripts.scenes import middle
from tests.tui.conftest import table_of, wait_until
from tests.tui.openings import AppAtPosition, at_table


def test_what_flies_where_from_start_to_end_and_never_back() -> None:
    # What flies where.
    assert flights([Discarded(2, 17)], 4) == [Flight(("seat", 2), ("discard", 0), 17)]
    assert flights([Drew(1, Source.DISCARD, 5)], 4) == [Flight(("discard", 0), ("seat", 1), 5)]
    assert flights([Laid(3, 7, Kind.SET, (1, 14, 27), True)], 4) == [Flight(("seat", 3), ("meld", 7), 1)]
    assert flights([Called(1, 5), Passed(2)], 4) == []
    assert flights([CallAllowed(0, 1, 5, True)], 4) == flights([Drew(1, Source.DISCARD, 5)], 4)
    assert flights([Flipped(5, None)], 4) == [Flight(("stock", 0), ("flip", 0), 5)]
    assert flights([Swapped(3, 7, 1, (1,), None)], 4) == [Flight(("seat", 3), ("meld", 7), 1)]
    assert flights([Dealt(1, 1, 0, 1, 3)], 11) == [Flight(("stock", 0), ("seat", seat)) for seat in range(1, 1 + MOST)]
    # A card from the stock flies face down, whoever draws it.
    for event in (Drew(1, Source.STOCK, 5), PenaltyCard(1, 5)):
        assert flights([event], 4) == [Flight(("stock", 0), ("seat", 1), None)]
    # A flight goes from its start to its end and never back.
    start, end = Offset(70, 4), Offset(10, 18)
    ways = [on_the_way(start, end, share / 20) for share in range(21)]
    assert ways[0] == start
    assert ways[-1] == end
    assert [way.x for way in ways] == sorted((way.x for way in ways), reverse=True)
    assert on_the_way(start, end, 7.0) == end


class Moving(AppAtPosition):
    def on_ready(self) -> None:
        self.position_plan = replace(self.position_plan, speed=Speed.BRISK)
        super().on_ready()


def movers(app: KalookiApp) -> list[Mover]:
    return [mover for mover in table_of(app).query(Mover) if mover.display]


async def test_a_key_acts_at_once_and_ends_what_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabletop, "SECONDS", 60.0)
    async with at_table(Moving(middle("Ann", "draw"))) as (pilot, app, table):
        await pilot.press("d")
        assert len(table.hand.cards) == 12
        assert table.motion._flights
        assert len(movers(app)) == 1
        cursor = table.hand.cursor
        await pilot.press("left")
        assert table.hand.cursor == cursor - 1
        assert not table.motion._flights
        assert movers(app) == []


async def test_nothing_moves_with_reduced_motion() -> None:
    async with at_table(Moving(middle("Ann", "draw"))) as (pilot, app, _):
        app.set(reduced_motion=True)
        await pilot.press("d")
        assert len(table_of(app).hand.cards) == 12
        assert not table_of(app).motion._flights


LAID = middle("Ann", "play").replace(
    "hand: AS 5H 5D 7C 8C 9C JD QD KD JK 2S, score: 40, calls: 1", "hand: AS 5H 7H 9C, laid: true, score: 40, calls: 1"
)


async def drag(pilot: Pilot[None], table: TableScreen, symbol: str, to: Offset) -> None:
    """Take a card, move it there over some cells, and leave it in the air."""
    symbols = [table.state.view.rules.faces.symbol(card) for card in table.hand.shown]
    place = symbols.index(symbol)
    start = table.hand.find(lambda target: target == place)
    await pilot.mouse_down(offset=start + Offset(1, 1))
    await pilot.hover(offset=Offset(start.x + 1, to.y + 1))
    await pilot.hover(offset=to)


async def drop(pilot: Pilot[None], to: Offset) -> None:
    await pilot.mouse_up(offset=to)
    await pilot.pause()
    assert movers(pilot.app) == []


async def test_a_card_goes_with_the_pointer_and_is_tacked_where_it_is_dropped() -> None:
    async with at_table(AppAtPosition(LAID), size=(120, 36)) as (pilot, app, table):
        stock = table.cell_of(("stock", 0), None) + Offset(2, 2)
        await drag(pilot, table, "7♥", stock)
        assert table.melds.lit == {2}, "the melds that take it are lit until it is let go"
        await drop(pilot, stock)
        assert table.melds.lit == frozenset()
        assert "No card goes back there" in table.status.prompt
        assert len(table.hand.cards) == 4
        meld = table.cell_of(("meld", 2), None) + Offset(8, 2)
        await drag(pilot, table, "7♥", meld)
        assert movers(app)[0].region.contains_point(meld)
        await drop(pilot, meld)
        assert len(table.state.view.melds[2].cards) == 5
        assert len(table.hand.cards) == 3


async def test_a_dropped_card_returns_takes_its_place_in_the_hand_or_is_thrown() -> None:
    async with at_table(AppAtPosition(middle("Ann", "play")), size=(120, 36)) as (pilot, app, table):
        before = table.hand.cards
        nowhere = Offset(table.log_view.region.x + 2, table.log_view.region.bottom - 1)
        await drag(pilot, table, "K♦", nowhere)
        assert movers(app)
        await drop(pilot, nowhere)
        assert (table.hand.cards, table.hand.selected) == (before, ())
        first = table.hand.find(lambda target: target == 0) + Offset(1, 1)
        await drag(pilot, table, "K♦", Offset(40, 10))
        await pilot.hover(offset=first)
        await drop(pilot, first)
        assert table.state.view.rules.faces.symbol(table.hand.cards[0]) == "K♦"
        pile = table.cell_of(("discard", 0), None) + Offset(2, 2)
        await drag(pilot, table, "K♦", pile)
        await pilot.mouse_up(offset=pile)
        await wait_until(pilot, lambda: len(table.session._table.view(0).hand) == 10)
        assert any("Ann discards K♦" in line.text for line in table.log_view.lines)


async def test_a_drop_that_is_not_open_says_why_as_the_key_would() -> None:
    async with at_table(AppAtPosition(middle("Ann", "draw"))) as (pilot, _, table):
        await pilot.press("x")
        said = table.status.prompt
        assert said.startswith("✕")
        await pilot.press("escape")
        assert table.status.prompt != said
        pile = table.cell_of(("discard", 0), None) + Offset(3, 1)
        await drag(pilot, table, "K♦", pile)
        await pilot.mouse_up(offset=pile)
        await pilot.pause()
        assert table.status.prompt == said
        assert len(table.hand.cards) == 11
