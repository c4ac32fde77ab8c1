"""A decision of the review: on the table itself, with every hand as it was then, asked again."""

from __future__ import annotations

from typing import Final

from textual.content import Content

from kalooki_tui.cards import suit_first
from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.study.reviewing import Moment
from kalooki_tui.desk.table.prompt import card_in_question
from kalooki_tui.desk.words import better
from kalooki_tui.judging.decisions import Judged
from kalooki_tui.store.summary import plans_of
from kalooki_tui.ui.screens.base import Overlay
from kalooki_tui.ui.screens.dialogs import Ask
from kalooki_tui.ui.screens.replay import COMMANDS, ReplayScreen
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.ui.widgets.choices import Choice, numbered
from kalooki_tui.ui.widgets.faces import cards_content
from kalooki_tui.ui.widgets.status import Tone
from kalooki_tui.wording import capital

#: Columns of the hands, of a name before each, and of a card.
WIDTH: Final = 60
NAME: Final = 14
CARD: Final = 4
#: Options of a decision that are asked, at most.
MOST_OPTIONS: Final = 9


class MomentScreen(Overlay, ReplayScreen):
    """The table as the seat found it; from there the deal can be stepped through. Closing it leads back."""

    OFFERED = tuple(
        Command("leave-moment", f"{one.keys},enter", "Back", "Back to the review.", lambda at: at.dismiss(None))
        if one.name == "leave"
        else one
        for one in COMMANDS
    )

    def __init__(self, moment: Moment, told: str) -> None:
        super().__init__(moment.deals, plans_of(moment.head.names, moment.head.players), moment.at)
        self.seat, self._at, self._words = moment.found.seat, moment.at, told

    def show_state(self) -> None:
        """The table; at the decision with what the review says of it."""
        super().show_state()
        if (self.deal, self.place) == self._at:
            self.status.set_prompt(shorten(self._words, self.size.width - 2), Tone.ASKED)


def what_would_you_do(marked: Judged) -> Ask:
    """A decision asked again, in the order of the options' words, which says nothing of their worth."""
    decision, faces = marked.decision, marked.decision.view.rules.faces
    options = dict.fromkeys((marked.best, decision.action, *marked.ranked[:MOST_OPTIONS]))
    words = {capital(better(one, faces, card_in_question(decision.view)[0])): one for one in options}
    choices = [*numbered(sorted(words.items())), Choice("s", "Show what was better", None)]
    hand = cards_content(sorted(decision.view.hand, key=suit_first), faces)
    text = Content.assemble(f"Turn {decision.turn}. Your hand then:\n", hand, "\n\nWhat would you do?\n")
    return Ask("Try first", text, choices, name="try")
