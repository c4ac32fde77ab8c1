"""Matches that begin at a moment: a position, a seat's view of one, or a turn of another match's record."""

from __future__ import annotations

import json
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
from kalooki_tui.wording import AI_NAMES, FIRST_NAME, listed

_AT: Final = re.compile(r"(\d{1,5})\.(\d{1,5})", re.ASCII)


def plan_at(
    match: Match, moment: str, players: Sequence[str] = (), record: Sequence[str] = (), upto: int = 0
) -> MatchPlan:
    """Plan a match that begins where one stands, with the seat to act in person; raise ValueError if no deal is played.

    `moment`: what that is, in words. `players`: who played there. `upto`: lines of its `record` that lead there.
    Without one, or while that match goes on, whose next deals nobody is to see, it begins at the position alone.
    """
    if match.actor is None:
        raise ValueError(f"{moment}: no deal is being played then")
    is_over = bool(record) and "result" in (parse_line(record[-1].encode())[0] or {})
    start = MatchStart(
        match.rules, moment, None if is_over else position_data(match), tuple(record[:upto] if is_over else ())
    )
    seed = None if record and not is_over else match.setup.seed
    levels = tuple(
        USUAL_PLAYER if one == "human" or one.startswith("exec:") else f"ai:{one.removeprefix('ai:')}"
        for one in players or ["human"] * len(match.names)
    )
    seats = [SeatPlan(name, level) for name, level in zip(match.names, levels, strict=True)]
    seats[match.actor], start = SeatPlan(match.names[match.actor]), replace(start, levels=levels)
    rules = match.rules
    return MatchPlan(rules.ruleset.id, tuple(seats), referee=rules.referee, seed=seed, start=start)


def with_people(plan: MatchPlan, people: Collection[int]) -> MatchPlan:
    """Return the plan with these people, and AI seats in the place of the others."""
    levels = () if plan.start is None else plan.start.levels
    seats = [
        replace(seat, player="human" if number in people else levels[number]) for number, seat in enumerate(plan.seats)
    ]
    return _named(replace(plan, seats=tuple(seats)))


def with_seats(plan: MatchPlan, wanted: Sequence[str]) -> MatchPlan:
    """Return the plan with these seats, by name (``Ann``, ``Bob=ai:club``); raise ValueError if it has no such seat."""
    plans, names = {seat.name: seat for seat in parse_seats(wanted)}, [seat.name for seat in plan.seats]
    if not plans.keys() <= {*names} or any(text.startswith(("ai:", "exec:")) for text in wanted):
        raise ValueError(f"the seats here are {listed(names)}: name them, as {names[0]} or {names[0]}=ai:club")
    if any(seat.is_human for seat in plans.values()):
        plan = with_people(plan, ())
    seats = (plans.get(name, seat) for name, seat in zip(names, plan.seats, strict=True))
    return _named(replace(plan, seats=tuple(seats)))


def _named(plan: MatchPlan) -> MatchPlan:
    """Give an AI seat that is called You another name: sentences would speak to it."""
    start, names = plan.start, {seat.name for seat in plan.seats}
    other = next((name for name in AI_NAMES if name not in names), "Guest")
    if start is None or not any(seat.name == FIRST_NAME and not seat.is_human for seat in plan.seats):
        return plan
    seats = (replace(seat, name=other) if seat.name == FIRST_NAME else seat for seat in plan.seats)
    position = json.loads(json.dumps(start.position).replace(f'"{FIRST_NAME}"', json.dumps(other)))
    return replace(plan, seats=tuple(seats), start=replace(start, position=position))


def match_of_view(view: View, seed: str) -> Match:
    """Return a match that looks to the view's seat as this one; hidden cards are dealt by `seed`."""
    return Match(MatchSetup(view.rules, view.names, 1), Belief(view).dealt(seed))


class Moment(NamedTuple):
    match: Match
    record: list[str]
    upto: int
    """Lines of the record that lead there."""
    players: Sequence[str]
    options: tuple[str, ...]


def moment_in(record: RecordFile, at: str, *, open_hands: bool = False) -> Moment:
    """Find a moment of a record, a deal and a turn of it such as ``3.12``; raise InputError, or ValueError if none.

    Only deals that are over count, in a teaching match, or with `open_hands`, also the one that is being played.
    """
    found = _AT.fullmatch(at)
    if found is None:
        raise ValueError(f"{at!r} is no moment: write a deal and a turn of it, such as 3.12")
    with record.stream:
        # What follows the last line's end was cut off.
        lines = [*filter(None, record.stream.read().decode("utf-8", "replace").split("\n")[:-1])]
    replay = Replay(open_lines(record.file, lines))
    head = parse_line(lines[0].encode())[0] or {}
    deals = past_deals(replay, going=open_hands or head.get("teaching") is True)
    # A void deal is dealt again under its number.
    deal = next((one for one in reversed(deals) if one.number == int(found[1])), None)
    if deal is None:
        may = listed([str(one) for one in dict.fromkeys(one.number for one in deals)]) if deals else "none"
        raise ValueError(f"{record.file}: deals that may be looked at: {may}, not {int(found[1])}")
    point = deal.point_of_turn(int(found[2]))
    return Moment(deal.at(point), lines, deal.lines_to(point), replay.players, replay.head.options)
