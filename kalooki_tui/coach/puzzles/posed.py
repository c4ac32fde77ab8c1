"""A decision as a puzzle: what would you do here? Your own position file, or a decision kept from a match."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kalooki_tui.coach.exercises.kinds.allow import Allowing
from kalooki_tui.coach.exercises.kinds.best import Best
from kalooki_tui.coach.exercises.kinds.call import Calling
from kalooki_tui.coach.exercises.kinds.chain import TackChain
from kalooki_tui.coach.exercises.kinds.throw import Throwing
from kalooki_tui.coach.exercises.model import Exercise
from kalooki_tui.coach.puzzles.making import Puzzle
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.solver import distance
from kalooki_tui.wording import escaped


def from_file(path: Path) -> Puzzle:
    """The puzzle of a position file: the decision of the seat that is to act.

    Raises:
        InputError: it cannot be read, or is not a position.
        ValueError: nothing is to be decided there that a puzzle can ask.
    """
    position = load_position(path)
    match = set_up(position)
    actor = match.actor
    if actor is None:
        raise ValueError(f"{escaped(str(path))}: nobody has anything to decide there")
    puzzle = of_view(match.view(actor), escaped(position.title or path.stem))
    return replace(puzzle, file=path, reason=escaped(position.reason))


def of_view(view: View, title: str) -> Puzzle:
    """The puzzle of a decision, as its seat sees it.

    Raises:
        ValueError: it is no decision that a puzzle can ask.
    """
    exercise = exercise_of(view)
    if exercise is None:
        raise ValueError(
            f"{title}: a puzzle asks for a throw, a lay-down, a call or the answer to one; this asks for none of them"
        )
    return Puzzle(title, exercise)


def exercise_of(view: View) -> Exercise | None:
    """What there is to ask of the seat whose view it is."""
    rules, hand = view.rules, tuple(sorted(view.hand))
    if view.actor != view.seat:
        return None
    if view.phase in (Phase.CALL_WINDOW, Phase.DECISION) and len(view.legal) > 1 and not has_laid(view, view.seat):
        kind: type[Calling] | type[Allowing] = Calling if view.phase is Phase.CALL_WINDOW else Allowing
        return kind(rules=rules, deal=view.deal, hand=hand, table=view.melds, view=view)
    if view.phase is not Phase.PLAY:
        return None
    if has_laid(view, view.seat):
        # The exercises' own seat is the first.
        count = len(view.names)
        table = tuple(replace(meld, owner=(meld.owner - view.seat) % count) for meld in view.melds)
        made = TackChain(rules=rules, deal=view.deal, hand=hand, table=table)
        return made if rules.ruleset.discard.last_card == "any" else None
    if not distance(rules, view.contract, hand):
        return Best(rules=rules, deal=view.deal, hand=hand)
    return Throwing(rules=rules, deal=view.deal, hand=hand, table=view.melds, view=view)
