"""What an action costs against the one recommended: a warning before it, one sentence after the deal.

A fact has to speak against it, and the race that hints read has to say that it costs points, and how many. What is said
of a throw before it is made is the fact itself (`reasons`). The other sentences are data (`texts/en/costs.yaml`). Their
slots:

- `card`, `best`: the card thrown or in question, and the throw that is recommended
- `cards`: what could be laid or added
- `away`, `after`, `best_after`: distances to the contract now, after the action, after the one recommended
- `helps`, `best_helps`: unseen cards that bring the hand nearer after the one and after the other
- `turn`: number of the seat's turn; `name`: the seat that calls
- `contract`: what the first lay-down needs
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Done, Draw, EndTurn, Lay, Pass, Refuse, Swap, Tack
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.differences import of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, assess
from kalooki_tui.judging.playing_out import WORLDS
from kalooki_tui.judging.recommending import points_lost
from kalooki_tui.players.seat import open_card
from kalooki_tui.wording import counted, whom

#: Actions that are warned of before they are taken.
WARNED: Final = (Discard, Draw, Pass, Allow)
_ENDS: Final = (Discard, EndTurn, Done)
_Said: TypeAlias = tuple[str, dict[str, str], str]
"""The sentence that says a cost, what fills it, and the warning, empty where there is none."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What an action gives up."""

    lost: float
    """Points that it costs."""
    case: str
    """The sentence that says it."""
    slots: dict[str, str]
    warning: str = ""
    """What to say before the action is taken; empty where nobody is warned of it."""

    @property
    def words(self) -> str:
        """What it gave up, in a sentence."""
        return sentences("costs")["could"][self.case].format(**self.slots)


def cost_of(view: View, action: Action, worlds: int = WORLDS) -> Cost | None:
    """What the action gives up against the one recommended; None: no fact speaks against it, or it costs nothing.

    With no `worlds` nothing is played on for it.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    situation = Situation(view)
    said = _said(situation, action)
    lost = points_lost(situation, action, worlds) if said is not None else 0.0
    return Cost(lost, *said) if said is not None and lost > 0 else None


def _said(situation: Situation, action: Action) -> _Said | None:
    view, assessment = situation.view, assess(situation)
    best = assessment.best.action
    if isinstance(action, _ENDS) and isinstance(best, Lay | Tack | Swap):
        return _left_undone(view, assessment)
    if isinstance(action, Discard) and isinstance(best, Discard):
        return _throw(situation, action, best)
    if isinstance(action, Pass | Allow | Call | Refuse | Draw) and action != best:
        return _card_in_question(view, action, assessment)
    return None


def warning(view: View, action: Action, worlds: int = WORLDS) -> str:
    """What to say before the action is taken; empty where there is nothing to warn of."""
    situation = Situation(view)
    said = _said(situation, action)
    # Most draws give up something of which nobody is warned: those are not played on.
    return said[-1] if said and said[-1] and points_lost(situation, action, worlds) > 0 else ""


def could_have(decisions: Iterable[tuple[View, Action]], worlds: int = WORLDS) -> str:
    """The one thing in a deal that gave up most, in a sentence; empty where nothing did that can be counted.

    `decisions`: what one seat saw and did, in order.
    """
    costs = (cost for _, _, cost in costs_of(decisions, worlds))
    worst = max(costs, key=lambda cost: cost.lost, default=None)
    return "" if worst is None else worst.words


def costs_of(decisions: Iterable[tuple[View, Action]], worlds: int) -> Iterator[tuple[int, Action, Cost]]:
    """The decisions that gave something up: the number of each, what was done, what it cost."""
    for number, (view, action) in enumerate(decisions):
        with suppress(ValueError):
            cost = cost_of(view, action, worlds)
            if cost is not None:
                yield number, action, cost


def _slots(view: View, **more: str) -> dict[str, str]:
    points = view.contract.points
    turn = public_of(view).turns[view.seat] + (view.phase is Phase.DRAW)
    return {"contract": f"{points} points" if points else "contract", "turn": str(turn), **more}


def _left_undone(view: View, assessment: Assessment) -> _Said:
    """The turn ends, and something could still be laid or added."""
    best, symbols = assessment.best.action, view.rules.faces.symbols
    if isinstance(best, Lay):
        cards = " | ".join(symbols(group.cards) for group in best.groups)
    else:
        cards = symbols(best.cards if isinstance(best, Tack) else (best.card,))  # type: ignore[union-attr]
    slots = _slots(view, cards=cards)
    case = "lay-out" if assessment.way_out is not None else "lay" if assessment.before is not None else "add"
    return case, slots, sentences("costs")["warn"][case].format(**slots)


def _throw(situation: Situation, action: Discard, best: Discard) -> _Said | None:
    """A throw that leaves the hand further from the contract, or with fewer cards that help."""
    if situation.now is None or action.card == best.card:
        return None
    view, symbol = situation.view, situation.rules.faces.symbol
    after, best_after = situation.without(action.card), situation.without(best.card)
    if (after.away, -after.helps) <= (best_after.away, -best_after.helps):
        return None
    slots = _slots(
        view, card=symbol(action.card), best=symbol(best.card),
        after=counted(after.away, "card"), best_after=str(best_after.away),
        helps=str(after.helps), best_helps=str(best_after.helps),
    )  # fmt: skip
    said = reason(situation, of_throws(situation, best.card, action.card))
    return "throw-away" if after.away > best_after.away else "throw-helps", slots, said


def _card_in_question(view: View, action: Action, assessment: Assessment) -> _Said | None:
    """The open card: left where it brings the contract nearer, or had where it does not."""
    card, before, case = open_card(view), assessment.before, assessment.fact.case
    chosen = assessment.option(action)
    if card is None or chosen is None:
        return None
    slots = _slots(view, card=view.rules.faces.symbol(card))
    if view.caller is not None:
        slots["name"] = whom(view.names[view.caller])
    kind = "call" if isinstance(action, Pass) else "refuse" if isinstance(action, Allow) else "take"
    if assessment.way_out is not None:
        found = f"{kind}-out"
    elif before is None or assessment.best.after is None:
        return None
    elif case.endswith(("-nearer", "-completes")) and case != "no-nearer":
        found = f"{kind}-{case.rsplit('-')[-1]}"
    elif isinstance(action, Call) and case in ("call-in-vain", "ready"):
        found = "call-ready" if case == "ready" else "call-no-nearer"
    else:
        return None
    if before is not None and assessment.best.after is not None:
        slots |= {"away": str(before.away), "after": counted(assessment.best.after.away, "card")}
    return found, slots, sentences("costs")["warn"].get(found, "").format(**slots)
