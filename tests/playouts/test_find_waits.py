"""The search for moments at which laying or waiting is clearly better."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.rulesets.yaml_source import write_yaml


@pytest.fixture(name="search")
def _search() -> ModuleType:
    script = Path(__file__).parents[2] / "scripts" / "find_waits.py"
    spec = importlib.util.spec_from_file_location("find_waits", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["find_waits"] = module
    spec.loader.exec_module(module)
    return module


def test_a_moment_is_weighed_and_kept_as_its_seat_saw_it(search: ModuleType) -> None:
    rules = search.make("jamaican")
    deal = next(search.lay_downs(rules, 2, 0))
    moment = search.weigh(deal, 40, "test")
    assert moment == search.weigh(deal, 40, "test")
    assert moment.laid == 0
    assert moment.error > 0
    found = set_up(read_position(write_yaml({"ruleset": "jamaican", **moment.at}))).deal
    assert sorted(found.hands[0]) == sorted(deal.hands[deal.turn])
    assert found.contract == deal.contract
    assert search.told([moment])["moments"] == 1
    assert search.told([]) == {"moments": 0}
