"""Kalooki for programs that learn: a PettingZoo environment, and agents to measure them by; described in docs/rl.md.

It needs the extra `rl`: NumPy, Gymnasium and PettingZoo.
"""

from __future__ import annotations

from kalooki_tui.rl.agents import Agent, at_random, greedy, of_level
from kalooki_tui.rl.environment import KalookiEnv, env

__all__ = ["Agent", "KalookiEnv", "at_random", "env", "greedy", "of_level"]
