"""Somebody who plays with taps alone: what to do is decided as the club player would, how is what the page offers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kalooki_tui.cards import Card
from kalooki_tui.desk.table.desk import swap_words
from kalooki_tui.desk.table.place import Place
from kalooki_tui.desk.table.prompt import as_asked
from kalooki_tui.engine import actions
from kalooki_tui.engine.actions import Action, Source
from kalooki_tui.engine.additions import Addition, reach_of, swaps, uses
from kalooki_tui.engine.view import View
from kalooki_tui.players import make_player
from tests.hosting.hand.phone import Phone

DRAWS = {Source.STOCK: "draw-stock", Source.DISCARD: "take-discard", Source.FLIP: "take-flip"}
#: What the page shows that can be acted upon.
SHOWN = """(() => {
  const shown = (one) => one && !one.hidden;
  const sheet = document.getElementById("sheet");
  const question = document.getElementById("question");
  const ways = [...document.querySelectorAll(sheet.open ? "#sheet-ways button" : "#question button")];
  return {
    moment: document.getElementById("game").dataset.moment ?? "",
    busy: document.getElementById("mine").classList.contains("-busy"),
    yours: document.getElementById("mine").classList.contains("-yours"),
    sheet: sheet.open ? document.getElementById("sheet-title").textContent : "",
    question: shown(question) ? question.querySelector("h2").textContent : "",
    ways: ways.map((one) => one.textContent),
    chosen: [...document.querySelectorAll('#hand .card[aria-pressed="true"]')].length,
  };
})()"""
Decides = Callable[[View], Action]


def club(view: View) -> Action:
    return make_player("club", "person").decide(view).action


class Person:
    """Somebody with a phone."""

    def __init__(
        self, phone: Phone, place: Place, decides: Decides | None = None, pictures: Path | None = None
    ) -> None:
        self.phone, self.place, self.seat = phone, place, place.here[0]
        self._decides = decides or (lambda view: make_player("club", f"person {self.seat}").decide(view).action)
        self._pictures = pictures
        self.done: dict[str, int] = {}
        """What has been done, by the names of the actions and the titles of the questions."""

    async def play(self, until: Callable[[], bool]) -> None:
        while not until():
            shown = await self.phone.run(SHOWN)
            if shown["busy"]:
                await asyncio.sleep(0.01)
            elif shown["sheet"]:
                await self._picture(shown["sheet"].split()[0])
                self._note("sheet")
                await self._tap_way(0, shown)
            elif shown["question"]:
                await self._picture(shown["question"])
                await self._answer(shown)
            elif shown["yours"] and (view := self.place.view(self.seat)).legal:
                await self._move(self._decides(view), shown)
            else:
                await asyncio.sleep(0.02)

    def _note(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    async def _picture(self, name: str) -> None:
        file = None if self._pictures is None else self._pictures / f"{name.strip('?').replace(' ', '_')}.png"
        if file is not None and not file.exists():
            await self.phone.picture(file)

    async def _answer(self, shown: Any) -> None:
        view, title = self.place.view(self.seat), shown["question"]
        if title == "Call it?":
            action = self._decides(as_asked(view))
            self._note("call" if isinstance(action, actions.Call) else "pass")
            await self._tap_way(0 if isinstance(action, actions.Call) else 1, shown)
        elif "allow the call" in title and view.legal:
            action = self._decides(view)
            self._note("allow" if isinstance(action, actions.Allow) else "refuse")
            await self._tap_way(0 if isinstance(action, actions.Allow) else 1, shown)
        elif title == "The dealer's cut":
            self._note("cut")
            await self._tap_way(0, shown)
        elif title == "Buy in again?" and view.legal:
            action = self._decides(view)
            self._note("buy-in" if isinstance(action, actions.BuyIn) else "leave")
            await self._tap_way(0 if isinstance(action, actions.BuyIn) else 1, shown)
        else:
            self._note(title)
            await self._tap_way(0, shown)

    async def _move(self, action: Action, shown: Any) -> None:
        name = type(action).__name__.lower()
        await self._picture(f"play_{name}")
        await self._clear()
        match action:
            case actions.Draw(source=source):
                await self._press(DRAWS[source], shown)
            case actions.Call() | actions.Pass():
                await self._press(name, shown)
            case actions.Lay(groups=groups):
                for group in groups:
                    await self._choose(group.cards)
                    await self._press("lay")
                    await self._way_of(self._cards(group.cards))
                await self._picture("staged")
                await self._press("lay")
            case actions.Tack(cards=cards, meld=meld, end=end):
                await self._choose(cards)
                await self._tap(f"document.querySelectorAll('#melds .meld')[{meld}]")
                await self._way_of(end or "")
            case actions.Swap(card=card):
                way = self._way(action)
                await self._choose((card,))
                await self._press("swap")
                await self._way_of(swap_words(self.place.view(self.seat), way).partition(": ")[2])
            case actions.Discard(card=card):
                await self._choose((card,))
                await self._picture("chosen")
                await self._press("discard", shown)
            case actions.EndTurn() | actions.Done():
                await self._press("end", shown)
            case actions.Challenge():
                await self._press("challenge")
                await self._way_of("Challenge")
                await self._way_of("Yes")
            case actions.Cut():
                await self._tap_way(0, shown)
        self._note(name)

    def _way(self, action: actions.Swap) -> Addition:
        reach = reach_of(self.place.view(self.seat))
        assert reach is not None
        return next(way for way in (*swaps(reach, action.card), *uses(reach, action.card)) if way.action == action)

    def _cards(self, cards: tuple[Card, ...]) -> str:
        return self.place.rules.faces.symbols(cards)

    async def _tap(self, element: str) -> None:
        """Tap an element, once it is there, and wait until the table has heard it."""
        async with asyncio.timeout(20):
            while not await self.phone.tap(element):
                await asyncio.sleep(0.03)
        await self.phone.until("!document.getElementById('mine').classList.contains('-busy')")

    async def _press(self, name: str, shown: Any = None) -> None:
        moment = shown["moment"] if shown else (await self.phone.run(SHOWN))["moment"]
        await self._tap(f"document.querySelector('#buttons [data-press={name}]')")
        if shown is not None:
            with_words = f"document.getElementById('game').dataset.moment !== {json.dumps(moment)}"
            await self.phone.until(f"{with_words} || !document.getElementById('notice').hidden")

    async def _tap_way(self, index: int, shown: Any) -> None:
        kind = "sheet-ways" if shown["sheet"] else "question"
        await self._tap(f"document.querySelectorAll('#{kind} button')[{index}]")
        moment = json.dumps(shown["moment"])
        await self.phone.until(f"document.getElementById('game').dataset.moment !== {moment}")

    async def _way_of(self, words: str) -> None:
        """Where one of several ways is asked for, take the one with these words."""
        await asyncio.sleep(0.05)
        shown = await self.phone.run(SHOWN)
        if shown["question"]:
            self._note(shown["question"])
            await self._picture(shown["question"])
            fitting = [index for index, way in enumerate(shown["ways"]) if words in way]
            await self._tap(f"document.querySelectorAll('#question button')[{(fitting or [0])[0]}]")

    async def _clear(self) -> None:
        while (await self.phone.run(SHOWN))["chosen"]:
            # It may be chosen no more by the time that it is tapped.
            await self.phone.tap("document.querySelector('#hand .card[aria-pressed=\"true\"]')")
            await self.phone.until("!document.getElementById('mine').classList.contains('-busy')")

    async def _choose(self, cards: tuple[Card, ...]) -> None:
        await self._clear()
        for count, card in enumerate(cards, 1):
            text = json.dumps(self.place.rules.faces.text(card))
            free = f"one.dataset.key.split(' ')[0] === {text} && one.ariaPressed === 'false'"
            marked = f"document.querySelectorAll('#hand .card[aria-pressed=\"true\"]').length === {count}"
            tap = f"[...document.querySelectorAll('#hand .card')].find((one) => {free})"
            await self._tap(tap)
            try:
                await self.phone.until(marked, 5)
            except TimeoutError:  # a tap that came too late is answered with the table as it is now
                await self._tap(tap)
                await self.phone.until(marked)
