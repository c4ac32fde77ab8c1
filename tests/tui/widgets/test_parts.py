from itertools import pairwise, product

import pytest
from textual.filter import Monochrome
from textual.geometry import Region

from kalooki_tui.presenter.sentences import LogLine
from kalooki_tui.tui.screens.scores import ScoresDialog
from kalooki_tui.tui.widgets.banner import line
from kalooki_tui.tui.widgets.canvas import whole_clauses, whole_items
from kalooki_tui.tui.widgets.chart import Scale, ScoreChart, apart
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.seats import NARROWEST, SeatsStrip, rows_of
from kalooki_tui.tui.widgets.status import LogView
from scripts.scenes import READY
from tests.tui import samples
from tests.tui.conftest import text_of, wait_until
from tests.tui.openings import AppAtPosition, at_table
from tests.tui.widgets.conftest import OneWidget

VIEW = samples.view()
FORTY = samples.view("kalookie-40", 4, 1)


# Piles


async def test_a_clicked_tile_names_its_seat() -> None:
    app = OneWidget(SeatsStrip())
    async with app.run_test(size=(80, 24)) as pilot:
        app.widget.show(samples.crowded())
        await pilot.pause()
        await pilot.click(SeatsStrip, offset=(2, 3))
        assert [message.seat for message in app.sent(SeatsStrip.SeatChosen)] == [6]


# Seats


# Banners


# Log and chart


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


def test_tiles_of_all_seats_fit_and_six_make_two_rows_of_three() -> None:
    for width, seats in product((80, 100, 120, 160), range(2, 12)):
        rows = rows_of(seats, width)
        assert (sum(rows), len(rows) <= 2) == (seats, True)
        assert max(rows) * NARROWEST <= width
    assert [rows_of(seats, 80) for seats in (5, 6, 7, 8, 11)] == [[5], [3, 3], [4, 3], [4, 4], [6, 5]]


SUMMARY = "Three short deals of Air Jamaica Kalooki, with two melds each, made for teaching the game."


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (90, SUMMARY),
        (69, "Three short deals of Air Jamaica Kalooki, with two melds each."),
        (50, "Three short deals of Air Jamaica Kalooki."),
        (20, "Three short deals o…"),
    ],
)
def test_a_sentence_that_has_no_room_ends_with_a_clause(width: int, shown: str) -> None:
    assert whole_clauses(SUMMARY, width) == shown


@pytest.mark.parametrize(
    ("width", "shown"),
    [(40, "deals, calls, handicap, referee"), (28, "deals, calls, handicap, …"), (10, "deals, …"), (4, "dea…")],
)
def test_a_list_that_has_no_room_ends_with_an_item(width: int, shown: str) -> None:
    assert whole_items("deals, calls, handicap, referee", width) == shown


TOTALS = [[deal * (seat * 13 + 7) for seat in range(4)] for deal in range(1, 10)]


@pytest.mark.parametrize("end", [(90, 3), (7, 31), (0, 31), (40, 40)])
def test_a_line_is_nowhere_further_than_half_a_dot_from_straight(end: tuple[int, int]) -> None:
    dots = line((0, 0), end)
    assert dots[0] == (0, 0)
    assert dots[-1] == end
    for x, y in dots:
        assert abs(x * end[1] - y * end[0]) <= 0.5 * max(end) + 1e-9
    for (x, y), (after_x, after_y) in pairwise(dots):
        assert max(abs(after_x - x), abs(after_y - y)) == 1


@pytest.mark.parametrize(
    ("rows", "moved"),
    [
        ([], []), ([2, 5, 9], [2, 5, 9]), ([3, 3, 3], [3, 4, 5]), ([0, 0, 1, 5], [0, 1, 2, 5]),
        ([8, 9, 9, 9], [6, 7, 8, 9]), ([1, 1, 9, 9], [1, 2, 8, 9]),
    ],
)  # fmt: skip
def test_signs_on_one_row_are_moved_apart_and_none_off_the_chart(rows: list[int], moved: list[int]) -> None:
    assert apart(rows, 10) == moved


@pytest.mark.parametrize("rows", [4, 9, 17, 39])
@pytest.mark.parametrize("totals", [(0, 1), (-120, 90), (0, 1999)])
def test_values_on_the_axis_are_as_many_rows_apart_and_hold_all_totals(rows: int, totals: tuple[int, int]) -> None:
    scale = Scale.of(*totals, rows)
    places = [scale.row(value) for value in scale.ticks]
    assert len({before - after for before, after in pairwise(places)}) == 1
    assert places[0] - places[1] >= 1
    assert 0 <= scale.row(totals[1]) <= scale.row(totals[0]) < scale.rows <= rows


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
