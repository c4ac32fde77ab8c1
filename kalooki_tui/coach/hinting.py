"""A hint in three steps: a question that points the way, the one action, the reason that decided.

The sentences are data (`texts/en/hints.yaml`). Their slots:

- `card`, `cards`, `other`: the card or cards the hint is about, and the next best throw
- `after`, `away`, `other_after`: distances to the contract, such as ``2 cards``; `away` is the hand's as it is
- `helps`, `other_helps`: how many unseen cards bring the hand nearer
- `points`, `other_points`, `price`: points of the cards, or of the hand; of an unknown card
- `share`, `other_share`: shares of the ways to the contract, such as ``12%``
- `lay_chance`, `end_chance`, `stock_chance`: chances, such as ``1 time in 7``
- `name`, `name_cards`: another seat, and how many cards it holds
- `collector`, `taken`: a seat that took cards which go with the next best throw, and the last of those cards
- `meld`: a meld on the table, such as ``m3``; `contract`, `deal`, `joker`: the ruleset's own words
"""

from __future__ import annotations

from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.coach.catalogue import sentences, slots
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
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, Option, Reason, assess
from kalooki_tui.players.seat import open_card
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.values import dataclass
from kalooki_tui.wording import Person, counted

#: A hand of this many cards or fewer, of a seat that has laid, makes it late in the deal.
FEW_CARDS: Final = 2
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

    @property
    def steps(self) -> tuple[str, str, str]:
        """The sentences in the order in which they are told."""
        return self.nudge, self.suggestion, self.reason


def hint(view: View) -> Hint:
    """What to do now and why, from the view alone.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    situation = Situation(view)
    assessment = assess(situation)
    words = Words(situation, assessment)
    return Hint(
        words.fill("nudge", words.nudge()),
        words.fill("say", kind_of(assessment.best.action)),
        words.fill("why", words.why()),
        assessment.best.action,
    )


def kind_of(action: Action) -> str:
    """What kind of action it is, as the catalogues name it."""
    if isinstance(action, Draw):
        return "stock" if action.source is Source.STOCK else "take"
    return _SAID[type(action)]


def chance_words(chance: float) -> str:
    """A chance as people say it: ``1 time in 7``, ``4 times in 10``."""
    if chance < 0.3:
        return f"1 time in {min(100, max(2, round(1 / max(chance, 0.01))))}"
    return f"{min(9, round(chance * 10))} times in 10"


class Words:
    """Which sentences fit, and what fills them."""

    def __init__(self, situation: Situation, assessment: Assessment) -> None:
        self.situation, self.view, self.assessment = situation, situation.view, assessment

    def fill(self, kind: str, case: str) -> str:
        """The sentence of a case with its slots filled; only those it has are worked out."""
        sentence = sentences("hints")[kind][case]
        return sentence.format(**{name: getattr(self, f"slot_{name}")() for name in slots(sentence)})

    # Which sentence

    def nudge(self) -> str:
        """The question that points the way."""
        view, best = self.view, self.assessment.best.action
        match best:
            case Discard() if self.is_late:
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

    def why(self) -> str:
        """The reason that decided."""
        assessment = self.assessment
        action, reason = assessment.best.action, assessment.reason
        if reason is Reason.PRACTICE:
            return f"practice-{assessment.counted}"
        match action:
            case Discard():
                return self._why_throw()
            case Call() if reason in (Reason.NEARER, Reason.COMPLETES):
                return f"call-{reason}"
            case Refuse() | Draw() if reason in (Reason.NEARER, Reason.COMPLETES):
                return f"take-{reason}"
            case Lay() if reason is Reason.LAY:
                left = list(self.view.hand)
                for card in assessment.best.cards:
                    left.remove(card)
                return "lay-out" if goes_out(self.view.rules, left) else "lay"
        return reason.value

    def _why_throw(self) -> str:
        assessment = self.assessment
        best, second = assessment.best.after, None if assessment.second is None else assessment.second.after
        if assessment.second is None:
            return "only"
        if assessment.is_even and assessment.reason is not Reason.POINTS:
            return "throw-even"
        if assessment.reason is Reason.WAYS and best is not None and second is not None:
            if best.away < second.away:
                return "throw-away"
            if best.away == second.away and best.helps > second.helps:
                return "throw-helps"
        if assessment.reason is Reason.POINTS and self.is_late and best is not None and best.away:
            return "throw-points-late"
        if assessment.reason is Reason.FEED and self._collector is not None:
            return "throw-feed-taken"
        return f"throw-{assessment.reason}"

    @property
    def _collector(self) -> tuple[int, tuple[Card, ...]] | None:
        """Who seems to collect what the next best throw is."""
        return self.situation.collector(self._second.cards[0])

    @property
    def is_late(self) -> bool:
        """Whether another seat may soon go out, and this one has not laid."""
        fewest = self.situation.fewest_cards
        return self.assessment.before is not None and fewest is not None and fewest <= FEW_CARDS

    # What fills it

    @property
    def _best(self) -> Option:
        return self.assessment.best

    @property
    def _second(self) -> Option:
        assert self.assessment.second is not None
        return self.assessment.second

    def slot_card(self) -> str:
        """The card it is about: thrown, swapped, or lying open."""
        view, action = self.view, self._best.action
        card = action.card if isinstance(action, Discard | Swap) else open_card(view)
        return "" if card is None else view.rules.faces.symbol(card)

    def slot_other(self) -> str:
        """The next best throw."""
        return self.view.rules.faces.symbol(self._second.cards[0])

    def slot_cards(self) -> str:
        """The cards laid or tacked."""
        action, symbols = self._best.action, self.view.rules.faces.symbols
        if isinstance(action, Lay):
            return " | ".join(symbols(group.cards) for group in action.groups)
        return symbols(action.cards) if isinstance(action, Tack) else ""

    def slot_meld(self) -> str:
        """The meld on the table."""
        action = self._best.action
        return f"m{action.meld + 1}" if isinstance(action, Tack | Swap) else ""

    def slot_away(self) -> str:
        """How far the hand is from the contract now."""
        assert self.assessment.before is not None
        return str(self.assessment.before.away)

    def slot_after(self) -> str:
        """How far it would be."""
        assert self._best.after is not None
        away = self._best.after.away
        return counted(away, "card") if isinstance(self._best.action, Discard) else str(away)

    def slot_other_after(self) -> str:
        """How far it would be after the next best throw."""
        assert self._second.after is not None
        return counted(self._second.after.away, "card")

    def slot_helps(self) -> str:
        """Unseen cards that bring the hand nearer after the throw."""
        assert self._best.after is not None
        return str(self._best.after.helps)

    def slot_stock_chance(self) -> str:
        """The chance that a card from the stock brings the hand nearer."""
        assert self.assessment.before is not None
        return chance_words(self.assessment.before.share)

    def slot_other_helps(self) -> str:
        """Unseen cards that would, after the next best throw."""
        assert self._second.after is not None
        return str(self._second.after.helps)

    def slot_points(self) -> str:
        """Points of the card thrown; where something is laid, of the hand."""
        rules, action = self.view.rules, self._best.action
        return str(rules.values[action.card] if isinstance(action, Discard) else rules.points(self.view.hand))

    def slot_other_points(self) -> str:
        """Points of the next best throw."""
        return str(self.view.rules.values[self._second.cards[0]])

    def slot_price(self) -> str:
        """What an unknown card costs on average."""
        return str(round(self.situation.average_points))

    def slot_share(self) -> str:
        """Share of the ways to the contract that the throw is in."""
        return self._share(self._best)

    def slot_other_share(self) -> str:
        """The same of the next best throw."""
        return self._share(self._second)

    def _share(self, option: Option) -> str:
        return "none" if option.weighed is None or option.weighed.share < 0.005 else f"{option.weighed.share:.0%}"

    def slot_lay_chance(self) -> str:
        """The chance to lay in the next turn."""
        after = self._best.after
        assert after is not None
        return chance_words(self.situation.chances.lay_within(after.away, 1, after.share))

    def slot_end_chance(self) -> str:
        """The chance that another seat goes out before that."""
        return chance_words(self.situation.chances.end_before_turn(self.situation.others_laid))

    def slot_name(self) -> str:
        """The seat that calls, or that has laid and holds fewest cards."""
        view = self.view
        return Person(view.names[self.situation.nearest_out if view.caller is None else view.caller])

    def slot_name_cards(self) -> str:
        """How many cards that seat holds."""
        return counted(self.view.hand_sizes[self.situation.nearest_out], "card")

    def slot_collector(self) -> str:
        """A seat that took cards which go with the next best throw."""
        assert self._collector is not None
        return Person(self.view.names[self._collector[0]])

    def slot_taken(self) -> str:
        """Those cards."""
        assert self._collector is not None
        return self.view.rules.faces.symbols(self._collector[1][-2:])

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
