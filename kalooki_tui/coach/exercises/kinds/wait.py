"""An exercise of judgement: the contract can be laid, and nobody has to. Lay it now, or hold it back for a turn?

Its moments are not made by dice. They are those of a table at which one choice is clearly better: each was played on
some hundred times with the hidden cards dealt again, hands as such hands are, once with the contract laid and once with
the best throw while it is held. Club players took all the seats.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Self

from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.rulesets.yaml_source import write_yaml
from kalooki_tui.solver import best_lay


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
class LayOrWait(Exercise):
    """Lay the contract, or hold it back for a turn (G4)."""

    kind: ClassVar[str] = "wait"
    how: ClassVar[How] = How.OPTION
    keys: ClassVar[str] = "lw"
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
        view = set_up(position).deal.view(0)
        hand = tuple(sorted(view.hand))
        return cls(
            rules=position.rules,
            deal=deal,
            hand=hand,
            table=view.melds,
            view=view,
            gain=moment.gain,
            error=moment.error,
        )

    @property
    def contract(self) -> Contract:
        """That of the moment, whichever deal was asked for."""
        assert self.view is not None
        return self.view.contract

    @property
    def ask(self) -> Say:
        """The question, with the cards that would stay."""
        return Say("ask", self.clues)

    @property
    def options(self) -> tuple[Say, ...]:
        """Lay or wait."""
        return (Say("lay-now"), Say("wait-a-turn"))

    @property
    def left(self) -> str:
        """The cards that would stay in the hand."""
        found = best_lay(self.rules, self.contract, self.hand)
        return "" if found is None else self.symbols(found.left)

    @property
    def others_laid(self) -> bool:
        """Whether another seat has laid."""
        assert self.view is not None
        return any(laid is not HasLaid.NO for laid in self.view.laid[1:])

    def judge(self, answer: Answer) -> Verdict:
        """What did better is right; by how much is said, and why."""
        if answer == self.solutions()[0]:
            return RIGHT
        case = "better-wait" if self.gain < 0 else "better-lay-late" if self.others_laid else "better-lay"
        slots = {**self.clues, "points": f"{abs(self.gain):.0f}", "error": f"{2 * self.error:.0f}"}
        return Verdict(False, None, Say(case, slots))

    def solutions(self) -> Sequence[Answer]:
        """The better choice."""
        return [Answer(option=0 if self.gain > 0 else 1)]

    @property
    def clues(self) -> dict[str, object]:
        """The cards that would stay."""
        return {"left": self.left}

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
