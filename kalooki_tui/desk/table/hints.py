"""Hints for the person whose hand lies open, a step at a time: a question, one action, the reason."""

from __future__ import annotations

import asyncio
from typing import Final

from kalooki_tui.coach.costs import warning
from kalooki_tui.coach.hinting import Hint, hint
from kalooki_tui.desk.commands import key_of
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import View

NONE_NOW: Final = "There is no hint for this moment."


class Hints:
    """Tells the next step of the hint for a view; a new moment begins with its question again."""

    def __init__(self) -> None:
        self._view: View | None = None
        self._hint: Hint | None = None
        self._told = 0

    async def next_step(self, view: View) -> str:
        """The question first; asked again, the action; from then on the action and its reason."""
        if view != self._view:
            self._view, self._hint, self._told = view, await self._find(view), 0
        if self._hint is None:
            return NONE_NOW
        nudge, suggestion, reason = self._hint.steps
        self._told += 1
        if self._told > 2:
            return f"Hint: {suggestion} {reason}"
        return f"Hint: {nudge if self._told == 1 else suggestion} {key_of('hint')} tells more."

    def warning(self, view: View, action: Action) -> str:
        """What to say before an action that costs much; empty where nothing speaks against it."""
        try:
            return warning(view, action)
        except ValueError:
            return ""
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the warning
            log_fault(error)
            return ""

    async def _find(self, view: View) -> Hint | None:
        try:
            # Some tens of milliseconds: the table is not to stand still for them.
            return await asyncio.to_thread(hint, view)
        except ValueError:
            return None
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the hint
            log_fault(error)
            return None
