"""What can be taken back at a place, and who must agree to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kalooki_tui.desk.table.desk import NOTHING_KEPT
from kalooki_tui.engine.actions import Action, Pass
from kalooki_tui.table.table import Table
from kalooki_tui.wording import whose

#: What lets another player's step stay where it is.
NOT_YOURS: Final = "The last step was {whose} own: only that player can take it back."
LOOKED: Final = "Somebody has looked at a hand since: a step can be taken back only until then."


class Past(Protocol):
    """What a match remembers of its steps, to take them back."""

    teaching: bool
    """Whether a person may take back anything done in this deal."""

    @property
    def passed_last(self) -> bool:
        """Whether the last that was done is that a person, who was asked, did not call."""

    def last_action(self, seats: Collection[int] | None = None) -> Action | None:
        """The last that anybody, or one of these seats, was asked for and did in this deal."""

    def why_not_undo(self, seats: Collection[int] | None = None) -> str | None:
        """Why nothing can be taken back now; with `seats`, why no step of theirs, whatever has been done since."""

    def undo(self, seats: Collection[int] | None = None) -> Table:
        """Take back the last step of a person, or of one of these seats: a new table; the old one is dead."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The step that a place may take back."""

    why: str = ""
    """Why it may not; empty: it may."""
    step: Action | None = None
    seats: tuple[int, ...] | None = None
    """Whose last step it is where others have acted since, or have seen something; None: it is the match's last."""
    asks: tuple[int, ...] = ()
    """People elsewhere who must agree to it."""


def take_back(
    past: Past | None,
    names: Sequence[str],
    *,
    people: Collection[int],
    here: Collection[int],
    elsewhere: Sequence[int],
    seat: int | None,
    looked: bool,
) -> TakeBack:
    """What the person of a seat here, or with None anybody here, may take back.

    `elsewhere`: people at other places; `looked`: somebody has looked at a hand since the last step.
    """
    if past is None:
        return TakeBack(NOTHING_KEPT)
    own, why = tuple(here) if seat is None else (seat,), past.why_not_undo()
    last = past.last_action(people)
    if why is None and last is not None:
        may = past.teaching or past.passed_last or last.seat in own
        if last.seat in here and may:
            return TakeBack(LOOKED if looked and not past.teaching else "", last)
        why = NOT_YOURS.format(whose=whose(names[last.seat]))
    step = past.last_action(own)
    # Nobody is asked about a pass: it cost nobody anything.
    if elsewhere and step is not None and not isinstance(step, Pass) and past.why_not_undo(own) is None:
        return TakeBack("", step, own, tuple(elsewhere))
    return TakeBack(why or "There is nothing to take back in this deal.")
