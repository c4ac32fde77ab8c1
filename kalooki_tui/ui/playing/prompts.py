"""How the table asks people: a place's questions as dialogs, and the clock of a call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from kalooki_tui.desk.commands import BY_NAME, key_of
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.desk.table.flow import SPEED_FACTOR, answered
from kalooki_tui.desk.table.place import Ask, Place, Question
from kalooki_tui.desk.table.prompt import (
    Note,
    Worded,
    as_asked,
    cut_words,
    hand_title,
    whether_again,
    whether_taken_back,
    whether_to_allow,
    whether_to_buy_in,
    whether_to_call,
)
from kalooki_tui.engine.actions import Action, Allow, Pass
from kalooki_tui.engine.events import Dealt
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.table.table import Moment
from kalooki_tui.ui import routes
from kalooki_tui.ui.playing.sharing import Sharing
from kalooki_tui.ui.screens import passing
from kalooki_tui.ui.screens.base import Dialog, Shown
from kalooki_tui.ui.screens.dialogs import NO_LINE, CutDialog
from kalooki_tui.ui.screens.dialogs import Ask as AskDialog
from kalooki_tui.ui.widgets.banner import EXAMPLE_SIZES, TALL, DealBanner
from kalooki_tui.ui.widgets.choices import Choice, by_command
from kalooki_tui.ui.widgets.faces import cards_content

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen

#: Seconds a deal's end is shown where nobody is there to go on.
WATCHED_SECONDS: Final = 4.0
#: Seconds to the second ring of a card that may be called: terminals make one sound of rings at once.
SECOND_RING: Final = 0.3
_CARDS: Final = ("ace", "two", "three", "four", "five")


class Prompts:
    """Asks the people of a place on the table screen."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen, self._place, self._sitting = screen, screen.place, screen.sitting
        self.sharing = Sharing(screen)
        self._push = screen.app.overlays.ask
        self.covered = asyncio.Event()
        """Set when the hand that lay open was covered, for whose move it is."""
        self.consent: asyncio.Future[bool] | None = None
        """What is asked here beside the turn: whether somebody elsewhere may take back a step."""

    @property
    def _view(self) -> View:
        return self._place.public

    @property
    def _fresh(self) -> bool:
        view = self._view
        return view.phase is Phase.CUT or (bool(view.history) and isinstance(view.history[-1], Dealt))

    def _ring(self, *, calls: bool = False) -> None:
        """Ring for the person, where the settings let it: once for a turn, twice for a card that may be called."""
        app = self.screen.app
        if app.settings.bell:
            app.bell()
            if calls:
                app.set_timer(SECOND_RING, app.bell)

    async def answer(self, question: Question) -> Any:
        match question.ask:
            case Ask.SEATS:
                await self.opened()
            case Ask.DEAL:
                await self.dealt()
            case Ask.LOOK:
                await self.sharing.first_look()
            case Ask.TURN:
                await self.ask_turn(question.seats[0])
            case Ask.CALLERS:
                if self.screen.shared:
                    return await self.sharing.ask_callers(question.seats)
                return await self.ask_caller(question.seats[0], question.seconds)
            case Ask.DECISION:
                await self.reveal(question.seats[0])
                return await self.ask_decision(question.seats[0], question.seconds)
            case Ask.CUT:
                note = self.screen.beside.cut_note()
                return int(await self._push(CutDialog(self._view.rules.deck_size, cut_words(self._view), note)))
            case Ask.BUY_IN:
                return bool(await self._push(buy_in_question(self._view, question.seats[0])))
            case Ask.GO_ON:
                return bool(await self._push(_plain_dialog(whether_again(self._view))))
            case Ask.CONSENT:
                return await self.ask_consent(question)
            case Ask.END_OF_DEAL:
                await self.deal_over()
            case Ask.RESULT:
                await self.match_over()
        return None

    async def opened(self) -> None:
        """Who sits where, if the seats were drawn (D11)."""
        place = self._place
        drawn = place.rules.ruleset.seating.first_dealer == "ace-draw"
        if not drawn or not place.here or not self._fresh:
            return
        lines = [f"{name} drew the {_CARDS[number]}" for number, name in enumerate(place.names)]
        text = "\n".join([f"{lines[0]} and deals first.", *(f"{line}." for line in lines[1:])])
        await self._push(
            AskDialog(
                "Cards are drawn for seats",
                text + "\n",
                [Choice("enter", "Take your seats", True)],
                clause="D11",
                name="seats-drawn",
                unasked=True,
            )
        )

    async def dealt(self) -> None:
        """A deal begins: its banner, for a moment."""
        screen = self.screen
        self.sharing.present = None
        if not screen.log_view.lines:
            screen.write_log(self._view.history)
        if screen.shared:
            screen.conceal()
        else:
            screen.refresh_table()
        # Whoever only looks on has nothing else to tell deals apart by.
        factor = SPEED_FACTOR[Speed.NATURAL if _nobody_plays(self._place) else self._sitting.speed]
        if factor and self._fresh and self._view.phase is not Phase.CUT:
            await self._push(DealIntro(self._view, seconds=1.0 + 2 * factor))

    async def reveal(self, seat: int) -> None:
        """Show a person's hand, behind the curtain first where several share the screen."""
        screen = self.screen
        if screen.viewer == seat:
            return
        if screen.shared:
            screen.conceal()
            if screen.plan.curtain:
                await self.sharing.come(seat)
        screen.open_hand(seat)

    async def ask_turn(self, seat: int) -> None:
        """It is this person's move, by the keys of the table: they act, or cover the hand, and somebody else comes."""
        await self.reveal(seat)
        self.covered.clear()
        self.ask(seat)
        await self.covered.wait()

    def ask(self, seat: int) -> None:
        """Let the keys of the table count for this person, and ring."""
        screen = self.screen
        screen.open_hand(seat)
        view = screen.desk.view
        if view.phase is Phase.DRAW or view.phase in WINDOWS:
            self._ring(calls=view.phase in WINDOWS)
        if view.phase in WINDOWS and view.rules.settings.race:
            screen.clock.start(seat, screen.plan.call_seconds)
        if not screen.melds.has_focus:
            screen.hand.focus()
        screen.beside.turn_begun()

    async def ask_caller(self, seat: int, seconds: float = 0) -> int | None:
        """Whether the one person here calls, asked at once with others at theirs; the seat, or None."""
        view = self._place.view(seat)
        self.screen.open_hand(seat)
        self._ring(calls=True)
        moves = self.screen.moves
        question = call_question(
            view, lambda: moves.advice(as_asked(view)), lambda *given: moves.warning(as_asked(view), *given)
        )
        question.foot = hand_title(self.screen.desk)
        race = self.screen.plan.call_seconds if view.rules.settings.race else 0
        question.seconds, question.waits = race or seconds, lambda: self._sitting.waits
        if not view.rules.settings.race:
            return seat if await self._push(question) else None
        asked = asyncio.ensure_future(self._push(question))
        try:
            in_time = await answered(asked, self.screen.plan.call_seconds, lambda: self._sitting.waits)
            return seat if in_time and asked.result() else None
        finally:
            asked.cancel()

    async def ask_decision(self, seat: int, seconds: float = 0) -> bool:
        """Allow or refuse, with one's own hand in sight."""
        view, began = self._place.view(seat), monotonic()
        await self.screen.beside.before_decision(view)
        self._ring()
        while True:
            question = decision_question(
                view,
                lambda: self.screen.moves.advice(view),
                partial(self.screen.moves.warning, view),
                may_undo=not self._place.may_take_back(seat).why,
                shared=self.screen.shared and self.screen.plan.curtain,
                note=None if self.screen.note.text else self.screen.beside.question_note(),
            )
            question.foot = hand_title(self.screen.desk)
            question.seconds = max(1.0, seconds - (monotonic() - began)) if seconds else 0.0
            question.waits = lambda: self._sitting.waits
            answer = await self._push(question)
            if answer == COVER:
                self.screen.conceal()
                await self.sharing.come(seat)
                self.screen.open_hand(seat)
                continue
            if answer != UNDO:
                return bool(answer)
            self.screen.moves.undo()
            await asyncio.sleep(0)  # with the step, this question is taken back

    async def ask_consent(self, question: Question) -> bool:
        """Whether somebody elsewhere may take back a step: a line beside all else, answered when people like."""
        self.consent = asyncio.get_running_loop().create_future()
        self._ring()
        self.screen.show_consent(whether_taken_back(question.words))
        try:
            return await self.consent
        finally:
            self.consent.cancel()
            if self.screen.is_here:
                self.screen.show_consent(None)

    async def deal_over(self) -> None:
        """The end of a deal, until somebody goes on."""
        from kalooki_tui.ui.screens.scores import DealOverScreen

        screen, sitting, place = self.screen, self._sitting, self._place
        if await screen.beside.deal_over():
            return
        view = self._view
        watched = None
        if _nobody_plays(place):
            watched = WATCHED_SECONDS * SPEED_FACTOR[Speed.NATURAL]
        elif not (place.here or place.elsewhere):
            # However fast they move, how a deal ended can be read.
            watched = WATCHED_SECONDS * (SPEED_FACTOR[sitting.speed] or SPEED_FACTOR[Speed.BRISK])
        if screen.shared:
            screen.conceal()
        teaching = screen.plan.teaching and bool(place.here)
        remark = self._could_have if teaching else None
        reasons = sitting.reasons if teaching else ()
        record = sitting.record
        may_review = record and place.here and not place.why_not_allowed("review")
        review = partial(screen.app.go, routes.review(record, last=True)) if may_review else None
        await self._push(DealOverScreen(view, tuple(sitting.totals), watched, remark, reasons, review))

    async def _could_have(self) -> str:
        """What each person here could have done better in this deal, a line each."""
        from kalooki_tui.coach.advising import could_have

        decided = self._place.decisions()
        try:
            told = [(name, await asyncio.to_thread(could_have, decisions)) for name, decisions in decided]
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the remark
            log_fault(error)
            return ""
        return "\n".join(f"{name}: {words}" if self.screen.shared else words for name, words in told if words)

    async def match_over(self) -> None:
        """The result; where others play the same cards, everybody's beside it."""
        from kalooki_tui.ui.screens.scores import MatchOverScreen

        screen, sitting = self.screen, self._sitting
        if sitting.duplicate and len(sitting.people) == 1:
            screen.app.go(routes.same_cards(sitting.duplicate[0]))
            return
        record, place = sitting.record, self._place
        may_review = record and place.here and not place.why_not_allowed("review")
        review = partial(screen.app.go, routes.review(record)) if may_review else None
        answer = await self._push(
            MatchOverScreen(
                self._view,
                sitting.winners,
                tuple(sitting.totals),
                sitting.setup.seed,
                await sitting.facts(),
                sitting.settlement(),
                sitting.last_lay_down(),
                review,
            )
        )
        if answer == "again":
            screen.app.go(routes.same_seats(screen.plan))
        else:
            screen.app.go(routes.home())


UNDO: Final = "undo"
COVER: Final = "cover"


def _nobody_plays(place: Place) -> bool:
    """Whether the people here are all out of the match: none was in this deal, or may buy in again."""
    view, people = place.public, place.here
    waits = view.phase is Phase.BUY_IN and view.actor in people
    return bool(people) and not waits and not any(view.in_deal[one] or not view.eliminated[one] for one in people)


Advice = Callable[[], Awaitable[str]]
Warned = Callable[[Action, str], Awaitable[str]]
"""What to say before an answer that is this action is taken; see `Moves.warning`."""


def call_question(view: View, advice: Advice, warning: Warned) -> AskDialog:
    """Whether to call the card in question (C2), with the own hand in sight; answered with a truth value."""
    asked = whether_to_call(view)
    dear = {False: partial(warning, Pass(view.seat), f"{key_of('pass')} again lets it go.")}
    return _dialog(asked, view, by_command("hint", "A hint first", None, tell=advice), dear=dear)


def decision_question(
    view: View,
    advice: Advice,
    warning: Warned,
    *,
    may_undo: bool = False,
    shared: bool = False,
    note: Note | None = None,
) -> AskDialog:
    """Allow or refuse (C4, C6): who calls what, what each answer means, and advice for who wants it.

    It is answered with a truth value, with `UNDO` where `may_undo`, or with `COVER` where the keyboard is `shared`.
    """
    asked = whether_to_allow(view)
    dear = {True: partial(warning, Allow(view.seat), f"{asked.ways[0].key} again allows it.")}
    more = [by_command("hint", "A hint first", None, beside="ar", tell=advice)]
    if may_undo:
        more.append(by_command("undo", "Take back your last step", UNDO, beside="ar"))
    if shared:
        more.append(by_command("cover", "Not me: cover it", COVER, beside="ar"))
    return _dialog(asked, view, *more, dear=dear, note=note)


def _dialog(
    asked: Worded, view: View, *more: Choice, dear: Mapping[bool, Advice], note: Note | None = None
) -> AskDialog:
    """A question about a call, with more that can be chosen than its answers; `dear`: what is to be said before one."""
    faces = view.rules.faces
    words = [cards_content([part], faces) if isinstance(part, int) else part for part in asked.text]
    if asked.name == "decision":  # it begins with a name
        words[0] = Content.styled(str(words[0]), "bold $gold")
    else:
        words.append("\n")
    answers = [replace(one, tell=dear.get(one.value)) for one in _choices(asked)]
    return AskDialog(
        asked.title, Content.assemble(*words), [*answers, *more], current=NO_LINE,
        clause=asked.clause, note=note, name=asked.name, beside=True, unasked=True,
    )  # fmt: skip


def _choices(asked: Worded) -> list[Choice]:
    return [
        by_command(way.key, way.words, way.value) if way.key in BY_NAME else Choice(way.key, way.words, way.value)
        for way in asked.ways
    ]


def _plain_dialog(asked: Worded, **given: Any) -> AskDialog:
    text = "".join(map(str, asked.text)) + "\n"
    return AskDialog(
        asked.title, text, _choices(asked), current=NO_LINE, clause=asked.clause, name=asked.name, unasked=True, **given
    )


def buy_in_question(view: View, seat: int) -> AskDialog:
    """Whether an eliminated seat buys in (P3), with everybody's counters."""
    from kalooki_tui.ui.screens.scores import ledger

    counters = Static(ledger(view), id="ledger")
    return _plain_dialog(whether_to_buy_in(view, seat), extra=[counters])


class DealIntro(Dialog):
    """The deal's banner across the table; goes by itself, or at any key."""

    DEFAULT_CSS = """
    DealIntro DealBanner { width: 100%; }
    """

    def __init__(self, view: View, seconds: float) -> None:
        super().__init__(name="deal-intro")
        self._view, self._seconds = view, seconds

    def compose(self) -> ComposeResult:
        yield DealBanner()

    def on_mount(self) -> None:
        """Show it, for a while, with larger cards where there are rows for them."""
        banner = self.query_one(DealBanner)
        if self.app.size.height >= TALL:
            banner.styles.height = EXAMPLE_SIZES[0][0]
        banner.show(self._view)
        self.set_timer(self._seconds, self.dismiss)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        self.dismiss()


CLOCK_WIDTH: Final = 10


class CallClock:
    """Runs while a call can be made, and stands still while something lies over the table or the match is paused."""

    def __init__(self, screen: Shown, place: Place, tell: Callable[[], None]) -> None:
        """`tell`: called when there is less time left."""
        self._screen, self._place, self._tell = screen, place, tell
        self._timer: Timer | None = None
        self._moment: Moment | None = None
        self._seat = 0
        self._left = self._whole = 0.0

    @property
    def words(self) -> str:
        """How much time is left, as a bar and in seconds; empty while no clock runs."""
        if self._timer is None or self._moment != self._place.moment:
            return ""
        full = max(1, round(self._left / self._whole * CLOCK_WIDTH))
        return f"{'█' * full}{'░' * (CLOCK_WIDTH - full)} {ceil(self._left)} s"

    def start(self, seat: int, seconds: float) -> None:
        """Begin to run for the call that can be made now."""
        self.stop()
        self._seat, self._moment = seat, self._place.moment
        self._left = self._whole = seconds
        self._timer = self._screen.set_interval(passing.SECOND / passing.TICKS, self._tick)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _tick(self) -> None:
        screen = self._screen
        if not screen.is_here or self._place.moment != self._moment:
            self.stop()
            return
        if not screen.is_live or self._place.sitting.waits:
            return
        self._left -= 1 / passing.TICKS
        if self._left > 0:
            self._tell()
        else:
            self.stop()
            self._place.act(Pass(self._seat))
