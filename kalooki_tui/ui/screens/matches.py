"""All matches: those that go on, to be taken up, and those that are over, to be looked at again."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any, Final

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.desk import choose
from kalooki_tui.desk.keeping import progress_words, seats_words, state_words, when
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.problems import InputError
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.exchange import export_record, import_record
from kalooki_tui.store.summary import Summary
from kalooki_tui.ui.commands import Commanded
from kalooki_tui.ui.screens.base import Dialog, GameScreen
from kalooki_tui.ui.screens.dialogs import confirm
from kalooki_tui.ui.screens.home import NEW
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.ui.widgets.command_bar import CommandBar
from kalooki_tui.wording import escaped

WIDTH: Final = 74


def _why_none(at: Any) -> Refusal | None:
    return choose("", "There is no match in the list yet.") if at.marked is None else None


COMMANDS: Final = (
    Command("match-open", "enter", "Open", "Continue a match, or step through one that is over.",
            lambda at: at.open_match(), _why_none),
    Command("match-view", "v", "Step through", "Step through the deals of a match that are over.",
            lambda at: at.game.show_replay(at.marked), _why_none),
    Command("match-export", "e", "Export", "Write the record of a match to a file.",
            lambda at: at.export(), _why_none),
    Command("match-import", "i", "Import", "Take in the record of a match.", lambda at: at.take_in()),
    Command("match-delete", "x,delete", "Delete", "Delete a match, after asking.", lambda at: at.delete(), _why_none),
    Command("matches-back", "escape,q", "Back", "To the first screen.", lambda at: at.game.go_home()),
)  # fmt: skip
EXPORT: Final = COMMANDS[2]
IMPORT: Final = COMMANDS[3]
DELETE: Final = COMMANDS[4]


class MatchesScreen(Commanded, GameScreen):
    """A list, those that go on first, damaged ones last; every key works on the match marked."""

    DEFAULT_CSS = """
    MatchesScreen { layout: vertical; }
    MatchesScreen #title { height: 1; padding: 0 1; background: $felt-deep; color: $gold; text-style: bold; }
    MatchesScreen #empty { height: 1fr; padding: 1 2; display: none; }
    MatchesScreen OptionList { height: 1fr; background: $felt; border: none; padding: 0 1; }
    MatchesScreen OptionList:focus { border: none; }
    MatchesScreen OptionList > .option-list--option-highlighted { background: $felt-raised; color: $on-felt; }
    """
    OFFERED = COMMANDS

    list_of_matches = getters.query_one(OptionList)

    def __init__(self) -> None:
        super().__init__(name="matches")
        self._matches: list[Summary] = []

    def compose(self) -> ComposeResult:
        """A heading, the list, the keys."""
        yield Static("Matches", id="title")
        empty = f"{NEW.shown} on the first screen begins one, {IMPORT.shown} takes in a record."
        yield Static(f"No match has been played yet: {empty}", id="empty")
        yield OptionList(markup=False)
        yield CommandBar()

    def on_mount(self) -> None:
        """Read the list."""
        self.read()

    def on_screen_resume(self) -> None:
        """Read it again: another window may have gone on with a match meanwhile."""
        if self.is_here:
            self.read()

    def read(self) -> None:
        """Show the matches as they are now, the same one marked."""
        try:
            lists = self.game.store.lists()
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        marked = self.list_of_matches.highlighted
        self._matches = list(chain(*lists))
        self.list_of_matches.clear_options()
        self.list_of_matches.add_options([Option(_words(one), id=one.id) for one in self._matches])
        self.list_of_matches.display = bool(self._matches)
        self.query_one("#empty").display = not self._matches
        if self._matches:
            self.list_of_matches.highlighted = min(marked or 0, len(self._matches) - 1)
            self.list_of_matches.focus()
        self.query_one(CommandBar).show([self.footer_key(command) for command in COMMANDS])

    def on_command_bar_pressed(self, event: CommandBar.Pressed) -> None:
        """A command was clicked."""
        self.run_command(event.name)

    @property
    def marked(self) -> Summary | None:
        """The match under the cursor."""
        index = self.list_of_matches.highlighted
        return None if index is None or not self._matches else self._matches[index]

    def on_option_list_option_selected(self) -> None:
        """The list has keys and clicks of its own."""
        self.run_command("match-open")

    def open_match(self) -> None:
        """Go on with the match, or look at it."""
        match = self.marked
        assert match is not None
        if match.damage:
            can = f"{EXPORT.shown} writes what can be read of it to a file, {DELETE.shown} deletes it"
            self.notify(f"{escaped(match.damage)}: it cannot be played on. {can}.", severity="warning", markup=False)
        elif match.finished:
            self.game.show_replay(match)
        elif match.elsewhere:
            self.notify("This match is being played in another window: it cannot be opened here.", severity="warning")
        else:
            self.game.resume(match.id)

    def export(self) -> None:
        """Write its record to a file."""
        match = self.marked
        assert match is not None

        def named(name: object) -> None:
            if not isinstance(name, str):
                return
            try:
                lines = export_record(self.game.store, match.id, Path(name).expanduser(), open_hands=True)
            except StoreError as error:
                self.notify(str(error), severity="error", markup=False)
            else:
                self.notify(f"{name}: {lines} lines", title="Exported", markup=False)

        usual = f"{match.ruleset}-{match.started.astimezone():%Y-%m-%d-%H%M}.jsonl"
        what = "Write the record of this match to the file"
        if match.damage:
            what = "The match is damaged, and its record shows the cards. Write what can be read of it to the file"
        elif not match.finished:
            what = "The match goes on, and its record shows everybody's cards. Write it to the file"
        self.game.overlays.show(AskFile("Export", what, usual), named)

    def take_in(self) -> None:
        """Take in a record."""

        def named(name: object) -> None:
            if not isinstance(name, str):
                return
            try:
                taken = import_record(self.game.store, Path(name).expanduser())
            except (StoreError, InputError) as error:
                self.notify(str(error), severity="error", timeout=12, markup=False)
            else:
                cut = " It was cut off, and is taken as far as it goes." if taken.cut_off else ""
                if taken.known:
                    self.notify(f"{name}: this match is in the list already.", title="Taken in", markup=False)
                    return
                self.notify(f"{name}: {taken.lines} lines.{cut}", title="Taken in", markup=False)
                self.read()

        self.game.overlays.show(AskFile("Import", "Take in the record of a match from the file", ""), named)

    def delete(self) -> None:
        """Delete it, after asking."""
        match = self.marked
        assert match is not None

        def answered(yes: object) -> None:
            if yes:
                try:
                    self.game.store.forget(match.id)
                except StoreError as error:
                    self.notify(str(error), severity="error", markup=False)
                self.read()

        about = f"{match.name}, {seats_words(match)}: it is gone for good, from the statistics too.\n"
        self.game.overlays.show(confirm("Delete this match?", about, "Delete it", "Keep it"), answered)


_SIGNS: Final = {
    "goes on": ("▸ ", "bold $gold"),
    "over": ("■ ", "$on-felt-muted"),
    "damaged": ("! ", "bold $error"),
}  # fmt: skip


def _words(match: Summary) -> Content:
    """Two lines about a match."""
    signs = [sign for sign, is_so in (("teaching", match.teaching), ("imported", match.imported)) if is_so]
    head = Content.assemble(
        Content.styled(*_SIGNS["damaged" if match.damage else "over" if match.finished else "goes on"]),
        Content.styled(match.name, "bold"), f"  {progress_words(match)}  ·  {when(match.played)}",
        Content.styled("".join(f"  ·  {sign}" for sign in signs), "$on-felt-muted"),
    )  # fmt: skip
    line = shorten(f"{state_words(match)}  ·  {seats_words(match)}", WIDTH)
    return Content.assemble(head, "\n  ", Content.styled(line, "$on-felt-muted"))


class AskFile(Commanded, Dialog):
    """Asks for a file's name; dismissed with it, or with None."""

    OFFERED = (Command("answer-nothing", "escape", "", "Close it without an answer.", lambda at: at.dismiss(None)),)

    def __init__(self, title: str, text: str, usual: str) -> None:
        super().__init__(name="ask-file")
        self._title, self._text, self._usual = title, text, usual

    def compose(self) -> ComposeResult:
        """The question and a line to type in."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = self._title
            frame.border_subtitle = f"enter does it · {self.OFFERED[0].shown} does not"
            yield Static(f"{self._text} (in {Path.cwd()}):", id="question", markup=False)
            yield Input(self._usual, placeholder="file name", id="file", compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer, if there is something to answer with."""
        if event.value.strip() and self.is_live:
            self.dismiss(event.value.strip())
