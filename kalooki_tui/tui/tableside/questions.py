"""Questions of a session as dialogs, and the clock of a call. None of them shows anything of a hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import pairwise
from math import ceil
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.content import Content

from kalooki_tui.engine.actions import Allow, Challenge, Pass
from kalooki_tui.engine.events import Dealt
from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.presenter.commands import BY_NAME, key_of
from kalooki_tui.presenter.moves import AnswerOption, Moves, challenge_stake
from kalooki_tui.presenter.prompts import (
    Note,
    WordedQuestion,
    as_asked,
    card_in_question,
    card_name,
    cut_words,
    hand_title,
    whether_again,
    whether_taken_back,
    whether_to_allow,
    whether_to_buy_in,
    whether_to_call,
)
from kalooki_tui.presenter.sentences import step_words
from kalooki_tui.session.client import Client, Question, QuestionKind, TakeBack
from kalooki_tui.session.plan import ASKING, AskCalls, Speed, practice_plan
from kalooki_tui.session.turn_loop import SEVERAL_WORDS, SPEED_FACTOR, answered
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import NO_LINE, Dialog
from kalooki_tui.tui.screens.curtain import (
    ButtonPress,
    CurtainAction,
    LookDialog,
    callers_screen,
    first_look_screen,
    turn_screen,
)
from kalooki_tui.tui.screens.question import ChoiceDialog, Clock, CutDialog, confirm
from kalooki_tui.tui.tableside.people import NOBODY, letters, seat_keys
from kalooki_tui.tui.widgets.banner import EXAMPLE_SIZES, TALL, DealBanner
from kalooki_tui.tui.widgets.choices import Choice, by_command, numbered
from kalooki_tui.tui.widgets.faces import card_content, cards_content
from kalooki_tui.wording import counted, does, penalty_words, whom

if TYPE_CHECKING:
    from kalooki_tui.session.match_session import MatchSession
    from kalooki_tui.tui.screens.table import TableScreen

#: Seconds a deal's end is shown where nobody is there to go on.
WATCHED_SECONDS: Final = 4.0
#: Seconds to the second ring of a card that may be called: terminals make one sound of rings at once.
SECOND_RING: Final = 0.3
_CARDS: Final = ("ace", "two", "three", "four", "five")


class TableQuestions:
    def __init__(self, screen: TableScreen) -> None:
        self.screen, self._client, self._session = screen, screen.client, screen.session
        self._push = screen.app.overlays.ask
        self.covered = asyncio.Event()
        self.consent: asyncio.Future[bool] | None = None
        """Question whether somebody elsewhere may take back a step, asked beside the turn."""
        self.present: int | None = None
        """Person of several who has pressed the own key, and whose hand opens as soon as it is asked for."""
        self.undone = ""
        """Sentence on what was taken back last, until somebody does something."""

    @property
    def _view(self) -> View:
        return self._client.public

    @property
    def _race_seconds(self) -> float:
        """Seconds in which a card can be called; 0: until everybody has answered."""
        return self.screen.plan.call_seconds if self._view.rules.settings.race else 0

    @property
    def _fresh(self) -> bool:
        view = self._view
        return view.phase is Phase.CUT or (bool(view.history) and isinstance(view.history[-1], Dealt))

    def _ring(self, *, calls: bool = False) -> None:
        """Ring, where the settings let it: once for a turn, twice for a card that may be called."""
        app = self.screen.app
        if app.settings.bell:
            app.bell()
            if calls:
                app.set_timer(SECOND_RING, app.bell)

    async def answer(self, question: Question) -> Any:
        match question.ask:
            case QuestionKind.SEATS:
                await self.opened()
            case QuestionKind.DEAL:
                await self.dealt()
            case QuestionKind.LOOK:
                await self.first_look()
            case QuestionKind.TURN:
                await self.ask_turn(question.seats[0])
            case QuestionKind.CALLERS:
                if self.screen.client.is_shared:
                    return await self.ask_callers(question.seats)
                return await self.ask_caller(question.seats[0], question.seconds)
            case QuestionKind.DECISION:
                await self.reveal(question.seats[0])
                return await self.ask_decision(question.seats[0], question.seconds)
            case QuestionKind.CUT:
                note = self.screen.beside.cut_note()
                return int(await self._push(CutDialog(self._view.rules.deck_size, cut_words(self._view), note)))
            case QuestionKind.BUY_IN:
                return bool(await self._push(buy_in_question(self._view, question.seats[0])))
            case QuestionKind.GO_ON:
                return bool(await self._push(_dialog(whether_again(self._view), self._view)))
            case QuestionKind.CONSENT:
                return await self.ask_consent(question)
            case QuestionKind.END_OF_DEAL:
                await self.deal_over()
            case QuestionKind.RESULT:
                await self.match_over()
        return None

    async def opened(self) -> None:
        client = self._client
        drawn = client.session.rules.ruleset.seating.first_dealer == "ace-draw"
        if not drawn or not client.here or not self._fresh:
            return
        lines = [f"{name} drew the {_CARDS[number]}" for number, name in enumerate(client.session.names)]
        text = "\n".join([f"{lines[0]} and deals first.", *(f"{line}." for line in lines[1:])])
        asked = WordedQuestion(
            "seats-drawn",
            "Cards are drawn for seats",
            (text,),
            (AnswerOption("Take your seats", True, "enter"),),
            "D11",
        )
        await self._push(_dialog(asked, self._view, current=0))

    async def dealt(self) -> None:
        screen = self.screen
        self.present = None
        if not screen.log_view.lines:
            screen.write_log(self._view.history)
        if screen.client.is_shared:
            screen.conceal()
        else:
            screen.refresh_table()
        if screen.plan.teach and self._fresh and self._view.phase is not Phase.CUT:
            await self._push(await self._contract_page())
            return
        # Whoever only looks on has nothing else to tell deals apart by.
        factor = SPEED_FACTOR[Speed.NATURAL if _nobody_plays(self._client) else self._session.speed]
        if factor and self._fresh and self._view.phase is not Phase.CUT:
            await self._push(DealIntro(self._view, seconds=1.0 + 2 * factor))

    async def _contract_page(self) -> Dialog:
        from kalooki_tui.training.teaching import contract_lesson
        from kalooki_tui.tui.screens.contract_page import ContractPage

        view, seed = self._view, self._session.setup.seed
        return ContractPage(view, await asyncio.to_thread(contract_lesson, view.rules, view.deal, seed))

    async def reveal(self, seat: int) -> None:
        """Show a person's hand, behind the curtain first where somebody else may sit at the screen."""
        screen = self.screen
        if screen.viewer == seat:
            return
        if screen.client.is_shared:
            screen.conceal()
        if screen.viewer is None and self.screen.hides_hands:
            await self.come(seat)
        screen.open_hand(seat)

    async def ask_turn(self, seat: int) -> None:
        """Wait until the person acts by the keys of the table, or covers the hand and somebody else comes."""
        await self.reveal(seat)
        self.covered.clear()
        self.ask(seat)
        await self.covered.wait()

    def ask(self, seat: int) -> None:
        screen = self.screen
        screen.open_hand(seat)
        view = screen.state.view
        if view.phase is Phase.DRAW or view.phase in WINDOWS:
            self._ring(calls=view.phase in WINDOWS)
        if view.phase in WINDOWS and self._race_seconds:
            screen.start_clock(CallClock(screen, seat, self._race_seconds))
        if not screen.melds.has_focus:
            screen.hand.focus()
        screen.beside.turn_begun()

    async def ask_caller(self, seat: int, seconds: float = 0) -> int | None:
        """Ask whether the one person here calls, at once with others at their screens; the seat, or None."""
        await self.reveal(seat)
        view = self._client.view(seat)
        self._ring(calls=True)
        moves, race, mine = self.screen.moves, self._race_seconds, as_asked(view)
        lets_go = partial(moves.warning, mine, Pass(seat), f"{key_of('pass')} again lets it go.")
        hint = by_command("hint", "A hint first", None, tell=partial(moves.advice, mine))
        asks = self.screen.beside.teacher_choices
        question = _dialog(whether_to_call(view), view, hint, *asks, dear={False: lets_go}, beside=True)
        question.foot, question.seconds = hand_title(self.screen.state), race or seconds
        asked = asyncio.ensure_future(self._push(question))
        try:
            in_time = await answered(asked, race, lambda: self._session.waits)
            return seat if in_time and asked.result() else None
        finally:
            asked.cancel()

    async def ask_decision(self, seat: int, seconds: float = 0) -> bool:
        view, began = self._client.view(seat), monotonic()
        await self.screen.beside.before_decision(view)
        self._ring()
        while True:
            question = decision_question(
                view,
                self.screen.moves,
                *self.screen.beside.teacher_choices,
                undo=self._undo_key(self._client.may_take_back(seat), UNDO, beside="ar"),
                shared=self.screen.client.is_shared and self.screen.hides_hands,
                note=None if self.screen.note.text else self.screen.beside.question_note(),
            )
            question.foot = hand_title(self.screen.state)
            question.seconds = max(1.0, seconds - (monotonic() - began)) if seconds else 0.0
            answer = await self._push(question)
            if answer == COVER:
                self.screen.conceal()
                await self.come(seat)
                self.screen.open_hand(seat)
                continue
            if answer != UNDO:
                return bool(answer)
            self.screen.moves.undo()
            await asyncio.sleep(0)  # with the step, this question is taken back

    def _undo_key(self, found: TakeBack, value: object, *, beside: str) -> list[Choice]:
        """Return the key that takes back a step, or asks people elsewhere whether it may be; none where it may not."""
        if found.step is None or found.why:
            return []
        step = step_words(found.step, self._view.names, self._view.rules)
        words = f"{'Ask to take' if found.asks else 'Take'} back {step}"
        return [by_command("undo", words, value, beside=beside, tell=self._ask_back if found.asks else None)]

    async def _ask_back(self) -> str:
        """Ask while the question stays: what is asked of the others is no answer to it."""
        return self._client.undo(self.screen.state.seat) or "The others are asked whether they let it be taken back."

    async def ask_consent(self, question: Question) -> bool:
        """Ask on a line beside all else whether somebody elsewhere may take back a step."""
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
        from kalooki_tui.tui.screens.scores import DealOverScreen

        screen, session, client = self.screen, self._session, self._client
        if await screen.beside.deal_over():
            return
        view = self._view
        watched = None
        if _nobody_plays(client):
            watched = WATCHED_SECONDS * SPEED_FACTOR[Speed.NATURAL]
        elif not (client.here or session.elsewhere(client)):
            # However fast they move, how a deal ended can be read.
            watched = WATCHED_SECONDS * (SPEED_FACTOR[session.speed] or SPEED_FACTOR[Speed.BRISK])
        if screen.client.is_shared:
            screen.conceal()
        teaching = screen.plan.is_teaching and bool(client.here)
        remark = self._could_have if teaching else None
        reasons = session.reasons if teaching else ()
        await self._push(DealOverScreen(view, tuple(session.totals), watched, remark, reasons, self._review(last=True)))

    def _review(self, *, last: bool) -> Callable[[], object] | None:
        record, client = self._session.record, self._client
        if not record or not client.here or client.why_not_allowed("review"):
            return None
        return partial(self.screen.app.go, routes.review(record, last=last))

    async def _could_have(self) -> str:
        from kalooki_tui.coach.rated_advice import could_have

        decided = self._client.decisions()
        try:
            told = [(name, await asyncio.to_thread(could_have, decisions)) for name, decisions in decided]
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the remark
            log_fault(error)
            return ""
        lines = [f"{name}: {words}" if self.screen.client.is_shared else words for name, words in told if words]
        if self.screen.plan.teach:
            from kalooki_tui.training.teaching import how_far

            lines[:0] = await asyncio.to_thread(how_far, self._view, self._session.people)
        return "\n".join(lines)

    async def match_over(self) -> None:
        """Show the result; where others play the same cards, everybody's."""
        from kalooki_tui.tui.screens.scores import MatchOverScreen

        screen, session = self.screen, self._session
        if session.duplicate and len(session.people) == 1:
            screen.app.go(routes.same_cards(session.duplicate[0]))
            return
        dear, word = (
            0 if screen.plan.start is not None else dearest_deal(session),
            session.rules.ruleset.vocabulary.deal,
        )
        answer = await self._push(
            MatchOverScreen(
                self._view, session.winners, tuple(session.totals), session.setup.seed, await session.facts(),
                session.settlement(), session.last_lay_down(), self._review(last=False),
                f"{word} {dear}" if dear and self._client.is_host else "",
            )
        )  # fmt: skip
        if answer == "again":
            screen.app.go(routes.same_seats(screen.plan))
        elif answer == "practise":
            with screen.app.telling(ValueError):
                screen.app.go(routes.new_match(practice_plan(screen.plan, dear), remembers=False))
        else:
            screen.app.go(routes.home())

    # Who is to come

    async def come(self, seat: int) -> None:
        """Wait until the person has come to the keyboard, and sits there alone."""
        came, self.present = self.present, None
        is_back = False
        while came != seat:
            screen = self.screen
            note, more = screen.beside.question_note(), self._other_keys(())
            question = turn_screen(self._view, seat, more, note, screen.badges, self.undone)
            question.is_back, is_back = is_back, True
            answer = await self._push(question)
            if not await self._did(answer):
                came = seat

    def _other_keys(self, seats: Collection[int]) -> list[Choice]:
        client, own = self._client, self.screen.badges
        taken = "".join((NOBODY, *(badge.key for badge in own.values()), *letters(own).values()))
        offered = (
            (self._view.rules.ruleset.calls.limit,
             "asking", "When each person is asked about calls", CurtainAction.WHEN),
            (seats and any(client.view(seat).may_challenge for seat in client.here),
             "challenge", "Challenge: somebody has called too often", CurtainAction.CHALLENGE),
            (self._session.paused, "pause", "AI seats are paused: let them continue", CurtainAction.GO_ON),
        )  # fmt: skip
        keys = [
            by_command(name, text, ButtonPress(doing), beside=taken) for is_so, name, text, doing in offered if is_so
        ]
        keys = [one for one in keys if one.value.doing is not CurtainAction.GO_ON or one.key not in taken]
        keys += self._undo_key(client.may_take_back(), ButtonPress(CurtainAction.UNDO), beside=taken)
        return keys + self.screen.beside.teacher_choices

    async def _did(self, answer: ButtonPress) -> bool:
        match answer.doing:
            case CurtainAction.WHEN:
                await self.choose_when()
            case CurtainAction.CHALLENGE:
                await self._challenge()
            case CurtainAction.UNDO:
                self.present = None
                self._client.undo(self.screen.state.seat)
                await asyncio.sleep(0)  # what was asked is withdrawn with the step
            case CurtainAction.GO_ON:
                self.screen.toggle_pause()
            case _:
                return False
        return True

    def _by_seat(self, words: Mapping[int, str]) -> list[Choice]:
        own = self.screen.badges
        keys = seat_keys(words, own)
        return [
            Choice(keys[seat], text, seat, ground=own[seat].ground if seat in own else "")
            for seat, text in words.items()
        ]

    async def choose_when(self) -> None:
        names = self._view.names
        asking = self._session.asking
        people = {seat: f"{names[seat]}: {SEVERAL_WORDS[asking.of(seat)]}" for seat in self._client.here}
        who = self._by_seat(people)
        seat = await self._push(
            ChoiceDialog("When to ask about calls", "Who wants to change it?\n", who, may_close=True)
        )
        if seat is None:
            return
        title = f"{names[seat]}, when are you asked?"
        told = "Whenever somebody is asked, the others can call as well.\n"
        ways, now = numbered((SEVERAL_WORDS[way], way) for way in AskCalls), list(AskCalls).index(asking.of(seat))
        way = await self._push(ChoiceDialog(title, told, ways, current=now, may_close=True))
        if way is not None:
            asking.choose(seat, way)
            self._session.keep(**{ASKING: asking.to_keep()})

    async def _challenge(self) -> None:
        client = self._client
        names = self._view.names
        people = [seat for seat in client.here if client.view(seat).may_challenge]

        async def which(title: str, text: str, seats: Iterable[int]) -> Any:
            ways = self._by_seat({one: names[one] for one in seats})
            return await self._push(ChoiceDialog(title, f"{text}\n", ways, may_close=True, clause="D13"))

        seat = await which("Challenge", "Who challenges?", people)
        if seat is None:
            return
        challenges, view = does(names[seat], "challenge"), client.view(seat)
        target = await which(challenges, "Who has called more often than allowed?", view.may_challenge)
        if target is None:
            return
        stake = challenge_stake(view, target, open_hand=False)
        asked = f"{challenges} {whom(names[target])}?"
        if await self._push(confirm(asked, f"{stake}\n", "Yes, challenge", "No, leave it", "D13")):
            self.screen.tell(client.act(Challenge(seat, target)))

    # Who calls

    async def ask_callers(self, seats: tuple[int, ...]) -> int | None:
        """Return which of these people calls; the person whose turn it is says by the own key that nobody does."""
        screen = self.screen
        self.present, is_back = None, False
        while True:
            screen.conceal()
            note, more, people = screen.beside.question_note(), self._other_keys(seats), self._client.here
            question = callers_screen(
                self._view, seats, people, more, note, screen.badges, self.undone, self._race_seconds
            )
            question.is_back, is_back = is_back, True
            answer = await self._push(question)
            if await self._did(answer):
                continue
            if answer.doing is CurtainAction.LOOK:
                answer = await self._look(answer.seat, may_call=True)
            match answer.doing:
                case CurtainAction.CALL:
                    return int(answer.seat)
                case CurtainAction.OPEN:
                    self.present = answer.seat
                    return None
                case CurtainAction.NOBODY:
                    return None

    # Looks

    async def first_look(self) -> None:
        """Let everybody look at the own hand once, before the first card can be called."""
        screen = self.screen
        if not self.screen.hides_hands:
            return
        left = [seat for seat in self._client.here if self._view.in_deal[seat]]
        while left:
            self.present = None
            screen.conceal()
            answer = await self._push(first_look_screen(self._view, left, self.screen.badges))
            if answer.doing is not CurtainAction.LOOK:
                return
            await self._look(answer.seat, may_call=False)
            left.remove(answer.seat)

    async def _look(self, seat: int, *, may_call: bool) -> ButtonPress:
        screen = self.screen
        screen.peeking = seat
        if may_call:
            self._client.note_look(seat)
        try:
            screen.open_hand(seat)
            view = self._view
            choices = [Choice("enter", "Cover it again", ButtonPress(CurtainAction.COVER))]
            text = Content("This is only a look: nobody draws or throws yet.\n")
            if may_call:
                card, origin = card_in_question(view)
                assert card is not None
                words = f"Call {card_name(view)}, with {penalty_words(view.rules.ruleset.calls.penalty)}"
                choices.append(by_command("call", words, ButtonPress(CurtainAction.CALL, seat)))
                if seat == view.turn and not view.rules.settings.race:
                    flip = view.rules.ruleset.vocabulary.flip
                    choices.append(Choice(NOBODY, f"No call: turn up the {flip}", ButtonPress(CurtainAction.NOBODY)))
                text = Content.assemble(card_content(card, view.rules.faces), f" {origin}. Nobody has called yet.\n")
            choices += [
                by_command("sort", "Sort the hand", None, tell=self._sort),
                by_command("hint", "A hint", None, tell=partial(self._hint, seat)),
            ]
            look = LookDialog(does(view.names[seat], "look"), text, choices)
            look.foot = hand_title(screen.state)
            answer: ButtonPress = await self._push(look)
            return answer
        finally:
            screen.peeking = None
            screen.conceal()

    async def _sort(self) -> str:
        self.screen.moves.sort_hand()
        return ""

    async def _hint(self, seat: int) -> str:
        screen, view = self.screen, self._client.view(seat)
        if view.phase in WINDOWS and (view.legal or view.turn != view.seat):
            # Whoever lets the card go covers the hand again.
            return (await screen.moves.advice(as_asked(view))).replace(f"({key_of('pass')})", "(enter)")
        screen.moves.group_hand()
        away = screen.state.distance()
        far = "You can lay" if not away else f"You are {counted(away, 'card')} away"
        return f"{far}; what goes together stands together."


UNDO: Final = "undo"
COVER: Final = "cover"


def _nobody_plays(client: Client) -> bool:
    """Tell whether the people here are all out of the match: none was in this deal, or may buy in again."""
    view, people = client.public, client.here
    waits = view.phase is Phase.BUY_IN and view.actor in people
    return bool(people) and not waits and not any(view.in_deal[one] or not view.eliminated[one] for one in people)


def decision_question(
    view: View, moves: Moves, *more: Choice, undo: Iterable[Choice] = (), shared: bool = False, note: Note | None = None
) -> ChoiceDialog:
    """Ask whether to allow a call (C4, C6), with advice for who wants it.

    It is answered with a bool, with what the key of `undo` gives, or with `COVER` where the keyboard is `shared`.
    """
    asked = whether_to_allow(view)
    dear = {True: partial(moves.warning, view, Allow(view.seat), f"{asked.ways[0].key} again allows it.")}
    keys = [by_command("hint", "A hint first", None, beside="ar", tell=partial(moves.advice, view)), *more, *undo]
    if shared:
        keys.append(by_command("cover", "Not me: cover it", COVER, beside="ar"))
    return _dialog(asked, view, *keys, dear=dear, note=note, beside=True)


def _dialog(
    asked: WordedQuestion,
    view: View,
    *more: Choice,
    dear: Mapping[bool, Callable[[], Awaitable[str]]] = MappingProxyType({}),
    current: int = NO_LINE,
    **given: Any,
) -> ChoiceDialog:
    """Make a question with `more` to choose than its answers; `dear`: the warning before one."""
    faces = view.rules.faces
    words = [cards_content([part], faces) if isinstance(part, int) else part for part in asked.text]
    if asked.name == "decision":  # it begins with a name
        words[0] = Content.styled(str(words[0]), "bold $gold")
    else:
        words.append("\n")
    answers = [
        Choice(BY_NAME[way.key].key if way.key in BY_NAME else way.key, way.words, way.value, dear.get(way.value))
        for way in asked.ways
    ]
    return ChoiceDialog(
        asked.title, Content.assemble(*words), [*answers, *more], current=current,
        clause=asked.clause, name=asked.name, unasked=True, **given,
    )  # fmt: skip


def buy_in_question(view: View, seat: int) -> ChoiceDialog:
    from kalooki_tui.tui.screens.scores import ledger

    asked = whether_to_buy_in(view, seat)
    return _dialog(replace(asked, text=(*asked.text, f"\n\n{ledger(view).rstrip()}")), view)


def dearest_deal(session: MatchSession) -> int:
    """Return the number of the deal that cost the first person most, in the whole game; 0: none did."""
    ruleset, people = session.rules.ruleset, session.people
    if not people or ruleset.end.after != "last-deal":
        return 0
    begun = session.rules.settings.handicap or (0,) * len(session.names)
    totals = [begun[people[0]], *(row[people[0]] for row in session.totals)]
    cost = {number: after - before for number, (before, after) in enumerate(pairwise(totals), 1)}
    dear = max(cost, key=cost.__getitem__, default=0)
    if not dear or cost[dear] <= 0:
        return 0
    return session.rules.contract(dear).number or dear


class DealIntro(Dialog):
    DEFAULT_CSS = "DealIntro DealBanner { width: 100%; }"

    def __init__(self, view: View, seconds: float) -> None:
        super().__init__(name="deal-intro")
        self._view, self._seconds = view, seconds

    def compose(self) -> ComposeResult:
        yield DealBanner()

    def on_mount(self) -> None:
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


class CallClock(Clock):
    """Clock of a call, which stands still while something lies over the table or the match is paused."""

    def __init__(self, screen: TableScreen, seat: int, seconds: float) -> None:
        self._screen, self._seat, self._moment = screen, seat, screen.session.moment
        super().__init__(screen, seconds, lambda: not screen.is_live or screen.session.waits, self._show)

    @property
    def words(self) -> str:
        """Time left, as a bar and in seconds; empty once the call can be made no more."""
        is_now = self.left > 0 and self._moment == self._screen.session.moment
        return f"{''.join(self.bar(CLOCK_WIDTH))} {ceil(self.left)} s" if is_now else ""

    def _show(self) -> None:
        if self.words:
            self._screen.show_prompt()
            return
        self.stop()
        if self._moment == self._screen.session.moment:
            self._screen.client.act(Pass(self._seat))
