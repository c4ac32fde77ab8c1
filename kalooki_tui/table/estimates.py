"""Averages with 95% confidence intervals, where what was counted comes in groups that are not independent within."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: 97.5% quantiles of Student's distribution for 1 to 10 degrees of freedom.
_SMALL: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_NORMAL: Final = 1.959964
LEAST_GROUPS: Final = 5
"""Groups from which on an interval is given: from fewer it would say next to nothing."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An average, and the ends of its 95% interval if there are enough groups."""

    value: float
    low: float | None
    high: float | None

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.high is None else self.high - self.value


def ratio(groups: Sequence[tuple[float, float]]) -> Estimate | None:
    """The sum of the first numbers over the sum of the second, one pair a group; None if there is nothing to count.

    The groups are taken as the independent observations (a clustered interval, by linearising the ratio), so that
    matches played with the same cards do not count as several.
    """
    below = sum(pair[1] for pair in groups)
    if not below:
        return None
    value = sum(pair[0] for pair in groups) / below
    counted = [pair for pair in groups if pair[1]]
    count = len(counted)
    if count < LEAST_GROUPS:
        return Estimate(value, None, None)
    half = quantile(count - 1) * _error(counted, value)
    return Estimate(value, value - half, value + half)


def share(groups: Sequence[tuple[float, float]]) -> Estimate | None:
    """Like `ratio`, for a share from 0 to 1: Wilson's interval, which stays within these bounds.

    The number of independent observations is the one that would give the clustered error. If all groups say no, or all
    say yes, that error is 0, and each group counts as one observation.
    """
    found = ratio(groups)
    if found is None or found.high is None:
        return found
    value, counted = found.value, [pair for pair in groups if pair[1]]
    error, spread = _error(counted, value), value * (1 - value)
    if error == 0 < spread:
        return Estimate(value, value, value)
    observations = spread / error**2 if error else len(counted)
    weight = quantile(len(counted) - 1) ** 2 / observations
    middle, half = value + weight / 2, math.sqrt(weight * (spread + weight / 4))
    # Rounding may lead a hair beyond the ends.
    return Estimate(value, max(0.0, (middle - half) / (1 + weight)), min(1.0, (middle + half) / (1 + weight)))


def _error(counted: Sequence[tuple[float, float]], value: float) -> float:
    """The standard error of a ratio, out of what the groups differ by."""
    count = len(counted)
    residues = math.fsum((above - value * weight) ** 2 for above, weight in counted)
    return math.sqrt(residues * count / (count - 1)) / sum(weight for _, weight in counted)


def quantile(freedom: int) -> float:
    """The 97.5% quantile of Student's distribution, to three decimals."""
    if freedom <= len(_SMALL):
        return _SMALL[freedom - 1]
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
