"""From the lines of a journal back to a table, at the very decision where they end."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.players import LEVEL_TEXTS, LEVELS
from kalooki_tui.problems import InputError
from kalooki_tui.records.reading import DoesNotFollow, RecordFile
from kalooki_tui.records.replaying import Played, Replay
from kalooki_tui.records.writing import RecordHead
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.rows import encode
from kalooki_tui.store.trail import Trail
from kalooki_tui.table.seats import SeatPlan, check_seats
from kalooki_tui.table.table import Table, TableSetup


@dataclass(frozen=True)
class Restored:
    """A table as it was, and what can be taken back there."""

    table: Table
    trail: Trail


def open_lines(name: str, lines: Iterable[str]) -> RecordFile:
    """A record out of the lines of a journal; `name` stands in errors where a file's name would."""
    return RecordFile(name, io.BytesIO(b"".join(encode(line) + b"\n" for line in lines)))


def restore(name: str, lines: Iterable[str], plans: Sequence[SeatPlan]) -> Restored:
    """The table whose journal these lines are.

    Raises:
        StoreError: a line does not follow, or cannot be read by this version of the program, or the seats are not
            those of the record or cannot be played.
    """
    try:
        replay = Replay(open_lines(name, lines))
        trail = Trail()
        for _ in follow(replay, trail):
            pass
    except (DoesNotFollow, InputError) as error:
        raise StoreError(f"The match cannot be taken up again: {error}") from error
    if tuple(plan.name for plan in plans) != replay.head.names:
        raise StoreError(f"The match cannot be taken up again: {name} has other seats in the list than in its record")
    try:
        check_seats(tuple(plans))
    except ValueError as error:
        raise StoreError(f"The match cannot be taken up again: {name}: {error}") from error
    return Restored(table_of(replay.head, replay.match, tuple(plans)), trail)


def follow(replay: Replay, trail: Trail) -> Iterator[Played]:
    """Play a record again and keep what can be taken back.

    Raises:
        DoesNotFollow: a line does not follow.
        InputError: a line is not in the format.
    """
    for played in replay.steps():
        data = played.line.data
        if "undone" in data:
            trail.take_back(data["undone"])
        elif played.action is not None:
            trail.act(played.action, played.events, played.refusal)
        elif "deal" in data or "passed_over" in data:
            trail.begin()
        else:
            trail.follow()
        yield played


def play_whole(lines: Iterable[str]) -> Replay | None:
    """The record played to its end, or None where a line does not follow or cannot be read."""
    try:
        replay = Replay(open_lines("", lines))
        for _ in replay.steps():
            pass
    except (DoesNotFollow, InputError):
        return None
    return replay


def plans_of(head: RecordHead) -> tuple[SeatPlan, ...]:
    """Who plays the seats of a record from elsewhere. No command in it is ever run: an AI seat plays there."""
    return tuple(SeatPlan(name, _player(player)) for name, player in zip(head.names, head.players, strict=True))


def _player(player: str) -> str:
    level = player.removeprefix("ai:")
    if player == "human":
        return player
    return f"ai:{level if level in LEVEL_TEXTS else LEVELS[0]}"


def table_of(head: RecordHead, match: Match | None, plans: tuple[SeatPlan, ...]) -> Table:
    """The table of a match that has been played again; `match` None: it ended before its first cut."""
    # A record without a seed holds its cards itself; what is dealt from here on is written down as well.
    seed = 0 if head.seed is None else head.seed
    if match is None:
        match = Match.start(MatchSetup(head.rules, head.names, seed, head.first_turn))
    setup = TableSetup(
        ruleset=head.rules.ruleset,
        seats=plans,
        seed=seed,
        referee=head.rules.referee,
        settings=head.rules.settings,
        options=head.options,
        first_turn=head.first_turn,
    )
    return Table(setup, match, plans)
