"""The rules of one game, told from its ruleset."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.rules_text import rules_text
from kalooki_tui.desk.words import contract_words
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.ui.screens.base import Dialog, hanging

NO_BREAK: Final = "\N{NO-BREAK SPACE}"


class RulesScreen(Dialog):
    """This deal's contract first, then the game's rules, each with its clauses."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,i,q,enter", "close", show=False)]

    def __init__(self, ruleset: Ruleset, contract: Contract | None = None, deal: int = 0) -> None:
        super().__init__(name="rules")
        self._ruleset, self._contract, self._deal = ruleset, contract, deal

    def compose(self) -> ComposeResult:
        """A scrolled page."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = self._ruleset.name
            frame.border_subtitle = "esc closes"
            with VerticalScroll():
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

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
