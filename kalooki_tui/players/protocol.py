"""What the table asks of whoever sits in a seat: a decision, from that seat's view alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import View


@dataclass(frozen=True, slots=True)
class Decision:
    """An action and, for teaching matches, a short reason a player can read."""

    action: Action
    reason: str = ""


class Player(Protocol):
    """Somebody who decides: an AI seat, or a stand-in for one."""

    def decide(self, view: View) -> Decision:
        """What to do now; `view.actor` is `view.seat`."""
        ...
