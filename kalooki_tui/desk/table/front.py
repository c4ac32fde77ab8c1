"""What the desk asks of whatever shows the table: a screen, or a stand-in in tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.hand import Hand
from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Way:
    """One of several ways to do what a person has begun."""

    words: str
    value: Any
    key: str = ""
    """The key that takes it; a number where it is empty."""


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
