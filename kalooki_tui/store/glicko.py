"""Glicko-2 ratings, after Mark E. Glickman, "Example of the Glicko-2 system" (2022), whose steps are named below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

SCALE: Final = 173.7178
"""Points of the usual scale in one of Glicko-2's own."""
MIDDLE: Final = 1500.0
TAU: Final = 0.5
"""How far the volatility may change: between 0.3 and 1.2, says the paper."""
PRECISION: Final = 1e-6


class Rating(Struct, frozen=True, forbid_unknown_fields=True):
    """How strong somebody is. Two thirds of the time the true rating lies within one deviation of `rating`.

    Within these ranges every step can be computed.
    """

    rating: Annotated[float, Meta(ge=-1000, le=4000)] = MIDDLE
    deviation: Annotated[float, Meta(ge=1, le=350)] = 350.0
    volatility: Annotated[float, Meta(ge=0.001, le=1)] = 0.06

    @property
    def words(self) -> str:
        """The rating, and how far from it the true one lies 19 times in 20."""
        return f"{self.rating:.0f} ± {2 * self.deviation:.0f}"


def rate(player: Rating, games: Sequence[tuple[Rating, float]], tau: float = TAU) -> Rating:
    """The rating after one period: its games with their scores (1, 0.5 or 0), opponents as they were before it."""
    mu, phi = _own_scale(player)
    if not games:
        return Rating(player.rating, SCALE * math.hypot(phi, player.volatility), player.volatility)
    # Step 3 and 4: the variance and the improvement that the results alone would make.
    certainty = improvement = 0.0
    for opponent, score in games:
        mu_j, phi_j = _own_scale(opponent)
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
        certainty += g**2 * expected * (1 - expected)
        improvement += g * (score - expected)
    variance = 1 / certainty
    volatility = _volatility(phi, player.volatility, variance, variance * improvement, tau)
    # Steps 6 and 7.
    phi_before = math.hypot(phi, volatility)
    phi_after = 1 / math.sqrt(1 / phi_before**2 + 1 / variance)
    return Rating(SCALE * (mu + phi_after**2 * improvement) + MIDDLE, SCALE * phi_after, volatility)


def _own_scale(rating: Rating) -> tuple[float, float]:
    return (rating.rating - MIDDLE) / SCALE, rating.deviation / SCALE


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the zero of f, by the paper's variant of regula falsi."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
