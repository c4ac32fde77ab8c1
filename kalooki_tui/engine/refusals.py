"""A refusal: what the rules forbid, with a stable code, the clause that forbids it and a sentence for the player."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action was not taken."""

    code: str
    """Stable name such as ``run.kiss``; the public list is in the notation reference."""
    clause: str
    """Clause id of the rules reference, such as ``M6``."""
    message: str
    """A sentence a player understands, naming the cards concerned."""
    charged: int = 0
    """Penalty points charged at once for the attempt (penalties referee)."""
    changed: bool = False
    """Whether the attempt changed the deal all the same: charged now, or remembered for the end of the turn (F1a)."""


class Refused(Exception):
    """Raised where a refused action was asked for."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def refuse(code: str, clause: str, message: str) -> Refused:
    """The exception for a refusal, to be raised."""
    return Refused(Refusal(code, clause, message))
