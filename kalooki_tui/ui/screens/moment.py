"""A decision of the review: on the table itself, with every hand as it was then, asked again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.cards import Card, Faces, suit_first
from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.study.kept_reviews import ReviewedMoment
from kalooki_tui.desk.study.reviewing import Review, done
from kalooki_tui.desk.table.prompt import card_in_question
from kalooki_tui.desk.words.telling import better
from kalooki_tui.judging.decisions import Decision, Judged
from kalooki_tui.ui.screens.base import Overlay
from kalooki_tui.ui.screens.dialogs import Ask
from kalooki_tui.ui.screens.page import Page
from kalooki_tui.ui.screens.replay import COMMANDS, ReplayScreen
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.ui.widgets.choices import Choice, numbered
from kalooki_tui.ui.widgets.faces import cards_content
from kalooki_tui.ui.widgets.status import Tone
from kalooki_tui.wording import capital, whom

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

    def __init__(self, moment: ReviewedMoment, seat: int, told: str) -> None:
        super().__init__(moment.deals, moment.seats, moment.at)
        self.seat, self._at, self._words = seat, moment.at, told

    def show_state(self) -> None:
        """The table; at the decision with what the review says of it."""
        super().show_state()
        if (self.deal, self.place) == self._at:
            self.status.set_prompt(shorten(self._words, self.size.width - 2), Tone.ASKED)


class HandsPage(Page):
    """Every hand at a decision."""

    heading = "The hands then"

    def __init__(self, found: Review, decision: Decision) -> None:
        super().__init__(name="hands")
        self._found, self._decision = found, decision

    def parts(self) -> ComposeResult:
        """A hand a line."""
        view = self._decision.view
        hands = self._found.hands.get(self._decision.place, ())
        yield Static(hands_lines(view.names, hands, view.turn, view.in_deal, view.rules.faces, WIDTH))
        name, did = whom(self._found.names[self._found.seat]), done(self._decision, view.rules.faces)
        yield Static(Content(f"\nBefore {name} {did}, in turn {self._decision.turn}\n"))


def hands_lines(
    names: Sequence[str], hands: Sequence[Sequence[Card]], turn: int, in_deal: Sequence[bool], faces: Faces, width: int
) -> Content:
    """These hands on lines of their own, the turn seat marked."""
    parts: list[Content] = []
    most = max(1, (width - NAME - CARD) // CARD)
    for seat, (name, hand) in enumerate(zip(names, hands, strict=True)):
        cards, has_turn = sorted(hand, key=suit_first), turn == seat
        short = shorten(name, NAME - 3)
        head = f"{'▸' if has_turn else ' '} {short}{' ' * (NAME - 2 - cell_len(short))}"
        parts.append(Content.styled(head, "bold $gold" if has_turn else "$on-felt"))
        for first in range(0, len(cards), most):
            parts.append(Content(" " * NAME if first else ""))
            parts += [cards_content(cards[first : first + most], faces), Content("\n")]
        if not cards:
            parts.append(Content.styled("no cards\n" if in_deal[seat] else "not in this deal\n", "$on-felt-muted"))
    return Content("").join(parts).rstrip()


def what_would_you_do(marked: Judged) -> Ask:
    """A decision asked again, in the order of the options' words, which says nothing of their worth."""
    decision, faces = marked.decision, marked.decision.view.rules.faces
    options = dict.fromkeys((marked.best, decision.action, *marked.ranked[:MOST_OPTIONS]))
    words = {capital(better(one, faces, card_in_question(decision.view)[0])): one for one in options}
    choices = [*numbered(sorted(words.items())), Choice("s", "Show what was better", None)]
    hand = cards_content(sorted(decision.view.hand, key=suit_first), faces)
    text = Content.assemble(f"Turn {decision.turn}. Your hand then:\n", hand, "\n\nWhat would you do?\n")
    return Ask("Try first", text, choices, name="try")
