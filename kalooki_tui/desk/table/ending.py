"""The big moment: whether a seat can end the deal in this turn, how, and what that doubles (G1, G4)."""

from __future__ import annotations

from kalooki_tui.cards import Card
from kalooki_tui.desk.commands import key_of
from kalooki_tui.engine.actions import Tack
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.solver import best_lay, distance, tack_plan
from kalooki_tui.solver.lay import Laydown, goes_out
from kalooki_tui.wording import does


def ending(view: View) -> Laydown | None:
    """A lay-down, tacks and swaps that leave nothing, or a card to throw; None where the seat cannot go out now.

    A seat that may not bend the table (F2) does not go out in the turn of its first lay-down.
    """
    laid = view.laid[view.seat]
    if view.phase is not Phase.PLAY or not (view.may_lay or view.may_add):
        return None
    if view.bend_forbidden and laid is not HasLaid.EARLIER:
        return None
    if laid is not HasLaid.NO and goes_out(view.rules, view.hand):
        return Laydown((), view.hand, view.rules.points(view.hand))
    if view.added:
        # Cards added to the end of a run count against K6, which a lay-down from scratch would not know.
        plan = tack_plan(view.rules, view.hand, view.melds, view.seat, added=dict(view.added))
        found: Laydown | None = Laydown((), plan.left, plan.points_left, plan.actions)
    elif laid is HasLaid.NO and distance(view.rules, view.contract, view.hand):
        return None
    else:
        own = [meld for meld in view.melds if meld.owner == view.seat]
        found = best_lay(
            view.rules,
            view.contract,
            view.hand,
            own_melds=own,
            table=view.melds,
            laid=laid is not HasLaid.NO,
            seat=view.seat,
        )
    return found if found is not None and goes_out(view.rules, found.left) else None


def ending_words(view: View, found: Laydown) -> str:
    """How the deal can be ended now, and what that doubles."""
    words, symbols = view.rules.ruleset.vocabulary, view.rules.faces.symbols
    steps = []
    if found.groups:
        steps.append(f"{key_of('best-lay')} stages melds")
    tacked: list[Card] = [card for tack in found.tacks if isinstance(tack, Tack) for card in tack.cards]
    if tacked:
        steps.append(f"{words.tack} {symbols(tacked)}")
    if len(tacked) < len(found.tacks) and any(not isinstance(tack, Tack) for tack in found.tacks):
        steps.append("swap")
    if found.left:
        steps.append(f"throw {symbols(found.left)}")
    doubled = doubling_now(view)
    return f"You can go out now: {', '.join(steps)}.{' ' + doubled if doubled else ''}"


def doubling_now(view: View) -> str:
    """What the doubling rule does if the view's seat goes out in this turn; empty where there is none (G4)."""
    doubling = view.rules.ruleset.score.doubling
    if doubling == "none":
        return ""
    if view.laid[view.seat] is HasLaid.EARLIER:
        return "Nothing doubles: you laid in an earlier turn."
    others = [view.names[seat] for seat, laid in enumerate(view.laid) if seat != view.seat and laid is not HasLaid.NO]
    if doubling == "first-bend" and others:
        return f"Nothing doubles: {does(others[0], 'have', inside=True)} laid already."
    return "It doubles what the others pay!"
