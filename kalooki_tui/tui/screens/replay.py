"""Replay of a deal that is over, step by step on the table itself, hands open or closed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.presenter.commands import Command, not_open
from kalooki_tui.presenter.hand_order import Arrangement
from kalooki_tui.presenter.sentences import log_lines
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.training.moments import plan_at
from kalooki_tui.training.steps import PastDeal, why_made
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.question import AskLine, ChoiceDialog, HelpScreen, ask_for_position
from kalooki_tui.tui.screens.tabletop import TabletopScreen, hand_words
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.choices import numbered
from kalooki_tui.tui.widgets.hand import HandsView, HandView
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.tui.widgets.status import Tone

#: Those for which a wide footer has room come first.
COMMANDS: Final = (
    Command("step", "right,space,l", "Step", "One step on.", lambda at: at.step(1), first=True),
    Command("step-back", "left,backspace,h", "Back", "One step back.", lambda at: at.step(-1), first=True),
    Command("turn", "down,pagedown,j", "Turn", "To the next turn.", lambda at: at.turn(1), first=True),
    Command("deal", "d", "Deal", "Choose a deal of the match.", lambda at: at.choose_deal()),
    Command("all-hands", "a", "All", "Show all hands, or one at a time.", lambda at: at.switch("-all")),
    Command("why", "w", "Why", "Say why AI seats moved as they did.", lambda at: at.switch("-why")),
    Command("play-on", "p", "Play on", "Play on from here, in a match of its own.",
            lambda at: at.play_on(), lambda at: at.why_not_on()),
    Command("turn-back", "up,pageup,k", "Turn", "To the previous turn.", lambda at: at.turn(-1), first=True),
    Command("write-position", "e", "To a file", "Write this moment to a file, as a position.",
            lambda at: ask_for_position(at.app, at.state, f"deal {at.moment}")),
    Command("help", "question_mark", "Help", "List every command.", lambda at: at.show_help()),
    Command("leave", "escape,q", "Leave", "Back to where you came from.", lambda at: at.leave()),
    Command("seat", "tab", "Seat", "The next seat's hand.", lambda at: at.next_seat(), first=True),
    Command("open", "o", "Hand", "Show the hand, or only its back.", lambda at: at.turn_over()),
    Command("go-to-turn", "g", "Go to", "To a turn of the deal, by its number.", lambda at: at.choose_turn()),
    Command("deal-start", "home", "Start", "To the beginning of the deal.", lambda at: at.go_to(at.deal), first=True),
    Command("deal-end", "end", "End", "To the end of the deal.", lambda at: at.go_to(at.deal, -1), first=True),
    Command("next-deal", "n,right_square_bracket", "Next", "The next deal.", lambda at: at.go_to(at.deal + 1)),
    Command("last-deal", "b,left_square_bracket", "Before", "The previous deal.", lambda at: at.go_to(at.deal - 1)),
)  # fmt: skip
IN_FOOTER: Final = 11
#: Digits of a turn's number, at most.
DIGITS: Final = 5


class ReplayScreen(TabletopScreen):
    DEFAULT_CSS = """
    ReplayScreen.-all HandView { display: none; }
    ReplayScreen #reason { display: none; height: 2; padding: 0 1; color: $on-felt; }
    ReplayScreen.-why #reason { display: block; }
    """
    AUTO_FOCUS = ""
    OFFERED: ClassVar[tuple[Command, ...]] = COMMANDS

    def __init__(
        self,
        deals: list[PastDeal],
        seats: tuple[SeatPlan, ...],
        at: tuple[int, int] = (0, 0),
        back: routes.Route | None = None,
        played: str = "",
        record: tuple[str, Sequence[str]] = ("", ()),
    ) -> None:
        """`at`: the deal and the step to begin with. `back`: where it leads to, the list of matches by default.

        `record`: what the match is called, and its lines; without them nobody plays on from here.
        """
        super().__init__(name="replay")
        self._deals, self._seats, self._back, self._played = deals, seats, back or routes.matches(), played
        self._record = record
        self._reasons: dict[tuple[int, int], str] = {}
        self.deal, self.place = at
        self.seat = next((seat for seat, plan in enumerate(seats) if plan.is_human), 0)
        self.is_open = True

    @property
    def state(self) -> Match:
        return self._deals[self.deal].state(self.place)

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, HandView):
                yield Static(id="reason")
                yield HandsView()
            yield widget

    def on_mount(self) -> None:
        self.bar.show(self.footer_keys(COMMANDS[:IN_FOOTER]))
        self.show_state()

    def show_state(self) -> None:
        match = self.state
        view = match.view(self.seat)
        state = TurnState(view, match.why_not)
        state.open(view)
        self.banner.show(view, state.slots())
        self.seats.show(view)
        self.melds.show(view)
        self.piles.show(view)
        lines = log_lines(view.history, view.names, view.rules)[::-1]
        self.log_view.set_lines(lines)
        self.log_view.scroll_home(animate=False)
        if self.is_open:
            self.hand.set_hand(view.hand, order=Arrangement(view.hand), faces=view.rules.faces)
            self.hand.sort_by_suit()
        else:
            self.hand.turn_down(len(view.hand))
        self.status.set_prompt(shorten(lines[0].text if lines else "", self.size.width - 2), Tone.ASKED)
        past = self._deals[self.deal]
        turns, turn = len(past.turn_starts()), past.turn_of(self.place)
        parts = [f"Turn {turn} of {turns} · step {self.place} of {len(past) - 1}"]
        self._show_all(match)
        if not self.has_class("-all"):
            away = state.distance() if self.is_open else None
            parts += [hand_words(view.names[self.seat]), "" if away is None else f"{away} from the contract"]
        title = " · ".join(part for part in parts if part)
        longer = f"{title} · {self._played}" if self._played else title
        self.status.set_title(longer if cell_len(longer) <= self.size.width - 2 else title)
        self._show_reason()

    def _show_all(self, match: Match) -> None:
        deal = match.deal
        hands = [*zip(match.names, deal.hands, strict=True)] if self.has_class("-all") else []
        size = self.app.size
        self.query_one(HandsView).show(hands, deal.turn, deal.rules.faces, (size.width, size.height))

    def on_resize(self, event: events.Resize) -> None:
        if self.has_class("-all"):
            self._show_all(self.state)

    def _show_reason(self) -> None:
        if not self.has_class("-why"):
            return
        known = self._reasons.get((self.deal, self.place))
        self.query_one("#reason", Static).update("…" if known is None else known)
        if known is None:
            self.run_worker(partial(self._find_reason, self.deal, self.place), group="reason", exclusive=True)  # type: ignore[arg-type]

    async def _find_reason(self, deal: int, place: int) -> None:
        try:
            words = await asyncio.to_thread(why_made, self._deals[deal], self._seats, place)
        except Exception as error:  # noqa: BLE001 - whatever a record makes an AI seat do, it can be stepped through
            words = "The reason for this step is not known."
            log_fault(error)
        self._reasons[deal, place] = words
        if self.is_here and (deal, place) == (self.deal, self.place):
            self._show_reason()

    def step(self, step: int) -> None:
        last = len(self._deals[self.deal]) - 1
        if 0 <= self.place + step <= last:
            self.place += step
            self.show_state()
        else:
            self.go_to(self.deal + step, 0 if step > 0 else -1)

    def turn(self, step: int) -> None:
        starts = self._deals[self.deal].turn_starts()
        if step > 0:
            later = [start for start in starts if start > self.place]
            self.place = later[0] if later else len(self._deals[self.deal]) - 1
        else:
            self.place = max([start for start in starts if start < self.place], default=0)
        self.show_state()

    def go_to(self, deal: int, place: int = 0) -> None:
        """Go to a deal, if there is one of that number: its beginning, or its end (-1)."""
        if 0 <= deal < len(self._deals):
            self.deal, self.place = deal, place % len(self._deals[deal])
            self.show_state()

    def choose_deal(self) -> None:
        choices = numbered((deal.name, place) for place, deal in enumerate(self._deals))
        self.app.overlays.choose(
            ChoiceDialog("Which deal?", "", choices, current=self.deal, may_close=True), self.go_to
        )

    def choose_turn(self) -> None:
        starts = self._deals[self.deal].turn_starts()

        def chosen(text: str) -> None:
            if text.isascii() and text.isdigit() and len(text) <= DIGITS and 1 <= int(text) <= len(starts):
                self.go_to(self.deal, starts[int(text) - 1])
            else:
                self.notify(f"This deal has turns 1 to {len(starts)}, and no turn {text!r}.")

        question = f"Which turn of this deal, 1 to {len(starts)}?"
        self.app.overlays.choose(AskLine("Go to a turn", question, "", "number"), chosen)

    def leave(self) -> None:
        self.app.go(self._back)

    @property
    def moment(self) -> str:
        past = self._deals[self.deal]
        return f"{past.number}.{past.turn_of(self.place)}"

    def why_not_on(self) -> Refusal | None:
        return None if self._record[1] else not_open("", "Nobody plays on from here.")

    def play_on(self) -> None:
        (name, lines), past = self._record, self._deals[self.deal]
        upto, players = past.lines_to(past.point_of(self.place)), [seat.player for seat in self._seats]
        with self.app.telling(ValueError):
            self.app.go(routes.play_on(plan_at(self.state, f"{name} {self.moment}", players, lines, upto)))

    def next_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.state.names)
        self.show_state()

    def on_seats_strip_seat_chosen(self, event: SeatsStrip.SeatChosen) -> None:
        self.seat = event.seat
        self.show_state()

    def turn_over(self) -> None:
        self.is_open = not self.is_open
        self.show_state()

    def switch(self, what: str) -> None:
        self.toggle_class(what)
        self.show_state()

    def show_help(self) -> None:
        self.app.overlays.show(HelpScreen({"Replay": COMMANDS}))
