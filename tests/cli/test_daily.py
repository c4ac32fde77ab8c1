import json
from collections.abc import Sequence

import pytest

from kalooki_tui.cli import play as cli_play
from kalooki_tui.cli import running
from tests.commands import Run


def test_a_day_is_told_without_its_par_as_long_as_nobody_has_played_it(run: Run) -> None:
    told = run("daily", "--day", "2026-01-02")
    assert told.code == 0
    assert (told.out + told.err).startswith("Daily deal, 2 Jan 2026: game ")
    assert "Nobody has played it here yet" in (told.out + told.err)
    assert "AI players" not in (told.out + told.err)


def test_programs_are_told_everything(run: Run) -> None:
    data = json.loads(run("daily", "--day", "2026-01-02", "--json").out)
    assert set(data["par"]) == {"club", "expert"}
    assert data["played"] == []
    assert json.loads(run("daily", "--list", "--json").out) == {"days": []}
    assert run("daily", "--list").out == "No daily deal has been played here yet.\n"


def test_people_of_a_duplicate_match_are_as_many_as_like(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plays at a table of their own, so it does not matter how many seats the game is for."""
    begun: list[Sequence[str]] = []
    monkeypatch.setattr(cli_play, "has_screen", lambda: True)
    monkeypatch.setattr(
        running, "run_app", lambda way: begun.append([seat.name for seat in way.arguments[0].seats if seat.is_human])
    )
    names = ["Ann", "Bob", "Cy", "Dee"]
    for ruleset, people in (("baby", names[:2]), ("tuluki", names)):
        named = [part for name in people for part in ("--seat", name)]
        told = run("play", "--duplicate", "--ruleset", ruleset, *named)
        assert (told.code, begun.pop()) == (0, people)


def test_a_daily_deal_is_played_by_lines_in_a_name_that_can_be_one(run: Run) -> None:
    told = run("daily", "--plain", "--day", "2026-01-02", "--name", "ai:club")
    assert "holds a colon" in told.err
    told = run("daily", "--plain", "--day", "2026-01-02", "--name", "Ann")
    assert told.code == 0
    assert "Jamaican Kalooki. Ann; Ada, played by ai:club" in (told.out + told.err)
    assert "Game 1 of 1: " in (told.out + told.err)
    assert "Ann: has begun" in run("daily", "--day", "2026-01-02").out


def test_a_duplicate_match_by_lines_says_what_it_needs(run: Run) -> None:
    told = run("play", "--duplicate", "--plain")
    assert told.code == 2
    assert "name each with --seat" in (told.out + told.err)
    told = run("play", "--duplicate", "--plain", "--ruleset", "baby", "--seat", "Ann", "--seat", "Bob")
    assert told.code == 0
    assert "Ann plays next. Press enter when nobody else is looking:" in (told.out + told.err)
