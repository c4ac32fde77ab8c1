"""The actions of the deal so far, for taking them back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refusal

if TYPE_CHECKING:
    from kalooki_tui.records.checkpoints import Checkpoints
    from kalooki_tui.records.lines import CheckChain
    from kalooki_tui.table.table import Table

#: Events that show nobody a card, a decision or a score that was not known: a step of these alone can be taken back.
HARMLESS: Final = (
    happened.Passed,
    happened.Called,
    happened.CallRefused,
    happened.Laid,
    happened.Tacked,
    happened.Swapped,
    happened.Discarded,
    happened.TurnEnded,
    happened.AddedOn,
    happened.BoughtIn,
    happened.SeatLeft,
    happened.WentOut,
)


@dataclass(slots=True)
class Mark:
    """One action in effect, and the number of its lines in the record."""

    action: Action
    reveals: bool
    lines: int = 1
    asked: bool = True
    """False: a pass that was made for a person."""


class Trail:
    """The actions in effect since the cards were dealt; nothing reaches back before them."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def __len__(self) -> int:
        """How many actions they are."""
        return len(self._marks)

    @property
    def last(self) -> Mark | None:
        return self._marks[-1] if self._marks else None

    def last_of(self, people: Iterable[int] | None = None) -> Action | None:
        """The last that anybody, or one of these people, was asked for and did."""
        seats = None if people is None else set(people)
        for mark in reversed(self._marks):
            if mark.asked and (seats is None or mark.action.seat in seats):
                return mark.action
        return None

    def act(
        self, action: Action, events: Iterable[Event], refusal: Refusal | None = None, *, asked: bool = True
    ) -> None:
        """An action was taken, or an attempt charged. Not `asked`: it was a pass made for a person."""
        reveals = refusal is not None or not shows_nothing(events)
        self._marks.append(Mark(action, reveals, asked=asked))

    def follow(self) -> None:
        """A further line tells what came of the last action."""
        if self._marks:
            self._marks[-1].lines += 1

    def begin(self) -> None:
        """Cards were dealt, or a contract passed over."""
        self._marks.clear()

    def take_back(self, lines: int) -> None:
        """Take the last `lines` lines out of effect."""
        while lines > 0 and self._marks:
            lines -= self._marks.pop().lines

    def why_not(self, people: Iterable[int]) -> str | None:
        """Why the last step cannot be taken back, or None."""
        asked = next((place for place in reversed(range(len(self._marks))) if self._marks[place].asked), None)
        if asked is None:
            return "There is nothing to take back in this deal."
        if self._marks[asked].action.seat not in set(people):
            return "Another seat has decided since: a step can be taken back only until then."
        # What a pass shows that was made for somebody, such as a flip, has been seen as well.
        if any(mark.reveals for mark in self._marks[asked:]):
            return "A new card has been seen since: a step can be taken back only until then."
        return None

    def why_not_freely(self, people: Iterable[int]) -> str | None:
        """Why no step of a person can be taken back, or None, where everything may be."""
        seats = set(people)
        if any(mark.asked and mark.action.seat in seats for mark in self._marks):
            return None
        return "There is nothing of yours to take back in this deal."

    def last_lines(self, people: Iterable[int]) -> int:
        """How many lines the last step of a person and all that followed it have; a pass made for a person is none."""
        seats, count = set(people), 0
        for mark in reversed(self._marks):
            count += mark.lines
            if mark.asked and mark.action.seat in seats:
                return count
        return 0


def shows_nothing(events: Iterable[Event]) -> bool:
    """Whether these events show nobody a card, a decision or a score that was not known."""
    return all(map(_is_harmless, events))


def _is_harmless(event: Event) -> bool:
    if isinstance(event, happened.Drew):
        return event.source is not Source.STOCK
    return isinstance(event, HARMLESS)


@dataclass(frozen=True)
class TakenUp:
    """A table as it was, what can be taken back there, and its record, sealed and ending with a whole step."""

    table: Table
    trail: Trail
    checkpoints: Checkpoints
    lines: list[str]
    chain: CheckChain
