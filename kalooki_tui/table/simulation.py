"""Many matches of AI seats and programs, in duplicate: the same cards are played once for each way the players can sit.

A match is decided by the simulation's seed and its own number alone, so the number of processes changes nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from kalooki_tui.engine.events import (
    CallAllowed,
    CallRefused,
    Dealt,
    Drew,
    DroppedOut,
    Event,
    Flipped,
    PassedOver,
    Scored,
    Voided,
    WentOut,
)
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.players import make_player
from kalooki_tui.players import without_core as level_without_core
from kalooki_tui.players.processes.outside import FAREWELL, PATIENCE, OutsidePlayer
from kalooki_tui.players.protocol import Decision
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import EndRules, Ruleset, Settings
from kalooki_tui.table.headless import USUAL_PLAYER, USUAL_SEATS, ai_players, play_match
from kalooki_tui.table.native import NativeSeat, native_players, needs_core
from kalooki_tui.table.recorder import record
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.table.table import Step, Table, TableSetup


@dataclass(frozen=True)
class Simulation:
    """The plan of a simulation; made by `plan_simulation`."""

    ruleset: Ruleset
    """Resolved; with one contract only where single deals are played."""
    options: tuple[str, ...]
    seats: tuple[SeatPlan, ...]
    matches: int
    seed: int
    referee: Referee
    settings: Settings
    deal: int | None = None
    """The number of the contract that is played alone, as single deals."""
    folder: Path | None = None
    """Where a record of each match goes."""
    patience: float = PATIENCE
    bot_log: Path | None = None
    """Where the standard error of each match's programs goes."""

    @property
    def rules(self) -> Rules:
        """The rules of its matches."""
        return make_rules(self.ruleset, len(self.seats), self.referee, self.settings)

    @property
    def rotations(self) -> int:
        """How often each shuffle is played: rotations of the players until they sit as at first."""
        players = [plan.player for plan in self.seats]
        return next(step for step in range(1, len(players) + 1) if players[step:] + players[:step] == players)

    @property
    def shuffles(self) -> int:
        """How many shuffles are played; the last one perhaps not in every rotation."""
        return -(-self.matches // self.rotations)

    def shuffle_and_rotation(self, number: int) -> tuple[int, int]:
        """The shuffle and the rotation of match `number`, counted from 0."""
        return divmod(number, self.rotations)

    def match_seed(self, shuffle: int) -> int:
        """The seed of a shuffle's matches, which the record of each names."""
        return random.Random(f"{self.seed}/simulation {shuffle}").randrange(1_000_000_000)

    def record_path(self, number: int) -> Path | None:
        """Where the record of match `number` goes."""
        return None if self.folder is None else self.folder / f"{self._stem(number)}.jsonl"

    def log_path(self, number: int, name: str) -> Path | None:
        """Where the standard error of the program of that name goes in match `number`."""
        if self.bot_log is None:
            return None
        # A name may hold what a file's name may not, so the seat's number in the plan stands for it.
        seat = next(seat for seat, plan in enumerate(self.seats, start=1) if plan.name == name)
        return self.bot_log / f"{self._stem(number)}-seat-{seat}.txt"

    def _stem(self, number: int) -> str:
        width = max(4, len(str(self.matches)))
        return f"{self.ruleset.id}-{self.seed}-{number + 1:0{width}}"


@dataclass(frozen=True, slots=True)
class DealNotes:
    """Counts of a deal; tuples have an entry for each seat in clockwise order."""

    number: int
    begins: int
    """The seat with the first turn: the dealer's left, in all games but Kooky."""
    dealt_in: tuple[bool, ...]
    turns: int
    calls: tuple[int, ...]
    """Allowed ones."""
    void: bool
    out: int | None
    bent: bool
    points: tuple[int, ...]
    """Points scored; zeros where the deal is void."""


@dataclass(slots=True)
class MatchNotes:
    """Counts of a match; `players` sat clockwise."""

    number: int
    shuffle: int
    players: tuple[str, ...]
    winners: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    deals: list[DealNotes] = field(default_factory=list)
    passed_over: list[PassedOver] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """How long each decision took, by player; nothing where the native core played the deals ahead."""
    refused: dict[str, int] = field(default_factory=dict)
    """Answers of programs that were refused, by player."""
    replaced: dict[str, int] = field(default_factory=dict)
    """Programs that an AI seat had to play on for, by player."""


def plan_simulation(
    *,
    ruleset: str,
    seats: Sequence[str],
    matches: int,
    seed: int,
    options: Sequence[str] = (),
    referee: Referee = Referee.STRICT,
    deal: int | None = None,
    folder: Path | None = None,
    patience: float = PATIENCE,
    bot_log: Path | None = None,
) -> Simulation:
    """A simulation that can be played.

    Raises:
        ValueError: the ruleset, an option, a seat or a number is wrong, or a record is there already.
    """
    found = load_ruleset(ruleset)
    usual = min(found.seat_counts, key=lambda count: abs(count - USUAL_SEATS))
    plans = parse_seats(list(seats) or [USUAL_PLAYER] * usual)
    for plan in plans:
        if plan.is_human:
            raise ValueError(f"{plan.name} is a person: name AI seats such as ai:club, or programs, exec:COMMAND")
    found = resolve(found, options, len(plans))
    settings = found.usual_settings()
    make_rules(found, len(plans), referee, settings)
    if deal is not None:
        found = single_deal(found, deal)
    names = tuple(options)
    simulation = Simulation(found, names, plans, matches, seed, referee, settings, deal, folder, patience, bot_log)
    _check_folder(simulation)
    if bot_log is not None:
        bot_log.mkdir(parents=True, exist_ok=True)
    return simulation


def single_deal(ruleset: Ruleset, deal: int) -> Ruleset:
    """The ruleset with contract `deal` as its only one, and the match over after it.

    Raises:
        ValueError: there is no such contract.
    """
    count = len(ruleset.deals)
    if not 1 <= deal <= count:
        raise ValueError(f"{ruleset.name} has no deal {deal}: its contracts are numbered 1 to {count}")
    return replace(ruleset, deals=(ruleset.deals[deal - 1],), end=EndRules(after="last-deal"))


def _check_folder(simulation: Simulation) -> None:
    if simulation.folder is None:
        return
    simulation.folder.mkdir(parents=True, exist_ok=True)
    for number in range(simulation.matches):
        path = simulation.record_path(number)
        if path is not None and path.exists():
            raise ValueError(f"{path} already exists: name an empty folder, or remove it")


def simulate(simulation: Simulation, jobs: int = 1, numbers: Sequence[int] | None = None) -> Iterator[MatchNotes]:
    """Play the matches, or those of these numbers, each as its notes when it is over; with `jobs` in any order."""
    left = list(range(simulation.matches) if numbers is None else numbers)
    if jobs == 1 and not needs_core(simulation.rules, simulation.seats):
        for number in left:
            yield play_one(simulation, number)
        return
    while left:
        begun: list[int] = []
        try:
            for notes in _in_processes(simulation, jobs, left, begun):
                left.remove(notes.number)
                begun.remove(notes.number)
                yield notes
        except _CoreCrashed:
            # It was one of these, and there is no telling which.
            for number in begun:
                left.remove(number)
                yield play_one(simulation, number, without_core=True)


WITHOUT_CORE: Final = "The native core has crashed, so this match was played without it."


class _CoreCrashed(Exception):
    """A process that was playing has crashed, which is what the native core alone can make it do."""


#: Signals that end a process for what it does itself.
_CRASHES = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL})


def _in_processes(simulation: Simulation, jobs: int, numbers: Sequence[int], begun: list[int]) -> Iterator[MatchNotes]:
    """Play the matches in processes of their own; those handed to one are added to `begun`.

    Raises:
        _CoreCrashed: one of the processes did.
        ChildProcessError: one of them was ended from outside.
    """
    # A spawned process shares nothing with this one, so that it plays what this one would play.
    context = multiprocessing.get_context("spawn")
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(min(jobs, len(numbers)), mp_context=context, initializer=_begin_worker) as pool:
        left = iter(numbers)
        running: set[Future[MatchNotes]] = set()
        processes: set[BaseProcess] = set()
        try:
            while True:
                while len(running) < 2 * jobs and (following := next(left, None)) is not None:
                    with _interruptions_held_back():
                        running.add(pool.submit(_play_in_worker, simulation, following))
                    begun.append(following)
                    processes.update(set(multiprocessing.active_children()).difference(others))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from sorted((future.result() for future in done), key=lambda notes: notes.number)
        except BrokenProcessPool:
            pool.shutdown()
            if any(-(process.exitcode or 0) in _CRASHES for process in processes):
                raise _CoreCrashed from None
            raise ChildProcessError("a process that was playing was stopped from outside") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if running:
                for process in processes:
                    process.terminate()


@contextmanager
def _interruptions_held_back() -> Iterator[None]:
    """Start processes that hear nothing of Ctrl+C, from their first moment: it is this one's business."""
    # What it starts by the way lets go of the signal too early, so it is started before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_stopping = threading.Event()


def _begin_worker() -> None:
    """Leave Ctrl+C to the main process, which ends this one; programs at its seats are ended on the way out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, _stop_worker)
    threading.Thread(target=_end_with_the_main_process, daemon=True).start()


def _end_with_the_main_process() -> None:
    """A worker whose main process was killed would wait for work for ever."""
    main = multiprocessing.parent_process()
    if main is not None:
        main.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(FAREWELL * 2)
        os._exit(1)


def _stop_worker(signum: int, frame: object) -> None:
    _stopping.set()
    raise SystemExit(1)


def _play_in_worker(simulation: Simulation, number: int) -> MatchNotes:
    if _stopping.is_set():
        raise SystemExit(1)
    return play_one(simulation, number)


def play_one(simulation: Simulation, number: int, *, without_core: bool = False) -> MatchNotes:
    """Play match `number`, counted from 0; again, `without_core`, where the native core has crashed in it."""
    shuffle, rotation = simulation.shuffle_and_rotation(number)
    seats = simulation.seats[rotation:] + simulation.seats[:rotation]
    table = Table.open(
        TableSetup(
            simulation.ruleset,
            seats,
            simulation.match_seed(shuffle),
            simulation.referee,
            simulation.settings,
            simulation.options,
        )
    )
    notes = MatchNotes(number, shuffle, tuple(plan.player for plan in table.plans))
    table.listen(lambda step: _note_step(notes, table, step))
    table.hear(notes.notices.append)
    path = simulation.record_path(number)
    logs = [simulation.log_path(number, plan.name) for plan in table.plans]
    for log in logs:
        if log is not None:
            log.unlink(missing_ok=True)
    if without_core:
        notes.notices.append(WITHOUT_CORE)
        players = ai_players(
            table, simulation.patience, lambda level, seed: make_player(level_without_core(level), seed), logs
        )
        if path is not None:
            path.unlink(missing_ok=True)
    else:
        players = native_players(table, ai_players(table, simulation.patience, logs=logs))

    def watch(seat: int, decision: Decision, seconds: float) -> None:
        # A decision that was played ahead takes no time of its own.
        if isinstance(players[seat], NativeSeat):
            return
        notes.seconds.setdefault(notes.players[seat], []).append(seconds)

    if path is None:
        play_match(table, watch, players)
    else:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            record(table, lambda line: print(line, file=file))
            play_match(table, watch, players)
    notes.winners, notes.totals = table.match.winners, table.match.totals
    for seat, player in players.items():
        if isinstance(player, OutsidePlayer):
            name = notes.players[seat]
            notes.refused[name] = notes.refused.get(name, 0) + player.refused_answers
            notes.replaced[name] = notes.replaced.get(name, 0) + player.failed
    return notes


def _note_step(notes: MatchNotes, table: Table, step: Step) -> None:
    for event in step.events:
        if isinstance(event, Scored | Voided):
            notes.deals.append(note_deal(table.match.deal.history, table.match.deal.in_deal))
            if isinstance(event, Voided) and event.turns is not None:
                said = f"Nobody laid in {event.turns} turns of each seat, so a deal was void."
                notes.notices += [said] if said not in notes.notices else []
        elif isinstance(event, PassedOver):
            notes.passed_over.append(event)


def note_deal(history: Sequence[Event], in_deal: Sequence[bool]) -> DealNotes:
    """Count what happened in a deal that is over, from its public events."""
    seats = len(in_deal)
    calls, points = [0] * seats, (0,) * seats
    dealt_in = list(in_deal)
    number = begins = turns = 0
    out: int | None = None
    bent = void = False
    for event in history:
        match event:
            case Dealt():
                number, begins = event.deal, event.turn
            case Drew() | CallRefused():
                turns += 1
            case Flipped(given=given) if given is not None:
                turns += 1
            case CallAllowed(caller=caller):
                calls[caller] += 1
            case DroppedOut():
                dealt_in[event.seat] = True
            case WentOut():
                out, bent = event.seat, event.bent
            case Voided():
                void = True
            case Scored(points=points):
                pass
    return DealNotes(number, begins, tuple(dealt_in), turns, tuple(calls), void, out, bent, points)
