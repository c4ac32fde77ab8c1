"""A match's deals step by step, out of its record: only deals that are over, where every hand may be seen."""

from __future__ import annotations

from dataclasses import dataclass, field

from kalooki_tui.desk.words import deal_words
from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.view import Phase
from kalooki_tui.records.replaying import Replay


@dataclass(slots=True)
class PastDeal:
    """One deal: the match after the cards were dealt, and after every step but passes."""

    name: str
    states: list[Match]
    marks: list[bool] = field(default_factory=list)
    """For each line of the record in effect: whether it added a state."""

    def add(self, state: Match | None) -> None:
        """A line of the record has been played; `state` None: nothing to be seen came of it."""
        self.marks.append(state is not None)
        if state is not None:
            self.states.append(state)

    def take_back(self, lines: int) -> None:
        """The last so many lines no longer count."""
        for mark in self.marks[len(self.marks) - lines :]:
            if mark:
                self.states.pop()
        del self.marks[len(self.marks) - lines :]

    def turn_starts(self) -> list[int]:
        """States with which a seat's turn, or the deal, begins."""
        starts = [0]
        starts += [
            place for place in range(1, len(self.states)) if _turn(self.states[place]) != _turn(self.states[place - 1])
        ]
        return starts


def _turn(match: Match) -> tuple[int, bool]:
    return match.deal.turn, match.deal.phase is Phase.OVER


def past_deals(replay: Replay) -> list[PastDeal]:
    """The deals of a match that are over, those played again after a void one included.

    Raises:
        DoesNotFollow: a line does not follow.
        InputError: a line is not in the format.
    """
    deals: list[PastDeal] = []
    for played in replay.steps():
        match, data = replay.match, played.line.data
        if match is None:
            continue
        if "deal" in data:
            deals.append(PastDeal(deal_words(match.view(0)), [match.clone()]))
        elif not deals:
            continue
        elif "undone" in data:
            deals[-1].take_back(data["undone"])
        else:
            shows = played.action is not None and not (isinstance(played.action, Pass) and played.refusal is None)
            deals[-1].add(match.clone() if shows or _is_over(match, deals[-1]) else None)
    match = replay.match
    if deals and match is not None and not match.finished and match.phase not in (Phase.OVER, Phase.BUY_IN):
        deals.pop()
    return deals


def _is_over(match: Match, deal: PastDeal) -> bool:
    """Whether the deal has just ended by a step that shows nothing else."""
    over = (Phase.OVER, Phase.BUY_IN)
    return match.phase in over and deal.states[-1].phase not in over
