"""Intervals: against known values, and against what they promise."""

from __future__ import annotations

import random

import pytest

from kalooki_tui.table.estimates import Estimate, quantile, ratio


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (5, 2.571), (11, 2.201), (20, 2.086), (30, 2.042), (120, 1.980), (10**6, 1.960)]
)
def test_quantiles_are_the_ones_of_the_tables(freedom: int, value: float) -> None:
    assert quantile(freedom) == pytest.approx(value, abs=0.0006)


def test_an_average_of_equal_groups_is_the_usual_one() -> None:
    found = ratio([(1, 1), (2, 1), (3, 1), (6, 1)])
    assert found is not None
    assert found.value == 3
    # Sample variance 14/3, four groups: the error is sqrt(14/12), times the quantile for three degrees of freedom.
    assert found.half == pytest.approx(3.182 * (14 / 12) ** 0.5)


def test_groups_are_counted_once_however_often_they_repeat_within() -> None:
    once, thrice = ratio([(1, 1), (0, 1), (1, 1)]), ratio([(3, 3), (0, 3), (3, 3)])
    assert once == thrice


def test_nothing_and_one_group() -> None:
    assert ratio([]) is None
    assert ratio([(0, 0)]) is None
    assert ratio([(3, 2)]) == Estimate(1.5, None, None)
    assert Estimate(1.5, None, None).half is None


def test_nineteen_in_twenty_intervals_hold_the_truth() -> None:
    dice = random.Random(5)
    held = 0
    for _ in range(1000):
        groups = []
        for _ in range(25):
            luck, size = dice.random(), dice.randint(1, 6)
            groups.append((sum(dice.random() < luck for _ in range(size)), size))
        found = ratio(groups)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5 <= found.high
    assert 925 <= held <= 970
