"""Allow a call, or refuse it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kalooki_tui.coach.exercises.judging import Judging
from kalooki_tui.coach.exercises.model import Say
from kalooki_tui.engine.view import Phase
from kalooki_tui.wording import Person


@dataclass(frozen=True, kw_only=True)
class Allowing(Judging):
    """Refuse a call and take the card, or allow it (C4, C6)."""

    kind: ClassVar[str] = "allow"
    keys: ClassVar[str] = "ra"
    phases: ClassVar[tuple[Phase, ...]] = (Phase.DECISION,)

    @property
    def ask(self) -> Say:
        """The question, with the card and who calls it."""
        view = self.moment
        card, caller = view.discard, view.caller
        name = Person("" if caller is None else view.names[caller])
        return Say("ask", {"card": "" if card is None else self.symbols([card]), "name": name})

    @property
    def options(self) -> tuple[Say, ...]:
        """Refuse or allow."""
        return (Say("allow-no"), Say("allow-yes"))
