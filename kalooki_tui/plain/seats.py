"""Changing who plays, by lines of text."""

from __future__ import annotations

from dataclasses import replace

from kalooki_tui.desk.table.place import Place
from kalooki_tui.plain.terminal import Lines
from kalooki_tui.players import LEVELS
from kalooki_tui.table.seats import SeatChange, changes_of, player_words


def change_seat(lines: Lines, place: Place) -> None:
    """Ask for a seat and for what is to change there, and change it."""
    plans = place.sitting.plans
    seats = [f"{plan.name}: {player_words(seat, plan, place.here)}" for seat, plan in enumerate(plans)]
    seat = lines.choose("Which seat do you want to change?", seats)
    if seat is None:
        return
    plan = plans[seat]
    ways = changes_of(plan)
    way = lines.choose("What is to change?", [words for words, _ in ways])
    if way is None:
        return
    change = ways[way][1]
    if change is SeatChange.AI:
        level = lines.choose("Which AI is to play?", LEVELS)
        changed = plan if level is None else replace(plan, player=f"ai:{LEVELS[level]}")
    else:
        who = "Who takes the seat? Its cards and points stay as they are." if change is SeatChange.PERSON else ""
        name = lines.ask(f"{who} The name, or nothing for {plan.name}:".lstrip()) or plan.name
        changed = replace(plan, name=name, player="human" if change is SeatChange.PERSON else plan.player)
    if changed != plan:
        why = place.reseat(seat, changed)
        if why:
            lines.tell(why)
