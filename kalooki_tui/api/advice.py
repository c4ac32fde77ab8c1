"""Advice on a decision, as text: every option with what it is expected to come to, and why."""

from __future__ import annotations

from msgspec import Struct

from kalooki_tui.api import arguments
from kalooki_tui.api.match import Match
from kalooki_tui.api.view import View
from kalooki_tui.coach import rated_advice as coach
from kalooki_tui.engine.actions import Action
from kalooki_tui.evaluation.rollouts import WORLDS
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.playouts import Mean

#: Standard errors in what is given as ±.
SURE = 2.0
LEVEL = "level: it is a name such as club"


class Option(Struct, frozen=True):
    """Option of a seat.

    `points`: expected points at the end of the deal less the average of the others' (below zero is good), give or take
    `error`, two standard errors. `behind`: points worse than the advised option, give or take `behind_error`, which is
    smaller since both are played on in the same deals. Both weigh what such choices usually come to. All are None where
    nothing can be played on. `reason`: fact that tells the advised option from this one.
    """

    action: str
    points: float | None
    error: float | None
    behind: float | None
    behind_error: float | None
    reason: str


class Advice(Struct, frozen=True):
    """Advice: the `action`, three sentences of the hint, and all `options`, the advised one first."""

    action: str
    hint: tuple[str, str, str]
    options: tuple[Option, ...]
    worlds: int
    """Number of possible deals in which the options were played on; the worst were in fewer."""

    def __str__(self) -> str:
        return self.action


def advise(what: View | Match, level: str = coach.STRONGEST, *, worlds: int = WORLDS) -> Advice:
    """Advise a view, or the seat a match waits for, and value each option.

    The strongest level's advice is the hint at the table; another level's is what it would do itself. With 0 `worlds`,
    or without the native core, no points are given. Raise ValueError for an unknown level or wrong argument, or if
    nothing is to be decided, or only a cut or buying in.
    """
    view = _view(what)
    worlds = arguments.whole(worlds, "worlds: their number is a whole number from 0", 0)
    found = coach.advise(view.engine, arguments.text(level, LEVEL), worlds=worlds)
    options = tuple(
        Option(_text(view, one.action), *_numbers(one.margin), *_numbers(one.behind), one.reason)
        for one in found.options
    )
    return Advice(_text(view, found.action), found.hint.steps, options, found.worlds)


def decide(what: View | Match, level: str = coach.STRONGEST, *, seed: str = "advice") -> str:
    """Return what an AI of a level, such as ``club`` or ``expert/caller``, does there; the same seed gives the same
    answer.

    Raise ValueError for an unknown level, or if nothing is to be decided.
    """
    view = _view(what)
    seed = arguments.text(seed, "seed: it is a text")
    return _text(view, coach.decide(view.engine, arguments.text(level, LEVEL), seed))


def _view(what: View | Match) -> View:
    if isinstance(what, Match):
        if what.actor is None:
            raise ValueError("the match waits for nobody: there is nothing to decide")
        return what.view(what.actor)
    if not isinstance(what, View):
        raise ValueError(f"advice is given on a View or a Match, not on {type(what).__name__}")
    return what


def _text(view: View, action: Action) -> str:
    return print_answer(action, view.names, view.engine.rules.faces)


def _numbers(mean: Mean | None) -> tuple[float | None, float | None]:
    return (None, None) if mean is None else (round(mean.points, 1), round(SURE * mean.error, 1))
