"""All matches: those that go on, to be taken up, and those that are over, to be looked at again."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from pathlib import Path
from typing import Any, Final

from rich.cells import cell_len
from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.presenter import match_list
from kalooki_tui.presenter.commands import Command, not_open
from kalooki_tui.problems import InputError
from kalooki_tui.storage.exchange import export_record, import_record
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.summary import Summary
from kalooki_tui.tui import routes
from kalooki_tui.tui.preload import read_on
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.home import NEW
from kalooki_tui.tui.screens.question import ask_file, confirm
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.command_bar import CommandBar
from kalooki_tui.wording import ai_words, capital, escaped

#: Columns of the screen from which on what the marked match has come to stands beside the list.
BESIDE: Final = 110
#: Of these, what the list takes: three parts of five.
SHARE: Final = (3, 5)
#: Columns of a line that are not for words: the edges and the scroll bar.
EDGES: Final = 6
NAME: Final = 24


def _why_none(at: Any) -> Refusal | None:
    return not_open("", at.why_empty) if at.marked is None else None


COMMANDS: Final = (
    Command("match-open", "enter", "Open", "Continue a match, or step through a finished one.",
            lambda at: at.open_match(), _why_none),
    Command("match-view", "v", "Steps", "Step through the finished deals of a match.",
            lambda at: at.app.go(routes.replay(at.marked)), _why_none),
    Command("match-review", "r", "Review", "See what each decision of a match cost, apart from luck.",
            lambda at: at.app.go(routes.match_review(at.marked)), _why_none),
    Command("match-search", "slash", "Search", "Search for words: a game, people, unfinished, a date such as 2026-11.",
            lambda at: at.search()),
    Command("match-which", "f", "Filter", "List all matches, or only unfinished, finished, or those with people.",
            lambda at: at.want(which=match_list.NEXT_WHICH[at.wanted.which])),
    Command("match-order", "s", "Sort", "Change the order: by state, time, game or people.",
            lambda at: at.want(order=match_list.NEXT_ORDER[at.wanted.order])),
    Command("match-export", "e", "Export", "Write the record of a match to a file.",
            lambda at: at.export(), _why_none),
    Command("match-import", "i", "Import", "Import the record of a match.", lambda at: at.take_in()),
    Command("match-delete", "x,delete", "Delete", "Delete a match, after asking.", lambda at: at.delete(), _why_none),
    Command("matches-help", "question_mark", "Help", "List every command.", lambda at: at.action_list_keys()),
    Command("matches-back", "escape,q", "Back", "To the first screen.", lambda at: at.back()),
)  # fmt: skip
SEARCH, WHICH, _, EXPORT, IMPORT, DELETE, _, BACK = COMMANDS[3:]
#: While files are read, how many times as many matches as are listed there must be for the list to be made anew.
MORE: Final = 1.5
#: Seconds without a key after which what is typed is looked for.
SEARCH_SECONDS: Final = 0.15


class MatchesScreen(GameScreen):
    DEFAULT_CSS = """
    MatchesScreen #search { display: none; height: 1; padding: 0 1; }
    MatchesScreen.-searching #search { display: block; }
    MatchesScreen #empty { height: 1fr; padding: 1 2; display: none; }
    MatchesScreen #both { height: 1fr; }
    MatchesScreen OptionList { height: 1fr; width: 3fr; background: $felt; border: none; padding: 1 1 0 1; }
    MatchesScreen OptionList:focus { border: none; }
    MatchesScreen #about { display: none; width: 2fr; height: 1fr; padding: 1 3; background: $felt-deep; }
    MatchesScreen.-beside #about { display: block; }
    MatchesScreen #about Static { height: auto; margin-bottom: 1; }
    """
    AUTO_FOCUS = "OptionList"
    _timer: Timer | None = None
    _written_for = 0
    OFFERED = COMMANDS

    list_of_matches = getters.query_one(OptionList)

    def __init__(self) -> None:
        super().__init__(name="matches")
        self._matches: list[Summary] = []
        self._listing = match_list.MatchList([])
        self._options: dict[Summary, Option] = {}

    def compose(self) -> ComposeResult:
        yield Static("Matches", id="top")
        field = Input(self.wanted.words, placeholder="game, people, unfinished, 2026-11 …", id="search", compact=True)
        field.can_focus = False
        yield field
        yield Static(id="empty")
        with Horizontal(id="both"):
            yield OptionList()
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="about-match")
                yield ScoreChart()
        yield CommandBar(rows=2)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= BESIDE, "-beside")
        if self._matches:
            self.show_list()

    @property
    def _room(self) -> int:
        width = self.app.size.width
        return (width * SHARE[0] // SHARE[1] if width >= BESIDE else width) - EDGES

    def on_screen_resume(self) -> None:
        """Read it again: another window may have gone on with a match meanwhile."""
        if self.is_here:
            self.read()

    def read(self) -> None:
        with self.app.telling(StoreError):
            self._listing = match_list.MatchList(chain(*self.app.store.lists()))
            self.show_list()
            read_on(self.app)

    def show_arrived(self) -> None:
        """Show how many matches are still to be read, and list those found once they are half as many again."""
        found = self.app.store.found
        if found > len(self._listing) * MORE or not self.app.store.unread:
            self.read()
        else:
            self._show_title()

    def show_list(self) -> None:
        state, shown = self._state, self.list_of_matches
        matches, room = self._listing.shown(state.wanted), self._room
        if room != self._written_for:
            self._written_for, self._options, self._matches = room, {}, []
        if matches != self._matches or not shown.option_count:
            self._matches = matches
            self._options = {
                one: self._options.get(one) or Option(_words(one, self._room), id=one.id) for one in matches
            }
            marked, row = state.marked, state.row
            shown.clear_options()
            shown.add_options(self._options.values())
            if matches:
                places = (place for place, one in enumerate(matches) if one.id == marked)
                shown.highlighted = next(places, min(row, len(matches) - 1))
        self._show_title()
        empty = self.query_one("#empty", Static)
        empty.update(self.why_empty)
        empty.display = not matches
        self.query_one("#both").display = bool(matches)
        self._tell_of_marked()
        self.set_class(self.is_searching or bool(state.wanted.words), "-searching")
        if matches and not self.is_searching:
            shown.focus()
        self.bar.show(self.footer_keys(COMMANDS))
        self.show_covered(None)

    def _show_title(self) -> None:
        wanted, shown, unread = self.wanted, len(self._matches), self.app.store.unread
        count = str(shown) if wanted.is_everything else f"{shown} of {len(self._listing)}"
        reading = f"{unread} more to be read …" if unread else ""
        title = " · ".join(filter(None, ("Matches", count, wanted.text(), reading)))
        self.query_one("#top", Static).update(title)

    @property
    def _state(self) -> match_list.ListState:
        return self.app.list_state

    @property
    def wanted(self) -> match_list.MatchFilter:
        return self._state.wanted

    def want(self, **changes: object) -> None:
        self._state.want(**changes)
        self.show_list()

    @property
    def why_empty(self) -> str:
        if not (len(self._listing) or self.app.store.unread):
            begins = f"{NEW.shown} on the first screen begins one, {IMPORT.shown} imports a record."
            return f"No match has been played yet: {begins}"
        wanted = self.wanted
        hiding = []
        if wanted.which is not match_list.MatchGroup.ALL:
            hiding.append(f"only {wanted.which.value} are listed ({WHICH.shown} lists others)")
        if words := " ".join(wanted.words.split()):
            hiding.append(f"only matches with “{words}” ({SEARCH.shown} changes the words, {BACK.shown} clears them)")
        return f"No match fits: {', and '.join(hiding)}."

    @property
    def is_searching(self) -> bool:
        return self.focused is not None and self.focused.id == "search"

    def search(self) -> None:
        self.add_class("-searching")
        field = self.query_one("#search", Input)
        field.can_focus = True
        field.focus()

    def show_covered(self, heard: Collection[str] | None) -> None:
        super().show_covered((BACK.name,) if heard is None and self.is_searching else heard)

    def on_descendant_focus(self) -> None:
        self.show_covered(None)

    def _stop_typing(self) -> Input:
        """Leave the search with its words; their field gets the keyboard only when it is asked for."""
        field = self.query_one("#search", Input)
        self.set_focus(None)
        field.can_focus = False
        return field

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(SEARCH_SECONDS, self._look)

    def _look(self) -> None:
        words = self.query_one("#search", Input).value
        if self.is_here and words != self.wanted.words:
            self.want(words=words)

    def on_input_submitted(self) -> None:
        self._look()
        self._stop_typing()
        self.show_list()

    def on_key(self, event: events.Key) -> None:
        if self.is_searching and event.key == "down":
            event.stop()
            self.on_input_submitted()

    def back(self) -> None:
        if self.is_searching or self.wanted.words:
            self._stop_typing().value = ""
            self.want(words="")
        else:
            self.app.go(routes.home())

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_index == self.list_of_matches.highlighted:
            self._state.marked, self._state.row = event.option_id, event.option_index
            self._tell_of_marked()

    @property
    def marked(self) -> Summary | None:
        index = self.list_of_matches.highlighted
        return None if index is None or not self._matches else self._matches[index]

    def _tell_of_marked(self) -> None:
        match = self.marked
        chart = self.query_one(ScoreChart)
        chart.display = match is not None and not match.damage
        if match is None:
            return
        self.query_one("#about-match", Static).update(_about(match))
        own = next((seat for seat, plan in enumerate(match.seats) if plan.is_human), 0)
        chart.show([seat.name for seat in match.seats], [match.totals], own)

    def on_option_list_option_selected(self) -> None:
        self.run_command("match-open")

    def open_match(self) -> None:
        match = self.marked
        assert match is not None
        if match.damage:
            can = f"{EXPORT.shown} writes the part that can be read to a file, {DELETE.shown} deletes it"
            self.notify(f"{escaped(match.damage)}: it cannot be played on. {can}.", severity="warning")
        elif match.finished:
            self.app.go(routes.replay(match))
        elif match.elsewhere:
            self.notify("This match is being played in another window: it cannot be opened here.", severity="warning")
        else:
            self.app.go(routes.resume(match.id))

    def export(self) -> None:
        match = self.marked
        assert match is not None

        def named(name: str) -> None:
            with self.app.telling(StoreError):
                lines = export_record(self.app.store, match.id, Path(name).expanduser(), open_hands=True)
                self.notify(f"{name}: {lines} lines", title="Exported")

        usual = f"{match.ruleset}-{match.started.astimezone():%Y-%m-%d-%H%M}.jsonl"
        what = "Write the record of this match to the file"
        if match.damage:
            what = "The match is damaged, and its record shows the cards. Write the part that can be read to the file"
        elif not match.finished:
            what = "The match is unfinished, and its record shows everybody's cards. Write it to the file"
        self.app.overlays.choose(ask_file("Export", what, usual), named)

    def take_in(self) -> None:

        def named(name: str) -> None:
            with self.app.telling(StoreError, InputError, timeout=12):
                taken = import_record(self.app.store, Path(name).expanduser())
                cut = " It was cut off, and is imported up to there." if taken.cut_off else ""
                if taken.known:
                    self.notify(f"{name}: this match is in the list already.", title="Imported")
                    return
                self.notify(f"{name}: {taken.lines} lines.{cut}", title="Imported")
                self.read()

        self.app.overlays.choose(ask_file("Import", "Import the record of a match from the file", ""), named)

    def delete(self) -> None:
        match = self.marked
        assert match is not None

        def answered(yes: object) -> None:
            if yes:
                with self.app.telling(StoreError):
                    self.app.store.forget(match.id)
                self.read()

        about = (
            f"{match.name}, {match_list.seats_words(match)}: it will be deleted for good, from the statistics too.\n"
        )
        self.app.overlays.show(confirm("Delete this match?", about, "Delete it", "Keep it"), answered)


_SIGNS: Final = {
    "goes on": ("▸ ", "bold $gold"),
    "over": ("■ ", "$on-felt-muted"),
    "damaged": ("! ", "bold $error"),
}  # fmt: skip


def _words(match: Summary, room: int) -> Content:
    signs = "".join(f"  ·  {sign}" for sign in match_list.signs_of(match))
    name, played = f"{match.name:<{NAME}}", match_list.when(match.played)
    told = shorten(f"  {match_list.progress_words(match)}{signs}", room - cell_len(name) - cell_len(played) - 3)
    gap = " " * max(1, room - 2 - cell_len(name) - cell_len(told) - cell_len(played))
    head = Content.assemble(
        Content.styled(*_SIGNS["damaged" if match.damage else "over" if match.finished else "goes on"]),
        Content.styled(name, "bold"), told, gap, Content.styled(played, "$on-felt-muted"),
    )  # fmt: skip
    state = match_list.state_words(match)
    line = shorten(f"{state}  ·  {match_list.seats_words(match, room - 5 - len(state))}", room - 2)
    return Content.assemble(head, "\n  ", Content.styled(line, "$on-felt-muted"))


def _about(match: Summary) -> Content:
    levels = [f"{seat.name}: {'a person' if seat.is_human else ai_words(seat.player)}" for seat in match.seats]
    begun, played = match_list.when(match.started), match_list.when(match.played)
    parts = [
        Content.styled(f"{match.name}\n", "bold $gold"),
        Content.styled(f"{capital(match_list.state_words(match))}\n\n", "bold"),
        Content(f"{capital(match_list.progress_words(match))}\nBegun {begun}\nPlayed {played}\n"),
        Content.styled("\n" + "\n".join(escaped(level) for level in levels), "$on-felt-muted"),
    ]
    return Content("").join(parts)
