import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from kalooki_tui.engine.rules import Referee
from kalooki_tui.records.verifying import verify_files
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.table.results import Times, contract_rows, player_rows, results_data, summarise, time_rows
from kalooki_tui.table.simulation import (
    WITHOUT_CORE,
    MatchNotes,
    Simulation,
    plan_simulation,
    play_one,
    simulate,
    single_deal,
)


def plan(
    ruleset: str = "baby",
    seats: tuple[str, ...] = ("ai:club", "ai:novice", "ai:novice"),
    matches: int = 6,
    deal: int | None = None,
    folder: Path | None = None,
) -> Simulation:
    return plan_simulation(ruleset=ruleset, seats=seats, matches=matches, seed=3, deal=deal, folder=folder)


def without_times(notes: MatchNotes) -> MatchNotes:
    counts = {player: len(seconds) for player, seconds in notes.seconds.items()}
    return replace(notes, seconds=counts)  # type: ignore[arg-type]


def test_processes_change_nothing() -> None:
    simulation = plan()
    alone, together = list(simulate(simulation, 1)), list(simulate(simulation, 2))
    assert [without_times(notes) for notes in alone] == [
        without_times(notes) for notes in sorted(together, key=lambda notes: notes.number)
    ]
    results = [results_data(summarise(simulation, played)) for played in (alone, together)]
    for result in results:
        for times in result.pop("times").values():
            assert times["decisions"] > 0
            assert 0 <= times["median_ms"] <= times["p99_ms"] <= times["longest_ms"]
    assert results[0] == results[1]


def test_a_player_whose_decisions_were_played_ahead_has_no_times() -> None:
    simulation = plan(matches=3)
    played = list(simulate(simulation, 1))
    for notes in played:
        del notes.seconds["ai:novice"]
    results = summarise(simulation, played)
    assert results.times["ai:novice"] == Times(0, 0.0, 0.0, 0.0)
    assert [row[0] for row in time_rows(results)] == ["player", "ai:club"]


def test_each_shuffle_is_played_in_each_rotation(tmp_path: Path) -> None:
    simulation = plan(folder=tmp_path)
    assert (simulation.rotations, simulation.shuffles) == (3, 2)
    played = list(simulate(simulation))
    assert [notes.shuffle for notes in played] == [0, 0, 0, 1, 1, 1]
    assert {notes.players.index("ai:club") for notes in played[:3]} == {0, 1, 2}
    records = [path.read_text(encoding="utf-8").splitlines() for path in sorted(tmp_path.iterdir())]
    dealt = [list(json.loads(lines[1])["hands"].values()) for lines in records]
    assert dealt[0] == dealt[1] == dealt[2] != dealt[3]
    assert dealt[3] == dealt[4] == dealt[5]
    names = [list(json.loads(lines[1])["hands"]) for lines in records]
    assert names[:3] == [["Ada", "Bea", "Cy"], ["Bea", "Cy", "Ada"], ["Cy", "Ada", "Bea"]]


@pytest.mark.parametrize(
    ("players", "rotations"), [("a a a a", 1), ("a b a b", 2), ("a b b b", 4), ("a a b b", 4), ("a b c", 3)]
)
def test_rotations_until_the_players_sit_as_at_first(players: str, rotations: int) -> None:
    seats = tuple(replace(seat, player=player) for seat, player in zip(plan(seats=("ai:club",) * 4).seats,
                  players.split(), strict=False))  # fmt: skip
    assert replace(plan(), seats=seats[: len(players.split())]).rotations == rotations


@pytest.mark.parametrize("referee", list(Referee))
@pytest.mark.parametrize("deal", [None, 4])
def test_records_verify(tmp_path: Path, referee: Referee, deal: int | None) -> None:
    simulation = plan_simulation(
        ruleset="kalooki-short",
        seats=("ai:novice",) * 4,
        matches=3,
        seed=8,
        options=("six-jokers",),
        referee=referee,
        deal=deal,
        folder=tmp_path,
    )
    played = list(simulate(simulation))
    verdicts = list(verify_files(map(str, sorted(tmp_path.iterdir()))))
    assert len(verdicts) == 3
    assert all(verdict.ok for verdict in verdicts)
    for notes, path in zip(played, sorted(tmp_path.iterdir()), strict=True):
        last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
        assert tuple(last["result"]["totals"].values()) == notes.totals


def test_single_deals_play_one_contract() -> None:
    simulation = plan("jamaican", ("ai:novice",) * 3, matches=3, deal=9)
    assert [(contract.sets, contract.runs) for contract in simulation.ruleset.deals] == [(0, 4)]
    results = summarise(simulation, simulate(simulation))
    assert [contract.deal for contract in results.contracts] == [9]
    assert results.deals - results.void + results.passed_over == 3


@pytest.mark.parametrize("deal", [0, 4, -1])
def test_a_contract_that_is_not_there(deal: int) -> None:
    with pytest.raises(ValueError, match="Baby Kalooki has no deal"):
        single_deal(load_ruleset("baby"), deal)


def test_results_add_up() -> None:
    simulation = plan(matches=6)
    played = list(simulate(simulation))
    results = summarise(simulation, played)
    club, novice = results.players
    assert (club.player, club.seats, novice.player, novice.seats) == ("ai:club", 1, "ai:novice", 2)
    assert club.estimates["match_wins"] is not None
    assert novice.estimates["match_wins"] is not None
    assert club.estimates["match_wins"].value + 2 * novice.estimates["match_wins"].value == pytest.approx(1)
    assert club.estimates["deals_won"] is not None
    assert novice.estimates["deals_won"] is not None
    assert club.estimates["deals_won"].value + 2 * novice.estimates["deals_won"].value == pytest.approx(1)
    points = sum(sum(deal.points) for notes in played for deal in notes.deals)
    assert sum(sum(notes.totals) for notes in played) == points
    assert novice.estimates["points_a_deal"] is not None
    assert club.estimates["points_a_deal"] is not None
    scored = results.deals - results.void
    assert (
        club.estimates["points_a_deal"].value + 2 * novice.estimates["points_a_deal"].value
    ) * scored == pytest.approx(points)
    assert sum(contract.deals for contract in results.contracts) == results.deals == results.all_contracts.deals


def test_tables_for_people() -> None:
    simulation = plan(matches=3)
    results = summarise(simulation, simulate(simulation))
    for rows in (player_rows(results), contract_rows(results), time_rows(results)):
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1
    assert [row[0] for row in contract_rows(results)] == ["deal", "1", "2", "3", "all"]


def test_a_record_is_not_overwritten(tmp_path: Path) -> None:
    play_one(plan(matches=1, folder=tmp_path), 0)
    with pytest.raises(ValueError, match=r"baby-3-0001\.jsonl already exists"):
        plan(matches=1, folder=tmp_path)


def test_a_program_that_fails_is_told(tmp_path: Path) -> None:
    simulation = plan(seats=("exec:cat", "ai:novice", "ai:novice"), matches=1)
    results = summarise(simulation, simulate(simulation))
    [(notice, times)] = results.notices
    assert notice.startswith("The program of Ada was refused 3 times")
    assert times == 1


def crashes(simulation: Simulation, number: int) -> MatchNotes:
    """Plays a match in another process, which the second and the fifth crash with their records half written."""
    if number in (1, 4):
        path = simulation.record_path(number)
        assert path is not None
        path.write_text("half", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGSEGV)
    return play_one(simulation, number)


def test_matches_that_crash_are_played_without_the_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = ("ai:club", "ai:master/quick", "ai:novice")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    usual = plan(seats=("ai:club", "ai:expert", "ai:novice"), deal=1, folder=tmp_path / "one")
    expected = {number: play_one(usual, number) for number in range(6)}
    monkeypatch.setattr("kalooki_tui.table.simulation._play_in_worker", crashes)
    found = {one.number: one for one in simulate(plan(seats=seats, deal=1, folder=tmp_path / "two"), jobs=2)}
    assert sorted(found) == list(range(6))
    lost = [number for number, one in found.items() if one.notices == [WITHOUT_CORE]]
    assert {1, 4} <= set(lost)
    for number in lost:
        # As the expert would, since the master needs the core.
        assert (found[number].deals, found[number].totals) == (expected[number].deals, expected[number].totals)
    assert [verdict.ok for verdict in verify_files(map(str, sorted((tmp_path / "two").iterdir())))] == [True] * 6


def ends(simulation: Simulation, number: int) -> MatchNotes:
    """Plays a match in another process, which somebody ends in the second one."""
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_one(simulation, number)


def test_a_process_that_somebody_ends_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.table.simulation._play_in_worker", ends)
    with pytest.raises(ChildProcessError, match="a process that was playing was stopped from outside"):
        list(simulate(plan(deal=1), jobs=2))
