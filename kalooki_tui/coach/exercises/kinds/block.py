"""Say which lay-down leaves the way open for a meld to come."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from kalooki_tui.cards import SUITS
from kalooki_tui.coach.exercises.drawing import deck, draw_meld
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, check_lay
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Block(Exercise):
    """Say which lay-down leaves the way open for a meld to come (M8)."""

    kind: ClassVar[str] = "block"
    how: ClassVar[How] = How.OPTION
    weight: ClassVar[int] = 1
    choices: tuple[tuple[Group, ...], ...]
    """The lay-downs offered."""
    later: Group

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether a further meld can come, and can be barred; with a run in every suit no further one can come."""
        lay, contract = rules.ruleset.lay, rules.contract(deal)
        has_room = bool(contract.sets) or 0 < contract.runs < SUITS
        return lay.repeats != "free" and lay.further_melds and has_room

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Two lay-downs of the contract and a further meld, which one of them bars."""
        contract = rules.contract(deal)
        kinds = [Kind.SET] * contract.sets + [Kind.RUN] * contract.runs
        if not kinds or rules.ruleset.lay.repeats == "free" or not rules.ruleset.lay.further_melds:
            return None
        later = draw_meld(rules, dice, dice.choice(kinds))
        same = [draw_meld(rules, dice, kind) for kind in kinds]
        place = dice.choice([place for place, meld in enumerate(same) if meld.kind is later.kind])
        other = draw_meld(rules, dice, later.kind)
        lays = [
            tuple(Group(m.cards, m.kind) for m in (*same[:place], one, *same[place + 1 :]))
            for one in (same[place], other)
        ]
        dice.shuffle(lays)
        cards = Counter([*later.cards, *(card for meld in same for card in meld.cards), *other.cards])
        whole = Counter(deck(rules))
        if any(count > whole[card] for card, count in cards.items()):
            return None
        made = cls(
            rules=rules, deal=deal, hand=tuple(sorted(cards.elements())), choices=tuple(lays),
            later=Group(later.cards, later.kind),
        )  # fmt: skip
        if any(made.why_not(lay, first=True) for lay in lays):
            return None
        return made if len({made.refusal(index) is None for index in range(len(lays))}) == len(lays) else None

    def why_not(self, groups: Sequence[Group], *, first: bool, own: Sequence[Meld] = ()) -> Refusal | None:
        """Why these may not be laid."""
        try:
            check_lay(self.rules, self.contract, 0, groups, own, first)
        except Refused as refused:
            return refused.refusal
        return None

    def refusal(self, index: int) -> Refusal | None:
        """Why the later meld may not follow that lay-down; None: it may."""
        own = check_lay(self.rules, self.contract, 0, self.choices[index], [], True)
        return self.why_not([self.later], first=False, own=own)

    @property
    def ask(self) -> Say:
        """The question, with the meld to come."""
        return Say("ask", {"later": self.symbols(self.later.cards)})

    @property
    def options(self) -> tuple[Say, ...]:
        """The lay-downs."""
        return tuple(Say("lay-down", {"melds": self.in_groups(lay)}) for lay in self.choices)

    def judge(self, answer: Answer) -> Verdict:
        """The one after which the rules take the later meld is right."""
        refusal = None if answer.option is None else self.refusal(answer.option)
        if refusal is None:
            return RIGHT
        return Verdict(False, refusal, Say("barred", {"later": self.symbols(self.later.cards)}))

    def solutions(self) -> Sequence[Answer]:
        """The one lay-down."""
        return [Answer(option=index) for index in range(len(self.choices)) if self.refusal(index) is None]

    def weak(self, rule: str) -> Answer | None:
        """The first of two is as good."""
        return Answer(option=0) if rule == "dearest" else None
