"""Matches without a screen: for simulations, tests, and machines without a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import SystemRandom

from kalooki_tui.engine.events import Event, Passed, public
from kalooki_tui.match.live_match import Driver, Table, TableSetup, WaitKind
from kalooki_tui.match.seating import USUAL_PLAYER, SeatPlan, parse_seats, usual_count
from kalooki_tui.notation.event_text import print_event
from kalooki_tui.players import LEVELS, Player, PlayerChoice, make_player
from kalooki_tui.players.outside import PATIENCE, OutsidePlayer
from kalooki_tui.rulesets.loader import load_ruleset, resolve

#: Told of each decision before it is applied: the seat, what it decided, the seconds it took.
Watcher = Callable[[int, PlayerChoice, float], None]


def ai_players(table: Table, patience: float = PATIENCE, logs: Sequence[Path | None] = ()) -> dict[int, Player]:
    """Make a player for each seat that is no person's, programs to be closed; `logs`: for their standard error."""
    return {
        seat: outside_player(table, seat, patience, logs[seat] if logs else None)
        if plan.is_outside
        else make_player(plan.level, table.player_seed(seat))
        for seat, plan in enumerate(table.plans)
        if not plan.is_human
    }


def outside_player(table: Table, seat: int, patience: float = PATIENCE, log: Path | None = None) -> OutsidePlayer:
    """Make the program of an outside seat, told of everything from now on; the `novice` AI stands in for it."""
    player = OutsidePlayer(
        table.plans[seat].command, make_player(LEVELS[0], table.player_seed(seat)), seat=seat, patience=patience,
        notice=table.tell, log=log, events=table.match.deal.history,
    )  # fmt: skip
    table.listen(lambda step: player.observe(step.events))
    return player


def play_match(table: Table, watcher: Watcher | None = None, players: Mapping[int, Player] | None = None) -> None:
    """Play a match without people to its result, and end its programs; Refused would be a fault of an AI seat."""
    seated = ai_players(table) if players is None else players
    programs = {seat: player for seat, player in seated.items() if isinstance(player, OutsidePlayer)}
    driver = Driver(table, programs=programs, strict=True)

    def take_turn(seat: int) -> None:
        view = table.view(seat)
        started = time.perf_counter()
        decision = seated[seat].decide(view)
        if watcher is not None:
            watcher(seat, decision, time.perf_counter() - started)
        driver.take(seat, decision)

    try:
        while (wait := driver.advance()).kind is not WaitKind.OVER:
            match wait.kind:
                case WaitKind.SEAT:
                    take_turn(wait.seats[0])
                case WaitKind.RACE:  # the first to react calls (D4)
                    window = table.moment
                    for _, seat in driver.reactions(wait.seats):
                        if table.moment == window:
                            take_turn(seat)
                case WaitKind.DEAL:
                    driver.deal()
                case WaitKind.RESULT:
                    driver.tell_result()
    finally:
        driver.close()


def play_text_match(
    *,
    ruleset: str,
    seats: Sequence[str] = (),
    seed: int | None = None,
    options: Sequence[str] = (),
    echo: Callable[[str], None],
) -> None:
    """Play a match of AI seats and print every public event, a line each; errors as in `text_setup`."""
    table = Table.open(text_setup(ruleset, seats, seed, options))
    names, found = table.match.names, table.setup.ruleset
    echo(f"{found.name}, seed {table.setup.seed}: {', '.join(names)}")

    def tell(events: Iterable[Event]) -> None:
        for event in events:
            if not isinstance(event, Passed):
                echo(print_event(public(event), names, found.faces))

    tell(table.match.deal.history)
    table.listen(lambda step: tell(step.events))
    table.hear(echo)
    play_match(table)


def text_setup(ruleset: str, seats: Sequence[str], seed: int | None, options: Sequence[str]) -> TableSetup:
    """Return a table of AI seats for a run without a screen; raise ValueError for a bad ruleset, option or seat."""
    found = load_ruleset(ruleset)
    plans = parse_seats(seats or [USUAL_PLAYER] * usual_count(found))
    plans = tuple(plan if not plan.is_human else SeatPlan(plan.name, USUAL_PLAYER) for plan in plans)
    found = resolve(found, options, len(plans))
    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    return TableSetup(found, plans, seed, options=tuple(options))
