"""Traces: beside each recorded match, how the table stands after each line, so that a difference names its step.

A trace has a line for every line of the record. It holds the values of `COLUMNS` in their order; `=` stands for the
value of the line before, and a line of `=` alone says that nothing has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Final

from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.notation.action_text import print_action
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import DoesNotFollow, open_record

COLUMNS: Final = {
    "phase": "the phase",
    "turn": "the turn seat, from 1",
    "actor": "the seat to act, from 1, or none",
    "hands": "how many cards each seat holds",
    "stock": "how many cards lie in the stock",
    "pile": "how many cards lie on the discard pile",
    "table": "the melds, s for a set and r for a run, with their lengths",
    "seats": "of each seat: whether it has laid, its calls, and what is charged or forbidden",
    "legal": "how many actions are listed for the seat to act",
    "lay": "whether the seat to act may lay",
    "challenge": "how many seats it may challenge",
    "actions": "a digest of the listed actions",
    "state": "a digest of all the cards, the scores and the rest",
}
SAME: Final = "="
DIGITS: Final = 5
"""Hexadecimal digits of a digest; all of a match's digests in a row leave a difference no place to hide."""
LAID: Final = {HasLaid.NO: "-", HasLaid.THIS_TURN: "t", HasLaid.EARLIER: "e"}


class Differs(AssertionError):
    """A record no longer plays as it did: the message names the file, the line, the action and what differs."""


def standing(match: Match | None) -> dict[str, str]:
    """How the table stands, by column; nothing before the first deal."""
    if match is None:
        return {}
    deal = match.deal
    values = {
        "phase": match.phase.value,
        "turn": str(deal.turn + 1),
        "actor": "none" if match.actor is None else str(match.actor + 1),
        "hands": ".".join(str(len(hand)) for hand in deal.hands),
        "stock": str(len(deal.stock)),
        "pile": str(len(deal.pile)),
        "table": ".".join(f"{'s' if meld.kind is Kind.SET else 'r'}{len(meld.cards)}" for meld in deal.melds) or "none",
        "seats": ".".join(_seat(deal, seat) for seat in range(len(match.names))),
    }
    view = None if match.actor is None else match.view(match.actor)
    listed = _listed(match)
    return values | {
        "legal": str(len(listed)),
        "lay": "yes" if view is not None and view.may_lay else "no",
        "challenge": "0" if view is None else str(len(view.may_challenge)),
        "actions": _digest(listed),
        "state": _digest(_rest(match)),
    }


def _listed(match: Match) -> list[str]:
    if match.actor is None:
        return []
    return sorted(print_action(action, match.names, match.rules.faces) for action in match.legal(match.actor))


def _seat(deal: Deal, seat: int) -> str:
    parts = [LAID[deal.laid[seat]], str(deal.calls[seat])]
    parts += [f"f{deal.found[seat]}"] if deal.found[seat] else []
    parts += [f"p{deal.penalties[seat]}"] if deal.penalties[seat] else []
    parts += [f"b{deal.bonus[seat]}"] if deal.bonus[seat] else []
    parts += ["!"] if deal.bend_forbidden[seat] else []
    parts += [] if deal.in_deal[seat] else ["x"]
    return "".join(parts)


def _rest(match: Match) -> list[str]:
    """All that the columns only count or leave out, in words that no renaming inside the engine changes."""
    deal, at, cards = match.deal, match.standing, match.rules.faces.texts
    return [
        f"deal {deal.number} {deal.attempt} dealer {deal.dealer}",
        *(cards(sorted(hand)) for hand in deal.hands),
        cards(deal.stock),
        f"{cards(deal.pile)} {deal.face_down} down, dead {deal.dead} by {deal.discarded_by} caller {deal.caller}",
        f"flip {'' if deal.flip is None else cards([deal.flip])}",
        *(f"{meld.owner} {meld.kind.value} {cards(meld.cards)}" for meld in deal.melds),
        f"added {sorted((number, end.value, count) for (number, end), count in deal.added.items())}",
        f"asked {deal.asked} reshuffles {deal.reshuffles} bad lay {deal.bad_lay_open}",
        f"out {deal.out} bent {deal.bent} doubled {deal.doubled} void {deal.void} points {deal.points}",
        f"totals {list(at.totals)} money {list(at.money)} pool {at.pool} finished {match.finished}",
    ]


def _digest(lines: list[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:DIGITS]


def trace(record: Path) -> Iterator[str]:
    before: dict[str, str] = {}
    for _, now, _ in _steps(record):
        yield _written(before, now)
        before = now


def compare(record: Path) -> None:
    """Play the record again beside its trace.

    Raises:
        Differs: at the first line that does not follow, or after which the table stands otherwise than the trace says.
    """
    kept = record.with_suffix(".trace").read_text(encoding="utf-8").splitlines()
    expected: dict[str, str] = {}
    for step, line in zip_longest(_steps(record), kept):
        if step is None or line is None:
            raise Differs(f"{record.name} and its trace differ in length")
        what, now, match = step
        expected = _read(line, expected)
        if now != expected:
            raise Differs(f"{what}: {_difference(expected, now)}{_said(match, now, expected)}")


def _steps(record: Path) -> Iterator[tuple[str, dict[str, str], Match | None]]:
    """Of each line: where it stands and what it says, how the table stands after it, and the match."""
    file = open_record(str(record))
    with file.stream:
        replay = Replay(file)
        try:
            for played in replay.steps():
                data = played.line.data
                what = repr(data["do"]) if "do" in data else f"the line {next(iter(data))!r}"
                yield f"{record.name}:{played.line.place.line}: after {what}", standing(replay.match), replay.match
        except DoesNotFollow as fault:
            raise Differs(str(fault)) from None
        if file.cut_off or replay.due:
            raise Differs(f"{record.name} is cut off")


def _written(before: dict[str, str], now: dict[str, str]) -> str:
    if before == now:
        return SAME
    return " ".join(SAME if now[column] == before.get(column) else now[column] for column in COLUMNS)


def _read(line: str, before: dict[str, str]) -> dict[str, str]:
    if line == SAME:
        return before
    words = dict(zip(COLUMNS, line.split(" "), strict=True))
    return {column: before[column] if word == SAME else word for column, word in words.items()}


def _difference(expected: dict[str, str], now: dict[str, str]) -> str:
    different = [column for column in COLUMNS if expected.get(column) != now.get(column)]
    return "; ".join(
        f"{column} is {now.get(column, 'missing')}, not {expected.get(column, 'missing')} ({COLUMNS[column]})"
        for column in different
    )


def _said(match: Match | None, now: dict[str, str], expected: dict[str, str]) -> str:
    if match is None or now.get("actions") == expected.get("actions"):
        return ""
    return f"; listed now: {', '.join(_listed(match)) or 'nothing'}"
