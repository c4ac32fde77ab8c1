from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.view import View
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from tests.tui import samples
from tests.tui.widgets.conftest import OneWidget, rows_of


@pytest.fixture
def drawn_when_read() -> None:
    """Draw every frame: what is scrolled to is painted for it."""


@asynccontextmanager
async def shown(view: View, size: tuple[int, int]) -> AsyncIterator[tuple[Pilot[None], OneWidget, MeldsView]]:
    app = OneWidget(melds := MeldsView())
    async with app.run_test(size=size) as pilot:
        melds.show(view)
        await pilot.pause()
        yield pilot, app, melds


def drawn(melds: MeldsView) -> list[str]:
    return [row.rstrip() for row in rows_of(melds)]


@pytest.mark.parametrize("size", [(54, 9), (200, 60)])
async def test_forty_four_melds_are_seen_or_scrolled_to(size: tuple[int, int]) -> None:
    async with shown(samples.crowded(), size) as (pilot, app, melds):
        layout = melds._layout_now
        assert len(layout.places) == 44
        found = set()
        for top in range(0, melds.virtual_size.height, melds.size.height):
            melds.scroll_to(y=top, animate=False)
            await pilot.pause()
            canvas = melds._canvas
            rows = range(canvas.top, canvas.bottom)
            found |= {canvas.target(x, y).index for y in rows for x in range(canvas.width) if canvas.target(x, y)}
        assert found == set(range(44))
        assert all(place.x + place.width - 2 <= canvas.width for place in layout.places)
        melds.focus()
        await pilot.press("end")
        await pilot.pause()
        assert melds.cursor_meld == 43
        assert any("m44" in line for line in drawn(melds))
        last = layout.places[-1]
        await pilot.click(MeldsView, offset=(last.x + 6, last.y - melds.scroll_offset.y))
        assert [message.meld for message in app.sent(MeldsView.MeldChosen)] == [43], "what is seen is chosen"
        await pilot.press("home")
        await pilot.pause()
        assert any("m1 " in line for line in drawn(melds))


async def test_fewer_melds_are_in_sight_though_more_were_scrolled() -> None:
    async with shown(samples.crowded(), (54, 9)) as (pilot, _, melds):
        many = samples.crowded().melds
        for count in (24, 0):
            melds.set_melds(many, samples.NAMES)
            await pilot.pause()
            melds.focus()
            await pilot.press("end")
            await pilot.pause()
            assert melds.scroll_offset.y > 0
            melds.set_melds(many[:count], samples.NAMES)
            await pilot.pause()
            assert melds.scroll_offset.y == max(0, melds.virtual_size.height - melds.size.height)
            assert melds.show_vertical_scrollbar == (melds.virtual_size.height > melds.size.height)
        assert "No melds" in drawn(melds)[0]


async def test_the_longest_run_is_whole_in_a_narrow_table() -> None:
    longest = "AS 2S 3S 4S 5S JK 7S 8S 9S 10S JS JK KS AS"
    async with shown(samples.view(melds=[(1, longest), *((2, "5C 5D 5S") for _ in range(9))]), (44, 9)) as (
        _,
        _,
        melds,
    ):
        line = drawn(melds)[0]
        for part in ("A♠", "★6", "10", "★Q", "A♠"):
            assert part in line
        assert line.rstrip().endswith("A♠")


async def test_lit_melds_are_marked_and_the_cursor_stays_among_them() -> None:
    async with shown(samples.view(), (80, 12)) as (pilot, app, melds):
        melds.lit = {1, 2}
        melds.focus()
        await pilot.pause()
        text = "\n".join(drawn(melds))
        assert "+m2" in text
        assert "+m3" in text
        assert "+m1" not in text
        assert melds.cursor_meld == 1
        await pilot.press("left")
        assert melds.cursor_meld == 1
        await pilot.press("right", "enter")
        assert [message.meld for message in app.sent(MeldsView.MeldChosen)] == [2]


async def test_digits_go_to_the_meld_of_that_number() -> None:
    async with shown(samples.crowded(), (80, 16)) as (pilot, app, melds):
        melds.focus()
        await pilot.press("3")
        assert melds.cursor_meld == 0
        melds.lit = set(range(len(samples.crowded().melds)))
        await pilot.press("3")
        assert melds.cursor_meld == 2
        await pilot.press("1")
        assert melds.cursor_meld == 30
        await pilot.press("space")
        assert [message.meld for message in app.sent(MeldsView.MeldChosen)] == [30]


async def test_staged_melds_are_named_so_beside_ones_own() -> None:
    view = samples.view()
    async with shown(view, (54, 4)) as (pilot, app, melds):
        melds.show(view, [samples.meld(view.rules, 0, "JD QD KD JK", Kind.RUN)])
        await pilot.pause()
        text = "\n".join(drawn(melds))
        assert "staged" in text
        assert "s1" in text
        layout = melds._layout_now
        await pilot.click(MeldsView, offset=(layout.places[0].x + 6, layout.places[0].y))
        assert [message.index for message in app.sent(MeldsView.StagedChosen)] == [0]


@pytest.mark.parametrize(("size", "rows"), [((126, 22), 7), ((150, 11), 11), ((60, 22), 4), ((126, 6), 5)])
async def test_melds_lie_in_the_highest_cards_that_there_is_room_for(size: tuple[int, int], rows: int) -> None:
    async with shown(samples.view(), size) as (_, _, melds):
        layout = melds._layout_now
        assert layout.card_height == rows


async def test_what_a_melds_signs_mean_is_said_in_words() -> None:
    view = samples.view()
    async with shown(view, (90, 20)) as (pilot, _, melds):
        melds.show(view, [samples.meld(view.rules, 0, "JD QD KD JK", Kind.RUN)], {2})
        melds.lit = {1}
        await pilot.pause()
        layout = melds._layout_now
        tips = {place.item.label: melds.tip(place.item) or "" for place in layout.places}
    assert tips["m1"] == "m1, laid by Cat: 5♣ 5♦ 5♠."
    assert "★Q♠" in tips["m2"]
    assert "takes the chosen cards" in tips["m2"]
    assert "New since your last turn" in tips["m3"]
    assert "not laid" in tips["s1"]
