"""Questions over the table, answered by a key or by a click on the line that names it; and the command palette."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events
from textual.app import ComposeResult
from textual.command import CommandList, CommandPalette, Provider, SearchIcon
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static

from kalooki_tui.desk.commands import Command
from kalooki_tui.ui.screens.base import Dialog, GameScreen, Overlay, Shown
from kalooki_tui.ui.screens.question import BETWEEN, Question, Quiet
from kalooki_tui.ui.widgets.choices import Choice, ChoiceLine, answer_lines

if TYPE_CHECKING:
    from kalooki_tui.desk.table.prompt import Note

#: Through the lines of a menu, and the one that is marked.
MENU: Final = (
    Command("line-up", "up,left,shift+tab", "", "To the line above.", lambda at: at.go(-1)),
    Command("line-down", "down,right,tab", "", "To the line below.", lambda at: at.go(1)),
    Command("take", "enter,space", "", "Choose the marked line.", lambda at: at.take(at.current)),
)


class Menu(Shown):
    """Mixed into a screen: lines one of which is marked, each taken by its key, by enter or by a click."""

    current = 0

    def take(self, index: int) -> None:
        """Do what a line says."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self.mark()

    def go(self, step: int) -> None:
        """To another line; where none is marked, to the first or the last."""
        self.current = (max(self.current, -1 if step > 0 else 0) + step) % max(1, len(self.lines))
        self.mark()

    def mark(self) -> None:
        """Show which line enter takes."""
        for line in self.lines:
            line.set_class(line.index == self.current, "-current")
            if line.index == self.current:
                line.scroll_visible(animate=False)

    @property
    def lines(self) -> list[ChoiceLine]:
        return [line for line in self.query(ChoiceLine) if line.display]

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        if self.is_live:
            self.take(event.index)


class MenuScreen(GameScreen, Menu):
    """A screen of lines to choose from."""


#: No line of a menu is marked.
NO_LINE: Final = -1
#: Answers of a question that decide something; further lines tell more.
MAIN_ANSWERS: Final = 2
#: Columns of a question whose answers have two lines, and what of them is not for words: frame, edges, key, scroll bar.
ROOMY: Final = 120
ROOMY_EDGES: Final = 16


def roomy_width(width: int) -> int:
    """Columns for the words of an answer in a roomy question, on a screen of that width."""
    return min(ROOMY, width) - ROOMY_EDGES


class Ask(Question, Menu):
    """A question with a few answers; dismissed with the answer's value, or None where `escape` may close it.

    Where it is `unasked` it comes by itself, at any time.
    """

    OFFERED = (
        *MENU,
        Command("answer-nothing", "escape", "", "Close it without an answer.", lambda at: at.close()),
        *BETWEEN,
    )

    def __init__(
        self,
        title: str,
        text: Content | str,
        choices: Sequence[Choice],
        *,
        current: int = 0,
        may_close: bool = False,
        extra: Sequence[Static] = (),
        clause: str = "",
        note: Note | None = None,
        name: str = "question",
        beside: bool = False,
        unasked: bool = False,
        roomy: bool = False,
    ) -> None:
        """`roomy`: as wide and high as may be, for answers of two lines."""
        super().__init__(name=name, classes=f"{name} roomy" if roomy else name)
        self.quiet = Quiet.AT_FIRST if unasked else Quiet.NEVER
        self.is_beside = beside
        self.clause, self.note = clause, note
        self.heading, self.text = title, text
        self.choices = tuple(choices)
        self.current = current
        self._may_close = may_close
        self._extra = tuple(extra)

    @property
    def hint(self) -> str:
        return f"{self.OFFERED[len(MENU)].shown} closes" if self._may_close else self.foot

    def inside(self) -> ComposeResult:
        """The question and a line for each answer."""
        yield Static(self.text, id="question")
        yield Static(id="told")
        yield from self._extra
        is_live = self.quiet is not Quiet.UNTIL_A_PAUSE
        with VerticalScroll(id="choices"):
            yield from answer_lines(self.choices, self.app.size.width, beside=self.is_beside, live=is_live)
        yield from self.note_part()

    def take(self, index: int) -> None:
        """Give an answer; none is marked at first where enter may have been meant for what lay there before."""
        if index < 0:
            keys = " or ".join(choice.key for choice in self.choices[:MAIN_ANSWERS])
            self.tell(f"Press {keys}, or mark an answer with the arrows.")
        elif self.choices:
            self.give(self.choices[index], monotonic())

    def close(self) -> None:
        """Answer nothing, where that is an answer."""
        if self._may_close:
            self.dismiss(None)


def confirm(title: str, text: str, yes: str, no: str, clause: str = "") -> Ask:
    """A question answered by yes (True) or no (False), no being the careful answer."""
    answers = (Choice("y", yes, True), Choice("n", no, False))
    return Ask(title, text, answers, current=1, may_close=True, clause=clause)


#: Cards, at least and at most, by which a packet grows or shrinks at once.
HAIR: Final = (1, 4)
FINGER: Final = (7, 14)


class CutDeck(Static):
    """The deck from its side and the packet lifted off it: thickness, no number, and no steps to be counted (B1).

    Where the packet begins is drawn, every movement is of a width drawn anew, and a cell is thicker than a card.
    """

    WIDTH = 48
    LABEL = 8

    def __init__(self, size: int, chance: random.Random | None = None) -> None:
        super().__init__(id="deck")
        self._cards = size
        self._chance = chance or random.Random()
        self.count = self._chance.randint(size // 4, size - size // 4)

    def on_mount(self) -> None:
        self._put(self.count)

    def on_click(self, event: events.Click) -> None:
        share = (event.x - self.LABEL + 0.5) / self.WIDTH
        self._put(round(share * self._cards) + self._chance.randint(-HAIR[1], HAIR[1]))

    def move(self, direction: int, widths: tuple[int, int]) -> None:
        """Make the packet thicker (1) or thinner (-1) by a number of cards between these two."""
        self._put(self.count + direction * self._chance.randint(*widths))

    def _put(self, count: int) -> None:
        self.count = max(1, min(self._cards - 1, count))
        packet = "█" * max(1, round(self.count / self._cards * self.WIDTH))
        self.update(
            Content.assemble(
                Content.styled("packet  ", "$on-felt-muted"), Content.styled(packet, "$back-edge"), "\n",
                Content.styled("deck    ", "$on-felt-muted"), Content.styled("░" * self.WIDTH, "$back-weave"),
            )
        )  # fmt: skip


class CutDialog(Question):
    """The dealer's cut (B1); dismissed with the number of cards in the packet."""

    OFFERED = (
        Command("hair-less", "left,h", "", "A hair less.", lambda at: at.move(-1, HAIR)),
        Command("hair-more", "right,l", "", "A hair more.", lambda at: at.move(1, HAIR)),
        Command("finger-less", "down,shift+left", "", "A finger less.", lambda at: at.move(-1, FINGER)),
        Command("finger-more", "up,shift+right", "", "A finger more.", lambda at: at.move(1, FINGER)),
        Command("cut", "enter,space", "", "Cut the deck here.", lambda at: at.cut()),
        *BETWEEN,
    )
    heading = "The dealer's cut"
    clause = "B1"
    quiet = Quiet.AT_FIRST

    def __init__(self, deck: int, facts: str, note: Note | None = None) -> None:
        """`facts`: what the cut is about."""
        super().__init__(name="cut")
        self.note = note
        self._deck, self._facts = deck, facts

    @property
    def hint(self) -> str:
        return self.consult_words

    def inside(self) -> ComposeResult:
        """The deck, and the keys that move the packet's edge."""
        yield Static(self._facts + "\n", id="question")
        yield Static(id="told")
        yield CutDeck(self._deck)
        less, more, finger_less, finger_more, cut = (command.shown for command in self.OFFERED[:5])
        keys = f"{less} {more} about a hair · {finger_more} {finger_less} about a finger · or click on the deck\n"
        yield Static(keys, classes="keys")
        yield ChoiceLine(0, Choice(cut, "Cut here", True))
        yield from self.note_part()

    def move(self, direction: int, width: tuple[int, int]) -> None:
        self.query_one(CutDeck).move(direction, width)

    def on_choice_line_chosen(self) -> None:
        self.run_command("cut")

    def cut(self) -> None:
        self.dismiss(self.query_one(CutDeck).count)


class AskLine(Dialog):
    """Asks for a line of text; dismissed with it, or with None."""

    OFFERED = (Command("answer-nothing", "escape", "", "Close it without an answer.", lambda at: at.dismiss(None)),)

    foot = f"enter confirms · {OFFERED[0].shown} cancels"
    takes_typing = True

    def __init__(self, title: str, text: str, usual: str, placeholder: str, *, name: str = "ask-line") -> None:
        super().__init__(name=name)
        self.heading, self._text, self._usual, self._placeholder = title, text, usual, placeholder

    def inside(self) -> ComposeResult:
        yield Static(self._text, id="question")
        yield Input(self._usual, placeholder=self._placeholder, id="line", compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value.strip() and self.is_live:
            self.dismiss(event.value.strip())


CHOSEN: Final = (OptionList.OptionSelected, Input.Submitted)


class FoundList(CommandList):
    """The commands found. Its lines follow its commands a moment later: what is meant for one that has gone is lost."""

    def on_click(self, event: events.Click) -> None:
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()

    def action_page_up(self) -> None:
        with suppress(LookupError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        with suppress(LookupError):
            super().action_page_down()  # type: ignore[no-untyped-call]


class Finder(CommandPalette, Overlay):
    """Finds a command by its name, or what a `provider` has, and runs it once it is closed."""

    def __init__(self, title: str = "What can be done now", provider: type[Provider] | None = None) -> None:
        super().__init__(None if provider is None else [provider], name="finder")
        self._title = title

    def compose(self) -> ComposeResult:
        """The same widgets, with a list that bears being hurried and a sign of one cell."""
        for widget in super().compose():
            if isinstance(widget, SearchIcon):
                widget.icon = "▸"  # one cell wide, and no emoji
            yield FoundList() if isinstance(widget, CommandList) else widget

    def on_mount(self) -> None:
        frame = self.query_one("#--container")
        frame.border_title, frame.border_subtitle = self._title, "enter does it · esc closes"

    def check_message_enabled(self, message: Message) -> bool:
        """Let nothing be chosen that came after it was closed: it would be run a second time."""
        return not (self.is_away and isinstance(message, CHOSEN)) and super().check_message_enabled(message)
