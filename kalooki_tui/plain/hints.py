"""Hints as lines of text: the question first; again, the action; again, the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kalooki_tui.coach.hinting import Hint, hint
from kalooki_tui.engine.view import View
from kalooki_tui.playouts import available


class Hints:
    """The steps of a hint for one moment after another."""

    def __init__(self, compute: Callable[..., Any], *, plays_on: bool = True) -> None:
        """`compute` calls a function where it holds up nobody; `plays_on`: whether the choices are played on."""
        self._compute, self._plays_on = compute, plays_on
        self._given = 0
        self._hinted: tuple[View, Hint] | None = None

    def begin(self) -> None:
        """Another moment: the question comes first again."""
        self._given = 0

    def next(self, view: View) -> str:
        """The next step for the person whose view it is."""
        try:
            if self._hinted is None or self._hinted[0] != view:
                found = self._compute(hint, view) if self._plays_on and available() else None
                self._hinted = (view, found or hint(view, worlds=0))
        except ValueError:
            return "There is no hint for this moment."
        steps = self._hinted[1].steps
        self._given += 1
        return steps[min(self._given, len(steps)) - 1]
