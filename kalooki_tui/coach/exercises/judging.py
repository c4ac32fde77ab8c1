"""Exercises of judgement, from moments of play: what to throw, whether to call, whether to allow a call.

Only moments are asked about in which the better choice is clear: a card that brings the contract nearer or does not,
a throw that is worth five points more than every card that counts as wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, RANK, Card
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict, symbols
from kalooki_tui.coach.exercises.weak import dearest, dearest_single, is_near, naturals, without
from kalooki_tui.coach.hinting import hint_at
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import DISCARD, Action, Discard
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.differences import has_card, of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, assess
from kalooki_tui.judging.recommending import difference
from kalooki_tui.players import make_player
from kalooki_tui.solver import distance
from kalooki_tui.values import dataclass
from kalooki_tui.wording import AI_NAMES, FIRST_NAME, Person

#: Points by which a right throw is better than a wrong one.
MARGIN: Final = 5.0
#: Throws this much worse than the best are right as well.
AS_GOOD: Final = 1.0
#: Decisions of a deal that are looked at for one to ask about.
MOST_DECISIONS: Final = 120
NAMES: Final = (FIRST_NAME, *AI_NAMES)
#: Facts that make a choice about the open card clear: for having it, and for leaving it.
WANTED: Final = frozenset({"call-nearer", "call-completes", "take-nearer", "take-completes", "out", "out-double"})
LEFT: Final = frozenset({"no-nearer", "call-in-vain", "ready"})


@dataclass(frozen=True, kw_only=True)
class Judging(Exercise):
    """A decision of a seat that has not laid."""

    how: ClassVar[How] = How.OPTION
    weight: ClassVar[int] = 2
    phases: ClassVar[tuple[Phase, ...]]
    proven: tuple[Answer, ...] = ()
    """The answers that playouts have shown to be right; empty: those of the coach."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """The first decision of the kind, after a few that are skipped, in a deal of club players."""
        skipped = dice.randrange(6)
        for view in _decisions(rules, deal, str(dice.random())):
            if has_laid(view, view.seat):
                break
            if view.phase in cls.phases and cls.is_clear(view):
                if skipped == 0:
                    return cls.of(view)
                skipped -= 1
        return None

    @classmethod
    def of(cls, view: View) -> Self:
        """The decision of a view."""
        return cls(rules=view.rules, deal=view.deal, hand=tuple(sorted(view.hand)), table=view.melds, view=view)

    @classmethod
    def is_clear(cls, view: View) -> bool:
        """Whether the coach finds one choice clearly better."""
        if len(view.legal) < 2:
            return False
        return assess(Situation(view)).fact.case in WANTED | LEFT

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether there are calls, and somebody else who could make one."""
        return bool(rules.ruleset.calls.limit) and rules.seats > 2 and rules.ruleset.draw.offer != "flip"

    @property
    def moment(self) -> View:
        """The decision as its seat sees it."""
        assert self.view is not None
        return self.view

    @cached_property
    def assessment(self) -> Assessment:
        """The moment, weighed."""
        return assess(Situation(self.moment))

    def judge(self, answer: Answer) -> Verdict:
        """The fact that speaks for the right answer is the reason."""
        right = self.solutions()[0]
        if answer == right:
            return RIGHT
        better, other = self._action(right), self._action(Answer(option=1 - (right.option or 0)))
        situation = Situation(self.moment)
        said = reason(situation, difference(situation, better, other))
        return Verdict(False, None, Say("mend-judged", {"reason": said}))

    @property
    def right_action(self) -> Action:
        """What the first right answer does."""
        return self._action(self.solutions()[0])

    def _action(self, answer: Answer) -> Action:
        """The action that an option stands for: having the open card, or leaving it."""
        return next(action for action in self.moment.legal if has_card(action) == (answer.option == 0))

    def solutions(self) -> Sequence[Answer]:
        """The first option if the card is wanted, else the second."""
        if self.proven:
            return self.proven
        return [Answer(option=0 if self.assessment.fact.case in WANTED else 1)]

    @property
    def help(self) -> tuple[Say, ...]:
        """The coach's hint to what is right, which ends with its reason."""
        return tuple(Say("told", {"text": text}) for text in hint_at(self.moment, self.right_action).steps)

    def weak(self, rule: str) -> Answer | None:
        """Nothing is wanted; or a card of a rank that is held; or a card that goes with another."""
        card = self.moment.discard
        match rule:
            case "dearest":
                wanted = False
            case "pairs":
                wanted = card is not None and any(RANK[own] == RANK[card] for own in naturals(self.hand))
            case "first-fit":
                wanted = card is not None and (card == JOKER or is_near(card, self.hand))
            case _:
                return None
        return Answer(option=0 if wanted else 1)


@dataclass(frozen=True, kw_only=True)
class Calling(Judging):
    """Call the card, or let it go (C2-C5)."""

    kind: ClassVar[str] = "call"
    keys: ClassVar[str] = "cp"
    phases: ClassVar[tuple[Phase, ...]] = (Phase.CALL_WINDOW,)

    @property
    def ask(self) -> Say:
        """The question, with the card."""
        card = self.moment.discard
        return Say("ask", {"card": "" if card is None else symbols(self.rules, [card])})

    @property
    def options(self) -> tuple[Say, ...]:
        """Call or pass."""
        return (Say("call-yes"), Say("call-no"))


@dataclass(frozen=True, kw_only=True)
class Allowing(Judging):
    """Refuse a call and take the card, or allow it (C4, C6)."""

    kind: ClassVar[str] = "allow"
    keys: ClassVar[str] = "ra"
    phases: ClassVar[tuple[Phase, ...]] = (Phase.DECISION,)

    @property
    def ask(self) -> Say:
        """The question, with the card and who calls it."""
        view = self.moment
        card, caller = view.discard, view.caller
        name = Person("" if caller is None else view.names[caller])
        return Say("ask", {"card": "" if card is None else symbols(self.rules, [card]), "name": name})

    @property
    def options(self) -> tuple[Say, ...]:
        """Refuse or allow."""
        return (Say("allow-no"), Say("allow-yes"))


@dataclass(frozen=True, kw_only=True)
class Throwing(Judging):
    """Throw a card that is worth least to the hand (S1)."""

    kind: ClassVar[str] = "throw"
    how: ClassVar[How] = How.CARD
    command: ClassVar[str] = "discard"
    weight: ClassVar[int] = 4
    phases: ClassVar[tuple[Phase, ...]] = (Phase.PLAY,)

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Something is thrown in every game."""
        return True

    @classmethod
    def is_clear(cls, view: View) -> bool:
        """Whether no throw lies between right and wrong, and half of them at least are wrong."""
        options = assess(Situation(view)).options
        if len(options) < 4 or not isinstance(options[0].action, Discard):
            return False
        best = options[0].worth
        if any(AS_GOOD < best - option.worth < MARGIN for option in options):
            return False
        return sum(best - option.worth >= MARGIN for option in options) >= len(options) // 2

    def judge(self, answer: Answer) -> Verdict:
        """Every throw as good as the best is right."""
        if len(answer.cards) == 1 and answer in self.solutions():
            return RIGHT
        solution = Say("mend-throw", {"good": self._good})
        if len(answer.cards) != 1:
            return Verdict(False, solution=solution)
        refusal = self._refusal(answer.cards[0])
        if refusal is not None:
            return Verdict(False, refusal, solution=solution)
        return Verdict(False, None, Say("mend-judged", {"reason": self._why(answer.cards[0])}), solution)

    def _action(self, answer: Answer) -> Action:
        """The throw of the card."""
        return DISCARD[self.moment.seat][answer.cards[0]]

    def _why(self, card: Card) -> str:
        """What the card that was chosen is for, beside the right throw that shows it best."""
        situation = Situation(self.moment)
        facts = [of_throws(situation, right.cards[0], card) for right in self.solutions()]
        return reason(situation, next((fact for fact in facts if fact.explains), facts[0]))

    def _refusal(self, card: Card) -> Refusal | None:
        """Why the card may not be thrown at all."""
        if any(isinstance(action, Discard) and action.card == card for action in self.moment.legal):
            return None
        return Refusal("discard.joker", "S1", "A joker may not be thrown.")

    @property
    def _good(self) -> str:
        return symbols(self.rules, [one.cards[0] for one in self.solutions()])

    def solutions(self) -> Sequence[Answer]:
        """The throws as good as the best."""
        if self.proven:
            return self.proven
        options = self.assessment.options
        return [Answer(option.cards) for option in options if options[0].worth - option.worth <= AS_GOOD]

    def weak(self, rule: str) -> Answer | None:
        """The dearest card goes, the dearest single, the first that goes with no other, the one that leaves it
        nearest."""
        cards = naturals(self.hand)
        match rule:
            case "dearest":
                return dearest(self)
            case "pairs":
                return dearest_single(self)
            case "first-fit":
                loose = [card for card in cards if not is_near(card, without(self.hand, card))]
                return Answer(((loose or cards)[0],))
            case "greedy":
                away = {card: distance(self.rules, self.contract, without(self.hand, card)) for card in cards}
                return Answer((min(cards, key=lambda card: (away[card], -self.rules.values[card])),))
        return None


def begun(rules: Rules, number: int, seed: str) -> Deal:
    """The deal of a seed, in which the learner is the first to act."""
    deal = Deal.blank(rules, NAMES[: rules.seats], number, rules.seats - 1, 0, f"exercise/{seed}")
    deal.begin()
    return deal


def _decisions(rules: Rules, number: int, seed: str) -> Iterator[View]:
    """The decisions of the first seat in a deal of club players, as it saw them; played no further than asked for."""
    deal = begun(rules, number, seed)
    player = make_player("club", "exercise")
    for _ in range(MOST_DECISIONS):
        if deal.actor is None:
            return
        view = deal.view(deal.actor)
        if deal.actor == 0:
            yield view
        deal.apply(player.decide(view).action)
