"""Decisions a second of the engine, against RLCard's bare gin rummy in the same run.

    python -m benchmarks.engine_vs_rlcard [--rounds 5] [--seconds 1]

Needs rlcard (`pip install rlcard`). A decision is: list what is legal, choose, have it checked and applied. Random play
never lays here, since lay-downs are not listed; so matches of AI seats, made beforehand, are played again as well, with
every lay-down, tack and swap in them. The games take turns, round after round; a ratio is the median over the rounds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, make_settings

TABLES = (("jamaican", 4), ("jamaican", 6), ("trinidad", 4), ("kalookie-40", 4), ("kooky", 4), ("tuluki", 2))
ANCHOR = "RLCard gin rummy, 2 seats"


def rules_of(ruleset_id: str, seats: int) -> Rules:
    """The rules of a table that passes void contracts over."""
    ruleset = load_ruleset(ruleset_id)
    return make_rules(ruleset, seats, settings=make_settings(ruleset, {"max_redeals": 3}))


def start(rules: Rules, seed: int) -> Match:
    return Match.start(MatchSetup(rules, tuple("ABCDEFGHIJK"[: rules.seats]), seed))


def random_play(rules: Rules, *, views: bool = False) -> Iterator[None]:
    """Random matches without end, a decision at a time; `views`: the seat's view is made for each."""
    dice = random.Random(1)
    seed = 0
    while True:
        seed += 1
        match = start(rules, seed)
        for _ in range(len(rules.ruleset.deals)):
            while match.actor is not None:
                legal = match.view(match.actor).legal if views else match.legal(match.actor)
                match.apply(dice.choice(legal))
                yield
            if match.finished:
                break
            match.next_deal()


def ai_actions(rules: Rules, seed: int) -> list[Action]:
    """The actions of a match of club players."""
    match = start(rules, seed)
    players = [make_player("club", f"{seed}/{seat}") for seat in range(rules.seats)]
    actions: list[Action] = []
    while not match.finished:
        if match.actor is None:
            match.next_deal()
        else:
            actions.append(players[match.actor].decide(match.view(match.actor)).action)
            match.apply(actions[-1])
    return actions


def played_again(rules: Rules) -> Iterator[None]:
    """AI matches played again without end, with the legal list of each decision."""
    matches = [(seed, ai_actions(rules, seed)) for seed in (1, 2, 3)]
    while True:
        for seed, actions in matches:
            match = start(rules, seed)
            for action in actions:
                if match.actor is None:
                    match.next_deal()
                match.legal(action.seat)
                match.apply(action)
                yield


def rlcard_play(game: Any) -> Iterator[None]:
    dice = random.Random(1)
    while True:
        game.init_game()
        while not game.is_over():
            game.step(dice.choice(game.judge.get_legal_actions()))
            yield


def measure(play: Iterator[None], seconds: float) -> float:
    """Decisions a second of processor time, so that other programs on the machine do not count."""
    count, begun = 0, time.process_time()
    end = begun + seconds
    while time.process_time() < end:
        for _ in range(100):
            next(play)
        count += 100
    return count / (time.process_time() - begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each game in each round")
    arguments = parser.parse_args()
    try:
        from rlcard.games.gin_rummy import Game
    except ImportError:
        print("The engine's anchor is missing: pip install rlcard, or use make bench.", file=sys.stderr)
        return 2
    games: dict[str, Callable[[], Iterator[None]]] = {ANCHOR: lambda: rlcard_play(Game())}
    for name, seats in TABLES:
        rules = rules_of(name, seats)
        games[f"{name}, {seats} seats, random"] = lambda rules=rules: random_play(rules)  # type: ignore[misc]
    rules = rules_of("jamaican", 4)
    games["jamaican, 4 seats, random, with views"] = lambda: random_play(rules, views=True)
    games["jamaican, 4 seats, AI matches again"] = lambda: played_again(rules)
    plays = {name: make() for name, make in games.items()}
    for play in plays.values():
        next(play)
    speeds: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(arguments.rounds):
        for name, play in plays.items():
            speeds[name].append(measure(play, arguments.seconds))
    print(f"{'game':40} {'decisions a second':>19} {'times the anchor':>17}")
    for name, found in speeds.items():
        ratio = statistics.median(ours / theirs for ours, theirs in zip(found, speeds[ANCHOR], strict=True))
        print(f"{name:40} {statistics.median(found):19,.0f} {ratio:17.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
