"""Match played by lines of text, by one person or several at one keyboard."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from kalooki_tui.cards import Card, rank_first, suit_first
from kalooki_tui.coach.clauses import glossary
from kalooki_tui.coach.rated_advice import Hint, hint
from kalooki_tui.engine.actions import Action, BuyIn, Cut, Leave
from kalooki_tui.engine.events import Dealt, Event, Passed
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.evaluation.rollouts import WORLDS
from kalooki_tui.match.seating import SeatChange, changes_of, player_words
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.plain import narration
from kalooki_tui.plain.console import Ended, Lines
from kalooki_tui.plain.orders import again_words, left_words, prompt_words, ways_to
from kalooki_tui.players import LEVELS, Player, PlayerChoice
from kalooki_tui.players.seat import lifted
from kalooki_tui.players.thinker import Found, Thinker, WorkerLost
from kalooki_tui.playouts import available
from kalooki_tui.presenter.prompts import card_in_question, whether_again
from kalooki_tui.presenter.recap import ending, recap
from kalooki_tui.presenter.sentences import log_lines, won_words
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.session.client import Client, Question, QuestionKind
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import ASKING, AskCalls, MatchPlan, Speed
from kalooki_tui.session.turn_loop import ASK_WORDS, SEVERAL_WORDS, Thinks
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.training.reviews import refined, review_text, reviews_of
from kalooki_tui.wording import does, quote, sentence, whose


class ThinksHere:
    def __init__(self) -> None:
        self._thinker = Thinker()
        self._players: dict[tuple[str, str], Player] = {}

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        if (level, seed) not in self._players:
            self._players[level, seed] = self._thinker.player(level, seed)
        return self._players[level, seed].decide(view)

    def compute(self, function: Callable[..., Found], *given: object) -> Found | None:
        """Compute in the process; None: no core, or the process is lost."""
        with suppress(WorkerLost):
            return self._thinker.ask(function, *given) if available() else None
        return None

    def close(self) -> None:
        self._thinker.close()


#: Orders by a letter or a sign.
SHORT_FORMS: Final = {
    "?": "help", "h": "hint", "s": "scores", "i": "rules", "g": "plan", "o": "sort", "u": "undo", "q": "quit",
}  # fmt: skip
#: What is heard between people as well: it tells nothing of a hand.
PUBLIC: Final = ("?", "help", "table", "s", "scores", "i", "rules", "words", "seats", "q", "quit")
#: What is heard besides while somebody looks at their hand before anybody has called: it acts on nothing.
LOOKING: Final = (*PUBLIC, "h", "hint", "g", "plan", "why")
#: How much is told of the last round: so many rows of so many cells.
WIDTH: Final = 76
ROWS: Final = 4


class PlainMatch:
    """Match by lines, from where it stands to its end or until the person leaves."""

    plays_on = True
    may_reseat = True

    def __init__(self, lines: Lines, seated: Callable[[Thinks], MatchSession]) -> None:
        self._lines, self._seated = lines, seated
        self._client: Client
        self._present: int | None = None
        self._order = suit_first
        self._told: tuple[object, ...] = ()
        """Moment told last, and the hand then."""
        self._known: dict[int, tuple[Card, ...]] = {}
        self._asked: object = None
        self._thinks = ThinksHere()
        self._hinted: tuple[View, Hint] | None = None
        self._given = 0

    def play(self) -> None:
        """Play to the result; raise Ended if the person leaves, and keep the match."""
        # Not `asyncio.run`, which would keep ctrl+c from whoever is being asked.
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(self._play())
        finally:
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            # Of no tasks `gather` makes a future of another loop.
            if tasks:
                loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            loop.close()

    async def _play(self) -> None:
        self._client = self._seated(self._thinks).sit()
        self._present = self._client.here[0] if len(self._client.here) == 1 else None
        self._over = asyncio.Event()
        try:
            self._tell_deal()
            view = self._client.public
            begun = [event for event in view.history if not isinstance(event, Passed)]
            if len(begun) <= 2:
                self._tell_events(begun)
            else:
                self._lines.tell(narration.table_text(view))
            serving = asyncio.ensure_future(self._client.serve(self))
            over = asyncio.ensure_future(self._over.wait())
            await asyncio.wait({serving, over}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            self._client.leave()
            self._thinks.close()

    async def answer(self, question: Question) -> Any:
        """Ask; a move is made at once, and its question is withdrawn by it."""
        match question.ask:
            case QuestionKind.CALLERS if question.seats != (self._client.public.turn,):
                return await self._ask_callers(question.seats)
            case (
                QuestionKind.TURN
                | QuestionKind.CALLERS
                | QuestionKind.DECISION
                | QuestionKind.CUT
                | QuestionKind.BUY_IN
            ):
                while True:  # until one thing that is typed is a move
                    self._person(question.seats[0])
                    await asyncio.sleep(0)
            case QuestionKind.END_OF_DEAL:
                self._deal_over()
            case QuestionKind.GO_ON:
                asked = whether_again(self._client.public)
                again, other = (way.words for way in asked.ways)
                return self._lines.confirm(f"{asked.text[0]} {again}? No: {other.lower()}.")
            case QuestionKind.RESULT:
                session, view = self._client.session, self._client.public
                self._lines.tell(f"{won_words([view.names[seat] for seat in session.winners])}.")
                self._lines.tell(narration.scores_text(view, session.totals))
                self._over.set()
                if session.record:
                    with suppress(Ended):
                        self._go_on("match", "leave it")
        return None

    def _deal_over(self) -> None:
        view = self._client.public
        clears, last_round = self._client.is_shared and self._present is not None, ending(view, WIDTH, ROWS)
        self._cover()
        if clears and last_round:
            # With the hand, how the deal came to its end was cleared away.
            self._lines.tell(f"{last_round}.")
        self._lines.tell(f"\n{narration.deal_over_text(view)}")
        self._go_on("deal", "go on")

    def _go_on(self, what: str, on: str) -> None:
        record = self._client.session.record
        offer = f"v reviews this {what}. " if record else ""
        while self._lines.ask(f"{offer}Press enter to {on}:").lower() in ("v", "review") and record:
            if available():
                self._lines.tell("Each decision is played out, which takes some seconds for each deal.")
            replay = Replay(open_lines("this match", record))
            for seat in self._client.here:
                for found in reviews_of(replay, replay.head.names[seat], last=what == "deal"):
                    played_out = self._thinks.compute(refined, found, WORLDS)
                    self._lines.tell(review_text(played_out or found, replay.head.rules.faces))

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        if any(isinstance(event, Dealt) for event in events):
            self._cover()
            self._known.clear()
            self._tell_deal()
        self._tell_events(events)

    def taken_back(self, words: str) -> None:
        self._told = ()
        self._lines.tell(words)

    def hear(self, notice: str) -> None:
        self._lines.tell(notice)

    def said(self, who: str, words: str) -> None:
        self._lines.tell(f"{who}: {words}")

    def reseated(self, words: str) -> None:
        self._cover()
        self._lines.tell(words)

    def show_missing(self) -> None:
        """Do nothing: people at one keyboard see it."""

    def show_trouble(self, words: str) -> None:
        self._lines.tell(words or "The match is being saved again.")

    def _tell_events(self, events: Iterable[Event]) -> None:
        for line in log_lines(events, self._client.session.names, self._client.session.rules):
            self._lines.tell(sentence(line.text))

    def _tell_deal(self) -> None:
        view = self._client.public
        if view.phase is not Phase.OVER:
            self._lines.tell(f"\n{narration.deal_text(view)}")

    def _situation(self, view: View) -> None:
        moment = (self._client.session.moment, view.seat)
        if moment == self._told:
            return
        self._told = moment
        self._given = 0
        self._tell_hand(view)

    def _tell_hand(self, view: View) -> None:
        new = Counter(view.hand) - Counter(self._known.get(view.seat, view.hand))
        self._known[view.seat] = view.hand
        held, came = (sorted(cards, key=self._order) for cards in (view.hand, new.elements()))
        self._lines.tell(narration.hand_text(view, held, came))

    def _cover(self, coming: View | None = None) -> None:
        """Leave no hand in sight of several people; `coming`: view of the next, whose recap is told."""
        if self._client.is_shared and self._present is not None:
            self._present = None
            self._lines.clear()
            for told in () if coming is None else recap(coming, aloud=True):
                self._lines.tell(f"{told.whole}.")

    def _come(self, seat: int) -> None:
        """Ask for the person of a seat: a name opens a hand, an empty line never does."""
        self._cover(self._client.view(seat))
        name = self._client.session.names[seat]
        self._lines.forget_typed_ahead()
        answer = self._lines.ask(f"{name}, type your name to see your hand:")
        if self._named(answer, (seat,)) is not None:
            self._present, self._told = seat, ()
        elif not self._obey(self._client.view(seat), answer):
            self._lines.tell(f"This is {whose(name)} hand: only {name} opens it.")

    def _named(self, text: str, seats: Sequence[int]) -> int | None:
        names, text = self._client.session.names, text.lower()
        found = [seat for seat in seats if text and names[seat].lower().startswith(text)]
        exact = [seat for seat in found if names[seat].lower() == text]
        return (exact or found)[0] if len(exact or found) == 1 else None

    # Seats

    def _person(self, seat: int) -> None:
        view = self._client.view(seat)
        match view.phase:
            case Phase.CUT:
                self._cut(view)
            case Phase.BUY_IN:
                out = f"{does(view.names[seat], 'be')} out with {view.totals[seat]} points."
                question = f"{out} Buy in again for {view.rules.settings.buy_in_stake}?"
                self._act(BuyIn(seat) if self._lines.confirm(question) else Leave(seat))
            case _ if self._present != seat:
                self._come(seat)
            case _:
                self._situation(view)
                card, _ = card_in_question(view)
                symbol = "" if card is None else view.rules.faces.symbol(card)
                asked = prompt_words(view, symbol)
                this = (self._client.session.moment, asked)
                # A long question is asked once; an empty line asks it again.
                line = self._lines.ask(again_words(view, asked) if this == self._asked else asked)
                self._asked = this if line else None
                if not self._obey(view, line, None) and (action := self._meant(view, line)) is not None:
                    self._act(action)

    def _cut(self, view: View) -> None:
        most = view.rules.deck_size - 1
        answer = self._lines.ask(f"{does(view.names[view.seat], 'cut')} the deck: about how many cards, 1 to {most}?")
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:5]) <= most:
            self._act(Cut(view.seat, lifted(int(answer), view.rules.deck_size, random.Random())))
        else:
            self._lines.tell(f"Type a number from 1 to {most}: your hand lifts about so many.")

    async def _ask_callers(self, seats: Sequence[int]) -> int | None:
        """Ask which of several people calls. A name opens that hand, and never costs anything."""
        view, names = self._client.view(seats[0]), self._client.session.names
        card, origin = card_in_question(view)
        symbol = "" if card is None else view.rules.faces.symbol(card)
        turn = view.turn
        self._cover(view)
        told = f"{symbol}, {origin}. {does(names[turn], 'be')} to draw."
        self._lines.tell(told)
        asked = " or ".join(names[seat] for seat in seats)
        goes_on = names[turn] if turn in self._client.here else "none"
        self._lines.forget_typed_ahead()
        whole = f"Type {goes_on} to go on, {asked} to see a hand and perhaps call, c and a name to call at once:"
        question = whole
        while True:
            answer = self._lines.ask(question)
            question = f"{goes_on}, {asked}, or c and a name:" if answer else whole
            word, _, rest = answer.lower().partition(" ")
            calls = word in ("c", "call") and bool(rest)
            at_turn = () if calls or turn not in self._client.here else (turn,)
            named = self._named(rest.strip() if calls else answer, (*seats, *at_turn))
            if answer.lower() == goes_on == "none":
                return None
            if calls and named is not None:
                return named
            if named == turn:
                self._present, self._told = turn, ()
                return None
            if named is not None:
                if self._look(named, symbol):
                    return named
                self._lines.tell(told)
            elif answer and not self._obey(view, answer):
                why = f"Only {asked} can call." if calls else f"{quote(answer)} is not an answer here."
                self._lines.tell(why)
            # What was asked may have lost its moment, as when another plays a seat: then this ends here.
            await asyncio.sleep(0)

    def _obey(self, view: View, line: str, words: Sequence[str] | None = PUBLIC) -> bool:
        """Obey a line that is no action, if it is one of `words` (None: any); return whether it was."""
        word, _, rest = line.partition(" ")
        order = self._orders(view, rest).get(word.lower()) if words is None or word.lower() in words else None
        if order is not None:
            order()
        return order is not None

    def _look(self, seat: int, symbol: str) -> bool:
        view = self._client.view(seat)
        self._lines.clear()
        self._given = 0
        self._tell_hand(view)
        while True:
            answer = self._lines.ask(f"{symbol} lies open. c calls it{left_words(view)}, enter covers your hand:")
            if answer.lower() in ("", "p", "pass", "c", "call"):
                break
            if not self._obey(view, answer, LOOKING):
                self._lines.tell(f"{quote(answer)} is not an answer here.")
        self._lines.clear()
        return answer.lower().startswith("c")

    def _orders(self, view: View, rest: str) -> dict[str, Callable[[], None]]:
        session, tell = self._client.session, self._lines.tell
        orders: dict[str, Callable[[], None]] = {
            "": lambda: None, "hand": self._again,
            "help": lambda: tell(f"{narration.help_text(view.rules)}. {session.leave_words()}"),
            "sort": self._sort, "undo": self._undo,
            "quit": self._leave, "seats": self._seats, "why": lambda: self._why(view, rest),
            "calls": lambda: self._calls(rest),
            "hint": lambda: tell(session.why_no_hint(view.seat) or self._next_hint(view)),
            "table": lambda: tell(narration.table_text(view)), "plan": lambda: tell(narration.plan_text(view)),
            "scores": lambda: tell(narration.scores_text(view, session.totals)),
            "rules": lambda: tell(narration.rules_lines(view)),
            "words": lambda: tell("\n".join(f"{word.term}: {word.says}" for word in glossary(view.rules.ruleset))),
        }  # fmt: skip
        return orders | {short: orders[word] for short, word in SHORT_FORMS.items()}

    def _meant(self, view: View, line: str) -> Action | None:
        try:
            ways = ways_to(self._client.why_not, view, line)
        except Refused as refused:
            self._refuse(refused.refusal)
            return None
        except NotationError as error:
            self._lines.tell(f"{sentence(str(error))} Type ? for what you can do.")
            return None
        chosen: int | None = 0
        if len(ways) > 1:
            chosen = self._lines.choose("Which?", [words for words, _ in ways])
        elif line.strip().lower() in ("l", "lay", "best") and not self._lines.confirm(f"{ways[0][0]}?"):
            return None
        return None if chosen is None else ways[chosen][1]

    def _act(self, action: Action) -> None:
        refusal = self._client.why_not(action)
        if refusal is not None and (refusal.charged or refusal.changed):
            self._refuse(refusal)
            if not self._lines.confirm("You will be charged for it. Do it anyway?"):
                return
        refusal = self._client.act(action)
        if refusal is not None:
            self._refuse(refusal)

    def _refuse(self, refusal: Refusal) -> None:
        clause = f" ({refusal.clause})" if refusal.clause else ""
        self._lines.tell(f"{refusal.message}{clause}")

    def _again(self) -> None:
        self._told = ()

    def _sort(self) -> None:
        self._order = rank_first if self._order is suit_first else suit_first
        self._told = ()

    def _why(self, view: View, line: str) -> None:
        try:
            refusal = self._client.why_not(ways_to(self._client.why_not, view, line)[0][1])
            if refusal is None:
                self._lines.tell("That is allowed now.")
            else:
                self._refuse(refusal)
        except Refused as refused:
            self._refuse(refused.refusal)
        except NotationError as error:
            self._lines.tell(sentence(str(error)))

    def _next_hint(self, view: View) -> str:
        try:
            if self._hinted is None or self._hinted[0] != view:
                found = self._thinks.compute(hint, view) if self.plays_on else None
                self._hinted = (view, found or hint(view, worlds=0))
        except ValueError:
            return "There is no hint for this moment."
        steps = self._hinted[1].steps
        self._given += 1
        return steps[min(self._given, len(steps)) - 1]

    def _calls(self, word: str) -> None:
        if word not in set(AskCalls):
            self._lines.tell(f"Say calls and one of {', '.join(AskCalls)}.")
            return
        session, way = self._client.session, AskCalls(word)
        if self._present is not None and self._client.is_shared:
            session.asking.choose(self._present, way)
            session.keep(**{ASKING: session.asking.to_keep()})
            self._lines.tell(f"{self._client.session.names[self._present]} is asked {SEVERAL_WORDS[way]} from now on.")
        else:
            session.ask_calls = way
            self._lines.tell(f"From now on you are asked {ASK_WORDS[way]}.")

    def _undo(self) -> None:
        if why := self._client.undo(self._present):
            self._lines.tell(why)

    def _seats(self) -> None:
        lines, client, plans = self._lines, self._client, self._client.session.plans
        why = client.session.why_no_reseat() or ("" if self.may_reseat else "Who plays here does not change.")
        if why:
            lines.tell(why)
            return
        seats = [f"{plan.name}: {player_words(seat, plan, client.here)}" for seat, plan in enumerate(plans)]
        seat = lines.choose("Which seat do you want to change?", seats)
        ways = [] if seat is None else changes_of(plans[seat])
        way = lines.choose("What is to change?", [words for words, _ in ways]) if ways else None
        if seat is None or way is None:
            return
        plan, change = plans[seat], ways[way][1]
        if change is SeatChange.AI:
            level = lines.choose("Which AI is to play?", LEVELS)
            changed = plan if level is None else replace(plan, player=f"ai:{LEVELS[level]}")
        else:
            who = "Who takes the seat? Its cards and points stay as they are." if change is SeatChange.PERSON else ""
            name = lines.ask(f"{who} The name, or nothing for {plan.name}:".lstrip()) or plan.name
            changed = replace(plan, name=name, player="human" if change is SeatChange.PERSON else plan.player)
        if changed != plan and (why := client.reseat(seat, changed)):
            lines.tell(why)

    def _leave(self) -> None:
        if self._lines.confirm(f"Leave? {self._client.session.leave_words()}"):
            raise Ended


def at_match(
    plan: MatchPlan, live: MatchJournal, ask_calls: AskCalls = AskCalls.HELPS
) -> Callable[[Thinks], MatchSession]:
    """Open a session of the store; `ask_calls` holds unless the plan says it."""
    plan = replace(plan, speed=Speed.INSTANT)
    return lambda thinks: MatchSession(plan, live, thinks, ask_calls=ask_calls)
