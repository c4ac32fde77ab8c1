"""List of matches: which are wanted, in which order, and which is marked; nothing here is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.storage.summary import Summary
from kalooki_tui.wording import escaped


class MatchGroup(StrEnum):
    ALL = "all"
    GOING = "unfinished ones"
    OVER = "finished ones"
    PEOPLE = "those with people"


class Order(StrEnum):
    STATE = "unfinished first"
    LATEST = "last played first"
    EARLIEST = "first played first"
    GAME = "by game"
    PEOPLE = "by people"


#: Characters that are left of every name.
SHORTEST: Final = 3
NEXT_WHICH: Final = dict(zip(MatchGroup, (*list(MatchGroup)[1:], MatchGroup.ALL), strict=True))
NEXT_ORDER: Final = dict(zip(Order, (*list(Order)[1:], Order.STATE), strict=True))


class MatchFilter(Struct, frozen=True):
    words: str = ""
    which: MatchGroup = MatchGroup.ALL
    order: Order = Order.STATE

    @property
    def is_everything(self) -> bool:
        return not self.words.split() and self.which is MatchGroup.ALL

    def text(self) -> str:
        parts = [] if self.which is MatchGroup.ALL else [self.which.value]
        parts += [f"with “{' '.join(self.words.split())}”"] if self.words.split() else []
        parts += [] if self.order is Order.STATE else [self.order.value]
        return " · ".join(parts)


@dataclass
class ListState:
    """List as it was when a match was opened, restored when the player comes back."""

    wanted: MatchFilter = field(default_factory=MatchFilter)
    marked: str | None = None
    row: int = 0
    """Place of the mark: where the match has gone, the one that has this place now is marked."""

    def want(self, **changes: object) -> None:
        self.wanted = replace(self.wanted, **changes)

    def want_all(self) -> None:
        """Forget the search when the list is left, but neither the order nor the mark."""
        self.want(words="", which=MatchGroup.ALL)


class MatchList:
    def __init__(self, matches: Iterable[Summary], now: datetime | None = None) -> None:
        self._matches = list(matches)
        self._texts = [searched(match, now) for match in self._matches]

    def __len__(self) -> int:
        return len(self._matches)

    def shown(self, wanted: MatchFilter) -> list[Summary]:
        words = wanted.words.casefold().split()
        found = [
            match
            for match, text in zip(self._matches, self._texts, strict=True)
            if _IS_OF[wanted.which](match) and all(word in text for word in words)
        ]
        found.sort(key=lambda match: (match.played, match.id), reverse=wanted.order is not Order.EARLIEST)
        if wanted.order in _FIRST:
            found.sort(key=_FIRST[wanted.order])
        return sorted(found, key=lambda match: bool(match.damage))


def signs_of(match: Summary) -> list[str]:
    signs = {"teaching": match.teaching, "from a position": match.from_position, "imported": match.imported}
    return [sign for sign, is_so in signs.items() if is_so]


def searched(match: Summary, now: datetime | None = None) -> str:
    """Return all that can be searched of a match: game, people, state, when it was begun and last played."""
    state = "finished over" if match.finished else "unfinished"
    dates = [f"{moment.astimezone():%Y-%m-%d %A %B}" for moment in (match.started, match.played)]
    names = [seat.name for seat in match.seats]
    parts = [match.name, match.ruleset, *match.options, *names, state, state_words(match), *signs_of(match), *dates]
    return " ".join([*parts, when(match.played, now), "damaged" if match.damage else ""]).casefold()


_IS_OF: Final[Mapping[MatchGroup, Callable[[Summary], bool]]] = {
    MatchGroup.ALL: lambda match: True,
    MatchGroup.GOING: lambda match: not match.finished and not match.damage,
    MatchGroup.OVER: lambda match: match.finished,
    MatchGroup.PEOPLE: lambda match: any(seat.is_human for seat in match.seats),
}


def _people(match: Summary) -> tuple[bool, list[str]]:
    people = sorted(seat.name.casefold() for seat in match.seats if seat.is_human)
    return not people, people


#: What comes first in an order, before what was played last.
_FIRST: Final[Mapping[Order, Callable[[Summary], Any]]] = {
    Order.STATE: lambda match: match.finished, Order.GAME: lambda match: match.name.casefold(), Order.PEOPLE: _people,
}  # fmt: skip


def when(moment: datetime, now: datetime | None = None) -> str:
    local = moment.astimezone()
    today = (now or datetime.now().astimezone()).astimezone()
    days = (today.date() - local.date()).days
    clock = local.strftime("%H:%M")
    if days == 0:
        return f"today {clock}"
    if days == 1:
        return f"yesterday {clock}"
    return local.strftime("%Y-%m-%d") + f" {clock}"


def progress_words(summary: Summary) -> str:
    return f"deal {summary.deal}" if summary.deals is None else f"deal {summary.deal} of {summary.deals}"


def seats_words(summary: Summary, room: int | None = None) -> str:
    """Return every name and total; long names are cut as far as `room` characters ask for it."""

    def words(longest: int) -> str:
        names = [seat.name if len(seat.name) <= longest else f"{seat.name[: longest - 1]}…" for seat in summary.seats]
        return ", ".join(f"{name} {total}" for name, total in zip(names, summary.totals, strict=True))

    longest = max(len(seat.name) for seat in summary.seats)
    while room is not None and longest > SHORTEST and len(words(longest)) > room:
        longest -= 1
    return words(longest)


def state_words(summary: Summary) -> str:
    if summary.damage:
        return f"damaged: {escaped(summary.damage)}"
    if summary.finished:
        winners = " and ".join(summary.seats[seat].name for seat in summary.winners)
        return f"won by {winners}"
    return "being played in another window" if summary.elsewhere else "unfinished"
