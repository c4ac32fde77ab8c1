from typing import Any

import pytest

from kalooki_tui.records.playback import difference, identical


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"Ann": 1}, {"Ann": 1}, True),
        ({"Ann": 1, "Bob": 2}, {"Bob": 2, "Ann": 1}, True),
        ({"Ann": 1}, {"Ann": True}, False),
        ({"Ann": 1}, {"Ann": 1.0}, False),
        ({"Ann": 1}, {"Ann": 1, "Bob": 2}, False),
        ({"Ann": 1, "Bob": 2}, {"Ann": 1}, False),
        (["Ann"], ["Ann"], True),
        (["Ann"], ["Ann", "Bob"], False),
        (["Ann", "Bob"], ["Ann"], False),
        ([0], [False], False),
        (None, False, False),
    ],
)
def test_only_the_same_json_is_identical(one: Any, other: Any, same: bool) -> None:
    assert identical(one, other) is same


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"do": "Ann: draw stock", "got": "7C"}, None),
        ({"do": "ann: DRAW stock", "got": "7c"}, None),
        ({"do": "Ann: draw stock"}, None),
        ({"do": "Ann: draw stock", "got": "8C"}, 'got is "7C" here, not "8C"'),
        ({"do": "Ann: draw stock", "got": "7C", "refused": "draw.dead"}, "nothing was refused here"),
        ({"do": "Ann: draw stock", "charged": 0}, "nothing was charged here"),
        ({"void": 1}, 'what follows here is {"do": "Ann: draw stock", "got": "7C"}'),
    ],
)
def test_the_difference_is_said(given: dict[str, Any], says: str | None) -> None:
    assert difference(given, {"do": "Ann: draw stock", "got": "7C"}) == says


def test_a_card_that_nothing_gave_is_a_difference() -> None:
    assert difference({"do": "Ann: pass", "got": "7C"}, {"do": "Ann: pass"}) == "nothing was got here"
