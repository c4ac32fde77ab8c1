"""Deal in effect: its steps, what can be taken back, and every point of it, by a snapshot every few steps."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from kalooki_tui.cards import Card
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import View

EVERY: Final = 16
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


def shows_nothing(events: Iterable[Event]) -> bool:
    """Return whether these events show nobody an unknown card, decision or score."""
    return all(
        event.source is not Source.STOCK if isinstance(event, happened.Drew) else isinstance(event, HARMLESS)
        for event in events
    )


class PastStep(NamedTuple):
    action: Action
    stock: tuple[Card, ...] | None
    """How a reshuffle laid it, the top first, where that is no seed's."""
    reveals: bool
    asked: bool
    """False for a pass that was made for a person."""
    lines: int
    """Lines of the record: its own and those that follow from it."""


class Checkpoints:
    """Deal from its first point on, which is that of the match as given, and the actions since."""

    def __init__(self, match: Match) -> None:
        self._copies = [match.clone()]
        self._steps: list[PastStep] = []

    def __len__(self) -> int:
        return len(self._steps) + 1

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(step.action for step in self._steps)

    def step(
        self,
        match: Match,
        action: Action,
        events: Iterable[Event] = (),
        refusal: Refusal | None = None,
        *,
        stock: tuple[Card, ...] | None = None,
        asked: bool = True,
        lines: int = 1,
    ) -> None:
        """Note an action or a charged attempt that has led to the match as it is now."""
        reveals = refusal is not None or not shows_nothing(events)
        self._steps.append(PastStep(action, stock, reveals, asked, lines))
        if len(self._steps) % EVERY == 0:
            self._copies.append(match.clone())

    def at(self, number: int) -> Match:
        near = number // EVERY
        match = self._copies[near].clone()
        for step in self._steps[near * EVERY : number]:
            _again(match, step)
        return match

    def decisions(self, seat: int) -> dict[int, tuple[View, Action]]:
        """Return the seat's views and actions so far, charged attempts included, by the point of each."""
        match = self._copies[0].clone()
        found: dict[int, tuple[View, Action]] = {}
        for point, step in enumerate(self._steps):
            if step.action.seat == seat:
                found[point] = match.view(seat), step.action
            _again(match, step)
        return found

    # Taking back

    @property
    def last(self) -> PastStep | None:
        return self._steps[-1] if self._steps else None

    def last_of(self, people: Iterable[int] | None = None) -> int | None:
        """Return the point before the last step of these seats, or of any, that was asked for."""
        seats = None if people is None else set(people)
        for point, step in reversed([*enumerate(self._steps)]):
            if step.asked and (seats is None or step.action.seat in seats):
                return point
        return None

    def why_not(self, people: Iterable[int], *, freely: bool = False) -> str | None:
        """Return why the last step cannot be taken back; `freely`: why none of theirs can, where any may be."""
        asked = self.last_of()
        if asked is None or self.last_of(people) is None:
            own = "of yours " if freely or asked is not None else ""
            return f"There is nothing {own}to take back in this deal."
        if freely:
            return None
        if self._steps[asked].action.seat not in set(people):
            return "Another seat has decided since: a step can be taken back only until then."
        # What a pass shows that was made for somebody, such as a flip, has been seen as well.
        if any(step.reveals for step in self._steps[asked:]):
            return "A new card has been seen since: a step can be taken back only until then."
        return None

    def lines_from(self, point: int) -> int:
        return sum(step.lines for step in self._steps[point:])

    def point_before(self, lines: int) -> int | None:
        """Return the point before the last `lines` lines; None if they do not begin with an action of this deal."""
        for point, step in reversed([*enumerate(self._steps)]):
            lines -= step.lines
            if lines <= 0:
                return None if lines else point
        return None

    def back_to(self, number: int) -> Match:
        match = self.at(number)
        del self._steps[number:]
        del self._copies[number // EVERY + 1 :]
        return match


def _again(match: Match, step: PastStep) -> None:
    if step.stock is not None:
        match.deal.next_stock = list(reversed(step.stock))
    with suppress(Refused):
        match.apply(step.action)
