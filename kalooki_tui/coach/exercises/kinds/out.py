"""Say whether a hand can go out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, draw_table, fitting, is_swapped
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.coach.exercises.moves import in_order, moves_of
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import Laydown, best_lay
from kalooki_tui.solver.lay import goes_out


@dataclass(frozen=True, kw_only=True)
class Out(Exercise):
    """Say whether a seat that has laid can go out in this turn (G1)."""

    kind: ClassVar[str] = "out"
    how: ClassVar[How] = How.OPTION
    keys: ClassVar[str] = "yn"
    weight: ClassVar[int] = 2

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A table and a short hand that nearly fits it."""
        table = draw_table(rules, dice)
        if table is None:
            return None
        left = deck(rules, [card for meld in table for card in meld.cards])
        fit = fitting(rules, table, sorted(set(left)))
        if len(fit) < 2:
            return None
        hand = [*dice.sample(fit, 2), *dice.sample([card for card in left if card != JOKER], 2)]
        made = cls(rules=rules, deal=deal, hand=tuple(sorted(hand[: dice.choice((3, 4))])), table=table)
        return made if made.goes_out == (dice.random() < 0.5) else None

    @property
    def options(self) -> tuple[Say, ...]:
        """Yes and no."""
        return (Say("yes"), Say("no"))

    @property
    def fitting(self) -> tuple[Card, ...]:
        """The cards that can be tacked by themselves as the table lies."""
        return tuple(fitting(self.rules, self.table, self.hand))

    @property
    def goes_out(self) -> bool:
        """Whether everything can go, a discard included."""
        return goes_out(self.rules, self._left(self._plan()))

    def _plan(self) -> Laydown | None:
        own = [meld for meld in self.table if meld.owner == 0]
        return best_lay(self.rules, self.contract, self.hand, own_melds=own, table=self.table, laid=True, seat=0)

    def _left(self, plan: Laydown | None) -> tuple[Card, ...]:
        return self.hand if plan is None else plan.left

    def judge(self, answer: Answer) -> Verdict:
        """What the solver finds is right."""
        plan = self._plan()
        left = self._left(plan)
        is_out = goes_out(self.rules, left)
        if answer.option == (0 if is_out else 1):
            return RIGHT
        if not is_out:
            case = "joker-stays" if left == (JOKER,) else "stay"
            return Verdict(False, None, Say(case, {"left": self.symbols(left)}), in_order("order", self, plan, left))
        assert plan is not None
        moves = moves_of(self, plan) + tuple(Say("move-throw", {"card": self.symbols([card])}) for card in left)
        return Verdict(False, None, self._doubt(plan), Say("order-out", {"moves": moves}))

    def _doubt(self, plan: Laydown) -> Say:
        """Which card seems to have no place, and where it goes all the same."""
        later = next((card for card in self.hand if card not in self.fitting and card not in plan.left), None)
        if later is None:
            slots = {"last": self.symbols(plan.left), "fitting": self.symbols(self.fitting)}
            return Say("last-thrown" if plan.left else "all-fit", slots)
        slots = {"later": self.symbols([later])}
        for group in plan.groups:
            if later in group.cards:
                return Say("new-meld", {**slots, "cards": self.symbols(group.cards)})
        for place, meld in enumerate(self.table):
            if is_swapped(self.rules, meld, later):
                return Say("takes-place", {**slots, "meld": f"m{place + 1}"})
        return Say("fits-later", slots)

    def solutions(self) -> Sequence[Answer]:
        """Yes or no."""
        return [Answer(option=0 if self.goes_out else 1)]

    @property
    def clues(self) -> dict[str, object]:
        """One card that fits as the table lies, if there is one."""
        return {"card": self.symbols(self.fitting[:1])}

    @property
    def help(self) -> tuple[Say, ...]:
        """Second, whether any card fits at all."""
        return Say("nudge"), Say("point" if self.fitting else "point-none", self.clues)
