"""How far the review can be trusted: python -m lab.measure_review PART --notes FILE [--count N] [--worlds N]

Parts, each of which prints the table that docs/review.md has:

- `blunders`: at moments of club play another choice is made by chance. What it costs in worlds dealt from the view is
  set beside what it costs with the hands truly held, the stock in many orders.
- `alarms`: the club player's own decisions, reviewed; what is called a loss is played out in 10,000 worlds more.
- `coach`: the coach's advice on the open card (draw, call, allow) at every such moment of club play, by what can be
  counted alone and with what practice has taught, beside what both choices come to in common worlds.
- `cost`: standard error, bias and seconds of the review by the number of worlds.

Each deal or moment is a line of the notes, and what stands there is not done again: a part can be ended and gone on
with at any time.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import correlation, fmean, linear_regression
from typing import Any

from kalooki_tui.coach.rated_advice import played_out
from kalooki_tui.engine.actions import Action, Call, Draw, Refuse, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.view import View
from kalooki_tui.evaluation.decisions import BLUNDER, MISTAKE, SLIP, Decision, Judged, Quality, judge
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import assess
from kalooki_tui.players import make_player
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.club import Club
from kalooki_tui.playouts import Mean, mean_gain
from lab.deals import SEATS, dealt, in_the_hands_held, interval, rules_of

#: Worlds that settle what a decision truly costs.
SETTLING = 10_000
#: Numbers of worlds that the review is tried with.
SIZES = (250, 500, 1000, 2000)
Line = dict[str, Any]


def begun(ruleset: str, number: int) -> Deal:
    rules = rules_of(ruleset)
    return dealt(rules, number % len(rules.ruleset.deals) + 1, number % SEATS, f"measure/{number}")


def played(level: str, deal: Deal, number: int) -> Iterator[tuple[Deal, Decision]]:
    """Play the deal to its end: the decisions of seat 0, each with the deal as it is before it."""
    players = [make_player(level if seat == 0 else "club", f"{number}/{seat}") for seat in range(SEATS)]
    for place in count():
        seat = deal.actor
        if seat is None:
            return
        view = deal.view(seat)
        action = players[seat].decide(view).action
        if seat == 0:
            yield deal.clone(), Decision(place, 1, view, action)
        deal.apply(action)


def real(level: str, ruleset: str, number: int) -> list[tuple[Deal, Judged]]:
    """The decisions with something to choose, by value."""
    found = ((deal, judge(decision)) for deal, decision in played(level, begun(ruleset, number), number))
    return [(deal, one) for deal, one in found if one is not None and one.ranked]


def in_worlds(view: View, choices: list[Action], worlds: int, seed: str) -> Mean:
    """What the second choice gains on the first in hidden cards dealt again from the view."""
    found = Belief(view).played_out([[choice] for choice in choices], worlds, seed)
    first, second = ([ending.margin(view.seat) for ending in by_world] for by_world in found)
    return mean_gain(second, first)


# The parts: what one item of each comes to, and the table of all


def blunder_lines(item: str, worlds: int, ruleset: str) -> list[Line]:
    """A moment of each kind in one deal of club play, another choice made by chance."""
    number = int(item)
    dice = random.Random(f"blunder/{number}")
    moments = real("club", ruleset, number)
    lines = []
    for kind in ("throw", dice.choice(("call", "allow", "draw", "lay", "tack"))):
        of_kind = [(deal, one) for deal, one in moments if one.kind == kind]
        if not of_kind:
            continue
        deal, one = dice.choice(of_kind)
        good = one.decision.action
        bad = dice.choice([way for way in one.ranked if way != good])
        told = judge(Decision(one.decision.place, 1, one.decision.view, bad))
        assert told is not None
        believed = in_worlds(one.decision.view, [bad, good], worlds, f"believed/{number}")
        true = mean_gain(*in_the_hands_held(deal, [good, bad], worlds, f"true/{number}"))
        review = played_out(told, 2000)
        lines.append({"kind": kind, "believed": believed.points, "true": true.points, "spread": believed.deviation,
                      "review": review.loss, "verdict": str(review.verdict), "value": told.loss})  # fmt: skip
    return lines


def tell_blunders(lines: list[Line]) -> None:
    """What is believed beside what is true, by kind and by size."""
    groups: list[tuple[str, Callable[[Line], bool]]] = [
        ("all", lambda line: True),
        ("throw", lambda line: line["kind"] == "throw"),
        ("call, allow, draw", lambda line: line["kind"] in ("call", "allow", "draw")),
        ("lay, tack", lambda line: line["kind"] in ("lay", "tack")),
        ("believed below 6", lambda line: line["believed"] < MISTAKE),
        ("believed from 6 to 20", lambda line: MISTAKE <= line["believed"] < 20),
        ("believed from 20 on", lambda line: line["believed"] >= 20),
    ]
    print("| moments | number | believed | true | believed minus true | correlation | slope | flagged |")
    for name, belongs in groups:
        own = [line for line in lines if belongs(line)]
        if len(own) < 3:
            continue
        believed, true = [line["believed"] for line in own], [line["true"] for line in own]
        differences = [one - other for one, other in zip(believed, true, strict=True)]
        flagged = fmean([line["verdict"] not in ("fine", "too close to call") for line in own])
        print(f"| {name} | {len(own)} | {fmean(believed):.1f} | {fmean(true):.1f} | {interval(differences)} | "
              f"{regression(believed, true)} | {flagged:.0%} |")  # fmt: skip
    for name, belongs in groups[1:4]:
        spreads = [line["spread"] for line in lines if belongs(line)]
        if spreads:
            spread = fmean(spreads)
            errors = ", ".join(f"{size}: {spread / size**0.5:.1f}" for size in (250, 1000, 2000, 4000))
            print(f"{name}: standard deviation of a pair {spread:.0f}; standard error by worlds: {errors}")
    if len(lines) > 3:
        print("by value alone | " + regression([line["value"] for line in lines], [line["true"] for line in lines]))


def regression(ones: list[float], others: list[float]) -> str:
    """The correlation, and the slope of the others on the ones."""
    return f"{correlation(ones, others):.2f} | {linear_regression(ones, others).slope:.2f}"


def alarm_lines(item: str, worlds: int, ruleset: str) -> list[Line]:
    """One deal of the club player's own; what is flagged is settled."""
    number = int(item)
    lines = []
    for deal, one in real("club", ruleset, number):
        started = time.process_time()
        after = played_out(one, worlds)
        line = {"kind": one.kind, "verdict": str(after.verdict), "value": one.loss, "loss": after.loss,
                "seconds": time.process_time() - started}  # fmt: skip
        if after.verdict not in (Quality.FINE, Quality.CLOSE):
            ways = [after.decision.action, after.best]
            line["settled"] = in_worlds(one.decision.view, ways, SETTLING, f"settled/{number}").points
            line["true"] = mean_gain(*in_the_hands_held(deal, ways[::-1], SETTLING // 10, f"true/{number}")).points
        lines.append(line)
    return lines


def tell_alarms(lines: list[Line]) -> None:
    """Shares of the decisions that are flagged, and of those that are not so."""
    total = len(lines)
    print(f"{total} decisions; {sum(line['seconds'] for line in lines) / max(1, total):.2f} seconds each")
    print("| said | decisions | share | said to cost | settled | with the real hands | settled below 3 |")
    for least, name in ((SLIP, "from 3"), (MISTAKE, "from 6"), (BLUNDER, "from 12")):
        own = [line for line in lines if "settled" in line and line["loss"] >= least]
        if len(own) > 1:
            false = sum(line["settled"] < SLIP for line in own)
            print(f"| {name} | {len(own)} | {len(own) / total:.1%} | {interval([line['loss'] for line in own])} | "
                  f"{interval([line['settled'] for line in own])} | {interval([line['true'] for line in own])} | "
                  f"{false} ({false / total:.1%} of all) |")  # fmt: skip
    by_value = [line for line in lines if line["value"] >= SLIP]
    print(f"by value alone from 3: {len(by_value)} ({len(by_value) / total:.1%})")
    close = sum(line["verdict"] == str(Quality.CLOSE) for line in lines)
    print(f"too close to call: {close} ({close / total:.1%})")


def coach_lines(item: str, worlds: int, ruleset: str) -> list[Line]:
    """The moments of one deal at which the open card can be had or not."""
    lines = []
    for _, one in real("club", ruleset, int(item)):
        if one.kind not in ("draw", "call", "allow") or len(one.ranked) != 2:
            continue
        view = one.decision.view
        having = next(way for way in one.ranked if isinstance(way, Call | Refuse | Draw) and not is_from_stock(way))
        leaving = next(way for way in one.ranked if way != having)
        gained = in_worlds(view, [leaving, having], worlds, f"coach/{item}/{one.decision.place}")
        advice = assess(Situation(view))
        lines.append({"kind": one.kind, "gained": gained.points, "error": gained.error,
                      "counted": Club("coach").decide(view).action == having, "reason": str(advice.fact),
                      "practice": advice.best.action == having})  # fmt: skip
    return lines


def is_from_stock(action: Action) -> bool:
    """Whether it draws an unknown card."""
    return isinstance(action, Draw) and action.source is Source.STOCK


def tell_coach(lines: list[Line]) -> None:
    """How much of the advice the worlds are against, and what following it would cost."""
    print("| moments | advice | by what | number | worlds against | these cost |")
    for kind in ("call", "allow", "draw", ""):
        for has in (False, True):
            for source in ("counted", "practice"):
                own = [line for line in lines if kind in ("", line["kind"]) and line[source] == has]
                costs = [(-1 if has else 1) * line["gained"] for line in own]
                against = [cost for cost, line in zip(costs, own, strict=True)
                           if cost >= SLIP and cost > 2 * line["error"]]  # fmt: skip
                if own:
                    print(f"| {kind or 'all'} | {'have it' if has else 'leave it'} | {source} | {len(own)} | "
                          f"{len(against)} ({len(against) / len(own):.0%}) | "
                          f"{interval(against)} |")  # fmt: skip
    changed = [
        (1 if line["practice"] else -1) * line["gained"] for line in lines if line["practice"] != line["counted"]
    ]
    print(f"where practice changes the advice: {len(changed)} of {len(lines)}, gained {interval(changed)}")


def cost_lines(item: str, worlds: int, ruleset: str) -> list[Line]:
    """A decision of a novice with several numbers of worlds; whatever it names is settled."""
    number = int(item)
    dice = random.Random(f"cost/{number}")
    moments = real("novice", ruleset, number)
    if not moments:
        return []
    _, one = dice.choice(moments)
    settled: dict[Action, float] = {}
    lines = []
    for size in SIZES:
        started = time.process_time()
        after = played_out(one, size)
        seconds = time.process_time() - started
        ways = [one.decision.action, after.best]
        if after.best not in settled and after.best != one.decision.action:
            settled[after.best] = in_worlds(one.decision.view, ways, worlds, "settled").points
        lines.append({"size": size, "kind": one.kind, "loss": after.loss, "error": after.error, "seconds": seconds,
                      "settled": settled.get(after.best, 0.0), "verdict": str(after.verdict)})  # fmt: skip
    best = max([0.0, *settled.values()])
    return [{**line, "best": best} for line in lines]


def tell_cost(lines: list[Line]) -> None:
    """By number of worlds: error, bias, how much better the best known option is than the one named."""
    print("| worlds | decisions | losses said | standard error | said minus settled | best minus named | seconds |")
    for size in sorted({line["size"] for line in lines}):
        own = [line for line in lines if line["size"] == size]
        said = [line for line in own if line["verdict"] not in (str(Quality.FINE), str(Quality.CLOSE))]
        print(f"| {size} | {len(own)} | {len(said)} | {fmean([line['error'] for line in said] or [0.0]):.1f} | "
              f"{interval([line['loss'] - line['settled'] for line in said])} | "
              f"{interval([line['best'] - line['settled'] for line in own])} | "
              f"{fmean([line['seconds'] for line in own]):.2f} |")  # fmt: skip


PARTS: dict[str, tuple[Callable[[str, int, str], list[Line]], Callable[[list[Line]], None]]] = {
    "blunders": (blunder_lines, tell_blunders),
    "alarms": (alarm_lines, tell_alarms),
    "coach": (coach_lines, tell_coach),
    "cost": (cost_lines, tell_cost),
}


def main() -> None:
    """Read the command line, do what is not in the notes yet, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--notes", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40, help="deals; 0: only print what is in the notes")
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--ruleset", default="jamaican")
    chosen = parser.parse_args()
    work, tell = PARTS[chosen.part]
    texts = chosen.notes.read_text(encoding="utf-8").splitlines() if chosen.notes.exists() else []
    noted = {entry["item"]: entry["lines"] for entry in map(json.loads, texts)}
    with chosen.notes.open("a", encoding="utf-8") as stream:
        for item in map(str, range(chosen.count)):
            if item not in noted:
                noted[item] = work(item, chosen.worlds, chosen.ruleset)
                stream.write(json.dumps({"item": item, "lines": noted[item]}) + "\n")
                stream.flush()
    tell([line for lines in noted.values() for line in lines])


if __name__ == "__main__":
    main()
