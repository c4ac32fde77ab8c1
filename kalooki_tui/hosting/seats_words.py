"""The seats of a hosted table in words, for whatever shows them."""

from __future__ import annotations

from kalooki_tui.hosting.lobby import LEVEL, Chair
from kalooki_tui.hosting.visitor import Visitor
from kalooki_tui.wording import ai_words


def state_of(chair: Chair) -> str:
    """Who plays a chair, in words."""
    if not chair.is_person:
        return ai_words(chair.player)
    if not chair.is_own:
        return "at the host's screen"
    if chair.is_here:
        return "has come"
    return "away" if chair.has_come else "not here yet" if chair.name else "free"


def stand_in_words(chair: Chair) -> str:
    """What lets an AI play for somebody who is away."""
    return f"Let an AI, {LEVEL}, play for {chair.name}"


def waits_for(visitor: Visitor) -> str:
    """What a guest without a key has to do, or waits for."""
    if visitor.chair is not None:
        return "You have a seat. The match begins when the host says so."
    if visitor.watches:
        return "You look on. The match begins when the host says so."
    if not visitor.called:
        return "What are you called?"
    return f"{visitor.called}, take a seat." if visitor.open_seats else f"{visitor.called}, no seat is free for you."
