"""A coached deal: the table as it always is, with the coach's words above the hand; or one that is played alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.exercises.kinds.away import FARTHEST, Away
from kalooki_tui.desk.setup.plan import MatchPlan
from kalooki_tui.desk.study.coached import Coach, DealtAgain, Guessing, guess_words, own_deal
from kalooki_tui.desk.study.dearest import Dear, dearest
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.desk.study.results import own_deal_words
from kalooki_tui.desk.table.moves import Moves
from kalooki_tui.desk.table.notes import Note
from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.moments import DECISIONS
from kalooki_tui.engine.view import View
from kalooki_tui.ui import ways
from kalooki_tui.ui.overlays import Layer
from kalooki_tui.ui.playing.noting import Noting
from kalooki_tui.ui.playing.prompts import TableStage
from kalooki_tui.ui.screens.dialogs import Ask, confirm
from kalooki_tui.ui.screens.scores import DealOverScreen
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.widgets.choices import Choice, numbered
from kalooki_tui.ui.widgets.faces import cards_content
from kalooki_tui.ui.widgets.seats import SeatsStrip
from kalooki_tui.ui.widgets.status import StatusView

MARK: Final = "◆ "


class CoachedMoves(Moves):
    """The moves of the table, which count the hints that were asked for."""

    hints = 0

    async def advice(self, view: View) -> str:
        """The next step of the hint."""
        self.hints += 1
        return await super().advice(view)


class CoachedStage(TableStage):
    """What the place is asked, for one deal only."""

    def __init__(self, screen: CoachedScreen) -> None:
        super().__init__(screen)
        self.coached = screen

    async def ask_decision(self, seat: int) -> bool:
        """Allow or refuse; the question shows what the coach says."""
        screen, view = self.coached, self.coached.place.view(seat)
        if screen.coach is not None:
            screen.asked = await asyncio.to_thread(screen.coach.say, view)
            screen.coach.told(view)
        return await super().ask_decision(seat)

    def ask(self, seat: int) -> None:
        """It is the learner's move; how far the contract is may be asked first."""
        super().ask(seat)
        self.coached.ask_guess()

    async def deal_over(self) -> None:
        """The score of the deal, then back to the chapters."""
        coached, sitting = self.coached, self.screen.sitting
        remark = coached.note_deal if coached.is_own else None
        found = asyncio.ensure_future(coached.look_back())
        await self._push(DealOverScreen(self._view, tuple(sitting.totals), remark=remark, reasons=sitting.reasons))
        dear = await found
        chosen = await self._push(looking_back(dear)) if dear else None
        coached.finish() if chosen is None else coached.play_again(chosen)


def looking_back(dear: Sequence[Dear]) -> Ask:
    """Which decision is played again? None: none."""
    said = sentences("course")["recap"]
    choices = [*numbered((one.words, one) for one in dear), Choice("b", said["back"], None)]
    return Ask(
        said["title"], said["some"], choices, current=len(dear), name="looking-back", unasked=True, may_close=True
    )


class CoachNotes(Noting):
    """No notes on the strip, where the coach speaks; a question shows the coach's words in a note's place."""

    def __init__(self, screen: CoachedScreen) -> None:
        super().__init__(screen)
        self._coached = screen

    def refresh(self) -> None:
        """Nothing: what a note would tell comes in its chapter, or at another table."""

    def question_note(self) -> Note | None:
        """The coach's words, as the note of a question."""
        return Note("coach", self._coached.asked, "C6") if self._coached.asked else None

    def cut_note(self) -> Note | None:
        """The same at the cut."""
        words = self._coached.coach.at_the_cut if self._coached.coach is not None else ""
        return Note("coach", words, "B1") if words else None

    def see(self, name: str) -> None:
        """They come again in another deal."""


class CoachedScreen(TableScreen):
    """A chapter's deal. No match is written down of it."""

    def __init__(
        self, learning: Learning, chapter: Chapter, plan: MatchPlan, place: Place, past: DealtAgain, *, is_own: bool
    ) -> None:
        """`is_own`: not the deal of the coach, but other cards, played alone."""
        super().__init__(plan, place)
        self._past = past
        assert chapter.coached is not None
        self.learning = learning
        self.chapter = chapter
        self.stage = CoachedStage(self)
        self.is_own = is_own
        self.coach = None if self.is_own else Coach(learning, chapter)
        self.moves: CoachedMoves = CoachedMoves(self, warns=lambda: not self.is_own and self.app.settings.warnings)
        self.noting = CoachNotes(self)
        self.asked = ""
        """What the coach says to a call that waits for an answer."""
        self._spoken_at: View | None = None
        self._said = ""
        self._guessing = Guessing() if chapter.coached.guess and not self.is_own else None

    def compose(self) -> ComposeResult:
        """The table, with room for the coach's words and for hands that lie open."""
        for part in super().compose():
            if isinstance(part, StatusView):
                yield Static(id="coach", markup=False)
            yield part
            if isinstance(part, SeatsStrip) and self.sitting.opens_hands:
                yield Static(id="open-hands")

    @property
    def said(self) -> str:
        """What the coach says now."""
        return self._said

    def refresh_table(self) -> None:
        """Show the table, the open hands, and what the coach has to say to a new moment."""
        self.desk.hides_plan = self._guessing is not None and self._guessing.hides(self.place.view(self.place.here[0]))
        super().refresh_table()
        if self.sitting.opens_hands:
            self._show_open_hands()
        view = self.desk.view
        in_question = view.phase in DECISIONS
        if self.desk.seat is not None and self.desk.is_asked and not in_question and view != self._spoken_at:
            self.consult(view)
        elif not self.desk.is_asked:
            self._tell("")

    def consult(self, view: View) -> None:
        """Find out what the coach says to this moment, and say it if the moment is still there."""
        if view == self._spoken_at or not self.is_here or self.coach is None:
            return  # a screen that is only coming up is refreshed once more
        self._spoken_at = view
        self.run_worker(partial(self._consult, view), group="coach", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    async def _consult(self, view: View) -> None:
        assert self.coach is not None
        words = await asyncio.to_thread(self.coach.say, view)
        if self.is_here and view == self._spoken_at:
            self._tell(words)
            self.coach.told(view)

    def ask_guess(self) -> None:
        """Ask how far the contract is, where the chapter wants that."""
        view = self.place.view(self.place.here[0])
        asked = None if self._guessing is None else self._guessing.asks(view)
        if asked is None:
            return
        choices = [Choice(str(number), str(number), number) for number in range(FARTHEST + 1)]
        question = Ask("How far?", guess_words(asked), choices, clause="L1", name="guess", beside=True)
        self.app.overlays.show(question, partial(self._guessed, view, asked), Layer.MATCH)

    def _guessed(self, view: View, asked: Away, number: int) -> None:
        assert self._guessing is not None
        told = self._guessing.told(view, asked, number)
        self.refresh_table()
        self.tell(told)

    async def note_deal(self) -> str:
        """Write down what came of a deal that was played alone, and say what it counts for."""
        deal = own_deal(self.place.view(self.place.here[0]), self.moves.hints)
        if deal is not None:
            self.learning.note_deal(self.chapter, deal)
        return own_deal_words(self.learning, self.chapter, deal)

    def _tell(self, words: str) -> None:
        self._said = words
        for strip in self.query("#coach").results(Static):
            strip.update(f"{MARK}{words}" if words else "")

    def _show_open_hands(self) -> None:
        place, look = self.place, self.app.look
        parts: list[Content] = []
        for seat, hand in place.open_hands():
            cards = cards_content(sorted(hand), place.rules.faces, look)
            parts += [Content.styled(f" {place.names[seat]} ", "$on-felt-muted"), cards, Content("  ")]
        for strip in self.query("#open-hands").results(Static):
            strip.update(Content("").join(parts))

    async def look_back(self) -> tuple[Dear, ...]:
        """What gave up most in the deal with the coach that is over."""
        if self.is_own:
            return ()
        warned = self.app.settings.warnings
        return await asyncio.to_thread(lambda: dearest(self._past.decisions(), warned=warned))

    def play_again(self, dear: Dear) -> None:
        """Play the deal on from the moment of a decision, with the coach."""
        self.app.go(ways.CoachedDeal(self.learning, self.chapter, until=self._past.until(dear.place)))

    def finish(self) -> None:
        """Back to the chapters."""
        self.app.go(ways.Course())

    def leave_match(self, *, program: bool = False) -> None:
        """Ask, then back to the chapters, or out of the program."""
        if program:
            super().leave_match(program=True)
            return
        kept = (
            "A deal you leave does not count." if self.is_own else "A coached deal is not saved; you can play it again."
        )
        question = confirm("Leave this deal?", f"{kept}\n", "Leave it", "Play on")
        self.app.overlays.show(question, lambda yes: self.finish() if yes else None, Layer.LEAVING)
