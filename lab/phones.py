"""Four phones on slow lines, a terminal and an AI seat play deals at one table: nothing is lost, nothing done twice,
and no page is sent a card that its person does not know.

    python -m lab.phones 2

Each phone's line takes 300 ms each way, and one piece in twenty comes a second later, as where a packet is lost and
sent anew. Now and then a line breaks, and the page comes back.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from itertools import pairwise
from time import monotonic
from unittest.mock import patch

from kalooki_tui.desk.table import flow
from kalooki_tui.desk.table.sitting import Sitting
from kalooki_tui.engine.events import Called, Discarded, Drew, Laid
from kalooki_tui.engine.moments import AFTER_DEAL
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.guest_app import GuestApp
from kalooki_tui.ui.screens import question
from lab.leaks import act
from tests.hosting.hand.sockets import Hand, Pocket, leaked, pocket, table
from tests.hosting.tables import Terminal, until

PHONES = ("Ann", "Bob", "Cat", "Dee")
DELAY, LOST, AGAIN = 0.3, 0.05, 1.0
#: How often a page's line breaks, for each answer.
BREAKS = 0.02
MOST = 900.0
#: Seconds after which a person taps again who is still asked the same.
PATIENCE = 10.0


class SlowLine:
    """Passes bytes on, late and in their order."""

    def __init__(self, port: int, dice: random.Random) -> None:
        self._port, self._dice = port, dice

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        with suppress(OSError, asyncio.CancelledError):
            there, on = await asyncio.open_connection("127.0.0.1", self._port)
            await asyncio.gather(self._carry(reader, on), self._carry(there, writer))

    async def _carry(self, come: asyncio.StreamReader, go: asyncio.StreamWriter) -> None:
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            due = 0.0
            while True:
                at, data = await pieces.get()
                due = max(due, at)
                await asyncio.sleep(due - monotonic())
                if not data:
                    break
                go.write(data)
                await go.drain()
            go.close()

        delivering = asyncio.ensure_future(deliver())
        while True:
            data = b""
            with suppress(OSError):
                data = await come.read(65536)
            late = DELAY + (AGAIN if self._dice.random() < LOST else 0.0)
            pieces.put_nowait((monotonic() + late, data))
            if not data:
                break
        with suppress(OSError):
            await delivering


@asynccontextmanager
async def slow(address: str, dice: random.Random) -> AsyncIterator[str]:
    """The address of the same page over a slow line."""
    port = int(address.rpartition(":")[2].partition("/")[0])
    server = await asyncio.start_server(SlowLine(port, dice).serve, "127.0.0.1", 0)
    try:
        yield address.replace(f":{port}/", f":{server.sockets[0].getsockname()[1]}/")
    finally:
        server.close()


async def play_by_taps(phone: Pocket, name: str, dice: random.Random, counts: Counter[str], pages: list[Hand]) -> None:
    """One person's page, and another one whenever the line breaks; the newest is put into `pages`."""
    while True:
        with suppress(ConnectionError):
            async with phone.page() as hand:
                pages[:] = [hand]
                await hand.until(lambda: hand.lobby or hand.state)
                if not hand.state:
                    seats = hand.lobby["seats"]
                    if not any(seat["mine"] for seat in seats):
                        await hand.say(sit=1 + next(at for at, seat in enumerate(seats) if seat["name"] == name))
                await answer_all(hand, dice, counts)
        counts["came back"] += 1


async def answer_all(hand: Hand, dice: random.Random, counts: Counter[str]) -> None:
    """Answer until the line breaks."""
    answered, since = "", monotonic()
    while dice.random() >= BREAKS:
        while not hand.state or not hand.state["yours"] or hand.state["moment"] == answered:
            if monotonic() - since > PATIENCE:
                # Asked again at the same moment, as when somebody's place has changed: a person answers again.
                answered, since = "", monotonic()
                counts["asked again"] += bool(hand.state and hand.state["yours"])
            if hand.is_over:
                return
            question_now = hand.state.get("question") or {}
            if question_now.get("page"):
                await hand.say(way=0, moment=hand.state["moment"])
            await asyncio.sleep(0.05)
        state = hand.state
        wanted = ("call", "pass", "allow", "draw stock", "discard", "done", "leave")
        options = [one for start in wanted for one in state["options"] if one.startswith(start)]
        # A joker is kept as long as there is anything else to throw.
        options = [one for one in options if "JK" not in one] or options
        if dice.random() < 0.7:
            options = [one for one in options if not one.startswith("call")] or options
        if not options:
            await asyncio.sleep(0.05)
            continue
        answered, since = state["moment"], monotonic()
        await hand.say(answer=options[0], moment=answered)
        counts["answers"] += 1
        if dice.random() < 0.2:  # whoever hears nothing taps again
            await hand.say(answer=options[0], moment=answered)
            counts["answers twice"] += 1


def look(sitting: Sitting, pages: dict[str, list[Hand]], counts: Counter[str]) -> None:
    """Look for cards of others in all that each page has been sent, as long as no hand lies open."""
    for place in sitting.places:
        for hand in pages.get(sitting.names[place.here[0]], ()) if place.here else ():
            if place.public.phase in AFTER_DEAL or not hand.heard:
                continue
            counts["messages read"] += len(hand.heard)
            found = leaked(hand, place)
            assert not found, f"{sorted(found)} are in\n{hand.heard}"
            hand.heard.clear()


async def deal(seed: int) -> None:
    """One deal."""
    dice, counts = random.Random(seed), Counter[str]()
    seats = [f"{name}@" for name in (*PHONES, "Eve")]
    async with AsyncExitStack() as stack:
        app, address = await stack.enter_async_context(table(*seats, "ai:club", seed=seed))
        far = await stack.enter_async_context(slow(address, dice))
        phones = [await stack.enter_async_context(pocket(far, name)) for name in PHONES]
        pages: dict[str, list[Hand]] = {name: [] for name in PHONES}
        players = [
            asyncio.ensure_future(play_by_taps(phone, name, dice, counts, pages[name]))
            for phone, name in zip(phones, PHONES, strict=True)
        ]
        eve = Terminal(app, Guest("Eve", "ssh", "key of Eve"))
        await eve.until("press 5 ")
        eve.type("5")
        await until(lambda: not app.lobby.why_not_begin())
        app.begin_match()
        await eve.until("Eve's hand")
        sitting = app.lobby.sitting
        assert sitting is not None
        began = monotonic()
        while eve.place.public.phase not in AFTER_DEAL and monotonic() - began < MOST:
            shown = eve.screen._app
            if isinstance(shown, GuestApp):
                shown.call_later(partial(act, eve))
            look(sitting, pages, counts)
            await asyncio.sleep(0.05)
        history = eve.place.public.history
        kinds = Counter(
            type(event).__name__ for event in history if isinstance(event, Called | Discarded | Drew | Laid)
        )
        assert eve.place.public.phase in AFTER_DEAL, "the deal has not come to its end"
        # A card drawn twice, or thrown twice, would break the order of turns.
        turns = [(type(event), event.seat) for event in history if isinstance(event, Drew | Discarded)]
        assert all(one != other for one, other in pairwise(turns)), "something was done twice"
        print(f"{seed}: {dict(counts)}, {dict(kinds)}, {monotonic() - began:.0f} s", flush=True)
        for player in players:
            player.cancel()
        await asyncio.wait(players)


def main() -> None:
    """Play deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", type=int)
    deals = parser.parse_args().deals
    question.QUIET_SECONDS, flow.WINDOW = 0.0, 0.0
    with tempfile.TemporaryDirectory() as home, patch.dict(os.environ, KALOOKI_HOME=home):
        for number in range(deals):
            asyncio.run(deal(400_001 + number))


if __name__ == "__main__":
    main()
