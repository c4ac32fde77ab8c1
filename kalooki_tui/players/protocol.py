"""What a seat must be able to do to play: look at a view, and answer with an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kalooki_tui.values import dataclass

if TYPE_CHECKING:
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.engine.view import View


@dataclass(frozen=True, slots=True)
class Decision:
    """An action."""

    action: Action
    notice: str = ""
    """Where a fault kept the level from its own choice: a sentence to be told once."""


class Player(Protocol):
    """A seat at the table."""

    def decide(self, view: View) -> Decision:
        """What to do now; `view.actor` is the view's own seat."""
        ...
