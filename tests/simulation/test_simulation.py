from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.rules import Referee
from kalooki_tui.playouts import PlayoutFault, available
from kalooki_tui.records.playback import verify_files
from kalooki_tui.rulesets.loader import make_settings
from kalooki_tui.simulation import runner as native
from kalooki_tui.simulation.results import (
    Estimate,
    contract_rows,
    player_rows,
    quantile,
    ratio,
    results_data,
    share,
    summarise,
    time_rows,
)
from kalooki_tui.simulation.runner import (
    MatchNotes,
    Simulation,
    is_for_core,
    plan_simulation,
    play_one,
    simulate,
)
from tests.moments import there

Groups = Sequence[tuple[float, float]]


def interval(found: Estimate | None) -> tuple[float, float]:
    """The ends of an interval that there is."""
    return there(there(found).low), there(there(found).high)


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (5, 2.571), (11, 2.201), (20, 2.086), (30, 2.042), (120, 1.980), (10**6, 1.960)]
)
def test_quantiles_are_the_ones_of_the_tables(freedom: int, value: float) -> None:
    assert quantile(freedom) == pytest.approx(value, abs=0.0006)


def test_an_average_of_equal_groups_is_the_usual_one() -> None:
    found = there(ratio([(1, 1), (2, 1), (3, 1), (3, 1), (6, 1)]))
    assert found.value == 3
    # Sample variance 14/4, five groups: the error is sqrt(14/20), times the quantile for four degrees of freedom.
    assert found.half == pytest.approx(2.776 * (14 / 20) ** 0.5)


@pytest.mark.parametrize("estimate", [ratio, share])
def test_fewer_than_five_groups_give_no_interval(estimate: Callable[[Groups], Estimate | None]) -> None:
    groups = [(1, 2), (1, 1), (0, 1), (1, 1), (0, 1)]
    assert estimate(groups[:4]) == Estimate(0.6, None, None)
    assert interval(estimate(groups))


def test_the_share_of_single_observations_has_the_interval_of_wilson() -> None:
    # Sixteen of twenty-five; the clustered error has n - 1 where Wilson has n, so he would count 24 observations.
    low, high = interval(share([(1, 1)] * 16 + [(0, 1)] * 9))
    z, n, p = 2.0639, 24, 0.64
    middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + (z / (2 * n)) ** 2) ** 0.5
    assert low == pytest.approx((middle - half) / (1 + z * z / n), abs=1e-4)
    assert high == pytest.approx((middle + half) / (1 + z * z / n), abs=1e-4)


def test_nothing_one_group_and_a_share_that_is_the_same_in_every_group() -> None:
    assert share([(1, 4)] * 9) == Estimate(0.25, 0.25, 0.25)
    assert ratio([]) is None
    assert ratio([(0, 0)]) is None
    assert ratio([(3, 2)]) == Estimate(1.5, None, None)
    assert Estimate(1.5, None, None).half is None


@pytest.mark.parametrize("estimate", [ratio, share])
def test_nineteen_in_twenty_intervals_hold_the_truth(estimate: Callable[[Groups], Estimate | None]) -> None:
    dice = random.Random(5)
    held = 0
    for _ in range(1000):
        groups = []
        for _ in range(25):
            luck, size = dice.random(), dice.randint(1, 6)
            groups.append((sum(dice.random() < luck for _ in range(size)), size))
        low, high = interval(estimate(groups))
        held += low <= 0.5 <= high
    assert 925 <= held <= 970


needs_core = pytest.mark.skipif(not available(), reason="there is no C compiler here")


@needs_core
@pytest.mark.parametrize(
    ("ruleset", "third", "referee"),
    [
        ("kalookie-40", (), Referee.STRICT),
        ("tuluki", (), Referee.STRICT),
        ("baby", ("ai:club",), Referee.STRICT),
        ("jamaican", ("ai:expert/caller",), Referee.PENALTIES),
    ],
)
def test_the_core_plays_the_very_match(
    ruleset: str, third: tuple[str, ...], referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = plan(ruleset, ("ai:club", "ai:expert", *third), deal=1, referee=referee)
    ahead = play_one(simulation, 0)
    assert ahead.seconds == {}
    monkeypatch.setattr(native, "available", lambda: False)
    usual = play_one(simulation, 0)
    assert usual.seconds
    assert dataclasses.replace(usual, seconds={}) == ahead


@needs_core
def test_where_the_core_gives_up_the_players_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = plan("kalookie-40", ("ai:club", "ai:club"), deal=1)
    usual = play_one(simulation, 0)

    def fail(*_: object, **__: object) -> None:
        raise PlayoutFault("The native core gave up: there is not enough memory.")

    monkeypatch.setattr(native, "play_deal", fail)
    notes = play_one(simulation, 0)
    assert notes.notices == ["The native core gave up: there is not enough memory."]
    assert dataclasses.replace(notes, notices=[]) == usual


@pytest.mark.parametrize(
    ("seats", "is_native"),
    [
        (("ai:club", "ai:expert/caller"), True),
        (("ai:club", "ai:novice"), False),
        (("ai:club", "ai:club/hoarder"), False),
        (("ai:club", "ai:master"), False),
        (("ai:club", "exec:true"), False),
    ],
)
def test_levels_that_leave_something_to_chance_are_not_for_the_core(seats: tuple[str, ...], is_native: bool) -> None:
    simulation = plan("kalookie-40", seats, deal=1)
    assert is_for_core(simulation.rules, simulation.seats) is is_native
    # Calls in a race are not for it.
    race = replace(simulation, settings=make_settings(simulation.ruleset, {"race": True}))
    assert not is_for_core(race.rules, race.seats)


def plan(
    ruleset: str = "baby",
    seats: tuple[str, ...] = ("ai:club", "ai:novice", "ai:novice"),
    matches: int = 6,
    deal: int | None = None,
    **others: Any,
) -> Simulation:
    return plan_simulation(ruleset=ruleset, seats=seats, matches=matches, seed=3, deal=deal, **others)


def without_times(notes: MatchNotes) -> MatchNotes:
    counts = {player: len(seconds) for player, seconds in notes.seconds.items()}
    return dataclasses.replace(notes, seconds=counts)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def played() -> list[MatchNotes]:
    """Six matches, played one after another."""
    return list(simulate(plan(), 1))


def test_processes_change_nothing(played: list[MatchNotes]) -> None:
    together = list(simulate(plan(), 2))
    assert [without_times(notes) for notes in played] == [
        without_times(notes) for notes in sorted(together, key=lambda notes: notes.number)
    ]
    results = [results_data(summarise(plan(), notes)) for notes in (played, together)]
    for result in results:
        for times in result.pop("times").values():
            assert times["decisions"] > 0
            assert 0 <= times["median_ms"] <= times["p99_ms"] <= times["longest_ms"]
    assert results[0] == results[1]


def test_each_shuffle_is_played_in_each_rotation(tmp_path: Path) -> None:
    simulation = plan(deal=1, folder=tmp_path)
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
    simulation = plan(seats=("ai:club",) * 4)
    pairs = zip(simulation.seats, players.split(), strict=False)
    seats = tuple(replace(seat, player=player) for seat, player in pairs)
    assert replace(simulation, seats=seats).rotations == rotations


@pytest.mark.parametrize(("deal", "referee"), [(None, Referee.PENALTIES), (4, Referee.STRICT)])
def test_records_verify(tmp_path: Path, referee: Referee, deal: int | None) -> None:
    simulation = plan(
        "kalooki-short", ("ai:novice",) * 4, 3, deal, options=("six-jokers",), referee=referee, folder=tmp_path
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


def test_results_add_up_and_are_told_in_tables(played: list[MatchNotes]) -> None:
    results = summarise(plan(), played)
    club, novice = results.players
    assert (club.player, club.seats, novice.player, novice.seats) == ("ai:club", 1, "ai:novice", 2)

    def both(name: str) -> float:
        return there(club.estimates[name]).value + 2 * there(novice.estimates[name]).value

    assert both("match_wins") == pytest.approx(1)
    assert both("deals_won") == pytest.approx(1)
    points = sum(sum(deal.points) for notes in played for deal in notes.deals)
    assert sum(sum(notes.totals) for notes in played) == points
    assert both("points_a_deal") * (results.deals - results.void) == pytest.approx(points)
    assert sum(contract.deals for contract in results.contracts) == results.deals == results.all_contracts.deals
    for rows in (player_rows(results), contract_rows(results), time_rows(results)):
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1
    assert [row[0] for row in contract_rows(results)] == ["deal", "1", "2", "3", "all"]
    ahead = [dataclasses.replace(notes, seconds={}) for notes in played]
    assert len(time_rows(summarise(plan(), ahead))) == 1, "what was played ahead has no times"


def test_a_record_is_not_overwritten(tmp_path: Path) -> None:
    play_one(plan(matches=1, folder=tmp_path), 0)
    with pytest.raises(ValueError, match=r"baby-3-0001\.jsonl already exists"):
        plan(matches=1, folder=tmp_path)


def ends(simulation: Simulation, number: int) -> MatchNotes:
    """Plays a match in another process, which somebody ends in the second one."""
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_one(simulation, number)


def test_a_process_that_somebody_ends_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.simulation.runner._play_in_worker", ends)
    with pytest.raises(ChildProcessError, match="a process that was playing was stopped from outside"):
        list(simulate(plan(deal=1), jobs=2))
