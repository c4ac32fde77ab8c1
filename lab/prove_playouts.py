"""Play deals in the native core and check them by the engine: python -m lab.prove_playouts --deals 100000

The deals go round all rulesets, their numbers of seats, both referees, their options and all contracts. Each is played
natively and then again by the engine, action by action: every action must be accepted and the points must be the same.
In one of --compare deals every decision is also asked of the Python player at the same view: how often the two choose
alike is counted by kind of decision, and a lay-down, tack or swap that the player would make and the core does not is a
failure. Exit code 1 if anything failed; failures are printed with what is needed to see them again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from kalooki_tui.engine.actions import CALL, Action, Challenge, Discard, EndTurn, Group, Lay, Swap, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.state import State
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.players import make_player
from kalooki_tui.players.club import Club
from kalooki_tui.playouts import PlayoutFault, available, play_deal, why_not
from kalooki_tui.rulesets.folders import available as rulesets
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from lab.deals import dealt

#: Deals that are played at a time.
BATCH = 200


@dataclass
class Proof:
    """What was played, and what was found."""

    deals: int = 0
    void: int = 0
    actions: int = 0
    compared: int = 0
    alike: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """Decisions in which the two chose otherwise."""

    def add(self, other: Proof) -> None:
        self.deals += other.deals
        self.void += other.void
        self.actions += other.actions
        self.compared += other.compared
        self.alike += other.alike
        self.asked += other.asked
        self.failures += other.failures
        self.others += other.others


class Setting(NamedTuple):
    """What a deal is played by."""

    ruleset: str
    seats: int
    referee: Referee
    options: tuple[str, ...]


def settings_of(ruleset: str, option: str = "") -> list[Setting]:
    """Every number of seats, referee and option of a ruleset, or only with this option."""
    base = load_ruleset(ruleset)
    referees = list(Referee) if base.infractions is not None else [Referee.STRICT]
    found = []
    for seats in base.seat_counts:
        options = [name for name, option in base.options.items() if option.seats is None or seats in option.seats]
        every = [(), *((name,) for name in options)]
        for chosen in [one for one in every if not option or option in one]:
            found += [Setting(ruleset, seats, referee, chosen) for referee in referees]
    # Neighbours differ in as much as can be, so that a few deals see some of everything.
    return sorted(found, key=lambda setting: random.Random(str(setting)).random())


@cache
def rules_of(setting: Setting) -> Rules:
    ruleset = resolve(setting.ruleset, setting.options, setting.seats)
    return make_rules(ruleset, setting.seats, setting.referee, make_settings(ruleset, {}))


def deal_number(settings: list[Setting], number: int) -> tuple[Deal, str]:
    """Deal `number` of a ruleset, and what it is; two in five are handed over in the middle."""
    setting = settings[number % len(settings)]
    rules = rules_of(setting)
    turn = number // len(settings)
    chance = random.Random(f"{setting} {number}")
    contract = (number + turn) % len(rules.ruleset.deals) + 1
    deal = dealt(rules, contract, chance.randrange(rules.seats), f"proof {number}")
    if chance.random() < 0.4:
        begin_by_chance(deal, chance)
    options = ", ".join(setting.options) or "no option"
    table = f"{setting.ruleset}, {setting.seats} seats, {setting.referee}, {options}"
    return deal, f"{table}, contract {contract}, deal {number}"


def begin_by_chance(deal: Deal, chance: random.Random) -> None:
    """Play some actions as no AI seat would: too many calls, useless draws, lay-downs that are refused and charged."""
    caller = chance.randrange(deal.rules.seats)
    for _ in range(chance.randrange(80)):
        seat = deal.actor
        assert seat is not None
        legal = deal.legal()
        if deal.phase is Phase.PLAY:
            if deal.rules.penalties and deal.laid[seat] is HasLaid.NO and chance.random() < 0.1:
                with suppress(Refused):
                    deal.apply(Lay(seat, (Group(tuple(deal.hands[seat][:3])),)))
            # A drawn discard may have to be used before (H6).
            legal = [action for action in legal if isinstance(action, Discard | EndTurn)] or legal
        action = chance.choice(legal)
        if CALL[caller] in legal and deal.calls[caller] <= deal.rules.ruleset.calls.limit:
            action = CALL[caller]
        before = deal.clone()
        deal.apply(action)
        if deal.actor is None:
            # The deal is void: hand it over as it was before.
            for name in State.__slots__:
                setattr(deal, name, getattr(before, name))
            return


def kind_of(deal: Deal, action: Action) -> str:
    """What kind of decision an action answers."""
    if isinstance(action, Challenge):
        return "challenge"
    if deal.phase is Phase.PLAY:
        return "play, laid" if deal.laid[action.seat] != "no" else "play, not laid"
    return str(deal.phase)


def prove(deal: Deal, text: str, compare: bool, level: str, proof: Proof) -> None:
    """Play one deal and check it."""
    proof.deals += 1
    player = make_player(level, "0")
    assert isinstance(player, Club)
    styles = [player.weights(deal.rules.ruleset.id)] * len(deal.hands)
    try:
        played = play_deal(deal, styles=styles, seed=text)
    except PlayoutFault as fault:
        proof.failures.append(f"{text}: {fault}")
        return
    proof.compared += compare
    shuffles = deal.reshuffles
    for step, (action, stock) in enumerate(played.actions):
        proof.actions += 1
        if compare and deal.actor is not None:
            kind = kind_of(deal, action)
            own = player.decide(deal.view(deal.actor)).action
            proof.asked[kind] += 1
            proof.alike[kind] += own == action
            if own != action:
                proof.others.append(f"{text}, step {step}: {kind}: the core {action}, the player {own}")
            if isinstance(own, Lay | Tack | Swap) and not isinstance(action, Lay | Tack | Swap):
                proof.failures.append(f"{text}, step {step}: the core missed {own}")
        deal.next_stock = stock
        try:
            deal.apply(action)
        except Refused as refused:
            proof.failures.append(f"{text}, step {step}: {action} refused: {refused.refusal.message}")
            return
        shuffles += stock is not None
        if deal.reshuffles != shuffles:
            proof.failures.append(f"{text}, step {step}: the stock was shuffled anew at another moment")
            return
    proof.void += deal.void
    points = (0,) * len(deal.hands) if deal.void else tuple(deal.points)
    ending = played.ending
    if deal.actor is not None:
        proof.failures.append(f"{text}: the deal is not over")
    elif (points, deal.out, deal.void) != (ending.points, ending.out, ending.void):
        proof.failures.append(f"{text}: the points are {points}, not {ending.points}")


def prove_some(ruleset: str, first: int, deals: int, compare: int, level: str = "club", option: str = "") -> Proof:
    """Check deals `first` to `first + deals` of a ruleset; of each `compare` one decision by decision."""
    settings = settings_of(ruleset, option)
    proof = Proof()
    for number in range(first, first + deals if settings else first):
        deal, text = deal_number(settings, number)
        prove(deal, text, bool(compare) and random.Random(text).randrange(compare) == 0, level, proof)
    return proof


def batches(names: list[str], deals: int, first: int) -> Iterator[tuple[str, int, int]]:
    """The rulesets with the deals to play, in pieces."""
    each = -(-deals // len(names))
    for start in range(0, each, BATCH):
        for name in names:
            yield name, first + start, min(BATCH, each - start)


def main() -> int:
    """Check, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2_000, help="deals in all")
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal of each ruleset")
    parser.add_argument("--compare", type=int, default=50, help="of so many deals one is compared (0: none)")
    parser.add_argument("--ruleset", action="append", help="only this ruleset")
    parser.add_argument("--option", default="", help="only with this option")
    parser.add_argument(
        "--level", default="club", help="club or expert, perhaps with a temperament that leaves nothing to chance"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print so many decisions in which the two differ")
    arguments = parser.parse_args()
    if not available():
        print(why_not())
        return 1
    names = arguments.ruleset or [one.id for one in rulesets()]
    proofs = {name: Proof() for name in names}
    started = time.monotonic()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        work = [
            (name, pool.submit(prove_some, name, first, deals, arguments.compare, arguments.level, arguments.option))
            for name, first, deals in batches(names, arguments.deals, arguments.first)
        ]
        for name, future in work:
            proof = future.result()
            for failure in proof.failures:
                print(failure, flush=True)
            proofs[name].add(proof)
    whole = Proof()
    for name, proof in proofs.items():
        print(f"{name:14} {proof.deals:7} deals, {proof.void:5} void, {proof.actions:9} actions, {_rates(proof)}")
        whole.add(proof)
    for kind, asked in sorted(whole.asked.items()):
        print(f"{kind:16} {whole.alike[kind]:8} of {asked:8} decisions alike, {whole.alike[kind] / asked:.4%}")
    for other in whole.others[: arguments.show]:
        print(other)
    print(
        f"{whole.deals} deals, {whole.actions} actions, {whole.compared} deals compared,"
        f" {len(whole.failures)} failures, {time.monotonic() - started:.0f} s"
    )
    return 1 if whole.failures else 0


def _rates(proof: Proof) -> str:
    asked = sum(proof.asked.values())
    return f"{sum(proof.alike.values())} of {asked} decisions alike, {len(proof.failures)} failures"


if __name__ == "__main__":
    sys.exit(main())
