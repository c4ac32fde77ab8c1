"""Advice on one decision: every option with what it is expected to come to, the fact that tells it from the best, and
the hint.

The options are those of the hint's race: what one comes to is what it made out in likely worlds, the same for all, and
what was thought of it before. It is the seat's points in the deal less the average of the others': below zero is good.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from kalooki_tui.coach.hinting import Hint, hint_at, told
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import Action, Discard, Lay
from kalooki_tui.engine.view import View
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import assess
from kalooki_tui.judging.playing_out import WORLDS
from kalooki_tui.judging.recommending import recommend, told_apart
from kalooki_tui.players import check_level, make_player
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.racing import Race
from kalooki_tui.playouts.means import Mean

#: The level whose choice is the hint's.
STRONGEST: Final = "master"


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
    situation = Situation(view)
    found = recommend(situation, worlds=worlds)
    given = told(situation, found) if level == STRONGEST else hint_at(view, decide(view, level))
    others = []
    for action in _options(situation, found.race):
        if action != given.action:
            fact, contrary = told_apart(situation, given.action, action)
            others.append(_expected(found.race, action, given.action, reason(situation, fact, contrary=contrary)))
    others.sort(key=lambda one: one.behind.points if one.behind else inf)
    best = _expected(found.race, given.action, given.action, given.reason)
    return Advice(given, (best, *others), 0 if found.race is None else len(found.race.usual))


def _options(situation: Situation, race: Race | None) -> list[Action]:
    """What could be done: what was played on, having the open card or not, the best lay-down, every throw."""
    view = situation.view
    played = [] if race is None else [choice.actions[0] for choice in race.choices]
    throws = [action for action in view.legal if isinstance(action, Discard)]
    lay = lay_contract(view) if view.may_lay and not situation.has_laid else None
    laid = [lay.action] if lay is not None and isinstance(lay.action, Lay) else []
    return list(dict.fromkeys([*played, *laid, *(option.action for option in assess(situation).options), *throws]))


def _expected(race: Race | None, action: Action, advised: Action, words: str) -> Expected:
    """What the race says of an option, beside what is advised."""
    number, best = (None, None) if race is None else (race.number(action), race.number(advised))
    if race is None or number is None:
        return Expected(action, None, None, words)
    return Expected(action, race.expected(number), None if best is None else race.apart(number, best), words)
