"""A deal that is over, step by step on the table itself, forwards and backwards, hands open or closed."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from kalooki_tui.desk.desk import Desk
from kalooki_tui.desk.keeping import when
from kalooki_tui.desk.stepping import PastDeal
from kalooki_tui.desk.telling import tell
from kalooki_tui.engine.match import Match
from kalooki_tui.store.rows import Summary
from kalooki_tui.ui.command_bar import CommandBar, Entry
from kalooki_tui.ui.screens.dialogs import Ask, Choice
from kalooki_tui.ui.screens.tabletop import TabletopScreen, hand_words
from kalooki_tui.ui.widgets.seats import SeatsStrip
from kalooki_tui.ui.widgets.status import Tone

#: Name of the action, its key, its words in the footer, its sentence.
KEYS = (
    ("step(1)", "→", "Step", "One step on."),
    ("step(-1)", "←", "Back", "One step back."),
    ("turn(1)", "↓", "Turn", "To the next turn."),
    ("turn(-1)", "↑", "Turn", "To the turn before."),
    ("deal", "d", "Deal", "Choose a deal of the match."),
    ("seat", "tab", "Seat", "The next seat's hand."),
    ("open", "o", "Hands", "Show the hand, or only its back."),
    ("help", "?", "Help", "List every key."),
    ("leave", "esc", "Leave", "Back to the list of matches."),
)
#: Keys for which the footer has no room, and what they do.
MORE_KEYS = (("home end", "To the beginning of the deal, or to its end."), ("n b", "The next deal, or the one before."))


class ReplayScreen(TabletopScreen):
    """The table of a match that has been played; nothing on it can be moved."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", show=False, priority=True),
        Binding("left,backspace,h", "step(-1)", show=False, priority=True),
        Binding("down,pagedown,j", "turn(1)", show=False, priority=True),
        Binding("up,pageup,k", "turn(-1)", show=False, priority=True),
        Binding("home", "edge(0)", show=False, priority=True),
        Binding("end", "edge(-1)", show=False, priority=True),
        Binding("tab", "seat", show=False, priority=True),
        Binding("d", "deal", show=False),
        Binding("n,right_square_bracket", "next_deal(1)", show=False),
        Binding("b,left_square_bracket", "next_deal(-1)", show=False),
        Binding("o", "open", show=False),
        Binding("escape,q", "leave", show=False),
        Binding("question_mark", "help", show=False),
    ]

    def __init__(self, about: Summary, deals: list[PastDeal]) -> None:
        super().__init__(id="replay")
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
        return self._deals[self.deal].states[self.place]

    def on_mount(self) -> None:
        """Show the beginning of the first deal."""
        self.bar.show([Entry(name, key, label, sentence, True) for name, key, label, sentence in KEYS])
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
        told = [tell(event, view.names, view.rules) for event in view.history]
        lines = [line for line in reversed(told) if line is not None]
        self.log_view.set_lines(lines)
        self.log_view.scroll_home(animate=False)
        if self.is_open:
            self.hand.set_hand(view.hand, order=view.hand, faces=view.rules.faces)
            self.hand.sort_by_suit()
        else:
            self.hand.turn_down(len(view.hand))
        steps = len(self._deals[self.deal].states) - 1
        latest = lines[0].text if lines else ""
        self.status.set_prompt(f"Step {self.place} of {steps} · {latest}", Tone.ASKED)
        away = desk.distance() if self.is_open else None
        parts = [hand_words(view.names[self.seat]), "" if away is None else f"{away} from the contract"]
        parts.append(f"played {when(self._about.started)}")
        self.status.set_title(" · ".join(part for part in parts if part))

    # Keys

    def action_step(self, step: int) -> None:
        """A step on or back; at the end of a deal, to the next."""
        last = len(self._deals[self.deal].states) - 1
        if 0 <= self.place + step <= last:
            self.place += step
        elif step > 0 and self.deal + 1 < len(self._deals):
            self.deal, self.place = self.deal + 1, 0
        elif step < 0 and self.deal > 0:
            self.deal -= 1
            self.place = len(self._deals[self.deal].states) - 1
        self.show_state()

    def action_turn(self, step: int) -> None:
        """To the next turn, or the one before."""
        starts = self._deals[self.deal].turn_starts()
        if step > 0:
            later = [start for start in starts if start > self.place]
            self.place = later[0] if later else len(self._deals[self.deal].states) - 1
        else:
            self.place = max([start for start in starts if start < self.place], default=0)
        self.show_state()

    def action_edge(self, place: int) -> None:
        """To the beginning of the deal, or to its end."""
        self.place = 0 if place == 0 else len(self._deals[self.deal].states) - 1
        self.show_state()

    def action_next_deal(self, step: int) -> None:
        """Another deal."""
        self._go_to(self.deal + step)

    def _go_to(self, deal: int) -> None:
        if 0 <= deal < len(self._deals):
            self.deal, self.place = deal, 0
            self.show_state()

    def action_deal(self) -> None:
        """Choose a deal."""
        keys = "123456789abcdefghijklmnoprstuvwxyz"
        choices = [
            Choice(key, deal.name, index) for index, (key, deal) in enumerate(zip(keys, self._deals, strict=False))
        ]

        def chosen(deal: Any) -> None:
            if deal is not None:
                self._go_to(deal)

        self.app.push_screen(Ask("Which deal?", "", choices, current=self.deal, may_close=True), chosen)

    def action_seat(self) -> None:
        """The next seat's hand."""
        self.seat = (self.seat + 1) % len(self.state.names)
        self.show_state()

    def on_seats_strip_seat_chosen(self, event: SeatsStrip.SeatChosen) -> None:
        """The hand of the seat clicked."""
        self.seat = event.seat
        self.show_state()

    def action_open(self) -> None:
        """Hands open, or closed."""
        self.is_open = not self.is_open
        self.show_state()

    def action_leave(self) -> None:
        """Back to the list."""
        self.game.show_matches()

    def action_help(self) -> None:
        """Every key."""
        rows = [(key, sentence) for _, key, _, sentence in KEYS] + list(MORE_KEYS)
        text = "\n".join(f"{key:<10}{sentence}" for key, sentence in rows)
        self.app.push_screen(Ask("Keys", f"{text}\n", [Choice("enter", "Go on", None)], may_close=True, name="keys"))

    async def on_command_bar_pressed(self, event: CommandBar.Pressed) -> None:
        """The same by a click."""
        await self.run_action(event.name)
