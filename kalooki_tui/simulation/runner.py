"""Many matches of AI seats and programs, in duplicate: the same cards are played once for each way the players can sit.

A match is decided by the simulation's seed and its own number alone, so the number of processes changes nothing. Where
the native core knows all seats it plays deals ahead: it decides what a seat would, and the engine takes each action as
it takes a player's, so that records, notes and events are the same. A deal is played ahead up to its
end, or to where the stock is shuffled anew, which is the engine's to do.

The notes of a simulation may go into a file, a match a line as it is over, so that one that was broken off goes on
there. Its first line says what is played. A last line that was not finished is dropped, and its match is played again;
so is that of any other line that cannot be read. One program at a time writes to the file.
"""

from __future__ import annotations

import json
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
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import repeat
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.locks import FileLock
from kalooki_tui.match.headless import ai_players, play_match
from kalooki_tui.match.live_match import MatchStep, Table, TableSetup, record
from kalooki_tui.match.seating import USUAL_PLAYER, SeatPlan, parse_seats, usual_count
from kalooki_tui.players import Player, PlayerChoice, make_player
from kalooki_tui.players.club import Club
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.outside import FAREWELL, PATIENCE, OutsidePlayer
from kalooki_tui.playouts import CoreSeat, PlayoutFault, available, play_deal
from kalooki_tui.playouts.marshal import why_not_playable
from kalooki_tui.problems import SourceLocation, open_to_read, problem
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import EndRules, Ruleset, Settings, to_data


def weights_of(player: Player, ruleset: str) -> CoreSeat | None:
    """Return the player in the core; None: the core does not make its very choices, such as random ones."""
    if not isinstance(player, Club) or type(player) not in (Club, Expert) or player.style.hold:
        return None
    return player.weights(ruleset)


def is_for_core(rules: Rules, seats: Sequence[SeatPlan]) -> bool:
    """Check that the core could play all seats of such a table."""
    if any(plan.is_human or plan.is_outside for plan in seats):
        return False
    # Calls in a race are not for it (D4).
    if rules.settings.race or rules.settings.handicap:
        return False
    ruleset = rules.ruleset
    is_playable = not any(why_not_playable(rules, contract) for contract in ruleset.deals)
    return is_playable and all(weights_of(make_player(plan.level, ""), ruleset.id) for plan in seats)


def _ahead(table: Table, players: dict[int, Player]) -> Iterator[Action | None]:
    """Yield the actions of a deal, played ahead by the core; None: ask the player, since the core has failed."""
    styles = [weights_of(players[seat], table.match.rules.ruleset.id) for seat in range(len(players))]
    while True:
        try:
            played = play_deal(table.match.deal, styles=[style for style in styles if style is not None])
        except PlayoutFault as fault:
            table.tell(str(fault))
            yield from repeat(None)
        for action, stock in played.actions:
            yield action
            if stock is not None:
                break


class NativeSeat:
    def __init__(self, ahead: Iterator[Action | None], player: Player) -> None:
        self.ahead, self.player = ahead, player

    def decide(self, view: View) -> PlayerChoice:
        action = None if view.phase in (Phase.CUT, Phase.BUY_IN) else next(self.ahead)
        return self.player.decide(view) if action is None else PlayerChoice(action)


class Simulation(Struct, frozen=True):
    ruleset: Ruleset
    """Resolved; with one contract only where single deals are played."""
    options: tuple[str, ...]
    seats: tuple[SeatPlan, ...]
    matches: int
    seed: int
    referee: Referee
    settings: Settings
    deal: int | None = None
    folder: Path | None = None
    patience: float = PATIENCE
    bot_log: Path | None = None

    @property
    def rules(self) -> Rules:
        return make_rules(self.ruleset, len(self.seats), self.referee, self.settings)

    @property
    def rotations(self) -> int:
        """Rotations of the players until they sit as at first."""
        players = [plan.player for plan in self.seats]
        return next(step for step in range(1, len(players) + 1) if players[step:] + players[:step] == players)

    @property
    def shuffles(self) -> int:
        """Shuffles played; the last one perhaps not in every rotation."""
        return -(-self.matches // self.rotations)

    def record_path(self, number: int) -> Path | None:
        return None if self.folder is None else self.folder / f"{self.stem(number)}.jsonl"

    def stem(self, number: int) -> str:
        width = max(4, len(str(self.matches)))
        return f"{self.ruleset.id}-{self.seed}-{number + 1:0{width}}"


class DealNotes(Struct, frozen=True):
    number: int
    begins: int
    """Seat with the first turn: the dealer's left, in all games but Kooky."""
    dealt_in: tuple[bool, ...]
    turns: int
    calls: tuple[int, ...]
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
    passed_over: list[happened.PassedOver] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """Times of decisions by player; none where the native core played ahead."""
    refused: dict[str, int] = field(default_factory=dict)
    replaced: dict[str, int] = field(default_factory=dict)


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
    """Plan a simulation; raise ValueError for a bad ruleset, option, seat or number, or an existing record."""
    found = load_ruleset(ruleset)
    plans = parse_seats(seats or [USUAL_PLAYER] * usual_count(found))
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
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for path in filter(None, map(simulation.record_path, range(matches))):
        if path.exists():
            raise ValueError(f"{path} already exists: name an empty folder, or remove it")
    if bot_log is not None:
        bot_log.mkdir(parents=True, exist_ok=True)
    return simulation


def single_deal(ruleset: Ruleset, deal: int) -> Ruleset:
    """Return the ruleset with contract `deal` as its only one; raise ValueError if there is none."""
    count = len(ruleset.deals)
    if not 1 <= deal <= count:
        raise ValueError(f"{ruleset.name} has no deal {deal}: its contracts are numbered 1 to {count}")
    return replace(ruleset, deals=(replace(ruleset.deals[deal - 1], number=deal),), end=EndRules(after="last-deal"))


def simulate(simulation: Simulation, jobs: int = 1, numbers: Sequence[int] | None = None) -> Iterator[MatchNotes]:
    """Play the matches, or those of these numbers, each as its notes when it is over; with `jobs` in any order."""
    left = range(simulation.matches) if numbers is None else numbers
    if jobs > 1 and left:
        yield from _in_processes(simulation, jobs, left)
    else:
        for number in left:
            yield play_one(simulation, number)


def _in_processes(simulation: Simulation, jobs: int, numbers: Sequence[int]) -> Iterator[MatchNotes]:
    """Play matches in processes; raise ChildProcessError if one of them ends."""
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
                    processes.update(set(multiprocessing.active_children()).difference(others))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from sorted((future.result() for future in done), key=lambda notes: notes.number)
        except BrokenProcessPool:
            raise ChildProcessError("a process that was playing was stopped from outside") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if running:
                for process in processes:
                    process.terminate()


@contextmanager
def _interruptions_held_back() -> Iterator[None]:
    """Start processes that never hear Ctrl+C: it is this one's business."""
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

    def stop(signum: int, frame: object) -> None:
        _stopping.set()
        raise SystemExit(1)

    def end_with_the_main_process() -> None:
        # A worker whose main process was killed would wait for work for ever.
        main = multiprocessing.parent_process()
        if main is not None:
            main.join()
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(FAREWELL * 2)
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, stop)
    threading.Thread(target=end_with_the_main_process, daemon=True).start()


def _play_in_worker(simulation: Simulation, number: int) -> MatchNotes:
    if _stopping.is_set():
        raise SystemExit(1)
    return play_one(simulation, number)


def play_one(simulation: Simulation, number: int) -> MatchNotes:
    """Play match `number`, counted from 0."""
    shuffle, rotation = divmod(number, simulation.rotations)
    seats = simulation.seats[rotation:] + simulation.seats[:rotation]
    seed = random.Random(f"{simulation.seed}/simulation {shuffle}").randrange(1_000_000_000)
    rules = simulation.referee, simulation.settings, simulation.options
    table = Table.open(TableSetup(simulation.ruleset, seats, seed, *rules))
    notes = MatchNotes(number, shuffle, tuple(plan.player for plan in table.plans))
    table.listen(lambda step: _note_step(notes, table, step))
    table.hear(notes.notices.append)
    path = simulation.record_path(number)
    logs: list[Path | None] = [None for _ in seats]
    if simulation.bot_log is not None:
        # A name may hold what a file's name may not, so the seat's number in the plan stands for it.
        names = [plan.name for plan in simulation.seats]
        stem = simulation.bot_log / simulation.stem(number)
        logs = [Path(f"{stem}-seat-{names.index(plan.name) + 1}.txt") for plan in table.plans]
    for log in filter(None, logs):
        log.unlink(missing_ok=True)
    players = ai_players(table, simulation.patience, logs=logs)
    if available() and is_for_core(table.match.rules, table.plans):
        # Where the core can, it plays their deals ahead.
        ahead = _ahead(table, players)
        players = {seat: NativeSeat(ahead, player) for seat, player in players.items()}

    def watch(seat: int, decision: PlayerChoice, seconds: float) -> None:
        # A decision that was played ahead takes no time of its own.
        if not isinstance(players[seat], NativeSeat):
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


def _note_step(notes: MatchNotes, table: Table, step: MatchStep) -> None:
    for event in step.events:
        if isinstance(event, happened.Scored | happened.Voided):
            notes.deals.append(note_deal(table.match.deal))
            if isinstance(event, happened.Voided) and event.turns is not None:
                said = f"Nobody laid in {event.turns} turns of each seat, so a deal was void."
                notes.notices += [said] if said not in notes.notices else []
        elif isinstance(event, happened.PassedOver):
            notes.passed_over.append(event)


def note_deal(deal: Deal) -> DealNotes:
    begins = next(event.turn for event in deal.history if isinstance(event, happened.Dealt))
    dropped = {event.seat for event in deal.history if isinstance(event, happened.DroppedOut)}
    dealt_in = tuple(there or seat in dropped for seat, there in enumerate(deal.in_deal))
    turns, calls, points = sum(public_of(deal).turns), tuple(deal.calls), tuple(deal.points)
    return DealNotes(deal.number, begins, dealt_in, turns, calls, deal.void, deal.out, deal.bent, points)


class NotInstalled(Exception):
    pass


def simulate_on(simulation: Simulation, address: str, numbers: Sequence[int]) -> Iterator[MatchNotes]:
    """Play matches on a cluster, in any order; raise NotInstalled, or ConnectionError if none answers."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise NotInstalled from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no cluster answers at {address}: {error}") from None
    with client:
        # Sent once and not with every match.
        shared = client.scatter(simulation, broadcast=True)
        # Pure, so that a match that is lost with its worker is played again by another.
        for future in as_completed(client.map(lambda number, what: play_one(what, number), list(numbers), what=shared)):
            yield future.result()
            future.release()


FORMAT: Final = 1
BUSY: Final = "another simulation is writing its notes there: wait for it, or name another file"
SKIPPED: Final = "this is not a line of these notes; a match that is missing is played again"


class Notebook:
    def __init__(self, path: Path, simulation: Simulation) -> None:
        """Open the file, or begin it.

        Raises:
            InputError: it holds the notes of another simulation, or no notes, or another program is writing to it.
            OSError: it cannot be read or written.
        """
        self.path = path
        self.notes: list[MatchNotes] = []
        self.skipped: list[str] = []
        lock = FileLock.take(path.parent / f".{path.name}.lock")
        if lock is None:
            raise problem(BUSY, SourceLocation(str(path)))
        self._lock = lock
        try:
            self._open(_head(simulation), simulation)
        except BaseException:
            lock.release()
            raise

    def _open(self, head: dict[str, Any], simulation: Simulation) -> None:
        path = self.path
        lines = []
        if path.exists():
            with open_to_read(path) as stream:
                lines = stream.read().split(b"\n")
        # What follows the last end of a line was being written when it was broken off.
        whole = lines[:-1]
        if whole:
            self._read(whole, head, simulation)
        self._file = path.open("r+b" if path.exists() else "xb")
        self._file.truncate(sum(len(line) + 1 for line in whole))
        self._file.seek(0, 2)
        if not whole:
            self.add(head)

    def _read(self, lines: list[bytes], head: dict[str, Any], simulation: Simulation) -> None:
        path = str(self.path)
        try:
            found = msgspec.json.decode(lines[0])
        except ValueError:
            raise problem("this is not a line of a simulation's notes", SourceLocation(path, 1)) from None
        if found != head:
            raise problem("these are the notes of another simulation: name another file", SourceLocation(path, 1))
        read: dict[int, MatchNotes] = {}
        for number, line in enumerate(lines[1:], start=2):
            try:
                notes = msgspec.json.decode(line, type=MatchNotes)
            except (ValueError, RecursionError):
                self.skipped.append(f"{SourceLocation(path, number)}: {SKIPPED}")
                continue
            if 0 <= notes.number < simulation.matches:
                read.setdefault(notes.number, notes)
        self.notes += read.values()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.release()

    def add(self, data: object) -> None:
        self._file.write(msgspec.json.encode(data) + b"\n")
        self._file.flush()


def _head(simulation: Simulation) -> dict[str, Any]:
    """Return everything that determines the matches of the simulation, which does not include their number."""
    decides = {
        "ruleset": to_data(simulation.ruleset),
        "options": simulation.options,
        "seats": [plan.player for plan in simulation.seats],
        "seed": simulation.seed,
        "referee": str(simulation.referee),
        "deal": simulation.deal,
    }
    mark = sha256(json.dumps(decides, sort_keys=True, default=str).encode()).hexdigest()[:16]
    return {"simulation": FORMAT, "ruleset": simulation.ruleset.id, "seed": simulation.seed, "mark": mark}


def numbers_left(simulation: Simulation, notes: list[MatchNotes]) -> list[int]:
    played = {one.number for one in notes}
    return [number for number in range(simulation.matches) if number not in played]
