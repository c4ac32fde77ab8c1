"""The public events of a deal so far, as a value that a view can hold without copying them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

from kalooki_tui.engine.events import Event


class History(Sequence[Event]):
    """Events that a list holds now. The list may grow, since a deal only ever adds to it; this does not."""

    __slots__ = ("_events", "_size", "fold")

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._size = len(events)
        self.fold: Any = None
        """Fold of the events, kept here by `public_of`."""

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(index, slice):
            return tuple(self._events[place] for place in range(*index.indices(self._size)))
        return self._events[range(self._size)[index]]

    def __iter__(self) -> Iterator[Event]:
        return islice(self._events, self._size)

    def __reversed__(self) -> Iterator[Event]:
        events = self._events
        return (events[place] for place in range(self._size - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        if self._size != other._size:
            return False
        return self._events is other._events or all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[History], tuple[list[Event]]]:
        # To another process go these events, and not what the list has grown by since.
        return History, (list(self),)

    def __repr__(self) -> str:
        return f"History({list(self)!r})"
