from dataclasses import replace

import pytest

from kalooki_tui.engine.rules import Referee
from kalooki_tui.playouts import PlayoutFault, available
from kalooki_tui.rulesets.loader import make_settings
from kalooki_tui.table import simulation as native
from kalooki_tui.table.simulation import MatchNotes, Simulation, is_for_core, plan_simulation, play_one


def for_core(simulation: Simulation) -> bool:
    return is_for_core(simulation.rules, simulation.seats)


needs_core = pytest.mark.skipif(not available(), reason="there is no C compiler here")


def plan(ruleset: str, seats: tuple[str, ...], referee: Referee = Referee.STRICT) -> Simulation:
    return plan_simulation(ruleset=ruleset, seats=seats, matches=2, seed=11, referee=referee, deal=1)


def untimed(notes: MatchNotes) -> MatchNotes:
    return replace(notes, seconds={})


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
    simulation = plan(ruleset, ("ai:club", "ai:expert", *third), referee)
    ahead = play_one(simulation, 0)
    assert ahead.seconds == {}
    monkeypatch.setattr(native, "available", lambda: False)
    usual = play_one(simulation, 0)
    assert usual.seconds
    assert untimed(ahead) == untimed(usual)


@needs_core
def test_where_the_core_gives_up_the_players_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = plan("kalookie-40", ("ai:club", "ai:club"))
    usual = play_one(simulation, 0)

    def fail(*_: object, **__: object) -> None:
        raise PlayoutFault("The native core gave up: there is not enough memory.")

    monkeypatch.setattr(native, "play_deal", fail)
    notes = play_one(simulation, 0)
    assert notes.notices == ["The native core gave up: there is not enough memory."]
    assert replace(notes, notices=[]) == usual


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
    assert for_core(plan("kalookie-40", seats)) is is_native


def test_calls_in_a_race_are_not_for_the_core() -> None:
    simulation = plan("kalookie-40", ("ai:club", "ai:club"))
    assert for_core(simulation)
    assert not for_core(replace(simulation, settings=make_settings(simulation.ruleset, {"race": True})))
