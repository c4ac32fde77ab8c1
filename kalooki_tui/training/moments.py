"""Matches that begin at a moment: a position, a seat's view of one, or a turn of another match's record."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.view import View
from kalooki_tui.match.seating import USUAL_PLAYER, SeatPlan, parse_seats
from kalooki_tui.players.belief import Belief
from kalooki_tui.positions.position_files import position_data
from kalooki_tui.records.lines import parse_line
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import RecordFile, open_lines
from kalooki_tui.session.plan import MatchPlan, MatchStart
from kalooki_tui.training.steps import past_deals
from kalooki_tui.wording import counted, listed

_AT: Final = re.compile(r"(\d{1,5})\.(\d{1,5})", re.ASCII)


def plan_at(match: Match, moment: str, players: Sequence[str] = (), lines: Sequence[str] = ()) -> MatchPlan:
    """Plan a match that begins where one stands, with the seat to act in person; raise ValueError if no deal is played.

    `moment`: what that is, in words. `players`: who played there. `lines`: of its record, up to there; without them
    the match begins at the position alone, and nobody knows what happened before.
    """
    if match.actor is None:
        raise ValueError(f"{moment}: no deal is being played then")
    start = MatchStart(match.rules, moment, None if lines else position_data(match), tuple(lines))
    seats = [
        SeatPlan(name, USUAL_PLAYER if one == "human" or one.startswith("exec:") else f"ai:{one.removeprefix('ai:')}")
        for name, one in zip(match.names, players or ["human"] * len(match.names), strict=True)
    ]
    rules = match.rules
    plan = MatchPlan(rules.ruleset.id, tuple(seats), referee=rules.referee, seed=match.setup.seed, start=start)
    return with_people(plan, (match.actor,))


def with_people(plan: MatchPlan, people: Collection[int]) -> MatchPlan:
    """Return the plan with these people, and AI seats in the place of the others."""
    seats = [
        replace(seat, player="human" if number in people else USUAL_PLAYER if seat.is_human else seat.player)
        for number, seat in enumerate(plan.seats)
    ]
    return replace(plan, seats=tuple(seats))


def with_seats(plan: MatchPlan, wanted: Sequence[str]) -> MatchPlan:
    """Return the plan with these seats, by name (``Ann``, ``Bob=ai:club``); raise ValueError if it has no such seat."""
    plans, names = {seat.name: seat for seat in parse_seats(wanted)}, [seat.name for seat in plan.seats]
    if not plans.keys() <= {*names} or any(text.startswith(("ai:", "exec:")) for text in wanted):
        raise ValueError(f"the seats here are {listed(names)}: name them, as {names[0]} or {names[0]}=ai:club")
    if any(seat.is_human for seat in plans.values()):
        plan = with_people(plan, ())
    return replace(plan, seats=tuple(plans.get(seat.name, seat) for seat in plan.seats))


def match_of_view(view: View, seed: str) -> Match:
    """Return a match that looks to the view's seat as this one; hidden cards are dealt by `seed`."""
    return Match(MatchSetup(view.rules, view.names, 1), Belief(view).dealt(seed))


class Moment(NamedTuple):
    match: Match
    lines: list[str]
    """Of the record, up to there."""
    players: Sequence[str]
    options: tuple[str, ...]


def moment_in(record: RecordFile, at: str, *, open_hands: bool = False) -> Moment:
    """Find a moment of a record, a deal and a turn of it such as ``3.12``; raise InputError, or ValueError if none.

    Only deals that are over count, in a teaching match, or with `open_hands`, also the one that is being played.
    """
    found = _AT.fullmatch(at)
    if found is None:
        raise ValueError(f"{at!r} is no moment: write a deal and a turn of it, such as 3.12")
    number = int(found[1])
    with record.stream:
        lines = [*filter(None, record.stream.read().decode("utf-8", "replace").split("\n"))]
    replay = Replay(open_lines(record.file, lines))
    head = parse_line(lines[0].encode())[0] or {}
    deals = past_deals(replay, going=open_hands or head.get("teaching") is True)
    if not 1 <= number <= len(deals):
        raise ValueError(
            f"{record.file}: {counted(len(deals), 'deal')} may be looked at, and deal {number} is none of them"
        )
    deal = deals[number - 1]
    point = deal.point_of_turn(int(found[2]))
    return Moment(deal.at(point), lines[: deal.lines_to(point)], replay.players, replay.head.options)
