"""Exercises at moments of play: may this be done, and which choice is better?

What may be done is asked of the engine. Of choices only those are asked about in which the better one is clear: a card
that brings the contract nearer or does not, a throw that is worth five points more than every wrong one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any, ClassVar, Final, Self

from kalooki_tui.cards import JOKER, RANK, RANKS
from kalooki_tui.coach.exercises.definition import RIGHT, AnswerForm, LearnerAnswer, Options, Say, Verdict, YesOrNo
from kalooki_tui.coach.exercises.dice import why_not_tacked
from kalooki_tui.coach.rated_advice import hint_at, reason
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import Meld, judge_set
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.tacks import tack
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.evaluation.differences import has_card, of_throws
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import Assessment, assess
from kalooki_tui.evaluation.recommendation import difference
from kalooki_tui.notation.action_text import parse_action
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.players import Player, make_player
from kalooki_tui.positions.position_files import position_of, read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.yaml_source import Plain, read_yaml, write_yaml
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
class Judging(Options, weight=2):
    phases: ClassVar[tuple[Phase, ...]]
    proven: tuple[LearnerAnswer, ...] = ()
    """Answers that playouts have shown to be right; empty: those of the coach."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Find a clear decision in a deal of club players; some are skipped first."""
        skipped = dice.randrange(6)
        player = make_player("club", "exercise")
        for at in _played(begun(rules, deal, str(dice.random())), player, MOST_DECISIONS):
            if at.actor != 0:
                continue
            view = at.view(0)
            if has_laid(view, 0):
                break
            if view.phase in cls.phases and cls.is_clear(view):
                if skipped == 0:
                    return cls.of(view)
                skipped -= 1
        return None

    @classmethod
    def is_clear(cls, view: View) -> bool:
        return len(view.legal) > 1 and assess(Situation(view)).fact.case in WANTED | LEFT

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        return bool(rules.ruleset.calls.limit) and rules.seats > 2 and rules.ruleset.draw.offer != "flip"

    @property
    def ask(self) -> Say:
        card, caller = self.moment.discard, self.moment.caller
        name = Person("" if caller is None else self.moment.names[caller])
        return Say("ask", {"card": "" if card is None else self.symbols([card]), "name": name})

    @cached_property
    def assessment(self) -> Assessment:
        return assess(Situation(self.moment))

    @property
    def right(self) -> int:
        return 0 if self.assessment.fact.case in WANTED else 1

    def solutions(self) -> Sequence[LearnerAnswer]:
        return self.proven or super().solutions()

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        """Tell the fact for the right answer; where nothing can be counted, both are right."""
        other = self._action(LearnerAnswer(option=1 - (self.solutions()[0].option or 0)))
        situation = Situation(self.moment)
        fact = difference(situation, self.right_action, other)
        return Verdict(False, None, Say("mend-judged", {"reason": reason(situation, fact)})) if fact.explains else RIGHT

    @property
    def right_action(self) -> do.Action:
        return self._action(self.solutions()[0])

    def _action(self, answer: LearnerAnswer) -> do.Action:
        return next(action for action in self.moment.legal if has_card(action) == (answer.option == 0))

    @property
    def help(self) -> tuple[Say, ...]:
        return tuple(Say("told", {"text": text}) for text in hint_at(self.moment, self.right_action).steps)


@dataclass(frozen=True, kw_only=True)
class Calling(Judging, kind="call", keys="cp", choices=("call-yes", "call-no"), phases=(Phase.CALL_WINDOW,)):
    """Call of the card, or a pass (C2-C5)."""


@dataclass(frozen=True, kw_only=True)
class Allowing(Judging, kind="allow", keys="ra", choices=("allow-no", "allow-yes"), phases=(Phase.DECISION,)):
    """Refusal of a call, or its permission (C4, C6)."""


@dataclass(frozen=True, kw_only=True)
class Throwing(Judging, kind="throw", how=AnswerForm.CARD, command="discard", weight=4, phases=(Phase.PLAY,)):
    """Throw of a card that is worth least to the hand (S1)."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        return True

    @classmethod
    def is_clear(cls, view: View) -> bool:
        """Check that no throw lies between right and wrong, and at least half of them are wrong."""
        options = assess(Situation(view)).options
        if len(options) < 4 or not isinstance(options[0].action, do.Discard):
            return False
        best = options[0].worth
        if any(AS_GOOD < best - option.worth < MARGIN for option in options):
            return False
        return sum(best - option.worth >= MARGIN for option in options) >= len(options) // 2

    def _action(self, answer: LearnerAnswer) -> do.Action:
        return do.DISCARD[self.moment.seat][answer.cards[0]]

    def solutions(self) -> Sequence[LearnerAnswer]:
        options = self.assessment.options
        return self.proven or [
            answer_of(option.action) for option in options if options[0].worth - option.worth <= AS_GOOD
        ]

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        """Compare with the right throw that shows it best; right where no fact tells them apart."""
        good = [one.cards[0] for one in self.solutions()]
        solution = Say("mend-throw", {"good": self.symbols(good)})
        if len(answer.cards) != 1:
            return Verdict(False, solution=solution)
        (card,) = answer.cards
        if do.DISCARD[self.moment.seat][card] not in self.moment.legal:
            refusal = Refusal("discard.joker", "S1", "A joker may not be thrown.")
            if card == self.moment.drawn:
                told = f"You drew {self.symbols([card])} from the discards in this turn: throw another card."
                refusal = Refusal("discard.drawn", "H5", told)
            return Verdict(False, refusal, solution=solution)
        situation = Situation(self.moment)
        facts = (of_throws(situation, right, card) for right in good)
        why = next((reason(situation, fact) for fact in facts if fact.explains), "")
        return Verdict(False, None, Say("mend-judged", {"reason": why}), solution) if why else RIGHT


def answer_of(action: do.Action) -> LearnerAnswer:
    if isinstance(action, do.Discard):
        return LearnerAnswer((action.card,))
    return LearnerAnswer(option=1 if isinstance(action, do.Pass | do.Allow) else 0)


def begun(rules: Rules, number: int, seed: str, series: str = "exercise") -> Deal:
    """Deal the cards of a seed, the learner first to act."""
    deal = Deal(rules, NAMES[: rules.seats], number, rules.seats - 1, 0, f"{series}/{seed}")
    deal.begin()
    return deal


def _played(deal: Deal, player: Player, most: int) -> Iterator[Deal]:
    for _ in range(most):
        if deal.actor is None:
            return
        yield deal
        deal.apply(player.decide(deal.view(deal.actor)).action)


@dataclass(frozen=True)
class WaitExample:
    gain: float
    """Points by which laying is better than waiting; below zero, waiting is."""
    error: float
    position: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LayOrWait(Options, kind="wait", keys="lw", choices=("lay-now", "wait-a-turn")):
    """Contract to lay now, or to hold back for a turn (G4).

    Its moments are not made by dice. They are those of a table at which one choice is clearly better: each was played
    on some hundred times with the hidden cards dealt again, hands as such hands are, once with the contract laid and
    once with the best throw while it is held. Club players took all the seats.
    """

    gain: float
    error: float

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        return bool(waits(rules.ruleset.id))

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
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
        return Say("ask", self.clues)

    @property
    def others_laid(self) -> bool:
        return any(laid is not HasLaid.NO for laid in self.moment.laid[1:])

    @property
    def right(self) -> int:
        return 0 if self.gain > 0 else 1

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        case = "better-wait" if self.gain < 0 else "better-lay-late" if self.others_laid else "better-lay"
        slots = {**self.clues, "points": f"{abs(self.gain):.0f}", "error": f"{2 * self.error:.0f}"}
        return Verdict(False, None, Say(case, slots))

    @property
    def clues(self) -> dict[str, object]:
        found = best_lay(self.rules, self.contract, self.hand)
        return {"left": "" if found is None else self.symbols(found.left)}

    @property
    def help(self) -> tuple[Say, ...]:
        return Say("nudge"), Say("point" if self.others_laid else "point-none", self.clues)


@cache
def waits(ruleset: str) -> tuple[WaitExample, ...]:
    file = resources.files("kalooki_tui.coach") / "tables" / "waits" / f"{ruleset}.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    return tuple(WaitExample(one["gain"], one["error"], one["at"]) for one in data["moments"])


#: Decisions of a deal that are looked at.
MOST_TRIED: Final = 200
#: Refusals that teach nothing: whose turn it is to be asked, or a moment that could not come at a table.
DULL: Final = frozenset({"turn.not-yours", "turn.wrong-phase"})
#: What is asked about.
TOPICS: Final = ("call", "refuse", "take", "throw", "tack", "lay")


@dataclass(frozen=True, kw_only=True)
class AttemptAllowed(YesOrNo, kind="may"):
    """Attempt that the rules allow now, or not (T1, L1, L9, C1-C9, S1, K1-K5)."""

    topic: str
    action: do.Action

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Draw something that the first seat might try in a deal of novices, equally often refused and allowed."""
        refused = dice.random() < 0.5
        found: dict[str, list[tuple[View, do.Action, Refusal | None]]] = {}
        seed = str(dice.random())
        for played in _played(begun(rules, deal, seed, "may"), make_player("novice", "may"), MOST_TRIED):
            at = played
            if at.phase is Phase.CALL_WINDOW and at.turn == 0 and has_laid(at, 0) and at.actor not in (None, 0):
                # The engine allows such a call at once (C7): let it wait, so that somebody may want to refuse it.
                at = at.clone()
                at.caller, at.phase, at.actor, at.asked = played.actor, Phase.DECISION, 0, []
            view = at.view(0)
            for topic, action in _candidates(view):
                why = at.why_not(action)
                if (why is not None) == refused and (why is None or topic == "take" or why.code not in DULL):
                    found.setdefault(topic, []).append((view, action, why))
        if not found:
            return None
        topic = dice.choice(sorted(found))
        # A rule that comes up at every turn is asked about no oftener than one that rarely does.
        by_rule: dict[str, list[tuple[View, do.Action, Refusal | None]]] = {}
        for one in found[topic]:
            by_rule.setdefault("" if one[2] is None else one[2].clause, []).append(one)
        view, action, why = dice.choice(by_rule[dice.choice(sorted(by_rule))])
        return cls.of(view, topic=topic, action=action, refusal=why)

    @property
    def ask(self) -> Say:
        case = f"ask-{self.topic}"
        if self.topic == "call":
            case += "" if self.moment.phase is Phase.CALL_WINDOW else "-late"
            case += "" if self.moment.discarded_by is not None else "-turned"
        return Say(case, self.clues)

    @property
    def clues(self) -> dict[str, Any]:
        view, action = self.moment, self.action
        slots: dict[str, Any] = {
            "card": "" if view.discard is None else self.symbols([view.discard]),
            "name": Person("" if view.discarded_by is None else view.names[view.discarded_by]),
            "turn": Person(view.names[view.turn]),
        }
        match action:
            case do.Draw(source=do.Source.FLIP) if view.flip is not None:
                slots["card"] = self.symbols([view.flip])
            case do.Discard(card=card):
                slots["card"] = self.symbols([card])
            case do.Tack(cards=cards, meld=meld):
                slots |= {"card": self.symbols(cards), "meld": f"m{meld + 1}"}
            case do.Swap(meld=meld):
                slots |= {"card": self.symbols(action.cards), "meld": f"m{meld + 1}"}
            case do.Lay(groups=groups):
                slots["card"] = self.in_groups(groups)
            case do.Refuse() if view.caller is not None:
                slots["name"] = Person(view.names[view.caller])
            case do.Challenge(target=target):
                slots["name"] = Person(view.names[target])
        return slots

    @property
    def help(self) -> tuple[Say, ...]:
        return Say("nudge"), Say(self._standing, self.clues)

    @property
    def _standing(self) -> str:
        return f"point-{'own' if self.moment.turn == 0 else 'other'}{'-laid' if has_laid(self.moment, 0) else ''}"

    # Why it is allowed

    @property
    def doubt(self) -> Say:
        """Name what might have spoken against it at this moment, and does not."""
        laid = has_laid(self.moment, 0)
        case = ""
        more: Mapping[str, object] = {}
        match self.action:
            case do.Call():
                case, more = self._call_doubt(laid=laid)
            case do.Refuse():
                case = "refuse-laid" if laid else "refuse"
            case do.Draw(source=do.Source.DISCARD):
                case = "take-use" if self.rules.ruleset.draw.must_use else "take-laid" if laid else "take"
            case do.Draw(source=do.Source.FLIP):
                case = "flip-laid" if laid else "flip"
            case do.Draw():
                case = "stock" if self.moment.stock or self.moment.reshuffles else "stock-empty"
            case do.Discard(card=card):
                case, more = self._throw_doubt(card, laid=laid)
            case do.Tack(cards=cards, meld=meld, end=end):
                case, more = self._tack_doubt(cards, self.moment.melds[meld], end)
            case do.Lay(groups=groups):
                case, more = self._lay_doubt(groups, laid=laid)
            case do.Swap(use=use, lay=groups):
                case = "swap" if use is None and not groups else "swap-used"
            case do.Challenge(target=target):
                case = "challenge-laid" if has_laid(self.moment, target) else "challenge"
        return Say(f"doubt-{case}" if case else self._standing, {**self.clues, **more})

    def _call_doubt(self, *, laid: bool) -> tuple[str, Mapping[str, object]]:
        calls, made = self.rules.ruleset.calls, self.moment.calls
        if made is None:
            # The referee with penalties stops nobody.
            return "call-unchecked", {"limit": calls.limit}
        if self.moment.phase is Phase.FLIP_WINDOW and self.moment.flip is not None:
            return "call-flip", {"card": self.symbols([self.moment.flip])}
        if laid:
            return "call-laid", {}
        if public_of(self.moment).callers:
            return "call-nearest", {}
        if made[0]:
            return "call-left", {"made": made[0], "limit": calls.limit}
        return "call", {}

    def _throw_doubt(self, card: int, *, laid: bool) -> tuple[str, Mapping[str, object]]:
        if card == JOKER:
            return "throw-joker", {}
        fits = [place for place, meld in enumerate(self.table) if why_not_tacked(self.rules, meld, card) is None]
        if laid and fits:
            return "throw-fits", {"meld": f"m{fits[0] + 1}"}
        if not self.rules.ruleset.draw.throw_back and not self.rules.ruleset.draw.must_use:
            return "throw-all" if card == self.moment.drawn else "throw-other", {}
        return "throw" if not self.rules.ruleset.discard.jokers else "throw-any", {}

    def _tack_doubt(self, cards: tuple[int, ...], meld: Meld, end: do.End | None) -> tuple[str, Mapping[str, object]]:
        more = {"owner": Person(self.moment.names[meld.owner]), "cards": self.symbols(meld.cards)}
        if meld.kind is do.Kind.SET:
            if not self.rules.ruleset.lay.same_turn_tack:
                return "tack-set-waited", more
            return "tack-set-own" if meld.owner == 0 else "tack-set", more
        limit = self.rules.ruleset.tack.end_limit
        if limit is not None and len(cards) > 1:
            return "tack-limit", {**more, "count": len(cards), "limit": limit}
        grown = tack(self.rules, 0, meld, cards, end)
        if grown.low == meld.low:
            return "tack-high", more
        return "tack-low" if self.rules.ruleset.tack.run_growth == "both" else "tack-low-ace", more

    def _lay_doubt(self, groups: tuple[do.Group, ...], *, laid: bool) -> tuple[str, Mapping[str, object]]:
        contract = self.contract
        if laid:
            return "lay-further", {}
        if contract.points:
            return "lay-points", {"points": contract.points}
        stands_in = self.rules.ruleset.lay.full_suit_for_three_runs and contract.runs == 3
        if stands_in and any(len(group.cards) == RANKS for group in groups):
            return "lay-suit", {}
        return ("lay-more" if len(groups) > contract.sets + contract.runs else "lay"), {}


def _candidates(view: View) -> Iterator[tuple[str, do.Action]]:
    match view.phase:
        case Phase.DECISION if view.turn == 0:
            yield "refuse", do.Refuse(0)
        case Phase.CALL_WINDOW if view.turn != 0:
            limit, calls = view.rules.ruleset.calls, view.calls
            may_not = (has_laid(view, 0) and not limit.laid_seat) or view.discarded_by == 0
            # Else the first seat is still to be asked about the card, or has passed it.
            if view.actor == 0 or may_not or calls is None or calls[0] >= limit.limit:
                yield "call", do.Call(0)
        case Phase.DRAW if view.discard is not None:
            yield "take", do.Draw(0, do.Source.DISCARD)
        case Phase.PLAY if view.turn == 0:
            yield from _plays(view)
        case Phase.PLAY if view.discard is not None and not view.dead:
            # The view names who threw last; where that card was taken, the one beneath may be somebody else's.
            if public_of(view).throwers[-1:] == [view.discarded_by]:
                yield "call", do.Call(0)


def _plays(view: View) -> Iterator[tuple[str, do.Action]]:
    if JOKER in view.hand:
        yield "throw", do.Discard(0, JOKER)
    natural = next((card for card in view.hand if card != JOKER), None)
    if natural is not None:
        yield "throw", do.Discard(0, natural)
    for number, meld in enumerate(view.melds):
        if meld.kind is do.Kind.SET:
            card = next((card for card in view.hand if card != JOKER and RANK[card] == meld.rank), None)
        else:
            card = next((card for card in view.hand if card != JOKER and card // 13 == meld.suit), None)
        if card is not None:
            yield "tack", do.Tack(0, (card,), number)
    if not has_laid(view, 0) and not view.contract.points:
        groups = _sets_held(view)[: view.contract.sets + 1]
        if groups:
            yield "lay", do.Lay(0, groups)
        best = best_lay(view.rules, view.contract, view.hand)
        if best is not None and best.groups:
            yield "lay", do.Lay(0, best.groups)


def _sets_held(view: View) -> tuple[do.Group, ...]:
    by_rank: dict[int, list[int]] = {}
    for card in sorted(view.hand):
        if card != JOKER:
            by_rank.setdefault(RANK[card], []).append(card)
    found = (tuple(cards) for cards in by_rank.values() if judge_set(view.rules.ruleset, cards) is None)
    return tuple(do.Group(cards, do.Kind.SET) for cards in found)


@dataclass(frozen=True, kw_only=True)
class MomentExercise(AttemptAllowed, kind="moment"):
    topic: str = "moment"
    words: str

    @property
    def ask(self) -> Say:
        return Say("ask", {"words": self.words})


def pose(rules: Rules, at: Mapping[str, Plain], do: str, words: str) -> MomentExercise:
    """Set up the exercise of a moment; raise ValueError if position or action cannot be in this ruleset."""
    seats, referee = at.get("seats"), Referee(str(at.get("referee", rules.referee)))
    if not isinstance(seats, list):
        raise ValueError("seats must be a list")
    here = make_rules(rules.ruleset, len(seats), referee, rules.settings)
    try:
        position = position_of(read_yaml(write_yaml(at), "", "position"), here)
        match = set_up(position)
        action = parse_action(do, match.names, position.rules.faces)
    except (InputError, NotationError) as error:
        raise ValueError(str(error)) from None
    return MomentExercise.of(match.deal.view(0), action=action, refusal=match.why_not(action), words=words)
