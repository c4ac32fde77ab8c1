"""Agents to measure a learner by, or to seat beside it: one at random, a greedy one, and the game's own levels."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from kalooki_tui.cards import JOKER
from kalooki_tui.players import make_player
from kalooki_tui.rl.environment import KalookiEnv, Observation
from kalooki_tui.rl.slots import FIRST_DISCARD, FIRST_LAY

#: Decides for the agent whose turn it is: the number of an action.
Agent: TypeAlias = Callable[[KalookiEnv, Observation], int]


def at_random(seed: int) -> Agent:
    dice = random.Random(seed)

    def decide(env: KalookiEnv, observation: Observation) -> int:
        return dice.choice(np.flatnonzero(observation["action_mask"]).tolist())

    return decide


def of_level(level: str, seed: str = "rl") -> Agent:
    """Return an agent that plays like an AI level, such as `club` or `expert/caller`; raise ValueError for others."""
    player = make_player(level, seed)

    def decide(env: KalookiEnv, observation: Observation) -> int:
        return env.number_of(player.decide(env.view().engine).action)

    return decide


def greedy(env: KalookiEnv, observation: Observation) -> int:
    mask = observation["action_mask"]
    added = np.flatnonzero(mask[FIRST_LAY:FIRST_DISCARD])
    if added.size:
        return int(FIRST_LAY + added[0])
    thrown = np.flatnonzero(mask[FIRST_DISCARD:])
    if thrown.size:
        values = env.rules.values
        return int(FIRST_DISCARD + max(thrown, key=lambda card: (card != JOKER, values[card])))
    usual = (env.actions.index(action) for action in ("allow", "pass", "draw stock"))
    return next(number for number in (*usual, *np.flatnonzero(mask).tolist()) if mask[number])
