"""PettingZoo environment for programs that learn, and agents to measure them by (docs/rl.md); needs the extra `rl`."""

from __future__ import annotations

try:
    from kalooki_tui.rl.environment import Agent, KalookiEnv, at_random, env, greedy, of_level
except ModuleNotFoundError as error:
    raise ImportError(
        f"{error}: kalooki_tui.rl needs the extra rl; kalooki doctor prints the line that adds it"
    ) from None

__all__ = ["Agent", "KalookiEnv", "at_random", "env", "greedy", "of_level"]
