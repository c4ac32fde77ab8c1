"""Return from a record to a table, at the decision where it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.view import Phase
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan, check_seats
from kalooki_tui.records.checkpoints import Checkpoints
from kalooki_tui.records.lines import CHECK, POSITION, CheckChain, is_sealed, unsealed
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.records.writer import Line, RecordHead, deal_line, dump
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.journal import TakenUp

#: Keys of a first line that are about that match alone.
ABOUT_MATCH: Final = frozenset({"started", "home", "teaching", "duplicate"})


def take_up(name: str, lines: list[str], plans: Sequence[SeatPlan]) -> TakenUp:
    """Resume the table of these lines; raise StoreError if they do not follow, or do not fit `plans`."""
    try:
        replay = Replay(open_lines(name, lines))
        for _ in replay.steps():
            pass
        check_seats(tuple(plans))
    except ValueError as error:
        why = "; ".join(str(error).split("\n"))
        raise StoreError(f"The match cannot be resumed: {why}") from error
    if tuple(plan.name for plan in plans) != replay.names:
        raise StoreError(f"The match cannot be resumed: {name} has other seats in the list than in its record")
    table = table_of(replay.head, match_of(replay), tuple(plans))
    if replay.waits_for_deal:
        # A cut whose cards stood in the next line: it has to be made again.
        lines = lines[:-1]
    chain, found = sealed(lines)
    missing, checkpoints = missing_lines(replay, table), replay.checkpoints
    found += [chain.seal(dump(line)) for line in missing]
    if checkpoints is None or any("deal" in line for line in missing):
        checkpoints = Checkpoints(table.match)
    return TakenUp(table, checkpoints, found, chain)


def gone_on(lines: Sequence[str], plans: Sequence[SeatPlan], **head: object) -> TakenUp:
    """Begin another record at the end of these lines, with these seats; raise StoreError if they do not follow.

    `head`: what the first line says of the new match.
    """
    first, *others = (unsealed(json.loads(line)) for line in lines)
    first = {key: value for key, value in first.items() if key not in ABOUT_MATCH}
    if isinstance(first.get(POSITION), dict):
        head.pop(POSITION, None)
    names = [seat["name"] for seat in first["seats"]]
    seated = [{"seat": name, "name": plan.name, "player": plan.player} for name, plan in zip(names, plans, strict=True)]
    return take_up("the match", [dump(line) for line in (first | head, *others, *seated)], plans)


def sealed(lines: list[str]) -> tuple[CheckChain, list[str]]:
    """Return the lines with numbers and check values, and the chain that continues them."""
    last = json.loads(lines[-1])
    if is_sealed(last):
        return CheckChain(len(lines), last[CHECK]), lines[:]
    chain = CheckChain()
    return chain, [chain.seal(dump(json.loads(line))) for line in lines]


def missing_lines(replay: Replay, table: Table) -> list[Line]:
    """Return the lines that must follow the last one of a record that was cut off."""
    begins = replay.match is None and table.match.phase is not Phase.CUT
    return [*replay.due, *([deal_line(table.match)] if begins else [])]


def match_of(replay: Replay) -> Match:
    if replay.match is not None:
        return replay.match
    match = Match.start(MatchSetup(replay.head.rules, replay.head.names, replay.head.seed or 0, replay.head.first_turn))
    match.last_deal = replay.last_deal
    return match


def table_of(head: RecordHead, match: Match, plans: tuple[SeatPlan, ...]) -> Table:
    # A record without a seed holds its cards itself; what is dealt from here on is written down as well.
    seed = 0 if head.seed is None else head.seed
    match.rename(tuple(plan.name for plan in plans))
    setup = TableSetup(
        ruleset=head.rules.ruleset,
        seats=plans,
        seed=seed,
        referee=head.rules.referee,
        settings=head.rules.settings,
        options=head.options,
        first_turn=head.first_turn,
        position=head.position,
    )
    return Table(setup, match, plans)
