"""Statistics at a glance: people by family of games and by game."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import family_of, load_ruleset
from kalooki_tui.storage.people_statistics import PlayerStatistics


class GameOverview(Struct, frozen=True):
    name: str
    players: tuple[PlayerStatistics, ...]
    has_counters: bool
    """Whether it is played for counters: going out in one turn is a kalookie there."""


class FamilyOverview(Struct, frozen=True):
    name: str
    games: tuple[GameOverview, ...]
    totals: tuple[tuple[str, int, int], ...]
    """Matches and wins by person, the most wins first."""


def overview(players: Sequence[PlayerStatistics]) -> tuple[FamilyOverview, ...]:
    by_game: dict[str, list[PlayerStatistics]] = {}
    for player in players:
        by_game.setdefault(player.ruleset, []).append(player)
    families: dict[str, list[str]] = {}
    for game in by_game:
        try:
            family = family_of(game)
        except InputError:
            family = game
        families.setdefault(family, []).append(game)
    found = [_family_overview(family, {game: by_game[game] for game in games}) for family, games in families.items()]
    return tuple(sorted(found, key=lambda one: (-sum(matches for _, matches, _ in one.totals), one.name)))


def _family_overview(family: str, by_game: dict[str, list[PlayerStatistics]]) -> FamilyOverview:
    games = [
        GameOverview(
            name_of(game),
            tuple(sorted(players, key=lambda one: (-one.wins / one.matches, one.name.casefold()))),
            _has_counters(game, players),
        )
        for game, players in by_game.items()
    ]
    totals: dict[str, tuple[int, int]] = {}
    for player in (player for players in by_game.values() for player in players):
        matches, wins = totals.get(player.name, (0, 0))
        totals[player.name] = matches + player.matches, wins + player.wins
    order = sorted(totals.items(), key=lambda item: (-item[1][1], item[1][0], item[0].casefold()))
    rows = tuple((name, matches, wins) for name, (matches, wins) in order)
    return FamilyOverview(name_of(family), tuple(sorted(games, key=lambda one: one.name)), rows)


def _has_counters(ruleset_id: str, players: Sequence[PlayerStatistics]) -> bool:
    try:
        return load_ruleset(ruleset_id).end.after == "elimination"
    except InputError:
        return any(player.money is not None for player in players)


def name_of(ruleset_id: str) -> str:
    try:
        return load_ruleset(ruleset_id).name
    except InputError:
        return ruleset_id


def contracts_laid(player: PlayerStatistics) -> list[tuple[str, int, int]]:
    """Return each contract of the game with how often it was laid of how many times; equal ones are one.

    A game that has gone has its deals by number.
    """
    try:
        ruleset = load_ruleset(player.ruleset)
    except InputError:
        return [(f"deal {deal}", laid, dealt) for deal, (laid, dealt) in sorted(player.laid.items())]
    found: dict[str, tuple[int, int]] = {}
    for deal, (laid, dealt) in sorted(player.laid.items()):
        wanted = ruleset.deals[min(deal, len(ruleset.deals)) - 1]
        words = f"{wanted.points} points" if wanted.points else contract_words(wanted, ruleset.vocabulary)
        before = found.get(words, (0, 0))
        found[words] = before[0] + laid, before[1] + dealt
    return [(words, laid, dealt) for words, (laid, dealt) in found.items()]
