"""Summaries of matches for a list."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.players import LEVEL_TEXTS, LEVELS
from kalooki_tui.storage.scan import Listing, Scan

if TYPE_CHECKING:
    from kalooki_tui.storage.index import IndexEntry

_DAILY: Final = "daily "
_MARK: Final = re.compile(r".*-([0-9a-f]{8})")


class Summary(Listing, frozen=True, kw_only=True):
    id: str
    """File name without its ending."""
    seats: tuple[SeatPlan, ...]
    started: datetime
    played: datetime
    imported: bool
    """True if it was not played here."""
    elsewhere: bool = False
    """True while it is being played."""
    damage: str = ""
    """Error in its file; empty: none."""

    def data(self) -> dict[str, Any]:
        names = [seat.name for seat in self.seats]
        return {
            "id": self.id,
            "ruleset": self.ruleset,
            "options": list(self.options),
            "referee": self.referee,
            "seats": [{"name": seat.name, "player": seat.player} for seat in self.seats],
            "started": self.started.isoformat(),
            "played": self.played.isoformat(),
            "deal": self.deal,
            "deals": self.deals,
            "totals": dict(zip(names, self.totals, strict=True)),
            "finished": self.finished,
            "winners": [names[seat] for seat in self.winners],
            "teaching": self.teaching,
            "from_position": self.from_position,
            "imported": self.imported,
            "duplicate": list(self.duplicate) or None,
            "playing": self.elsewhere,
            "damage": self.damage or None,
        }


def daily_key(day: date) -> str:
    """Return the key of a date's deal: ``daily 2026-11-21``."""
    return f"{_DAILY}{day.isoformat()}"


def day_of(duplicate: Sequence[str]) -> date | None:
    """Return the date of a daily match, by the key in its record; None: not one."""
    try:
        return date.fromisoformat(duplicate[0].removeprefix(_DAILY)) if duplicate[0].startswith(_DAILY) else None
    except (IndexError, ValueError):
        return None


def short_id(match_id: str) -> str:
    """Return the letters at the end of a name that the program made, else the whole name."""
    found = _MARK.fullmatch(match_id)
    return match_id if found is None else found[1]


def new_id(ruleset: str, day: datetime | None = None) -> str:
    """Make an id, which is also a file name: the day, the game, and eight random letters."""
    game = "".join(letter if letter.isalnum() else "-" for letter in Path(ruleset).stem)[:40]
    return f"{day or datetime.now().astimezone():%Y-%m-%d}-{game}-{os.urandom(4).hex()}"


def is_ours(match_id: str) -> bool:
    return _MARK.fullmatch(match_id) is not None


def summary_of(known: IndexEntry, scan: Scan, home: str, locked: bool) -> Summary:
    played = datetime.fromtimestamp(known.stamp.modified / 1e9, UTC)
    ours = bool(home) and scan.home == home
    return Summary(
        **{name: getattr(scan, name) for name in Listing.__struct_fields__},
        id=known.name.rpartition(".")[0],
        seats=plans_of(scan.seats, scan.players, ours=ours),
        started=moment_of(scan.started) or played,
        played=played,
        imported=not ours,
        elsewhere=locked,
        damage=known.problem,
    )


def plans_of(names: tuple[str, ...], players: tuple[str, ...], *, ours: bool = False) -> tuple[SeatPlan, ...]:
    """Return the players of a record; commands only of matches played here, and only to show."""
    return tuple(SeatPlan(name, _player(player, ours)) for name, player in zip(names, players, strict=True))


def _player(player: str, ours: bool) -> str:
    if player == "human" or (ours and player.startswith("exec:")):
        return player
    level = player.removeprefix("ai:")
    return f"ai:{level if level in LEVEL_TEXTS else LEVELS[0]}"


def moment_of(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    # A time without a zone cannot be compared with others, and the first and last day there are have no local time.
    return moment if moment.tzinfo is not None and 1 < moment.year < 9999 else None
