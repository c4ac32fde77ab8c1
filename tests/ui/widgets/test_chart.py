from itertools import pairwise

import pytest

from kalooki_tui.ui.looks.glyphs import Look
from kalooki_tui.ui.screens.scores import ScoresDialog
from kalooki_tui.ui.widgets.banner import line
from kalooki_tui.ui.widgets.chart import SIGNS, Scale, ScoreChart, apart
from scripts.make_screenshots import READY
from tests.ui import samples
from tests.ui.conftest import AppAtPosition, text_of, wait_until
from tests.ui.openings import at_table
from tests.ui.widgets.conftest import OneWidget, drawn

TOTALS = [[deal * (seat * 13 + 7) for seat in range(4)] for deal in range(1, 10)]


@pytest.mark.parametrize("end", [(90, 3), (90, 31), (7, 31), (0, 31), (90, 0), (40, 40)])
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
        ([], []),
        ([2, 5, 9], [2, 5, 9]),
        ([3, 3, 3], [3, 4, 5]),
        ([0, 0, 1, 5], [0, 1, 2, 5]),
        ([8, 9, 9, 9], [6, 7, 8, 9]),
        ([1, 1, 9, 9], [1, 2, 8, 9]),
    ],
)
def test_signs_on_one_row_are_moved_apart_and_none_off_the_chart(rows: list[int], moved: list[int]) -> None:
    assert apart(rows, 10) == moved


@pytest.mark.parametrize("rows", [4, 7, 8, 9, 12, 16, 17, 25, 39])
@pytest.mark.parametrize("totals", [(0, 1), (0, 37), (-120, 90), (0, 300), (0, 1999)])
def test_values_on_the_axis_are_as_many_rows_apart_and_hold_all_totals(rows: int, totals: tuple[int, int]) -> None:
    scale = Scale.of(*totals, rows)
    places = [scale.row(value) for value in scale.ticks]
    assert len({before - after for before, after in pairwise(places)}) == 1
    assert places[0] - places[1] >= 1
    assert 0 <= scale.row(totals[1]) <= scale.row(totals[0]) < scale.rows <= rows


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", [(70, 9), (100, 20), (160, 36)])
async def test_signs_stand_clear_of_the_axis_and_each_seat_has_its_own(size: tuple[int, int], ascii_only: bool) -> None:
    app = OneWidget(chart := ScoreChart(), Look(ascii=ascii_only))
    async with app.run_test(size=size) as pilot:
        chart.styles.height = "100%"
        chart.show(("Ann", "Bob", "Fitzgerald-Montmorency", "Dee"), TOTALS)
        await pilot.pause()
        canvas = chart._canvas
        rows = ["".join(cells) for cells in canvas.cells]
    axis = {row.index("│") for row in rows if "│" in row}
    assert len(axis) == 1
    left = axis.pop()
    for row in rows:
        assert not set(row[: left + 2]) & set(SIGNS)
    text = "\n".join(rows)
    for seat, name in enumerate(("Ann", "Bob", "Fitz", "Dee")):
        assert f"{SIGNS[seat]} {name}" in text
    lines = {character for row in rows for character in row if 0x2800 < ord(character) < 0x2900}
    assert bool(lines) is not ascii_only


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


async def test_until_three_deals_are_played_totals_are_bars_whose_last_part_is_what_the_deal_added() -> None:
    rows = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(10, 40), (20, 40)]))
    assert [row.split()[:2] for row in rows[:2]] == [["Ann", "20"], ["Bob", "40"]], "the best first"
    assert 0 < rows[0].count("▒") == rows[0].count("█")
    assert "█" not in rows[1]
    assert len(rows[1].rstrip()) > 75, "the longest bar is as wide as the page"
    later = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(10, 40), (20, 40), (30, 50)]))
    assert "█" not in "".join(later)


async def test_totals_below_nothing_have_bars_to_the_left() -> None:
    rows = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(-50, 50)]))
    assert rows[0].rindex("█") < rows[1].index("█")


async def test_from_five_seats_on_only_ones_own_line_has_its_sign_at_every_total() -> None:
    names = ("Ann", "Bob", "Cat", "Dee", "Eve")
    totals = [[deal * (seat * 13 + 7) for seat in range(5)] for deal in range(1, 10)]
    text = "\n".join(await drawn(chart := ScoreChart(), lambda _: chart.show(names, totals, own=2), (120, 36)))
    signs = {name: text.count(SIGNS[seat]) for seat, name in enumerate(names)}
    assert signs["Cat"] >= 9
    assert all(count == 2 for name, count in signs.items() if name != "Cat"), "at the end of the line, and by the name"


@pytest.mark.parametrize("seats", [2, 4, 8, 11])
async def test_a_chart_has_ten_rows_at_most_or_one_for_each_name(seats: int) -> None:
    totals = [[deal * (seat * 13 + 7) for seat in range(seats)] for deal in range(1, 10)]
    chart = ScoreChart()
    rows = await drawn(chart, lambda _: chart.show(samples.NAMES[:seats], totals), (200, 50))
    assert len(rows) - 1 == max(10, seats), "and one below for the deals' numbers"


async def test_points_of_a_handicap_are_not_what_the_first_deal_added() -> None:
    rows = await drawn(
        chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(60, 60)], starts=(50, 0))
    )  # fmt: skip
    assert rows[0].count("▒") == pytest.approx(5 * rows[0].count("█"), abs=3)
    assert "▒" not in rows[1]
    totals = [(60, 60), (60, 60), (60, 60)]
    drawn_lines = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), totals, starts=(60, 0)))
    level = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), totals))
    assert drawn_lines != level
