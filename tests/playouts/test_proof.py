"""The engine accepts what the native core plays: 200 deals of all rulesets, seats, referees and options."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from kalooki_tui.rulesets.folders import available

SCRIPT = Path(__file__).parents[2] / "scripts" / "prove_playouts.py"
RULESETS = [entry.id for entry in available()]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prove_playouts", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["prove_playouts"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_engine_accepts_every_action_and_the_players_choose_alike(script: ModuleType, ruleset: str) -> None:
    proof = script.prove_some(ruleset, 100_000, 20, 20)
    assert proof.failures == []
    assert proof.deals == 20
    assert proof.actions > 500
    # All decisions are alike but for sums that differ in their last bit.
    assert len(proof.others) <= 1, proof.others


@pytest.mark.parametrize("ruleset", RULESETS)
def test_experts_too(script: ModuleType, ruleset: str) -> None:
    proof = script.prove_some(ruleset, 200_000, 3, 1, "expert")
    assert proof.failures == []
    assert proof.compared == 3
    assert len(proof.others) <= 1, proof.others


def test_the_proof_sees_what_is_wrong(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    play = script.play_deal

    def without_the_second_action(deal: object, **given: object) -> object:
        played = play(deal, **given)
        return type(played)((played.actions[0], *played.actions[2:]), played.ending)

    monkeypatch.setattr(script, "play_deal", without_the_second_action)
    assert len(script.prove_some("jamaican", 0, 2, 0).failures) == 2
