"""Exercises of cards alone: contracts, hands that are to be judged, built and counted, and single melds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final, Self

from msgspec.structs import replace

from kalooki_tui.cards import ACE, JOKER, RANK, RANKS, SUITS, Card, make_card
from kalooki_tui.coach.exercises.definition import AnswerForm, Exercise, LearnerAnswer, Options, Say, Verdict, YesOrNo
from kalooki_tui.coach.exercises.dice import (
    WITH_JOKER,
    asked_melds,
    cards_of,
    deck,
    draw_meld,
    hand_at,
    is_meld,
    may_be,
    neighbours,
    one_wrong,
    shuffled,
    wanted_kind,
    why_as_it_lies,
    why_no_meld,
    why_not,
    with_decoys,
)
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, check_lay, contract_text, make_meld, stands_for, why_left
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.players.seat import without
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.solver import Laydown, best_lay, distance, useful_cards
from kalooki_tui.solver.lay import FREE, goes_out
from kalooki_tui.solver.witness import nearest_plan
from kalooki_tui.wording import counted

#: Contracts to choose from, at most.
MOST: Final = 4
#: Tries to draw melds that may be laid together: runs of four suits seldom are.
MOST_TRIES: Final = 300
#: Cards over that the hand of a contract holds.
OVER: Final = 2
#: Distances that can be answered.
FARTHEST: Final = 5
#: Cards of which some help.
OFFERED: Final = 8
Melds = tuple[Group, ...]


@dataclass(frozen=True, kw_only=True)
class Contracts(Options, kind="contract"):
    """Contract of a deal, or the hand that makes it (L1, L2, L3)."""

    named: tuple[int, ...] = ()
    """Deals of different contracts, one of which is asked for; empty: a hand is."""
    hands: tuple[Melds, ...] = ()
    """Hands in melds, of which one is the contract."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        deals = rules.ruleset.deals
        return len({(one.sets, one.runs) for one in deals}) > 1 and not any(one.points for one in deals)

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Ask for one or the other, equally often; the right answer's place is drawn evenly."""
        own = rules.contract(deal)
        if dice.random() < 0.5:
            # One deal of each contract; this deal for its own.
            deals = {(one.sets, one.runs): number for number, one in enumerate(rules.ruleset.deals, start=1)}
            del deals[own.sets, own.runs]
            others = dice.sample(sorted(deals.values()), min(MOST - 1, len(deals)))
            return cls(rules=rules, deal=deal, named=tuple(dice.sample([deal, *others], len(others) + 1)))
        hands = _hands(rules, own, dice)
        return None if hands is None else cls(rules=rules, deal=deal, hands=hands)

    @property
    def variant(self) -> str:
        return "named" if self.named else "made"

    @property
    def ask(self) -> Say:
        return Say("ask", self.clues)

    @property
    def options(self) -> tuple[Say, ...]:
        words = self.rules.ruleset.vocabulary
        texts = [contract_text(words, self.rules.contract(one)) for one in self.named]
        return tuple(Say("told", {"text": text}) for text in texts or map(self.in_groups, self.hands))

    @property
    def right(self) -> int:
        if self.named:
            return self.named.index(self.deal)
        return [why_not_laid(self.rules, self.contract, melds) for melds in self.hands].index(None)

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        assert answer.option is not None
        solution = Say("asks", self.clues)
        if self.hands:
            refusal = why_not_laid(self.rules, self.contract, self.hands[answer.option])
            return Verdict(False, refusal, solution=solution)
        other = self.named[answer.option]
        return Verdict(False, None, Say("other", {"number": self.rules.contract(other).number or other}), solution)

    @property
    def clues(self) -> dict[str, object]:
        own = self.contract
        return {"number": own.number or self.deal, "cards": own.cards, "melds": own.sets + own.runs}


def why_not_laid(rules: Rules, contract: Contract, melds: Melds) -> Refusal | None:
    """Return why melds are no first lay-down; None: they are one."""
    return why_not(check_lay, rules, contract, 0, melds, [], True)


def _hands(rules: Rules, contract: Contract, dice: random.Random) -> tuple[Melds, ...] | None:
    """Draw the contract, melds with one of the other kind, and melds with one wrong card, in any order."""
    asked = asked_melds(rules, contract)
    place = dice.randrange(len(asked))
    other = (Kind.RUN if asked[place][0] is Kind.SET else Kind.SET, 0)
    good = drawn_melds(rules, dice, asked)
    mixed = sorted([*asked[:place], other, *asked[place + 1 :]], key=lambda one: one[0] is Kind.RUN)
    one_meld_off = drawn_melds(rules, dice, mixed)
    one_card_off = drawn_melds(rules, dice, asked)
    if good is None or one_meld_off is None or one_card_off is None:
        return None
    spoilt = Group(one_wrong(one_card_off[place].cards, dice), one_card_off[place].kind)
    one_card_off = (*one_card_off[:place], spoilt, *one_card_off[place + 1 :])
    hands = [good, one_meld_off, one_card_off]
    away = [distance(rules, contract, cards_of(melds)) for melds in hands]
    if not may_be(rules, cards_of(one_card_off)) or away[0] or not away[1] or away[2] != 1:
        return None  # there are no such cards, or they make it after all, in other melds
    return tuple(dice.sample(hands, len(hands)))


def drawn_melds(rules: Rules, dice: random.Random, asked: Sequence[tuple[Kind, int]]) -> Melds | None:
    """Draw melds that one seat may lay together, by kind and cards beyond the fewest; None: the dice found none."""
    for _ in range(MOST_TRIES):
        groups = _some(rules, dice, asked)
        if may_be(rules, cards_of(groups)) and why_not(check_lay, rules, FREE, 0, groups, [], False) is None:
            return groups
    return None


def _some(rules: Rules, dice: random.Random, asked: Sequence[tuple[Kind, int]]) -> Melds:
    melds = [
        draw_meld(rules, dice, kind, jokers=int(dice.random() < WITH_JOKER / 2), more=more) for kind, more in asked
    ]
    return tuple(Group(meld.cards, meld.kind) for meld in melds)


@dataclass(frozen=True, kw_only=True)
class Build(Exercise, kind="build", how=AnswerForm.MELDS):
    """Whole contract put together from a hand (L1, L2, L5, M8)."""

    prefers_out: ClassVar[bool] = True

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        contract = rules.contract(deal)
        asked = asked_melds(rules, contract) or [(Kind.SET, 0), (Kind.RUN, 0), (Kind.RUN, 0)]
        cards = cards_of(_some(rules, dice, asked))
        if not may_be(rules, cards):
            return None
        hand = with_decoys(rules, dice, cards, len(cards) + (0 if contract.whole else OVER))
        if best_lay(rules, contract, hand) is None:
            return None
        return cls(rules=rules, deal=deal, hand=shuffled(dice, hand))

    def solutions(self) -> Sequence[LearnerAnswer]:
        return [LearnerAnswer(groups=self._laid().groups)]

    def _laid(self) -> Laydown:
        found = best_lay(self.rules, self.contract, self.hand, prefer_out=self.prefers_out)
        assert found is not None
        return found

    def left_by(self, groups: Melds) -> tuple[Card, ...]:
        return tuple((Counter(self.hand) - Counter(cards_of(groups))).elements())

    def is_right(self, answer: LearnerAnswer) -> bool:
        return self._why_not(answer.groups) is None

    def _why_not(self, groups: Melds) -> Refusal | None:
        refusal = why_not_laid(self.rules, self.contract, groups)
        return refusal or why_left(self.rules.ruleset, self.contract, self.left_by(groups))

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        good = self.in_groups(self.solutions()[0].groups)
        return Verdict(False, self._why_not(answer.groups), solution=Say("show", {"answer": good}))

    @property
    def clues(self) -> dict[str, object]:
        return {"meld": self.symbols(self.solutions()[0].groups[0].cards)}


@dataclass(frozen=True, kw_only=True)
class Best(Build, kind="best", weight=3, prefers_out=False):
    """Lay-down that leaves the fewest points in the hand (L1, L2, L5, M8)."""

    def is_right(self, answer: LearnerAnswer) -> bool:
        if not super().is_right(answer):
            return False
        left = self.left_by(answer.groups)
        return goes_out(self.rules, left) or self.rules.points(left) <= self._laid().points_left

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        if not super().is_right(answer):
            return super().why_wrong(answer)
        best, left = self._laid(), self.left_by(answer.groups)
        slots = {
            "left": self.symbols(left), "points": self.rules.points(left), "least": best.points_left,
            "good": self.in_groups(best.groups),
        }  # fmt: skip
        return Verdict(False, None, Say("leaves", slots), Say("better", slots))


@dataclass(frozen=True, kw_only=True)
class Away(Options, kind="away", keys="".join(map(str, range(FARTHEST + 1)))):
    """Distance of a hand from its contract."""

    numbers: tuple[int, ...] = tuple(range(FARTHEST + 1))

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        hand = hand_at(rules, deal, dice, dice.randint(1, 4))
        return None if hand is None else cls(rules=rules, deal=deal, hand=hand)

    @property
    def right(self) -> int:
        return distance(self.rules, self.contract, self.hand)

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        away, plan = self.right, nearest_plan(self.rules, self.contract, self.hand)
        if plan is None:
            return Verdict(False, solution=Say("far", {"away": away}))
        lacks = [lack.cards[0] for meld in plan.melds for lack in meld.lacks]
        slots = {"said": answer.option, "away": away, **self.clues, "lacks": self.symbols(lacks)}
        reason = "more" if answer.option is not None and answer.option < away else "fewer"
        return Verdict(False, None, Say(reason, slots), Say("lacks" if away else "none", slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"held": _held(self, self.hand)}


def _held(exercise: Exercise, hand: Sequence[Card]) -> str:
    plan = nearest_plan(exercise.rules, exercise.contract, hand)
    return "" if plan is None else " | ".join(exercise.symbols(meld.held) for meld in plan.melds if meld.held)


@dataclass(frozen=True, kw_only=True)
class Helps(Exercise, kind="helps", how=AnswerForm.CARDS, command="end", weight=2):
    """Cards that bring the hand shown nearer to its contract."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        held = hand_at(rules, deal, dice, dice.randint(1, 3))
        if held is None:
            return None
        _, helps = useful_cards(rules, rules.contract(deal), held)
        left = sorted(set(deck(rules, held)))
        good = [card for card in left if card in helps and card != JOKER]
        poor = [card for card in left if card not in helps]
        count = dice.randint(2, 5)
        if len(good) < count or len(poor) < OFFERED - count:
            return None
        offered = [*dice.sample(good, count), *dice.sample(poor, OFFERED - count)]
        return cls(rules=rules, deal=deal, hand=shuffled(dice, offered), shown=held)

    def solutions(self) -> Sequence[LearnerAnswer]:
        _, helps = useful_cards(self.rules, self.contract, self.shown)
        return [LearnerAnswer(tuple(sorted(card for card in self.hand if card in helps)))]

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        good = self.solutions()[0].cards
        missed, wrong = len({*good} - {*answer.cards}), sorted({*answer.cards} - {*good})
        slots = {
            "wrong": self.symbols(wrong[:1]), "away": distance(self.rules, self.contract, self.shown), **self.clues,
            "missed": f"{missed} more" if missed > 1 else "one more", "answer": self.symbols(good),
        }  # fmt: skip
        return Verdict(False, None, Say("no-nearer" if wrong else "missed", slots), Say("show", slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"held": _held(self, self.shown)}


@dataclass(frozen=True, kw_only=True)
class Cost(Options, kind="cost"):
    """Cost of a hand when somebody else goes out (G2, G3)."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Draw a few cards, and sums of likely slips: aces taken for one another, a joker left out."""
        hand = tuple(sorted(dice.sample(deck(rules), dice.randint(3, 5))))
        right = rules.points(hand)
        wrong = sorted(right + slip for slip in (14, -14, 10, -10, -50, 5, -5) if right + slip > 0)
        numbers = tuple(sorted([right, *dice.sample(wrong, min(3, len(wrong)))]))
        return cls(rules=rules, deal=deal, hand=hand, numbers=numbers)

    @property
    def right(self) -> int:
        return self.numbers.index(self.rules.points(self.hand))

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        values, right = self.rules.values, self.rules.points(self.hand)
        slip = right if answer.option is None else self.numbers[answer.option] - right

        def likely(card: Card) -> tuple[bool, bool, int]:
            return values[card] == abs(slip), card != JOKER and RANK[card] == ACE, values[card]

        card = max(self.hand, key=likely)
        slots = {"card": self.symbols([card]), "value": values[card], **self.clues, "sum": right, "off": abs(slip)}
        return Verdict(False, None, Say("too-much" if slip > 0 else "too-little", slots), Say("sum", slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"parts": " + ".join(str(self.rules.values[card]) for card in self.hand)}


#: Cards shown of which some are a meld, and cards offered to complete one.
SHOWN: Final = 7
COMPLETING: Final = 5
#: How many jokers a meld to be judged holds.
JOKERS: Final = (0, 0, 1, 1, 2)


@dataclass(frozen=True, kw_only=True)
class OneMeld(Exercise):
    wanted: Kind

    @property
    def variant(self) -> str:
        return self.wanted

    def is_made(self, cards: Sequence[Card]) -> bool:
        return is_meld(self.rules, cards, self.wanted)

    def why_not_made(self, cards: Sequence[Card], reason: Say | None, solution: Say) -> Verdict:
        return Verdict(False, why_no_meld(self.rules, cards, self.wanted), reason, solution)


def _short_meld(rules: Rules, deal: int, dice: random.Random) -> Meld:
    return draw_meld(rules, dice, wanted_kind(rules, deal, dice), jokers=int(dice.random() < WITH_JOKER))


@dataclass(frozen=True, kw_only=True)
class Spot(OneMeld, kind="spot", how=AnswerForm.CARDS, command="lay"):
    """Meld of the kind among some cards (M1-M9)."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        wanted = wanted_kind(rules, deal, dice)
        meld = draw_meld(rules, dice, wanted, jokers=int(dice.random() < WITH_JOKER), more=dice.choice((0, 0, 1)))
        hand = with_decoys(rules, dice, meld.cards, SHOWN)
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, hand), wanted=wanted)
        return None if made.is_made(made.hand) else made

    def solutions(self) -> Sequence[LearnerAnswer]:
        sizes = range(len(self.hand), self.rules.ruleset.sets.minimum - 1, -1)
        every = (cards for size in sizes for cards in sorted({*combinations(sorted(self.hand), size)}))
        return [LearnerAnswer(cards) for cards in every if self.is_made(cards)]

    def is_right(self, answer: LearnerAnswer) -> bool:
        return self.is_made(answer.cards)

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        had = Counter(answer.cards)
        changes = [(wanted - had, had - wanted) for wanted in (Counter(one.cards) for one in self.solutions())]
        more, less = min(changes, key=lambda change: change[0].total() + change[1].total())
        slots = {"more": self.symbols(sorted(more.elements())), "less": self.symbols(sorted(less.elements()))}
        case = "change" if more and less else "add" if more else "leave-out"
        return self.why_not_made(answer.cards, None, Say(case, slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"card": self.symbols(min(self.solutions(), key=lambda answer: len(answer.cards)).cards[:1])}


@dataclass(frozen=True, kw_only=True)
class Complete(OneMeld, kind="complete", how=AnswerForm.CARD, command="lay"):
    """Card that completes a meld (M1-M9)."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        meld = _short_meld(rules, deal, dice)
        missing = dice.choice([card for card in meld.cards if card != JOKER])
        part = without(meld.cards, [missing])
        near = [card for card in neighbours(missing) if card in deck(rules, meld.cards)]
        offered = [missing, *dice.sample(near, min(3, len(near)))]
        if rules.jokers > meld.jokers and dice.random() < WITH_JOKER:
            offered.append(JOKER)
        others = {card for card in deck(rules, [*part, *offered]) if card not in offered and card != JOKER}
        offered += dice.sample(sorted(others), max(0, COMPLETING - len(offered)))
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, offered), shown=tuple(part), wanted=meld.kind)
        return made if 0 < len(made.solutions()) < len(offered) else None

    def solutions(self) -> Sequence[LearnerAnswer]:
        return [LearnerAnswer((card,)) for card in sorted(set(self.hand)) if self.is_made((*self.shown, card))]

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        good = [one.cards[0] for one in self.solutions()]
        solution = Say("completes" if len(good) == 1 else "any-completes", {"good": self.symbols(good)})
        return self.why_not_made((*self.shown, *answer.cards), None, solution)

    @property
    def clues(self) -> dict[str, object]:
        return {"card": self.symbols([min(self.shown)])}


@dataclass(frozen=True, kw_only=True)
class Repair(OneMeld, kind="repair", how=AnswerForm.CARD, command="discard", weight=1):
    """Card of an attempted meld that must go (M1-M9)."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        meld = _short_meld(rules, deal, dice)
        held = [card for card in meld.cards if card != JOKER]
        wrong = [card for card in neighbours(dice.choice(held)) if card in deck(rules, meld.cards)]
        if not wrong:
            return None
        hand = shuffled(dice, (*meld.cards, dice.choice(wrong)))
        made = cls(rules=rules, deal=deal, hand=hand, wanted=meld.kind)
        return None if made.is_made(hand) or len(made.solutions()) > 2 else made

    def solutions(self) -> Sequence[LearnerAnswer]:
        return [LearnerAnswer((card,)) for card in sorted(set(self.hand)) if self.is_made(without(self.hand, [card]))]

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        good = [one.cards[0] for one in self.solutions()]
        slots = {"gone": self.symbols(answer.cards), "good": self.symbols(good)}
        return self.why_not_made(without(self.hand, answer.cards), Say("stays-wrong", slots), Say("mend", slots))

    @property
    def clues(self) -> dict[str, object]:
        good = {answer.cards[0] for answer in self.solutions()}
        return {"other": self.symbols([card for card in self.hand if card not in good][:2])}


@dataclass(frozen=True, kw_only=True)
class Valid(YesOrNo, kind="valid"):
    """Cards, as they lie, that are a meld of the kind or not (M1-M7, M9)."""

    wanted: Kind

    @property
    def variant(self) -> str:
        return self.wanted

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Draw a meld, or one spoilt as learners spoil it, equally often."""
        wanted, jokers, more = wanted_kind(rules, deal, dice), dice.choice(JOKERS), dice.choice((0, 0, 1))
        cards = draw_meld(rules, dice, wanted, jokers=_most_jokers(rules, wanted, jokers, more), more=more).cards
        good = dice.random() < 0.5
        if not good:
            cards = dice.choice(_SPOILT if wanted is Kind.RUN else _SPOILT[:-1])(cards, dice)
        refusal = why_as_it_lies(rules.ruleset, cards, wanted)
        if (refusal is None) != good or not may_be(rules, cards):
            return None
        return cls(rules=rules, deal=deal, shown=cards, wanted=wanted, refusal=refusal)

    @property
    def doubt(self) -> Say:
        """Name the rule that would refuse these cards if it were a little stricter, or if they lay otherwise."""
        ruleset, cards = self.rules.ruleset, self.shown
        naturals = [card for card in cards if card != JOKER]
        slots = {
            "size": len(cards), "naturals": self.symbols(naturals),
            "natural": counted(len(naturals), "natural card"), "count": counted(len(cards) - len(naturals), "joker"),
            "least": self.clues["least"], "needed": self.clues["naturals"],
        }  # fmt: skip
        doubts = self._set_doubts() if self.wanted is Kind.SET else self._run_doubts()
        for case, more, stricter in doubts:
            refusal = None if stricter is None else why_as_it_lies(stricter, cards, self.wanted)
            if stricter is None or refusal is not None:
                return Say(f"doubt-{case}", {**slots, **more, "clause": "" if refusal is None else refusal.clause})
        raise AssertionError(f"nothing to doubt about {cards} in {ruleset.id}")

    def _set_doubts(self) -> Iterator[_Doubt]:
        """Yield possible doubts, the likeliest first: case, slots, and a stricter ruleset that must refuse the set."""
        ruleset, cards = self.rules.ruleset, self.shown
        jokers = cards.count(JOKER)
        sets, naturals = ruleset.sets, len(cards) - jokers
        if jokers > 1 and not ruleset.runs.kisses:
            yield "kiss-in-set", {}, None
        if jokers:
            yield "naturals", {}, replace(ruleset, sets=replace(sets, naturals=naturals + 1))
        twice = [card for card in cards if card != JOKER and cards.count(card) > 1]
        yield "same-suit", {"twice": self.symbols(twice[:1])}, replace(ruleset, sets=replace(sets, suits="distinct"))
        yield "long", {}, replace(ruleset, sets=replace(sets, maximum=sets.minimum))
        yield "short", {}, replace(ruleset, sets=replace(sets, minimum=len(cards) + 1))

    def _run_doubts(self) -> Iterator[_Doubt]:
        ruleset, cards = self.rules.ruleset, self.shown
        runs, jokers = ruleset.runs, cards.count(JOKER)
        meld = make_meld(ruleset, 0, Group(cards, Kind.RUN))
        yield "kiss-allowed", {}, replace(ruleset, runs=replace(runs, kisses=False))
        if jokers > 1 and not runs.kisses:
            last = len(cards) - 1 - cards[::-1].index(JOKER)
            apart = [card for card in cards[cards.index(JOKER) : last] if card != JOKER]
            yield "no-kiss", {"between": self.symbols(apart)}, None
        yield "corner", {}, replace(ruleset, runs=replace(runs, corner=False))
        for place in () if runs.corner else (0, len(cards) - 1):
            if cards[place] != JOKER and RANK[cards[place]] == ACE:
                ace = {"ace": self.symbols([cards[place]]), "beside": self.symbols([cards[1 if place == 0 else -2]])}
                yield "low-ace" if place == 0 else "high-ace", ace, None
        if jokers:
            place = cards.index(JOKER)
            card = stands_for(meld, place)
            assert card is not None
            if runs.jokers_when_shortest is not None and len(cards) == runs.minimum:
                fewer = replace(runs, jokers_when_shortest=jokers - 1)
                yield "shortest", {"card": self.symbols([card])}, replace(ruleset, runs=fewer)
            yield "stands-for", {"card": self.symbols([card])}, None
        yield "long", {}, replace(ruleset, runs=replace(runs, longest=runs.minimum))
        yield "short", {}, replace(ruleset, runs=replace(runs, minimum=len(cards) + 1))

    @property
    def clues(self) -> dict[str, object]:
        sets, runs = self.rules.ruleset.sets, self.rules.ruleset.runs
        own = sets if self.wanted is Kind.SET else runs
        return {"least": own.minimum, "naturals": own.naturals}


def _most_jokers(rules: Rules, wanted: Kind, jokers: int, more: int) -> int:
    sets, runs = rules.ruleset.sets, rules.ruleset.runs
    if wanted is Kind.SET:
        most = min(sets.minimum + more, sets.maximum or rules.packs * SUITS) - sets.naturals
    else:
        most = runs.minimum + more - runs.naturals
        if more == 0 and runs.jokers_when_shortest is not None:
            most = min(most, runs.jokers_when_shortest)
        if not runs.kisses:
            most = min(most, (runs.minimum + more + 1) // 2)
    size = (sets if wanted is Kind.SET else runs).minimum + more
    return max(0, min(jokers, most, size - rules.ruleset.lay.fewest_naturals(size), rules.jokers))


_Cards = tuple[Card, ...]


def _jokers_in(cards: _Cards, dice: random.Random) -> _Cards:
    if len({card % RANKS for card in cards if card != JOKER}) == 1:
        natural = next(card for card in cards if card != JOKER)
        return (natural, *(JOKER,) * (len(cards) - 1))
    place = dice.randrange(len(cards) - 1)
    return (*cards[:place], JOKER, JOKER, *cards[place + 2 :])


def _round_the_corner(cards: _Cards, dice: random.Random) -> _Cards:
    suit = next(card // RANKS for card in cards if card != JOKER)
    return tuple(make_card(suit, rank) for rank in (RANKS, ACE, 2, 3, 4)[: max(4, len(cards))])


_SPOILT: Final[tuple[Callable[[_Cards, random.Random], _Cards], ...]] = (
    one_wrong, lambda cards, _: cards[:-1], _jokers_in, _jokers_in, _round_the_corner,
)  # fmt: skip
_Doubt = tuple[str, Mapping[str, object], Ruleset | None]
