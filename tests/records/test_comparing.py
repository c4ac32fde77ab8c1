from typing import Any

from kalooki_tui.records.playback import difference, identical


def test_only_the_same_json_is_identical() -> None:
    cases: tuple[tuple[Any, Any, bool], ...] = (
        ({"Ann": 1}, {"Ann": 1}, True),
        ({"Ann": 1, "Bob": 2}, {"Bob": 2, "Ann": 1}, True),
        ({"Ann": 1}, {"Ann": True}, False),
        ({"Ann": 1}, {"Ann": 1.0}, False),
        ({"Ann": 1}, {"Ann": 1, "Bob": 2}, False),
        (["Ann"], ["Ann"], True),
        (["Ann"], ["Ann", "Bob"], False),
        ([0], [False], False),
        (None, False, False),
    )
    for one, other, same in cases:
        assert identical(one, other) is identical(other, one) is same, (one, other)


def test_the_difference_is_said() -> None:
    found = {"do": "Ann: draw stock", "got": "7C"}
    cases: tuple[tuple[dict[str, Any], dict[str, Any], str | None], ...] = (
        (found, found, None),
        ({"do": "ann: DRAW stock", "got": "7c"}, found, None),
        ({"do": "Ann: draw stock"}, found, None),
        ({"do": "Ann: draw stock", "got": "8C"}, found, 'got is "7C" here, not "8C"'),
        ({**found, "refused": "draw.dead"}, found, "nothing was refused here"),
        ({"do": "Ann: draw stock", "charged": 0}, found, "nothing was charged here"),
        ({"void": 1}, found, 'what follows here is {"do": "Ann: draw stock", "got": "7C"}'),
        ({"do": "Ann: pass", "got": "7C"}, {"do": "Ann: pass"}, "nothing was got here"),
    )
    for given, there, says in cases:
        assert difference(given, there) == says
