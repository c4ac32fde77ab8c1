"""The facts of a match by playing it again: the slow way, which those read out of the lines must agree with."""

from __future__ import annotations

from collections.abc import Iterable

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.deal import Deal
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.store.facts import MatchFacts, SeatFacts


def facts_by_replay(lines: Iterable[str]) -> MatchFacts:
    replay = Replay(open_lines("it", lines))
    seats = [SeatFacts(name) for name in replay.head.names]
    dealt: list[int] = []
    over: Deal | None = None

    def count() -> None:
        if over is None:
            return
        called = [event.caller for event in over.history if isinstance(event, happened.CallAllowed)]
        laid = {event.seat for event in over.history if isinstance(event, happened.Laid)}
        for seat in dealt:
            facts, calls = seats[seat], called.count(seat)
            facts.deals += 1
            facts.points += over.points[seat]
            facts.outs += over.out == seat
            facts.bends += over.out == seat and over.bent
            facts.calls += calls
            facts.call_deals += bool(calls)
            facts.call_points += over.points[seat] if calls else 0
            done, times = facts.laid.get(over.number, (0, 0))
            facts.laid[over.number] = (done + (seat in laid), times + 1)

    for played in replay.steps():
        data, match = played.line.data, replay.match
        if match is None:
            continue
        if "deal" in data:
            count()
            over = None
            dealt = [seat for seat, name in enumerate(match.names) if data["hands"][name]]
        elif "undone" in data:
            over = None
        elif "scored" in data and "passed_over" not in data:
            over = match.deal
    count()
    match = replay.match
    assert match is not None
    assert match.finished
    for seat, facts in enumerate(seats):
        facts.total, facts.won = match.totals[seat], seat in match.winners
        eliminating = match.rules.ruleset.end.after == "elimination"
        ranks = [(-facts.deals if eliminating else 0, total) for facts, total in zip(seats, match.totals, strict=True)]
        losers = [rank for other, rank in enumerate(ranks) if other not in match.winners]
        facts.money = match.standing.money[seat] if any(match.standing.money) else None
        facts.place = 1 if facts.won else 1 + len(match.winners) + sum(one < ranks[seat] for one in losers)
    return MatchFacts(tuple(seats))
