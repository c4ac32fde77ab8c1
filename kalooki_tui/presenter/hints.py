"""Hints for the person whose hand lies open, a step at a time: a question, one action, the reason."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias, TypeVar, cast

from kalooki_tui.coach.rated_advice import Hint, hint, warning
from kalooki_tui.engine.actions import Action, Call, Discard, Done, Draw, EndTurn, Lay, Pass, Source, Swap, Tack
from kalooki_tui.engine.view import View
from kalooki_tui.players.thinker import WorkerLost
from kalooki_tui.presenter.commands import key_of
from kalooki_tui.storage.paths import log_fault

NONE_NOW: Final = "There is no hint for this moment."
#: The commands of actions that have one of their own; answers to a call have their keys where they are asked for.
_COMMANDS: Final[dict[type, str]] = {
    Call: "call", Pass: "pass", Discard: "discard", Lay: "lay", Tack: "tack", Swap: "swap", EndTurn: "end", Done: "end",
}  # fmt: skip
_DRAWS: Final = {Source.STOCK: "draw-stock", Source.DISCARD: "take-discard", Source.FLIP: "take-flip"}
Found = TypeVar("Found")
Consult: TypeAlias = Callable[..., Awaitable[Any]]


class Hints:
    """Hint for a view, told step by step; a new moment begins with its question."""

    def __init__(self, consult: Consult | None = None) -> None:
        """`consult`: plays the choices on; None: facts decide alone."""
        self._consult = consult
        self._asked: tuple[View, Action | None] | None = None
        self._hint: Hint | None = None
        self._told = 0
        self._work: tuple[object, asyncio.Task[Any]] | None = None
        """Last search, shared by whoever asks for it again or too soon."""

    async def next_step(self, view: View, about: Action | None = None) -> str:
        """Return the question, then the action, then its reason too; `about`: the action the person has in mind."""
        if self._asked is None or self._asked[0] != view:
            self._told = 0
        if self._asked != (view, about):
            self._asked, self._hint = (view, about), await self._found(hint, view, about)
        if self._hint is None:
            return NONE_NOW
        nudge, suggestion, reason = self._hint.steps
        self._told += 1
        action = self._hint.action
        name = _DRAWS[action.source] if isinstance(action, Draw) else _COMMANDS.get(type(action))
        suggestion = f"{suggestion.removesuffix('.')} ({key_of(name)})." if name else suggestion
        if self._told > 2:
            return f"Hint: {suggestion} {reason}"
        return f"Hint: {nudge if self._told == 1 else suggestion} {key_of('hint')} tells more."

    async def warning(self, view: View, action: Action) -> str:
        """Return what to say before a costly action; empty if it is not, or is as good as the hint."""
        found = self._hint if self._asked is not None and self._asked[0] == view else None
        if found is not None and action in (found.action, *found.as_good):
            return ""
        return await self._found(warning, view, action) or ""

    async def _found(self, function: Callable[..., Found], view: View, about: Action | None) -> Found | None:
        asked = function, view, about
        if self._work is None or self._work[0] != asked or self._work[1].cancelled():
            self._work = asked, asyncio.ensure_future(self._search(*asked))
        return cast("Found | None", await asyncio.shield(self._work[1]))

    async def _search(self, function: Callable[..., Found], view: View, about: Action | None) -> Found | None:
        try:
            if self._consult is not None:
                try:
                    return cast("Found", await self._consult(function, view, about))
                except WorkerLost:
                    self._consult = None
            # Some tens of milliseconds: the table is not to stand still for them.
            return await asyncio.to_thread(function, view, about, 0)
        except ValueError:
            return None
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the coach
            log_fault(error)
            return None
