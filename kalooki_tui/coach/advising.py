"""Advice on one decision: every option with what it is expected to come to, the fact that tells it from the best, and
the hint.

An option is played on in likely worlds, the same for all options, so that their difference is sharper than their
errors. What it comes to is the seat's points in the deal less the average of the others': below zero is good.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kalooki_tui.coach.hinting import Hint, hint, hint_at
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import Action, Discard, Lay
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import View
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import assess
from kalooki_tui.judging.recommending import difference
from kalooki_tui.players import check_level, make_player
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.master import Master
from kalooki_tui.playouts import LIGHT, PlayoutFault, available
from kalooki_tui.playouts.means import Mean, mean_gain, mean_of
from kalooki_tui.values import dataclass

#: The level whose choice is the hint's.
STRONGEST: Final = "master"
WORLDS: Final = 400


@dataclass(frozen=True, slots=True)
class Expected:
    """One option of a decision."""

    action: Action
    margin: Mean | None
    """The seat's points less the average of the others', at the end of the deal; None: it could not be played on."""
    behind: Mean | None
    """Points by which it is worse than what is advised, in the same worlds."""
    reason: str
    """The fact that tells what is advised from it; for what is advised, from the next best."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and what each option comes to."""

    hint: Hint
    options: tuple[Expected, ...]
    """What is advised first, the others after it by what they come to."""
    worlds: int
    """How many worlds each was played on in; 0: none, there is no native core or it cannot play the moment on."""

    @property
    def action(self) -> Action:
        """What is advised."""
        return self.hint.action


def decide(view: View, level: str = STRONGEST, seed: str = "advice") -> Action:
    """What an AI seat of a level, such as ``club`` or ``expert/caller``, does there.

    Raises:
        ValueError: there is no such level, or it is not this seat's decision.
    """
    player = make_player(level, seed)
    if view.actor != view.seat:
        raise ValueError("this seat has nothing to decide here")
    return player.decide(view).action


def advise(view: View, level: str = STRONGEST, *, worlds: int = WORLDS) -> Advice:
    """The advice of a level; the strongest one's is the hint's. With no `worlds` nothing is played on.

    Raises:
        ValueError: there is no such level; it is not this seat's decision, or one that no facts speak to (a cut, buying
            in).
    """
    check_level(level)
    given = hint(view) if level == STRONGEST else hint_at(view, decide(view, level))
    situation = Situation(view)
    actions = _options(situation, given.action)
    margins = _played_on(view, actions, worlds)
    found = [
        Expected(action, mean_of(mine) if mine else None, mean_gain(margins[0], mine) if mine else None, "")
        for action, mine in zip(actions, margins, strict=True)
    ]
    first, *others = found
    others.sort(key=lambda one: one.margin.points if one.margin else 0.0)
    told = [
        Expected(one.action, one.margin, one.behind, reason(situation, difference(situation, first.action, one.action)))
        for one in others
    ]
    best = Expected(first.action, first.margin, first.behind, given.reason)
    return Advice(given, (best, *told), len(margins[0]))


def _options(situation: Situation, advised: Action) -> list[Action]:
    """What could be done, what is advised first: every throw, having the open card or not, the best lay-down."""
    view = situation.view
    throws = [action for action in view.legal if isinstance(action, Discard)]
    lay = lay_contract(view) if view.may_lay and not situation.has_laid else None
    laid = [lay.action] if lay is not None and isinstance(lay.action, Lay) else []
    return list(dict.fromkeys([advised, *laid, *(option.action for option in assess(situation).options), *throws]))


def _played_on(view: View, actions: Sequence[Action], worlds: int) -> list[list[float]]:
    """By option, its margin in each world; empty where nothing can be played on."""
    if available() and worlds:
        ways = [[action] for action in actions]
        try:
            found = Belief(view).played_out(ways, worlds, "advice", own=Master("advice").goes_on(view), others=LIGHT)
        except (ValueError, PlayoutFault, Refused):
            return [[] for _ in actions]
        return [[ending.margin(view.seat) for ending in by_world] for by_world in found]
    return [[] for _ in actions]
