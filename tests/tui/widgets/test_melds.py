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
