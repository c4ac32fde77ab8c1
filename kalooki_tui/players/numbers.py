"""Arithmetic that comes to the same number on every machine, to the last bit.

Players compare sums that are often equal, so a last bit that differs makes another choice. Additions, products,
quotients and roots are the same everywhere; the powers of a system's mathematical library are not, and from Python
3.12 on `sum` adds up otherwise than before. The native core does the very same (`playouts/core/plans.c`).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ldexp
from typing import Final

#: The logarithm of 2 in two parts: products of the first one with whole numbers up to 2^20 are exact.
_LOG_2: Final = float.fromhex("0x1.62e42fee00000p-1")
_LOG_2_REST: Final = float.fromhex("0x1.a39ef35793c76p-33")
_HALVINGS: Final = float.fromhex("0x1.71547652b82fep+0")
_TERMS: Final = tuple(map(float, range(13, 0, -1)))
#: The normal distribution's density at its peak, and its tail by Abramowitz and Stegun, 26.2.17.
_PEAK: Final = 0.3989422804014327
_TAIL_PLACE: Final = 0.2316419
_TAIL: Final = (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530)
#: Below this the power counts as nothing.
_LEAST: Final = -700.0


def power_of_e(exponent: float) -> float:
    """Return e to the power of a number that is not above 0; 0 below e to the power of -700."""
    if exponent < _LEAST:
        return 0.0
    halvings = int(0.5 - exponent * _HALVINGS)
    rest = (exponent + halvings * _LOG_2) + halvings * _LOG_2_REST
    power = 1.0
    for term in _TERMS:
        power = 1.0 + power * rest / term
    return ldexp(power, -halvings)


def added_up(numbers: Iterable[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total


def hoped_for(behind: float) -> float:
    """Return the normal loss function, to seven places: the mean of max(0, x - `behind`) for a standard normal x."""
    if behind < 0:
        return hoped_for(-behind) - behind
    place, tail = 1.0 / (1.0 + _TAIL_PLACE * behind), 0.0
    for weight in _TAIL:
        tail = (tail + weight) * place
    return _PEAK * power_of_e(-behind * behind / 2) * (1.0 - behind * tail)
