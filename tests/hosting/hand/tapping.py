"""Somebody who plays with taps alone: what to do is decided as the club player would, how is what the page offers."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from kalooki_tui.cards import Card
from kalooki_tui.engine import actions
from kalooki_tui.engine.actions import Action, Source
from kalooki_tui.engine.additions import Addition, reach_of, swaps, uses
from kalooki_tui.engine.view import View
from kalooki_tui.players import make_player
from kalooki_tui.presenter.prompts import as_asked
from kalooki_tui.presenter.turn_state import swap_words
from kalooki_tui.session.client import Client
from tests.hosting.hand.phone import Phone
from tests.moments import there

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
    def __init__(self, phone: Phone, place: Client, decides: Decides) -> None:
        self.phone, self.client, self.seat = phone, place, place.here[0]
        self._decides = decides
        self.done: Counter[str] = Counter()
        """What has been done, by the names of the actions and the titles of the questions."""

    async def play(self, until: Callable[[], bool]) -> None:
        while not until():
            shown = await self.phone.run(SHOWN)
            if shown["busy"]:
                await asyncio.sleep(0.01)
            elif shown["sheet"]:
                self.done["sheet"] += 1
                await self._tap_way(0, shown)
            elif shown["question"]:
                await self._answer(shown)
            elif shown["yours"] and (view := self.client.view(self.seat)).legal:
                await self._move(self._decides(view), shown)
            else:
                await asyncio.sleep(0.02)

    async def _answer(self, shown: Any) -> None:
        view, title = self.client.view(self.seat), shown["question"]
        view = as_asked(view) if title == "Call it?" else view
        if view.legal and (title in ("Call it?", "Buy in again?") or "allow the call" in title):
            action = self._decides(view)
            self.done[type(action).__name__.lower()] += 1
            await self._tap_way(0 if isinstance(action, actions.Call | actions.Allow | actions.BuyIn) else 1, shown)
        else:
            self.done[title] += 1
            await self._tap_way(0, shown)

    async def _move(self, action: Action, shown: Any) -> None:
        name = type(action).__name__.lower()
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
                await self._press("lay")
            case actions.Tack(cards=cards, meld=meld, end=end):
                await self._choose(cards)
                await self._tap(f"document.querySelectorAll('#melds .meld')[{meld}]")
                await self._way_of(end or "")
            case actions.Swap(card=card):
                way = self._way(action)
                await self._choose((card,))
                await self._press("swap")
                await self._way_of(swap_words(self.client.view(self.seat), way).partition(": ")[2])
            case actions.Discard(card=card):
                await self._choose((card,))
                await self._press("discard", shown)
            case actions.EndTurn() | actions.Done():
                await self._press("end", shown)
            case actions.Challenge():
                await self._press("challenge")
                await self._way_of("Challenge")
                await self._way_of("Yes")
            case actions.Cut():
                await self._tap_way(0, shown)
        self.done[name] += 1

    def _way(self, action: actions.Swap) -> Addition:
        reach = there(reach_of(self.client.view(self.seat)))
        return next(way for way in (*swaps(reach, action.cards), *uses(reach, action.cards)) if way.action == action)

    def _cards(self, cards: tuple[Card, ...]) -> str:
        return self.client.session.rules.faces.symbols(cards)

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
            self.done[shown["question"]] += 1
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
            text = json.dumps(self.client.session.rules.faces.text(card))
            free = f"one.dataset.key.split(' ')[0] === {text} && one.ariaPressed === 'false'"
            marked = f"document.querySelectorAll('#hand .card[aria-pressed=\"true\"]').length === {count}"
            tap = f"[...document.querySelectorAll('#hand .card')].find((one) => {free})"
            await self._tap(tap)
            try:
                await self.phone.until(marked, 5)
            except TimeoutError:  # a tap that came too late is answered with the table as it is now
                await self._tap(tap)
                await self.phone.until(marked)
