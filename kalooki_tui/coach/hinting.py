"""A hint in three steps: a question that points the way, the one action, the fact that decides.

The sentences of the first two are data (`texts/en/hints.yaml`), those of the last too (`reasons`). Their slots:

- `card`, `cards`: the card or cards the hint is about; `meld`: a meld on the table, such as ``m3``
- `name`, `name_cards`: another seat, and how many cards it holds
- `contract`, `deal`, `joker`: the ruleset's own words
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kalooki_tui.coach.catalogue import sentences, slots
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import (
    Action,
    Allow,
    Call,
    Discard,
    Done,
    Draw,
    EndTurn,
    Lay,
    Pass,
    Refuse,
    Source,
    Swap,
    Tack,
)
from kalooki_tui.engine.moments import DECISIONS
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.differences import is_late
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment
from kalooki_tui.judging.playing_out import WORLDS
from kalooki_tui.judging.recommending import Recommendation, recommend, speaking_for
from kalooki_tui.players.seat import open_card
from kalooki_tui.wording import Person, counted

_SAID: Final[dict[type, str]] = {
    Discard: "throw", Call: "call", Pass: "pass", Allow: "allow", Refuse: "refuse", Lay: "lay", Tack: "tack",
    Swap: "swap", EndTurn: "end", Done: "done",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hint:
    """Three sentences, told one after the other, and the action they speak of."""

    nudge: str
    suggestion: str
    reason: str
    action: Action
    as_good: tuple[Action, ...] = ()
    """What came out as good where the choices were played on."""

    @property
    def steps(self) -> tuple[str, str, str]:
        """The sentences in the order in which they are told."""
        return self.nudge, self.suggestion, self.reason


def hint(view: View, about: Action | None = None, worlds: int = WORLDS) -> Hint:
    """What to do now and why, from the view alone: a part of a second where the native core plays the choices on.

    `about`: what the person thinks of doing, which the reason speaks of then; with no `worlds` facts decide alone.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    situation = Situation(view)
    return told(situation, recommend(situation, about, worlds=worlds))


def hint_at(view: View, action: Action) -> Hint:
    """The hint that leads to an action which is known to be right, as in an exercise.

    Raises:
        ValueError: as `hint`.
    """
    situation = Situation(view)
    return told(situation, speaking_for(situation, action))


def told(situation: Situation, found: Recommendation) -> Hint:
    """A recommendation in three sentences."""
    words = Words(situation, found.assessment)
    return Hint(
        words.fill("nudge", words.nudge()),
        words.fill("say", kind_of(found.action)),
        reason(situation, found.assessment.fact, found.played, found.contrary),
        found.action,
        found.as_good,
    )


def kind_of(action: Action) -> str:
    """What kind of action it is, as the catalogues name it."""
    if isinstance(action, Draw):
        return "stock" if action.source is Source.STOCK else "take"
    return _SAID[type(action)]


class Words:
    """Which sentences fit, and what fills them."""

    def __init__(self, situation: Situation, assessment: Assessment) -> None:
        self.situation, self.view, self.assessment = situation, situation.view, assessment

    def fill(self, kind: str, case: str) -> str:
        """The sentence of a case with its slots filled; only those it has are worked out."""
        sentence = sentences("hints")[kind][case]
        return sentence.format(**{name: getattr(self, f"slot_{name}")() for name in slots(sentence)})

    def nudge(self) -> str:
        """The question that points the way."""
        view, best = self.view, self.assessment.best.action
        match best:
            case Discard() if is_late(self.situation):
                return "throw-late"
            case Discard():
                return "throw" if self.assessment.before is not None else "throw-laid"
            case Lay():
                return "lay" if self.assessment.before is not None else "add"
            case Tack() | Swap():
                return "add"
            case EndTurn() | Done():
                return "end"
        if view.phase in DECISIONS:
            return "decide"
        if view.phase is Phase.DRAW:
            return "draw" if self.assessment.second is not None else "draw-only"
        return "call"

    # What fills it

    def slot_card(self) -> str:
        """The card it is about: thrown, swapped, or lying open."""
        view, action = self.view, self.assessment.best.action
        card = action.card if isinstance(action, Discard | Swap) else open_card(view)
        return "" if card is None else view.rules.faces.symbol(card)

    def slot_cards(self) -> str:
        """The cards laid or tacked."""
        action, symbols = self.assessment.best.action, self.view.rules.faces.symbols
        if isinstance(action, Lay):
            return " | ".join(symbols(group.cards) for group in action.groups)
        return symbols(action.cards) if isinstance(action, Tack) else ""

    def slot_meld(self) -> str:
        """The meld on the table."""
        action = self.assessment.best.action
        return f"m{action.meld + 1}" if isinstance(action, Tack | Swap) else ""

    def slot_name(self) -> str:
        """The seat that calls, or that has laid and holds fewest cards."""
        view = self.view
        return Person(view.names[self.situation.nearest_out if view.caller is None else view.caller])

    def slot_name_cards(self) -> str:
        """How many cards that seat holds."""
        return counted(self.view.hand_sizes[self.situation.nearest_out], "card")

    def slot_contract(self) -> str:
        """What the first lay-down needs."""
        points = self.view.contract.points
        return f"{points} points" if points else "contract"

    def slot_deal(self) -> str:
        """The ruleset's word for a deal."""
        return self.view.rules.ruleset.vocabulary.deal

    def slot_joker(self) -> str:
        """The ruleset's word for a joker."""
        return self.view.rules.ruleset.vocabulary.joker


#: Every slot there is, by name.
SLOTS: Final[frozenset[str]] = frozenset(name.removeprefix("slot_") for name in dir(Words) if name.startswith("slot_"))
