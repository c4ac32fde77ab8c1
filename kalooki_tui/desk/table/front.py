"""What a person does at the table, whatever shows it: a screen, or a page."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kalooki_tui.engine.events import Dealt, Event
from kalooki_tui.engine.refusals import Refusal, Refused

if TYPE_CHECKING:
    from kalooki_tui.cards import Card
    from kalooki_tui.desk.commands import Command
    from kalooki_tui.desk.setup.plan import MatchPlan
    from kalooki_tui.desk.table.desk import Desk
    from kalooki_tui.desk.table.hand import Arrangement, Hand, HandOrders
    from kalooki_tui.desk.table.moves import Moves
    from kalooki_tui.desk.table.place import Place


@dataclass(frozen=True, slots=True)
class Way:
    """One of several ways to do what a person has begun."""

    words: str
    value: Any
    key: str = ""
    """The key that takes it; a number where it is empty."""


class TableController:
    """A front end at which a match is played: what it shows it says itself, what the person does is the same in all."""

    plan: MatchPlan
    place: Place
    desk: Desk
    moves: Moves
    hand: Hand
    hand_orders: HandOrders

    @abstractmethod
    def refresh_table(self) -> None:
        """Show the table as it is now."""

    @abstractmethod
    def tell(self, notice: Refusal | str | None) -> None:
        """Tell the player something; None: what the table waits for."""

    @abstractmethod
    def choose(
        self, title: str, text: str, ways: Sequence[Way], then: Callable[[Any], object], clause: str = ""
    ) -> None:
        """Ask which way, and go on with the value of the answer if there is one; `clause`: the rule it is about."""

    @abstractmethod
    def light(self, melds: Collection[int]) -> None:
        """Light up these melds, for one of them to be chosen; with none, let the keys go back to the hand."""

    @abstractmethod
    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something that takes a while; what was begun before is given up."""

    def seat_keys(self, seats: Collection[int]) -> Mapping[int, str]:
        """The keys by which people who share the keyboard know these seats; none where nobody shares it."""
        return {}

    # What the person does

    def refuse(self, why: Refusal) -> None:
        """Say why a command is not open."""
        self.tell(why)

    def run_here(self, command: Command) -> None:
        """Do what a command does, or say why it is not open."""
        self.moves.begin(command.name)
        try:
            why = command.why_not(self)
            if why is None:
                command.run(self)
            else:
                self.refuse(why)
        except Refused as refused:
            self.refuse(refused.refusal)

    def lay_staged(self) -> None:
        """Lay what is staged, whatever else is chosen."""
        self.hand.clear_selection()
        self.desk.selected = ()
        self.moves.lay()

    def unstage(self, index: int) -> None:
        """Take a staged meld back into the hand."""
        if self.desk.unstage_at(index) is not None:
            self.refresh_table()

    def note_selection(self) -> bool:
        """Take the cards that are chosen in the hand; whether they are others than before."""
        selected: tuple[Card, ...] = self.hand.selected
        if self.desk.selected == selected:
            return False
        self.desk.selected = selected
        self.moves.forget_candidates()
        return True

    # What becomes of it

    def take_hand(self, order: Arrangement | None = None) -> None:
        """Have the open hand hold what the desk knows of it, in this order; a new one without an order is sorted."""
        view, hand = self.desk.view, self.hand
        is_new = order is None and not hand.cards
        hand.set_hand(view.hand, order=order, faces=view.rules.faces)
        hand.set_staged(self.desk.staged_cards)
        if is_new and view.hand:
            self.moves.sort_new_hand()
            hand.move_cursor(0)
        self.desk.selected = hand.selected

    def note_events(self, events: Sequence[Event]) -> bool:
        """Forget what was begun before them; whether a new deal is among them, of whose hands nothing is known."""
        self.moves.forget_candidates()
        is_dealt = any(isinstance(event, Dealt) for event in events)
        if is_dealt:
            self.hand_orders.begin_deal()
        return is_dealt

    def note_plans(self) -> None:
        """Take over who plays now, for a match with the same seats."""
        self.plan = replace(self.plan, seats=self.place.sitting.plans)
