"""The rules and the scores, from every question over a table; closing them leads back to the question."""

from __future__ import annotations

from typing import Any, Final, cast

from textual.screen import Screen

from kalooki_tui.desk.commands import BY_NAME
from kalooki_tui.ui.game import Layer
from kalooki_tui.ui.screens.base import GameScreen, Shown

#: Commands of the table that its questions have too, by the same keys.
CONSULT: Final = (BY_NAME["rules"], BY_NAME["scores"])


class Consults:
    """Mixed into what lies over a table; `clause` is where the rules are opened."""

    clause = ""

    @property
    def consulted(self) -> GameScreen | None:
        """The table beneath; None where there is none, or where nothing may come over what lies there."""
        overlays = cast("Shown", self).game.overlays
        if overlays.lies(Layer.LEAVING) or overlays.lies(Layer.FAULT):
            return None
        screens = cast("Screen[Any]", self).app.screen_stack
        return next((one for one in screens if isinstance(one, GameScreen) and one.can_be_consulted), None)

    @property
    def consult_words(self) -> str:
        """The keys, for the foot of a frame; empty where there is no table."""
        if self.consulted is None:
            return ""
        return " · ".join(f"{command.shown} {command.label.lower()}" for command in CONSULT)

    def show_rules(self) -> None:
        """The rules of the table beneath, at the clause of this question."""
        if self.consulted is not None:
            self.consulted.consult_rules(self.clause)

    def show_scores(self) -> None:
        """The scores of the table beneath."""
        if self.consulted is not None:
            self.consulted.show_scores()
