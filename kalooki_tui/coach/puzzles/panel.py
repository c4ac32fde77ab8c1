"""A panel of weak rules that answer puzzles: a puzzle is as hard as the best of them that fails it."""

from __future__ import annotations

from typing import Final

from kalooki_tui.coach.exercises.judging import Judging
from kalooki_tui.coach.exercises.model import Answer, Exercise
from kalooki_tui.engine.actions import Action, Allow, Discard, Pass
from kalooki_tui.players import make_player

#: The rules from the weakest to the best, and the rating of a puzzle that none better fails.
RATINGS: Final = {"": 1000.0, "dearest": 1150.0, "pairs": 1300.0, "first-fit": 1450.0, "greedy": 1600.0,
                  "novice": 1700.0, "club": 1850.0}  # fmt: skip
#: The last of them are AI players, who answer what is asked of a moment of play.
LEVELS: Final = ("novice", "club")


def hardest(exercise: Exercise) -> str:
    """The best rule that fails the exercise; empty where none does."""
    failed = ""
    for name in RATINGS:
        answer = _played(exercise, name) if name in LEVELS else exercise.weak(name)
        if answer is not None and not exercise.judge(answer).right:
            failed = name
    return failed


def _played(exercise: Exercise, level: str) -> Answer | None:
    """What an AI player of that level answers."""
    if not isinstance(exercise, Judging):
        return None
    return answer_of(make_player(level, "panel").decide(exercise.moment).action)


def answer_of(action: Action) -> Answer:
    """What an action answers to an exercise of judgement."""
    if isinstance(action, Discard):
        return Answer((action.card,))
    return Answer(option=1 if isinstance(action, Pass | Allow) else 0)
