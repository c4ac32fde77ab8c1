"""What the desk asks of whatever shows the table: a screen, or a stand-in in tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from kalooki_tui.cards import Card
from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Way:
    """One of several ways to do what a person has begun."""

    words: str
    value: Any
    key: str = ""
    """The key that takes it; a number where it is empty."""


class Arrangement(NamedTuple):
    """How a hand lies: its cards in their order, and the number of the bundle each belongs to (-1: none)."""

    cards: tuple[Card, ...]
    bundles: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    """Places of the cards marked as new."""
    cursor: int = 0
    """Place of the cursor among the cards shown."""


class Hand(Protocol):
    """The open hand as it is shown: its order, the cursor and the chosen cards."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in their order; none while the hand is face down."""

    @property
    def arrangement(self) -> Arrangement:
        """All cards in their order, and their bundles."""

    @property
    def selected(self) -> tuple[Card, ...]:
        """The chosen cards."""

    @property
    def cursor_card(self) -> Card | None:
        """The card under the cursor."""

    @property
    def named_card(self) -> Card | None:
        """The card under the cursor, if its rank's key has led there."""

    @property
    def has_missed(self) -> bool:
        """Whether a rank's key has led to no card, and nothing has been named, chosen or moved since."""

    def focus(self) -> object:
        """Let the keys go to the hand."""

    def select_cards(self, cards: Sequence[Card]) -> None:
        """Choose these cards and no others."""

    def clear_selection(self) -> None:
        """Choose no card."""

    def sort_by_suit(self) -> None:
        """Order by suit."""

    def sort_by_rank(self) -> None:
        """Order by rank."""

    def gather(self, bundles: Sequence[Sequence[Card]], lacks: Sequence[Sequence[str]] = ()) -> None:
        """Put planned melds first."""


class TableFront(Protocol):
    """A front end at which a match is played."""

    desk: Desk
    place: Place

    @property
    def hand(self) -> Hand:
        """The open hand."""

    def refresh_table(self) -> None:
        """Show the table as it is now."""

    def tell(self, notice: Refusal | str | None) -> None:
        """Tell the player something; None: what the table waits for."""

    def choose(
        self, title: str, text: str, ways: Sequence[Way], then: Callable[[Any], object], clause: str = ""
    ) -> None:
        """Ask which way, and go on with the value of the answer if there is one; `clause`: the rule it is about."""

    def seat_keys(self, seats: Collection[int]) -> Mapping[int, str]:
        """The keys by which people who share the keyboard know these seats; none where nobody shares it."""

    def light(self, melds: Collection[int]) -> None:
        """Light up these melds, for one of them to be chosen; with none, let the keys go back to the hand."""

    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something that takes a while; what was begun before is given up."""
