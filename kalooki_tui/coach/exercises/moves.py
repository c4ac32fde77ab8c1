"""The tacks and swaps of a plan in words, one after another: which card goes where, and what becomes of a joker."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.exercises.model import Exercise, Say
from kalooki_tui.engine.actions import Swap, Tack
from kalooki_tui.engine.melds import Meld, check_lay, make_meld
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from kalooki_tui.solver import Laydown


def moves_of(exercise: Exercise, plan: Laydown) -> tuple[Say, ...]:
    """What a plan does at the exercise's table, in the order in which it has to be done.

    Raises:
        Refused: the rules do not take it, which would be the solver's fault.
    """
    table, told = list(exercise.table), list[Say]()
    for action in plan.tacks:
        told.append(_tacked(exercise, table, action) if isinstance(action, Tack) else _swapped(exercise, table, action))
    if plan.groups:
        own = [meld for meld in table if meld.owner == 0]
        check_lay(exercise.rules, exercise.contract, 0, plan.groups, own, False)
        told += [Say("move-lay", {"cards": exercise.symbols(group.cards)}) for group in plan.groups]
    return tuple(told)


def _tacked(exercise: Exercise, table: list[Meld], action: Tack) -> Say:
    table[action.meld] = tack(exercise.rules, 0, table[action.meld], action.cards, action.end)
    return Say("move-tack", {"cards": exercise.symbols(action.cards), "meld": f"m{action.meld + 1}"})


def _swapped(exercise: Exercise, table: list[Meld], action: Swap) -> Say:
    """The card takes a joker's place; the joker goes to an end, into the hand, onto a meld or into a new one."""
    rules, before = exercise.rules, table[action.meld]
    done = swap(rules, 0, before, action.card, action.end)
    table[action.meld] = done.meld
    slots = {"card": exercise.symbols([action.card]), "meld": f"m{action.meld + 1}"}
    if action.use is not None:
        table[action.use] = tack(rules, 0, table[action.use], (JOKER,), action.use_end)
        return Say("move-swap-onto", {**slots, "other": f"m{action.use + 1}"})
    if action.lay:
        table += [make_meld(rules.ruleset, 0, group) for group in action.lay]
        return Say("move-swap-into", {**slots, "cards": exercise.in_groups(action.lay)})
    if done.freed:
        return Say("move-swap-freed", slots)
    return Say("move-swap-high" if done.meld.low >= before.low else "move-swap-low", slots)


def in_order(case: str, exercise: Exercise, plan: Laydown | None, left: Sequence[int]) -> Say:
    """The moves of a plan one after another, and what stays."""
    moves = () if plan is None else moves_of(exercise, plan)
    return Say(case if moves else f"{case}-none", {"moves": moves, "left": exercise.symbols(left)})
