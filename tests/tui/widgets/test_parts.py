import pytest
from textual.filter import Monochrome
from textual.geometry import Region

from kalooki_tui.tui.screens.scores import ScoresDialog
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, SMALL
from kalooki_tui.tui.widgets.hand import HandView, arrange
from kalooki_tui.tui.widgets.piles import PilesView
from scripts.scenes import READY
from tests.tui import samples
from tests.tui.conftest import text_of, wait_until
from tests.tui.openings import AppAtPosition, at_table
from tests.tui.widgets.conftest import OneWidget, rows_of


async def test_face_down_the_widget_holds_no_card() -> None:
    hand = HandView()
    async with OneWidget(hand).run_test(size=(80, 24)) as pilot:
        hand.set_hand(samples.cards("KS 2C 9H 5D JK"))
        hand.select_cards(samples.cards("KS"))
        await pilot.pause()
        assert "♠" in "".join(rows_of(hand))
        hand.turn_down(5)
        await pilot.pause()
        assert hand.cards == hand.shown == hand.selected == ()
        assert hand.cursor_card is None
        assert not set("".join(rows_of(hand))) & set("♠♥♦♣★AKQJ0123456789")
        assert "♠" not in pilot.app.export_screenshot()
        hand.focus()
        await pilot.press("space", "right", "right_square_bracket", "K")
        assert hand.selected == ()
        hand.set_hand(samples.cards("KS 2C"))
        assert not hand._backs
        hand.display = False
        await pilot.pause()
        hand.turn_down(2)
        assert not any(set(strip.text) & set("♠♥♦♣") for strip in hand._strips), "nor out of sight"


@pytest.mark.parametrize(("width", "height"), [(80, 6), (80, 10), (120, 9), (60, 6), (200, 12)])
def test_up_to_thirty_cards_fit_the_last_one_whole(width: int, height: int) -> None:
    for count in range(1, 31):
        fan = arrange(count, width, height)
        assert len(fan.places) == count
        assert fan.size[0] in (SMALL[0], LARGE[0], HUGE[0])
        for x, y, shown in fan.places:
            assert shown >= 2 or width < 80
            assert 0 <= x <= width - shown
            assert (1 if fan.lift else 0) <= y <= height - fan.size[1]
        for row in {y for _, y, _ in fan.places}:
            assert [shown for _, y, shown in fan.places if y == row][-1] == fan.size[0]


async def test_more_is_drawn_than_there_is_without_colours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    piles = PilesView()
    app = OneWidget(piles)
    async with app.run_test(size=(80, 24)) as pilot:
        piles.show(samples.view())
        await pilot.pause()
        monkeypatch.setattr(PilesView, "get_line_filters", lambda self: [Monochrome()])
        # As while the layout changes: more columns and rows than the widget has been drawn with.
        strips = piles.render_lines(Region(0, 0, piles.size.width + 7, piles.size.height + 1))
        assert {strip.cell_length for strip in strips} == {piles.size.width + 7}


TOTALS = [[deal * (seat * 13 + 7) for seat in range(4)] for deal in range(1, 10)]


async def test_nothing_of_the_scores_is_cut_at_eighty_by_twenty_four() -> None:
    async with at_table(AppAtPosition(READY)) as (pilot, app, _):
        app.push_screen(ScoresDialog(TOTALS, samples.view()))
        await wait_until(pilot, lambda: app.screen.name == "scores" and bool(app.screen.query(ScoreChart)))
        await pilot.pause()
        chart = app.screen.query_one(ScoreChart)
        assert chart.size.height >= 8
        assert chart.region.bottom <= 23
        text = text_of(app)
    assert "Total" in text
    assert all(f" {total}" in text for total in TOTALS[-1])
