"""AI seats: `make_player` makes one of a given level. Each answers a view with a decision and knows nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct

from kalooki_tui.problems import nearest

if TYPE_CHECKING:
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.engine.view import View
    from kalooki_tui.players.seat import AiSeat

_STYLED: Final = ("club", "expert")
LEVELS: Final[tuple[str, ...]] = ("novice", *_STYLED, "master")
#: Moods of club and expert players, for a table whose seats play differently. Each bends the weights so little that the
#: strength stays the level's (`docs/performance.md`).
TEMPERAMENTS: Final[dict[str, dict[str, Any]]] = {
    # Wants the open card: calls and takes what merely opens more ways, and so refuses more of the others' calls.
    "caller": {"call_gain": 2.0, "take_gain": 0.7, "leans": (("call", 4.0),)},
    # Minds points in the hand less, parts from pairs later, and may wait with a contract to go out whole.
    "hoarder": {"risk": 0.15, "risk_laid": 0.35, "pair": 2.0, "hold": 0.5, "leans": (("lay", -4.0),)},
    # Rids the hand of points early, and once laid keeps little for melds and runs to come.
    "racer": {"risk": 0.5, "risk_laid": 0.9, "laid_meld": 12.0, "laid_near": 2.0, "leans": (("lay", 4.0),)},
}
#: Most worlds in which a master plays a choice on, by the pace that may be named with it; `race` bounds the work too.
PACES: Final = {"": 800, "quick": 160, "slow": 3200}
#: Every level, alone and with each temperament or pace it may have: `novice`, `club`, `club/caller`, …
LEVEL_TEXTS: Final[tuple[str, ...]] = (
    "novice",
    *(text for level in _STYLED for text in (level, *(f"{level}/{one}" for one in TEMPERAMENTS))),
    *(f"master/{pace}" if pace else "master" for pace in PACES),
)
LOST: Final = "The master's helper process crashed twice; from now on it plays like the expert."


class PlayerChoice(Struct, frozen=True):
    action: Action
    notice: str = ""
    """If a fault kept the level from its own choice: a sentence to show once."""


class Player(Protocol):
    def decide(self, view: View) -> PlayerChoice:
        """Decide on an action; `view.actor` is the view's own seat."""
        ...


def check_level(text: str) -> None:
    """Check a level such as `club`, `club/caller` or `master/quick`; raise ValueError with a sentence for people."""
    if text not in LEVEL_TEXTS:
        raise ValueError(f"there is no AI level {text!r}{nearest(text, LEVEL_TEXTS)}")


def make_player(level: str, seed: str) -> AiSeat:
    """Make an AI seat of a level as `check_level` takes it; its decisions depend on view and `seed` alone."""
    # Whoever only names levels, as the first screen does, need not load what plays.
    from kalooki_tui.players.club import Club
    from kalooki_tui.players.expert import Expert
    from kalooki_tui.players.novice import Novice
    from kalooki_tui.playouts.worlds import Style

    check_level(level)
    name, _, manner = level.partition("/")
    if name == "novice":
        return Novice(seed)
    if name == "master":
        from kalooki_tui.players.master import Master

        return Master(seed, worlds=PACES[manner])
    return {"club": Club, "expert": Expert}[name](seed, Style(**TEMPERAMENTS.get(manner, {})))


def without_core(level: str) -> str:
    """Return the level that decides without the native core, for use after a crash of it."""
    return "expert" if level.partition("/")[0] == "master" else level


def decide_without_core(level: str, seed: str, view: View) -> PlayerChoice:
    """Decide in this process after the helper process was lost; the notice says so if the level changes."""
    found = make_player(without_core(level), seed).decide(view)
    return found if without_core(level) == level else PlayerChoice(found.action, LOST)
