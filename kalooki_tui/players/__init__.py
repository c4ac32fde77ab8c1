"""AI seats: `make_player` gives one of a level; each answers a view with a decision, and knows nothing else."""

from __future__ import annotations

from typing import Final

from kalooki_tui.players.club import Club
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.novice import Novice
from kalooki_tui.players.protocol import Decision, Player
from kalooki_tui.players.seat import AiSeat

__all__ = ["LEVELS", "Decision", "Player", "make_player"]

_LEVELS: Final[dict[str, type[AiSeat]]] = {"novice": Novice, "club": Club, "expert": Expert}
LEVELS: Final[tuple[str, ...]] = tuple(_LEVELS)


def make_player(level: str, seed: str) -> Player:
    """An AI seat of a level; its decisions depend on the view and `seed` alone.

    Raises:
        ValueError: there is no such level.
    """
    try:
        return _LEVELS[level](seed)
    except KeyError:
        raise ValueError(f"there is no AI level {level!r}; there are: {', '.join(LEVELS)}") from None
