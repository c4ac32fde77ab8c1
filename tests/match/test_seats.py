import sys
from shlex import quote

import pytest

from kalooki_tui.match.seating import parse_seats


def test_people_ai_seats_and_programs() -> None:
    bot = f"exec:{quote(sys.executable)} -c 'pass' --level=3"
    plans = parse_seats(["Ann", "ai:club", "Bob=ai:novice", bot, f"Zed={bot}"])
    assert [plan.name for plan in plans] == ["Ann", "Ada", "Bob", "Bea", "Zed"]
    assert [plan.is_human for plan in plans] == [True, False, False, False, False]
    assert [plan.is_outside for plan in plans] == [False, False, False, True, True]
    assert plans[3].command == plans[4].command == (sys.executable, "-c", "pass", "--level=3")
    assert (plans[1].level, plans[2].level) == ("club", "novice")


def test_spare_names_leave_out_the_taken_ones() -> None:
    assert [plan.name for plan in parse_seats(["ai:club", "ada", "BEA=ai:club"])] == ["Cy", "ada", "BEA"]


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        (["exec:"], "exec: needs a command"),
        (["exec:   "], "exec: needs a command"),
        (["exec:cat\n"], "exec: needs a command"),
        (["Bob=exec:cat 'x"], "is not a command: No closing quotation"),
        (["exec:no-such-program-here --x"], "seat Ada: there is no program 'no-such-program-here'"),
        (["ai:wizard"], "seat Ada: a player is human, ai:novice"),
        (["ai:novice/caller"], "seat Ada: there is no AI level 'novice/caller'"),
        (["ai:club/wizard"], "seat Ada: there is no AI level 'club/wizard'"),
        (["Bob=robot"], "seat Bob: a player is human"),
        (["ai:club"] * 12, "11 seats at most can be at a table, not 12"),
        (["Ann", "ann"], "'Ann' and 'ann' differ only in capital letters"),
        (["Ann Lee", "Ann Lee=ai:club"], "two seats are called 'Ann Lee'"),
        (["Ann  Lee"], "has extra spaces"),
        (["Ann =ai:club"], "has extra spaces"),
        (["A" * 41], "longer than 40 characters"),
        (["=ai:club"], "a seat needs a name"),
        ([""], "a seat needs a name"),
    ],
)
def test_wrong_seats(seats: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_seats(seats)
