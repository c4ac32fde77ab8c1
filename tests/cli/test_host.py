import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kalooki_tui.cli import host as cli_host
from kalooki_tui.cli import play
from kalooki_tui.cli import play as cli_play
from kalooki_tui.engine.rules import Referee
from kalooki_tui.hosting.doors import HostedTable
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.session.plan import MatchPlan, begin_match
from kalooki_tui.storage.kept import Doorway, Hosted, HostedFile
from kalooki_tui.storage.match_store import Store
from tests.commands import Run


@pytest.fixture
def houses() -> list[HostedTable]:
    return []


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, houses: list[HostedTable]) -> list[MatchPlan]:
    monkeypatch.setattr(cli_host, "has_screen", lambda: True)
    plans: list[MatchPlan] = []

    def run_app(way: object, make: Callable[[object], Any]) -> None:
        app = make(way)
        plans.append(app.lobby.plan)
        houses.append(app.hosted)

    monkeypatch.setattr(play, "run_app", run_app)
    return plans


def test_an_evening_is_as_long_at_several_screens(run: Run, opened: list[MatchPlan]) -> None:
    order = "host --seat Ann --seat Bob@ --seat ai:club --deals 1-2 --handicap Ann=-50 --referee penalties --minutes 30"
    result = run(*order.split(), "--clock", "20")
    assert result.code == 0, result.err
    (plan,) = opened
    assert plan.options == ("deals=1-2",)
    assert plan.settings == {"handicap": (-50, 0, 0)}
    assert (plan.referee, plan.minutes, plan.answer_seconds) == (Referee.PENALTIES, 30, 20)


def test_what_cannot_be_is_said_before_anything_opens(run: Run, opened: list[MatchPlan]) -> None:
    three = "--seat Ann --seat Bob@ --seat ai:club"
    for order, says in (
        ("--seat Ann --seat Bob --seat ai:club", "--seat NAME@"),
        (f"{three} --handicap Zoe=5", "names no seat"),
        (f"--table {three}", "nobody sits at this screen"),
        (f"--no-ssh --no-web {three}", "no way in"),
    ):
        result = run("host", *order.split())
        assert (result.code, says in result.err) == (2, True), order
    assert opened == []


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_driver_of_the_framework_is_a_terminal(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    if is_terminal:
        monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert cli_host.has_screen() is is_terminal


@pytest.mark.parametrize(
    ("order", "doorway"),
    [
        ("", Doorway(("127.0.0.1",), None, 8765, ("table.example",))),
        ("--web-port 9000 --name other.example", Doorway(("127.0.0.1",), None, 9000, ("other.example",))),
        ("--ssh-port 2200 --listen 127.0.0.2", Doorway(("127.0.0.2",), 2200, 8765, ("table.example",))),
    ],
)
def test_a_match_that_was_left_is_found_where_it_was_unless_it_is_told_otherwise(
    run: Run, order: str, doorway: Doorway, opened: list[MatchPlan], houses: list[HostedTable]
) -> None:
    with Store.open() as store:
        plan = MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club"]), own_screens=("Bob",))
        live = begin_match(store, plan)
        HostedFile.of(live.id).save(Hosted(("127.0.0.1",), None, 8765, ("table.example",), code="ABCDEF"))
        live.close()
    result = run("host", "--match", live.id, *order.split())
    assert result.code == 0, result.err
    assert [(hosted._doorway, hosted.guests.code) for hosted in houses] == [(doorway, "ABCDEF")]


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
    begun: list[Sequence[str]] = []
    monkeypatch.setattr(cli_play, "has_screen", lambda: True)
    monkeypatch.setattr(
        play, "run_app", lambda way: begun.append([seat.name for seat in way.arguments[0].seats if seat.is_human])
    )
    names = ["Ann", "Bob", "Cy", "Dee"]
    for ruleset, people in (("baby", names[:2]), ("tuluki", names)):
        named = [part for name in people for part in ("--seat", name)]
        told = run("play", "--duplicate", "--ruleset", ruleset, *named)
        assert (told.code, begun.pop()) == (0, people)
    told = run("play", "--ruleset", "kalookie-40", "--seat", "Ann", "--seat", "Bob", "--referee", "penalties")
    assert (told.code, "Kalookie 40 is played with the strict referee only" in told.err) == (2, True)


def test_a_daily_deal_is_played_by_lines_in_a_name_that_can_be_one(run: Run) -> None:
    told = run("daily", "--plain", "--day", "2026-01-02", "--name", "ai:club")
    assert "holds a colon" in told.err
    told = run("daily", "--plain", "--day", "2026-01-02", "--name", "Ann")
    assert told.code == 0
    assert "game 5. Ann; Ada, played by ai:club" in (told.out + told.err)
    assert "Game 5: four threes. " in (told.out + told.err)
    assert "Ann: has begun" in run("daily", "--day", "2026-01-02").out


def test_a_duplicate_match_by_lines_says_what_it_needs(run: Run) -> None:
    told = run("play", "--duplicate", "--plain")
    assert told.code == 2
    assert "name each with --seat" in (told.out + told.err)
    told = run("play", "--duplicate", "--plain", "--ruleset", "baby", "--seat", "Ann", "--seat", "Bob")
    assert told.code == 0
    assert "Ann plays next. Press enter when nobody else is looking:" in (told.out + told.err)


def test_without_a_terminal_the_table_stands_by_itself_until_a_signal(home: object) -> None:
    doors, seats = "--listen 127.0.0.1 --web-port 0 --no-ssh --code 7QK4", "--seat Ann@ --seat ai:club --seat ai:club"
    command = [sys.executable, "-m", "kalooki_tui", "host", *doors.split(), *seats.split(), "--ruleset", "baby"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        address, code = program.stdout.readline(), program.stdout.readline()
        assert (address.startswith("http://127.0.0.1:"), code) == (True, "code  7QK4\n")
        with urllib.request.urlopen(f"{address.strip()}?code=7QK4") as page:
            assert b"I am Ann" in page.read()
        program.send_signal(signal.SIGTERM)
        try:
            assert program.wait(20) == 0
        finally:
            program.kill()
