"""Front end on a page: it draws and chooses cards; all else is decided here, as at a terminal."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Allow, BuyIn, Call, Cut, Leave, Pass, Refuse
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.hosting.hand import protocol as messages
from kalooki_tui.notation.action_text import parse_answer
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.notation.event_text import print_events
from kalooki_tui.notation.messages import Message, refused_message, result_message
from kalooki_tui.players.seat import lifted
from kalooki_tui.presenter.commands import BY_NAME
from kalooki_tui.presenter.hand_order import Hand, HandOrders
from kalooki_tui.presenter.hints import Consult
from kalooki_tui.presenter.moves import AnswerOption, Moves, TableController
from kalooki_tui.presenter.prompts import (
    WordedQuestion,
    as_asked,
    cut_words,
    footer_names,
    hand_title,
    paused_words,
    prompt_for,
    whether_again,
    whether_taken_back,
    whether_to_allow,
    whether_to_buy_in,
    whether_to_call,
)
from kalooki_tui.presenter.sentences import log_lines
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.session.client import Client, Question, QuestionKind
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.session.turn_loop import answered
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.wording import sentence

LATE: Final = "The table has moved on: look again."
Send = Callable[[Message], None]


class HandFront(TableController):
    def __init__(
        self, client: Client, plan: MatchPlan, send: Send, changed: Callable[[], object], consult: Consult | None = None
    ) -> None:
        self.client, self._session, self.plan = client, client.session, plan
        self._send, self._changed = send, changed
        self.seat = client.here[0] if client.here else None
        self.state = TurnState(client.public, client.why_not, lambda: client.may_take_back(self.seat).why or None)
        self.hand_orders = HandOrders(client)
        kept = {} if self.seat is None else self.hand_orders.kept()
        self.hand = Hand()
        self.hand.has_cursor = False
        if self.seat in kept:
            self.hand.lay(kept[self.seat])
        self.moves = Moves(self, warns=lambda: plan.is_teaching, consult=consult)
        self._questions: list[PageQuestion] = []
        self._consent: PageQuestion | None = None
        """Question beside all else: whether somebody elsewhere may take back a step."""
        self._has_turn = False
        self._choice: PageQuestion | None = None
        self._lit: tuple[int, ...] = ()
        self._work: asyncio.Task[None] | None = None
        self._trouble = ""
        self._seen_at: object = None
        self.refresh()

    @property
    def _posed(self) -> PageQuestion | None:
        return self._questions[-1] if self._questions else None

    @property
    def _top(self) -> PageQuestion | None:
        return self._choice or self._posed

    @property
    def _own(self) -> View:
        answer = None if self.seat is None else self.client.answer_of(self.seat)
        at = self._session.revision, self._session.names, self.seat, answer
        if at != self._seen_at:
            self._seen_at = at
            self._seen = self.client.public if self.seat is None else self.client.view(self.seat)
        return self._seen

    @property
    def _view(self) -> View:
        """View of the person, shown as their turn while several are asked at once."""
        view = self._own
        if self.seat is None:
            return view
        return as_asked(view) if any(one.ask is QuestionKind.CALLERS for one in self._questions) else view

    def refresh(self) -> None:
        view = self._view
        if self.seat is None:
            self.state.close(view)
            return
        self.state.open(view)
        self.take_hand()

    def hello(self) -> Message:
        return messages.hello(self._view, plays=self.seat is not None)

    def log(self) -> Message:
        return {"log": self._lines(self.client.public.history)}

    @property
    def moment(self) -> str:
        """Fingerprint of what may be done now, which an answer has to name."""
        view, posed = self.state.view, self._posed
        asked = "" if posed is None else repr(posed.worded)
        ways = "" if self._choice is None else str(id(self._choice))
        what = (self._session.moment, asked, ways, view.legal, view.may_lay, view.may_add, sorted(view.hand))
        return sha256(repr((what, self.state.staged)).encode()).hexdigest()[:16]

    def table_message(self) -> Message:
        self.refresh()
        view, posed = self.state.view, self._posed
        has_turn = self._has_turn and bool(view.legal)
        asked = self.seat is not None and (has_turn if posed is None else posed.ask in ANSWERED)
        session = self._session
        prompt, is_own = prompt_for(self.state, session.plans, session.asked_at_once)
        offered = [] if self.seat is None or posed is not None else buttons(self, self.state)
        faces, names = self._session.rules.faces, self._session.names
        hands = [{"name": names[seat], "hand": faces.texts(cards)} for seat, cards in self.client.open_hands()]
        message = messages.table(view, self.state, asked=asked)
        waits = session.away_words or (paused_words() if session.paused else "")
        message |= {"moment": self.moment, "prompt": prompt if is_own else waits or prompt, "yours": asked}
        message |= {"question": self._question(), "buttons": offered, "lit": list(self._lit)}
        message |= {"consent": None if self._consent is None else self._worded(self._consent.worded, may_close=False)}
        message |= {"trouble": self._trouble, "hands": hands}
        if self.seat is not None:
            message |= messages.hand_part(view, self.state, self.hand) | {"hand_title": hand_title(self.state)}
        return message

    def _question(self) -> Message | None:
        posed, faces = self._top, self._session.rules.faces
        if posed is None or posed.then is not None:
            return None if posed is None else self._worded(posed.worded, may_close=True)
        told = self._worded(posed.worded, may_close=False)
        told |= {"page": list(posed.page), "seconds": posed.seconds or self._race_seconds(posed)}
        told |= {"hint": posed.ask in (QuestionKind.CALLERS, QuestionKind.DECISION)}
        if posed.ask is QuestionKind.CUT:
            told["deck"] = self._session.rules.deck_size
        cards = [part for part in posed.worded.text if isinstance(part, int)]
        return told | {"cards": faces.texts(cards)}

    def _worded(self, worded: WordedQuestion, *, may_close: bool) -> Message:
        faces = self._session.rules.faces
        text = "".join(faces.symbol(part) if isinstance(part, int) else part for part in worded.text).strip()
        ways = [way.words for way in worded.ways]
        keys = [BY_NAME[way.key].keys[0] if way.key in BY_NAME else way.key or str(number)
                for number, way in enumerate(worded.ways, 1)]  # fmt: skip
        return {"name": worded.name, "title": worded.title, "text": text, "ways": ways, "keys": keys,
                "clause": worded.clause, "may_close": may_close}  # fmt: skip

    def _race_seconds(self, posed: PageQuestion) -> int:
        race = self._session.rules.settings.race and posed.ask is QuestionKind.CALLERS
        return self.plan.call_seconds if race else 0

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        self._choice = None
        if self.note_events(events):
            self.hand.forget()
        faces = self._session.rules.faces
        self._send({"events": print_events(events, self._session.names, faces), "words": self._lines(events)})
        self._changed()

    def _lines(self, events: Sequence[Event]) -> list[str]:
        return [line.text for line in log_lines(events, self._session.names, self._session.rules)]

    def taken_back(self, words: str) -> None:
        self.moves.forget_candidates()
        self._choice = None
        self._send(self.log())
        if words:
            self._send({"told": words})
        self._changed()

    def hear(self, notice: str) -> None:
        self._send({"events": [], "words": [notice]})
        self._changed()

    def said(self, who: str, words: str) -> None:
        self._send({"said": words, "who": who})

    def reseated(self, words: str) -> None:
        self.note_plans()
        seat = self.client.here[0] if self.client.here else None
        if seat != self.seat:
            self.seat = seat
            self.hand.forget()
        self._send(self.hello())  # names may be others
        self.hear(words)

    def show_missing(self) -> None:
        self._changed()

    def show_trouble(self, words: str) -> None:
        self._trouble = words
        self._changed()

    async def answer(self, question: Question) -> Any:
        view = self._own
        match question.ask:
            case QuestionKind.TURN:
                await self._turn(question.seats[0])
            case QuestionKind.CALLERS:
                asked, again = whether_to_call(view), "Tap it again to let it go."
                calls = await self._pose_warned(question, asked, as_asked(view), Pass(view.seat), again)
                return self.seat if calls else None
            case QuestionKind.DECISION:
                asked, again = whether_to_allow(view), "Tap it again to allow it."
                return await self._pose_warned(question, asked, view, Allow(view.seat), again)
            case QuestionKind.CUT:
                cut = WordedQuestion("cut", "The dealer's cut", (cut_words(view),), (), "B1")
                return lifted(await self._pose(question, cut), view.rules.deck_size, random.Random())
            case QuestionKind.BUY_IN:
                return await self._pose(question, whether_to_buy_in(view, question.seats[0]))
            case QuestionKind.GO_ON:
                return await self._pose(question, whether_again(view))
            case QuestionKind.CONSENT:
                return await self._ask_consent(question)
            case QuestionKind.END_OF_DEAL:
                title, page = messages.deal_over(view, self._session.totals)
                await self._pose(question, WordedQuestion("deal-over", title, (), GO_ON), page)
            case QuestionKind.RESULT:
                self._send(result_message(view.names, self._session.winners, view.totals))
                title, page = messages.match_over(view, self._session)
                await self._pose(question, WordedQuestion("match-over", title, (), GO_ON), page)
        return None

    async def _turn(self, seat: int) -> None:
        view, never = self._own, asyncio.get_running_loop().create_future()
        race = view.phase in WINDOWS and view.rules.settings.race
        self._has_turn = True
        self._changed()
        try:
            if not await answered(never, self.plan.call_seconds if race else 0, lambda: self._session.waits):
                self.client.act(Pass(seat))
        finally:
            self._has_turn = False
            self._changed()

    async def _pose_warned(
        self, question: Question, asked: WordedQuestion, view: View, dear: Action, again: str
    ) -> Any:
        """Ask; the answer that means the action `dear` counts only after a warning, if it costs much."""
        while True:
            answer = await self._pose(question, asked)
            words = await self.moves.warning(view, dear, again) if answer is value_of(dear) else ""
            if not words:
                return answer
            self.tell(words)

    async def _pose(self, question: Question, worded: WordedQuestion, page: Sequence[Message] = ()) -> Any:
        posed = PageQuestion(worded, question.ask, question.seconds, page)
        self._questions.append(posed)
        self._choice = None
        self._changed()
        try:
            seconds = self._race_seconds(posed)
            in_time = await answered(posed.answer, seconds, lambda: self._session.waits)
            return posed.answer.result() if in_time else None
        finally:
            posed.answer.cancel()
            self._questions.remove(posed)
            self._changed()

    async def _ask_consent(self, question: Question) -> bool:
        posed = self._consent = PageQuestion(whether_taken_back(question.words))
        self._changed()
        try:
            return bool(await posed.answer)
        finally:
            self._consent = None
            self._changed()

    def consent(self, *, agrees: bool, about: str) -> None:
        """Answer whether a step may be taken back, if `about` is still the question."""
        asked = self._consent
        if asked is not None and (about,) == asked.worded.text and not asked.answer.done():
            asked.answer.set_result(agrees)

    def choose_way(self, index: int) -> None:
        asked = self._top
        if asked is None or not 0 <= index < len(asked.worded.ways):
            return
        value = asked.worded.ways[index].value
        if asked.then is None:
            if not asked.answer.done():
                asked.answer.set_result(value)
        else:
            self._choice = None
            if value is not None:
                asked.then(value)
        self._changed()

    def close_question(self) -> None:
        if self._choice is None:
            return
        self._choice = None
        self.moves.forget_candidates()
        self._changed()

    def take(self, text: str) -> None:
        self.refresh()
        if self.seat is None:
            return
        try:
            action = parse_answer(text, self.seat, self._session.names, self._session.rules.faces)
        except NotationError as error:
            self.tell(Refusal("answer.unreadable", "", sentence(str(error))))
            return
        posed = self._posed
        if (
            posed is not None
            and not posed.answer.done()
            and posed.ask in ANSWERED
            and type(action) in ANSWERED[posed.ask]
        ):
            refusal = None if posed.ask is QuestionKind.CALLERS else self.client.why_not(action)
            if refusal is None:
                posed.answer.set_result(value_of(action))
        else:
            refusal = self.client.act(action)
        self.tell(refusal)
        self._changed()

    def select(self, cards: Sequence[Card]) -> None:
        self.refresh()
        self.hand.select_cards(cards)
        self.note_selection()
        self._changed()

    def press(self, name: str, cards: Sequence[Card] | None = None) -> None:
        """Press a button with these cards chosen; None: with those that are."""
        if cards is not None:
            self.select(cards)
        posed = self._posed
        if posed is not None:
            if name == "hint":
                self.begin(self._advise)
            return
        if name in messages.PRESSED and self.seat is not None:
            self._run(partial(self.run_here, BY_NAME[name]))

    def _run(self, what: Callable[[], object]) -> None:
        try:
            what()
        except Refused as refused:
            self.tell(refused.refusal)
        if self.seat is not None:
            self.hand_orders.keep_soon(self.seat, self.hand.arrangement)
        self._changed()

    async def _advise(self) -> None:
        view = self._view
        advice = await self.moves.advice(view)
        if self._posed is not None and self._view == view:
            self.tell(advice)

    def put_on(self, meld: int, cards: Sequence[Card]) -> None:
        self.select(cards)
        if 0 <= meld < len(self.state.view.melds) and self.seat is not None:
            self.moves.begin("tack")
            self._run(partial(self.moves.choose_meld, meld))

    def put_in_order(self, cards: Sequence[Card]) -> None:
        if self.seat is not None:
            self.refresh()
            self._run(partial(self.hand.put_in_order, cards))

    def say(self, words: str) -> None:
        why = self.client.say(words)
        if why:
            self.tell(why)

    def leave(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self.hand_orders.keep()
        self.client.leave()

    def refresh_table(self) -> None:
        self.refresh()
        self._changed()

    def tell(self, notice: Refusal | str | None) -> None:
        if isinstance(notice, Refusal):
            self._send(refused_message(notice))
        elif notice:
            self._send({"told": notice})

    def choose(
        self, title: str, text: str, ways: Sequence[AnswerOption], then: Callable[[Any], object], clause: str = ""
    ) -> None:
        self._choice = PageQuestion(WordedQuestion("which", title, (text,), tuple(ways), clause), then=then)
        self._changed()

    def light(self, melds: Collection[int]) -> None:
        self._lit = tuple(melds)
        self._changed()

    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._work is not None:
            self._work.cancel()
        self._work = asyncio.ensure_future(without_fault(work))


#: Buttons that are shown though they are not open.
STAY: Final[Mapping[Phase, frozenset[str]]] = {
    Phase.DRAW: frozenset(("draw-stock", "take-discard", "take-flip")),
    Phase.PLAY: frozenset(("lay", "tack", "discard")),
    Phase.ADD_ON: frozenset(("tack",)),
}
GO_ON: Final = (AnswerOption("Go on", True),)


@dataclass(eq=False)
class PageQuestion:
    worded: WordedQuestion
    ask: QuestionKind | None = None
    seconds: int = 0
    page: Sequence[Message] = ()
    then: Callable[[Any], object] | None = None
    """What goes on with the answer, where no question of the match waits for it."""
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


def buttons(at: object, state: TurnState) -> list[Message]:
    names = footer_names(state) if state.is_asked else ("undo",)
    shown = [
        BY_NAME[name] for name in dict.fromkeys(names) if name in messages.PRESSED and name not in ("sort", "group")
    ]
    told = [
        {"press": one.name, "label": one.label if one.name == "end" else one.words(at), "open": one.is_open(at)}
        for one in shown
    ]
    # What is not open says why when it is tapped; only what belongs to the moment is worth the room.
    stay = STAY.get(state.view.phase, frozenset())
    return [one for one in told if one["open"] or one["press"] in stay]


async def without_fault(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    try:
        await work()
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without it
        log_fault(error)


#: Questions that an action answers, and those actions.
ANSWERED: Final[Mapping[QuestionKind | None, tuple[type[Action], ...]]] = {
    QuestionKind.CALLERS: (Call, Pass),
    QuestionKind.DECISION: (Allow, Refuse),
    QuestionKind.CUT: (Cut,),
    QuestionKind.BUY_IN: (BuyIn, Leave),
}


def value_of(action: Action) -> object:
    return action.count if isinstance(action, Cut) else isinstance(action, Call | Allow | BuyIn)
