"""What can change in a seat at the table, in words: another player, another name."""

from __future__ import annotations

from collections.abc import Container
from enum import Enum, auto

from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.wording import ai_words


class SeatChange(Enum):
    """What can be another than before."""

    PERSON = auto()
    AI = auto()
    NAME = auto()


def changes_of(plan: SeatPlan) -> list[tuple[str, SeatChange]]:
    """What can change in a seat, each with its words."""
    if plan.is_human:
        first = [(f"An AI plays for {plan.name}", SeatChange.AI)]
    else:
        first = [
            ("A person here takes the seat, or has it back", SeatChange.PERSON),
            ("An AI of another level", SeatChange.AI),
        ]
    return [*first, ("Another name", SeatChange.NAME)]


def player_words(seat: int, plan: SeatPlan, here: Container[int]) -> str:
    """Who plays a seat; `here`: people at this place."""
    if plan.is_outside:
        return "a program"
    if not plan.is_human:
        return ai_words(plan.player)
    return "a person here" if seat in here else "a person at another screen"
