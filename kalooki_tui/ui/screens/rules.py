"""The rules of one game, told from its ruleset."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.rules_text import rules_text
from kalooki_tui.desk.words import contract_words
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.ui.screens.base import hanging
from kalooki_tui.ui.screens.page import Page, closing

NO_BREAK: Final = "\N{NO-BREAK SPACE}"


class RulesScreen(Page):
    """This deal's contract first, then the game's rules, each with its clauses."""

    OFFERED = (closing("rules"),)

    def __init__(self, ruleset: Ruleset, contract: Contract | None = None, deal: int = 0) -> None:
        super().__init__(name="rules")
        self._ruleset, self._contract, self._deal = ruleset, contract, deal
        self.heading = ruleset.name

    def parts(self) -> ComposeResult:
        """The rules."""
        yield Static(self._page())

    def _page(self) -> Content:
        words = self._ruleset.vocabulary
        parts: list[Content] = []
        if self._contract is not None:
            asked = contract_words(self._contract, words)
            parts.append(Content.styled(f"{words.deal.capitalize()} {self._deal}: {asked}\n", "bold $gold"))
            parts.append(Content(f"{self._contract.cards} cards are dealt to each seat.\n\n"))
        for heading, lines in rules_text(self._ruleset):
            parts.append(Content.styled(f"{heading}\n", "bold $gold"))
            for line, clauses in lines:
                # A clause stays with the last words of its line.
                text, _, clause = hanging(f"• {line} ({clauses.replace(' ', NO_BREAK)})", 2).rpartition("(")
                parts += [Content(text), Content.styled(f"({clause}\n".replace(NO_BREAK, " "), "$on-felt-muted")]
            parts.append(Content("\n"))
        return Content("").join(parts)
