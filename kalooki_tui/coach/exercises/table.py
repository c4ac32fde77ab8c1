"""Exercises at a table: which cards fit where, where a joker goes, whether a hand can go out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, draw_meld, neighbours, shuffled
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict, symbols
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import Meld, check_repeats, stands_for
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from kalooki_tui.solver import best_lay
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.values import dataclass

#: Cards shown where those that fit are to be marked.
HAND: Final = 6
MELDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Fit(Exercise):
    """Mark every card that can be tacked by itself onto a meld on the table (K1-K5, M4)."""

    kind: ClassVar[str] = "tack"
    how: ClassVar[How] = How.CARDS

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Three melds, and cards of which one to four fit."""
        table = draw_table(rules, dice)
        if table is None:
            return None
        left = deck(rules, [card for meld in table for card in meld.cards])
        near = sorted({card for meld in table for own in meld.cards if own != JOKER for card in neighbours(own)})
        near = [card for card in near if card in left]
        if len(near) < HAND:
            return None
        hand = dice.sample(near, HAND - 1)
        hand.append(JOKER if JOKER in left and dice.random() < 0.3 else dice.choice(left))
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, set(hand)), table=table)
        return made if 0 < len(made.solutions()[0].cards) < len(made.hand) - 1 else None

    def judge(self, answer: Answer) -> Verdict:
        """Exactly the cards that fit are right."""
        good = set(self.solutions()[0].cards)
        missed, wrong = sorted(good - set(answer.cards)), sorted(set(answer.cards) - good)
        if not missed and not wrong:
            return RIGHT
        if wrong:
            return Verdict(False, self._why(wrong[0]), Say("mend-tack-wrong", {"wrong": symbols(self.rules, wrong)}))
        meld = next(number for number, meld in enumerate(self.table) if _fits(self.rules, meld, missed[0]) is None)
        slots = {"missed": symbols(self.rules, missed[:1]), "meld": f"m{meld + 1}"}
        return Verdict(False, None, Say("mend-tack-missed", slots))

    def _why(self, card: Card) -> Refusal | None:
        """What the rules say of the meld that the card seems nearest to."""
        refusals = [_fits(self.rules, meld, card) for meld in self.table]
        close = [one for one in refusals if one is not None and one.code not in ("tack.rank", "tack.suit")]
        return close[0] if close else refusals[0]

    def solutions(self) -> Sequence[Answer]:
        """The cards that fit."""
        fitting = [card for card in self.hand if any(_fits(self.rules, meld, card) is None for meld in self.table)]
        return [Answer(tuple(sorted(fitting)))]


@dataclass(frozen=True, kw_only=True)
class SwapTo(Exercise):
    """Say what becomes of the joker when the real card is put in its place (K7-K9)."""

    kind: ClassVar[str] = "swap"
    how: ClassVar[How] = How.OPTION
    _OUTCOMES: ClassVar[tuple[str, ...]] = ("swap-high", "swap-low", "swap-freed", "swap-refused")

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A run or a set with a joker, and the card for its place."""
        if rules.ruleset.swap == "use-at-once":
            return None
        kind = Kind.SET if dice.random() < 0.15 else Kind.RUN
        meld = draw_meld(rules, dice, kind, jokers=1, more=dice.choice((0, 1, 2)))
        place = meld.cards.index(JOKER)
        card = stands_for(meld, place)
        if card is None:
            card = next((own for own in deck(rules, meld.cards) if own != JOKER and own % 13 == meld.rank - 1), None)
        if card is None or card not in deck(rules, meld.cards):
            return None
        made = cls(rules=rules, deal=deal, hand=(card,), table=(Meld(dice.randrange(2), *_parts(meld)),))
        return made if made.outcome is not None else None

    @property
    def ask(self) -> Say:
        """The question, with the card, and whose the meld is."""
        whose = "own" if self.table[0].owner == 0 else "other"
        return Say(f"{self.kind}-{whose}", {"card": symbols(self.rules, self.hand)})

    @property
    def options(self) -> tuple[Say, ...]:
        """Where the joker may go."""
        return tuple(Say(outcome) for outcome in self._OUTCOMES)

    @property
    def outcome(self) -> int | None:
        """What becomes of it; None where it depends on what the swapper says."""
        try:
            result = swap(self.rules, 0, self.table[0], self.hand[0], None)
        except Refused as refused:
            return None if refused.refusal.code == "swap.which-end" else self._OUTCOMES.index("swap-refused")
        if result.freed:
            return self._OUTCOMES.index("swap-freed")
        return self._OUTCOMES.index("swap-high" if result.meld.cards[-1] == JOKER else "swap-low")

    @property
    def refusal(self) -> Refusal | None:
        """Why it is refused, where it is."""
        try:
            swap(self.rules, 0, self.table[0], self.hand[0], None)
        except Refused as refused:
            return refused.refusal
        return None

    def judge(self, answer: Answer) -> Verdict:
        """What the engine does is right."""
        outcome = self.outcome
        assert outcome is not None
        if answer.option == outcome:
            return RIGHT
        return Verdict(False, self.refusal, Say(f"mend-{self._OUTCOMES[outcome]}"))

    def solutions(self) -> Sequence[Answer]:
        """The one outcome."""
        return [Answer(option=self.outcome)]


@dataclass(frozen=True, kw_only=True)
class Out(Exercise):
    """Say whether a seat that has laid can go out in this turn (G1)."""

    kind: ClassVar[str] = "out"
    how: ClassVar[How] = How.OPTION

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A table and a short hand that nearly fits it."""
        table = draw_table(rules, dice)
        if table is None:
            return None
        left = deck(rules, [card for meld in table for card in meld.cards])
        fitting = [card for card in set(left) if any(_fits(rules, meld, card) is None for meld in table)]
        if len(fitting) < 2:
            return None
        hand = [*dice.sample(sorted(fitting), 2), *dice.sample([card for card in left if card != JOKER], 2)]
        made = cls(rules=rules, deal=deal, hand=tuple(sorted(hand[: dice.choice((3, 4))])), table=table)
        return made if made.goes_out == (dice.random() < 0.5) else None

    @property
    def options(self) -> tuple[Say, ...]:
        """Yes and no."""
        return (Say("yes"), Say("no"))

    @property
    def fitting(self) -> tuple[Card, ...]:
        """The cards that can be tacked by themselves as the table lies."""
        return tuple(card for card in self.hand if any(_fits(self.rules, meld, card) is None for meld in self.table))

    @property
    def goes_out(self) -> bool:
        """Whether everything can go, a discard included."""
        return self._left() is None

    def _left(self) -> tuple[Card, ...] | None:
        """The cards that stay at best; None where the hand goes out."""
        own = [meld for meld in self.table if meld.owner == 0]
        found = best_lay(self.rules, self.contract, self.hand, own_melds=own, table=self.table, laid=True, seat=0)
        left = self.hand if found is None else found.left
        return None if goes_out(self.rules, left) else left

    def judge(self, answer: Answer) -> Verdict:
        """What the solver finds is right."""
        left = self._left()
        if answer.option == (0 if left is None else 1):
            return RIGHT
        if left is None:
            return Verdict(False, None, Say("mend-out-yes"))
        return Verdict(False, None, Say("mend-out-no", {"left": symbols(self.rules, left)}))

    def solutions(self) -> Sequence[Answer]:
        """Yes or no."""
        return [Answer(option=0 if self.goes_out else 1)]


def _parts(meld: Meld) -> tuple[Kind, tuple[Card, ...], int, int, int]:
    return meld.kind, meld.cards, meld.rank, meld.suit, meld.low


def draw_table(rules: Rules, dice: random.Random, jokers: float = 0.3) -> tuple[Meld, ...] | None:
    """Melds of two seats that may lie on a table together: the learner's own is the first.

    `jokers`: how often each holds one.
    """
    melds: list[Meld] = []
    for number in range(MELDS):
        kind = dice.choice((Kind.SET, Kind.RUN))
        drawn = draw_meld(rules, dice, kind, jokers=int(dice.random() < jokers), more=dice.choice((0, 0, 1)))
        melds.append(Meld(0 if number == 0 else 1, *_parts(drawn)))
    cards = [card for meld in melds for card in meld.cards]
    try:
        deck(rules, cards)
        check_repeats(rules.ruleset, [meld for meld in melds if meld.owner == 1])
    except (Refused, ValueError):
        return None
    return tuple(melds)


def _fits(rules: Rules, meld: Meld, card: Card) -> Refusal | None:
    """Why the learner, who has laid, cannot tack the card onto the meld; None: it fits."""
    refusals = []
    for end in (None, End.HIGH, End.LOW) if meld.kind is Kind.RUN else (None,):
        try:
            tack(rules, 0, meld, (card,), end)
        except Refused as refused:
            refusals.append(refused.refusal)
        else:
            return None
    return refusals[0]
