"""Expectations of a position, compared with the match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct

from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.card_text import print_group
from kalooki_tui.positions.position_files import Places, Position
from kalooki_tui.problems import Failure


class Expectation(Struct, frozen=True):
    """Value of a key, or of a seat or meld under it; comparing says in which way it fails, or None."""

    position: Position
    path: tuple[str, ...]
    number: int
    value: Any

    @property
    def what(self) -> str:
        return ".".join(self.path)

    @property
    def expected(self) -> str:
        return self._text(self.value)

    def compare(self, match: Match) -> Failure | None:
        now = self._now(match)
        if now == self.value:
            return None
        why = f"{self.what} is {self._text(now) or 'empty'}, not {self.expected or 'empty'}"
        if self.path[0] == "table" and now is None:
            why = f"{self.what}: there are only {len(match.deal.melds)} melds on the table"
        return Failure(self.position.places.within("expect", *self.path), f"expect: {why}")

    def _now(self, match: Match) -> object:
        key, melds = self.path[0], match.deal.melds
        if key == "table":
            meld = melds[self.number] if self.number < len(melds) else None
            return self.value if meld is not None and _is_like(meld, self.value) else meld
        # Once the deal is over it is nobody's turn; the seat whose turn it was last may be named all the same.
        if key == "turn" and self.value is None and match.phase is Phase.OVER:
            return None
        return _NOW[key](match, self.number)

    def _text(self, value: Any) -> str:
        names, faces = self.position.names, self.position.rules.faces
        match self.path[0], value:
            case "hands", _:
                return faces.texts(value)
            case "discard", _:
                return faces.texts(value) or "null"
            case "winners", _:
                return ", ".join(names[seat] for seat in value) or "nobody"
            case key, _ if key in _SEATS:
                return "null" if value is None else names[value]
            case "void", _:
                return str(value).lower()
            case _, Group():
                return print_group(value, faces)
            case _, Meld():
                return f"the {value.kind} {faces.texts(value.cards)}"
        return str(value)


def expectations(position: Position) -> Iterator[Expectation]:
    """Yield what is expected, in the order of the file."""
    expect = position.places.keys.get("expect")
    for key in () if expect is None else Places(expect).keys:
        value = getattr(position.expect, key)
        if isinstance(value, dict):
            yield from (Expectation(position, (key, name), number, one) for (name, number), one in value.items())
        elif value is not None or key in _SEATS:
            yield Expectation(position, (key,), 0, value)


def _is_like(meld: Meld, group: Group) -> bool:
    """Compare a meld of the table: runs in order, sets as multisets."""
    same = meld.cards == group.cards if meld.kind is Kind.RUN else sorted(meld.cards) == sorted(group.cards)
    return same and group.kind in (None, meld.kind)


def _points(match: Match, seat: int) -> object:
    return "not scored yet" if match.deal.phase is not Phase.OVER or match.deal.void else match.deal.points[seat]


_SEATS: Final = ("turn", "out", "dealer")
_NOW: Final[dict[str, Callable[[Match, int], object]]] = {
    "hands": lambda match, seat: tuple(sorted(match.deal.hands[seat])),
    "scores": _points,
    "totals": lambda match, seat: match.totals[seat],
    "turn": lambda match, _: match.actor if match.phase is Phase.BUY_IN else match.deal.turn,
    "phase": lambda match, _: match.phase,
    "calls": lambda match, seat: match.deal.calls[seat],
    "out": lambda match, _: match.deal.out,
    "void": lambda match, _: match.deal.void,
    "dealer": lambda match, _: match.dealer,
    "winners": lambda match, _: tuple(sorted(match.winners)),
    "discard": lambda match, _: () if match.deal.top_discard is None else (match.deal.top_discard,),
    "stock_size": lambda match, _: len(match.deal.stock),
    "penalties": lambda match, seat: match.deal.penalties[seat] + match.deal.bonus[seat],
    "pool": lambda match, _: match.standing.pool,
    "money": lambda match, seat: match.standing.money[seat],
}
