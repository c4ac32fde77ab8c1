"""The native core as a library, called through `ctypes`.

A call lets go of the interpreter, so as many threads as there are cores can play at once.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final

from kalooki_tui.playouts.building import LIBRARY
from kalooki_tui.playouts.handing import RULES
from kalooki_tui.playouts.seats import COMMON, FEATURES, OF_CARD, OF_LAYING, WEIGHTS

#: What `kalooki_version` must say: raised whenever what is handed over changes.
VERSION: Final = 9
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
"""Choices of one deal that may be tried."""


class PlayoutFault(Exception):
    """Failure of the native core, or its absence; the message is one sentence."""


class Library:
    """Functions of the loaded core."""

    def __init__(self) -> None:
        library = ctypes.CDLL(str(LIBRARY))
        self._rules = library.kalooki_rules
        self._rules.restype = ctypes.c_void_p
        self._rules.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._free = library.kalooki_free
        self._free.restype = None
        self._free.argtypes = [ctypes.c_void_p]
        numbers: list[type[ctypes.c_void_p | ctypes.c_int | ctypes.c_uint64]] = [ctypes.c_void_p, ctypes.c_int]
        self._playouts = library.kalooki_playouts
        self._playouts.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, *numbers, *numbers, ctypes.c_int, ctypes.c_int, *numbers, ctypes.c_int,
            ctypes.c_uint64, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p,
        ]  # fmt: skip
        self._record = library.kalooki_record
        self._record.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, *numbers, *numbers, ctypes.c_uint64, *numbers, ctypes.c_void_p,
            ctypes.c_void_p,
        ]  # fmt: skip
        self._worlds = library.kalooki_worlds
        self._worlds.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, *numbers, *numbers, ctypes.c_void_p, ctypes.c_int, ctypes.c_int,
            ctypes.c_uint64, *numbers, ctypes.c_void_p,
        ]  # fmt: skip
        self._advise = library.kalooki_advise
        self._advise.argtypes = [ctypes.c_void_p, *numbers]
        self._trials = library.kalooki_trials
        self._trials.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, *numbers, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64, *numbers,
            ctypes.c_void_p, ctypes.c_void_p,
        ]  # fmt: skip
        version = library.kalooki_version()
        if version != VERSION:
            raise OSError(f"its version is {version}, not {VERSION}")
        library.kalooki_fields.restype = ctypes.c_char_p
        if library.kalooki_fields().decode() != FIELDS:
            raise OSError("it reads other numbers than are handed to it")

    def rules(self, numbers: array[int]) -> int:
        """Make rules ready, and return their handle; it lives as long as the process."""
        handle: int | None = self._rules(_address(numbers), len(numbers))
        if not handle:
            raise PlayoutFault("The native core cannot play by these rules.")
        return handle

    def playouts(
        self,
        rules: int,
        styles: array[float],
        deal: array[int],
        worlds: array[int],
        worlds_count: int,
        first_world: int,
        ways: array[int],
        ways_count: int,
        seed: int,
        seats: int,
        apart: bool,
    ) -> tuple[array[int], int]:
        """Return by way and world the points by seat, who went out (or -1), and void; and the steps taken."""
        steps = ctypes.c_uint64()
        results = array("i", bytes(4 * ways_count * max(1, worlds_count) * (seats + 2)))
        fault = self._playouts(
            rules, _address(styles), _address(deal), len(deal), _address(worlds), len(worlds), worlds_count,
            first_world, _address(ways), len(ways), ways_count, seed, apart, _address(results),
            ctypes.addressof(steps),
        )  # fmt: skip
        _check(fault)
        return results, steps.value

    def record(
        self, rules: int, styles: array[float], deal: array[int], ways: array[int], seed: int, seats: int
    ) -> tuple[array[int], array[int]]:
        """Return the numbers of a deal's actions, and its result as above."""
        trace, results = array("i", bytes(4 * MOST_TRACE)), array("i", bytes(4 * (seats + 2)))
        size = ctypes.c_int()
        fault = self._record(
            rules, _address(styles), _address(deal), len(deal), _address(ways), len(ways), seed, _address(trace),
            MOST_TRACE, ctypes.addressof(size), _address(results),
        )  # fmt: skip
        _check(fault or (2 if size.value > MOST_TRACE else 0))
        return trace[: size.value], results

    def worlds(
        self,
        rules: int,
        styles: array[float],
        deal: array[int],
        belief: array[int],
        leanings: array[float],
        worlds_count: int,
        first_world: int,
        seed: int,
        room: int,
    ) -> tuple[array[int], int]:
        """Return hidden cards dealt anew, as `playouts` reads them, `room` numbers each; and the steps taken."""
        steps = ctypes.c_uint64()
        worlds = array("i", bytes(4 * worlds_count * room))
        fault = self._worlds(
            rules, _address(styles), _address(deal), len(deal), _address(belief), len(belief), _address(leanings),
            worlds_count, first_world, seed, _address(worlds), room, ctypes.addressof(steps),
        )  # fmt: skip
        _check(fault)
        return worlds, steps.value

    def advise(self, rules: int, numbers: array[float]) -> int:
        """Return the number, for styles, of what experts have learnt by these rules."""
        number: int = self._advise(rules, _address(numbers), len(numbers))
        if not number:
            raise PlayoutFault("The native core cannot read what experts have learnt.")
        return number

    def trials(
        self,
        rules: int,
        styles: array[float],
        deal: array[int],
        rates: array[float],
        stocks: int,
        seed: int,
        seats: int,
    ) -> tuple[array[float], array[int]]:
        """Return rows of `TRIAL_ROW` numbers, one per tried choice, and the deal's result as above."""
        rows, results = array("d", bytes(8 * MOST_TRIALS * TRIAL_ROW)), array("i", bytes(4 * (seats + 2)))
        size = ctypes.c_int()
        fault = self._trials(
            rules, _address(styles), _address(deal), len(deal), _address(rates), stocks, seed, _address(rows),
            MOST_TRIALS, ctypes.addressof(size), _address(results),
        )  # fmt: skip
        _check(fault)
        return rows[: size.value * TRIAL_ROW], results


def _address(numbers: array[int] | array[float]) -> int:
    return numbers.buffer_info()[0]


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
    """Return the library.

    Raises:
        PlayoutFault: it could not be loaded.
    """
    library = load()
    if isinstance(library, str):
        raise PlayoutFault(library)
    return library


def joined(lists: Sequence[Sequence[int]]) -> array[int]:
    numbers = array("i")
    for one in lists:
        numbers.extend(one)
    return numbers
