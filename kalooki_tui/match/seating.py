"""Seats: names, players, and their text forms."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Container, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kalooki_tui.notation.seat_text import check_names
from kalooki_tui.players import LEVELS, check_level
from kalooki_tui.wording import AI_NAMES, ai_words, prints

if TYPE_CHECKING:
    from kalooki_tui.rulesets.model import Ruleset


class SeatPlan(Struct, frozen=True):
    """Name and player of a seat: `human`, `ai:LEVEL`, `ai:LEVEL/TEMPERAMENT`, or a program, `exec:COMMAND`."""

    name: str
    player: str = "human"

    @property
    def text(self) -> str:
        return self.name if self.is_human and "=" not in self.name else f"{self.name}={self.player}"

    @property
    def is_human(self) -> bool:
        return self.player == "human"

    @property
    def is_outside(self) -> bool:
        return self.player.startswith("exec:")

    @property
    def level(self) -> str:
        """AI level, such as `club`, with its temperament if it has one, such as `club/caller`."""
        return self.player.removeprefix("ai:")

    @property
    def command(self) -> tuple[str, ...]:
        """Words of an outside player's command; raises ValueError if a quotation mark is not closed."""
        return tuple(shlex.split(self.player.removeprefix("exec:")))


USUAL_SEATS: Final = 4
#: Who plays where nobody is named.
USUAL_PLAYER: Final = "ai:club"


def usual_count(ruleset: Ruleset) -> int:
    return min(ruleset.seat_counts, key=lambda count: abs(count - USUAL_SEATS))


_NAMED = re.compile(r"(?P<name>[^:]*?)=(?P<player>human|(?:ai|exec):.*)", re.DOTALL)
"""Seat with its name. A name may hold ``=`` as well: the first one that a player follows ends it."""


def parse_seats(texts: Sequence[str]) -> tuple[SeatPlan, ...]:
    """Parse seats: `Ann`, `ai:club`, `exec:COMMAND`, or named, `Bob=ai:club`; raise ValueError for bad ones."""
    if len(texts) > len(AI_NAMES):
        raise ValueError(f"{len(AI_NAMES)} seats at most can be at a table, not {len(texts)}")
    halves = [_halves(text) for text in texts]
    taken = {name.casefold() for name, _ in halves if name is not None}
    spare = (name for name in AI_NAMES if name.casefold() not in taken)
    plans = [SeatPlan(name if name is not None else next(spare), player) for name, player in halves]
    check_seats(plans)
    for plan in plans:
        if plan.is_outside and sys.platform == "win32":
            raise ValueError(f"seat {plan.name}: programs play on Linux and macOS only, and in WSL")
        if plan.is_outside and shutil.which(plan.command[0]) is None:
            raise ValueError(f"seat {plan.name}: there is no program {plan.command[0]!r}")
    return tuple(plans)


def _halves(text: str) -> tuple[str | None, str]:
    text = text.strip(" ")
    if text.startswith(("ai:", "exec:")):
        return None, text
    named = _NAMED.fullmatch(text)
    if named is not None:
        return named["name"], named["player"]
    name, _, player = text.partition("=")
    if not player and ":" in name:
        return None, name
    return name, player or "human"


def check_seats(plans: Sequence[SeatPlan]) -> None:
    """Check names by the rule of the notation, and players; raise ValueError with a sentence that names the seat."""
    check_names([plan.name for plan in plans])
    for plan in plans:
        try:
            _check_player(plan)
        except ValueError as error:
            raise ValueError(f"seat {plan.name}: {error}") from None


def _check_player(plan: SeatPlan) -> None:
    if plan.is_outside:
        try:
            words = plan.command
        except ValueError as error:
            raise ValueError(f"{plan.player!r} is not a command: {error}") from None
        if not words or not prints(plan.player):
            raise ValueError("exec: needs a command, such as exec:./my-bot")
    elif plan.player.startswith("ai:") and plan.level.partition("/")[0] in LEVELS:
        check_level(plan.level)
    elif not plan.is_human:
        known = ", ".join(f"ai:{level}" for level in LEVELS)
        raise ValueError(f"a player is human, {known} or exec:COMMAND; not {plan.player!r}")


class SeatChange(Enum):
    PERSON = auto()
    AI = auto()
    NAME = auto()


def changes_of(plan: SeatPlan) -> list[tuple[str, SeatChange]]:
    if plan.is_human:
        first = [(f"An AI plays for {plan.name}", SeatChange.AI)]
    else:
        first = [
            ("A person here takes the seat, or has it back", SeatChange.PERSON),
            ("An AI of another level", SeatChange.AI),
        ]
    return [*first, ("Another name", SeatChange.NAME)]


def player_words(seat: int, plan: SeatPlan, here: Container[int]) -> str:
    if plan.is_outside:
        return "a program"
    if not plan.is_human:
        return ai_words(plan.player)
    return "a person here" if seat in here else "a person at another screen"
