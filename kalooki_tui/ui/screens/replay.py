"""A deal that is over, step by step on the table itself, forwards and backwards, hands open or closed."""

from __future__ import annotations

from typing import Any, Final

from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.desk import Desk
from kalooki_tui.desk.keeping import when
from kalooki_tui.desk.stepping import PastDeal
from kalooki_tui.desk.telling import log_line
from kalooki_tui.engine.match import Match
from kalooki_tui.store.summary import Summary
from kalooki_tui.ui.screens.dialogs import Ask, numbered
from kalooki_tui.ui.screens.help import HelpScreen
from kalooki_tui.ui.screens.tabletop import TabletopScreen, hand_words
from kalooki_tui.ui.widgets.seats import SeatsStrip
from kalooki_tui.ui.widgets.status import Tone

#: Those for which the footer has room come first.
COMMANDS: Final = (
    Command("step", "right,space,l", "Step", "One step on.", lambda at: at.step(1), first=True),
    Command("step-back", "left,backspace,h", "Back", "One step back.", lambda at: at.step(-1), first=True),
    Command("turn", "down,pagedown,j", "Turn", "To the next turn.", lambda at: at.turn(1), first=True),
    Command("turn-back", "up,pageup,k", "Turn", "To the turn before.", lambda at: at.turn(-1), first=True),
    Command("deal", "d", "Deal", "Choose a deal of the match.", lambda at: at.choose_deal()),
    Command("seat", "tab", "Seat", "The next seat's hand.", lambda at: at.next_seat(), first=True),
    Command("open", "o", "Hands", "Show the hand, or only its back.", lambda at: at.turn_over()),
    Command("help", "question_mark", "Help", "List every command.", lambda at: at.show_help()),
    Command("leave", "escape,q", "Leave", "Back to the list of matches.", lambda at: at.game.show_matches()),
    Command("deal-start", "home", "Start", "To the beginning of the deal.", lambda at: at.go_to(at.deal), first=True),
    Command("deal-end", "end", "End", "To the end of the deal.", lambda at: at.go_to(at.deal, -1), first=True),
    Command("next-deal", "n,right_square_bracket", "Next", "The next deal.", lambda at: at.go_to(at.deal + 1)),
    Command("last-deal", "b,left_square_bracket", "Before", "The deal before.", lambda at: at.go_to(at.deal - 1)),
)
IN_FOOTER: Final = 9


class ReplayScreen(TabletopScreen):
    """The table of a match that has been played; nothing on it can be moved."""

    AUTO_FOCUS = ""
    OFFERED = COMMANDS

    def __init__(self, about: Summary, deals: list[PastDeal]) -> None:
        super().__init__(name="replay")
        self._about, self._deals = about, deals
        self.deal = 0
        """Which of the deals is shown."""
        self.place = 0
        """Which of its states."""
        self.seat = next((seat for seat, plan in enumerate(about.seats) if plan.is_human), 0)
        self.is_open = True

    @property
    def state(self) -> Match:
        """The match as it is shown."""
        return self._deals[self.deal].state(self.place)

    def on_mount(self) -> None:
        """Show the beginning of the first deal."""
        self.bar.show([self.footer_key(command) for command in COMMANDS[:IN_FOOTER]])
        self.show_state()

    def show_state(self) -> None:
        """Show the table as it was, with the hand of the seat chosen."""
        match = self.state
        view = match.view(self.seat)
        desk = Desk(view, match.why_not)
        desk.open(view)
        self.banner.show(view, desk.slots())
        self.seats.show(view)
        self.melds.show(view)
        self.piles.show(view)
        told = [log_line(event, view.names, view.rules) for event in view.history]
        lines = [line for line in reversed(told) if line is not None]
        self.log_view.set_lines(lines)
        self.log_view.scroll_home(animate=False)
        if self.is_open:
            self.hand.set_hand(view.hand, order=view.hand, faces=view.rules.faces)
            self.hand.sort_by_suit()
        else:
            self.hand.turn_down(len(view.hand))
        steps = len(self._deals[self.deal]) - 1
        latest = lines[0].text if lines else ""
        self.status.set_prompt(f"Step {self.place} of {steps} · {latest}", Tone.ASKED)
        away = desk.distance() if self.is_open else None
        parts = [hand_words(view.names[self.seat]), "" if away is None else f"{away} from the contract"]
        parts.append(f"played {when(self._about.started)}")
        self.status.set_title(" · ".join(part for part in parts if part))

    # Commands

    def step(self, step: int) -> None:
        """A step on or back; at the end of a deal, to the next."""
        last = len(self._deals[self.deal]) - 1
        if 0 <= self.place + step <= last:
            self.place += step
            self.show_state()
        else:
            self.go_to(self.deal + step, 0 if step > 0 else -1)

    def turn(self, step: int) -> None:
        """To the next turn, or the one before."""
        starts = self._deals[self.deal].turn_starts()
        if step > 0:
            later = [start for start in starts if start > self.place]
            self.place = later[0] if later else len(self._deals[self.deal]) - 1
        else:
            self.place = max([start for start in starts if start < self.place], default=0)
        self.show_state()

    def go_to(self, deal: int, place: int = 0) -> None:
        """To a deal, if there is one of that number: its beginning, or its end (-1)."""
        if 0 <= deal < len(self._deals):
            self.deal, self.place = deal, place % len(self._deals[deal])
            self.show_state()

    def choose_deal(self) -> None:
        """Choose a deal."""
        choices = numbered((deal.name, place) for place, deal in enumerate(self._deals))

        def chosen(deal: Any) -> None:
            if deal is not None:
                self.go_to(deal)

        self.game.overlays.show(Ask("Which deal?", "", choices, current=self.deal, may_close=True), chosen)

    def next_seat(self) -> None:
        """The next seat's hand."""
        self.seat = (self.seat + 1) % len(self.state.names)
        self.show_state()

    def on_seats_strip_seat_chosen(self, event: SeatsStrip.SeatChosen) -> None:
        """The hand of the seat clicked."""
        self.seat = event.seat
        self.show_state()

    def turn_over(self) -> None:
        """Hands open, or closed."""
        self.is_open = not self.is_open
        self.show_state()

    def show_help(self) -> None:
        """Every command."""
        self.game.overlays.show(HelpScreen({"A match played again": COMMANDS}))
