from collections.abc import Iterator
from pathlib import Path

import pytest

from kalooki_tui.desk.study.stepping import past_deals
from kalooki_tui.engine.match import Match
from kalooki_tui.positions.position_files import position_text, read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.records.reading import open_record
from kalooki_tui.records.replaying import Replay

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"


def moments(name: str, every: int) -> Iterator[Match]:
    record = open_record(str(PLAYTHROUGHS / name))
    with record.stream:
        deals = past_deals(Replay(record))
    for past in deals[:3]:
        for place in range(0, len(past.actions), every):
            yield past.at(place)


@pytest.mark.parametrize("name", ["jamaican-4.jsonl", "tuluki-2.jsonl"])
def test_what_is_written_is_read_as_the_same_moment(name: str) -> None:
    count = 0
    for match in moments(name, 11):
        text = position_text(match, "a moment")
        again = set_up(read_position(text))
        assert match.actor is not None
        before, after = match.view(match.actor), again.view(match.actor)
        for part in ("phase", "actor", "turn", "caller", "discard", "melds", "laid", "calls", "stock", "flip", "dead"):
            assert getattr(after, part) == getattr(before, part), (part, text)
        assert sorted(after.hand) == sorted(before.hand)
        assert again.deal.stock == match.deal.stock
        count += 1
    assert count > 5


def test_the_end_of_a_deal_is_no_position() -> None:
    record = open_record(str(PLAYTHROUGHS / "baby-3.jsonl"))
    with record.stream:
        over = past_deals(Replay(record))[0].state(-1)
    with pytest.raises(ValueError, match="no deal is being played"):
        position_text(over, "over")
