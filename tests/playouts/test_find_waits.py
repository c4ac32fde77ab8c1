"""The search for moments at which laying or waiting is clearly better."""

from __future__ import annotations

from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.rulesets.yaml_source import write_yaml
from lab import find_waits
from lab.deals import rules_of


def test_a_moment_is_weighed_and_kept_as_its_seat_saw_it() -> None:
    rules = rules_of("jamaican")
    deal = next(find_waits.lay_downs(rules, 2, 0))
    moment = find_waits.weigh(deal, 40, "test")
    assert moment == find_waits.weigh(deal, 40, "test")
    assert moment.laid == 0
    assert moment.error > 0
    found = set_up(read_position(write_yaml({"ruleset": "jamaican", **moment.at}))).deal
    assert sorted(found.hands[0]) == sorted(deal.hands[deal.turn])
    assert found.contract == deal.contract
    assert find_waits.told([moment])["moments"] == 1
    assert find_waits.told([]) == {"moments": 0}
