"""What a simple learner reaches in ten minutes: python -m lab.train_agent [--minutes 10] [--deals 200]

A network of one hidden layer plays all seats of the environment (`kalooki_tui.rl`) and learns from the rewards alone:
the policy gradient with a learnt baseline (A2C without bootstrapping), in NumPy, on one core. Then it is measured: its
points a deal less the average of the others', in one seat against three equal agents, in the same deals as each of
those. It needs the extra `rl`.
"""

from __future__ import annotations

import argparse
import math
import time
from statistics import fmean, stdev
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kalooki_tui.rl import Agent, KalookiEnv, at_random, env, greedy, of_level

#: Seeds of the deals that measure; what is learnt from is shuffled otherwise.
FRESH: Final = 200_001
HIDDEN: Final = 128
DEALS_A_STEP: Final = 8
RATE: Final = 1e-3
#: How much a broad choice is worth: without it the network stops trying other actions.
ENTROPY: Final = 0.01
#: Points that count as one.
UNIT: Final = 100.0

Vector = NDArray[np.float32]


def flat(observation: dict[str, Any]) -> Vector:
    """All arrays of an observation one after another, of comparable size."""
    arrays = observation["observation"]
    scale = {"stock": 0.01, "cards": 0.1}
    return np.concatenate([array.ravel() * np.float32(scale.get(name, 1.0)) for name, array in arrays.items()])


class Network:
    """Chances of actions, and the reward that is to be expected."""

    def __init__(self, inputs: int, actions: int, dice: np.random.Generator) -> None:
        def weights(rows: int, columns: int, size: float) -> Vector:
            return (dice.standard_normal((rows, columns)) * size / math.sqrt(rows)).astype(np.float32)

        self.values: dict[str, Vector] = {
            "first": weights(inputs, HIDDEN, 1.0),
            "bias": np.zeros(HIDDEN, np.float32),
            "policy": weights(HIDDEN, actions, 0.01),
            "baseline": weights(HIDDEN, 1, 0.01),
        }
        self.mean = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.square = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.steps = 0

    def hidden(self, inputs: Vector) -> Vector:
        return np.maximum(inputs @ self.values["first"] + self.values["bias"], 0)

    def chances(self, hidden: Vector, mask: NDArray[np.int8]) -> Vector:
        logits = np.where(mask == 1, hidden @ self.values["policy"], -1e9)
        powers = np.exp(logits - logits.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)

    def learn(self, inputs: Vector, masks: NDArray[np.int8], taken: NDArray[np.int64], rewards: Vector) -> None:
        """One step of Adam along the gradient."""
        hidden = self.hidden(inputs)
        chances, expected = self.chances(hidden, masks), (hidden @ self.values["baseline"])[:, 0]
        gained = rewards - expected
        weighed = (gained - gained.mean()) / (gained.std() + 1e-6)
        size = np.float32(len(inputs))
        logs = np.log(chances + 1e-9)
        towards = -chances * weighed[:, None]
        towards[np.arange(len(taken)), taken] += weighed
        broad = -chances * (logs - (chances * logs).sum(1, keepdims=True))
        by_policy = (towards + ENTROPY * broad) / size
        by_baseline = (gained / size)[:, None]
        below = by_policy @ self.values["policy"].T + 0.5 * by_baseline @ self.values["baseline"].T
        below *= hidden > 0
        gradient = {
            "first": inputs.T @ below,
            "bias": below.sum(0),
            "policy": hidden.T @ by_policy,
            "baseline": hidden.T @ by_baseline,
        }
        self.steps += 1
        for name, one in gradient.items():
            self.mean[name] += 0.1 * (one - self.mean[name])
            self.square[name] += 0.001 * (one * one - self.square[name])
            mean, square = self.mean[name] / (1 - 0.9**self.steps), self.square[name] / (1 - 0.999**self.steps)
            self.values[name] += RATE * mean / (np.sqrt(square) + 1e-8)

    def agent(self) -> Agent:
        """Plays the likeliest action."""

        def decide(table: KalookiEnv, observation: dict[str, Any]) -> int:
            return int(self.chances(self.hidden(flat(observation)), observation["action_mask"]).argmax())

        return decide


def train(table: KalookiEnv, seconds: float, dice: np.random.Generator) -> tuple[Network, int, int]:
    """The network, and how many deals and decisions it has learnt from."""
    table.reset(seed=1)
    first = table.last()[0]
    network = Network(len(flat(first)), len(first["action_mask"]), dice)
    began, deals, decisions = time.process_time(), 0, 0
    while time.process_time() - began < seconds:
        inputs, masks, taken, seats, rewards = [], [], [], [], []
        for _ in range(DEALS_A_STEP):
            table.reset()
            start = len(seats)
            while not any(table.terminations.values()) and not any(table.truncations.values()):
                observation = table.last()[0]
                inputs.append(flat(observation))
                masks.append(observation["action_mask"])
                chances = network.chances(network.hidden(inputs[-1]), masks[-1])
                action = int(np.searchsorted(chances.cumsum(), dice.random() * chances.sum()))
                taken.append(action if masks[-1][action] else int(chances.argmax()))
                seats.append(table.agent_selection)
                table.step(taken[-1])
            rewards += [table.rewards[seat] / UNIT for seat in seats[start:]]
            deals += 1
        decisions += len(taken)
        network.learn(np.array(inputs), np.array(masks), np.array(taken), np.array(rewards, np.float32))
        if deals % 400 == 0:
            print(f"{deals} deals, {decisions} decisions, {len(taken) / DEALS_A_STEP:.0f} a deal", flush=True)
    return network, deals, decisions


def measured(table: KalookiEnv, agent: Agent, others: Agent, deals: int) -> list[float]:
    """The agent's rewards in the measured deals, in each seat in turn."""
    found = []
    for number in range(deals):
        table.reset(seed=FRESH + number)
        seat = table.possible_agents[number % len(table.possible_agents)]
        while not any(table.terminations.values()) and not any(table.truncations.values()):
            table.step((agent if table.agent_selection == seat else others)(table, table.last()[0]))
        found.append(table.rewards[seat])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--deals", type=int, default=200, help="measured against each kind of agent")
    given = parser.parse_args()
    table = env(given.ruleset, given.seats)
    network, deals, decisions = train(table, 60 * given.minutes, np.random.default_rng(1))
    print(f"learnt from {decisions} decisions in {deals} deals")
    for name, others in (("random", at_random(1)), ("greedy", greedy), ("novice", of_level("novice")),
                         ("club", of_level("club"))):  # fmt: skip
        rewards = measured(table, network.agent(), others, given.deals)
        print(f"against {name}: {fmean(rewards):+.1f} ± {1.96 * stdev(rewards) / math.sqrt(len(rewards)):.1f} a deal")


if __name__ == "__main__":
    main()
