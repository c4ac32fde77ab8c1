"""A match's row in the list: written from its table, and read with care, since anything may have changed it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from kalooki_tui.store.errors import StoreError
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import Table

COLUMNS: Final = (
    "id",
    "ruleset",
    "name",
    "options",
    "referee",
    "seats",
    "started",
    "played",
    "deal",
    "deals",
    "totals",
    "finished",
    "winners",
    "teaching",
    "imported",
    "ui_state",
)
UPSERT: Final = (
    f"INSERT INTO matches ({', '.join(COLUMNS)}) VALUES ({', '.join(f':{name}' for name in COLUMNS)}) "
    f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in COLUMNS[1:])}"
)

MOST_SHOWN: Final = 40
"""Characters of a wrong value that a message quotes."""


class Row(Protocol):
    """A row of `matches`, from the database or made here."""

    def __getitem__(self, column: str, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in a list. Seats, totals and winners are in clockwise order."""

    id: str
    ruleset: str
    name: str
    """The ruleset's."""
    options: tuple[str, ...]
    referee: str
    seats: tuple[SeatPlan, ...]
    started: datetime
    played: datetime
    """When the last step was made."""
    deal: int
    deals: int | None
    """How many the match has; None: it goes on until one seat is left."""
    totals: tuple[int, ...]
    finished: bool
    winners: tuple[int, ...]
    teaching: bool
    imported: bool
    elsewhere: bool
    """Whether it is being played just now, by another program or by this one."""

    def data(self) -> dict[str, Any]:
        """The summary for programs."""
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
            "imported": self.imported,
            "playing": self.elsewhere,
        }


# Writing


def match_row(
    match_id: str,
    table: Table,
    *,
    started: datetime,
    played: datetime,
    teaching: bool = False,
    imported: bool = False,
    ui_state: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What the database's list of matches says of a match, for `UPSERT`."""
    match = table.match
    ruleset = match.rules.ruleset
    endless = ruleset.end.after == "elimination"
    return {
        "id": match_id,
        "ruleset": ruleset.id,
        "name": ruleset.name,
        "options": json.dumps(table.setup.options),
        "referee": str(match.rules.referee),
        "seats": dump_seats(table.plans),
        "started": started.isoformat(),
        "played": played.isoformat(),
        "deal": match.deal.number,
        "deals": None if endless else len(ruleset.deals),
        "totals": json.dumps(match.totals),
        "finished": match.finished,
        "winners": json.dumps(match.winners),
        "teaching": teaching,
        "imported": imported,
        "ui_state": json.dumps(ui_state or {}),
    }


def dump_seats(plans: Sequence[SeatPlan]) -> str:
    """The seats as the database has them."""
    return json.dumps([{"name": plan.name, "player": plan.player} for plan in plans])


# Reading


def decode(raw: bytes) -> str:
    """Text of the database. Bytes that are no UTF-8 become lone surrogates: they spoil one value, not a query."""
    return raw.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` read, whatever they were."""
    return text.encode("utf-8", "surrogateescape")


def read_row(row: Row) -> Summary:
    """The summary of a match; that it is being played elsewhere no row says.

    Raises:
        StoreError: a value cannot be what the program wrote; the text names the match, the column and the value.
    """
    values: dict[str, Any] = {}
    for column, read in READERS.items():
        try:
            values[column] = read(row[column])
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            raise _unreadable(row, column) from None
    if len(values["totals"]) != len(values["seats"]):
        raise _unreadable(row, "totals")
    if not all(0 <= seat < len(values["seats"]) for seat in values["winners"]):
        raise _unreadable(row, "winners")
    return Summary(**values, elsewhere=False)


def read_ui_state(row: Row) -> dict[str, Any]:
    """What the screen keeps of a match; nothing where that cannot be read: no match is given up for it."""
    try:
        state = json.loads(_text(row["ui_state"]))
    except (ValueError, TypeError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


def show_id(match_id: object) -> str:
    """A match's id in a message, whatever has become of it."""
    return str(match_id).encode("utf-8", "backslashreplace").decode()


def _unreadable(row: Row, column: str) -> StoreError:
    # What does not print, such as bytes that are no text, is escaped.
    shown = repr(row[column])
    if len(shown) > MOST_SHOWN:
        shown = f"{shown[:MOST_SHOWN]}…"
    return StoreError(f"Match {show_id(row['id'])} cannot be read: its {column!r} in the list of matches is {shown}")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()
    return value


def _list(value: Any) -> list[Any]:
    found = json.loads(_text(value))
    if not isinstance(found, list):
        raise TypeError
    return found


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(map(_number, _list(value)))


def _number_or_none(value: Any) -> int | None:
    return None if value is None else _number(value)


def _flag(value: Any) -> bool:
    # Rows made here hold truth values, rows of the database 0 and 1.
    if value not in (0, 1):
        raise ValueError
    return bool(value)


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    # A time without a zone cannot be compared with others, and the first and last day there are have no local time.
    if moment.utcoffset() is None:
        raise ValueError
    moment.astimezone()
    return moment


def _seats(value: Any) -> tuple[SeatPlan, ...]:
    return tuple(SeatPlan(_text(seat["name"]), _text(seat["player"])) for seat in _list(value))


READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "id": _text,
    "ruleset": _text,
    "name": _text,
    "options": _texts,
    "referee": _text,
    "seats": _seats,
    "started": _moment,
    "played": _moment,
    "deal": _number,
    "deals": _number_or_none,
    "totals": _numbers,
    "finished": _flag,
    "winners": _numbers,
    "teaching": _flag,
    "imported": _flag,
}
"""How each column is read that a summary has."""
