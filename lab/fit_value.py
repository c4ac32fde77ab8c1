"""Fit the value of a position to self-play: python -m lab.fit_value gather ROWS, then … fit ROWS

`gather` plays deals of club and expert seats, each ruleset with its usual number of seats, one fewer and one more, and
writes a line of features and the margin that came of it for two seats after each throw. `fit` needs scikit-learn (only
here, not to play): it fits trees to the deals but every fifth, writes the values of kalooki_tui/evaluation, and prints
error and calibration on the deals held out, beside a linear fit of the same features (docs/review.md).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

from kalooki_tui.engine.actions import Discard
from kalooki_tui.evaluation.decisions import FEATURES, FILE, Positions
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.players import make_player
from kalooki_tui.players.lessons import Tree
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.training.same_cards import margin
from lab.deals import dealt, rules_of

TABLE = Path(__file__).parents[1] / "kalooki_tui" / "evaluation" / "tables" / FILE
USUAL = 4
HELD_OUT = 5
"""Every deal with a number divisible by it is held out."""
TREES, LEAVES, RATE, SMALLEST = 260, 12, 0.06, 250
#: What more of it costs (1) or gains (-1), whatever else there is.
ALWAYS = {"away": 1, "helps": -1, "points": 1, "loose_points": 1}


def gather(path: Path, minutes: float, seed: str) -> None:
    """Append rows to the file until so many minutes of processor time are used."""
    dice, number, games = random.Random(seed), 0, 3 * [DEFAULT_RULESET] + [entry.id for entry in available()]
    with path.open("a", encoding="utf-8") as file:
        while time.process_time() < 60 * minutes:
            ruleset = load_ruleset(games[number % len(games)])
            counts = ruleset.seat_counts
            usual = min(counts, key=lambda count: abs(count - USUAL))
            seats = dice.choice([usual, usual, *(count for count in (usual - 1, usual + 1) if count in counts)])
            for row in _play(ruleset.id, seats, dice.randrange(len(ruleset.deals)) + 1, f"{seed}/{number}", dice):
                file.write(json.dumps({"game": ruleset.id, "seats": seats, "deal": f"{seed}/{number}", **row}) + "\n")
            number += 1
            file.flush()
    print(f"{number} deals")


def _play(ruleset: str, seats: int, contract: int, seed: str, dice: random.Random) -> list[dict[str, Any]]:
    rules = rules_of(ruleset, seats)
    deal = dealt(rules, contract, dice.randrange(seats), seed)
    players = [make_player(dice.choice(("club", "club", "expert")), f"{seed}/{seat}") for seat in range(seats)]
    seen: list[tuple[int, list[float]]] = []
    while deal.actor is not None:
        seat = deal.actor
        action = players[seat].decide(deal.view(seat)).action
        deal.apply(action)
        if isinstance(action, Discard) and deal.actor is not None:
            for watched in (seat, dice.choice([other for other in range(seats) if other != seat])):
                view = deal.view(watched)
                positions = Positions(Situation(view))
                steps = (watched - seat - 1) % seats
                seen.append((watched, [round(x, 3) for x in positions.vector(positions.holding(view.hand), steps)]))
    if deal.void:
        return []
    return [{"x": x, "y": round(margin(deal.points, seat), 2)} for seat, x in seen]


def fit(path: Path) -> None:
    """Fit, write the trees, print what they are worth."""
    import numpy as np
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.linear_model import LinearRegression

    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    x, y = np.array([row["x"] for row in rows]), np.array([row["y"] for row in rows])
    held = np.array([int(row["deal"].rpartition("/")[2]) % HELD_OUT == 0 for row in rows])
    games = np.array([row["game"] for row in rows])
    model = HistGradientBoostingRegressor(
        max_iter=TREES, max_leaf_nodes=LEAVES, learning_rate=RATE, min_samples_leaf=SMALLEST, l2_regularization=20,
        monotonic_cst=[ALWAYS.get(name, 0) for name in FEATURES],
    ).fit(x[~held], y[~held])  # fmt: skip
    line = LinearRegression().fit(x[~held], y[~held])
    said, straight, true = model.predict(x[held]), line.predict(x[held]), y[held]
    print(f"rows {len(rows)}, held out {held.sum()}, deals {len({row['deal'] for row in rows})}")
    print(f"R² held out: trees {_r2(true, said):.3f}, linear {_r2(true, straight):.3f}")
    print(f"error held out: {np.sqrt(np.mean((true - said) ** 2)):.1f} of {true.std():.1f} points")
    for game in sorted(set(games)):
        here = games[held] == game
        print(f"| {game} | {here.sum()} | {_r2(true[here], said[here]):.2f} | {_r2(true[here], straight[here]):.2f} "
              f"| {true[here].std():.0f} | {(true - said)[here].mean():+.1f} |")  # fmt: skip
    order = np.argsort(said)
    print("said and happened, by tenths:")
    for part in np.array_split(order, 10):
        error = true[part].std() / np.sqrt(len(part))
        print(f"| {said[part].mean():+.0f} | {true[part].mean():+.0f} ± {2 * error:.0f} | {len(part)} |")
    trees = [*(_tree(one[0].nodes) for one in model._predictors), round(float(model._baseline_prediction[0, 0]), 2)]
    TABLE.write_text(json.dumps({"trees": trees}, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{TABLE.name}: {TABLE.stat().st_size} bytes")


def _r2(true: Any, said: Any) -> float:
    return float(1 - ((true - said) ** 2).sum() / ((true - true.mean()) ** 2).sum())


def _tree(nodes: Any, at: int = 0) -> Tree:
    node = nodes[at]
    if node["is_leaf"]:
        return round(float(node["value"]), 3)
    cut = round(float(node["num_threshold"]), 3)
    return [int(node["feature_idx"]), cut, _tree(nodes, int(node["left"])), _tree(nodes, int(node["right"]))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["gather", "fit"])
    parser.add_argument("rows", type=Path, help="a file of JSON lines")
    parser.add_argument("--minutes", type=float, default=20, help="processor time to gather for")
    parser.add_argument("--seed", default="value")
    arguments = parser.parse_args()
    if arguments.what == "gather":
        gather(arguments.rows, arguments.minutes, arguments.seed)
    else:
        fit(arguments.rows)


if __name__ == "__main__":
    main()
