"""Questions over a table, quiet at first, with rules and scores to consult; pages, a line of text, the palette."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from math import ceil
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final

from msgspec.structs import replace
from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette, Provider, SearchIcon
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static

from kalooki_tui.cards import Faces
from kalooki_tui.presenter.commands import BY_NAME, CONSENT, HAND, MELDS, Command
from kalooki_tui.tui.overlays import Layer
from kalooki_tui.tui.screens.base import MENU, Dialog, GameScreen, hanging
from kalooki_tui.tui.widgets.choices import Choice, ChoiceLine, answer_lines, note_keys

if TYPE_CHECKING:
    from kalooki_tui.engine.match import Match
    from kalooki_tui.presenter.prompts import Note
    from kalooki_tui.tui.game_app import GameApp
    from kalooki_tui.tui.screens.table import TableScreen


def beneath(command: Command) -> Command:
    """Make a table's command one that a question over it gives."""
    return replace(command, run=lambda at: at.ask_table(command.run), why=lambda at: at.ask_table(command.why))


#: Commands of the table that its questions have too, by the same keys; the last one where a note is shown.
CONSULT: Final = (BY_NAME["rules"], beneath(BY_NAME["scores"]), BY_NAME["note-away"])
#: Those of questions that come by themselves too: nobody has to open a hand, or to answer, to leave the match, or to
#: take back what led to the question.
BETWEEN: Final = (
    *CONSULT[:2], beneath(BY_NAME["help"]), beneath(BY_NAME["quit"]), CONSULT[2],
    replace(beneath(BY_NAME["seats"]), why=lambda at: None),
    replace(BY_NAME["undo"], run=lambda at: at.take_back(), why=lambda at: None),
    *map(beneath, CONSENT),
)  # fmt: skip
#: Columns of a note in the narrowest question.
WIDTH: Final = 58
#: Seconds after which a question that comes by itself hears its keys.
QUIET_SECONDS = 0.5
#: The part of them that must pass without a key where a stream of keys is not heard until it pauses: what was typed
#: before the question came opens no hand and denies no call.
PAUSE: Final = 0.6
MOMENT: Final = 0.02
#: How long a second of a clock is, and how many times in one it moves.
SECOND = 1.0
TICKS: Final = 10


class Clock:
    """Clock on a screen, which stands still while `stands`; `tell` is called whenever it has moved."""

    def __init__(
        self, screen: GameScreen, seconds: float, stands: Callable[[], bool], tell: Callable[[], None]
    ) -> None:
        self.left = self._whole = seconds
        self._stands, self._tell = stands, tell
        self._timer: Timer = screen.set_interval(SECOND / TICKS, self.tick)

    def tick(self) -> None:
        if not self._stands():
            self.left = max(0.0, self.left - 1 / TICKS)
            self._tell()

    def stop(self) -> None:
        self._timer.stop()

    def bar(self, width: int) -> tuple[str, str]:
        """Return a bar of `width` cells: what is left, and what has passed."""
        full = max(1, round(self.left / self._whole * width))
        return "█" * full, "░" * (width - full)


class QuietPeriod(Enum):
    """Keys and clicks that a question does not hear at first: those meant for what lay there before."""

    NEVER = auto()
    """Answers a key, and hears the next one at once."""
    AT_FIRST = auto()
    """Comes by itself."""
    UNTIL_A_PAUSE = auto()
    """Comes by itself, and hears nothing as long as what was typed ahead or pasted goes on coming."""


class QuestionDialog(Dialog):
    clause = ""
    note: Note | None = None
    choices: tuple[Choice, ...] = ()
    is_beside = False
    """Whether it lies between the table and the hand: melds, piles, log and hand stay in sight."""
    quiet = QuietPeriod.NEVER
    is_back = False
    """Whether it comes back by the key of a person who has seen it, and hears the next key at once."""
    seconds = 0.0
    """Time to answer; 0: as long as it takes."""
    clock: Clock
    _hears_from = 0.0

    # The clock

    def waits(self) -> bool:
        table = self.app.table
        return table is not None and table.session.waits

    def stands(self) -> bool:
        return self.waits()

    def show_time(self) -> None:
        self._frame.border_subtitle = " · ".join(filter(None, (f"{ceil(self.clock.left)} s left", self.hint)))

    # Answers

    @property
    def heard(self) -> Collection[str]:
        """Commands it hears: a table's only where there is one, and none whose keys give answers."""
        keys = {choice.key for choice in self.choices}
        beneath = () if self.consulted is not None else {command.name for command in BETWEEN}
        unheard = {*beneath, *(("undo", "seats") if self.quiet is QuietPeriod.NEVER else ())}
        return [one.name for one in self.OFFERED if one.key not in keys and one.name not in unheard]

    def on_key(self, event: events.Key) -> None:
        """Give the answer of a key; where one is pressed too early, wait for a pause."""
        if self.quiet is QuietPeriod.UNTIL_A_PAUSE and event.time < self._hears_from:
            self._hears_from = max(self._hears_from, event.time + QUIET_SECONDS * PAUSE)
        for choice in self.choices:
            if choice.key in (event.key, event.character):
                event.stop()
                self.give(choice, event.time)
                return

    def take(self, index: int) -> None:
        self.give(self.choices[index], monotonic())

    def give(self, choice: Choice, time: float) -> None:
        """Give an answer by a key or a click of that time; some only tell something and leave the question open."""
        if not self.hears(time):
            return
        if choice.tell is None:
            self.dismiss(choice.value)
        else:
            self.run_worker(self._answer_with(choice.tell, choice.value), exclusive=True)

    async def _answer_with(self, tell: Callable[[], Awaitable[str]], value: Any) -> None:
        words = await tell()
        if words or value is None:
            self.tell(words)
        elif self.is_here:
            self.dismiss(value)

    def tell(self, words: str) -> None:
        if not self.is_here:
            return
        told = next(iter(self.query("#told").results(Static)), None)
        if told is None:
            self.notify(words)
            return
        told.display = bool(words)
        told.update(words if self.is_beside else f"{words}\n")
        self.lie_down()

    # Quiet at first

    def hears(self, time: float) -> bool:
        return self.is_live and time >= self._hears_from

    def on_screen_resume(self) -> None:
        """Begin to listen, or go on since a key has closed what lay over it. A slow machine draws it late."""
        if self.quiet is QuietPeriod.NEVER:
            return
        if self.is_back:
            self.call_after_refresh(self._wake)
            return
        self.is_back = True
        if self.quiet is QuietPeriod.AT_FIRST:
            self._listen()
        else:
            self._hears_from = float("inf")
            self._show_live(live=False)
        self.call_after_refresh(self._listen)

    def _listen(self) -> None:
        self._hears_from = monotonic() + QUIET_SECONDS
        if self.quiet is QuietPeriod.UNTIL_A_PAUSE:
            self._wake()

    def _wake(self) -> None:
        """Show that keys count as soon as they do; never, if something comes over it first."""
        left = self._hears_from - monotonic()
        if self.is_live and left <= 0:
            self._show_live(live=True)
        elif self.is_live and left <= QUIET_SECONDS:
            self.set_timer(left + MOMENT, self._wake)

    def _show_live(self, *, live: bool) -> None:
        for line in self.query(ChoiceLine):
            line.show_live(live=live)

    def action_command(self, name: str) -> None:
        """Run a command unless its key was meant for what lay here before."""
        if self.quiet is QuietPeriod.NEVER or self.hears(monotonic()):
            super().action_command(name)

    def run_found(self, name: str) -> None:
        """Run it at once: what was chosen in the palette was meant for the question it lay over."""
        if self.is_live:
            super().action_command(name)

    # Rules and scores, closing which leads back to the question

    @property
    def consulted(self) -> TableScreen | None:
        """Table beneath; None where there is none, or nothing may come over what lies there."""
        overlays = self.app.overlays
        if overlays.lies(Layer.LEAVING) or overlays.lies(Layer.FAULT):
            return None
        return self.app.table

    @property
    def consult_words(self) -> str:
        """Keys of rules and scores for the foot of a page, which covers the table's; empty without a table."""
        if self.consulted is None:
            return ""
        return " · ".join(f"{command.shown} {command.label.lower()}" for command in CONSULT[:2])

    def show_rules(self) -> None:
        if self.consulted is not None:
            self.consulted.consult_rules(self.clause if self.note is None else self.note.clause)

    def ask_table(self, what: Callable[[TableScreen], Any]) -> Any:
        return None if self.consulted is None else what(self.consulted)

    def take_back(self) -> None:
        if self.consulted is not None and self.quiet is not QuietPeriod.NEVER:
            self.tell(self.consulted.client.undo(self.consulted.state.seat))

    # The note

    def note_part(self) -> ComposeResult:
        if self.note is not None:
            # Broken here, so that the keys stay together.
            words = hanging(f"■ {self.note.text} {note_keys()}", 2, WIDTH)
            yield Static(words.replace("\N{NO-BREAK SPACE}", " "), classes="note")

    def close_note(self) -> None:
        self._see_note()
        for part in self.query(".note"):
            part.display = False

    def _see_note(self) -> None:
        if self.note is not None and self.consulted is not None:
            self.consulted.beside.see(self.note.name)
        self.note = None

    def dismiss(self, result: Any = None) -> AwaitComplete:
        self._see_note()
        return super().dismiss(result)

    # Between the table and the hand

    @on(events.Resize)
    def lie_down(self) -> None:
        """Find the place, whenever the frame's height or the terminal's size may have changed."""
        table = self._beneath
        if not self.is_beside or table is None:
            return
        self.add_class("beside")
        self._frame.styles.margin = (0, 0, table.make_room(None), 0)
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        table = self._beneath
        if table is not None and self.is_mounted and not self.is_away:
            table.make_room(self._frame.outer_size.height)

    @property
    def _frame(self) -> Vertical:
        return self.query_one(".dialog", Vertical)

    @property
    def _beneath(self) -> GameScreen | None:
        return next((one for one in reversed(self.app.overlays.below) if one.is_here), None)

    def on_mount(self) -> None:
        if self.seconds:
            self.clock = Clock(self, self.seconds, self.stands, self.show_time)
            self.show_time()
        self.lie_down()

    def put_away(self) -> None:
        table = self._beneath
        if self.is_beside and table is not None:
            # A table that is being closed has lost its widgets already.
            with suppress(NoMatches):
                table.make_room(0)
        super().put_away()


#: Columns of a screen on which two pages' width of text stand side by side.
TWO_PAGES: Final = 150


def closing(opener: str = "", *keys: str) -> Command:
    """Make the command that closes a page; the key of the command that opened it does so too."""
    also = "".join(f",{key}" for key in (*([BY_NAME[opener].keys] if opener else ()), *keys))
    return Command("close", f"escape,q,enter{also}", "Close", "Close this page.", lambda at: at.dismiss(None))


class Page(QuestionDialog):
    """Page; a subclass has a `heading`, commands, and yields its `parts`."""

    OFFERED: ClassVar[tuple[Command, ...]] = (closing(),)
    has_scroll_keys: ClassVar[bool] = True
    """Whether the arrow keys scroll the page; not where they choose something on it."""

    @property
    def hint(self) -> str:
        return f"{self.OFFERED[0].shown} closes"

    def parts(self) -> ComposeResult:
        raise NotImplementedError

    def inside(self) -> ComposeResult:
        with VerticalScroll(can_focus=self.has_scroll_keys):
            yield from self.parts()


class LinesPage(Page):
    """Lines to read, oldest first: why AI seats moved as they did, what happened in the last round."""

    OFFERED = (closing("last-round", "w"),)

    def __init__(self, heading: str, lines: Sequence[str]) -> None:
        super().__init__(name="lines")
        self.heading, self._lines = heading, tuple(lines)

    def parts(self) -> ComposeResult:
        yield Static("\n".join(hanging(line, 2) for line in self._lines))


def rows_of(blocks: Sequence[Content]) -> int:
    return sum(len(block.plain.splitlines()) + 1 for block in blocks)


def in_columns(blocks: Sequence[Content]) -> tuple[list[Content], list[Content]]:
    heights = [rows_of([block]) for block in blocks]
    split = min(range(len(blocks) + 1), key=lambda place: (abs(sum(heights[:place]) - sum(heights[place:])), -place))
    return list(blocks[:split]), list(blocks[split:])


#: Answers of a question that decide something; further lines tell more.
MAIN_ANSWERS: Final = 2
#: Columns of a question whose answers have two lines, and what of them is not for words: frame, edges, key, scroll bar.
ROOMY: Final = 120
ROOMY_EDGES: Final = 16


def roomy_width(width: int) -> int:
    """Return the columns for an answer's words in a roomy question, on a screen of that width."""
    return min(ROOMY, width) - ROOMY_EDGES


class ChoiceDialog(QuestionDialog):
    """Question with a few answers; dismissed with the answer's value, or None where `escape` may close it.

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
        clause: str = "",
        note: Note | None = None,
        name: str = "question",
        beside: bool = False,
        unasked: bool = False,
        roomy: bool = False,
    ) -> None:
        """`roomy`: as wide and high as may be, for answers of two lines."""
        super().__init__(name=name, classes=f"{name} roomy" if roomy else name)
        self.quiet = QuietPeriod.AT_FIRST if unasked else QuietPeriod.NEVER
        self.is_beside = beside
        self.clause, self.note = clause, note
        self.heading, self.text = title, text
        self.choices = tuple(choices)
        self.current = current
        self._may_close = may_close

    @property
    def hint(self) -> str:
        return f"{self.OFFERED[len(MENU)].shown} closes" if self._may_close else self.foot

    def inside(self) -> ComposeResult:
        yield Static(self.text, id="question")
        yield Static(id="told")
        is_live = self.quiet is not QuietPeriod.UNTIL_A_PAUSE
        with VerticalScroll(id="choices"):
            yield from answer_lines(self.choices, self.app.size.width, beside=self.is_beside, live=is_live)
        yield from self.note_part()

    def take(self, index: int) -> None:
        """Give an answer; none is marked at first where enter may have been meant for what lay there before."""
        if index < 0:
            keys = " or ".join(choice.key for choice in self.choices[:MAIN_ANSWERS])
            self.tell(f"Press {keys}, or mark an answer with the arrows.")
        elif self.choices:
            super().take(index)

    def close(self) -> None:
        if self._may_close:
            self.dismiss(None)


def confirm(title: str, text: str, yes: str, no: str, clause: str = "") -> ChoiceDialog:
    """Ask for yes (True) or no (False), no being the careful answer."""
    answers = (Choice("y", yes, True), Choice("n", no, False))
    return ChoiceDialog(title, text, answers, current=1, may_close=True, clause=clause)


#: Cards, at least and at most, by which a packet grows or shrinks at once.
HAIR: Final = (1, 4)
FINGER: Final = (7, 14)
#: How thick the packet looks beside the deck, at least and at most.
NEARNESS: Final = (1.0, 1.4)


class CutDeck(Static):
    """Deck from its side and the packet lifted off it: thickness, no number, and no steps to be counted (B1).

    Where the packet begins is drawn, every movement is of a width drawn anew, and a cell is thicker than a card. Nor
    can cells be counted and set against the deck's: the packet is seen from nearer than the deck, and how much nearer
    is drawn; one that is almost as thick looks as thick.
    """

    WIDTH = 48
    LABEL = 8

    def __init__(self, size: int, chance: random.Random | None = None) -> None:
        super().__init__(id="deck")
        self._cards = size
        self._chance = chance or random.Random()
        self.count = self._chance.randint(size // 4, size - size // 4)
        self._nearness = self._chance.uniform(*NEARNESS)

    def on_mount(self) -> None:
        self._put(self.count)

    def on_click(self, event: events.Click) -> None:
        share = (event.x - self.LABEL + 0.5) / self.WIDTH
        self._put(round(share / self._nearness * self._cards) + self._chance.randint(-HAIR[1], HAIR[1]))

    def move(self, direction: int, widths: tuple[int, int]) -> None:
        """Make the packet thicker (1) or thinner (-1) by a number of cards between these two."""
        self._put(self.count + direction * self._chance.randint(*widths))

    def _put(self, count: int) -> None:
        self.count = max(1, min(self._cards - 1, count))
        packet = "█" * max(1, min(self.WIDTH, round(self.count / self._cards * self.WIDTH * self._nearness)))
        self.update(
            Content.assemble(
                Content.styled("packet  ", "$on-felt-muted"), Content.styled(packet, "$back-edge"), "\n",
                Content.styled("deck    ", "$on-felt-muted"), Content.styled("░" * self.WIDTH, "$back-weave"),
            )
        )  # fmt: skip


class CutDialog(QuestionDialog):
    """Dealer's cut (B1); dismissed with the number of cards in the packet."""

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
    quiet = QuietPeriod.AT_FIRST

    def __init__(self, deck: int, facts: str, note: Note | None = None) -> None:
        super().__init__(name="cut")
        self.note = note
        self._deck, self._facts = deck, facts

    @property
    def hint(self) -> str:
        return self.consult_words

    def inside(self) -> ComposeResult:
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

    def take(self, index: int) -> None:
        self.run_command("cut")

    def cut(self) -> None:
        self.dismiss(self.query_one(CutDeck).count)


class AskLine(Dialog):
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
    """List of commands. Its lines follow its commands a moment later: what is meant for one that has gone is lost."""

    def on_click(self, event: events.Click) -> None:
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()

    def action_page_up(self) -> None:
        with suppress(LookupError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        with suppress(LookupError):
            super().action_page_down()  # type: ignore[no-untyped-call]


class Finder(CommandPalette, GameScreen):
    """Command palette, or what a `provider` has; a command runs once it is closed."""

    lies_over = True

    def __init__(self, title: str = "What can be done now", provider: type[Provider] | None = None) -> None:
        super().__init__(None if provider is None else [provider], name="finder")
        self._title = title

    def compose(self) -> ComposeResult:
        """Replace the list by one that bears being hurried, and the sign by one of one cell."""
        for widget in super().compose():
            if isinstance(widget, SearchIcon):
                widget.icon = "▸"  # one cell wide, and no emoji
            yield FoundList() if isinstance(widget, CommandList) else widget

    def on_mount(self) -> None:
        frame = self.query_one("#--container")
        frame.border_title, frame.border_subtitle = self._title, "enter does it · esc closes"

    def check_message_enabled(self, message: Message) -> bool:
        """Let nothing be chosen after it was closed: it would be run a second time."""
        return not (self.is_away and isinstance(message, CHOSEN)) and super().check_message_enabled(message)


def moving(faces: Faces) -> tuple[tuple[str, str], ...]:
    """Return what keys inside the hand and the melds do, with those that the player has chosen."""
    numbers = faces.has_numbers
    key = {command.name: command.shown for command in (*HAND, *MELDS)}
    return (
        (f"{key['card-left']} {key['card-right']}", "Move among the cards; up and down where there are rows."),
        (key["choose-card"], "Choose the card under the cursor, or undo the choice."),
        (f"{key['card-to-left']} {key['card-to-right']}", "Move the card under the cursor; or drag it."),
        (
            "2-9 A" if numbers else "2-9 A J Q K",
            f"Go to the next card of that rank; 0 is the ten,{' 1 2 a 12,' if numbers else ''} * the joker.",
        ),
        ("tab", "Go from the hand to the melds and back."),
        (f"{key['meld-before']} {key['meld-after']}", "Move among the melds while they have the focus."),
        (key["choose-meld"], "Choose the meld under the cursor; enter does the same, for cards too."),
        ("ctrl+p f2", "Find a command by its name."),
    )


class HelpScreen(Page):
    OFFERED = (closing("help"),)
    heading = "Keys"

    def __init__(self, commands: Mapping[str, Sequence[Command]], moving: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(name="help")
        self._commands, self._moving = commands, moving

    def parts(self) -> ComposeResult:
        blocks = [_block(head, [(one.shown, one.sentence) for one in some]) for head, some in self._commands.items()]
        told = "Everything can be clicked."
        if self._moving:
            blocks.append(_block("Inside the hand and the melds", self._moving))
            told = f"A grey command is not allowed now: press it, and it says why.\n{told}"
        blocks.append(Content(told))
        columns = in_columns(blocks) if self.app.size.width >= TWO_PAGES else (blocks,)
        with Horizontal(classes="columns"):
            for column in columns:
                yield Static(Content("\n").join(column))


def _block(heading: str, lines: Sequence[tuple[str, str]]) -> Content:
    rows = [Content.assemble((f"  {keys:<13}", "bold"), hanging(told, 15), "\n") for keys, told in lines]
    return Content("").join([Content.styled(f"{heading}\n", "bold $gold"), *rows])


def ask_file(title: str, text: str, usual: str) -> AskLine:
    return AskLine(title, f"{text} (in {Path.cwd()}):", usual, "file name", name="ask-file")


def ask_for_position(app: GameApp, match: Match, moment: str) -> None:
    """Write where a match stands to a file that the person names."""

    def named(name: str) -> None:
        from kalooki_tui.positions.position_files import position_text
        from kalooki_tui.storage.files import StoreError, named_file

        with app.telling(StoreError, ValueError):
            text = position_text(match, f"{match.rules.ruleset.name}, {moment}")
            with named_file(name) as stream:
                stream.write(text.encode())
            app.notify(f"{name}: kalooki play plays on from there.", title="Written")

    usual = f"{match.rules.ruleset.id}-{moment.replace(' ', '-')}.yaml"
    app.overlays.choose(ask_file("A position", "Write this moment, with all cards, to the file", usual), named)
