"""What an action costs against the one recommended, by facts alone: a warning before it, one sentence after the deal.

The sentences are data (`texts/en/costs.yaml`). Their slots:

- `card`, `best`: the card thrown or in question, and the throw that is recommended
- `cards`: what could be laid or added
- `away`, `after`, `best_after`: distances to the contract now, after the action, after the one recommended
- `helps`, `best_helps`: unseen cards that bring the hand nearer after the one and after the other
- `turn`: number of the seat's turn; `name`: the seat that calls
- `contract`: what the first lay-down needs
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Done, Draw, EndTurn, Lay, Pass, Refuse, Swap, Tack
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, Reason, assess
from kalooki_tui.players.seat import open_card
from kalooki_tui.values import dataclass
from kalooki_tui.wording import counted, whom

#: Share of the unseen cards that a throw may give up before it is worth a word.
SHARE_LOST: Final = 0.1
#: What is lost, in cards from the contract, where something else is: a lay-down, a card that completes the contract,
#: cards that could be added, a card had in vain.
LAY_LOST: Final = 3.0
COMPLETES_LOST: Final = 2.0
ADD_LOST: Final = 1.5
IN_VAIN: Final = 0.5
_ENDS: Final = (Discard, EndTurn, Done)


@dataclass(frozen=True, slots=True)
class Cost:
    """What an action gives up."""

    weight: float
    """Cards from the contract that it is worth; costs are compared by it."""
    case: str
    """The sentence that says it."""
    slots: dict[str, str]


def cost_of(view: View, action: Action) -> Cost | None:
    """What the action gives up against the one recommended, or None where no fact speaks against it.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    situation = Situation(view)
    assessment = assess(situation)
    best = assessment.best.action
    if isinstance(action, _ENDS) and isinstance(best, Lay | Tack | Swap):
        return _left_undone(view, assessment)
    if isinstance(action, Discard) and isinstance(best, Discard):
        return _throw(situation, action, assessment)
    if isinstance(action, Pass | Allow | Call | Refuse | Draw) and action != best:
        return _card_in_question(view, action, assessment)
    return None


def warning(view: View, action: Action) -> str:
    """What to say before the action is taken; empty where there is nothing to warn of."""
    cost = cost_of(view, action)
    return "" if cost is None else sentences("costs")["warn"][cost.case].format(**cost.slots)


def could_have(decisions: Iterable[tuple[View, Action]]) -> str:
    """The one thing in a deal that gave up most, in a sentence; empty where nothing did that can be counted.

    `decisions`: what one seat saw and did, in order.
    """
    costs = []
    for view, action in decisions:
        try:
            cost = cost_of(view, action)
        except ValueError:
            continue
        if cost is not None:
            costs.append(cost)
    worst = max(costs, key=lambda cost: cost.weight, default=None)
    return "" if worst is None else sentences("costs")["could"][worst.case].format(**worst.slots)


def _slots(view: View, **more: str) -> dict[str, str]:
    points = view.contract.points
    turn = public_of(view).turns[view.seat] + (view.phase is Phase.DRAW)
    return {"contract": f"{points} points" if points else "contract", "turn": str(turn), **more}


def _left_undone(view: View, assessment: Assessment) -> Cost:
    """The turn ends, and something could still be laid or added."""
    best, symbols = assessment.best.action, view.rules.faces.symbols
    if isinstance(best, Lay):
        cards = " | ".join(symbols(group.cards) for group in best.groups)
    else:
        cards = symbols(best.cards if isinstance(best, Tack) else (best.card,))  # type: ignore[union-attr]
    lays = assessment.reason is Reason.LAY
    return Cost(LAY_LOST if lays else ADD_LOST, "lay" if lays else "add", _slots(view, cards=cards))


def _throw(situation: Situation, action: Discard, assessment: Assessment) -> Cost | None:
    """A throw that leaves the hand further from the contract, or with fewer cards that help."""
    best = assessment.best
    if assessment.before is None or best.after is None or action.card == best.cards[0]:
        return None
    view = situation.view
    left = list(view.hand)
    left.remove(action.card)
    after = situation.hand(left)
    further, lost = after.away - best.after.away, best.after.share - after.share
    symbol = view.rules.faces.symbol
    slots = _slots(
        view, card=symbol(action.card), best=symbol(best.cards[0]),
        after=counted(after.away, "card"), best_after=str(best.after.away),
        helps=str(after.helps), best_helps=str(best.after.helps),
    )  # fmt: skip
    if further > 0:
        return Cost(float(further), "throw-away", slots)
    return Cost(lost, "throw-helps", slots) if further == 0 and lost >= SHARE_LOST else None


def _card_in_question(view: View, action: Action, assessment: Assessment) -> Cost | None:
    """The open card: left where it brings the contract nearer, or had where it does not."""
    card, before = open_card(view), assessment.before
    chosen = assessment.option(action)
    if card is None or chosen is None or before is None:
        return None
    slots = _slots(view, card=view.rules.faces.symbol(card), away=str(before.away))
    if view.caller is not None:
        slots["name"] = whom(view.names[view.caller])
    best = assessment.best
    if assessment.reason in (Reason.NEARER, Reason.COMPLETES) and best.after is not None:
        slots["after"] = counted(best.after.away, "card")
        kind = "call" if isinstance(action, Pass) else "refuse" if isinstance(action, Allow) else "take"
        completes = assessment.reason is Reason.COMPLETES
        return Cost(COMPLETES_LOST if completes else 1.0, f"{kind}-{assessment.reason}", slots)
    if isinstance(action, Call) and assessment.reason in (Reason.NO_NEARER, Reason.READY):
        return Cost(IN_VAIN, f"call-{assessment.reason}", slots)
    return None
