"""Call a card, or let it go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kalooki_tui.coach.exercises.judging import Judging
from kalooki_tui.coach.exercises.model import Say
from kalooki_tui.engine.view import Phase


@dataclass(frozen=True, kw_only=True)
class Calling(Judging):
    """Call the card, or let it go (C2-C5)."""

    kind: ClassVar[str] = "call"
    keys: ClassVar[str] = "cp"
    phases: ClassVar[tuple[Phase, ...]] = (Phase.CALL_WINDOW,)

    @property
    def ask(self) -> Say:
        """The question, with the card."""
        card = self.moment.discard
        return Say("ask", {"card": "" if card is None else self.symbols([card])})

    @property
    def options(self) -> tuple[Say, ...]:
        """Call or pass."""
        return (Say("call-yes"), Say("call-no"))
