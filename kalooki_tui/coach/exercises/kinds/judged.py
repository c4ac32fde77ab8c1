"""Exercises of judgement, from moments of play: what to throw, whether to call, to allow a call, to lay or to wait.

Only moments are asked about in which the better choice is clear: a card that brings the contract nearer or does not,
a throw that is worth five points more than every card that counts as wrong.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any, ClassVar, Final, Self

from kalooki_tui.coach.exercises.model import RIGHT, Answer, How, Options, Say, Verdict
from kalooki_tui.coach.hinting import hint_at
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import DISCARD, Action, Allow, Discard, Pass
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.judging.differences import has_card, of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, assess
from kalooki_tui.judging.recommending import difference
from kalooki_tui.players import make_player
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.rulesets.yaml_source import write_yaml
from kalooki_tui.solver import best_lay
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
class Judging(Options):
    """A decision of a seat that has not laid."""

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
    def is_clear(cls, view: View) -> bool:
        """Whether the coach finds one choice clearly better."""
        return len(view.legal) > 1 and assess(Situation(view)).fact.case in WANTED | LEFT

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether there are calls, and somebody else who could make one."""
        return bool(rules.ruleset.calls.limit) and rules.seats > 2 and rules.ruleset.draw.offer != "flip"

    @property
    def ask(self) -> Say:
        """The question, with the open card and who calls it."""
        card, caller = self.moment.discard, self.moment.caller
        name = Person("" if caller is None else self.moment.names[caller])
        return Say("ask", {"card": "" if card is None else self.symbols([card]), "name": name})

    @cached_property
    def assessment(self) -> Assessment:
        return assess(Situation(self.moment))

    @property
    def right(self) -> int:
        """To have the card if it is wanted."""
        return 0 if self.assessment.fact.case in WANTED else 1

    def solutions(self) -> Sequence[Answer]:
        """What is proven, else what the coach finds."""
        return self.proven or super().solutions()

    def why_wrong(self, answer: Answer) -> Verdict:
        """The fact that speaks for the right answer; where nothing can be counted, both are right."""
        other = self._action(Answer(option=1 - (self.solutions()[0].option or 0)))
        situation = Situation(self.moment)
        fact = difference(situation, self.right_action, other)
        return Verdict(False, None, Say("mend-judged", {"reason": reason(situation, fact)})) if fact.explains else RIGHT

    @property
    def right_action(self) -> Action:
        """What the first right answer does."""
        return self._action(self.solutions()[0])

    def _action(self, answer: Answer) -> Action:
        """The action that an option stands for: having the open card, or leaving it."""
        return next(action for action in self.moment.legal if has_card(action) == (answer.option == 0))

    @property
    def help(self) -> tuple[Say, ...]:
        """The coach's hint to what is right, which ends with its reason."""
        return tuple(Say("told", {"text": text}) for text in hint_at(self.moment, self.right_action).steps)


@dataclass(frozen=True, kw_only=True)
class Calling(Judging):
    """Call the card, or let it go (C2-C5)."""

    kind: ClassVar[str] = "call"
    keys: ClassVar[str] = "cp"
    choices: ClassVar[tuple[str, ...]] = ("call-yes", "call-no")
    phases: ClassVar[tuple[Phase, ...]] = (Phase.CALL_WINDOW,)


@dataclass(frozen=True, kw_only=True)
class Allowing(Judging):
    """Refuse a call and take the card, or allow it (C4, C6)."""

    kind: ClassVar[str] = "allow"
    keys: ClassVar[str] = "ra"
    choices: ClassVar[tuple[str, ...]] = ("allow-no", "allow-yes")
    phases: ClassVar[tuple[Phase, ...]] = (Phase.DECISION,)


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

    def _action(self, answer: Answer) -> Action:
        return DISCARD[self.moment.seat][answer.cards[0]]

    def solutions(self) -> Sequence[Answer]:
        """The throws as good as the best."""
        options = self.assessment.options
        return self.proven or [Answer(option.cards) for option in options if options[0].worth - option.worth <= AS_GOOD]

    def why_wrong(self, answer: Answer) -> Verdict:
        """What the card is for, beside the right throw that shows it best; right where no fact tells it from that."""
        good = [one.cards[0] for one in self.solutions()]
        solution = Say("mend-throw", {"good": self.symbols(good)})
        if len(answer.cards) != 1:
            return Verdict(False, solution=solution)
        (card,) = answer.cards
        if DISCARD[self.moment.seat][card] not in self.moment.legal:
            return Verdict(False, Refusal("discard.joker", "S1", "A joker may not be thrown."), solution=solution)
        situation = Situation(self.moment)
        facts = (of_throws(situation, right, card) for right in good)
        why = next((reason(situation, fact) for fact in facts if fact.explains), "")
        return Verdict(False, None, Say("mend-judged", {"reason": why}), solution) if why else RIGHT


def answer_of(action: Action) -> Answer:
    """What an action answers to an exercise of judgement."""
    if isinstance(action, Discard):
        return Answer((action.card,))
    return Answer(option=1 if isinstance(action, Pass | Allow) else 0)


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


@dataclass(frozen=True)
class Wait:
    """A moment at which one choice is clearly better."""

    gain: float
    """Points by which laying is better than waiting; below zero waiting is."""
    error: float
    """The standard error of that."""
    position: Mapping[str, Any]
    """Without its ruleset."""


@dataclass(frozen=True, kw_only=True)
class LayOrWait(Options):
    """The contract can be laid, and nobody has to: lay it, or hold it back for a turn (G4).

    Its moments are not made by dice. They are those of a table at which one choice is clearly better: each was played
    on some hundred times with the hidden cards dealt again, hands as such hands are, once with the contract laid and
    once with the best throw while it is held. Club players took all the seats.
    """

    kind: ClassVar[str] = "wait"
    keys: ClassVar[str] = "lw"
    choices: ClassVar[tuple[str, ...]] = ("lay-now", "wait-a-turn")
    gain: float
    error: float

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether such moments have been found for the ruleset."""
        return bool(waits(rules.ruleset.id))

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A moment of whatever deal; either answer as often as the other."""
        lays = dice.random() < 0.5
        every = [moment for moment in waits(rules.ruleset.id) if (moment.gain > 0) == lays]
        if not every:
            return None
        moment = dice.choice(every)
        position = read_position(write_yaml({"ruleset": rules.ruleset.id, **moment.position}))
        made = cls.of(set_up(position).deal.view(0), gain=moment.gain, error=moment.error)
        return replace(made, deal=deal)

    @property
    def ask(self) -> Say:
        """The question, with the cards that would stay."""
        return Say("ask", self.clues)

    @property
    def others_laid(self) -> bool:
        """Whether another seat has laid."""
        return any(laid is not HasLaid.NO for laid in self.moment.laid[1:])

    @property
    def right(self) -> int:
        return 0 if self.gain > 0 else 1

    def why_wrong(self, answer: Answer) -> Verdict:
        """By how much the other did better, and why."""
        case = "better-wait" if self.gain < 0 else "better-lay-late" if self.others_laid else "better-lay"
        slots = {**self.clues, "points": f"{abs(self.gain):.0f}", "error": f"{2 * self.error:.0f}"}
        return Verdict(False, None, Say(case, slots))

    @property
    def clues(self) -> dict[str, object]:
        """The cards that would stay in the hand."""
        found = best_lay(self.rules, self.contract, self.hand)
        return {"left": "" if found is None else self.symbols(found.left)}

    @property
    def help(self) -> tuple[Say, ...]:
        """Second, whether anybody has laid."""
        return Say("nudge"), Say("point" if self.others_laid else "point-none", self.clues)


@cache
def waits(ruleset: str) -> tuple[Wait, ...]:
    """The clear moments of a ruleset; most have none."""
    file = resources.files("kalooki_tui.coach") / "tables" / "waits" / f"{ruleset}.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    return tuple(Wait(one["gain"], one["error"], one["at"]) for one in data["moments"])
