"""Exercises at a moment that a chapter sets up: may this be done now? The engine is asked, as at any moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kalooki_tui.coach.exercises.kinds.may import May
from kalooki_tui.coach.exercises.model import Say
from kalooki_tui.engine.rules import Rules
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.notation.errors import NotationError
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.yaml_source import Plain, write_yaml


@dataclass(frozen=True)
class Moment:
    """A moment as a chapter's file has it: a position without its ruleset, what is to be done, the question."""

    position: Mapping[str, Plain]
    action: str
    """In notation: ``You: lay 5C 5D 5H``."""
    ask: str


@dataclass(frozen=True, kw_only=True)
class Posed(May):
    """Say whether the rules allow what a chapter asks about."""

    kind: ClassVar[str] = "moment"
    topic: str = "moment"
    words: str

    @property
    def ask(self) -> Say:
        """The chapter's own question."""
        return Say("ask", {"words": self.words})


def pose(rules: Rules, moment: Moment, words: str) -> Posed:
    """The exercise of a moment in a ruleset; `words` is its question, slots filled.

    Raises:
        ValueError: the position or the action cannot be in this ruleset.
    """
    text = write_yaml({"ruleset": rules.ruleset.id, **moment.position})
    try:
        position = read_position(text)
        match = set_up(position)
        action = parse_action(moment.action, match.names, position.rules.faces)
    except (InputError, NotationError) as error:
        raise ValueError(str(error)) from None
    view = match.deal.view(0)
    return Posed(
        rules=position.rules,
        deal=position.deal,
        hand=tuple(sorted(view.hand)),
        table=view.melds,
        view=view,
        action=action,
        refusal=match.why_not(action),
        words=words,
    )
