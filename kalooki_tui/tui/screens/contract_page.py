"""Page with which a deal begins where somebody teaches: its contract in cards."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.commands import Command
from kalooki_tui.presenter.sentences import deal_facts, deal_words, reminder
from kalooki_tui.training.teaching import ContractLesson
from kalooki_tui.tui.screens.question import BETWEEN, Page
from kalooki_tui.tui.widgets.meld_rows import LayDownView
from kalooki_tui.wording import capital


class ContractPage(Page):
    OFFERED = (
        Command("go-on", "enter,space,escape", "Go on", "To the cards.", lambda at: at.dismiss(True)),
        *BETWEEN,
    )
    clause = "L1"

    def __init__(self, view: View, lesson: ContractLesson) -> None:
        super().__init__(name="contract-page")
        self._view, self._lesson = view, lesson
        self.heading = f"{deal_words(view)}: {contract_words(view.contract, view.rules.ruleset.vocabulary)}"

    @property
    def hint(self) -> str:
        return f"{self.OFFERED[0].shown} goes on · {self.consult_words}"

    def parts(self) -> ComposeResult:
        view, lesson = self._view, self._lesson
        yield Static(f"{lesson.changes}\n{deal_facts(view)}\n{capital(reminder(view))}")
        for number, melds in enumerate(lesson.makes):
            made = [make_meld(view.rules.ruleset, 0, group) for group in melds]
            yield LayDownView("These make it too:" if number else "These make it:", made, view.rules.faces)
        if lesson.why is not None:
            # Some of these are no melds: a joker in them stands for nothing.
            fails = [Meld(0, Kind.SET, group.cards) for group in lesson.fails]
            yield LayDownView("These do not, by one card:", fails, view.rules.faces)
            yield Static(f"✕ {lesson.why.message} ({lesson.why.clause})", classes="report")
