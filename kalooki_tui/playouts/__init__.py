"""Plays deals to the end with a native core, about a hundred times as fast as the engine and the players.

    from kalooki_tui.playouts import CLUB, Cards, available, endings

    if available():
        by_way = endings(deal, worlds, ways, styles=[CLUB] * 4, seed="7")
        margins = [[ending.margin(2) for ending in by_world] for by_world in by_way]

A deal is handed over as the engine holds it: any `Deal`, even one made again from a view, in which a seat is to act,
with its public `history`, since the core's seats remember from it what the players would.
*Worlds* are other hidden cards for it: `Cards(hands, stock)`, a hand for each seat and the stock with its top last, or
those that `draw_worlds` draws from what a seat knows. The hand of the seat to act is the deal's own in every world,
whatever the world says.
*Ways* are the choices to compare: each is a list of first actions, the same in every world; from then on all seats play
by their styles. Lay-downs, tacks and swaps come first in a way, and the engine makes them, once.

The result of a way in a world depends only on the deal, that world, the styles, `seed` and the world's number.
So the same worlds serve all ways, and any number of threads may share them out. A seat of the core looks at its own
hand, the table and the public events only.

Every failure is a `PlayoutFault` with one sentence; the caller can fall back on the choice of `club`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from math import sqrt
from statistics import fmean, stdev
from typing import TypeVar

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Lay, Swap, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.state import State
from kalooki_tui.playouts import library, marshal
from kalooki_tui.playouts.library import PlayoutFault, Start
from kalooki_tui.playouts.worlds import (
    CLUB,
    LIGHT,
    NOVICE,
    Cards,
    CoreSeat,
    EncodedLessons,
    Knowledge,
    Style,
    Worlds,
    numbers_of,
)

__all__ = [
    "CLUB",
    "LIGHT",
    "NOVICE",
    "Cards",
    "CoreSeat",
    "EncodedLessons",
    "Knowledge",
    "Mean",
    "PlayoutFault",
    "PlayoutRecord",
    "PlayoutResult",
    "Steps",
    "Style",
    "Worlds",
    "available",
    "draw_worlds",
    "endings",
    "mean_gain",
    "mean_of",
    "play_deal",
    "trials",
    "why_not",
]


Part = TypeVar("Part")


class Steps:
    """Count of the core's work: some 0.13 microseconds each, and the same number of them on every machine."""

    __slots__ = ("taken",)

    def __init__(self) -> None:
        self.taken = 0


class PlayoutResult(Struct, frozen=True):
    points: tuple[int, ...]
    """By seat, penalties included; zeros where the deal is void."""
    out: int | None
    void: bool

    def margin(self, seat: int) -> float:
        others = sum(self.points) - self.points[seat]
        return self.points[seat] - others / (len(self.points) - 1)


class Mean(Struct, frozen=True):
    """Points a deal on average, over so many worlds."""

    points: float
    deviation: float
    """Of one world."""
    worlds: int

    @property
    def error(self) -> float:
        return self.deviation / sqrt(self.worlds)

    def is_beyond(self, points: float, errors: float) -> bool:
        return self.points - errors * self.error > points


def mean_of(numbers: Sequence[float]) -> Mean:
    return Mean(fmean(numbers), stdev(numbers) if len(numbers) > 1 else 0.0, len(numbers))


def mean_gain(mine: Sequence[float], other: Sequence[float]) -> Mean:
    """Return the gain of one choice over another in the worlds of both; of their margins the lower is better."""
    return mean_of([its - own for own, its in zip(mine, other, strict=False)])


class PlayoutRecord(Struct, frozen=True):
    """Deal with its actions in order; with each the stock, its top last, if it was shuffled anew by it (S2)."""

    actions: tuple[tuple[Action, tuple[Card, ...] | None], ...]
    ending: PlayoutResult


def available() -> bool:
    return not why_not()


def why_not() -> str:
    """Say in one sentence why there is no core; empty: there is one."""
    found = library.load()
    return found if isinstance(found, str) else ""


def endings(
    state: State,
    worlds: Sequence[Cards] = (),
    ways: Sequence[Sequence[Action]] = ((),),
    *,
    styles: Sequence[CoreSeat] | None = None,
    seed: str = "",
    threads: int = 1,
    apart: bool = False,
    steps: Steps | None = None,
) -> list[list[PlayoutResult]]:
    """Return the endings of the deal by way and by world; without worlds, the state's cards are the only world.

    `styles`: by seat, `CLUB` by default. No state is changed. The same arguments give the same endings, whatever the
    number of threads, and add as much to `steps`.

    Raises:
        PlayoutFault: there is no core, it cannot play this contract, or it gave up.
        ValueError: the deal is over or waits for the dealer's cut, or a way has an action that is never a first one.
        Refused: the rules forbid a lay-down, tack or swap of a way.
    """
    if state.actor is None:
        raise ValueError(marshal.NOTHING_TO_PLAY)
    weights = _style_numbers(state, styles)
    found: list[list[PlayoutResult]] = [[] for _ in ways]
    for table, firsts, places in _groups(state, ways):
        if table.actor is None:
            # What the others are left with is not the same in every world.
            by_way = [_ended(state, worlds, ways[place]) for place in places]
        else:
            by_way = _played(_start(table, weights), worlds, firsts, _number(seed), threads, apart, steps or Steps())
        for place, by_world in zip(places, by_way, strict=True):
            found[place] = by_world
    return found


def _played(
    start: Start, worlds: Sequence[Cards], ways: list[list[int]], seed: int, threads: int, apart: bool, steps: Steps
) -> list[list[PlayoutResult]]:
    core = library.loaded()

    def some(first: int, size: int) -> tuple[list[list[PlayoutResult]], int]:
        numbers = numbers_of(worlds[first : first + size])
        results, taken = core.playouts(start, numbers, size, first, ways, seed, apart=apart)
        found = _read(results, start.seats)
        each = len(found) // len(ways)
        return [found[way * each : (way + 1) * each] for way in range(len(ways))], taken

    parts = _share_out(len(worlds), threads, some)
    steps.taken += sum(taken for _, taken in parts)
    return [[ending for by_way, _ in parts for ending in by_way[way]] for way in range(len(ways))]


def draw_worlds(
    state: State, knowledge: Knowledge, count: int, *, seed: str = "", threads: int = 1, steps: Steps | None = None
) -> Worlds:
    """Deal the hidden cards anew `count` times, as the seat may believe them to lie (`players.belief` prepares this).

    Of the state only what the seat sees counts: other hidden cards in it give the same worlds. The same seed gives the
    same worlds whatever the number of threads, and the first of them whatever the count, and adds as much to `steps`.

    Raises:
        PlayoutFault: there is no core, it cannot play this contract, or it gave up.
        ValueError: the deal is over or waits for the dealer's cut.
    """
    seats = len(state.hands)
    core, start = library.loaded(), _start(state, _style_numbers(state, [LIGHT] * seats))
    room = sum(map(len, state.hands)) + len(state.stock) + state.face_down + seats + 2
    belief, leanings = knowledge.numbers(), array("d", [number for by_card in knowledge.leanings for number in by_card])

    def some(first: int, size: int) -> tuple[array[int], int]:
        return core.worlds(start, belief, leanings, size, first, _number(f"worlds/{seed}"), room)

    parts = _share_out(count, threads, some)
    if steps is not None:
        steps.taken += sum(taken for _, taken in parts)
    return Worlds(sum((numbers for numbers, _ in parts), array("i")), seats, room)


def play_deal(
    state: State, first: Sequence[Action] = (), *, styles: Sequence[CoreSeat] | None = None, seed: str = ""
) -> PlayoutRecord:
    """Play one deal to its end and tell its actions, `first` included; as `endings` otherwise."""
    start = _start(state, _style_numbers(state, styles))
    trace, results = library.loaded().record(start, array("i", marshal.way_numbers(first)), _number(seed))
    return PlayoutRecord(tuple(marshal.read_trace(trace)), _read(results, start.seats)[0])


def _share_out(count: int, threads: int, work: Callable[[int, int], Part]) -> list[Part]:
    """Run `work` over all worlds in parts, one a thread; it gets the first world's number and how many."""
    size = -(-count // threads) or 1
    starts = range(0, count, size)
    if len(starts) < 2:
        return [work(0, count)]
    with ThreadPoolExecutor(len(starts)) as pool:
        return list(pool.map(lambda start: work(start, min(size, count - start)), starts))


def trials(
    state: State, *, styles: Sequence[CoreSeat], rates: Sequence[float], seed: str, stocks: int = 0
) -> tuple[list[array[float]], PlayoutResult]:
    """Play a deal and, at random, choices of its experts both ways: training data for experts (`players.learned`).

    `rates`: how often a choice of each kind is tried; `stocks`: the number of orders of the stock to try it in, each
    seat drawing from its own part; 0: the stock as it lies.
    A row is the kind, the seat, its choice, the gain of doing it over not doing it, and the features it knew.
    """
    start = _start(state, _style_numbers(state, styles))
    rows, results = library.loaded().trials(start, array("d", rates), stocks, _number(seed))
    width = library.TRIAL_ROW
    found = [rows[start : start + width] for start in range(0, len(rows), width)]
    return found, _read(results, start.seats)[0]


def _start(state: State, styles: array[float]) -> Start:
    return Start(_rules_of(state), styles, marshal.deal_numbers(state), len(state.hands))


def _rules_of(state: State) -> int:
    why = marshal.why_not_playable(state.rules, state.contract)
    if why:
        raise PlayoutFault(why)
    return _handle(marshal.rules_numbers(state.rules).tobytes())


@cache
def _handle(numbers: bytes) -> int:
    return library.loaded().rules(array("i", numbers))


def _style_numbers(state: State, styles: Sequence[CoreSeat] | None) -> array[float]:
    seats = len(state.hands)
    if styles is not None and len(styles) != seats:
        raise ValueError(f"there are {seats} seats, but {len(styles)} styles")
    numbers = array("d")
    for style in styles or [CLUB] * seats:
        numbers.extend(style.numbers(_advice_number(_rules_of(state), style.advice) if style.advice else 0))
    return numbers


@cache
def _advice_number(rules: int, advice: EncodedLessons) -> int:
    return library.loaded().advise(rules, array("d", advice.numbers))


def _number(seed: str) -> int:
    return int.from_bytes(sha256(seed.encode()).digest()[:8], "big")


def _groups(state: State, ways: Sequence[Sequence[Action]]) -> list[tuple[State, list[list[int]], list[int]]]:
    """Group the ways by the table they begin with: that table, the actions left of each, and their places."""
    plain: tuple[State, list[list[int]], list[int]] = (state, [], [])
    groups = [plain]
    for place, way in enumerate(ways):
        split = 0
        while split < len(way) and isinstance(way[split], Lay | Tack | Swap):
            split += 1
        group = plain
        if split:
            table = state.clone()
            if not isinstance(table, Deal):
                raise ValueError("only a deal can be played on by an action")
            for action in way[:split]:
                table.apply(action)
            group = (table, [], [])
            groups.append(group)
        group[1].append(marshal.way_numbers(way[split:]))
        group[2].append(place)
    return [group for group in groups if group[2]]


def _ended(state: State, worlds: Sequence[Cards], way: Sequence[Action]) -> list[PlayoutResult]:
    """Return the endings, by world, of a way that ends the deal by itself."""
    found = []
    for world in worlds or [Cards(state.hands, state.stock)]:
        deal = state.clone()
        assert isinstance(deal, Deal)
        deal.hands = [state.hands[seat] if seat == state.actor else list(hand) for seat, hand in enumerate(world.hands)]
        for action in way:
            deal.apply(action)
        found.append(PlayoutResult((0,) * len(deal.hands) if deal.void else tuple(deal.points), deal.out, deal.void))
    return found


def _read(results: array[int], seats: int) -> list[PlayoutResult]:
    width = seats + 2
    return [
        PlayoutResult(
            tuple(results[start : start + seats]),
            results[start + seats] if results[start + seats] >= 0 else None,
            bool(results[start + seats + 1]),
        )
        for start in range(0, len(results), width)
    ]
