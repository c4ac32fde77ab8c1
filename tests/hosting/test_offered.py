import asyncio
from collections.abc import Sequence
from typing import Any, Final

from textual.app import App

from kalooki_tui.engine.view import Phase
from kalooki_tui.hosting.apps import ELSEWHERE, GuestApp
from kalooki_tui.hosting.screens import ComeScreen
from kalooki_tui.players import make_player
from kalooki_tui.presenter.commands import Command
from kalooki_tui.session.client import READS
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.table import TableScreen
from tests.hosting.callers import SECONDS, until
from tests.hosting.tables import Terminal, begun, hosting, looking_on, session_of, table_of

#: What leads on, by the state in which it is pressed, after all else there is: the table goes on by it.
ONWARD: Final[dict[str, Sequence[str]]] = {
    "waits": (),
    "call": ("p",),
    "decision": ("a",),
    "calls": (),
    "draws": (),
    "plays": (),
    "deal-over": ("enter",),
    "match-over": (),
}
#: Commands that do nothing visible where there is nothing to take back, to close, or another line to go to.
QUIET: Final = {"take-back", "confirm", "note-away", "line-up", "line-down"}
#: Those that a state is left by: pressed last.
LEAVES: Final = {
    "draw-stock", "take-discard", "discard", "call", "pass", "go-on", "take", "play-again", "go-home", "answer-nothing",
}  # fmt: skip

#: Looks at a screen after each other that see the same once it has settled.
STILL: Final = 3


def state_of(app: App[None]) -> str:
    """What a guest at the table is in the middle of."""
    screen = app.screen
    if not isinstance(screen, TableScreen):
        return str(screen.name)
    if not screen.state.is_asked:
        return "waits"
    return {Phase.DRAW: "draws", Phase.PLAY: "plays"}.get(screen.state.view.phase, "calls")


class Presser:
    """Presses everything that one guest is offered, and puts away what opens."""

    def __init__(self, terminal: Terminal, session: MatchSession) -> None:
        app = terminal.screen._app
        assert isinstance(app, GuestApp)
        self.app, self._terminal, self._session = app, terminal, session
        self.pressed: dict[str, set[str]] = {}

    def _seen(self) -> tuple[Any, ...]:
        session, table = self._session, table_of(self.app)
        said = [notice.message for notice in self.app._notifications]
        return (
            self.app.screen, self._terminal.text, said, session.revision, session.paused, table._notice,
            table.hand.cards,
        )  # fmt: skip

    def offered(self) -> list[Command]:
        screen = self.app.screen
        assert isinstance(screen, GameScreen)
        return [one for one in screen.offered if one.why_not(screen) is None and one.name not in QUIET]

    async def press_all(self) -> None:
        base, state = self.app.screen, state_of(self.app)
        done = self.pressed.setdefault(state, set())
        for command in self.offered():
            # What only shows something is the same in every state of the table.
            before_in = self.pressed.values() if command.name in READS and isinstance(base, TableScreen) else [done]
            if command.name in LEAVES or any(command.name in names for names in before_in):
                continue
            done.add(command.name)
            table = table_of(self.app)
            table.call_later(table.tell, None)
            self.app.call_later(self.app.clear_notifications)
            before = await self.settled()
            self.app.call_later(self.app.simulate_key, command.keys.partition(",")[0])
            await until(
                lambda before=before: self._seen() != before,  # type: ignore[misc]
                lambda name=command.name: f"{name} does nothing while the guest {state}:\n{self._terminal.text}",  # type: ignore[misc]
            )
            await self.settled()
            assert not any(ELSEWHERE in notice.message for notice in self.app._notifications), command.name
            await self.put_away(base)
            if self.app.screen is not base:
                return  # the match has gone on

    async def settled(self) -> tuple[Any, ...]:
        before, same = self._seen(), 0
        while same < STILL:
            await asyncio.sleep(0.01)
            now = self._seen()
            before, same = now, same + 1 if now == before else 0
        return before

    async def play(self) -> None:
        place = table_of(self.app).client
        [seat] = place.here
        before = self._session.revision
        action = make_player("club", "a guest").decide(place.view(seat)).action
        table_of(self.app).call_later(place.act, action)
        await until(lambda: self._session.revision != before)

    async def put_away(self, base: Any = None) -> None:
        """Take down what has been opened, and let AI seats go on."""
        base = base or table_of(self.app)
        while self.app.screen is not base and state_of(self.app) not in ONWARD:
            top = self.app.screen
            table_of(self.app).call_later(self.app.overlays.take_down, top)
            await until(lambda top=top: self.app.screen is not top)  # type: ignore[misc]
        if self._session.paused:
            self._session.set_paused(False)


async def test_every_key_that_a_guest_is_offered_does_something() -> None:
    async with hosting("Ann@", "ai:club", "ai:club", seed=10) as app:
        eve = await looking_on(app)
        (ann,) = await begun(app, "Ann")
        await eve.until("You are watching")
        session = session_of(app)
        session._time_is_over()  # one deal is enough
        await until(lambda: isinstance(eve.screen._app.screen, TableScreen))  # type: ignore[union-attr]
        watcher, guest = Presser(eve, session), Presser(ann, session)
        await watcher.press_all()
        await eve.break_line()
        guest.pressed["looks on"] = watcher.pressed["waits"] & READS
        async with asyncio.timeout(4 * SECONDS):
            while "match-over" not in guest.pressed:
                state = state_of(guest.app)
                if state in ONWARD and state not in guest.pressed:
                    await guest.press_all()
                elif state in ("calls", "draws", "plays"):
                    await guest.play()
                elif state in ONWARD:
                    for key in ONWARD[state]:
                        guest.app.call_later(guest.app.simulate_key, key)
                    await guest.settled()
                else:
                    await guest.put_away()
        wanted = {"draws", "plays", "calls", "decision", "deal-over", "match-over"}
        assert wanted <= set(guest.pressed), set(guest.pressed)
        guest.app.call_later(guest.app.simulate_key, "a")
        await until(lambda: isinstance(guest.app.screen, ComeScreen))
        app.lobby.changed()
        await ann.until("You have a seat.")
