"""A mean of numbers from playouts, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct


class Mean(Struct, frozen=True):
    """Points a deal on average, over so many worlds."""

    points: float
    deviation: float
    """Of one world."""
    worlds: int

    @property
    def error(self) -> float:
        return self.deviation / sqrt(self.worlds)

    def after(self, worlds: int) -> Mean:
        """Return the mean as it would be if it went on like this until so many worlds."""
        return Mean(self.points, self.deviation, worlds)

    def is_beyond(self, points: float, errors: float) -> bool:
        """Check that it exceeds these points by so many standard errors."""
        return self.points - errors * self.error > points


def mean_of(numbers: Sequence[float]) -> Mean:
    return Mean(fmean(numbers), stdev(numbers) if len(numbers) > 1 else 0.0, len(numbers))


def mean_gain(mine: Sequence[float], other: Sequence[float]) -> Mean:
    """Return the gain of one choice over another in the worlds of both; of their margins the lower is better."""
    return mean_of([its - own for own, its in zip(mine, other, strict=False)])
