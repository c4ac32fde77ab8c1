"""Golden playthroughs: recorded matches of every ruleset and number of seats, each with its trace.

Run ``python -m tests.playthroughs.golden`` to make what is missing; delete a record, or a trace alone, to make it anew.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from kalooki_tui.engine.match import HEADLESS_REDEALS, Match
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.headless import ai_players
from kalooki_tui.match.live_match import Table, TableSetup, record
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.records.lines import unsealed
from kalooki_tui.records.playback import PlaybackLine, Replay
from kalooki_tui.records.reader import open_record
from kalooki_tui.records.writer import dump
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from tests.playthroughs.tracing import trace
from tests.property.tables import KALOOKIS, RULESETS, sensible_action, wild_action

FOLDER = Path(__file__).parent
SEED = 7
#: Attempts by dice, most of them refused and some charged, for each sensible action under the penalties referee.
ATTEMPTS = 3


def wanted() -> dict[str, tuple[str, int, Referee, int]]:
    """File names with ruleset, seats, referee and how many deals are recorded.

    One whole match of each ruleset; the games of Kalooki have a deal or two with the other numbers of seats and the
    penalties referee.
    """
    files: dict[str, tuple[str, int, Referee, int]] = {}
    for ruleset_id in RULESETS:
        ruleset = load_ruleset(ruleset_id)
        usual = min(ruleset.seat_counts, key=lambda count: abs(count - 3))
        for seats in ruleset.seat_counts if ruleset_id in KALOOKIS else (usual,):
            files[f"{ruleset_id}-{seats}.jsonl"] = (ruleset_id, seats, Referee.STRICT, 99 if seats == usual else 1)
        if ruleset.infractions is not None:
            files[f"{ruleset_id}-{usual}-penalties.jsonl"] = (ruleset_id, usual, Referee.PENALTIES, 2)
    return files


def make(ruleset_id: str, seats: int, referee: Referee, deals: int) -> list[str]:
    """The lines of a playthrough: AI seats, or dice that also try what is forbidden under the penalties referee."""
    ruleset = load_ruleset(ruleset_id)
    changes: dict[str, object] = {"max_redeals": HEADLESS_REDEALS}
    if referee is Referee.PENALTIES and ruleset.dealer_cut_bonus is not None:
        changes["dealer_cut"] = True
    plans = parse_seats(["ai:club"] * seats)
    table = Table.open(TableSetup(ruleset, plans, SEED, referee, make_settings(ruleset, changes)))
    lines: list[str] = []
    record(table, lambda line: lines.append(dump(unsealed(json.loads(line)))))
    players, dice = ai_players(table), random.Random(SEED)
    match = table.match
    while not match.finished:
        seat = match.actor
        if seat is None:
            if match.deal.number >= deals and not match.deal.void:
                break
            table.next_deal()
        elif referee is Referee.STRICT:
            table.apply(players[seat].decide(match.view(seat)).action)
        else:
            for _ in range(ATTEMPTS):
                try:
                    table.apply(wild_action(match, dice))
                except Refused:
                    continue
                break
            if match.actor is not None:
                table.apply(sensible_action(match, dice))
    return lines


def played(path: Path) -> Iterator[tuple[Match, PlaybackLine]]:
    """Yield the match after each step of a record, from the first deal on."""
    record = open_record(str(path))
    with record.stream:
        replay = Replay(record)
        for step in replay.steps():
            if replay.match is not None:
                yield replay.match, step


def main() -> None:
    for name, plan in wanted().items():
        path = FOLDER / name
        if not path.exists():
            path.write_text("\n".join(make(*plan)) + "\n", encoding="utf-8")
            path.with_suffix(".trace").unlink(missing_ok=True)
        if not path.with_suffix(".trace").exists():
            path.with_suffix(".trace").write_text("\n".join(trace(path)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
