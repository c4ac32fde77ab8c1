"""Checkpoints of a deal: a snapshot every few steps, the rest replayed."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import View

EVERY: Final = 16


class Checkpoints:
    """Deal from its first point on, and the actions since; point 0 is that of `begin`."""

    def __init__(self) -> None:
        self._copies: list[Match] = []
        self._steps: list[tuple[Action, tuple[Card, ...] | None]] = []

    def __len__(self) -> int:
        return len(self._steps) + 1 if self._copies else 0

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(action for action, _ in self._steps)

    def begin(self, match: Match) -> None:
        """Make the present match the first point."""
        self._copies, self._steps = [match.clone()], []

    def step(self, match: Match, action: Action, stock: tuple[Card, ...] | None = None) -> None:
        """Note an action that has led to the match as it is now; `stock`: how a reshuffle laid it, the top first."""
        self._steps.append((action, stock))
        if len(self._steps) % EVERY == 0:
            self._copies.append(match.clone())

    def at(self, number: int) -> Match:
        near = number // EVERY
        match = self._copies[near].clone()
        for step in self._steps[near * EVERY : number]:
            _again(match, *step)
        return match

    def decisions(self, seat: int) -> dict[int, tuple[View, Action]]:
        """Return the seat's views and actions so far, charged attempts included, by the point of each."""
        if not self._copies:
            return {}
        match = self._copies[0].clone()
        found: dict[int, tuple[View, Action]] = {}
        for point, (action, stock) in enumerate(self._steps):
            if action.seat == seat:
                found[point] = match.view(seat), action
            _again(match, action, stock)
        return found

    def back_to(self, number: int) -> Match:
        match = self.at(number)
        self.forget(number + 1)
        return match

    def forget(self, count: int) -> None:
        del self._steps[count - 1 :]
        del self._copies[(count - 1) // EVERY + 1 :]


def _again(match: Match, action: Action, stock: tuple[Card, ...] | None) -> None:
    if stock is not None:
        match.deal.next_stock = list(reversed(stock))
    with suppress(Refused):
        match.apply(action)
