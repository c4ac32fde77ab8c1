"""What a finished match comes to, seat by seat: read out of its record once and kept beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import Match
from kalooki_tui.problems import InputError
from kalooki_tui.records.reading import DoesNotFollow, RawLine
from kalooki_tui.records.replaying import Replay
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.restore import open_lines

VERSION: Final = 1
"""Grows when a number below comes to mean something else: facts kept by an older program are then read out anew."""


@dataclass(slots=True)
class SeatFacts:
    """One seat in one match. Deals are those that were scored, void ones left out."""

    name: str
    place: int = 0
    """1 for a winner; others by their totals, after the winners; equal totals share a place."""
    won: bool = False
    total: int = 0
    """The final total, with what was charged."""
    deals: int = 0
    """Deals it was dealt in to."""
    points: int = 0
    """Points in those deals."""
    outs: int = 0
    """Deals it went out in."""
    bends: int = 0
    """Of these, deals it bent the table in."""
    calls: int = 0
    """Cards it called and got."""
    call_deals: int = 0
    """Deals in which it got one or more."""
    call_points: int = 0
    """Its points in those."""
    laid: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By number of the deal: how often it laid its contract, of how many times it was dealt in to that deal."""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A finished match; seats in clockwise order."""

    seats: tuple[SeatFacts, ...]

    def data(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {"version": VERSION, "seats": [asdict(seat) for seat in self.seats]}

    @classmethod
    def from_data(cls, data: Any) -> MatchFacts | None:
        """Facts as they were kept; None where another version of the program kept them."""
        if not isinstance(data, dict) or data.get("version") != VERSION:
            return None
        return cls(tuple(_seat_facts(seat) for seat in data["seats"]))


def _seat_facts(data: dict[str, Any]) -> SeatFacts:
    laid = {int(deal): (counts[0], counts[1]) for deal, counts in data["laid"].items()}
    return SeatFacts(**{**data, "laid": laid})


def facts_of(name: str, lines: Iterable[str]) -> MatchFacts:
    """Read the facts out of a finished match's record; `name` stands in errors where a file's name would.

    Raises:
        StoreError: a line does not follow, or the match is not finished.
    """
    reader = _Reader()
    try:
        replay = Replay(open_lines(name, lines))
        for played in replay.steps():
            reader.read(replay.match, played.line)
    except (DoesNotFollow, InputError) as error:
        raise StoreError(str(error)) from error
    match = replay.match
    if match is None or not match.finished:
        raise StoreError(f"{name} is not finished")
    return reader.facts(match)


class _Reader:
    """Goes along with a replay."""

    def __init__(self) -> None:
        self._seats: list[SeatFacts] = []
        self._dealt: list[int] = []
        """Seats that were dealt in to the deal."""
        self._over: Deal | None = None
        """The deal, once it has been scored; it counts when the next one begins, since its end may be taken back."""

    def read(self, match: Match | None, line: RawLine) -> None:
        if match is None:
            return
        if "deal" in line.data:
            self._count()
            hands = line.data["hands"]
            self._dealt = [seat for seat, name in enumerate(match.names) if hands[name]]
            self._seats = self._seats or [SeatFacts(name) for name in match.names]
        elif "undone" in line.data:
            self._over = None
        elif "scored" in line.data and "passed_over" not in line.data:
            self._over = match.deal

    def facts(self, match: Match) -> MatchFacts:
        self._count()
        for seat, facts in enumerate(self._seats):
            total = match.totals[seat]
            facts.total, facts.won = total, seat in match.winners
            behind = sum(match.totals[other] < total for other in range(len(match.names)) if other not in match.winners)
            facts.place = 1 if facts.won else 1 + len(match.winners) + behind
        return MatchFacts(tuple(self._seats))

    def _count(self) -> None:
        deal, self._over = self._over, None
        if deal is None:
            return
        called = [event.caller for event in deal.history if isinstance(event, happened.CallAllowed)]
        laid = {event.seat for event in deal.history if isinstance(event, happened.Laid)}
        for seat in self._dealt:
            facts, calls = self._seats[seat], called.count(seat)
            facts.deals += 1
            facts.points += deal.points[seat]
            facts.outs += deal.out == seat
            facts.bends += deal.out == seat and deal.bent
            facts.calls += calls
            if calls:
                facts.call_deals += 1
                facts.call_points += deal.points[seat]
            done, times = facts.laid.get(deal.number, (0, 0))
            facts.laid[deal.number] = (done + (seat in laid), times + 1)
