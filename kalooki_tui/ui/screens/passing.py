"""One screen between people who share the keyboard: what was thrown, who is to draw, a key for each person.

A person's key means that this person has come: in the own turn the hand opens, and nobody has called; otherwise the
person looks at the hand, and can call there. Who knows already what to do calls by the key of calls, then the own key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from math import ceil
from time import monotonic
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import BY_NAME, Command
from kalooki_tui.desk.table.prompt import Note
from kalooki_tui.ui.screens.question import BETWEEN, Question, Quiet
from kalooki_tui.ui.widgets.choices import Choice, ChoiceLine, answer_lines

#: How long a second of the clock is, and how many times in one it moves.
SECOND = 1.0
TICKS: Final = 10
CLOCK_WIDTH: Final = 40
COVER: Final = BY_NAME["cover"]
#: People up to whom each key is drawn three rows high.
MOST_LARGE: Final = 4
#: Rows of a terminal from which on all keys are.
HIGH: Final = 44
NOT_YET: Final = "Not yet: nobody is calling"
NOBODY_MAY: Final[Mapping[int, str]] = {}


class Doing(Enum):
    """What a key of the screen does."""

    OPEN = auto()
    """Opens the hand of the person whose turn it is; nobody calls."""
    WHO = auto()
    """Somebody calls, and the person's key says who; once more, and nobody does yet."""
    CALL = auto()
    NOBODY = auto()
    """Nobody calls, or looks."""
    LETS_GO = auto()
    """One person does not call, while others still may."""
    LOOK = auto()
    COVER = auto()
    """Covers the hand that was looked at."""
    WHEN = auto()
    """When people are to be asked about calls."""
    CHALLENGE = auto()
    UNDO = auto()
    GO_ON = auto()
    """Lets AI seats go on that wait."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """The answer: what, and by which seat."""

    doing: Doing
    seat: int = -1


class PassScreen(Question):
    """Names who is to come to the keyboard and what for; shows no hand. Dismissed with a `Pressed`.

    `people` are the keys drawn large, `beside` those of the same people beside them, `more` the lines below. `callers`
    are the people who may call, with what their keys do then. With `seconds` a clock runs, and when it has run out
    nobody has called.
    """

    OFFERED: ClassVar[tuple[Command, ...]] = BETWEEN
    quiet = Quiet.UNTIL_A_PAUSE

    def __init__(
        self,
        title: str,
        text: Content | str,
        people: Sequence[Choice],
        *,
        beside: Sequence[Choice] = (),
        more: Sequence[Choice] = (),
        callers: Mapping[int, str] = NOBODY_MAY,
        seconds: float | None = None,
        clause: str = "C2",
        note: Note | None = None,
        name: str = "callers",
    ) -> None:
        super().__init__(name=name, classes="passing")
        self.clause, self.note = clause, note
        self._title, self._text = title, text
        self._people, self._beside, self._more = tuple(people), tuple(beside), tuple(more)
        self.choices = (*self._people, *self._beside, *self._more)
        self._callers = callers
        self._is_calling = False
        """Whether the next key of a person calls."""
        self._lets_go: set[int] = set()
        """Who does not call, while others still may."""
        self._left = self._seconds = seconds
        self.stands: Callable[[], bool] = lambda: False
        """Whether the clock stands still, since the match is paused."""

    @property
    def keys(self) -> tuple[Choice, ...]:
        return self.choices

    @property
    def is_heard(self) -> bool:
        """Whether a key that is pressed now counts."""
        return self.hears(monotonic())

    @property
    def goes_on(self) -> str:
        """The key with which nobody calls or looks; empty where the clock alone says so."""
        wanted = (Doing.OPEN, Doing.NOBODY, Doing.LETS_GO)
        return next(
            (
                choice.key
                for choice in self.choices
                if choice.value.doing in wanted and choice.value.seat not in self._lets_go
            ),
            "",
        )

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as frame:
            frame.border_title = self._title
            yield Static(self._text, id="question")
            yield Static(id="told")
            if self._seconds is not None:
                yield Static(self._clock(), id="clock")
            size = "large" if len(self._people) <= MOST_LARGE or self.app.size.height >= HIGH else "wide"
            beside = {one.value.seat: (len(self._people) + place, one) for place, one in enumerate(self._beside)}
            for index, choice in enumerate(self._people):
                with Horizontal(classes="person"):
                    yield ChoiceLine(index, choice, size, live=False)
                    if choice.value.seat in beside:
                        yield ChoiceLine(
                            *beside[choice.value.seat], "short tall" if size == "large" else "short", live=False
                        )
            for place, choice in enumerate(self._more, len(self._people) + len(self._beside)):
                first = place == len(self._people) + len(self._beside)
                yield ChoiceLine(place, choice, "beneath" if first else "", live=False)
            yield from self.note_part()

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        self.give(self.choices[event.index], event.time)

    def give(self, choice: Choice, time: float) -> None:
        """Give an answer; who calls is asked for first, and who lets a card go waits for the others."""
        pressed: Pressed = choice.value
        if pressed.doing not in (Doing.WHO, Doing.LETS_GO):
            super().give(choice, time)
        elif self.hears(time) and pressed.doing is Doing.WHO:
            self._is_calling = not self._is_calling
            self._show_choices()
        elif self.hears(time):
            self._lets_go ^= {pressed.seat}
            if self._lets_go >= {*self._callers}:
                self.dismiss(Pressed(Doing.NOBODY))
            else:
                self._show_choices()

    def _show_choices(self) -> None:
        people = [self._calling(one) if self._is_calling else one for one in self._people]
        beside = [replace(one, text="no call") if one.value.seat in self._lets_go else one for one in self._beside]
        more = [replace(one, text=NOT_YET) if self._waits_for(one) else one for one in self._more]
        self.choices = (*people, *beside, *more)
        for line in self.query(ChoiceLine):
            line.show_choice(self.choices[line.index])

    def _calling(self, choice: Choice) -> Choice:
        """A person's key once somebody calls: it says who; whoever may not call takes it back by the own key."""
        seat = choice.value.seat
        if seat in self._callers:
            words = Content.styled(self._callers[seat], "bold $gold")
            return replace(choice, text=words, value=Pressed(Doing.CALL, seat))
        return replace(choice, text=NOT_YET, value=Pressed(Doing.WHO))

    def _waits_for(self, choice: Choice) -> bool:
        """Whether it is the line by which somebody has said that a call comes."""
        return self._is_calling and choice.value.doing is Doing.WHO

    def on_mount(self) -> None:
        if self._seconds is not None:
            self.set_interval(SECOND / TICKS, self._tick)

    def _tick(self) -> None:
        """A moment has passed; it counts while the screen is to be seen and hears its keys."""
        if not self.is_live or self.stands() or self._left is None or monotonic() < self._hears_from:
            return
        self._left -= 1 / TICKS
        if self._left <= 0:
            self.dismiss(Pressed(Doing.NOBODY))
        else:
            self.query_one("#clock", Static).update(self._clock())

    def _clock(self) -> Content:
        left, whole = self._left or 0.0, self._seconds or 1.0
        full = max(1, round(left / whole * CLOCK_WIDTH))
        return Content.assemble(
            Content.styled("█" * full, "$gold"), Content.styled("░" * (CLOCK_WIDTH - full), "$on-felt-muted"),
            f" {ceil(left)} s to call{', once the match goes on' if self.stands() else ''}\n",
        )  # fmt: skip


class LookDialog(Question):
    """Lies above an open hand while its person looks at it, out of turn; dismissed with a `Pressed`."""

    OFFERED = (
        *BETWEEN,
        # At the table its key covers a hand, too.
        Command("cover-look", f"escape,{COVER.keys}", "", "Cover the hand again.",
                lambda at: at.dismiss(Pressed(Doing.COVER))),
    )  # fmt: skip
    quiet = Quiet.UNTIL_A_PAUSE
    is_beside = True

    def __init__(self, title: str, text: Content | str, choices: Sequence[Choice]) -> None:
        super().__init__(name="peek", classes="peek")
        self._title, self._text = title, text
        self.choices = tuple(choices)

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        self.give(self.choices[event.index], event.time)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as frame:
            frame.border_title, frame.border_subtitle = self._title, self.foot
            yield Static(self._text, id="question")
            yield Static(id="told")
            yield from answer_lines(self.choices, self.app.size.width, beside=True, live=False)
