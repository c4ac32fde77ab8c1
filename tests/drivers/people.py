"""People at the keyboard: they see what is on the screen and press keys for it, and nothing else.

What to do with an open hand is what the club player would do with it; questions are answered at random.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from textual.screen import Screen

from kalooki_tui.cards import Card
from kalooki_tui.engine import actions
from kalooki_tui.engine.actions import Action, Group, Source
from kalooki_tui.engine.view import View
from kalooki_tui.players import Player, make_player
from kalooki_tui.tui.screens.curtain import CurtainAction, PassScreen
from kalooki_tui.tui.screens.home import HomeScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.widgets.choices import ChoiceLine
from tests.drivers.keyboard import Keyboard

#: How often an answer is given, by words it holds; 1 for all others.
WEIGHTS: Final = {
    "Cover it again": 3.0, "When each person is asked": 0.1, "Ask the club player": 0.3, "Take back": 0.1,
    "Leave this match": 0.0, "Leave it": 0.0, "Pass this contract over": 3.0,
}  # fmt: skip
#: The same for the screens between people, by what their keys do.
PASSING: Final = {
    CurtainAction.OPEN: 5.0, CurtainAction.NOBODY: 5.0, CurtainAction.WHO: 0.5,
    CurtainAction.CALL: 1.0, CurtainAction.LETS_GO: 1.0, CurtainAction.LOOK: 0.4,
    CurtainAction.WHEN: 0.1, CurtainAction.UNDO: 0.1,
}  # fmt: skip
#: Keys that do no harm at the table, pressed now and then before a move; each with what closes what it opened.
BY_THE_WAY: Final[tuple[tuple[str, ...], ...]] = (
    ("h",), ("o",), ("g",), ("u",), ("tab",), ("z", "z"), ("v", "v", "v"), ("s", "escape"), ("i", "escape"),
    ("question_mark", "escape"), ("comma", "escape"), ("ctrl+p", "escape"), ("ctrl+q", "n"), ("x", "escape"),
    ("L", "escape", "escape", "escape", "escape"), ("k",), ("w",), ("R", "escape"), ("c",), ("end", "home"), ("b",),
)  # fmt: skip


#: Actions that are answers to a question; for all others the table has keys.
ANSWERS: Final = (actions.Allow, actions.Refuse, actions.Cut, actions.BuyIn, actions.Leave)


class Fault(Exception):
    """The app said that something went wrong."""


class People:
    """Everybody at the keyboard of one app."""

    def __init__(self, keyboard: Keyboard, seed: int, *, asides: float = 0.02) -> None:
        self.keyboard = keyboard
        self.random = random.Random(seed)
        self.asides = asides
        """How often something is pressed by the way."""
        self.not_done: list[str] = []
        """Actions that the club player chose and the keys did not do."""
        self.over = False
        """Whether the end of a match has been seen."""
        self._players: dict[tuple[int, str], Player] = {}
        self._tried: tuple[object, ...] | None = None

    @property
    def screen(self) -> Screen[Any]:
        return self.keyboard.app.screen

    @property
    def table(self) -> TableScreen | None:
        return next((screen for screen in self.keyboard.app.screen_stack if isinstance(screen, TableScreen)), None)

    def moment(self) -> tuple[object, ...]:
        table = self.table
        if table is None:
            return (type(self.screen).__name__,)
        match = table.session._table.match
        return (
            match.deal.number,
            match.deal.attempt,
            len(match.deal.history),
            match.phase,
            match.actor,
            match.finished,
        )

    async def step(self) -> None:
        """Do what the screen asks for, or wait a little.

        Raises:
            Fault: the app says that something went wrong.
        """
        screen = self.screen
        if isinstance(screen, TableScreen):
            if screen.is_mounted and screen.state.is_asked:
                await self._move(screen)
            else:
                await self.keyboard.settle(0.001)
        elif isinstance(screen, HomeScreen):
            await self.keyboard.settle(0.001)
        else:
            await self._answer(screen)

    # Questions

    async def _answer(self, screen: Screen[Any]) -> None:
        kind = type(screen).__name__
        if kind == "MatchOverScreen":
            self.over = True
            await self.keyboard.press("h")
        elif kind == "CutDialog":
            keys = self.random.choices(("left", "right", "up", "down"), k=self.random.randrange(4))
            await self.keyboard.press(*keys, "enter")
        elif isinstance(screen, PassScreen):
            weights = [PASSING.get(choice.value.doing, 0.2) for choice in screen.choices]
            await self.keyboard.press(self.random.choices(screen.choices, weights)[0].key)
            # A new screen hears nothing at first, and where there is a clock it may be left to run.
            await self.keyboard.settle(0.001)
        elif lines := [line for line in screen.query(ChoiceLine) if line.display]:
            await self._choose(lines)
        elif kind in ("DealIntro", "DealOverScreen"):
            await self.keyboard.press("enter")
        else:
            await self.keyboard.press("escape")

    async def _choose(self, lines: Sequence[ChoiceLine], wanted: str = "") -> None:
        """Press the key of an answer: one that holds the words wanted, or one at random."""
        texts = [text for line in lines if (text := str(line.content).strip())]
        if not texts:  # a screen that has not filled its answers in yet
            await self.keyboard.press("escape")
            return
        if any("Go on with the match as it stands" in text for text in texts):
            raise Fault("\n".join(self.keyboard.faults()))
        found = [text for text in texts if wanted and wanted in text]
        weights = [next((weight for words, weight in WEIGHTS.items() if words in text), 1.0) for text in texts]
        text = found[0] if found else self.random.choices(texts, weights)[0]
        await self.keyboard.press(text.split()[0])

    # Moves

    async def _move(self, screen: TableScreen) -> None:
        view = screen.state.view
        if self.random.random() < self.asides:
            await self.keyboard.press(*self.random.choice(BY_THE_WAY))
            return
        again = self._tried == self.moment()
        self._tried = before = self.moment()
        action = view.legal[0] if again and view.legal else self._player(view).decide(view).action
        await self.act(screen, action)
        await self._written(screen, before)
        if self.moment() == before and isinstance(self.screen, TableScreen) and not isinstance(action, ANSWERS):
            self.not_done.append(f"{action} with {view.hand} at {before}: {screen.status.prompt}")

    def _player(self, view: View) -> Player:
        key = view.seat, view.names[view.seat]
        return self._players.setdefault(key, make_player("club", f"person {key}"))

    async def act(self, screen: TableScreen, action: Action) -> None:
        press = self.keyboard.press
        match action:
            case actions.Draw():
                await press({Source.STOCK: "d", Source.DISCARD: "t", Source.FLIP: "f"}[action.source])
            case actions.Call():
                await press("c")
            case actions.Pass():
                await press(self.random.choice("pn"))
            case actions.EndTurn() | actions.Done():
                await press("e")
            case actions.Challenge():
                await press("R")
                await self._answer_about(screen.state.view.names[action.target])
            case actions.Lay():
                await self._lay(screen, action.groups)
            case actions.Tack():
                await self._tack(screen, action)
            case actions.Swap():
                await self._choose_cards(screen, (action.card,))
                await press("w")
                await self._answer_about("")
            case actions.Discard():
                await self._put_down_staged(screen)
                if self.random.random() < 0.5:
                    await self._choose_cards(screen, ())
                    await self._go_to(screen, screen.hand.shown.index(action.card))
                    await press("x", "x")
                else:
                    await self._choose_cards(screen, (action.card,))
                    await press("x")
            case _:
                # Its question is about to open.
                await self.keyboard.settle(0.001)

    async def _written(self, screen: TableScreen, before: tuple[object, ...]) -> None:
        """Wait for a step that goes to the disk in a thread; throw in spite of a warning, found out in one too."""
        for _ in range(200):
            await self.keyboard.settle(0.01)
            if self.screen is not screen or self.moment() != before:
                return
            if "again throws" in screen.status.prompt:
                await self.keyboard.press("x")

    async def _answer_about(self, wanted: str) -> None:
        """If a question has opened, give the answer that holds the words."""
        if not isinstance(self.screen, TableScreen) and (lines := list(self.screen.query(ChoiceLine))):
            await self._choose(lines, wanted)

    async def _put_down_staged(self, screen: TableScreen) -> None:
        for _ in range(30):
            if not screen.state.staged or self.screen is not screen:
                break
            await self.keyboard.press("escape")

    async def _focus_hand(self, screen: TableScreen) -> None:
        for _ in range(6):
            if screen.hand.has_focus or self.screen is not screen:
                break
            await self.keyboard.press("tab")

    async def _go_to(self, screen: TableScreen, place: int) -> None:
        await self._focus_hand(screen)
        await self.keyboard.burst(*_arrows(screen.hand.cursor, place))

    async def _choose_cards(self, screen: TableScreen, cards: Sequence[Card]) -> None:
        """Choose exactly these cards of the hand, in one go as a quick hand does."""
        await self._focus_hand(screen)
        keys, at = [], screen.hand.cursor
        for place in _to_toggle(screen, cards):
            keys += [*_arrows(at, place), "space"]
            at = place
        await self.keyboard.burst(*keys)

    async def _lay(self, screen: TableScreen, groups: Sequence[Group]) -> None:
        await self._put_down_staged(screen)
        if self.random.random() < 0.4:
            await self._choose_cards(screen, ())
            await self.keyboard.press("L")
        else:
            symbols = screen.state.view.rules.faces.symbols
            for group in groups:
                await self._choose_cards(screen, group.cards)
                await self.keyboard.press("l")
                await self._answer_about(symbols(group.cards))
        if self.screen is screen and screen.state.staged and not screen.hand.selected:
            await self.keyboard.press(self.random.choice(("l", "enter")))

    async def _tack(self, screen: TableScreen, action: actions.Tack) -> None:
        await self._choose_cards(screen, action.cards)
        await self.keyboard.press("k")
        if self.screen is screen and action.meld in screen.melds.lit:
            await self.keyboard.press(*str(action.meld + 1))
            for _ in range(30):
                if screen.melds.cursor_meld == action.meld:
                    break
                await self.keyboard.press("right" if self.random.random() < 0.9 else "home")
            await self.keyboard.press("enter")
        await self._answer_about("" if action.end is None else action.end)


def _arrows(start: int, end: int) -> list[str]:
    """The keys that move a cursor from one place to another."""
    return ["right"] * (end - start) or ["left"] * (start - end)


def _to_toggle(screen: TableScreen, cards: Sequence[Card]) -> list[int]:
    """Places among the cards shown whose choice must change so that exactly `cards` are chosen."""
    wanted, found = Counter(cards), []
    for place, held in enumerate(screen.hand.in_sight):
        card = held.card
        if (wanted[card] > 0) != held.chosen:
            found.append(place)
        wanted[card] -= 1
    return found
