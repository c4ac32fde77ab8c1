"""A match's deals step by step, out of its record: only deals that are over, where every hand may be seen."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from kalooki_tui.coach.rated_advice import reason_of
from kalooki_tui.engine.actions import Action, Cut, Pass
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.permissions import AFTER_DEAL
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.presenter.sentences import deal_words
from kalooki_tui.records.checkpoints import Checkpoints
from kalooki_tui.records.playback import PlaybackLine, Replay

#: Keys of lines that follow from the action before them.
FOLLOWS: Final = ("reshuffled", "scored", "void")


class PastDeal:
    """Deal with the match after dealing and after every step but passes, by number."""

    def __init__(self, name: str, match: Match, checkpoints: Checkpoints, line: int = 1) -> None:
        self.name = name
        self._checkpoints = checkpoints
        self._shown = [0]
        self._turns = [_turn(match)]
        """Whose turn it is in each of them."""
        self._lines = [line]
        """Lines of the record up to each point of the deal."""

    def __len__(self) -> int:
        return len(self._shown)

    def state(self, number: int) -> Match:
        """Return the match after so many steps; -1 is the last."""
        return self._checkpoints.at(self._shown[number])

    def action(self, number: int) -> Action | None:
        """Return the action of a step; None for the deal itself."""
        return self.actions[self._shown[number] - 1] if number else None

    @property
    def actions(self) -> tuple[Action, ...]:
        return self._checkpoints.actions

    def at(self, point: int) -> Match:
        return self._checkpoints.at(point)

    def number_of(self, point: int) -> int:
        """Return the last visible step after so many actions, passes among them."""
        return bisect_right(self._shown, point) - 1

    @property
    def number(self) -> int:
        return self._checkpoints.at(0).deal.number

    def point_of(self, number: int) -> int:
        """Return how many actions there are up to a step."""
        return self._shown[number]

    def point_of_turn(self, turn: int) -> int:
        """Return how many actions there are before a turn, counted from 1; raise ValueError if there is none."""
        starts = self.turn_starts()
        if not 1 <= turn <= len(starts):
            raise ValueError(f"{self.name} has turns 1 to {len(starts)}, and no turn {turn}")
        return self._shown[starts[turn - 1]]

    def lines_to(self, point: int) -> int:
        """Return the lines of the record up to that point."""
        return self._lines[point]

    def before(self, number: int) -> Match:
        return self._checkpoints.at(self._shown[number] - 1)

    def follow(self, match: Match, played: PlaybackLine) -> None:
        """Follow a line of the record that has been played: a step, or some taken back."""
        del self._lines[len(self._checkpoints) :]
        if played.action is not None:
            self._lines.append(played.line.place.line)
        elif not played.line.data.keys().isdisjoint(FOLLOWS):
            self._lines[-1] = played.line.place.line
        while self._shown[-1] >= len(self._checkpoints):
            self._shown.pop()
            self._turns.pop()
        passes = isinstance(played.action, Pass) and played.refusal is None
        if played.action is not None and (not passes or (_turn(match)[1] and not self._turns[-1][1])):
            self._shown.append(len(self._checkpoints) - 1)
            self._turns.append(_turn(match))

    def turn_of(self, number: int) -> int:
        return sum(start <= number for start in self.turn_starts())

    def turn_starts(self) -> list[int]:
        return [0, *(place for place in range(1, len(self)) if self._turns[place] != self._turns[place - 1])]


def _turn(match: Match) -> tuple[int, bool]:
    return match.deal.turn, match.phase in AFTER_DEAL


def why_made(past: PastDeal, seats: Sequence[SeatPlan], number: int) -> str:
    action = past.action(number)
    if action is None:
        return "The cards have been dealt: nobody has done anything yet."
    name = seats[action.seat].name
    view = past.before(number).view(action.seat)
    if view.actor != action.seat:
        return f"{name} did this out of turn."
    return reason_of(view, action) or f"{name} had nothing to choose."


def past_deals(replay: Replay, *, going: bool = False) -> list[PastDeal]:
    """Return the finished deals of a match, void ones included; raise InputError for a line that does not follow.

    `going`: the deal that is being played, too.
    """
    deals: list[PastDeal] = []
    if replay.match is not None and replay.checkpoints is not None:
        deals.append(PastDeal(deal_words(replay.match.view(0)), replay.match, replay.checkpoints))
    for played in replay.steps():
        match = replay.match
        if match is None or replay.checkpoints is None:
            continue
        if "deal" in played.line.data:
            deals.append(PastDeal(deal_words(match.view(0)), match, replay.checkpoints, played.line.place.line))
        elif not isinstance(played.action, Cut):
            deals[-1].follow(match, played)
    match = replay.match
    if not going and deals and match is not None and not match.finished and match.phase not in AFTER_DEAL:
        deals.pop()
    return deals
