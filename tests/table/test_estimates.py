import random
from collections.abc import Callable, Sequence

import pytest

from kalooki_tui.table.results import Estimate, quantile, ratio, share

Groups = Sequence[tuple[float, float]]


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (5, 2.571), (11, 2.201), (20, 2.086), (30, 2.042), (120, 1.980), (10**6, 1.960)]
)
def test_quantiles_are_the_ones_of_the_tables(freedom: int, value: float) -> None:
    assert quantile(freedom) == pytest.approx(value, abs=0.0006)


def test_an_average_of_equal_groups_is_the_usual_one() -> None:
    found = ratio([(1, 1), (2, 1), (3, 1), (3, 1), (6, 1)])
    assert found is not None
    assert found.value == 3
    # Sample variance 14/4, five groups: the error is sqrt(14/20), times the quantile for four degrees of freedom.
    assert found.half == pytest.approx(2.776 * (14 / 20) ** 0.5)


def test_groups_are_counted_once_however_often_they_repeat_within() -> None:
    once, thrice = ratio([(1, 1), (0, 1), (1, 1)] * 2), ratio([(3, 3), (0, 3), (3, 3)] * 2)
    assert once == thrice
    assert once is not None
    assert once.half is not None


@pytest.mark.parametrize("estimate", [ratio, share])
def test_fewer_than_five_groups_give_no_interval(estimate: Callable[[Groups], Estimate | None]) -> None:
    groups = [(1, 2), (1, 1), (0, 1), (1, 1), (0, 1)]
    assert estimate(groups[:4]) == Estimate(0.6, None, None)
    found = estimate(groups)
    assert found is not None
    assert found.low is not None


def test_the_share_of_single_observations_has_the_interval_of_wilson() -> None:
    # Sixteen of twenty-five; the clustered error has n - 1 where Wilson has n, so he would count 24 observations.
    found = share([(1, 1)] * 16 + [(0, 1)] * 9)
    assert found is not None
    z, n, p = 2.0639, 24, 0.64
    middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + (z / (2 * n)) ** 2) ** 0.5
    assert found.low == pytest.approx((middle - half) / (1 + z * z / n), abs=1e-4)
    assert found.high == pytest.approx((middle + half) / (1 + z * z / n), abs=1e-4)


@pytest.mark.parametrize("yes", [0, 1])
def test_what_was_never_seen_otherwise_is_not_certain(yes: int) -> None:
    found = share([(3 * yes, 3)] * 20)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert (found.low, found.high)[yes] == pytest.approx(yes)
    # Each group counts once, whatever its size.
    assert found.high - found.low == pytest.approx(2.093**2 / (20 + 2.093**2), abs=1e-3)


def test_a_share_that_is_the_same_in_every_group_is_certain() -> None:
    assert share([(1, 4)] * 9) == Estimate(0.25, 0.25, 0.25)


def test_nothing_and_one_group() -> None:
    assert ratio([]) is None
    assert ratio([(0, 0)]) is None
    assert ratio([(3, 2)]) == Estimate(1.5, None, None)
    assert Estimate(1.5, None, None).half is None


@pytest.mark.parametrize("estimate", [ratio, share])
def test_nineteen_in_twenty_intervals_hold_the_truth(estimate: Callable[[Groups], Estimate | None]) -> None:
    dice = random.Random(5)
    held = 0
    for _ in range(1000):
        groups = []
        for _ in range(25):
            luck, size = dice.random(), dice.randint(1, 6)
            groups.append((sum(dice.random() < luck for _ in range(size)), size))
        found = estimate(groups)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5 <= found.high
    assert 925 <= held <= 970
