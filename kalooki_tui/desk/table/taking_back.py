"""What can be taken back at a place, and who must agree to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import View
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.table.table import Table

#: What lets another player's step stay where it is.
NOT_YOURS: Final = "The last step was {whose} own: only that player can take it back."
LOOKED: Final = "Somebody has looked at a hand since: a step can be taken back only until then."


class DealtAgain:
    """Nothing is written down, but the learner's own steps can be taken back: the deal is played again up to there."""

    teaching = True
    passed_last = False

    def __init__(self, table: Table, deal_again: Callable[[], Table], until: Sequence[Action] = ()) -> None:
        """`until`: what was done at the table before."""
        self._people, self._deal_again = table.people, deal_again
        self._actions = list(until)
        self._follow(table)

    def until(self, place: int) -> tuple[Action, ...]:
        """The first actions of the deal."""
        return tuple(self._actions[:place])

    def decisions(self) -> dict[int, tuple[View, Action]]:
        """What the learner saw and did, by how many actions came before it: the deal is played again for it."""
        table, found = self._deal_again(), dict[int, tuple[View, Action]]()
        for place, action in enumerate(self._actions):
            if action.seat in self._people:
                found[place] = table.view(action.seat), action
            table.attempt(action)
        return found

    def _follow(self, table: Table) -> None:
        table.listen(lambda step: self._actions.append(step.action) if step.action is not None else None)

    def _own(self, seats: Collection[int] | None) -> list[int]:
        """Where the learner's steps are among all, or those of these seats."""
        seats = self._people if seats is None else {*self._people}.intersection(seats)
        return [place for place, action in enumerate(self._actions) if action.seat in seats]

    def last_action(self, seats: Collection[int] | None = None) -> Action | None:
        """The last that anybody, or one of these seats, did."""
        return next((one for one in reversed(self._actions) if seats is None or one.seat in seats), None)

    def why_not_undo(self, seats: Collection[int] | None = None) -> str | None:
        """Nothing speaks against it, once the learner has done something."""
        return None if self._own(seats) else "You have done nothing yet that could be taken back."

    def undo(self, seats: Collection[int] | None = None) -> Table:
        """Deal the same cards again, and let everything happen that came before the learner's last step.

        Raises:
            StoreError: nothing can be taken back.
        """
        refused = self.why_not_undo(seats)
        if refused is not None:
            raise StoreError(refused)
        kept = self._actions[: self._own(seats)[-1]]
        table = self._deal_again()
        for action in kept:
            table.attempt(action)
        self._actions = kept
        self._follow(table)
        return table


Past: TypeAlias = LiveMatch | DealtAgain
"""What remembers the steps of a match, to take them back."""


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
