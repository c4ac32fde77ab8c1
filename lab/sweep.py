"""Play many matches of AI seats and check every one: python -m lab.sweep --matches 200

For each ruleset the matches go round all its numbers of seats, both referees, its options one by one, the dealer's
cut, and mixed levels. Checked: no AI move is refused, nothing is raised, every deal ends, after every action each
card of the deck is somewhere exactly once and counters are neither made nor lost, and each match's record verifies.

With --deals N single deals of all contracts are played instead, N in all for each ruleset. Exit code 1 if anything
failed; failures are printed at once with what is needed to see them again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kalooki_tui.cards import full_deck
from kalooki_tui.engine.match import HEADLESS_REDEALS, Match
from kalooki_tui.engine.rules import Referee
from kalooki_tui.players import LEVELS
from kalooki_tui.records.verifying import verify_files
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.table.headless import play_match
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.table.simulation import note_deal, single_deal
from kalooki_tui.table.table import Step, Table, TableSetup, record

#: Public events of one deal after which it is taken to be endless.
MOST_EVENTS = 20_000


class Broken(Exception):
    """A check that failed."""


@dataclass
class Count:
    """What was played of one ruleset."""

    matches: int = 0
    deals: int = 0
    void: int = 0
    actions: int = 0
    failures: int = 0
    seconds: float = 0.0


class Checks:
    """The checks of one match, made after every step."""

    def __init__(self, table: Table) -> None:
        self.match = table.match
        self.deck = Counter(full_deck(table.match.rules.packs, table.match.rules.jokers))
        self.money = self._money()
        self.actions = self.deals = self.void = 0

    def __call__(self, step: Step) -> None:
        self.actions += step.action is not None
        deal = self.match.deal
        if card_count(self.match) != self.deck:
            raise Broken("the cards are not the deck's")
        if self._money() != self.money:
            raise Broken("counters were made or lost")
        if len(deal.history) > MOST_EVENTS:
            raise Broken("the deal does not end")
        if self.match.deal.actor is None and step.action is not None and not self.match.buying:
            notes = note_deal(deal.history, deal.in_deal)
            self.deals += 1
            self.void += notes.void

    def _money(self) -> int:
        return sum(self.match.standing.money) + self.match.standing.pool


def card_count(match: Match) -> Counter[int]:
    """Every card of the deal, wherever it lies."""
    deal = match.deal
    held: Counter[int] = Counter()
    for cards in (*deal.hands, deal.stock, deal.pile, *(meld.cards for meld in deal.melds)):
        held.update(cards)
    if deal.flip is not None:
        held[deal.flip] += 1
    return held


def setup_for(
    base: Ruleset, number: int, seed: int, levels: list[str], deals: bool, seats: tuple[int, ...]
) -> TableSetup:
    """Match `number` of a ruleset: seats, referee, option, cut and levels take their turns."""
    counts = [count for count in base.seat_counts if not seats or count in seats]
    count = counts[number % len(counts)]
    turn = number // len(counts)
    referees = list(Referee) if base.infractions is not None else [Referee.STRICT]
    choices: list[tuple[str, ...]] = [(), *((name,) for name in base.options)]
    chosen = choices[(turn // len(referees)) % len(choices)]
    if chosen:
        allowed = base.options[chosen[0]].seats
        if allowed is not None and count not in allowed:
            chosen = ()
    ruleset = resolve(base, chosen, count)
    overrides: dict[str, object] = {"max_redeals": HEADLESS_REDEALS}
    if ruleset.dealer_cut_bonus is not None and turn % 3 == 2:
        overrides["dealer_cut"] = True
    settings = make_settings(ruleset, overrides)
    if deals:
        ruleset = single_deal(ruleset, 1 + turn % len(ruleset.deals))
    plans = parse_seats([f"ai:{levels[(seat + turn) % len(levels)]}" for seat in range(count)])
    return TableSetup(ruleset, plans, seed, referees[turn % len(referees)], settings, chosen)


def play_one(setup: TableSetup, folder: Path, count: Count) -> str | None:
    """Play and check a match; the answer says what is wrong with it."""
    table = Table.open(setup)
    checks = Checks(table)
    path = folder / "match.jsonl"
    try:
        with path.open("w", encoding="utf-8") as file:
            record(table, lambda line: print(line, file=file))
            table.listen(checks)
            play_match(table)
        verdict = next(iter(verify_files([str(path)])))
        if not verdict.ok:
            return f"the record does not verify: {verdict}"
    except Exception as error:  # noqa: BLE001 - whatever happens is what is looked for
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    finally:
        count.matches += 1
        count.deals += checks.deals
        count.void += checks.void
        count.actions += checks.actions
    return None


def sweep(ruleset_id: str, matches: int, seed: int, levels: list[str], deals: bool, seats: tuple[int, ...]) -> Count:
    """Play the matches of a ruleset, printing failures as they come."""
    count = Count()
    started = time.perf_counter()
    base = load_ruleset(ruleset_id)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(matches):
            setup = setup_for(base, number, seed + number, levels, deals, seats)
            wrong = play_one(setup, Path(folder), count)
            if wrong is not None:
                count.failures += 1
                players = " ".join(plan.player for plan in setup.seats)
                options = " ".join(setup.options) or "no options"
                cut = " dealer's cut" if setup.settings is not None and setup.settings.dealer_cut else ""
                print(
                    f"FAILED {ruleset_id} seed {setup.seed} {setup.referee} {players} ({options}){cut}: {wrong}",
                    flush=True,
                )
    count.seconds = time.perf_counter() - started
    return count


def main() -> None:
    """Sweep the rulesets and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", action="append", help="default: all built-in ones")
    parser.add_argument("--matches", type=int, default=200, help="for each ruleset")
    parser.add_argument("--deals", type=int, help="single deals instead of matches")
    parser.add_argument("--seats", type=int, action="append", help="only these numbers of seats")
    parser.add_argument("--level", action="append", choices=LEVELS, help="levels that sit in turn; default: all")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    levels = arguments.level or list(LEVELS)
    names = arguments.ruleset or [entry.id for entry in available() if entry.builtin]
    how_many = arguments.matches if arguments.deals is None else arguments.deals
    print(f"{'ruleset':14} {'matches':>8} {'deals':>8} {'void':>6} {'actions':>10} {'failed':>7} {'seconds':>8}")
    failures = 0
    for name in names:
        count = sweep(name, how_many, arguments.seed, levels, arguments.deals is not None, tuple(arguments.seats or ()))
        failures += count.failures
        print(
            f"{name:14} {count.matches:8} {count.deals:8} {count.void:6} {count.actions:10} "
            f"{count.failures:7} {count.seconds:8.0f}",
            flush=True,
        )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
