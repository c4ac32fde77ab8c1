"""The moments that puzzles of judgement ask about. They come with the program, found and checked by
`lab/find_moments.py`: every machine has the same, and none has to play anything out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, Self

from kalooki_tui.coach.exercises.kinds import KINDS
from kalooki_tui.coach.exercises.kinds.judged import Judging, answer_of, begun
from kalooki_tui.coach.exercises.model import Answer
from kalooki_tui.engine.actions import Action, Allow, Call, Cut, Draw, Pass, Refuse, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.moments import DECISIONS, WINDOWS
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.actions import parse_action, parse_answer, print_answer

FOLDER: Final = Path(str(resources.files("kalooki_tui.coach"))) / "tables" / "moments"
#: The kinds that ask for judgement.
JUDGED: Final[dict[str, type[Judging]]] = {kind: one for kind, one in KINDS.items() if issubclass(one, Judging)}
#: When an action can be taken; any other one in play.
_PHASES: Final[dict[type[Action], tuple[Phase, ...]]] = {
    Call: WINDOWS,
    Refuse: DECISIONS,
    Draw: (Phase.DRAW,),
    Cut: (Phase.CUT,),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of the first seat, written ``5 1Z 7H/3: call/9C/draw discard/QD = pass``.

    That is the deal, its seed, the actions before the moment and the right answers. The actions are in the notation,
    but for throws, which are cards alone, and for passes, calls that are allowed and draws from the stock: those are
    left out. So a moment hangs on the rules and the shuffle, and on no player.
    """

    kind: str
    deal: int
    seed: str
    played: tuple[str, ...]
    right: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.deal} {self.seed} {'/'.join(self.played)} = {' '.join(self.right)}"

    @classmethod
    def parse(cls, kind: str, text: str) -> Self:
        """A moment as it is written."""
        moment, right = text.split(" = ")
        deal, seed, played = moment.split(" ", 2)
        return cls(kind, int(deal), seed, tuple(filter(None, played.split("/"))), tuple(right.split()))

    @classmethod
    def after(cls, actions: Sequence[Action], asked: Judging, seed: str) -> Self:
        """The moment after these actions of a deal, with the answers that are right there."""
        deal, played = begun(asked.rules, asked.deal, seed), list[str]()
        for action in actions:
            if action != _usual(deal):
                # Only of a call it is not plain whose it is.
                whose = f"{action.seat + 1}: " if isinstance(action, Call) else ""
                played.append(whose + _text(action, deal))
            deal.apply(action)
        right = [
            _text(action, deal) for one in asked.solutions() for action in deal.legal(0) if answer_of(action) == one
        ]
        return cls(asked.kind, asked.deal, seed, tuple(played), tuple(right))

    def exercise(self, rules: Rules) -> Judging:
        kind, deal = JUDGED[self.kind], begun(rules, self.deal, self.seed)
        for text in self.played:
            action = _action(text, deal)
            phases = _PHASES.get(type(action), (Phase.PLAY,))
            while deal.actor != action.seat or deal.phase not in phases:
                _go_on(deal)
            deal.apply(action)
        while deal.actor != 0 or deal.phase not in kind.phases:
            _go_on(deal)
        right: list[Answer] = [answer_of(_action(text, deal)) for text in self.right]
        return replace(kind.of(deal.view(0)), proven=tuple(right))


def _usual(deal: Deal) -> Action | None:
    seat = deal.actor
    if seat is None:
        return None
    if deal.phase in WINDOWS:
        return Pass(seat)
    if deal.phase in DECISIONS:
        return Allow(seat)
    return Draw(seat, Source.STOCK) if deal.phase is Phase.DRAW else None


def _go_on(deal: Deal) -> None:
    usual = _usual(deal)
    if usual is None:
        raise ValueError(f"deal {deal.number} of {deal.seed} does not come to that moment")
    deal.apply(usual)


def _text(action: Action, deal: Deal) -> str:
    return print_answer(action, deal.names, deal.rules.faces).removeprefix("discard ")


def _action(text: str, deal: Deal) -> Action:
    names, faces = deal.names, deal.rules.faces
    if text.endswith(": call"):
        return parse_action(text, names, faces)
    seat = deal.dealer if deal.phase is Phase.CUT else deal.turn
    return parse_answer(text if text[0].islower() else f"discard {text}", seat, names, faces)


@cache
def moments(ruleset: str, kind: str) -> tuple[Moment, ...]:
    """Those of a kind; a ruleset that none have been found for has none."""
    return tuple(Moment.parse(kind, text) for text in _table(FOLDER / f"{ruleset}.json").get(kind, ()))


@cache
def _table(file: Path) -> Mapping[str, Sequence[str]]:
    try:
        found: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found
