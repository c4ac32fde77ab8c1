"""Matches without a screen: for simulations, tests, and machines without a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import SystemRandom

from kalooki_tui.engine.events import BoughtIn, Eliminated, MatchOver, Paid, Passed, PassedOver, SeatLeft
from kalooki_tui.notation.events import print_event
from kalooki_tui.players import LEVELS, make_player
from kalooki_tui.players.processes.outside import PATIENCE, OutsidePlayer
from kalooki_tui.players.processes.own_process import InOwnProcess
from kalooki_tui.players.protocol import Decision, Player
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.table.table import Driver, Kind, Step, Table, TableSetup

#: Told of each decision before it is applied: the seat, what it decided, the seconds it took.
Watcher = Callable[[int, Decision, float], None]

USUAL_SEATS = 4
#: Who plays where nobody is named.
USUAL_PLAYER = "ai:club"


def ai_players(
    table: Table,
    patience: float = PATIENCE,
    make: Callable[[str, str], Player] = make_player,
    logs: Sequence[Path | None] = (),
) -> dict[int, Player]:
    """A player for every seat that no person plays; close the outside ones after use.

    `make`: gives the player of a level and a seed. `logs`: where the standard error of each seat's program goes.
    """
    return {
        seat: outside_player(table, seat, patience, logs[seat] if logs else None)
        if plan.is_outside
        else make(plan.level, table.player_seed(seat))
        for seat, plan in enumerate(table.plans)
        if not plan.is_human
    }


def outside_player(table: Table, seat: int, patience: float = PATIENCE, log: Path | None = None) -> OutsidePlayer:
    """The program of an outside seat, told of all that happens at the table from now on; not started yet.

    The `novice` AI stands in for it once it fails, and the table's hearers are told. `log`: where its standard error
    goes.
    """
    stand_in = make_player(LEVELS[0], table.player_seed(seat))
    player = OutsidePlayer(
        table.plans[seat].command,
        stand_in,
        seat=seat,
        patience=patience,
        notice=table.tell,
        log=log,
        events=table.match.deal.history,
    )
    table.listen(lambda step: player.observe(step.events))
    return player


def play_match(table: Table, watcher: Watcher | None = None, players: Mapping[int, Player] | None = None) -> None:
    """Play a match to its result in this process; no seat is a person's. Programs are ended with it.

    Raises:
        Refused: an AI seat made a refused move, which is a mistake in it.
    """
    seated = ai_players(table) if players is None else players
    programs = {seat: player for seat, player in seated.items() if isinstance(player, OutsidePlayer)}
    driver = Driver(table, programs=programs, strict=True)
    try:
        while (wait := driver.advance()).kind is not Kind.OVER:
            match wait.kind:
                case Kind.SEAT:
                    _take_turn(driver, wait.seats[0], seated, watcher)
                case Kind.RACE:
                    _race(driver, wait.seats, seated, watcher)
                case Kind.DEAL:
                    driver.deal()
                case Kind.RESULT:
                    driver.tell_result()
    finally:
        driver.close()


def _race(driver: Driver, seats: Sequence[int], players: Mapping[int, Player], watcher: Watcher | None) -> None:
    """Calls by the first to react (D4)."""
    window = driver.table.moment
    for _, seat in driver.reactions(seats):
        if driver.table.moment == window:
            _take_turn(driver, seat, players, watcher)


def _take_turn(driver: Driver, seat: int, players: Mapping[int, Player], watcher: Watcher | None) -> None:
    view = driver.table.view(seat)
    started = time.perf_counter()
    decision = players[seat].decide(view)
    if watcher is not None:
        watcher(seat, decision, time.perf_counter() - started)
    driver.take(seat, decision)


def play_text_match(
    *,
    ruleset: str,
    seats: Sequence[str] = (),
    seed: int | None = None,
    options: Sequence[str] = (),
    echo: Callable[[str], None],
) -> None:
    """Play a match of AI seats and print every public event, a line each. People's seats are played by AI here.

    Raises:
        ValueError: the ruleset, an option or a seat is wrong.
    """
    table = Table.open(text_setup(ruleset, seats, seed, options))
    match = table.match
    faces = table.setup.ruleset.faces
    echo(f"{table.setup.ruleset.name}, seed {table.setup.seed}: {', '.join(match.names)}")
    told = _tell_history(table, 0, echo)

    def tell(step: Step) -> None:
        nonlocal told
        dealt = step.action is None
        told = _tell_history(table, 0 if dealt else told, echo)
        for event in step.events:
            if isinstance(event, _MATCH_EVENTS):
                echo(print_event(event, match.names, faces))

    table.listen(tell)
    table.hear(echo)
    with closing(InOwnProcess()) as apart:
        play_match(table, players=ai_players(table, make=apart.player))


#: Events that are no part of a deal's history.
_MATCH_EVENTS = (PassedOver, Paid, Eliminated, BoughtIn, SeatLeft, MatchOver)


def _tell_history(table: Table, told: int, echo: Callable[[str], None]) -> int:
    """Print the deal's public events from number `told` on; passes are left out. Returns how many there are."""
    history = table.match.deal.history
    for event in history[told:]:
        if not isinstance(event, Passed):
            echo(print_event(event, table.match.names, table.setup.ruleset.faces))
    return len(history)


def text_setup(ruleset: str, seats: Sequence[str], seed: int | None, options: Sequence[str]) -> TableSetup:
    """A table of AI seats for a run without a screen; four seats, or the ruleset's nearest number, by default.

    Raises:
        ValueError: the ruleset, an option or a seat is wrong.
    """
    found = load_ruleset(ruleset)
    counts = found.seat_counts
    usual = min(counts, key=lambda count: abs(count - USUAL_SEATS))
    plans = parse_seats(list(seats) or [USUAL_PLAYER] * usual)
    plans = tuple(plan if not plan.is_human else SeatPlan(plan.name, USUAL_PLAYER) for plan in plans)
    found = resolve(found, options, len(plans))
    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    return TableSetup(found, plans, seed, options=tuple(options))
