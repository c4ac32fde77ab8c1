"""Let a monkey play with the app: python tests/drivers/monkey.py --minutes 20 --seeds 10

It types keys, one by one and many at once, clicks, drags, turns the wheel, pastes, and makes the terminal larger and
smaller, below what the game needs and back, on every screen it comes to. After each spell somebody leaves the program
by its keys, and the next spell begins with what the last has left on the disk. A seed fails if the app raises
anything, says that something went wrong, does not answer, or cannot be left. Exit code 1 if any did.
"""

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
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from kalooki_tui.rulesets.folders import available
from kalooki_tui.session.plan import MatchPlan, Speed
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from tests.drivers.drive import drives
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
    keys: int = 0
    spells: int = 0
    wrong: list[str] = field(default_factory=list)


class Cannot(Exception):
    """The app cannot be left, or does not answer."""


class Monkey:
    def __init__(self, keyboard: Keyboard, chance: random.Random, tally: Tally) -> None:
        self.keyboard, self.chance, self.tally = keyboard, chance, tally
        self.people = People(keyboard, chance.randrange(1000), asides=0.1)

    async def act(self) -> None:
        app = self.keyboard.app
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
    """One of the matches that drives play, at any speed; nobody may be at the keyboard."""
    rulesets = [entry.id for entry in available() if entry.builtin]
    drive = chance.choice([*drives(rulesets, (0, 1, 2, 3), [chance.randrange(100)])])
    return replace(drive.plan(), speed=chance.choice(list(Speed)))


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

    keys, wrong = await watched(app, SIZES[0], play)
    tally.keys += keys
    if wrong is not None:
        tally.wrong.append(f"{tally.spells}. spell:\n{wrong}\n    began at {beginning.name}: {chosen}")


def watch(seed: int, seconds: float, actions: int = SPELL) -> Tally:
    """Let one monkey play for so long, spell after spell."""
    chance, tally = random.Random(f"monkey {seed}"), Tally()
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
    failed = 0
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        tally = watch(seed, 60 * arguments.minutes / arguments.seeds)
        failed += len(tally.wrong)
        print(f"seed {seed}: {tally.spells} spells, {tally.keys} keys, {len(tally.wrong)} failed", flush=True)
        for wrong in tally.wrong:
            print(wrong, flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
