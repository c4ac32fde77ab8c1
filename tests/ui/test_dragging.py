"""A card dragged onto a meld is tacked, onto the discards thrown; anywhere else it comes back."""

from __future__ import annotations

from textual.geometry import Offset
from textual.pilot import Pilot

from kalooki_tui.ui.playing.motion import Mover
from kalooki_tui.ui.screens.table import TableScreen
from scripts.make_screenshots import middle
from tests.ui.conftest import AppAtPosition, wait_until
from tests.ui.openings import at_table

LAID = middle("Ann", "play").replace(
    "hand: AS 5H 5D 7C 8C 9C JD QD KD JK 2S, score: 40, calls: 1", "hand: AS 5H 7H 9C, laid: true, score: 40, calls: 1"
)


async def drag(pilot: Pilot[None], table: TableScreen, symbol: str, to: Offset) -> None:
    """Take a card, move it there over some cells, and leave it in the air."""
    symbols = [table.desk.view.rules.faces.symbol(card) for card in table.hand.shown]
    place = symbols.index(symbol)
    start = table.hand.find(lambda target: target == place)
    assert start is not None
    await pilot.mouse_down(offset=start + Offset(1, 1))
    await pilot.hover(offset=Offset(start.x + 1, to.y + 1))
    await pilot.hover(offset=to)


def shown(table: TableScreen) -> list[Mover]:
    return [mover for mover in table.query(Mover) if mover.display]


async def test_a_card_goes_with_the_pointer_and_is_tacked_where_it_is_dropped() -> None:
    async with at_table(AppAtPosition(LAID), size=(120, 36)) as (pilot, _, table):
        meld = table.cell_of(("meld", 2), None)
        assert meld is not None
        await drag(pilot, table, "7♥", meld + Offset(8, 2))
        mover = shown(table)[0]
        assert mover.region.contains_point(meld + Offset(8, 2))
        await pilot.mouse_up(offset=meld + Offset(8, 2))
        await pilot.pause()
        assert shown(table) == []
        assert len(table.desk.view.melds[2].cards) == 5
        assert len(table.hand.cards) == 3


async def test_a_drop_on_the_discards_throws_the_card() -> None:
    async with at_table(AppAtPosition(middle("Ann", "play"))) as (pilot, _, table):
        pile = table.cell_of(("discard", 0), None)
        assert pile is not None
        await drag(pilot, table, "K♦", pile + Offset(2, 2))
        await pilot.mouse_up(offset=pile + Offset(2, 2))
        await wait_until(pilot, lambda: len(table.sitting._table.view(0).hand) == 10)
        assert any("Ann discards K♦" in line.text for line in table.log_view.lines)


async def test_a_drop_that_is_not_open_says_why_as_the_key_would() -> None:
    async with at_table(AppAtPosition(middle("Ann", "draw"))) as (pilot, _, table):
        await pilot.press("x")
        said = table.status.prompt
        assert said.startswith("✕")
        pile = table.cell_of(("discard", 0), None)
        meld = table.cell_of(("meld", 0), None)
        assert pile is not None
        assert meld is not None
        for to in (pile, meld):
            await pilot.press("escape")
            assert table.status.prompt != said
            await drag(pilot, table, "K♦", to + Offset(3, 1))
            await pilot.mouse_up(offset=to + Offset(3, 1))
            await pilot.pause()
            assert table.status.prompt.startswith("✕")
        assert len(table.hand.cards) == 11


async def test_a_drop_on_nothing_returns_the_card_and_chooses_nothing() -> None:
    async with at_table(AppAtPosition(middle("Ann", "play")), size=(120, 36)) as (pilot, _, table):
        before = table.hand.cards
        nowhere = Offset(table.log_view.region.x + 2, table.log_view.region.bottom - 1)
        await drag(pilot, table, "K♦", nowhere)
        assert shown(table)
        await pilot.mouse_up(offset=nowhere)
        await pilot.pause()
        assert shown(table) == []
        assert table.hand.cards == before
        assert table.hand.selected == ()


async def test_back_over_the_hand_the_card_takes_its_place_there() -> None:
    async with at_table(AppAtPosition(middle("Ann", "play"))) as (pilot, _, table):
        first = table.hand.find(lambda target: target == 0)
        assert first is not None
        await drag(pilot, table, "K♦", Offset(40, 10))
        await pilot.hover(offset=first + Offset(1, 1))
        await pilot.mouse_up(offset=first + Offset(1, 1))
        await pilot.pause()
        assert shown(table) == []
        assert table.desk.view.rules.faces.symbol(table.hand.cards[0]) == "K♦"


async def test_the_melds_that_take_a_dragged_card_are_lit_until_it_is_let_go() -> None:
    async with at_table(AppAtPosition(LAID), size=(120, 36)) as (pilot, _, table):
        stock = table.cell_of(("stock", 0), None)
        assert stock is not None
        await drag(pilot, table, "7♥", stock + Offset(2, 2))
        assert table.melds.lit == {2}
        await pilot.mouse_up(offset=stock + Offset(2, 2))
        await pilot.pause()
        assert table.melds.lit == frozenset()
        assert "No card goes back there" in table.status.prompt
        assert len(table.hand.cards) == 4
