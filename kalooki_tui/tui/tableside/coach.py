"""Coached deal: the table with the coach's words above the hand; or a deal that is played alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.widget import Widget
from textual.widgets import Static

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.exercises.definition import question
from kalooki_tui.coach.exercises.kinds.hand_questions import FARTHEST, Away
from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.engine.permissions import DECISIONS
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.moves import Moves
from kalooki_tui.presenter.prompts import Note
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.training.coached_deals import Coach, Dear, Guessing, dearest, own_deal
from kalooki_tui.training.skills import Learning, own_deal_words
from kalooki_tui.tui import routes
from kalooki_tui.tui.overlays import Layer
from kalooki_tui.tui.screens.base import PAGE, hanging
from kalooki_tui.tui.screens.question import ChoiceDialog, confirm
from kalooki_tui.tui.screens.scores import DealOverScreen
from kalooki_tui.tui.tableside.notes import SidePanel
from kalooki_tui.tui.widgets.choices import KEY, Choice, numbered
from kalooki_tui.tui.widgets.status import StatusView

if TYPE_CHECKING:
    from kalooki_tui.tui.screens.table import TableScreen

MARK: Final = "◆ "


class Coaching(SidePanel):
    """Deal of which no match is written down, and what comes after it."""

    is_match = False

    def __init__(
        self, table: TableScreen, learning: Learning, chapter: Chapter, live: MatchJournal, *, is_own: bool
    ) -> None:
        """`is_own`: not the coach's deal, but other cards, played alone."""
        super().__init__(table)
        self._live = live
        assert chapter.coached is not None
        self.learning = learning
        self.chapter = chapter
        self.is_own = is_own
        self.coach = None if is_own else Coach(learning, chapter)
        self._asked = ""
        self._spoken_at: View | None = None
        self.said = ""
        self._guessing = Guessing() if chapter.coached.guess and not is_own else None
        if self._guessing is not None:
            table.state.hides_plan = self._guessing.hides

    def around(self, part: Widget) -> Iterable[Widget]:
        if isinstance(part, StatusView):
            yield Static(id="coach")
        yield from super().around(part)

    def moves(self) -> Moves:
        return Moves(self.table, warns=lambda: not self.is_own and self.table.app.settings.warnings)

    @property
    def _view(self) -> View:
        client = self.table.client
        return client.view(client.here[0])

    def refresh(self) -> None:
        state = self.table.state
        self.show_hands()
        if state.seat is not None and state.is_asked and state.view.phase not in DECISIONS:
            self.consult(state.view)
        elif not state.is_asked:
            self._tell("")

    def question_note(self) -> Note | None:
        return Note("coach", self._asked, "C6") if self._asked else None

    def cut_note(self) -> Note | None:
        words = "" if self.coach is None else self.coach.at_the_cut
        return Note("coach", words, "B1") if words else None

    def consult(self, view: View) -> None:
        """Find out what the coach says to this moment, and say it if the moment is still there."""
        table, coach = self.table, self.coach
        if view == self._spoken_at or not table.is_here or coach is None:
            return  # a screen that is only coming up is refreshed once more
        self._spoken_at = view

        async def consult() -> None:
            words = await asyncio.to_thread(coach.say, view)
            if table.is_here and view == self._spoken_at:
                self._tell(words)
                coach.told(view)

        table.run_worker(consult, group="coach", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    async def before_decision(self, view: View) -> None:
        if self.coach is not None:
            self._asked = await asyncio.to_thread(self.coach.say, view)
            self.coach.told(view)

    def turn_begun(self) -> None:
        view = self._view
        asked = None if self._guessing is None else self._guessing.asks(view)
        if asked is None:
            return
        choices = [Choice(str(number), str(number), number) for number in range(FARTHEST + 1)]
        ask = ChoiceDialog("How far?", question(asked), choices, clause="L1", name="guess", beside=True)
        self.table.app.overlays.show(ask, partial(self._guessed, view, asked), Layer.MATCH)

    def _guessed(self, view: View, asked: Away, number: int) -> None:
        assert self._guessing is not None
        told = self._guessing.told(view, asked, number)
        self.table.refresh_table()
        self.table.tell(told)

    async def deal_over(self) -> bool:
        found = asyncio.ensure_future(self.look_back())
        table = self.table
        remark, totals, reasons = (self.note_deal if self.is_own else None), table.session.totals, table.session.reasons
        await table.app.overlays.ask(DealOverScreen(table.client.public, tuple(totals), remark=remark, reasons=reasons))
        dear, chosen = await found, None
        if dear:
            said = sentences("course")["recap"]
            choices = numbered((hanging(one.words, KEY, PAGE - KEY), one) for one in dear)
            again = ChoiceDialog(
                said["title"], said["some"], [*choices, Choice("b", said["back"], None)],
                current=len(dear), name="looking-back", unasked=True, may_close=True,
            )  # fmt: skip
            chosen = await table.app.overlays.ask(again)
        if chosen is None:
            self.finish()
        else:
            until = self._live.actions[: chosen.place]
            table.app.go(routes.coached_deal(self.learning, self.chapter, until=until))
        return True

    async def note_deal(self) -> str:
        deal = own_deal(self._view, self.table.moves.hints)
        if deal is not None:
            self.learning.note_deal(self.chapter, deal)
        return own_deal_words(self.learning, self.chapter, deal)

    def _tell(self, words: str) -> None:
        self.said = words
        for strip in self.table.query("#coach").results(Static):
            strip.update(f"{MARK}{words}" if words else "")

    async def look_back(self) -> tuple[Dear, ...]:
        if self.is_own:
            return ()
        warned = self.table.app.settings.warnings
        return await asyncio.to_thread(lambda: dearest(self._live.decisions(0), warned=warned))

    def leave(self) -> bool:
        count = (
            "A deal you leave does not count." if self.is_own else "A coached deal is not saved; you can play it again."
        )
        question = confirm("Leave this deal?", f"{count}\n", "Leave it", "Play on")
        self.table.app.overlays.show(question, lambda yes: self.finish() if yes else None, Layer.LEAVING)
        return True

    def finish(self) -> None:
        self.table.app.go(routes.course())
