"""Return from a record to a table, at the decision where it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.view import Phase
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan, check_seats
from kalooki_tui.records.lines import CHECK, CheckChain, is_sealed
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.records.writer import UNASKED, Line, RecordHead, deal_line, dump, is_about_table
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.journal import TakenUp, Trail


def take_up(name: str, lines: list[str], plans: Sequence[SeatPlan]) -> TakenUp:
    """Resume the table of these lines; raise StoreError if they do not follow, or do not fit `plans`."""
    trail = Trail()
    try:
        replay = Replay(open_lines(name, lines))
        follow(replay, trail)
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
        trail.take_back(1)
    chain, found = sealed(lines)
    for line in missing_lines(replay, table):
        found.append(chain.seal(dump(line)))
        if "deal" in line:
            trail.begin()
            replay.checkpoints.begin(table.match)
        else:
            trail.follow()
    if not replay.checkpoints:
        replay.checkpoints.begin(table.match)
    return TakenUp(table, trail, replay.checkpoints, found, chain)


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


def follow(replay: Replay, trail: Trail) -> None:
    """Replay a record and note what can be taken back; raise InputError if a line does not follow."""
    for played in replay.steps():
        data = played.line.data
        if "undone" in data:
            trail.take_back(data["undone"])
        elif played.action is not None:
            trail.act(played.action, played.events, played.refusal, asked=UNASKED not in data)
        elif "deal" in data or "passed_over" in data:
            trail.begin()
        elif not is_about_table(data):
            trail.follow()


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
    )
    return Table(setup, match, plans)
