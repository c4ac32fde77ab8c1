"""Help with an exercise in three steps: a question that points the way, a part of the answer, the answer."""

from __future__ import annotations

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.exercises.counting import Away, Cost, Helps, Packet
from kalooki_tui.coach.exercises.judging import Allowing, Calling, Throwing
from kalooki_tui.coach.exercises.melds import Build, Complete, Repair, Spot
from kalooki_tui.coach.exercises.model import Answer, Exercise, Say, symbols
from kalooki_tui.coach.exercises.permitted import May
from kalooki_tui.coach.exercises.table import Fit, Out, SwapTo
from kalooki_tui.coach.exercises.valid import Valid
from kalooki_tui.coach.exercises.waiting import LayOrWait
from kalooki_tui.coach.exercises.words import fill, options
from kalooki_tui.coach.hinting import hint_at
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.solver.witness import nearest_plan
from kalooki_tui.wording import Person

#: How many steps there are.
STEPS = 3


def help_with(exercise: Exercise) -> tuple[str, str, str]:
    """The three steps."""
    if isinstance(exercise, Throwing | Calling | Allowing):
        assert exercise.view is not None
        return hint_at(exercise.view, exercise.right_action).steps
    case, slots = _case(exercise), _slots(exercise)
    known = sentences("exercises")
    nudge = fill(exercise, "nudge", Say(case, slots))
    pointed = _pointed(exercise, case)
    point = fill(exercise, "point", Say(pointed, slots)) if pointed in known["point"] else ""
    shown = fill(exercise, "show", Say(_shown_case(exercise), {"answer": solution_words(exercise)}))
    return nudge, point or shown, shown


def solution_words(exercise: Exercise) -> str:
    """A right answer, as the screen writes it."""
    found = exercise.solutions()[0]
    if found.option is not None:
        return options(exercise)[found.option]
    if found.groups:
        return " | ".join(symbols(exercise.rules, group.cards) for group in found.groups)
    return symbols(exercise.rules, found.cards)


def _case(exercise: Exercise) -> str:
    if isinstance(exercise, Spot | Complete | Repair):
        return f"{exercise.kind}-{exercise.wanted}"
    return exercise.kind


def _pointed(exercise: Exercise, case: str) -> str:
    """Which part of the answer, or of what it depends on, the second step tells."""
    match exercise:
        case Valid():
            return f"valid-{exercise.wanted}"
        case Out():
            return case if exercise.fitting else f"{case}-none"
        case LayOrWait():
            return case if exercise.others_laid else f"{case}-none"
        case May(view=view) if view is not None:
            return f"may-{'own' if view.turn == 0 else 'other'}{'-laid' if has_laid(view, 0) else ''}"
    return case


def _shown_case(exercise: Exercise) -> str:
    return (
        "option"
        if exercise.options
        else exercise.kind
        if exercise.kind in ("build", "repair")
        else "build"
        if exercise.kind == "best"
        else "cards"
    )


def _slots(exercise: Exercise) -> dict[str, object]:
    """What the first two steps of this kind may name."""
    rules, found = exercise.rules, exercise.solutions()[0]
    match exercise:
        case Spot():
            return {"card": symbols(rules, _shortest(exercise).cards[:1])}
        case Complete():
            return {"card": symbols(rules, exercise.part[:1])}
        case Repair():
            good = {answer.cards[0] for answer in exercise.solutions()}
            return {"other": symbols(rules, [card for card in exercise.hand if card not in good][:2])}
        case Build():
            return {"meld": symbols(rules, found.groups[0].cards)}
        case Away() | Helps():
            held = exercise.held if isinstance(exercise, Helps) else exercise.hand
            plan = nearest_plan(rules, exercise.contract, held)
            melds = () if plan is None else tuple(meld.held for meld in plan.melds if meld.held)
            return {"held": " | ".join(symbols(rules, cards) for cards in melds)}
        case Cost():
            return {"parts": " + ".join(str(rules.values[card]) for card in exercise.hand)}
        case LayOrWait():
            return {"left": exercise.left}
        case Packet():
            return {"players": exercise.players, "cards": exercise.contract.cards}
        case Fit():
            return {"card": symbols(rules, found.cards[:1])}
        case SwapTo():
            return {"meld": symbols(rules, exercise.table[0].cards)}
        case Out():
            return {"card": symbols(rules, exercise.fitting[:1])}
        case Valid():
            sets, runs = rules.ruleset.sets, rules.ruleset.runs
            return {
                "least": sets.minimum if exercise.wanted is Kind.SET else runs.minimum,
                "naturals": sets.naturals,
            }
        case May(view=view) if view is not None:
            return {"turn": Person(view.names[view.turn])}
    return {}


def _shortest(exercise: Exercise) -> Answer:
    return min(exercise.solutions(), key=lambda answer: len(answer.cards))
