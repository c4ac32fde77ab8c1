"""What the words of a game mean, each with a picture."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.clauses import glossary
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.ui.screens.base import hanging
from kalooki_tui.ui.screens.page import Page, closing
from kalooki_tui.ui.widgets.picture_row import PictureRow


class WordsScreen(Page):
    """The glossary of a game."""

    OFFERED = (closing("words"),)

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(name="words")
        self._ruleset = ruleset
        self.heading = f"The words of {ruleset.name}"

    def parts(self) -> ComposeResult:
        for word in glossary(self._ruleset):
            yield Static(Content.assemble(Content.styled(word.term, "bold $gold"), f"\n{hanging(word.says, 0)}"))
            yield PictureRow(word.pictures, self._ruleset.faces)
