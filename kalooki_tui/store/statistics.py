"""Statistics of the people who play here, by ruleset, and their ratings against each other and the AI levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from kalooki_tui.store.facts import Counts, MatchFacts
from kalooki_tui.store.glicko import Rating, rate
from kalooki_tui.store.matches import Store
from kalooki_tui.store.summary import Summary, day_of


class PlayerStatistics(Counts):
    """One person in one ruleset (docs/storage.md says what counts)."""

    name: str
    ruleset: str
    matches: int = 0
    wins: int = 0
    places: dict[int, int] = field(default_factory=dict)
    """By place: how often."""

    @property
    def points_a_deal(self) -> float | None:
        """Points a deal; fewer are better."""
        return self.points / self.deals if self.deals else None

    @property
    def call_worth(self) -> float | None:
        """How many points fewer a deal with a called card brings than one without; None: nothing to compare."""
        others = self.deals - self.call_deals
        if not self.call_deals or not others:
            return None
        return (self.points - self.call_points) / others - self.call_points / self.call_deals

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "ruleset": self.ruleset,
            "matches": self.matches,
            "wins": self.wins,
            "places": dict(sorted(self.places.items())),
            "deals": self.deals,
            "points": self.points,
            "points_a_deal": self.points_a_deal,
            "outs": self.outs,
            "bends": self.bends,
            "calls": self.calls,
            "call_deals": self.call_deals,
            "call_worth": self.call_worth,
            "laid": {deal: {"laid": laid, "dealt": dealt} for deal, (laid, dealt) in sorted(self.laid.items())},
            "counters": self.money,
        }


class Statistics(Struct, frozen=True):
    """Everything `kalooki stats` tells. `ratings` are by person's name, or AI level such as ``ai:club``."""

    players: tuple[PlayerStatistics, ...]
    ratings: dict[str, Rating]
    unreadable: tuple[str, ...] = ()
    """Matches that are left out because their records do not follow: one sentence each."""
    courses: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """By person or level: the rating after each match that changed it, oldest first."""

    def data(self) -> dict[str, Any]:
        return {
            "players": [player.data() for player in self.players],
            "ratings": {
                name: {"rating": one.rating, "deviation": one.deviation, "volatility": one.volatility}
                for name, one in self.ratings.items()
            },
            "unreadable": list(self.unreadable),
        }


def statistics(store: Store, *, imported: bool = False) -> Statistics:
    """Statistics of all finished matches, those taken in from elsewhere left out unless `imported`.

    Raises:
        StoreError: the matches cannot be read.
    """
    players: dict[tuple[str, str], PlayerStatistics] = {}
    ratings: dict[str, Rating] = {}
    courses: dict[str, list[float]] = {}
    scanned = store.scanned()
    for summary, found in reversed(scanned):
        # Read one at a time, and let go: keeping them all takes twice as long.
        facts = None if summary.damage or (summary.imported and not imported) else found.facts
        # A daily deal is no match: it counts in its calendar.
        if facts is None or day_of(summary.duplicate) is not None:
            continue
        _count(players, summary, facts)
        if not summary.teaching:
            for name in _rate(ratings, summary, facts):
                courses.setdefault(name, []).append(ratings[name].rating)
    order = sorted(players.values(), key=lambda one: (one.name.casefold(), one.ruleset))
    unreadable = tuple(one.damage for one, _ in scanned if one.damage)
    return Statistics(tuple(order), ratings, unreadable, {name: tuple(course) for name, course in courses.items()})


def _count(players: dict[tuple[str, str], PlayerStatistics], summary: Summary, match: MatchFacts) -> None:
    for plan, seat in zip(summary.seats, match.seats, strict=True):
        if not plan.is_human:
            continue
        key = (plan.name, summary.ruleset)
        player = players.setdefault(key, PlayerStatistics(*key))
        player.matches += 1
        player.wins += seat.won
        player.places[seat.place] = player.places.get(seat.place, 0) + 1
        for name in ("deals", "points", "outs", "bends", "calls", "call_deals", "call_points"):
            setattr(player, name, getattr(player, name) + getattr(seat, name))
        if seat.money is not None:
            player.money = (player.money or 0) + seat.money
        for deal, (laid, dealt) in seat.laid.items():
            before = player.laid.get(deal, (0, 0))
            player.laid[deal] = (before[0] + laid, before[1] + dealt)


def _rate(ratings: dict[str, Rating], summary: Summary, match: MatchFacts) -> list[str]:
    """A match is one period, in which each seat has played each seat of somebody else: the better place has won.

    Returns whose ratings it has changed.
    """
    keys = [plan.name if plan.is_human else plan.player for plan in summary.seats]
    people = {plan.name for plan in summary.seats if plan.is_human}
    games: dict[str, list[tuple[Rating, float]]] = {}
    for own, seat in zip(keys, match.seats, strict=True):
        for other, opponent in zip(keys, match.seats, strict=True):
            # AI levels are measured against people; against each other benchmarks/strength.py measures them.
            if own == other or (own not in people and other not in people):
                continue
            score = 0.5 if seat.place == opponent.place else float(seat.place < opponent.place)
            games.setdefault(own, []).append((ratings.get(other, Rating()), score))
    ratings.update({own: rate(ratings.get(own, Rating()), results) for own, results in games.items()})
    return [*games]
