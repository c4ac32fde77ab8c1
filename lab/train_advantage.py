"""Teach experts by practice: python -m lab.train_advantage --ruleset jamaican (with the extra `training` installed)

Each round plays deals natively. Experts with what they know so far sit with club players, or with their like; at
choices by chance the deal is played to its end both ways, with the cards as they lie. Small gradient-boosted trees
learn what doing the thing came to over not doing it, from what the seat could know and from the choices of all rounds
so far. A kind of choice is kept only where trees that have not seen a deal would have gained points in it. With --base
the trees of another ruleset come first, and the ruleset's own practice adds what is otherwise there. With --only one
kind of choice is practised, each time that it comes, and what the ruleset's table knows of the others stays as it is.
With --stocks a choice is played on in so many orders of the stock instead of the one as it lies. The result is
written to `kalooki_tui/players/advice/RULESET.json`; the same arguments give the same file.

`python -m benchmarks.strength` says what it comes to, on other shuffles.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from array import array
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np

from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.lessons import FOLDER, ChoiceKind, Learned, learned_by, read_learned
from kalooki_tui.playouts import CLUB, CoreSeat, available, trials, why_not
from kalooki_tui.playouts.worlds import COMMON, OF_CARD, OF_LAYING
from kalooki_tui.rulesets.loader import load_ruleset
from lab.deals import dealt, rules_of

#: How often a choice of each kind is tried: there are far more calls than lay-downs.
RATES: Final = {ChoiceKind.CALL: 0.4, ChoiceKind.REFUSE: 0.4, ChoiceKind.TAKE: 0.4, ChoiceKind.LAY: 1.0}
WIDTHS: Final = {choice: len(COMMON) + len(OF_LAYING if choice is ChoiceKind.LAY else OF_CARD) for choice in ChoiceKind}
#: Points by which the trees must promise more before the weights' choice is left.
THRESHOLD: Final = 3.0
#: Shares: deals with the usual number of seats; tables of experts alone; experts at the other tables.
USUAL: Final = 0.7
ALONE: Final = 0.4
MIXED: Final = 0.4
FOLDS: Final = 5
TREES: Final = 70
#: Margins are cut there: a few deals of hundreds of points teach nothing.
MOST_POINTS: Final = 400
#: Fewest choices in a leaf, of so many that there are; fewer do where each was played on in many stocks.
IN_LEAF: Final = (1_000, 80)
IN_LEAF_OF_MANY_STOCKS: Final = 300
#: Fewest choices of a kind that anything is learnt from.
FEWEST: Final = 3_000


def main() -> int:
    """Teach, and print what each round has found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--deals", type=int, default=10_000, help="deals a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--base", help="begin with what was learnt by this ruleset")
    parser.add_argument(
        "--rows", type=Path, help="keep the choices tried in this file; its rounds are not played again"
    )
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the file")
    parser.add_argument("--only", type=ChoiceKind, choices=list(ChoiceKind), help="the one kind of choice to practise")
    parser.add_argument("--stocks", type=int, default=0, help="orders of the stock to play on in; 0: as it lies")
    arguments = parser.parse_args()
    if not available():
        print(why_not())
        return 1
    tables = tables_of(arguments.ruleset)
    rows = np.empty((0, 0), dtype=np.float32)
    if arguments.rows is not None and arguments.rows.exists():
        rows = np.load(arguments.rows)
    base = None if arguments.base is None else learned_by(arguments.base)
    kept, rates, learned = {}, RATES, base
    if arguments.only is not None:
        kept = kept_of(arguments.ruleset, arguments.only)
        rates, learned = {arguments.only: 1.0}, read_learned(json.dumps({"kinds": kept}))
    text = ""
    for turn in range(1, arguments.rounds + 1):
        started = time.process_time()
        first, end = arguments.deals * (turn - 1), arguments.deals * turn
        found = rows[(rows[:, 1] >= first) & (rows[:, 1] < end)] if rows.size else rows
        if not found.size:
            found = practise(tables, learned, arguments.deals, f"{arguments.seed}/{turn}", rates, arguments.stocks)
            found[:, 1] += first
            rows = np.concatenate([rows, found]) if rows.size else found
        if arguments.rows is not None:
            np.save(arguments.rows, rows)
        played = time.process_time() - started
        text = learn(rows[rows[:, 1] < end], end, base, rates, kept, arguments.stocks)
        learned = read_learned(text)
        spent = time.process_time() - started - played
        print(f"round {turn}: {len(found)} choices, {played:.0f} + {spent:.0f} s of processor time", flush=True)
    path = arguments.out / f"{arguments.ruleset}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size} bytes")
    return 0


def kept_of(name: str, only: ChoiceKind) -> dict[str, Any]:
    """What the ruleset's table knows of all other kinds of choices, as it is written there."""
    path = FOLDER / f"{name}.json"
    kinds = json.loads(path.read_text(encoding="utf-8"))["kinds"] if path.exists() else {}
    return {kind: known for kind, known in kinds.items() if kind != only}


def tables_of(name: str) -> list[Rules]:
    """The ruleset's rules by number of seats, the usual number first."""
    counts = sorted(load_ruleset(name).seat_counts, key=lambda count: abs(count - 4))
    return [rules_of(name, seats) for seats in counts]


def practise(
    tables: list[Rules], learned: Learned | None, deals: int, seed: str, rates: dict[ChoiceKind, float], stocks: int
) -> np.ndarray[Any, Any]:
    """Rows of choices tried: the kind, the deal, what was chosen, what doing it came to, and what the seat knew."""
    plain = Expert("").weights("")
    expert = CoreSeat(plain.style, level="expert", advice=None if learned is None else learned.advice)
    rows: list[array[float]] = []
    for number in range(deals):
        chance = random.Random(f"{seed}/{number}")
        rules = tables[0] if chance.random() < USUAL else chance.choice(tables)
        contract = number % len(rules.ruleset.deals) + 1
        deal = dealt(rules, contract, number % rules.seats, f"practice {seed}/{number}")
        if deal.actor is None or deal.phase is Phase.CUT:
            continue
        share = 1.0 if chance.random() < ALONE else MIXED
        styles = [expert if chance.random() < share else CLUB for _ in range(rules.seats)]
        styles[chance.randrange(rules.seats)] = expert
        often = [rates.get(choice, 0.0) for choice in ChoiceKind]
        found, _ = trials(deal, styles=styles, rates=often, seed=f"{seed}/{number}", stocks=stocks)
        for row in found:
            row[1] = number
        rows += found
    return np.array(rows, dtype=np.float32)


def learn(
    rows: np.ndarray[Any, Any],
    deals: int,
    base: Learned | None,
    rates: dict[ChoiceKind, float],
    kept: dict[str, Any],
    stocks: int,
) -> str:
    """The table, as text: what is `kept`, and what the choices tried teach."""
    kinds = dict(kept)
    for place, choice in enumerate(ChoiceKind):
        if choice not in rates:
            continue
        chosen = rows[rows[:, 0] == place]
        if len(chosen) < FEWEST:
            print(f"  {choice}: only {len(chosen)} choices", flush=True)
            continue
        features, own, came = chosen[:, 4 : 4 + WIDTHS[choice]], chosen[:, 2] > 0, chosen[:, 3]
        folds = chosen[:, 1].astype(int) % FOLDS
        known = base.kinds.get(choice) if base is not None else None
        first = np.zeros(len(chosen))
        for tree in known.trees if known is not None else ():
            first += told_by(tree, features)
        foretold = first.copy()
        in_leaf = IN_LEAF_OF_MANY_STOCKS if stocks else max(IN_LEAF[0], len(chosen) // IN_LEAF[1])
        for fold in range(FOLDS):
            inside = folds != fold
            foretold[~inside] += fit(features[inside], came[inside], first[inside], in_leaf).predict(features[~inside])
        changed = np.where(own, foretold > THRESHOLD, foretold < -THRESHOLD)
        gains = np.where(own, -came, came) * changed
        scale = 1 / deals / rates[choice]
        gain, half = gains.sum() * scale, 1.96 * np.sqrt((gains**2).sum()) * scale
        print(
            f"  {choice}: {len(chosen)} choices, {changed.mean():.1%} made otherwise,"
            f" {gain:+.2f} ± {half:.2f} points a deal over all experts{'' if gain < 0 else ', left out'}",
            flush=True,
        )
        if gain < 0:
            trees = fit(features, came, first, in_leaf).dump_model()["tree_info"]
            own_trees = [tree_of(one["tree_structure"]) for one in trees]
            kinds[choice] = {"threshold": THRESHOLD, "trees": [*(known.trees if known else ()), *own_trees]}
    return json.dumps({"kinds": kinds}, separators=(",", ":"))


def told_by(tree: Any, features: np.ndarray[Any, Any]) -> Any:
    """What a tree says of many choices."""
    if not isinstance(tree, list):
        return tree
    place, cut, low, high = tree
    return np.where(features[:, place] <= cut, told_by(low, features), told_by(high, features))


def fit(features: np.ndarray[Any, Any], came: np.ndarray[Any, Any], first: np.ndarray[Any, Any], in_leaf: int) -> Any:
    """Trees for what `first` has not foretold.

    They are small, since a single deal says next to nothing: margins have a standard deviation of a hundred points.
    """
    settings = {
        "objective": "regression",
        "num_leaves": 8,
        "learning_rate": 0.08,
        "min_data_in_leaf": in_leaf,
        "feature_fraction": 0.6,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "lambda_l2": 50.0,
        "max_bin": 63,
        "num_threads": 1,
        "seed": 1,
        "deterministic": True,
        "verbose": -1,
    }
    data = lightgbm.Dataset(features, np.clip(came, -MOST_POINTS, MOST_POINTS) - first)
    return lightgbm.train(settings, data, TREES if not first.any() else TREES // 2)


def tree_of(node: dict[str, Any]) -> Any:
    """A tree as the players read it."""
    if "leaf_value" in node:
        return round(node["leaf_value"], 3)
    low, high = tree_of(node["left_child"]), tree_of(node["right_child"])
    return [node["split_feature"], float(f"{node['threshold']:.5g}"), low, high]


if __name__ == "__main__":
    sys.exit(main())
