"""Native core as a library, called through `ctypes`; a call lets go of the interpreter, so threads play at once."""

from __future__ import annotations

import ctypes
from array import array
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

from kalooki_tui.playouts.compiler import LIBRARY
from kalooki_tui.playouts.marshal import RULES
from kalooki_tui.playouts.worlds import COMMON, FEATURES, OF_CARD, OF_LAYING, WEIGHTS

#: What `kalooki_version` must say: raised when a call or the order of its numbers changes.
VERSION: Final = 10
#: What `kalooki_fields` must say: the names of the numbers that are handed over, in their order.
FIELDS: Final = "; ".join(" ".join(names) for names in (RULES, WEIGHTS, COMMON, OF_CARD, OF_LAYING))

_FAULTS: Final = {
    1: "the deal that was handed over makes no sense",
    2: "there are more cards, melds or ways than it has room for",
    3: "a first action is not allowed",
    4: "the deal does not end",
    5: "there is not enough memory",
}
MOST_TRACE: Final = 1 << 18
"""Numbers that the actions of one deal may take."""
TRIAL_ROW: Final = 4 + FEATURES
MOST_TRIALS: Final = 200


class PlayoutFault(Exception):
    """Failure of the native core, or its absence; the message is one sentence."""


class Start(NamedTuple):
    """Deal to play from, as numbers, with the rules' handle and the seats' styles."""

    rules: int
    styles: array[float]
    deal: array[int]
    seats: int

    @property
    def arguments(self) -> tuple[object, ...]:
        return ctypes.c_void_p(self.rules), _pointer(self.styles), *_sized(self.deal)


class Library:
    def __init__(self) -> None:
        self._core = ctypes.CDLL(str(LIBRARY))
        self._core.kalooki_rules.restype = ctypes.c_void_p
        self._core.kalooki_fields.restype = ctypes.c_char_p
        version = self._core.kalooki_version()
        if version != VERSION:
            raise OSError(f"its version is {version}, not {VERSION}")
        if self._core.kalooki_fields().decode() != FIELDS:
            raise OSError("it reads other numbers than are handed to it")

    def rules(self, numbers: array[int]) -> int:
        """Make rules ready, and return their handle; it lives as long as the process."""
        handle: int | None = self._core.kalooki_rules(*_sized(numbers))
        if not handle:
            raise PlayoutFault("The native core cannot play by these rules.")
        return handle

    def advise(self, rules: int, numbers: array[float]) -> int:
        number: int = self._core.kalooki_advise(ctypes.c_void_p(rules), *_sized(numbers))
        if not number:
            raise PlayoutFault("The native core cannot read what experts have learnt.")
        return number

    def playouts(
        self, start: Start, worlds: array[int], count: int, first: int, ways: list[list[int]], seed: int, *, apart: bool
    ) -> tuple[array[int], int]:
        """Return by way and world the points by seat, who went out (or -1), and void; and the steps taken."""
        steps, joined = ctypes.c_uint64(), array("i", chain.from_iterable(ways))
        results = array("i", bytes(4 * len(ways) * max(1, count) * (start.seats + 2)))
        fault = self._core.kalooki_playouts(
            *start.arguments, *_sized(worlds), count, first, *_sized(joined), len(ways), ctypes.c_uint64(seed), apart,
            _pointer(results), ctypes.byref(steps),
        )  # fmt: skip
        _check(fault)
        return results, steps.value

    def record(self, start: Start, way: array[int], seed: int) -> tuple[array[int], array[int]]:
        """Return the numbers of a deal's actions, and its result as above."""
        trace, results = array("i", bytes(4 * MOST_TRACE)), array("i", bytes(4 * (start.seats + 2)))
        size = ctypes.c_int()
        fault = self._core.kalooki_record(
            *start.arguments, *_sized(way), ctypes.c_uint64(seed), *_sized(trace), ctypes.byref(size), _pointer(results)
        )
        _check(fault or (2 if size.value > MOST_TRACE else 0))
        return trace[: size.value], results

    def worlds(
        self, start: Start, belief: array[int], leanings: array[float], count: int, first: int, seed: int, room: int
    ) -> tuple[array[int], int]:
        """Return hidden cards dealt anew, as `playouts` reads them, `room` numbers each; and the steps taken."""
        steps, worlds = ctypes.c_uint64(), array("i", bytes(4 * count * room))
        fault = self._core.kalooki_worlds(
            *start.arguments, *_sized(belief), _pointer(leanings), count, first, ctypes.c_uint64(seed),
            _pointer(worlds), room, ctypes.byref(steps),
        )  # fmt: skip
        _check(fault)
        return worlds, steps.value

    def trials(self, start: Start, rates: array[float], stocks: int, seed: int) -> tuple[array[float], array[int]]:
        """Return rows of `TRIAL_ROW` numbers, one per tried choice, and the deal's result as above."""
        rows, results = array("d", bytes(8 * MOST_TRIALS * TRIAL_ROW)), array("i", bytes(4 * (start.seats + 2)))
        size = ctypes.c_int()
        fault = self._core.kalooki_trials(
            *start.arguments, _pointer(rates), stocks, ctypes.c_uint64(seed), _pointer(rows), MOST_TRIALS,
            ctypes.byref(size), _pointer(results),
        )  # fmt: skip
        _check(fault)
        return rows[: size.value * TRIAL_ROW], results


def _pointer(numbers: array[int] | array[float]) -> ctypes.c_void_p:
    return ctypes.c_void_p(numbers.buffer_info()[0])


def _sized(numbers: array[int] | array[float]) -> tuple[ctypes.c_void_p, int]:
    return _pointer(numbers), len(numbers)


def _check(fault: int) -> None:
    if fault:
        raise PlayoutFault(f"The native core gave up: {_FAULTS.get(fault, f'fault {fault}')}.")


@cache
def load() -> Library | str:
    """Load the library, or return one sentence that says why that is impossible."""
    if not LIBRARY.exists():
        return "The native core has not been built here, so the game runs without it."
    try:
        return Library()
    except (OSError, AttributeError) as error:
        return f"The native core cannot be loaded ({error}), so the game runs without it."


def loaded() -> Library:
    """Return the library, or raise PlayoutFault."""
    library = load()
    if isinstance(library, str):
        raise PlayoutFault(library)
    return library
