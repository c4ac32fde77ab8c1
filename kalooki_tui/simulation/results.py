"""Results of a simulation: averages with 95% intervals, by player and by contract."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct, to_builtins

from kalooki_tui.simulation.runner import MatchNotes, Simulation

#: 97.5% quantiles of Student's distribution for 1 to 10 degrees of freedom.
_SMALL: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_NORMAL: Final = 1.959964
LEAST_GROUPS: Final = 5
"""Groups from which on an interval is given: from fewer it would say next to nothing."""


class Estimate(Struct, frozen=True):
    value: float
    low: float | None
    high: float | None

    @property
    def half(self) -> float | None:
        return None if self.high is None else self.high - self.value


def ratio(groups: Sequence[tuple[float, float]]) -> Estimate | None:
    """Return the sum of the first numbers over the sum of the second, one pair a group; None: nothing to count.

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
    """Estimate a share from 0 to 1 by Wilson's interval, which stays within these bounds.

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
    count = len(counted)
    residues = math.fsum((above - value * weight) ** 2 for above, weight in counted)
    return math.sqrt(residues * count / (count - 1)) / sum(weight for _, weight in counted)


def quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's distribution, to three decimals."""
    if freedom <= len(_SMALL):
        return _SMALL[freedom - 1]
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


class Measure(NamedTuple):
    """Averaged number: its name for programs, and its head in a table for people."""

    name: str
    head: str
    is_share: bool = False
    digits: int = 1

    def words(self, estimate: Estimate | None) -> str:
        return percent(estimate) if self.is_share else number(estimate, self.digits)


#: Of a player, over all the seats it had.
PLAYER_MEASURES: Final = (
    # A shared win counts as its part.
    Measure("match_wins", "matches won", is_share=True),
    # Over the scored deals that its seats were dealt in; passed-over contracts' penalties are included.
    Measure("points_a_deal", "points a deal"),
    # For each seat and scored deal: one of its seats went out, and did so by bending the table.
    Measure("deals_won", "deals won", is_share=True),
    Measure("bends", "bends", is_share=True),
    # Allowed calls of a seat in a deal, void deals included.
    Measure("calls", "calls a deal", digits=2),
)
#: Of a contract, over all its deals.
CONTRACT_MEASURES: Final = (
    Measure("void", "void", is_share=True),
    # Of all seats in a scored deal.
    Measure("turns", "turns"),
    # Allowed ones of all seats in a deal.
    Measure("calls", "calls", digits=2),
    # Shares of the scored deals.
    Measure("bends", "bends", is_share=True),
    # Of a seat in a scored deal, the seat that went out included.
    Measure("points_a_seat", "points a seat"),
    Measure("first_seat_wins", "first seat wins", is_share=True),
)

Estimates: TypeAlias = dict[str, Estimate | None]
_Counts: TypeAlias = Iterator[tuple[str, int, float, float]]
"""Counts by measure and shuffle: what was counted, and over how many."""


class PlayerResult(Struct, frozen=True):
    """Kind of player. `estimates`: by the names of `PLAYER_MEASURES`."""

    player: str
    seats: int
    estimates: Estimates


class ContractResult(Struct, frozen=True):
    """Contract, or all together where `deal` is None. `estimates`: by the names of `CONTRACT_MEASURES`."""

    deal: int | None
    deals: int
    scored: int
    estimates: Estimates


class Times(Struct, frozen=True):
    decisions: int
    median_ms: float
    p99_ms: float
    longest_ms: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        if not seconds:
            return cls(0, 0.0, 0.0, 0.0)
        chosen = (seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.99)], seconds[-1])
        return cls(len(seconds), *(round(1000 * second, 3) for second in chosen))


class ProgramResult(Struct, frozen=True):
    program: str
    played: int
    """Matches, for each of its seats."""
    refused: int
    replaced: int


class Results(Struct, frozen=True):
    """Results of a simulation. `times` alone differ from one run to the next."""

    simulation: Simulation
    matches: int
    deals: int
    void: int
    passed_over: int
    players: tuple[PlayerResult, ...]
    contracts: tuple[ContractResult, ...]
    all_contracts: ContractResult
    notices: tuple[tuple[str, int], ...]
    times: dict[str, Times]
    programs: tuple[ProgramResult, ...] = ()

    @property
    def replaced(self) -> bool:
        return any(program.replaced for program in self.programs)


def summarise(simulation: Simulation, played: Iterable[MatchNotes]) -> Results:
    """Combine the matches' notes in the order of their numbers; they may come in any order."""
    matches = sorted(played, key=lambda notes: notes.number)
    deals = [deal for notes in matches for deal in notes.deals]
    order = list(dict.fromkeys(plan.player for plan in simulation.seats))
    programs = dict.fromkeys(plan.player for plan in simulation.seats if plan.is_outside)
    notices = Counter(notice for notes in matches for notice in notes.notices)
    return Results(
        simulation=simulation,
        matches=len(matches),
        deals=len(deals),
        void=sum(deal.void for deal in deals),
        passed_over=sum(len(notes.passed_over) for notes in matches),
        players=tuple(_player_result(simulation, player, matches) for player in order),
        contracts=tuple(_contract_result(simulation, number, matches) for number in sorted({d.number for d in deals})),
        all_contracts=_contract_result(simulation, None, matches),
        notices=tuple(sorted(notices.items())),
        times={
            player: Times.of(sorted(second for notes in matches for second in notes.seconds.get(player, ())))
            for player in order
        },
        programs=tuple(
            ProgramResult(
                player,
                played=sum(notes.players.count(player) for notes in matches),
                refused=sum(notes.refused.get(player, 0) for notes in matches),
                replaced=sum(notes.replaced.get(player, 0) for notes in matches),
            )
            for player in programs
        ),
    )


def _estimates(measures: Sequence[Measure], counts: _Counts) -> Estimates:
    sums: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    for name, shuffle, above, below in counts:
        pair = sums[name][shuffle]
        pair[0] += above
        pair[1] += below
    groups = {name: [(above, below) for above, below in shuffles.values()] for name, shuffles in sums.items()}
    return {one.name: (share if one.is_share else ratio)(groups.get(one.name, [])) for one in measures}


def _player_result(simulation: Simulation, player: str, matches: Sequence[MatchNotes]) -> PlayerResult:
    def counts() -> _Counts:
        held = ((one, seat) for one in matches for seat, name in enumerate(one.players) if name == player)
        for notes, seat in held:
            yield "match_wins", notes.shuffle, 1 / len(notes.winners) if seat in notes.winners else 0.0, 1
            for passed in notes.passed_over:
                yield "points_a_deal", notes.shuffle, passed.points[seat], 0
            for deal in notes.deals:
                if deal.dealt_in[seat]:
                    yield "calls", notes.shuffle, deal.calls[seat], 1
                if deal.dealt_in[seat] and not deal.void:
                    won = deal.out == seat
                    yield "points_a_deal", notes.shuffle, deal.points[seat], 1
                    yield "deals_won", notes.shuffle, won, 1
                    yield "bends", notes.shuffle, won and deal.bent, 1

    seats = sum(plan.player == player for plan in simulation.seats)
    return PlayerResult(player, seats, _estimates(PLAYER_MEASURES, counts()))


def _contract_result(simulation: Simulation, number: int | None, matches: Sequence[MatchNotes]) -> ContractResult:
    deals = [(notes.shuffle, deal) for notes in matches for deal in notes.deals if number in (None, deal.number)]
    scored = [(shuffle, deal) for shuffle, deal in deals if not deal.void]

    def counts() -> _Counts:
        for shuffle, deal in deals:
            yield "void", shuffle, deal.void, 1
            yield "calls", shuffle, sum(deal.calls), 1
        for shuffle, deal in scored:
            yield "turns", shuffle, deal.turns, 1
            yield "bends", shuffle, deal.bent, 1
            yield "points_a_seat", shuffle, sum(deal.points), sum(deal.dealt_in)
            yield "first_seat_wins", shuffle, deal.out == deal.begins, 1

    shown = number if number is None or simulation.deal is None else simulation.deal
    return ContractResult(shown, len(deals), len(scored), _estimates(CONTRACT_MEASURES, counts()))


def results_data(results: Results) -> dict[str, Any]:
    """Return the results as JSON-ready data; estimates are mappings of `value`, `low` and `high`, or null."""
    simulation = results.simulation
    return {
        "ruleset": simulation.ruleset.id,
        "options": list(simulation.options),
        "referee": str(simulation.referee),
        "deal": simulation.deal,
        "seed": simulation.seed,
        "seats": [{"name": plan.name, "player": plan.player} for plan in simulation.seats],
        "matches": results.matches,
        "groups": simulation.shuffles,
        "rotations": simulation.rotations,
        "deals": results.deals,
        "void": results.void,
        "passed_over": results.passed_over,
        "players": [_flat(player) for player in results.players],
        "contracts": [_flat(contract) for contract in results.contracts],
        "all_contracts": _flat(results.all_contracts),
        "programs": [to_builtins(program) for program in results.programs],
        "notices": [{"text": text, "times": times} for text, times in results.notices],
        "times": {player: to_builtins(times) for player, times in results.times.items()},
    }


def _flat(result: PlayerResult | ContractResult) -> dict[str, Any]:
    data = to_builtins(result)
    return {**data, **data.pop("estimates")}


def player_rows(results: Results) -> list[tuple[str, ...]]:
    """Return a table, the heads first: numbers with half of their 95% interval, shares with its ends."""
    rows = [(one.player, str(one.seats), *_words(PLAYER_MEASURES, one.estimates)) for one in results.players]
    return [("player", "seats", *(one.head for one in PLAYER_MEASURES)), *rows]


def contract_rows(results: Results) -> list[tuple[str, ...]]:
    rows = [
        ("all" if one.deal is None else str(one.deal), str(one.deals), *_words(CONTRACT_MEASURES, one.estimates))
        for one in (*results.contracts, results.all_contracts)
    ]
    return [("deal", "dealt", *(one.head for one in CONTRACT_MEASURES)), *rows]


def _words(measures: Iterable[Measure], estimates: Estimates) -> list[str]:
    return [one.words(estimates[one.name]) for one in measures]


def program_rows(results: Results) -> list[tuple[str, ...]]:
    rows = ((one.program, *map(str, (one.played, one.refused, one.replaced))) for one in results.programs)
    return [("program", "matches", "answers refused", "replaced by the AI"), *rows]


def interval_words(results: Results) -> str:
    if results.simulation.shuffles < LEAST_GROUPS:
        return f"There are no intervals: fewer than {LEAST_GROUPS} shuffles cannot say how far off these numbers are."
    return "± is half of a 95% interval; in brackets are its ends."


def time_rows(results: Results) -> list[tuple[str, ...]]:
    """Return a table, the heads first: how long decisions took, as far as they were timed."""
    rows: list[tuple[str, ...]] = [("player", "decisions", "median", "p99", "longest")]
    for player, times in results.times.items():
        if not times.decisions:
            continue
        spans = (f"{span:.2f} ms" for span in (times.median_ms, times.p99_ms, times.longest_ms))
        rows.append((player, str(times.decisions), *spans))
    return rows


def percent(estimate: Estimate | None) -> str:
    """Write a share with the ends of its interval, which need not be equally far from it: `31.2% (29.3–33.2)`."""
    if estimate is None:
        return "–"
    value = f"{100 * estimate.value:.1f}%"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({100 * estimate.low:.1f}–{100 * estimate.high:.1f})"


def number(estimate: Estimate | None, digits: int = 1) -> str:
    """Write an average: `24.1 ± 0.8`."""
    if estimate is None:
        return "–"
    return f"{estimate.value:.{digits}f}" + ("" if estimate.half is None else f" ± {estimate.half:.{digits}f}")
