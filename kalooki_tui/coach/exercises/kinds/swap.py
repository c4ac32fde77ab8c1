"""Say what becomes of a joker."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.exercises.drawing import deck, draw_meld
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import Meld, stands_for
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.wording import AI_NAMES

OUTCOMES: Final = ("high", "low", "freed", "refused")


@dataclass(frozen=True, kw_only=True)
class SwapTo(Exercise):
    """Say what becomes of the joker when the real card is put in its place (K7-K9)."""

    kind: ClassVar[str] = "swap"
    how: ClassVar[How] = How.OPTION

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether a swapped joker has a place of its own."""
        return rules.ruleset.swap != "use-at-once"

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
        made = cls(rules=rules, deal=deal, hand=(card,), table=(replace(meld, owner=dice.randrange(2)),))
        return made if made.outcome is not None else None

    @property
    def variant(self) -> str:
        """Whose the meld is."""
        return "own" if self.table[0].owner == 0 else "other"

    @property
    def ask(self) -> Say:
        """The question, with the card, and whose the meld is."""
        return Say("ask", {"card": self.symbols(self.hand)})

    @property
    def options(self) -> tuple[Say, ...]:
        """Where the joker may go."""
        return tuple(Say(outcome) for outcome in OUTCOMES)

    @cached_property
    def _done(self) -> Meld | Refusal | None:
        """The meld after the swap, or why there is none; None where the joker comes into the hand."""
        try:
            result = swap(self.rules, 0, self.table[0], self.hand[0], None)
        except Refused as refused:
            return refused.refusal
        return None if result.freed else result.meld

    @property
    def outcome(self) -> int | None:
        """What becomes of it; None where it depends on what the swapper says."""
        match self._done:
            case Refusal(code="swap.which-end"):
                return None
            case Refusal():
                return OUTCOMES.index("refused")
            case Meld(cards=cards):
                return OUTCOMES.index("high" if cards[-1] == JOKER else "low")
        return OUTCOMES.index("freed")

    def judge(self, answer: Answer) -> Verdict:
        """What the engine does is right."""
        outcome = self.outcome
        assert outcome is not None
        if answer.option == outcome:
            return RIGHT
        if isinstance(self._done, Refusal):
            return Verdict(False, self._done)
        said, right = OUTCOMES[answer.option or 0], OUTCOMES[outcome]
        meld = self.table[0]
        slots = {
            "card": self.symbols(self.hand), "meld": self.symbols(meld.cards), "owner": AI_NAMES[0],
            "after": "" if self._done is None else self.symbols(self._done.cards),
        }  # fmt: skip
        return Verdict(False, None, Say(self._reason(said, right), slots), Say(f"done-{right}", slots))

    def _reason(self, said: str, right: str) -> str:
        """Which sentence tells why it is not as was said."""
        if right == "freed":
            return "own-run"
        policy = self.rules.ruleset.swap
        if said == "freed":
            return "not-yours" if policy == "free-own" else "stays-in-run"
        if said == "refused":
            return f"room-{right}"
        if policy == "free-own":
            return f"only-{right}"
        return "up-only" if policy == "up-only" else f"first-{right}"

    def solutions(self) -> Sequence[Answer]:
        """The one outcome."""
        return [Answer(option=self.outcome)]

    @property
    def clues(self) -> dict[str, object]:
        """The meld."""
        return {"meld": self.symbols(self.table[0].cards)}
