from msgspec.structs import replace

from kalooki_tui.players.belief import usual_distances
from tests.players.simulate import rules_for


def test_a_game_of_ones_own_borrows_the_counts_of_the_same_contract() -> None:
    usual = rules_for("jamaican", 4)
    own = replace(usual, ruleset=replace(usual.ruleset, id="a-game-of-ones-own"))
    for number, contract in enumerate(usual.ruleset.deals, 1):
        known = usual_distances(usual, number, contract, 3, 1)
        assert sum(known) > 0
        assert usual_distances(own, 1, contract, 3, 1) == known
    nowhere = replace(usual.ruleset.deals[0], sets=7)
    assert usual_distances(own, 1, nowhere, 3, 1) == ()


def test_hands_come_nearer_with_turns_and_calls() -> None:
    rules = rules_for("jamaican", 4)
    contract = rules.ruleset.deals[2]

    def mean(turns: int, calls: int) -> float:
        counts = usual_distances(rules, 3, contract, turns, calls)
        return sum(away * count for away, count in enumerate(counts)) / sum(counts)

    assert mean(6, 0) < mean(3, 0) < mean(0, 0)
    assert mean(3, 2) < mean(3, 0)
    assert mean(500, 0) == mean(499, 0)
