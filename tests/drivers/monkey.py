"""Let a monkey play with the app: python tests/drivers/monkey.py --minutes 20 --seeds 10

It types keys, one by one and many at once, clicks, drags, turns the wheel, pastes, and makes the terminal larger and
smaller, below what the game needs and back, on every screen it comes to. After each spell somebody leaves the program
by its keys, and the next spell begins with what the last has left on the disk. A seed fails if the app raises
anything, says that something went wrong, does not answer, or cannot be left. Exit code 1 if any did.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import io
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.seats import parse_seats
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.plan import MatchPlan, Speed
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from tests.drivers.keyboard import Keyboard, Thinks, watched
from tests.drivers.people import People

#: Keys the monkey knows: those of the table most of all.
TABLE_KEYS: Final = (*"dtfcpnlLkwxeRhuogvzisqbarjm?,0123456789AJQK*[]", "escape", "enter", "space", "tab", "shift+tab")
MOVING: Final = ("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "shift+left", "shift+right")
OTHER: Final = ("ctrl+p", "ctrl+s", "ctrl+q", "ctrl+c", "backspace", "delete", "f1", "ctrl+a", "ctrl+z", "y", "N", "é")
#: Bursts that somebody might well type.
BURSTS: Final = ("cdxx", "pdxx", "nn", "enter enter enter", "n ctrl+s", "ctrl+p enter", "d x x", "L enter x x", "q y n")
SIZES: Final = ((80, 24), (120, 36), (79, 24), (80, 23), (40, 10), (1, 1), (200, 60), (100, 30), (5, 50), (300, 12))
PASTES: Final = ("Ann", "dxx", "", "7\n7\n", "日本語 🂡", "x" * 3000, "\x1b[A", "Bob=ai:club", "12")
#: Actions in one spell, and the most that leaving the program may take.
SPELL: Final = 150
LEAVING: Final = 40


@dataclass
class Tally:
    seed: int
    actions: int = 0
    keys: int = 0
    spells: int = 0
    left: int = 0
    """How often the monkey left the program by itself."""
    screens: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Cannot(Exception):
    """The app cannot be left, or does not answer."""


class Monkey:
    def __init__(self, keyboard: Keyboard, chance: random.Random, tally: Tally) -> None:
        self.keyboard, self.chance, self.tally = keyboard, chance, tally
        self.people = People(keyboard, chance.randrange(1000), asides=0.1)

    async def act(self) -> None:
        app = self.keyboard.app
        self.tally.actions += 1
        self.tally.screens[type(app.screen).__name__] += 1
        keyboard, chance = self.keyboard, self.chance
        width, height = app.size
        x, y = chance.randrange(max(1, width)), chance.randrange(max(1, height))
        kind = chance.choices(
            ("key", "burst", "typed", "click", "drag", "wheel", "paste", "size", "sensible", "wait"),
            (24, 8, 3, 14, 3, 4, 2, 3, 30, 4),
        )[0]
        match kind:
            case "key":
                await keyboard.press(self._key())
            case "burst":
                await keyboard.burst(*(self._key() for _ in range(chance.randrange(2, 12))))
            case "typed":
                typed = chance.choice(BURSTS)
                await keyboard.burst(*(typed.split() if " " in typed else typed))
            case "click":
                await keyboard.click(x, y, chance.choice((1, 1, 1, 2, 3)), shift=chance.random() < 0.1)
            case "drag":
                await keyboard.drag(x, y, chance.randrange(max(1, width)), chance.randrange(max(1, height)))
            case "wheel":
                await keyboard.wheel(x, y, up=chance.random() < 0.5)
            case "paste":
                await keyboard.paste(chance.choice(PASTES))
            case "size":
                await keyboard.resize(*chance.choice(SIZES))
                if chance.random() < 0.7:
                    await keyboard.press(self._key())
                    await keyboard.resize(*SIZES[0])
            case "sensible":
                await self.people.step()
            case _:
                await keyboard.settle(chance.choice((0.0, 0.02, 0.1)))

    def _key(self) -> str:
        keys: str = self.chance.choice(self.chance.choices((TABLE_KEYS, MOVING, OTHER), (12, 5, 1))[0])
        return keys

    async def leave(self) -> None:
        """Leave the program as a person would who has had enough.

        Raises:
            Cannot: it cannot be left.
        """
        keyboard = self.keyboard
        await keyboard.resize(*SIZES[0])
        for turn in range(LEAVING):
            if not keyboard.app.is_running:
                return
            await keyboard.press(("escape", "ctrl+q", "y")[turn % 3])
            await keyboard.settle(0.01)
        raise Cannot(f"cannot be left: {keyboard.app.screen}, {keyboard.app.screen.children}")


def plan(chance: random.Random) -> MatchPlan:
    ruleset_id = chance.choice([entry.id for entry in available() if entry.builtin])
    base = load_ruleset(ruleset_id)
    count = chance.choice([seats for seats in base.seat_counts if seats <= 6])
    people = chance.randrange(0, min(3, count) + 1)
    players = [f"ai:{chance.choice(('club', 'novice', 'club/caller'))}" for _ in range(count - people)]
    settings: dict[str, object] = {"race": chance.random() < 0.3}
    if base.dealer_cut_bonus is not None and chance.random() < 0.3:
        settings["dealer_cut"] = True
    return MatchPlan(
        ruleset=ruleset_id,
        seats=parse_seats([*("Ann", "Bob", "Cat")[:people], *players]),
        referee=chance.choice(list(Referee)) if base.infractions is not None else Referee.STRICT,
        settings=settings,
        seed=chance.randrange(10_000),
        speed=chance.choice(list(Speed)),
        curtain=chance.random() < 0.7,
        teaching=chance.random() < 0.3,
    )


async def spell(chance: random.Random, tally: Tally, actions: int, until: float) -> None:
    """One run of the program, from its start until somebody has left it."""
    chosen = plan(chance)
    routes_to = (routes.home(), routes.home(), routes.set_up(chosen), *(routes.new_match(chosen),) * 3)
    beginning = chance.choice(routes_to)
    app = KalookiApp(beginning, Thinks())
    tally.spells += 1

    async def play(keyboard: Keyboard) -> None:
        monkey = Monkey(keyboard, chance, tally)
        for _ in range(actions):
            if not app.is_running or time.monotonic() > until or keyboard.faults():
                break
            await monkey.act()
        if app.is_running:
            await monkey.leave()
        else:
            tally.left += 1

    keys, wrong = await watched(app, SIZES[0], play)
    tally.keys += keys
    if wrong is not None:
        tally.wrong.append(f"{tally.spells}. spell:\n{wrong}\n    began at {beginning.name}: {chosen}")


def watch(seed: int, seconds: float, actions: int = SPELL) -> Tally:
    """Let one monkey play for so long, spell after spell."""
    chance, tally = random.Random(f"monkey {seed}"), Tally(seed)
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            home = f"{folder}/{len(tally.wrong)}"
            os.environ["KALOOKI_HOME"] = home
            # What the app prints when it falls over is told in few words.
            with contextlib.redirect_stderr(io.StringIO()):
                asyncio.run(spell(chance, tally, actions, until))
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0, help="for all seeds together")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1)
    arguments = parser.parse_args()
    faulthandler.dump_traceback_later(60 * arguments.minutes + 300, exit=True)
    tallies = []
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        tally = watch(seed, 60 * arguments.minutes / arguments.seeds)
        tallies.append(tally)
        print(
            f"seed {seed}: {tally.spells} spells, {tally.actions} actions, {tally.keys} keys,"
            f" {tally.left} left early, {len(tally.wrong)} failed",
            flush=True,
        )
        for wrong in tally.wrong:
            print(wrong, flush=True)
    failed = sum(len(tally.wrong) for tally in tallies)
    screens: Counter[str] = sum((tally.screens for tally in tallies), Counter())
    print(
        f"{len(tallies)} seeds, {sum(tally.spells for tally in tallies)} spells,"
        f" {sum(tally.actions for tally in tallies)} actions, {sum(tally.keys for tally in tallies)} keys,"
        f" {failed} failed"
    )
    print("met:", ", ".join(f"{name} {count}" for name, count in screens.most_common()))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
