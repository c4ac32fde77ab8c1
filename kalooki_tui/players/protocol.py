"""The interface of a player: given a view, answer with an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.engine.view import View


class Decision(Struct, frozen=True):
    action: Action
    notice: str = ""
    """If a fault kept the level from its own choice: a sentence to show once."""


class Player(Protocol):
    def decide(self, view: View) -> Decision:
        """Decide on an action; `view.actor` is the view's own seat."""
        ...
