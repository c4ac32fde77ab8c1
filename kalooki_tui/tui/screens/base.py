"""Base of all screens: their commands, input only while they lie on top, a notice where there is no room."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual import events, getters
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from kalooki_tui.presenter.commands import Command, in_footer, not_open
from kalooki_tui.tui import routes
from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.widgets.choices import ChoiceLine
from kalooki_tui.tui.widgets.command_bar import CommandBar, FooterKey, bindings

if TYPE_CHECKING:
    from kalooki_tui.engine.refusals import Refusal
    from kalooki_tui.tui.overlays import Layer, Then
    from kalooki_tui.tui.screens.tabletop import Motion

SMALLEST: Final = Size(80, 24)
#: What stands in the place of everything where there is no room to play.
TOO_SMALL: Final = (
    f"Kalooki needs {SMALLEST.width} columns and {SMALLEST.height} rows.\nThis terminal has {{}} and {{}}.\n\n"
    "Make it larger to go on: nothing is lost.\nOr play in lines of text: kalooki play --plain"
)
#: Columns of a page of text in a dialog.
PAGE: Final = 68
INPUT: Final = (events.InputEvent, events.Paste)
#: Through the lines of a menu, and the one that is marked.
MENU: Final = (
    Command("line-up", "up,left,shift+tab", "", "To the line above.", lambda at: at.go(-1)),
    Command("line-down", "down,right,tab", "", "To the line below.", lambda at: at.go(1)),
    Command("take", "enter,space", "", "Choose the marked line.", lambda at: at.take(at.current)),
)
NO_LINE: Final = -1


def size_classes(app: GameApp) -> dict[str, bool]:
    """Return the classes of the terminal's size, each with whether it is in force."""
    found: dict[str, bool] = {}
    size = app.size
    for length, points in ((size.width, app.HORIZONTAL_BREAKPOINTS), (size.height, app.VERTICAL_BREAKPOINTS)):
        in_force = max((least for least, _ in points or () if least <= length), default=None)
        found |= {name: least == in_force for least, name in points or ()}
    return found


class ScreenCommands(Provider):
    """Commands of a screen in the command palette. Their words name no card of a hand."""

    async def discover(self) -> Hits:
        for command, run in self._commands:
            yield DiscoveryHit(self._title(command), run, help=command.sentence)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command, run in self._commands:
            score = matcher.match(f"{command.label} {command.sentence}")
            if score > 0:
                yield Hit(score, matcher.highlight(self._title(command)), run, help=command.sentence)

    @property
    def _commands(self) -> list[tuple[Command, Callable[[], None]]]:
        screen = cast("GameScreen", self.screen)
        own = [
            (command, partial(screen.run_found, command.name))
            for command in screen.offered
            if command.label and command.why_not(screen) is None
        ]
        parts = [
            (command, partial(screen.run_within, part, command))
            for part, some in screen.within
            for command in some
            if command.why_not(part) is None
        ]
        return [*own, *parts]

    def _title(self, command: Command) -> str:
        return f"{command.label} ({command.shown})"


class GameScreen(Screen[Any]):
    """Base of every screen: its commands, and no input before mounting or after closing.

    Screens are told apart by name: ids would have to be unique, and a question that follows another of its kind is
    there before that one has gone.
    """

    is_away = False
    """Whether it was answered or taken down, or another screen has its place."""
    lies_over = False
    """Whether it lies over others: shown and closed by `Overlays`."""
    rank: Layer
    then: Then | None = None
    moving: Motion | None = None
    """What moves by itself now; a key ends it."""
    too_small = False
    """Whether the terminal is: then everything but the notice is hidden, and no key of the screen counts."""
    takes_typing = False
    """Whether it is a form: what is typed while it opens waits for its first field."""
    keeps_keys = True
    """Whether keys typed before it was there are meant for it; not where one of them can cost something."""
    current = NO_LINE
    _there_since: float | None = None
    _focused_before: Widget | None = None
    OFFERED: ClassVar[tuple[Command, ...]] = ()
    """Commands of the screen, by which its keys are made. One without a label is not in the command palette."""

    app = getters.app(GameApp)
    bar = getters.query_one(CommandBar)

    @property
    def is_here(self) -> bool:
        """True if its widgets are there to be changed, on top or not."""
        return self.is_mounted and not self.is_away and self.is_attached and self.app.is_running

    def put_away(self) -> None:
        self.is_away = True
        self.set_class(self.lies_over, "-away")

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close with an answer; the second of two keys in one burst has none to give."""
        self.app.overlays.answer(self, result)
        return AwaitComplete()

    @property
    def lost(self) -> str:
        """Sentence on what is lost if the program is left now; empty: nothing."""
        return ""

    def show_arrived(self) -> None:
        """Show matches that have been read since."""

    def make_room(self, rows: int | None) -> int:
        """Keep `rows` free above the hand for a question (None: as they are); return how many rows lie below them."""
        return 0

    def show_covered(self, heard: Collection[str] | None) -> None:
        """Show only the commands that what lies over the screen hears; None: nothing lies there."""
        for bar in self.query(CommandBar):
            bar.show_only(heard)

    @property
    def is_opening(self) -> bool:
        """True if what is typed has to wait: for the screen to be drawn, or for the first field of a form."""
        return self._there_since is None and not self.is_away

    def is_meant(self, time: float) -> bool:
        """Tell whether what was typed at that time is meant for it, and not for what lay there before."""
        return self.keeps_keys or (self._there_since is not None and self._there_since <= time)

    def _has_come(self) -> None:
        if self._there_since is None:
            self._there_since = monotonic()

    def on_descendant_focus(self) -> None:
        """Note that a field is there; that it loses the keys again, as by a click beside it, holds nothing back."""
        if self.takes_typing:
            self._has_come()

    @property
    def is_live(self) -> bool:
        """True if keys and the mouse are meant for it: it is here, on top, and there is room for it."""
        return self.is_here and self.is_active and not self.too_small

    @property
    def _is_going(self) -> bool:
        return self.is_away or not (self.is_attached and self.app.is_running and self.display)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, INPUT) and not self.is_live:
            return
        if isinstance(event, events.Mount | events.Resize) and self._is_going:
            return  # it goes, perhaps before it came up, and its widgets may not be there
        if isinstance(event, events.Compose):
            # The framework learns the size after its widgets are there, and would style them all once more.
            self.update_classes(size_classes(self.app), update=False)
        await super().on_event(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Refuse bindings as well: they do not come as events."""
        return self.is_live and (parameters != ("confirm",) or self.confirms)

    @property
    def confirms(self) -> bool:
        """True if enter confirms something; else it is the focused widget's."""
        return False

    def on_mount(self) -> None:
        if not self.is_attached:
            return  # it has gone while it came up
        self.mount(Static(id="too-small"))
        self._judge_size(self.app.size)
        self.show_mark()
        if not self.takes_typing:
            self.call_after_refresh(self._has_come)

    def on_resize(self, event: events.Resize) -> None:
        self._judge_size(event.size)

    def _judge_size(self, size: Size) -> None:
        was_small, before = self.too_small, self.focused
        self.too_small = size.width < SMALLEST.width or size.height < SMALLEST.height
        if self.too_small and not was_small:
            self._focused_before = before
        self.set_class(self.too_small, "-too-small")
        if was_small and not self.too_small and self._focused_before is not None:
            # What was hidden has lost the focus.
            self.call_after_refresh(self._focused_before.focus)
        for notice in self.query("#too-small").results(Static):
            notice.update(TOO_SMALL.format(size.width, size.height))

    # Lines, each taken by its key, by a click, or by enter where it is marked

    @property
    def menu(self) -> list[ChoiceLine]:
        return [line for line in self.query(ChoiceLine) if line.display]

    def go(self, step: int) -> None:
        self.current = (max(self.current, -1 if step > 0 else 0) + step) % max(1, len(self.menu))
        self.show_mark()

    def show_mark(self) -> None:
        for line in self.menu:
            line.set_class(line.index == self.current, "-current")
            if line.index == self.current:
                line.scroll_visible(animate=False)

    def take(self, index: int) -> None:
        raise NotImplementedError

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        if self.is_live:
            self.take(event.index)

    # Commands

    @property
    def heard(self) -> Collection[str]:
        return [command.name for command in self.OFFERED]

    @property
    def offered(self) -> tuple[Command, ...]:
        return self.OFFERED

    def __init_subclass__(cls, **options: Any) -> None:
        if "OFFERED" in cls.__dict__:
            has_help = any("question_mark" in command.keys for command in cls.OFFERED)
            more = [] if has_help else [Binding("question_mark", "list_keys", show=False)]
            cls.BINDINGS = [*bindings(cls.OFFERED), *more]
            cls.COMMANDS = {ScreenCommands}
        super().__init_subclass__(**options)

    def run_command(self, name: str) -> None:
        if self.is_live:
            self.action_command(name)

    def action_command(self, name: str) -> None:
        """Run a command, or say why not; `check_action` has been asked before, or `run_command`."""
        command = next((command for command in self.offered if command.name == name), None)
        if command is None:
            return  # the key of a command of a base class, which this screen has none of
        why = command.why_not(self)
        if why is None:
            command.run(self)
        else:
            self.refuse(why)

    def on_command_bar_pressed(self, event: CommandBar.Pressed) -> None:
        self.run_command(event.name)

    def run_found(self, name: str) -> None:
        self.run_command(name)

    @property
    def within(self) -> Sequence[tuple[Widget, Sequence[Command]]]:
        return ()

    def run_within(self, part: Widget, command: Command) -> None:
        if self.is_live:
            part.focus()
            command.run(part)

    def action_list_keys(self) -> None:
        if self.is_live and not self.lies_over:
            self.app.go(routes.keys({"On this screen": self.offered}))

    def refuse(self, why: Refusal) -> None:
        self.notify(why.message)

    def footer_keys(self, commands: Iterable[Command]) -> list[FooterKey]:
        return [
            FooterKey(command.name, key, words, is_open, partial(self._purpose, command))
            for command, key, words, is_open in in_footer(commands, self)
        ]

    def _purpose(self, command: Command) -> str:
        why = command.why_not(self)
        return command.sentence if why is None else f"{command.sentence} Not now: {why.message}"


def hanging(text: str, indent: int, width: int = PAGE) -> str:
    """Break `text` at spaces to lines of `width`, those after the first indented."""
    return "\n".join(textwrap.wrap(text, width - indent)).replace("\n", "\n" + " " * indent)


def bar(part: int, of: int, width: int, rest: str = "$on-felt-muted") -> Content:
    """Return a bar of `width` cells that shows a part of the whole."""
    full = round(width * part / of) if of else 0
    return Content.assemble(("█" * full, "$gold"), ("░" * (width - full), rest))


def unless(is_open: Callable[[Any], object], why: str) -> Callable[[Any], Refusal | None]:
    """Return a function that gives this reason unless `is_open` holds of a screen."""
    return lambda at: None if is_open(at) else not_open("", why)


class Dialog(GameScreen, ModalScreen[Any]):
    """Frame over the table; a subclass has a `heading` and yields what is `inside`."""

    lies_over = True
    heading = ""
    foot = ""

    @property
    def hint(self) -> str:
        return self.foot

    def inside(self) -> ComposeResult:
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as frame:
            frame.border_title, frame.border_subtitle = self.heading, self.hint
            yield from self.inside()

    def on_key(self, event: events.Key) -> None:
        """Stop a key of no use: passed on, it comes late, and may act on what lies there by then."""
        if event.key not in self.active_bindings:
            event.stop()
