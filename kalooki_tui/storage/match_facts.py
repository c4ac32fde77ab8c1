"""Facts of a finished match, seat by seat: read out of its record once and kept beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct, field

from kalooki_tui.notation.seat_text import parse_seat
from kalooki_tui.wording import prints

VERSION: Final = 3
"""Increase it when a number below changes its meaning: facts are then read again."""


#: The player of a seat that a person plays.
PERSON: Final = "human"


class Counts(Struct, kw_only=True):
    deals: int = 0
    """Dealt in to."""
    points: int = 0
    outs: int = 0
    """Gone out in."""
    bends: int = 0
    """Gone out in by bending the table."""
    calls: int = 0
    """Cards called and received."""
    call_deals: int = 0
    """With one or more of these."""
    call_points: int = 0
    """Points in those deals."""
    laid: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By deal number: contracts laid, and times dealt in."""
    money: int | None = None
    """Counters at the end, or of all matches (P1-P4); None: the game has none."""


class SeatFacts(Counts):
    name: str
    place: int = 0
    """1 for a winner, then by totals, but first by survival where seats are eliminated; equals share a place."""
    won: bool = False
    total: int = 0
    """With all charges."""


class MatchFacts(Struct, frozen=True):
    seats: tuple[SeatFacts, ...]


class FactsReader:
    """Reader of record lines; its state, such as `totals`, is up to date after each.

    `begun`: points to begin with. `numbers`: deals of the game that are played, if not all.
    """

    def __init__(
        self,
        seats: tuple[str, ...],
        players: tuple[str, ...],
        numbers: tuple[int, ...] = (),
        begun: tuple[int, ...] = (),
    ) -> None:
        self.deal = 1
        self._numbers = numbers
        self.players = players
        self._names = seats
        self._left: dict[tuple[int, str], SeatFacts] = {}
        """Facts of people who gave their seat to an AI."""
        self._seats = [SeatFacts(name) for name in seats]
        self._totals = begun if len(begun) == len(seats) else (0,) * len(seats)
        self._dealt: list[int] = []
        self._entries: list[dict[str, Any]] = []

    @property
    def totals(self) -> tuple[int, ...]:
        told = self._last("totals")
        return self._totals if told is None else self._by_seat(told["totals"])

    @property
    def finished(self) -> bool:
        return self._last("result") is not None

    @property
    def winners(self) -> tuple[int, ...]:
        told = self._last("result")
        return () if told is None else tuple(map(self._names.index, told["result"]["winners"]))

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self._seats)

    def read(self, data: dict[str, Any]) -> None:
        """Take the next line; raise KeyError, IndexError, TypeError or ValueError if it is impossible."""
        if "deal" in data:
            self._count()
            self.deal = int(data["deal"])
            hands = data["hands"]
            self._dealt = [seat for seat, name in enumerate(self._names) if hands[name]]
        elif "undone" in data:
            count = data["undone"]
            if not 0 < count <= len(self._entries):
                raise ValueError
            del self._entries[-count:]
        elif "seat" in data:
            self._reseat(self._names.index(data["seat"]), data["name"], data["player"])
        elif "last_deal" in data:
            return
        else:
            if "totals" in data:
                self._by_seat(data["totals"])
            if "result" in data:
                self._by_seat(data["result"]["totals"])
                [self._names.index(name) for name in data["result"]["winners"]]
            self._entries.append(data)

    def _reseat(self, seat: int, name: Any, player: Any) -> None:
        if not (isinstance(name, str) and isinstance(player, str) and prints(name) and prints(player)):
            raise TypeError
        was_person, is_person = self.players[seat] == PERSON, player == PERSON
        if was_person and not is_person:
            self._left[seat, self._seats[seat].name] = self._seats[seat]
        if was_person is not is_person:
            self._seats[seat] = self._left.pop((seat, name), SeatFacts(name)) if is_person else SeatFacts(name)
        self._seats[seat].name = name
        self.players = (*self.players[:seat], player, *self.players[seat + 1 :])

    def facts(self) -> MatchFacts:
        """Return the facts of a finished match; no line may be read after this."""
        result = self._last("result")
        assert result is not None
        winners = self.winners
        self._count()
        totals = self._by_seat(result["result"]["totals"])
        money = result["result"].get("money")
        if money is not None:
            for facts, counters in zip(self._seats, self._by_seat(money), strict=True):
                facts.money = counters
        # Deals dealt in to say how long a seat has lasted (P3); where nobody is eliminated it has been all of them.
        lasted = [0 if money is None else -facts.deals for facts in self._seats]
        ranks = list(zip(lasted, totals, strict=True))
        for seat, facts in enumerate(self._seats):
            facts.total, facts.won = totals[seat], seat in winners
            behind = sum(rank < ranks[seat] for other, rank in enumerate(ranks) if other not in winners)
            facts.place = 1 if facts.won else 1 + len(winners) + behind
        return MatchFacts(tuple(self._seats))

    def _last(self, key: str) -> dict[str, Any] | None:
        return next((entry for entry in reversed(self._entries) if key in entry), None)

    def _by_seat(self, told: dict[str, int]) -> tuple[int, ...]:
        found = tuple(told[name] for name in self._names)
        if not all(type(number) is int for number in found):
            raise TypeError
        return found

    def _count(self) -> None:
        entries, self._totals = self._entries, self.totals
        self._entries = []
        scored = next((one for one in entries if "scored" in one and "passed_over" not in one), None)
        if scored is None:
            return
        points = self._by_seat(scored["scored"])
        calls, laid = self._calls_and_lays(entries)
        number = self._numbers[self.deal - 1] if self.deal <= len(self._numbers) else self.deal
        for seat in self._dealt:
            facts, got = self._seats[seat], calls.count(seat)
            out = scored["out"] == self._names[seat]
            facts.deals += 1
            facts.points += points[seat]
            facts.outs += out
            facts.bends += out and scored["bent"]
            facts.calls += got
            if got:
                facts.call_deals += 1
                facts.call_points += points[seat]
            done, times = facts.laid.get(number, (0, 0))
            facts.laid[number] = (done + (seat in laid), times + 1)

    def _calls_and_lays(self, entries: Iterable[dict[str, Any]]) -> tuple[list[int], set[int]]:
        calls: list[int] = []
        laid: set[int] = set()
        for entry in entries:
            if "do" not in entry or "refused" in entry:
                continue
            who, _, action = entry["do"].partition(":")
            seat, action = parse_seat(who, self._names), action.strip().casefold()
            if action == "call":
                calls.append(seat)
            elif action == "refuse":
                # Only a call that has just been made can be refused.
                calls.pop()
            elif action.startswith("lay "):
                laid.add(seat)
        return calls, laid
