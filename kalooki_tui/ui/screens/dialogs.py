"""Questions over the table. Each is answered by a key, or by a click on the line that names it."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import DOMQuery
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from kalooki_tui.desk.commands import BY_NAME, Command
from kalooki_tui.ui.commands import Commanded
from kalooki_tui.ui.playing.people import INK
from kalooki_tui.ui.screens.base import Dialog, Shown
from kalooki_tui.ui.screens.beside import Beside
from kalooki_tui.ui.screens.consulting import BETWEEN, Consults
from kalooki_tui.ui.screens.unasked import Unasked
from kalooki_tui.ui.widgets.wrapping import in_rows
from kalooki_tui.values import dataclass

if TYPE_CHECKING:
    from kalooki_tui.desk.notes import Note

#: Keys of answers that have none of their own, in turn; those that open rules and scores are not among them.
ANSWER_KEYS: Final = "123456789abcdefghjklmnopqrtuvwxyz"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: the key that gives it, its words, and what it is worth to who asked."""

    key: str
    text: str | Content
    value: Any
    shown: str = ""
    """The key as it is printed, where that is not its name."""
    tell: Callable[[], Awaitable[str]] | None = None
    """What to say when it is chosen: then the question stays open, and `value` is not looked at."""
    ground: str = ""
    """The colour under the key; empty: that of all keys."""


def numbered(answers: Iterable[tuple[str, Any]]) -> list[Choice]:
    """Answers with keys in turn: their words and what each is worth."""
    return [Choice(key, words, value) for key, (words, value) in zip(ANSWER_KEYS, answers, strict=False)]


def by_command(
    name: str, text: str, value: Any, *, beside: str = "", tell: Callable[[], Awaitable[str]] | None = None
) -> Choice:
    """An answer on the key of one of the table's commands; on its usual one where the player's is one of `beside`."""
    command = BY_NAME[name]
    usual = command.keys.partition(",")[0]
    return Choice(usual if command.key in beside else command.key, text, value, tell=tell)


class ChoiceLine(Static):
    """An answer on a line of its own."""

    @dataclass
    class Chosen(Message):
        """It was clicked."""

        index: int

    def __init__(self, index: int, choice: Choice, look: str = "", *, live: bool = True) -> None:
        """Not `live`: its key does not count yet, and does not look as if it did."""
        self._choice, self._wide = choice, look in ("large", "wide")
        super().__init__(_with_key(choice, wide=self._wide, live=live), classes=f"choice {look}")
        self.index = index

    def show_live(self, *, live: bool) -> None:
        """Draw the key so that it is seen whether it counts."""
        self.update(_with_key(self._choice, wide=self._wide, live=live))

    def show_choice(self, choice: Choice) -> None:
        """Show other words."""
        self.update(_with_key(choice))

    def on_click(self) -> None:
        """Answer."""
        self.post_message(self.Chosen(self.index))


#: Columns of a frame that are not for its words.
FRAME: Final = 6


def answer_lines(
    choices: Sequence[Choice], width: int, *, beside: bool, first: int = 0, live: bool = True
) -> ComposeResult:
    """A line for each answer; where rows are scarce, as many beside one another as there is room for."""
    if not beside:
        for index, choice in enumerate(choices, first):
            yield ChoiceLine(index, choice, live=live)
        return
    widths = [_with_key(choice).cell_length + 2 for choice in choices]
    for row in in_rows(widths, width - FRAME):
        with Horizontal(classes="answers"):
            for place in row:
                yield ChoiceLine(first + place, choices[place], "short", live=live)


def _with_key(choice: Choice, *, wide: bool = False, live: bool = True) -> Content:
    shown = choice.shown or choice.key
    colours = f"{INK} on {choice.ground}" if choice.ground else "$felt-deep on $gold"
    ink = f"bold {colours}" if live else "$on-felt-muted on $felt-raised"
    key = Content.styled(f"    {shown}    " if wide else f" {shown} ", ink)
    return Content.assemble(key, "  ", choice.text)


#: Through the lines of a menu, and the one that is marked.
MENU: Final = (
    Command("line-up", "up,left,shift+tab", "", "To the line above.", lambda at: at.go(-1)),
    Command("line-down", "down,right,tab", "", "To the line below.", lambda at: at.go(1)),
    Command("take", "enter,space", "", "Choose the marked line.", lambda at: at.take(at.current)),
)


class Menu(Commanded):
    """Mixed into a screen: lines one of which is marked, each taken by its key, by enter or by a click."""

    current = 0

    def take(self, index: int) -> None:
        """Do what a line says."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Mark the line that enter takes."""
        self.mark()

    def go(self, step: int) -> None:
        """To another line."""
        self.current = (self.current + step) % max(1, len(self.lines))
        self.mark()

    def mark(self) -> None:
        """Show which line enter takes."""
        for line in self.lines:
            line.set_class(line.index == self.current, "-current")
            if line.index == self.current:
                line.scroll_visible(animate=False)

    @property
    def lines(self) -> DOMQuery[ChoiceLine]:
        """The lines."""
        return cast("Screen[Any]", self).query(ChoiceLine)

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        """Take the line clicked."""
        if self.is_live:
            self.take(event.index)


class Answered(Shown):
    """Mixed into a dialog: each answer is given by its key, and some only tell something and leave it open."""

    _choices: tuple[Choice, ...] = ()

    @property
    def heard(self) -> Collection[str]:
        """The commands it hears, but for those whose keys give answers."""
        keys = {choice.key for choice in self._choices}
        offered = {command.name: command.key for command in getattr(self, "OFFERED", ())}
        return [name for name in super().heard if offered[name] not in keys]  # type: ignore[misc]

    def on_key(self, event: events.Key) -> None:
        """Give the answer of a key."""
        for choice in self._choices:
            if choice.key in (event.key, event.character):
                event.stop()
                self._give(choice, event.time)
                return

    def _hears(self, time: float) -> bool:
        """Whether a key or a click of this time counts."""
        return self.is_live

    def _give(self, choice: Choice, time: float) -> None:
        if not self._hears(time):
            return
        dialog = cast("Screen[Any]", self)
        if choice.tell is None:
            dialog.dismiss(choice.value)
        else:
            dialog.run_worker(partial(self._tell, choice.tell), exclusive=True)  # type: ignore[arg-type]

    async def _tell(self, tell: Callable[[], Awaitable[str]]) -> None:
        words = await tell()
        if not self.is_here:
            return
        dialog = cast("Screen[Any]", self)
        told = dialog.query_one("#told", Static)
        told.display = bool(words)
        if isinstance(self, Beside) and self.is_beside:
            # Rows are scarce there: what is told stands in the question's place.
            told.update(words)
            dialog.query_one("#question").display = not words
            self.lie_down()
        else:
            told.update(f"{words}\n")


class Ask(Unasked, Answered, Menu, Consults, Beside, Dialog):
    """A question with a few answers; dismissed with the answer's value, or None where `escape` may close it.

    Where it is `unasked` it comes by itself, at any time.
    """

    OFFERED = (
        *MENU,
        Command("answer-nothing", "escape", "", "Close it without an answer.", lambda at: at.close()),
        *BETWEEN,
    )
    NAMED = BETWEEN[:4]

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
    ) -> None:
        super().__init__(name=name, classes=name)
        self.comes_by_itself = unasked
        self.is_beside = beside
        self.clause, self.note = clause, note
        self._title, self._text = title, text
        self._choices = tuple(choices)
        self.current = current
        self._may_close = may_close
        self._extra = tuple(extra)

    def compose(self) -> ComposeResult:
        """A frame with the question and a line for each answer."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = self._title
            closes = f"{self.OFFERED[len(MENU)].shown} closes" if self._may_close else ""
            frame.border_subtitle = " · ".join(filter(None, (closes, self.consult_words)))
            yield Static(self._text, id="question", markup=False)
            yield Static(id="told", markup=False)
            yield from self._extra
            with VerticalScroll(id="choices"):
                yield from answer_lines(self._choices, self.app.size.width, beside=self.is_beside)
            yield from self.note_part()

    def take(self, index: int) -> None:
        """Give an answer."""
        if self._choices:
            self._give(self._choices[index], monotonic())

    def close(self) -> None:
        """Answer nothing, where that is an answer."""
        if self._may_close:
            self.dismiss(None)


def confirm(title: str, text: str, yes: str, no: str, clause: str = "") -> Ask:
    """A question answered by yes (True) or no (False), no being the careful answer."""
    return Ask(
        title,
        text,
        (Choice("y", yes, True), Choice("n", no, False)),
        current=1,
        may_close=True,
        clause=clause,
    )


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
        """Draw it."""
        self._put(self.count)

    def on_click(self, event: events.Click) -> None:
        """Put the packet's edge about there."""
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


class CutDialog(Unasked, Consults, Dialog):
    """The dealer's cut (B1); dismissed with the number of cards in the packet."""

    OFFERED = (
        Command("hair-less", "left,h", "", "A hair less.", lambda at: at.move(-1, HAIR)),
        Command("hair-more", "right,l", "", "A hair more.", lambda at: at.move(1, HAIR)),
        Command("finger-less", "down,shift+left", "", "A finger less.", lambda at: at.move(-1, FINGER)),
        Command("finger-more", "up,shift+right", "", "A finger more.", lambda at: at.move(1, FINGER)),
        Command("cut", "enter,space", "", "Cut the deck here.", lambda at: at.cut()),
        *BETWEEN,
    )
    NAMED = BETWEEN[:4]
    clause = "B1"

    def __init__(self, name: str, deck: int, seats: int, cards: int, bonus: int, note: Note | None = None) -> None:
        super().__init__(name="cut")
        self.note = note
        self._deck = deck
        self._facts = (
            f"{name}, you deal: cut the deck. A packet of exactly the cards this deal hands out, "
            f"{cards} to each of {seats} seats, scores you {bonus}."
        )

    def compose(self) -> ComposeResult:
        """The deck, and the keys that move the packet's edge."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = "The dealer's cut"
            frame.border_subtitle = self.consult_words
            yield Static(self._facts + "\n", id="question", markup=False)
            yield CutDeck(self._deck)
            less, more, finger_less, finger_more, cut = (command.shown for command in self.OFFERED[:5])
            keys = f"{less} {more} about a hair · {finger_more} {finger_less} about a finger · or click on the deck\n"
            yield Static(keys, classes="keys")
            yield ChoiceLine(0, Choice(cut, "Cut here", True))
            yield from self.note_part()

    def move(self, direction: int, width: tuple[int, int]) -> None:
        """Move the packet's edge."""
        self.query_one(CutDeck).move(direction, width)

    def on_choice_line_chosen(self) -> None:
        """Cut there."""
        self.run_command("cut")

    def cut(self) -> None:
        """Cut there."""
        self.dismiss(self.query_one(CutDeck).count)
