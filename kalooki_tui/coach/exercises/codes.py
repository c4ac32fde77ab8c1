"""Exercises by kind and seed, and the short code by which one is found again."""

from __future__ import annotations

import random
import secrets
import string
from dataclasses import dataclass
from typing import Final

from kalooki_tui.coach.exercises.definition import VERSION, Exercise
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
    if kind not in KINDS:
        raise ValueError(f"there is no exercise {kind!r}; choose from: {', '.join(KINDS)}")
    for attempt in range(MOST_TRIES):
        dice = random.Random(f"{VERSION}/{rules.ruleset.id}/{kind}/{deal}/{seed}/{attempt}")
        made = KINDS[kind].make(rules, deal, dice)
        if made is not None:
            return made
    raise ValueError(f"no exercise {kind!r} can be made of deal {deal} of {rules.ruleset.name}")


def code_of(exercise: Exercise, seed: str) -> str:
    """Return the code of an exercise: ``1.spot.jamaican.3.7F3Q``."""
    return f"{VERSION}.{exercise.kind}.{exercise.rules.ruleset.id}.{exercise.deal}.{seed}"


def from_code(code: str) -> Exercise:
    """Make the exercise of a code; raise ValueError for no code, or one of another version, ruleset or kind."""
    parts = code.split(".")
    if len(parts) != 5 or not parts[0].isdecimal() or not parts[3].isdecimal():
        raise ValueError(f"{code!r} is not the code of an exercise, such as 1.spot.jamaican.3.7F3Q")
    version, kind, ruleset, deal, seed = parts
    if int(version) != VERSION:
        raise ValueError(
            f"the code {code!r} is of version {version}; this program makes exercises of version {VERSION}"
        )
    rules = rules_for(ruleset)
    if not 1 <= int(deal) <= len(rules.ruleset.deals):
        raise ValueError(f"{rules.ruleset.name} has no deal {deal}")
    return make_exercise(rules, kind, int(deal), seed)


#: Characters of a seed, as people type it and codes hold it; they also count in base 36.
LETTERS: Final = string.digits + string.ascii_uppercase


def new_seed(length: int = 4) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def counted_on(seed: str) -> str:
    """Return the next seed of the same length; after the last comes the first."""
    number = (int(seed, 36) + 1) % 36 ** len(seed)
    digits = ""
    for _ in seed:
        number, digit = divmod(number, 36)
        digits = LETTERS[digit] + digits
    return digits


@dataclass(frozen=True)
class Drawn:
    """New exercises, of one kind and deal or of any; or the one of a code."""

    rules: Rules
    count: int = 1
    kind: str = ""
    deal: int = 0
    """0: any."""
    code: str = ""

    @classmethod
    def of_code(cls, code: str) -> Drawn:
        return cls(from_code(code).rules, code=code)

    def make(self, number: int) -> tuple[Exercise, str]:
        if self.code:
            return from_code(self.code), self.code
        every = [self.deal] if self.deal else range(1, len(self.rules.ruleset.deals) + 1)
        deal = secrets.choice([one for one in every if not self.kind or self.kind in kinds_for(self.rules, one)])
        seed, kind = new_seed(), self.kind or secrets.choice(kinds_for(self.rules, deal))
        made = make_exercise(self.rules, kind, deal, seed)
        return made, code_of(made, seed)
