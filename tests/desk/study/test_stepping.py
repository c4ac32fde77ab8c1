"""A match's deals step by step: every step but passes, each as the table stood after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kalooki_tui.desk.study.stepping import past_deals
from kalooki_tui.engine.actions import Pass
from kalooki_tui.records.reading import open_record
from kalooki_tui.records.replaying import Replay

RECORDS = Path(__file__).parents[2] / "playthroughs"


@pytest.mark.parametrize("record", ["baby-3", "tuluki-2", "trinidad-3-penalties"])
def test_every_step_but_passes_can_be_seen(record: str) -> None:
    opened = open_record(RECORDS / f"{record}.jsonl")
    with opened.stream:
        deals = past_deals(Replay(opened))
    assert len(deals) > 1
    for deal in deals:
        steps = [deal.action(number) for number in range(len(deal))]
        assert steps == [None, *(action for action in deal.actions if not isinstance(action, Pass))]
        assert any(isinstance(action, Pass) for action in deal.actions)
        for number in range(1, len(deal)):
            assert deal.state(number).deal.history[-1] != deal.before(number).deal.history[-1]
