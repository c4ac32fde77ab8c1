"""`assess`: the open choices of a view with their facts, the one recommended, and the fact that decides. No English.

Whether a seat can go out in this turn is asked first. Else a throw is the club player's, and whether to have an open
card is decided as the expert does: both play by weights of their own, which nobody is told. What is told is the fact
in which the recommended choice is better than the next best (`differences`).
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from kalooki_tui.engine.actions import Action, Allow, Discard, Draw, EndTurn, Lay, Pass, Source, Tack
from kalooki_tui.engine.endings import is_doubled
from kalooki_tui.engine.permissions import WINDOWS, has_laid, owes
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.evaluation.differences import Fact, has_card, of_throws, why_leave, why_take
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.players import PlayerChoice, seat
from kalooki_tui.players.club import Club, lay_contract
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.seat import goes_round, is_open, open_card, use_of_drawn, with_blank_cards
from kalooki_tui.solver import best_lay_of
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.solver.shape import Effort

#: What going out is worth beside anything else, in points.
OUT: Final = 100.0


class RatedOption(Struct, frozen=True):
    action: Action
    worth: float
    """Worth to the player that judges, against the other options here; higher is better, and never told."""


class Assessment(Struct, frozen=True):
    """Options, best first. There is at least one."""

    options: tuple[RatedOption, ...]
    fact: Fact
    way_out: WayOut | None = None

    @property
    def best(self) -> RatedOption:
        return self.options[0]

    @property
    def second(self) -> RatedOption | None:
        return self.options[1] if len(self.options) > 1 else None

    def option(self, action: Action) -> RatedOption | None:
        return next((option for option in self.options if option.action == action), None)


def assess(situation: Situation) -> Assessment:
    """Weigh what the seat may do now; raise ValueError if it has nothing to decide, or no facts speak to it."""
    view = situation.view
    if view.actor == view.seat and view.legal:
        match view.phase:
            case Phase.CALL_WINDOW | Phase.FLIP_WINDOW | Phase.DECISION | Phase.FLIP_DECISION | Phase.DRAW:
                return _taking(situation)
            case Phase.PLAY | Phase.ADD_ON:
                return _playing(situation)
    raise ValueError("this seat has nothing to decide here")


# Draw, call, allow or refuse: is the open card worth having?


def _taking(situation: Situation) -> Assessment:
    view, card = situation.view, open_card(situation.view)
    leaving = next(
        action
        for action in view.legal
        if isinstance(action, Pass | Allow) or (isinstance(action, Draw) and action.source is Source.STOCK)
    )
    having = next((action for action in view.legal if has_card(action)), None)
    left = RatedOption(leaving, 0.0)
    if having is None or card is None:
        return Assessment((left,), Fact("only"))
    out = None if view.phase in WINDOWS else way_out(view, having)
    if out is not None:
        fact = Fact("out-double" if out.doubled else "out", {"card": card})
        return Assessment((RatedOption(having, OUT), left), fact, out)
    expert = Expert("coach")
    if expert.decide(view).action == having:
        return Assessment((RatedOption(having, 1.0), left), why_take(situation, having))
    fact = why_leave(situation, having)
    if not fact.explains and not goes_round(view) and view.phase not in WINDOWS and not expert.keeps_it(view, having):
        fact = Fact("thrown-again", {"card": card})
    return Assessment((left, RatedOption(having, -1.0)), fact)


# The turn itself


def _playing(situation: Situation) -> Assessment:
    view, now = situation.view, situation.now
    out = way_out(view) if view.phase is Phase.PLAY else None
    if out is not None and not isinstance(out.actions[0], Discard):
        case = "add-out" if now is None else "lay-out-double" if out.doubled else "lay-out"
        return Assessment((RatedOption(out.actions[0], OUT),), Fact(case), out)
    if owes(view):
        return Assessment((RatedOption(use_of_drawn(view), 1.0),), Fact("use", {"card": view.drawn}))
    found = lay_contract(view) if now is not None else next_step(view)
    if found is not None:
        fact = Fact("lay", {"points": view.rules.points(view.hand)}) if now is not None else Fact("add")
        return Assessment((RatedOption(found.action, 1.0),), fact)
    throws = {action.card: action for action in view.legal if isinstance(action, Discard)}
    if not throws:
        other = next((action for action in view.legal if isinstance(action, EndTurn)), view.legal[0])
        return Assessment((RatedOption(other, 0.0),), Fact("only"))
    ordered = Club("coach").throws(view)
    best, second = ordered[0], ordered[1] if len(ordered) > 1 else None
    options = tuple(RatedOption(throws[one.card], one.total) for one in ordered)
    fact = Fact("only") if second is None else of_throws(situation, best.card, second.card)
    return Assessment(options, fact, out)


# One whole turn planned at once: the lay-down, tacks and swaps that leave least in the hand, and whether it goes out.
# No other seat acts between a seat's draw and its discard, so its view alone answers, with actions that the rules have
# taken one by one.

#: Steps that planning one whole turn may take: some 40 ms, where most turns take less than one.
TURN_EFFORT: Final = 4_000


def next_step(view: View) -> PlayerChoice | None:
    """Return the next step to the least of a seat that has laid, or None; the club player's if no plan is best."""
    ruleset = view.rules.ruleset
    # A turn can be planned as a whole where its first steps do not limit its later ones (K6, K10).
    if view.may_lay and ruleset.tack.end_limit is None and not ruleset.uses_freed_jokers:
        effort = Effort(TURN_EFFORT)
        found = best_lay_of(view, with_table=True, laid=True, effort=effort)
        out = found is not None and goes_out(view.rules, found.left)
        if found is not None and (out or not effort.is_spent):
            step = Lay(view.seat, found.groups) if found.groups else found.tacks[0]
            if isinstance(step, Tack):
                # One card at a time: only such tacks are listed as open, and the next is planned anew.
                step = Tack(step.seat, step.cards[:1], step.meld, step.end)
            if is_open(view, step):
                return PlayerChoice(step)
    return Club("coach").shed(view)


class WayOut(Struct, frozen=True):
    actions: tuple[Action, ...]
    """In order, to the last discard if there is one."""
    doubled: bool
    """The others' points count double (G4)."""


def way_out(view: View, first: Action | None = None) -> WayOut | None:
    """Find how the seat goes out in this turn, after `first`, which gives it the open card; None where it cannot."""
    deal = with_blank_cards(view)
    if first is not None:
        deal.apply(first)
    if deal.actor != view.seat or deal.phase is not Phase.PLAY:
        return None
    seen = deal.view(view.seat)
    steps = seat.way_out(seen, seen.hand)
    if not steps:
        return None
    for step in steps:
        deal.apply(step)
    return WayOut(steps if first is None else (first, *steps), is_doubled(deal))


def would_double(view: View) -> bool:
    """Check that the others' points would count double if the seat laid and went out in one turn (G4)."""
    others = any(has_laid(view, seat) for seat in range(len(view.names)) if seat != view.seat)
    doubling = view.rules.ruleset.score.doubling
    return doubling == "bend" or (doubling == "first-bend" and not others)
