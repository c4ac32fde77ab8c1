"""AI seats: `make_player` makes one of a given level. Each answers a view with a decision and knows nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kalooki_tui.players import temperaments
from kalooki_tui.players.protocol import Decision, Player

if TYPE_CHECKING:
    from kalooki_tui.engine.view import View
    from kalooki_tui.players.seat import AiSeat

__all__ = [
    "LEVELS",
    "LEVEL_TEXTS",
    "TEMPERAMENTS",
    "Decision",
    "Player",
    "check_level",
    "decide_without_core",
    "make_player",
    "without_core",
]

_STYLED: Final = ("club", "expert")
LEVELS: Final[tuple[str, ...]] = ("novice", *_STYLED, "master")
TEMPERAMENTS: Final[tuple[str, ...]] = tuple(temperaments.TEMPERAMENTS)
#: Most worlds in which a master plays a choice on, by the pace that may be named with it; `racing` bounds the work too.
PACES: Final = {"": 800, "quick": 160, "slow": 3200}
#: Every level, alone and with each temperament or pace it may have: `novice`, `club`, `club/caller`, …
LEVEL_TEXTS: Final[tuple[str, ...]] = (
    "novice",
    *(text for level in _STYLED for text in (level, *(f"{level}/{one}" for one in TEMPERAMENTS))),
    *(f"master/{pace}" if pace else "master" for pace in PACES),
)
LOST: Final = "The master's helper process crashed twice; from now on it plays like the expert."


def check_level(text: str) -> None:
    """Check that `text` is a level such as `club`, with a temperament (`club/caller`) or a pace (`master/quick`).

    Raises:
        ValueError: with a sentence that says what is wrong and what there is.
    """
    level, slash, temperament = text.partition("/")
    if level not in LEVELS:
        raise ValueError(f"there is no AI level {level!r}; choose from: {', '.join(LEVELS)}")
    if level == "master":
        if slash and (not temperament or temperament not in PACES):
            raise ValueError(f"a master has no pace {temperament!r}; choose from: {', '.join(filter(None, PACES))}")
        return
    if slash and level not in _STYLED:
        raise ValueError(f"the level {level} has no temperaments; only {' and '.join(_STYLED)} do")
    if slash and temperament not in TEMPERAMENTS:
        raise ValueError(f"there is no temperament {temperament!r}; choose from: {', '.join(TEMPERAMENTS)}")


def make_player(level: str, seed: str) -> AiSeat:
    """Make an AI seat of a level, such as `club`, with a temperament, `club/caller`, or a pace, `master/quick`.

    Its decisions depend on the view and `seed` alone.

    Raises:
        ValueError: there is no such level or temperament.
    """
    # Whoever only names levels, as the first screen does, need not load what plays.
    from kalooki_tui.players.club import Club
    from kalooki_tui.players.expert import Expert
    from kalooki_tui.players.novice import Novice

    check_level(level)
    name, _, manner = level.partition("/")
    if name == "novice":
        return Novice(seed)
    if name == "master":
        from kalooki_tui.players.master import Master

        return Master(seed, worlds=PACES[manner])
    return {"club": Club, "expert": Expert}[name](seed, temperaments.style_of(manner))


def without_core(level: str) -> str:
    """Return the level that decides without the native core, for use after a crash of it."""
    return "expert" if level.partition("/")[0] == "master" else level


def decide_without_core(level: str, seed: str, view: View) -> Decision:
    """Decide in this process after the helper process was lost; the notice says so if the level changes."""
    found = make_player(without_core(level), seed).decide(view)
    return found if without_core(level) == level else Decision(found.action, LOST)
