"""Guest with a browser: the seats before the match, then a client at the table, which alone knows the match."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from aiohttp.web import WebSocketResponse

from kalooki_tui.engine.actions import Group
from kalooki_tui.hosting.guest import TAPS, Allowance, Guest
from kalooki_tui.hosting.guest_screen import GRACE, PATIENCE, TOO_SLOW
from kalooki_tui.hosting.hand import protocol as messages
from kalooki_tui.hosting.hand.front import LATE, HandFront
from kalooki_tui.hosting.lobby import Chair, Lobby, Visitor, stand_in_words, state_of, waits_for
from kalooki_tui.notation.card_text import NotationError, parse_cards
from kalooki_tui.notation.messages import Message
from kalooki_tui.presenter.hints import Consult
from kalooki_tui.presenter.sentences import PHRASES
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.storage.paths import fault_sentence, log_fault

#: What is not a message of the page.
NONSENSE: Final = "This page sent something that makes no sense, so it has been closed."
Staged = dict[str, list[Group]]


class HandGuest:
    def __init__(
        self, guest: Guest, lobby: Lobby, table_name: str, staged: Staged, begin: Callable[[], object], consult: Consult
    ) -> None:
        """Keep in `staged` what guests have put together and not laid, by token; `begin` begins the match."""
        self._begin = begin
        self.visitor, self.lobby, self.table_name = Visitor(guest, lobby), lobby, table_name
        self._staged, self._consult = staged, consult
        self._line: HandLine
        self._changed = asyncio.Event()
        self._at: MatchSession | None = None
        self._front: HandFront | None = None
        self._serving: asyncio.Task[None] | None = None

    async def run(self, line: HandLine) -> None:
        self._line = line
        line.state = self._state
        self.lobby.hear(self, self._changed.set)
        sending = asyncio.ensure_future(line.run())
        watching = asyncio.ensure_future(self._watch())
        try:
            await asyncio.wait({sending, watching}, return_when=asyncio.FIRST_COMPLETED)
            if watching.done() and not watching.cancelled() and (error := watching.exception()) is not None:
                line.fail(error)
            await asyncio.wait({sending})
        finally:
            self.lobby.unhear(self)
            watching.cancel()
            sending.cancel()
            self._leave_table()
            self.visitor.leave()

    async def _watch(self) -> None:
        self.visitor.come_back()
        while True:
            self._changed.clear()
            session = self.lobby.session
            has_place = self.visitor.chair is not None or self.visitor.watches
            if session is not self._at:
                self._leave_table()
                self._at = None
            if session is not None and self._at is None and has_place:
                self._come_to(session)
            self._line.changed()
            await self._changed.wait()
            if self._serving is not None and self._serving.done():
                self._serving.result()

    def _come_to(self, session: MatchSession) -> None:
        self._at = session
        place = self.lobby.place_of(self.visitor.chair)
        front = self._front = HandFront(place, self.lobby.plan, self._line.send, self._line.changed, self._consult)
        front.state.staged = self._staged.pop(self.visitor.guest.token, [])
        self._line.send(front.hello())
        self._line.send(front.log())
        self._serving = asyncio.ensure_future(place.serve(front))
        self._serving.add_done_callback(lambda _: self._changed.set())

    def _leave_table(self) -> None:
        if self._serving is not None:
            self._serving.cancel()
            self._serving = None
        if self._front is not None:
            if self._front.state.staged and self.visitor.guest.token:
                self._staged[self.visitor.guest.token] = self._front.state.staged
            self._front.leave()
            self._front = None

    def _state(self) -> Message | None:
        if self._front is not None:
            return self._front.table_message()
        visitor = self.visitor
        seats = [
            {"name": chair.name, "state": state_of(chair), "open": number in visitor.open_seats,
             "mine": chair is visitor.chair, "turns": self._turn_words(chair)}
            for number, chair in enumerate(self.lobby.chairs, 1)
        ]  # fmt: skip
        return {"lobby": {"table": self.table_name, "seats": seats, "called": visitor.called,
                          "expected": self.lobby.expected, "may_begin": visitor.leads,
                          "waits": self.lobby.why_not_begin(""), "watches": visitor.watches,
                          "words": waits_for(visitor)}}  # fmt: skip

    def _turn_words(self, chair: Chair) -> str:
        if not self.visitor.leads or not chair.is_own or chair.is_here:
            return ""
        return "Let an AI play" if chair.is_person else "Keep it free"

    def hear(self, text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not self._take(message):
            self._line.end(NONSENSE)

    def _take(self, message: Mapping[str, Any]) -> bool:
        if "ping" in message:
            self._line.send({"pong": message["ping"] if isinstance(message["ping"], int) else 0})
            return True
        done = self._do_here(message) or (self._front is not None and self._do_at_table(self._front, message))
        if "id" in message and isinstance(message["id"], int):
            self._line.send({"heard": message["id"]})
        # What was meant for a table that is no more, or not yet, is no mistake of the page.
        return done or self._front is None

    def _do_here(self, message: Mapping[str, Any]) -> bool:
        visitor, why = self.visitor, ""
        match message:
            case {"call": str(name)}:
                why = visitor.call(name[:200])
            case {"sit": int(number)}:
                why = visitor.sit(number)
            case {"watch": True}:
                if visitor.chair is None:
                    visitor.look_on()
            case {"begin": True}:
                why = visitor.why_not_begin()
                if not why:
                    self._begin()
            case {"turn": int(number)}:
                chair = next((one for place, one in enumerate(self.lobby.chairs, 1) if place == number), None)
                if chair is not None and self._turn_words(chair):
                    why = self.lobby.turn(chair)
            case _:
                return False
        self._tell(why)
        self._changed.set()
        return True

    def _tell(self, words: str) -> None:
        if words:
            self._line.send({"told": words})

    def _do_at_table(self, front: HandFront, message: Mapping[str, Any]) -> bool:
        act = self._act_of(front, message)
        if act is not None:
            front.refresh()
            if message.get("moment") == front.moment:
                act()
            else:
                self._line.send({"late": message.get("id", 0), "told": LATE})
                self._line.changed(again=True)
            return True
        faces = front.client.session.rules.faces
        match message:
            case {"order": str(cards)}:
                front.put_in_order(_cards(cards, faces))
            case {"chosen": str(cards)}:
                front.select(_cards(cards, faces))
            case {"sort": ("sort" | "group") as how}:
                front.press(how)
            case {"consent": bool(agrees), "about": str(about)}:
                front.consent(agrees=agrees, about=about)
            case {"stand_in": str(name)}:
                chair = next((chair for chair in self.lobby.absent_for(front.client) if chair.name == name), None)
                self._tell("Everybody is here." if chair is None else self.lobby.turn(chair))
            case {"say": str(words)}:
                front.say(words[:200])
            case {"show": str(name), **rest}:
                self._line.send({"page": self._page(front, name, str(rest.get("clause", ""))[:8])})
            case _:
                return False
        return True

    def _act_of(self, front: HandFront, message: Mapping[str, Any]) -> Callable[[], None] | None:
        cards = _cards(str(message.get("cards", "")), front.client.session.rules.faces)
        match message:
            case {"answer": str(text)}:
                return lambda: front.take(text[:400])
            case {"press": str(name)}:
                return lambda: front.press(name, cards)
            case {"meld": int(index)}:
                return lambda: front.put_on(index, cards)
            case {"way": int(index)}:
                return lambda: front.choose_way(index)
            case {"close": True}:
                return front.close_question
            case {"unstage": int(index)}:
                return lambda: front.unstage(index)
        return None

    def _page(self, front: HandFront, name: str, clause: str) -> Message:
        view, session = front.state.view, front.client.session
        match name:
            case "rules":
                title, blocks = messages.rules(view, clause)
            case "words":
                title, blocks = messages.words(view)
            case "scores":
                title, blocks = messages.scores(view, session.totals)
            case "seats":
                title, blocks = "Seats", [{"heading": one.name, "note": state_of(one)} for one in self.lobby.chairs]
                blocks += [
                    {"stand_in": one.name, "label": stand_in_words(one)} for one in self.lobby.absent_for(front.client)
                ]
            case _:
                title, blocks = "Say", [{"say": words} for words in PHRASES]
        return {"name": name, "title": title, "blocks": blocks}


def _cards(text: str, faces: Any) -> tuple[int, ...]:
    try:
        return parse_cards(text[:400], faces)
    except NotationError:
        return ()


#: Messages that may wait to be sent; the table is one of them, however often it changes.
BEHIND: Final = 400
#: Seconds whose taps may come at once: a page that comes back sends what it has kept.
BURST: Final = 5
#: Seconds in which changes are sent as one: a move is made in one turn of the loop, and the next asked for in another.
TOGETHER: Final = 0.01
TOO_MUCH: Final = "More came from your phone than anybody can tap, so this page has been closed."


class HandLine:
    def __init__(self, socket: WebSocketResponse, transport: asyncio.Transport | None) -> None:
        """Take the transport below the socket; None: it is broken already."""
        self._socket, self._transport = socket, transport
        self._waiting: deque[Message] = deque()
        self._more = asyncio.Event()
        self._allowance = Allowance(TAPS * BURST, BURST)
        self._ended = asyncio.Event()
        self.over = asyncio.Event()
        self.state: Callable[[], Message | None] = lambda: None
        self._has_changed = False
        self._due: asyncio.TimerHandle | None = None
        self._last = ""
        self._sentence = ""

    def send(self, message: Message) -> None:
        self._waiting.append(message)
        self._more.set()
        if len(self._waiting) > BEHIND:
            self._waiting.clear()
            self.end(TOO_SLOW)

    def changed(self, *, again: bool = False) -> None:
        """Send the table soon, if it differs from the last one sent or is wanted `again`."""
        if again:
            self._last = ""
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(TOGETHER, self._is_due)

    def _is_due(self) -> None:
        self._due = None
        self._has_changed = True
        self._more.set()

    def may_say(self) -> bool:
        """Count a message; return whether it may be heard. Too many end the line."""
        if not self._allowance.take():
            self.end(TOO_MUCH)
        return not self._ended.is_set()

    def end(self, sentence: str) -> None:
        """End the line with a sentence; the first one counts."""
        if not self._ended.is_set():
            self._sentence = sentence
            self._ended.set()
            self._more.set()

    def fail(self, error: BaseException) -> None:
        log_fault(error)
        self.end(fault_sentence(error, None))

    async def run(self) -> None:
        try:
            while not self._ended.is_set():
                await self._more.wait()
                self._more.clear()
                await self._send_waiting()
            self._waiting.append({"ended": self._sentence})
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await self._send_waiting()
                    await self._socket.close()
        except OSError:  # and the line that has taken nothing for too long
            self._ended.set()
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one page harms nobody else
            log_fault(error)
        finally:
            self._ended.set()
            if self._transport is not None:
                self._transport.abort()

    async def _send_waiting(self) -> None:
        while self._waiting or self._has_changed:
            if self._waiting:
                text = json.dumps(self._waiting.popleft(), ensure_ascii=True)
            else:
                self._has_changed = False
                text = json.dumps(self.state(), ensure_ascii=True)
                if text in ("null", self._last):
                    continue
                self._last = text
            async with asyncio.timeout(PATIENCE):
                await self._socket.send_str(text)
