import sys
from collections.abc import Iterator

import pytest

from kalooki_tui.players import LOST, make_player
from kalooki_tui.players.processes import own_process as apart
from kalooki_tui.players.processes.own_process import InOwnProcess
from kalooki_tui.players.processes.thinker import Worker
from kalooki_tui.rulesets.loader import resolve
from kalooki_tui.table.headless import ai_players, play_match, play_text_match
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.table.table import Table, TableSetup
from tests.players.test_thinker import a_view


@pytest.fixture
def one() -> Iterator[InOwnProcess]:
    one = InOwnProcess()
    yield one
    one.close()


def test_a_master_decides_there_and_others_here(one: InOwnProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    view = a_view()
    started: list[Worker] = []

    def start() -> Worker:
        started.append(Worker())
        return started[-1]

    monkeypatch.setattr(apart, "Worker", start)
    assert one.player("expert", "x").decide(view) == make_player("expert", "x").decide(view)
    assert started == []
    master = one.player("master/quick", "x")
    assert master.decide(view) == make_player("master/quick", "x").decide(view)
    # A process that is ended is replaced without a word.
    started[0].kill()
    assert master.decide(view) == make_player("master/quick", "x").decide(view)
    assert len(started) == 2


def test_where_it_is_lost_twice_the_expert_goes_on(one: InOwnProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    view = a_view()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    master, usual = one.player("master", "x"), make_player("expert", "x").decide(view)
    found = master.decide(view)
    assert (found.action, found.notice) == (usual.action, LOST)
    # From then on no process is started.
    monkeypatch.undo()
    assert master.decide(view) == found


def test_a_match_tells_it_once(one: InOwnProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    table = Table.open(TableSetup(resolve("baby", (), 3), parse_seats(["ai:master", "ai:master", "ai:novice"]), 3))
    told: list[str] = []
    table.hear(told.append)
    play_match(table, players=ai_players(table, make=one.player))
    assert table.match.finished
    assert told == [LOST]


def test_a_match_as_text_goes_on_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    lines: list[str] = []
    play_text_match(ruleset="baby", seats=["ai:master", "ai:novice", "ai:novice"], seed=1, echo=lines.append)
    assert lines.count(LOST) == 1
    assert lines[-1].startswith("result: ")
