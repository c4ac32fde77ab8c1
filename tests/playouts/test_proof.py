import pytest

from kalooki_tui.rulesets.folders import available
from lab import prove_playouts

RULESETS = [entry.id for entry in available()]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_engine_accepts_every_action_and_the_players_choose_alike(ruleset: str) -> None:
    proof = prove_playouts.prove_some(ruleset, 100_000, 20, 20)
    assert proof.failures == []
    assert proof.deals == 20
    assert proof.actions > 500
    assert proof.others == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_experts_too(ruleset: str) -> None:
    proof = prove_playouts.prove_some(ruleset, 200_000, 3, 1, "expert")
    assert proof.failures == []
    assert proof.compared == 3
    assert proof.others == []
