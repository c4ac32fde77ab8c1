"""Several people at one keyboard: who comes next, who calls, who looks first."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual.content import Content

from kalooki_tui.desk.setup.plan import ASKING, AskCalls
from kalooki_tui.desk.table.flow import SEVERAL_WORDS
from kalooki_tui.desk.table.moves import challenge_stake
from kalooki_tui.desk.table.prompt import as_asked, card_in_question, card_name, hand_title
from kalooki_tui.desk.words import step_words
from kalooki_tui.engine.actions import Challenge
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.view import View
from kalooki_tui.ui.playing.people import NOBODY, letters, seat_keys
from kalooki_tui.ui.screens.dialogs import Ask, confirm
from kalooki_tui.ui.screens.passing import (
    Doing,
    LookDialog,
    Pressed,
    callers_screen,
    first_look_screen,
    other_key,
    turn_screen,
)
from kalooki_tui.ui.widgets.choices import Choice, by_command, numbered
from kalooki_tui.ui.widgets.faces import card_content
from kalooki_tui.wording import counted, does, whom

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Sharing:
    """Passes one screen from person to person; nothing of a hand is shown by what it asks."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen, self._place, self._sitting = screen, screen.place, screen.sitting
        self._push = screen.app.overlays.ask
        self.present: int | None = None
        """Who has pressed the own key, and whose hand opens as soon as it is asked for."""
        self.undone = ""
        """What was taken back last, in a sentence, until somebody does something."""

    @property
    def _view(self) -> View:
        return self._place.public

    # Who is to come

    async def come(self, seat: int) -> None:
        """Wait until the person has come to the keyboard, and sits there alone."""
        came, self.present = self.present, None
        is_back = False
        while came != seat:
            others, note = self._other_keys(()), self.screen.beside.question_note()
            question = turn_screen(self._view, seat, others, note, self.screen.badges, self.undone)
            question.is_back, is_back = is_back, True
            answer = await self._push(question)
            if not await self._did(answer):
                came = seat

    def _other_keys(self, seats: Collection[int]) -> list[Choice]:
        """What else can be done while no hand lies open."""
        keys, own = list[Choice](), self.screen.badges
        taken = "".join((NOBODY, *(badge.key for badge in own.values()), *letters(own).values()))
        calls = self._view.rules.ruleset.calls.limit
        if calls:
            keys.append(other_key("asking", "When each person is asked about calls", Doing.WHEN, taken))
        if seats and any(self._place.view(seat).may_challenge for seat in self._place.here):
            keys.append(other_key("challenge", "Challenge: somebody has called too often", Doing.CHALLENGE, taken))
        waiting = other_key("pause", "AI seats are paused: let them continue", Doing.GO_ON, taken)
        if self._sitting.paused and waiting.key not in taken:
            keys.append(waiting)
        found = self._place.may_take_back()
        if not found.why and found.step is not None:
            asks = "Ask to take back" if found.asks else "Take back"
            words = step_words(found.step, self._view.names, self._view.rules)
            keys.append(other_key("undo", f"{asks} {words}", Doing.UNDO, taken))
        return keys

    async def _did(self, answer: Pressed) -> bool:
        """Do what is not the answer to the question; whether it was that."""
        match answer.doing:
            case Doing.WHEN:
                await self.choose_when()
            case Doing.CHALLENGE:
                await self._challenge()
            case Doing.UNDO:
                await self.take_back()
            case Doing.GO_ON:
                self.screen.toggle_pause()
            case _:
                return False
        return True

    async def take_back(self) -> None:
        """Take a person's last step back: what was asked is withdrawn then."""
        self.present = None
        self.screen.take_step_back()
        await asyncio.sleep(0)

    def _by_seat(self, words: Mapping[int, str]) -> list[Choice]:
        """A line for each of these seats, on the key by which people know it."""
        own = self.screen.badges
        keys = seat_keys(words, own)
        return [
            Choice(keys[seat], text, seat, ground=own[seat].ground if seat in own else "")
            for seat, text in words.items()
        ]

    async def choose_when(self) -> None:
        """Let a person say when to be asked."""
        names = self._view.names
        asking = self._sitting.asking
        people = {seat: f"{names[seat]}: {SEVERAL_WORDS[asking.of(seat)]}" for seat in self._place.here}
        who = Ask("When to ask about calls", "Who wants to change it?\n", self._by_seat(people), may_close=True)
        seat = await self._push(who)
        if seat is None:
            return
        title, told = (
            f"{names[seat]}, when are you asked?",
            "Whenever somebody is asked, the others can call as well.\n",
        )
        ways, now = numbered((SEVERAL_WORDS[way], way) for way in AskCalls), list(AskCalls).index(asking.of(seat))
        way = await self._push(Ask(title, told, ways, current=now, may_close=True))
        if way is not None:
            asking.choose(seat, way)
            self._sitting.keep(**{ASKING: asking.to_keep()})

    async def _challenge(self) -> None:
        """Say that a seat has called too often (D13)."""
        place = self._place
        names = self._view.names
        people = [seat for seat in place.here if place.view(seat).may_challenge]

        async def which(title: str, text: str, seats: Iterable[int]) -> Any:
            ways = self._by_seat({one: names[one] for one in seats})
            return await self._push(Ask(title, f"{text}\n", ways, may_close=True, clause="D13"))

        seat = await which("Challenge", "Who challenges?", people)
        if seat is None:
            return
        challenges, view = does(names[seat], "challenge"), place.view(seat)
        target = await which(challenges, "Who has called more often than allowed?", view.may_challenge)
        if target is None:
            return
        stake = challenge_stake(view, target, open_hand=False)
        asked = f"{challenges} {whom(names[target])}?"
        if await self._push(confirm(asked, f"{stake}\n", "Yes, challenge", "No, leave it", "D13")):
            self.screen.tell(place.act(Challenge(seat, target)))

    # Who calls

    async def ask_callers(self, seats: tuple[int, ...]) -> int | None:
        """Which of these people calls; the person whose turn it is says by the own key that nobody does."""
        screen = self.screen
        self.present, is_back = None, False
        while True:
            screen.conceal()
            view = self._view
            seconds = screen.plan.call_seconds if view.rules.settings.race else None
            more, people = self._other_keys(seats), self._place.here
            question = callers_screen(
                view,
                seats,
                more,
                people=people,
                seconds=seconds,
                note=screen.beside.question_note(),
                own=self.screen.badges,
                undone=self.undone,
            )
            question.stands = lambda: self._sitting.waits
            question.is_back, is_back = is_back, True
            answer = await self._push(question)
            if await self._did(answer):
                continue
            if answer.doing is Doing.LOOK:
                answer = await self._look(answer.seat, may_call=True)
            match answer.doing:
                case Doing.CALL:
                    return int(answer.seat)
                case Doing.OPEN:
                    self.present = answer.seat
                    return None
                case Doing.NOBODY:
                    return None

    # Looks

    async def first_look(self) -> None:
        """Everybody may look at the own hand once, before the first card can be called."""
        screen = self.screen
        if not screen.plan.curtain:
            return
        left = [seat for seat in self._place.here if self._view.in_deal[seat]]
        while left:
            self.present = None
            screen.conceal()
            answer = await self._push(first_look_screen(self._view, left, self.screen.badges))
            if answer.doing is not Doing.LOOK:
                return
            await self._look(answer.seat, may_call=False)
            left.remove(answer.seat)

    async def _look(self, seat: int, *, may_call: bool) -> Pressed:
        """Let a person look at the hand; the answer is a call, or that it is covered again."""
        screen = self.screen
        self.screen.peeking = seat
        if may_call:
            self._place.note_look(seat)
        try:
            screen.open_hand(seat)
            view = self._view
            choices = [Choice("enter", "Cover it again", Pressed(Doing.COVER))]
            text = Content("This is only a look: nobody draws or throws yet.\n")
            if may_call:
                card, origin = card_in_question(view)
                assert card is not None
                words = f"Call {card_name(view)}, with a penalty card"
                choices.append(by_command("call", words, Pressed(Doing.CALL, seat)))
                if seat == view.turn and not view.rules.settings.race:
                    flip = view.rules.ruleset.vocabulary.flip
                    choices.append(Choice(NOBODY, f"No call: turn up the {flip}", Pressed(Doing.NOBODY)))
                text = Content.assemble(card_content(card, view.rules.faces), f" {origin}. Nobody has called yet.\n")
            choices += [
                by_command("sort", "Sort the hand", None, tell=self._sort),
                by_command("hint", "A hint", None, tell=self._hint),
            ]
            look = LookDialog(does(view.names[seat], "look"), text, choices)
            look.foot = hand_title(screen.desk)
            answer: Pressed = await self._push(look)
            return answer
        finally:
            self.screen.peeking = None
            screen.conceal()

    async def _sort(self) -> str:
        self.screen.moves.sort_hand()
        return ""

    async def _hint(self) -> str:
        """Advice on the call; before there is one, how far the hand is, with its melds put together."""
        screen = self.screen
        if self.screen.peeking is None:
            return ""
        view = self._place.view(self.screen.peeking)
        if view.phase in WINDOWS and (view.legal or view.turn != view.seat):
            return await screen.moves.advice(as_asked(view))
        screen.moves.group_hand()
        away = screen.desk.distance()
        far = "You can lay" if not away else f"You are {counted(away, 'card')} away"
        return f"{far}; what goes together stands together."
