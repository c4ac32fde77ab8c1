import pytest
from textual.filter import Monochrome
from textual.geometry import Region

from kalooki_tui.presenter.sentences import LogLine
from kalooki_tui.tui.screens.scores import ScoresDialog
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.tui.widgets.status import LogView
from scripts.scenes import READY
from tests.tui import samples
from tests.tui.conftest import text_of, wait_until
from tests.tui.openings import AppAtPosition, at_table
from tests.tui.widgets.conftest import OneWidget

VIEW = samples.view()
FORTY = samples.view("kalookie-40", 4, 1)


async def test_a_clicked_tile_names_its_seat() -> None:
    app = OneWidget(SeatsStrip())
    async with app.run_test(size=(80, 24)) as pilot:
        app.widget.show(samples.crowded())
        await pilot.pause()
        await pilot.click(SeatsStrip, offset=(2, 3))
        assert [message.seat for message in app.sent(SeatsStrip.SeatChosen)] == [6]


async def test_the_log_is_scrolled_by_keys_and_comes_back_for_a_new_line() -> None:
    app = OneWidget(log := LogView())
    async with app.run_test(size=(40, 6)) as pilot:
        log.set_lines([LogLine(f"line {number}") for number in range(40, 0, -1)])
        log.focus()
        await pilot.press("end")
        await pilot.pause()
        assert "line 1 " in log.render_line(log.size.height - 1).text
        log.write("line 41")
        await pilot.pause()
        assert "line 41" in log.render_line(0).text


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
