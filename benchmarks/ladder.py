"""How strong one AI level is against another: matches in duplicate, each seed played once from every seat.

    python benchmarks/ladder.py --hero club --field novice --ruleset jamaican --seats 4 --matches 100

Prints the share of matches the hero's seat won (a shared win counts its share) with a 95% interval, what it scored
against the others, void deals and times.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from dataclasses import dataclass, field

from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.players import Player, make_player
from kalooki_tui.rulesets.loader import make_settings, resolve


@dataclass
class Tally:
    """What was counted over all matches."""

    wins: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    deals: Counter[int] = field(default_factory=Counter)
    voids: Counter[int] = field(default_factory=Counter)
    times: dict[str, list[float]] = field(default_factory=dict)
    out: Counter[str] = field(default_factory=Counter)
    bent: Counter[str] = field(default_factory=Counter)


def play(match: Match, players: list[Player], levels: list[str], tally: Tally) -> None:
    """Play a match to its end."""
    while not match.finished:
        actor = match.actor
        if actor is None:
            match.next_deal()
            continue
        view = match.view(actor)
        started = time.perf_counter()
        decision = players[actor].decide(view)
        tally.times.setdefault(levels[actor], []).append(time.perf_counter() - started)
        events = match.apply(decision.action)
        if match.deal.actor is None and match.deal.void and not match.buying:
            tally.deals[match.deal.number] += 1
            tally.voids[match.deal.number] += 1
        for event in events:
            if isinstance(event, Scored):
                tally.deals[match.deal.number] += 1
                if event.out is not None:
                    tally.out[levels[event.out]] += 1
                    tally.bent[levels[event.out]] += event.bent


def main() -> None:
    """Play the matches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hero", default="club")
    parser.add_argument("--field", default="novice")
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--matches", type=int, default=40, help="rounded up to whole rotations")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = Tally()
    run(arguments.hero, arguments.field, arguments.ruleset, arguments.seats, arguments.matches, arguments.seed, tally)
    report(arguments.hero, arguments.seats, tally)


def run(hero: str, others: str, ruleset_id: str, seats: int, matches: int, seed: int, tally: Tally) -> None:
    """Play whole rotations of the hero's seat over the same shuffles."""
    ruleset = resolve(ruleset_id, (), seats)
    rules = make_rules(ruleset, seats, Referee.STRICT, make_settings(ruleset, {"max_redeals": 3}))
    names = tuple(f"Seat{number + 1}" for number in range(seats))
    for rotation in range(math.ceil(matches / seats)):
        for hero_seat in range(seats):
            levels = [hero if seat == hero_seat else others for seat in range(seats)]
            players = [make_player(level, f"{seed}.{rotation}/{seat}") for seat, level in enumerate(levels)]
            match = Match.start(MatchSetup(rules, names, seed * 100_000 + rotation))
            play(match, players, levels, tally)
            won = hero_seat in match.winners
            tally.wins.append(1 / len(match.winners) if won else 0.0)
            rest = [total for seat, total in enumerate(match.totals) if seat != hero_seat]
            tally.margins.append(match.totals[hero_seat] - sum(rest) / len(rest))


def report(hero: str, seats: int, tally: Tally) -> None:
    """Print what was counted."""
    mean, half = interval(tally.wins)
    print(f"{hero} wins {mean:.1%} ± {half:.1%} of {len(tally.wins)} matches (par {1 / seats:.1%})")
    mean, half = interval(tally.margins)
    print(f"points a match against the average of the others: {mean:+.0f} ± {half:.0f}")
    for level, outs in sorted(tally.out.items()):
        print(f"{level} went out {outs} times, {tally.bent[level]} of them bending")
    void = " ".join(f"{deal}:{tally.voids[deal] / count:.0%}" for deal, count in sorted(tally.deals.items()))
    print(f"void deals by deal: {void}")
    for level, times in tally.times.items():
        times.sort()
        print(
            f"{level}: {len(times)} decisions, mean {1e3 * sum(times) / len(times):.2f} ms, "
            f"p99 {1e3 * times[int(len(times) * 0.99)]:.1f} ms, longest {1e3 * times[-1]:.0f} ms"
        )


def interval(values: list[float]) -> tuple[float, float]:
    """Mean and half of its 95% interval."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return mean, 1.96 * math.sqrt(variance / count)


if __name__ == "__main__":
    main()
