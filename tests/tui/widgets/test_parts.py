from itertools import pairwise, product

import pytest
from msgspec.structs import replace
from textual.filter import Monochrome
from textual.geometry import Region

from kalooki_tui.cards import FRENCH
from kalooki_tui.coach.clauses import Picture
from kalooki_tui.coach.vocabulary import example_melds
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.sentences import LogLine
from kalooki_tui.tui.screens.scores import ScoresDialog
from kalooki_tui.tui.tableside.people import COLOURS, Badge
from kalooki_tui.tui.widgets.banner import ContractBanner, DealBanner, line
from kalooki_tui.tui.widgets.canvas import whole_clauses, whole_items
from kalooki_tui.tui.widgets.chart import SIGNS, Scale, ScoreChart, apart
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.row import PictureRow
from kalooki_tui.tui.widgets.seats import NARROWEST, SeatsStrip, leaders, rows_of
from kalooki_tui.tui.widgets.status import LogView
from scripts.scenes import READY
from tests.tui import samples
from tests.tui.conftest import text_of, wait_until
from tests.tui.openings import AppAtPosition, at_table
from tests.tui.widgets.conftest import OneWidget, drawn

VIEW = samples.view()
FORTY = samples.view("kalookie-40", 4, 1)


@pytest.mark.parametrize(
    ("widget", "view", "shown", "not_shown"),
    [
        (PilesView, VIEW, ["STOCK 41", "DISCARD", "7♥"], []),
        (PilesView, replace(VIEW, dead=True), ["DEAD"], ["DISCARD"]),
        (PilesView, replace(VIEW, discard=None, stock=0), ["STOCK 0", "DISCARD", "empty"], ["7♥"]),
        (SeatsStrip, samples.view(melds=()), ["●●●", "●○○", "○○○"], ["¤"]),
        (SeatsStrip, replace(VIEW, calls=None), [], ["●", "○"]),
        (SeatsStrip, FORTY, ["¤-3"], ["○"]),
        (SeatsStrip, replace(VIEW, in_deal=(True, False) * 2, eliminated=(False,) * 3 + (True,)),
         ["dropped out", "eliminated"], []),
        (SeatsStrip, replace(VIEW, totals=(40,) * 4, penalties=(190, 0, 0, 0)), ["40+190"], []),
    ],
)  # fmt: skip
async def test_what_piles_and_seats_show_of_a_view(
    widget: type[PilesView | SeatsStrip], view: View, shown: list[str], not_shown: list[str]
) -> None:
    text = "\n".join(await drawn(widget(), lambda one: one.show(view)))
    assert [words for words in shown if words not in text] == []
    assert [words for words in not_shown if words in text] == []


# Piles


async def test_three_piles_side_by_side_keep_the_stocks_number() -> None:
    view = samples.view("tuluki", 2, melds=(), flip=12, stock=108)
    text = "\n".join(await drawn(PilesView(), lambda piles: piles.show(view), (26, 7)))
    assert all(words in text for words in (" 108 ", "FLIP", "DISCARD", "K♣"))


async def test_a_clicked_tile_names_its_seat() -> None:
    app = OneWidget(SeatsStrip())
    async with app.run_test(size=(80, 24)) as pilot:
        app.widget.show(samples.crowded())
        await pilot.pause()
        await pilot.click(SeatsStrip, offset=(2, 3))
        assert [message.seat for message in app.sent(SeatsStrip.SeatChosen)] == [6]


# Seats


async def test_eleven_seats_at_eighty_columns_show_name_cards_and_score() -> None:
    view = replace(samples.crowded(), in_deal=tuple(seat != 3 for seat in range(11)))
    lines = await drawn(SeatsStrip(), lambda strip: strip.show(view))
    assert len(lines) == 4
    text = "\n".join(lines)
    for seat, name in enumerate(view.names):
        assert (name if len(name) < 6 else name[:4] + "…") in text
        assert f"{view.totals[seat]}" in text
    assert text.count("laid") == 10
    assert text.count("▸") == 1
    assert [words for words in (" 11 laid", "dropped o…") if words not in text] == []


async def test_a_tile_shows_the_key_of_one_of_several_people() -> None:
    view = samples.view(melds=())
    first, second, *_ = COLOURS
    badges = {1: Badge("2", first), 3: Badge("z", second)}
    shown = await drawn(SeatsStrip(), lambda strip: strip.show(view, badges), (64, 24))
    for seat, name in enumerate(view.names):
        place = shown[0].index(name)
        key = shown[0][place - 3 : place].strip(" ▸?│")
        assert key == (badges[seat].key if seat in badges else "")


# Banners


@pytest.mark.parametrize("deal", [1, 9])
async def test_banner_and_start_of_a_deal_show_its_contract_whole(deal: int) -> None:
    view = samples.view(deal=deal, melds=())
    line = (await drawn(ContractBanner(), lambda banner: banner.show(view)))[0]
    assert line.count("▯") == 3 * view.contract.sets + 4 * view.contract.runs
    for size in ((80, 24), (120, 36)):
        text = "\n".join(await drawn(DealBanner(), lambda banner: banner.show(view), size))
        assert f"Game {deal} of 9" in text
        assert "Cat deals" in text
        for meld in example_melds(view.rules.ruleset, view.contract):
            assert all(view.rules.faces.symbol(card) in text for card in meld)


# Log and chart


async def test_the_newest_line_is_on_top_and_long_ones_wrap() -> None:
    def act(log: LogView) -> None:
        log.write("Ann discards 7♥")
        log.write("Bob calls 7♥ and takes a penalty card from the stock", call=True)

    lines = await drawn(LogView(), act, (26, 8))
    assert lines[0].startswith("▸ Bob calls 7♥")
    assert any("Ann discards 7♥" in line for line in lines[2:])
    assert "".join(lines).count("▸") == 1, "the sign of a call"


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


async def test_the_chart_names_seats_of_equal_totals() -> None:
    last = [0] * 11
    lines = await drawn(ScoreChart(), lambda chart: chart.show(samples.NAMES, [last] * 3), (80, 12))
    for seat, total in enumerate(last):
        assert any(
            f"{SIGNS[seat]} {samples.NAMES[seat][:3]}" in line and line.rstrip().endswith(f" {total}") for line in lines
        )


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


@pytest.mark.parametrize(
    ("totals", "eliminated", "leads"),
    [
        ((0, 0, 0), (False, False, False), []),
        ((40, 12, 12), (False, False, False), [1, 2]),
        ((0, 160, 30), (True, False, False), [2]),
    ],
)
def test_whoever_has_the_lowest_total_leads(
    totals: tuple[int, ...], eliminated: tuple[bool, ...], leads: list[int]
) -> None:
    view = samples.view("baby", 3, 1, totals=totals, eliminated=eliminated)
    assert leaders(view) == leads


async def test_pictures_lie_in_their_order_with_what_is_said_of_them() -> None:
    cards = samples.cards
    pictures = [
        Picture(cards("5C JK JK 8C"), wrong=True),
        Picture(cards("7S 8S"), lacks=cards("9S")),
        Picture(cards("7H"), add=cards("8H"), back=True),
    ]
    lines = await drawn(PictureRow(pictures, FRENCH), lambda row: None, (90, 10))
    wanted = ("5♣", "★6♣", "★7♣", "8♣", "7♠", "8♠", "9♠", "7♥", "8♥")
    places = [lines[0].index(word) for word in wanted]
    assert places == sorted(places)
    assert lines[1].index("✕ no") < places[4]
    assert lines[1].count("+") == 2


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


async def test_until_three_deals_are_played_totals_are_bars_whose_last_part_is_what_the_deal_added() -> None:
    rows = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(10, 40), (20, 40)]))
    assert [row.split()[:2] for row in rows[:2]] == [["Ann", "20"], ["Bob", "40"]], "the best first"
    assert 0 < rows[0].count("▒") == rows[0].count("█")
    assert "█" not in rows[1]
    below = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(-50, 50)]))
    assert below[0].rindex("█") < below[1].index("█"), "totals below nothing have bars to the left"


async def test_points_of_a_handicap_are_not_what_the_first_deal_added() -> None:
    rows = await drawn(chart := ScoreChart(), lambda _: chart.show(("Ann", "Bob"), [(60, 60)], starts=(50, 0)))
    assert rows[0].count("▒") == pytest.approx(5 * rows[0].count("█"), abs=3)
    assert "▒" not in rows[1]
