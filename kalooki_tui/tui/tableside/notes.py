"""Notes beside a table, or all hands where somebody only watches; a way to it may put more there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from kalooki_tui.cards import suit_first
from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Moment
from kalooki_tui.presenter.commands import BY_NAME, TABLE, Command
from kalooki_tui.presenter.moves import Moves
from kalooki_tui.presenter.prompts import CUT, Note, due_note, is_due, note_about
from kalooki_tui.tui.screens.curtain import ButtonPress, CurtainAction
from kalooki_tui.tui.screens.question import ask_for_position
from kalooki_tui.tui.tableside.controls import Seating
from kalooki_tui.tui.widgets.canvas import column
from kalooki_tui.tui.widgets.choices import Choice
from kalooki_tui.tui.widgets.faces import cards_content
from kalooki_tui.tui.widgets.hand import HandsView, HandView
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.wording import whose

if TYPE_CHECKING:
    from kalooki_tui.tui.screens.table import TableScreen

#: Seconds after which a note counts as read, and goes with the next thing that happens.
READ: Final = 8.0


HANDS: Final = Command("all-hands", "a", "Hands", "Show all hands, or hide them.", lambda at: at.beside.turn_hands())
PUT: Final = Command("put-question", "T", "Ask", "Ask whoever is to act what they would do; again: the answer.",
                     lambda at: at.beside.put_question())  # fmt: skip
WRITE: Final = Command("write-position", "W", "To a file", "Write this moment, with all cards, to a file.",
                       lambda at: at.beside.write_position())  # fmt: skip
#: Commands of somebody who teaches.
TEACHER: Final = (replace(HANDS, keys="O"), PUT, WRITE)


class SidePanel:
    """Note beside the table, on the strip above the hand or in a question; takes no key but its own."""

    offered: tuple[Command, ...] = ()
    help: Mapping[str, Sequence[Command]] = TABLE
    clause = ""
    is_match = True
    """Whether there are notes, and people may change who plays."""

    def __init__(self, table: TableScreen) -> None:
        self.table = table
        self._shown: Note | None = None
        self._since = 0.0
        self._step = 0
        if table.plan.is_teaching and table.client.is_host:
            own = TEACHER if table.plan.teach else (WRITE,)
            self.offered = (*self.offered, *own)
            self.help = {**self.help, "You teach": own}
        self._put_at: Moment | None = None
        """Moment of the question that was put to whoever is to act."""
        self._awaited = False
        """Whether the table has been drawn since notes were first asked for: reading their texts would hold it up."""

    @property
    def _wanted(self) -> bool:
        return self.is_match and self.table.app.settings.notes and bool(self.table.session.people)

    def around(self, part: Widget) -> Iterable[Widget]:
        """Yield a part of the table, with what stands above and below it."""
        yield part
        if isinstance(part, SeatsStrip) and (self.table.plan.open_hands or self.table.plan.teach):
            yield Static(id="open-hands")

    def moves(self) -> Moves:
        table = self.table
        warns = table.plan.is_teaching
        return Moves(table, warns=lambda: warns and table.app.settings.warnings, consult=table.app.consult)

    def why_no_seats(self) -> str:
        if not self.is_match:
            return "Who plays is not changed here."
        return "" if self.table.client.here else "Only those who play can change who does."

    def open_seats(self) -> None:
        Seating(self.table).open()

    @property
    def waiting_words(self) -> str:
        """Words on whom the table waits for in an unusual way; empty: it does not."""
        return self.table.session.away_words

    def refresh(self) -> None:
        """Show the note of this moment, if there is one, whenever the table is shown anew."""
        self.show_hands()
        if not self._awaited:
            self._awaited = True
            self.table.call_after_refresh(self.refresh)
            return
        view, mine = self.table.state.view, self.table.state.seat is not None
        # Between people the screen that passes from one to the other tells it, and would lie over it.
        told_between = not mine and self.table.client.is_shared and self.table.hides_hands
        note, read = self._shown, monotonic() - self._since >= READ
        if note is not None:
            lapsed = told_between or not self._wanted or not is_due(note.name, view, mine=mine)
            if read and (lapsed or self._step != len(view.history)):
                self.see(note.name)
            elif lapsed:
                self._show(None)
        if self._shown is None and self._wanted and not told_between:
            self._show(due_note(view, self.table.app.settings.notes_seen, mine=mine))
            self._step = len(view.history)

    def show_hands(self) -> None:
        """Show the hands that everybody sees, besides the one that lies below."""
        table, faces = self.table, self.table.session.rules.faces
        names, between = table.session.names, "\n" if table.plan.teach else "  "
        for strip in table.query("#open-hands").results(Static):
            hands = [one for one in table.client.open_hands() if one[0] != table.state.seat]
            width = 1 + max((cell_len(names[seat]) for seat, _ in hands), default=0) if table.plan.teach else 0
            lines = [
                Content.assemble(
                    Content.styled(f" {column(names[seat], width) if width else names[seat]} ", "$on-felt-muted"),
                    cards_content(sorted(hand, key=suit_first), faces, table.app.look),
                )
                for seat, hand in hands
            ]
            strip.update(Content(between).join(lines))
            strip.styles.height = len(lines) if table.plan.teach else 1

    def turn_hands(self) -> None:
        self.table.session.turn_hands()
        self.table.refresh_table()

    async def question_words(self) -> str:
        """Ask whoever is to act what they would do; asked again at the same moment, tell what could be done."""
        from kalooki_tui.training.teaching import answer_words

        session, match = self.table.session, self.table.client.shown_match()
        if match.actor is None:
            return ""
        name = match.names[match.actor]
        if not session.plans[match.actor].is_human:
            return f"{name} is played by the program: ask in the turn of a person."
        if self._put_at == session.moment and not session.hands_are_open:
            return f"The answer tells of {whose(name)} hand: {TEACHER[0].shown} opens all hands first."
        if self._put_at == session.moment:
            words = await asyncio.to_thread(answer_words, match.view(match.actor))
            session.notice(words)
            return words
        self._put_at, words = session.moment, f"{name}, what would you do?"
        session.notice(words)
        return f"{words} {PUT.shown} again tells what could be done."

    def put_question(self) -> None:
        async def put() -> None:
            self.table.tell(await self.question_words())

        self.table.run_worker(put, group="put", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    @property
    def teacher_choices(self) -> list[Choice]:
        """Return what a teacher may do while a question lies over the table."""
        put = Choice(PUT.keys, "Ask what they would do", ButtonPress(CurtainAction.ASK), tell=self.question_words)
        return [put] if PUT in self.offered else []

    def write_position(self) -> None:
        match = self.table.client.shown_match()
        ask_for_position(self.table.app, match, f"deal {match.deal.number}")

    def question_note(self) -> Note | None:
        table = self.table
        if not self._wanted:
            return None
        return due_note(table.client.public, table.app.settings.notes_seen, mine=False)

    def cut_note(self) -> Note | None:
        table = self.table
        if not self._wanted or CUT in table.app.settings.notes_seen:
            return None
        return note_about(CUT, table.client.public)

    def see(self, name: str) -> None:
        game = self.table.app
        if self.is_match and name not in game.settings.notes_seen:
            game.remember(replace(game.settings, notes_seen=[*game.settings.notes_seen, name]))
        if self._shown is not None and self._shown.name == name:
            self._show(None)

    def close(self) -> bool:
        """Close the note for good; another may have waited. Return whether there was one."""
        if self._shown is None:
            return False
        self.see(self._shown.name)
        self.refresh()
        return True

    async def before_decision(self, view: View) -> None:
        """Hear that the view's person will be asked about a call."""

    def turn_begun(self) -> None:
        """Hear that a person's move has come."""

    async def deal_over(self) -> bool:
        """Show the end of the deal; return whether that was all there is to see of it."""
        return False

    @property
    def leave_words(self) -> str:
        return self.table.session.leave_words()

    def leave(self) -> bool:
        """Leave the match; return whether the person is asked about it in words of its own."""
        return False

    def _show(self, note: Note | None) -> None:
        self._shown, self._since = note, monotonic()
        self.clause = "" if note is None else note.clause
        self.table.note.show_note("" if note is None else note.text)


#: What of the table's commands is for somebody who only watches.
WATCHED: Final = ("pause", "speed", "scores", "rules", "words", "settings", "help", "quit")


class Watching(SidePanel):
    """Hands of all seats in the place of one, at a table where nobody at the keyboard plays."""

    is_match = False
    offered = (HANDS,)
    help: Mapping[str, Sequence[Command]] = {"While you watch": (HANDS, *(BY_NAME[name] for name in WATCHED))}

    def __init__(self, table: TableScreen) -> None:
        super().__init__(table)
        self.is_open = table.plan.open_hands

    def around(self, part: Widget) -> Iterable[Widget]:
        if isinstance(part, HandView):
            part.display = False
            return (HandsView(), part)
        return (part,)

    def turn_hands(self) -> None:
        self.is_open = not self.is_open
        self.table.refresh_table()

    def refresh(self) -> None:
        table, place = self.table, self.table.client
        hands = [(table.session.names[seat], hand) for seat, hand in place.open_hands()] if self.is_open else []
        for view in table.query(HandsView):
            view.show(
                hands, table.state.view.turn, table.session.rules.faces, (table.app.size.width, table.app.size.height)
            )
