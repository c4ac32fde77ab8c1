"""One whole turn planned at once: the lay-down, tacks and swaps that leave least in the hand."""

from __future__ import annotations

from typing import Final

from kalooki_tui.engine.actions import Lay, Tack
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import Club
from kalooki_tui.players.open_actions import is_open
from kalooki_tui.players.protocol import Decision
from kalooki_tui.solver import best_lay_of
from kalooki_tui.solver.effort import Effort
from kalooki_tui.solver.lay import goes_out

#: Steps that planning one whole turn may take: some 40 ms, where most turns take less than one.
TURN_EFFORT: Final = 4_000


def next_step(view: View) -> Decision | None:
    """What a seat that has laid does next on the way to the least; None: nothing more goes onto the table.

    Where the plan is not known to be the best one, and does not go out, it is the club player's next step.
    """
    if view.may_lay and _may_plan(view):
        effort = Effort(TURN_EFFORT)
        found = best_lay_of(view, with_table=True, laid=True, effort=effort)
        out = found is not None and goes_out(view.rules, found.left)
        if found is not None and (out or not effort.is_spent):
            step = Lay(view.seat, found.groups) if found.groups else found.tacks[0]
            if isinstance(step, Tack):
                # One card at a time: only such tacks are listed as open, and the next is planned anew.
                step = Tack(step.seat, step.cards[:1], step.meld, step.end)
            if is_open(view, step):
                return Decision(step)
    return Club("coach").shed(view)


def _may_plan(view: View) -> bool:
    """Whether what one turn has done so far does not limit what it may still do (K6, K10)."""
    ruleset = view.rules.ruleset
    return ruleset.tack.end_limit is None and ruleset.swap != "use-at-once"
