"""Exercises by kind and seed."""

from __future__ import annotations

import random
import secrets
import string
from dataclasses import dataclass
from typing import Final

from kalooki_tui.coach.exercises.definition import Exercise
from kalooki_tui.coach.exercises.kinds import hand_questions as cards
from kalooki_tui.coach.exercises.kinds import table_questions as table
from kalooki_tui.coach.exercises.kinds import turn_questions as moments
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.rulesets.loader import load_ruleset, resolve

#: Every kind by its name.
KINDS: Final[dict[str, type[Exercise]]] = {
    one.kind: one
    for one in (
        moments.Allowing, cards.Away, cards.Best, cards.Build, moments.Calling, table.TackChain, cards.Complete,
        cards.Contracts, cards.Cost, cards.Helps, moments.AttemptAllowed, table.Out, cards.Repair, cards.Spot,
        table.SwapTo, table.Fit, moments.Throwing, cards.Valid, moments.LayOrWait,
    )
}  # fmt: skip

#: Tries to make one exercise before giving up.
MOST_TRIES: Final = 400
SEATS: Final = 4


def rules_for(ruleset: str) -> Rules:
    """Return the rules for exercises: four seats, or the nearest number; raise ValueError for an unknown ruleset."""
    found = load_ruleset(ruleset)
    seats = min(found.seat_counts, key=lambda count: abs(count - SEATS))
    return make_rules(resolve(found, (), seats), seats)


def kinds_for(rules: Rules, deal: int) -> tuple[str, ...]:
    return tuple(kind for kind, one in KINDS.items() if one.is_possible(rules, deal))


def make_exercise(rules: Rules, kind: str, deal: int, seed: str) -> Exercise:
    """Make the exercise of this kind, deal and seed; raise ValueError if there is none."""
    for attempt in range(MOST_TRIES):
        dice = random.Random(f"{rules.ruleset.id}/{kind}/{deal}/{seed}/{attempt}")
        made = KINDS[kind].make(rules, deal, dice)
        if made is not None:
            return made
    raise ValueError(f"no exercise {kind!r} can be made of deal {deal} of {rules.ruleset.name}")


#: Characters of a seed, as people type it and codes of puzzles hold it.
LETTERS: Final = string.digits + string.ascii_uppercase


def new_seed(length: int = 4) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


@dataclass(frozen=True)
class Drawn:
    """New exercises, of one kind and deal or of any."""

    rules: Rules
    count: int = 1
    kind: str = ""
    deal: int = 0
    """0: any."""

    def make(self, number: int) -> Exercise:
        every = [self.deal] if self.deal else range(1, len(self.rules.ruleset.deals) + 1)
        deal = secrets.choice([one for one in every if not self.kind or self.kind in kinds_for(self.rules, one)])
        return make_exercise(self.rules, self.kind or secrets.choice(kinds_for(self.rules, deal)), deal, new_seed())
