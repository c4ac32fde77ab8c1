"""Rules of one game, opened at a clause, searched by words; and its glossary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from kalooki_tui.cards import Faces
from kalooki_tui.coach.clauses import Line, find_clause, glossary, rules_text
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.rules import Rules
from kalooki_tui.presenter.commands import BY_NAME, Command
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import PAGE, hanging, unless
from kalooki_tui.tui.screens.question import Page, closing
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.row import PictureRow

LONGEST: Final = 50
NO_BREAK: Final = "\N{NO-BREAK SPACE}"


class RuleLine(Static):
    """Sentence with its clauses, and an example in cards; lit up where it is what was asked about."""

    def __init__(self, line: Line, faces: Faces, terms: Sequence[str] = ()) -> None:
        """`terms`: words of the game that it tells of in other words."""
        super().__init__(classes="rule")
        self.line, self._faces, self._terms = line, faces, tuple(terms)

    @property
    def text(self) -> str:
        """Text it is found by: its words, its clauses, the words of the game that it tells of."""
        return " ".join((self.line.text, f"({self.line.clauses})", *self._terms))

    @property
    def is_lit(self) -> bool:
        return self.has_class("-lit")

    def on_mount(self) -> None:
        self.light(on=False)

    def light(self, *, on: bool) -> None:
        self.set_class(on, "-lit")
        # A clause stays with the last word of its line.
        whole = f"{'▸' if on else '•'} {self.line.text}{NO_BREAK}({self.line.clauses.replace(' ', NO_BREAK)})"
        text, _, clauses = hanging(whole, 2, PAGE).replace(NO_BREAK, " ").rpartition("(")
        cards = " | ".join(map(self._faces.symbols, self.line.example))
        example = hanging(f"  {cards}", 2, PAGE) if cards else ""
        self.update(Content.assemble(text, Content.styled(f"({clauses}", "$on-felt-muted"), example and f"\n{example}"))


class RulesScreen(Page):
    OFFERED = (
        Command("close", f"escape,q,enter,{BY_NAME['rules'].keys}", "Close", "Close this page.", lambda at: at.close()),
        Command("find-rule", "slash", "Find", "Find a rule by a word in it.", lambda at: at.begin_search()),
        Command("rules-teach", "t", "Teach", "Teach one contract of the game to others.",
                lambda at: at.app.go(routes.teach(at.ruleset.id)),
                unless(lambda at: at.is_of_game, "A match is being played.")),
    )  # fmt: skip

    def __init__(
        self,
        ruleset: Ruleset,
        contract: Contract | None = None,
        deal: int = 0,
        *,
        match: Rules | None = None,
        clause: str = "",
    ) -> None:
        super().__init__(name="rules")
        self.ruleset, self._contract, self._deal = ruleset, contract, deal
        self.is_of_game = match is None
        """Whether they are read for themselves, and not at a table."""
        self._sections = rules_text(ruleset, match)
        self._asked = find_clause(self._sections, clause) if clause else None
        self.heading = ruleset.name

    @property
    def hint(self) -> str:
        close, find, teach = self.OFFERED
        teaches = f"{teach.shown} teaches a contract · " if self.is_of_game else ""
        return f"{find.shown} finds a word · {teaches}{close.shown} closes"

    def inside(self) -> ComposeResult:
        yield from super().inside()
        yield Static(id="unfound", classes="error")
        yield Input(placeholder="a word; enter goes to the next place, esc ends the search", id="find")

    def parts(self) -> ComposeResult:
        words = self.ruleset.vocabulary
        if self._contract is not None:
            asked = contract_words(self._contract, words)
            number = self._contract.number or self._deal
            yield Static(f"{words.deal.capitalize()} {number}: {asked}", classes="gold")
            yield Static(f"{self._contract.cards} cards are dealt to each seat.\n")
        terms: dict[Line | None, list[str]] = {}
        for word in glossary(self.ruleset):
            terms.setdefault(find_clause(self._sections, word.clause), []).append(word.term)
        for section in self._sections:
            yield Static(section.heading, classes="gold heading")
            for line in section.lines:
                yield RuleLine(line, self.ruleset.faces, terms.get(line, ()))

    def on_mount(self) -> None:
        self.query_one("#find").display = self.query_one("#unfound").display = False
        if self._asked is not None:
            for line in self.query(RuleLine):
                if line.line is self._asked:
                    self.call_after_refresh(self._go_to, line)

    def _go_to(self, found: RuleLine | None) -> None:
        for line in self.query(RuleLine):
            if line.is_lit is not (line is found):
                line.light(on=line is found)
        if found is not None:
            found.scroll_visible(animate=False, top=False)
            self.query_one(VerticalScroll).scroll_to_center(found, animate=False)

    def begin_search(self) -> None:
        find = self.query_one("#find", Input)
        find.display = True
        self.set_focus(find)
        self.query_one(".dialog").border_subtitle = f"{self.OFFERED[0].shown} ends the search"

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show_found(event.value, after=None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._show_found(event.value, after=next((line for line in self.query(RuleLine) if line.is_lit), None))

    def _show_found(self, words: str, after: RuleLine | None) -> None:
        wanted, unfound = words.casefold().split(), self.query_one("#unfound", Static)
        lines = [line for line in self.query(RuleLine) if all(word in line.text.casefold() for word in wanted)]
        behind = lines[lines.index(after) + 1 :] if after in lines else lines
        found = next(iter(behind or lines), None) if wanted else None
        unfound.update(f"No rule has “{shorten(words.strip(), LONGEST)}”.")
        unfound.display = found is None and bool(words.strip())
        self._go_to(found)

    def close(self) -> None:
        find = self.query_one("#find", Input)
        if find.display:
            find.display = self.query_one("#unfound").display = False
            self.query_one(".dialog").border_subtitle = self.hint
            self.query_one(VerticalScroll).focus()
        else:
            self.dismiss(None)


class WordsScreen(Page):
    OFFERED = (closing("words"),)

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(name="words")
        self.ruleset = ruleset
        self.heading = f"The words of {ruleset.name}"

    def parts(self) -> ComposeResult:
        for word in glossary(self.ruleset):
            yield Static(Content.assemble(Content.styled(word.term, "bold $gold"), f"\n{hanging(word.says, 0)}"))
            yield PictureRow(word.pictures, self.ruleset.faces)
