"""Statistics of the people who play here, by ruleset, and their ratings against each other and the AI levels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field, to_builtins

from kalooki_tui.storage.match_facts import Counts, MatchFacts
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.summary import Summary, day_of


class PlayerStatistics(Counts):
    """Statistics of a person in a ruleset (docs/storage.md says what counts)."""

    name: str
    ruleset: str
    matches: int = 0
    wins: int = 0
    places: dict[int, int] = field(default_factory=dict)

    @property
    def points_a_deal(self) -> float | None:
        return self.points / self.deals if self.deals else None

    @property
    def call_worth(self) -> float | None:
        """Points saved in a deal with a called card against one without; None: nothing to compare."""
        others = self.deals - self.call_deals
        if not self.call_deals or not others:
            return None
        return (self.points - self.call_points) / others - self.call_points / self.call_deals

    def data(self) -> dict[str, Any]:
        names = ("deals", "points", "points_a_deal", "outs", "bends", "calls", "call_deals", "call_worth")
        return {
            **{name: getattr(self, name) for name in ("name", "ruleset", "matches", "wins")},
            "places": dict(sorted(self.places.items())),
            **{name: getattr(self, name) for name in names},
            "laid": {deal: {"laid": laid, "dealt": dealt} for deal, (laid, dealt) in sorted(self.laid.items())},
            "counters": self.money,
        }


class Statistics(Struct, frozen=True):
    players: tuple[PlayerStatistics, ...]
    ratings: dict[str, Rating]
    unreadable: tuple[str, ...] = ()
    courses: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Ratings after each match, oldest first, by person or level."""

    def data(self) -> dict[str, Any]:
        return {
            "players": [player.data() for player in self.players],
            "ratings": to_builtins(self.ratings),
            "unreadable": list(self.unreadable),
        }


def statistics(store: Store, *, imported: bool = False) -> Statistics:
    """Count all finished matches, imported ones only if asked for; raise StoreError if unreadable."""
    players: dict[tuple[str, str], PlayerStatistics] = {}
    ratings: dict[str, Rating] = {}
    courses: dict[str, list[float]] = {}
    scanned = store.scanned()
    for summary, found in reversed(scanned):
        # Read one at a time, and let go: keeping them all takes twice as long.
        facts = None if summary.damage or (summary.imported and not imported) else found.facts
        # A daily deal is no match: it counts in its calendar. A position says nothing of who came to it.
        if facts is None or day_of(summary.duplicate) is not None or summary.from_position:
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
    """Rate a match as one period, in which the better place wins each pair; return who changed."""
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


SCALE: Final = 173.7178
"""Points of the usual scale in one of Glicko-2's own."""
MIDDLE: Final = 1500.0
TAU: Final = 0.5
"""Change of the volatility; the paper recommends 0.3 to 1.2."""
PRECISION: Final = 1e-6


class Rating(Struct, frozen=True, forbid_unknown_fields=True):
    """Rating with its deviation: two times in three the true one lies within it."""

    rating: Annotated[float, Meta(ge=-1000, le=4000)] = MIDDLE
    deviation: Annotated[float, Meta(ge=1, le=350)] = 350.0
    volatility: Annotated[float, Meta(ge=0.001, le=1)] = 0.06

    @property
    def words(self) -> str:
        return f"{self.rating:.0f} ± {2 * self.deviation:.0f}"


def rate(player: Rating, games: Sequence[tuple[Rating, float]]) -> Rating:
    """Rate a player after one period of games with scores 1, 0.5 or 0."""
    mu, phi = _own_scale(player)
    if not games:
        return Rating(player.rating, SCALE * math.hypot(phi, player.volatility), player.volatility)
    # Step 3 and 4: the variance and the improvement that the results alone would make.
    certainty = improvement = 0.0
    for opponent, score in games:
        mu_j, phi_j = _own_scale(opponent)
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
        certainty += g**2 * expected * (1 - expected)
        improvement += g * (score - expected)
    variance = 1 / certainty
    volatility = _volatility(phi, player.volatility, variance, variance * improvement)
    # Steps 6 and 7.
    phi_before = math.hypot(phi, volatility)
    phi_after = 1 / math.sqrt(1 / phi_before**2 + 1 / variance)
    return Rating(SCALE * (mu + phi_after**2 * improvement) + MIDDLE, SCALE * phi_after, volatility)


def _own_scale(rating: Rating) -> tuple[float, float]:
    return (rating.rating - MIDDLE) / SCALE, rating.deviation / SCALE


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Find the zero of f (step 5), by the paper's variant of regula falsi."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    low, left = start, delta**2 - phi**2 - variance
    # Where the paper goes on looking, f is above zero one step below the start already, with this TAU.
    high = math.log(left) if left > 0 else start - TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
