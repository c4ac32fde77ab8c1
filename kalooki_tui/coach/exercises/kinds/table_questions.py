"""A seat that has laid: what can go, and what stays? Cards that fit, a chain of tacks, going out, a joker swapped."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Self

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.definition import AnswerForm, Exercise, LearnerAnswer, Options, Say, Verdict
from kalooki_tui.coach.exercises.dice import (
    cards_of,
    deck,
    draw_meld,
    draw_table,
    fitting,
    is_swapped,
    near_to,
    neighbours,
    shuffled,
    why_not_tacked,
)
from kalooki_tui.engine.actions import End, Kind, Swap
from kalooki_tui.engine.melds import Meld, make_meld, stands_for
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import has_grown, tack
from kalooki_tui.solver import Laydown, best_lay
from kalooki_tui.solver.lay import goes_out

#: Cards shown of which some fit, and cards in the hand for a chain.
HAND: Final = 6
HELD: Final = (4, 5)
#: Points between a right answer and the next.
MARGIN: Final = 5
OUTCOMES: Final = ("high", "low", "freed", "refused")


@dataclass(frozen=True, kw_only=True)
class Fit(Exercise, kind="tack", how=AnswerForm.CARDS, command="tack"):
    """Cards that can be tacked by themselves onto a meld on the table (K1-K5, M4)."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        table = draw_table(rules, dice)
        if table is None:
            return None
        left = deck(rules, cards_of(table))
        near = [card for card in near_to(table) if card in left]
        hand = dice.sample(near, HAND - 1)
        hand.append(JOKER if JOKER in left and dice.random() < 0.3 else dice.choice(left))
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, set(hand)), table=table)
        return made if 0 < len(made.solutions()[0].cards) < len(made.hand) - 1 else None

    def solutions(self) -> Sequence[LearnerAnswer]:
        return [LearnerAnswer(tuple(sorted(fitting(self.rules, self.table, self.hand))))]

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        good = self.solutions()[0].cards
        missed, wrong = {*good} - {*answer.cards}, sorted({*answer.cards} - {*good})
        solution = Say("these-fit", {"moves": [self._placed(card) for card in good]})
        if wrong:
            return Verdict(False, self._why(wrong[0]), Say("wrong", {"wrong": self.symbols(wrong)}), solution)
        return Verdict(False, None, Say("missed", {"count": len(missed), "said": self.symbols(answer.cards)}), solution)

    def _placed(self, card: Card) -> Say:
        meld = next(place for place, meld in enumerate(self.table) if why_not_tacked(self.rules, meld, card) is None)
        return Say("move-tack", {"cards": self.symbols([card]), "meld": f"m{meld + 1}"})

    def _why(self, card: Card) -> Refusal | None:
        """Return the refusal of the meld that the card seems nearest to."""
        refusals = [why_not_tacked(self.rules, meld, card) for meld in self.table]
        close = [one for one in refusals if one is not None and one.code not in ("tack.rank", "tack.suit")]
        return close[0] if close else refusals[0]

    @property
    def clues(self) -> dict[str, object]:
        return {"card": self.symbols(self.solutions()[0].cards[:1])}


@dataclass(frozen=True, kw_only=True)
class Going(Exercise):
    prefers_out: ClassVar[bool] = True

    def plan(self, hand: tuple[Card, ...]) -> Laydown:
        own = [meld for meld in self.table if meld.owner == 0]
        found = best_lay(
            self.rules, self.contract, hand, own_melds=own, table=self.table, laid=True, seat=0,
            prefer_out=self.prefers_out,
        )  # fmt: skip
        return found or Laydown((), hand, self.rules.points(hand))

    def moves(self, plan: Laydown) -> tuple[Say, ...]:
        """Tell the steps of a plan in order."""
        table, told = list(self.table), list[Say]()
        for action in plan.tacks:
            if isinstance(action, Swap):
                told.append(self._swapped(table, action))
            else:
                table[action.meld] = tack(self.rules, 0, table[action.meld], action.cards, action.end)
                slots = {"cards": self.symbols(action.cards), "meld": f"m{action.meld + 1}"}
                told.append(Say("move-tack", slots))
        return (*told, *(Say("move-lay", {"cards": self.symbols(group.cards)}) for group in plan.groups))

    def _swapped(self, table: list[Meld], action: Swap) -> Say:
        """Swap a card for a joker, and tell where the joker goes: an end, the hand, another meld or a new one."""
        rules, before = self.rules, table[action.meld]
        done = swap(rules, 0, before, action.card, action.end)
        table[action.meld] = done.meld
        slots = {"card": self.symbols([action.card]), "meld": f"m{action.meld + 1}"}
        if action.use is not None:
            table[action.use] = tack(rules, 0, table[action.use], (JOKER,), action.use_end)
            return Say("move-swap-onto", {**slots, "other": f"m{action.use + 1}"})
        if action.lay:
            table += [make_meld(rules.ruleset, 0, group) for group in action.lay]
            return Say("move-swap-into", {**slots, "cards": self.in_groups(action.lay)})
        if done.freed is not None:
            return Say("move-swap-freed", slots)
        return Say("move-swap-high" if has_grown(before, done.meld, End.HIGH) else "move-swap-low", slots)

    def order(self, plan: Laydown) -> Say:
        moves = self.moves(plan)
        return Say("order" if moves else "order-none", {"moves": moves, "left": self.symbols(plan.left)})


@dataclass(frozen=True, kw_only=True)
class Out(Going, Options, kind="out", keys="yn", choices=("yes", "no"), weight=2):
    """Going out in this turn, by a seat that has laid (G1)."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        table = draw_table(rules, dice)
        if table is None:
            return None
        left = deck(rules, cards_of(table))
        fit = fitting(rules, table, sorted(set(left)))
        if len(fit) < 2:
            return None
        hand = [*dice.sample(fit, 2), *dice.sample([card for card in left if card != JOKER], 2)]
        made = cls(rules=rules, deal=deal, hand=tuple(sorted(hand[: dice.choice((3, 4))])), table=table)
        return made if (made.right == 0) == (dice.random() < 0.5) else None

    @property
    def right(self) -> int:
        return 0 if goes_out(self.rules, self.plan(self.hand).left) else 1

    @property
    def _fitting(self) -> list[Card]:
        return fitting(self.rules, self.table, self.hand)

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        plan = self.plan(self.hand)
        if not goes_out(self.rules, plan.left):
            case = "joker-stays" if plan.left == (JOKER,) else "stay"
            return Verdict(False, None, Say(case, {"left": self.symbols(plan.left)}), self.order(plan))
        thrown = tuple(Say("move-throw", {"card": self.symbols([card])}) for card in plan.left)
        return Verdict(False, None, self._doubt(plan), Say("order-out", {"moves": self.moves(plan) + thrown}))

    def _doubt(self, plan: Laydown) -> Say:
        """Tell which card seems to have no place, and where it goes all the same."""
        fit = self._fitting
        later = next((card for card in self.hand if card not in fit and card not in plan.left), None)
        if later is None:
            slots = {"last": self.symbols(plan.left), "fitting": self.symbols(fit)}
            return Say("last-thrown" if plan.left else "all-fit", slots)
        slots = {"later": self.symbols([later])}
        for group in plan.groups:
            if later in group.cards:
                return Say("new-meld", {**slots, "cards": self.symbols(group.cards)})
        for place, meld in enumerate(self.table):
            if is_swapped(self.rules, meld, later):
                return Say("takes-place", {**slots, "meld": f"m{place + 1}"})
        return Say("fits-later", slots)

    @property
    def help(self) -> tuple[Say, ...]:
        fit = self._fitting
        return Say("nudge"), Say("point" if fit else "point-none", {"card": self.symbols(fit[:1])})


@dataclass(frozen=True, kw_only=True)
class TackChain(Going, kind="chain", how=AnswerForm.CARDS, command="end", weight=3, prefers_out=False):
    """Cards that stay when a seat that has laid gets rid of all it can (K1-K10, L8)."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Require that the last card may be kept: where it must be thrown, what stays depends on the throw."""
        return rules.ruleset.discard.last_card == "any"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Draw a table with a joker, the card for its place, cards that fit one after another, one that stays."""
        table = draw_table(rules, dice, jokers=0.8)
        if table is None:
            return None
        left = deck(rules, cards_of(table))
        real = [stands_for(meld, place) for meld in table for place, card in enumerate(meld.cards) if card == JOKER]
        hand = [card for card in real if card is not None and card in left][:1]
        near = near_to(table)
        while len(hand) < dice.choice(HELD):
            close = [card for own in hand if own != JOKER for card in neighbours(own)]
            card = dice.choice([*near, *close, *close])
            if left.count(card) > hand.count(card):
                hand.append(card)
        made = cls(rules=rules, deal=deal, hand=tuple(sorted(hand)), table=table)
        stays = made.plan(made.hand).left
        if not stays or len(stays) > len(hand) - 2 or Counter(stays) - Counter(hand):
            return None
        # Leaving any other card alone instead has to cost enough more.
        return made if all(rules.values[card] >= MARGIN or card == JOKER for card in stays) else None

    def solutions(self) -> Sequence[LearnerAnswer]:
        return [LearnerAnswer(tuple(sorted(self.plan(self.hand).left)))]

    def is_right(self, answer: LearnerAnswer) -> bool:
        """Accept cards that cost no more than they must, and beside which all others can go."""
        return self.rules.points(answer.cards) <= self.plan(self.hand).points_left and not self._stuck(answer)

    def _stuck(self, answer: LearnerAnswer) -> tuple[Card, ...]:
        return self.plan(tuple((Counter(self.hand) - Counter(answer.cards)).elements())).left

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        plan, points = self.plan(self.hand), self.rules.points(answer.cards)
        if points <= plan.points_left:
            return Verdict(False, None, Say("less", {"stuck": self.symbols(self._stuck(answer))}), self.order(plan))
        kept = sorted((Counter(answer.cards) - Counter(plan.left)).elements())
        slots = {"points": points, "least": plan.points_left, "kept": self.symbols(kept)}
        return Verdict(False, None, Say("more", slots), self.order(plan))


@dataclass(frozen=True, kw_only=True)
class SwapTo(Options, kind="swap", choices=OUTCOMES):
    """Fate of a joker when the real card is put in its place (K7-K9)."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        return not rules.ruleset.uses_freed_jokers and rules.ruleset.has_swaps

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        if not cls.is_possible(rules, deal):
            return None
        kind = Kind.SET if dice.random() < 0.15 else Kind.RUN
        meld = draw_meld(rules, dice, kind, jokers=1, more=dice.choice((0, 1, 2)))
        left, card = deck(rules, meld.cards), stands_for(meld, meld.cards.index(JOKER))
        if card is None:
            card = next((own for own in left if own != JOKER and own % 13 == meld.rank - 1), None)
        if card is None or card not in left:
            return None
        made = cls(rules=rules, deal=deal, hand=(card,), table=(replace(meld, owner=dice.randrange(2)),))
        # Not where it depends on what the swapper says.
        return None if isinstance(made._done, Refusal) and made._done.code == "swap.which-end" else made

    @property
    def variant(self) -> str:
        return "own" if self.table[0].owner == 0 else "other"

    @cached_property
    def _done(self) -> Meld | Refusal | None:
        """Meld after the swap, or the refusal; None: the joker comes into the hand."""
        try:
            result = swap(self.rules, 0, self.table[0], self.hand[0], None)
        except Refused as refused:
            return refused.refusal
        return result.meld if result.freed is None else None

    @property
    def right(self) -> int:
        match self._done:
            case Refusal():
                return OUTCOMES.index("refused")
            case Meld(cards=cards):
                return OUTCOMES.index("high" if cards[-1] == JOKER else "low")
        return OUTCOMES.index("freed")

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        if isinstance(self._done, Refusal):
            return Verdict(False, self._done)
        said, right = OUTCOMES[answer.option or 0], OUTCOMES[self.right]
        slots = {
            "card": self.symbols(self.hand), **self.clues,
            "after": "" if self._done is None else self.symbols(self._done.cards),
        }  # fmt: skip
        return Verdict(False, None, Say(self._reason(said, right), slots), Say(f"done-{right}", slots))

    def _reason(self, said: str, right: str) -> str:
        policy = self.rules.ruleset.swap
        if right == "freed":
            return "any-run" if policy == "free-runs" else "own-run"
        if said == "freed":
            return "not-yours" if policy == "free-own" else "stays-in-run"
        if said == "refused":
            return f"room-{right}"
        if policy in ("free-own", "either-end"):
            return f"only-{right}"
        return "up-only" if policy == "up-only" else f"first-{right}"

    @property
    def clues(self) -> dict[str, object]:
        return {"meld": self.symbols(self.table[0].cards)}
