"""Lines of a record, written as a match is played.

The lines of a step are made right after it. A record calls seats by the names in its head, whatever they are called
later on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action, Draw, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.action_text import print_action
from kalooki_tui.notation.seat_text import by_name
from kalooki_tui.records.lines import FORMAT, POSITION
from kalooki_tui.rulesets.model import applying, to_data

Line: TypeAlias = dict[str, Any]

LAST_DEAL: Final = "last_deal"
#: Keys of lines about the table itself: nothing takes them back, and no `undone` counts them.
ABOUT_TABLE: Final = frozenset({"seat", LAST_DEAL})
#: The key of a pass that was made for a person who was not asked.
UNASKED: Final = "unasked"


def is_about_table(line: Line) -> bool:
    """Return whether a line is about the table, and none of the match's actions."""
    return not ABOUT_TABLE.isdisjoint(line)


def in_effect(lines: Iterable[Line]) -> list[Line]:
    """Return the lines in effect, without those about the table."""
    found: list[Line] = []
    for line in lines:
        if "undone" in line:
            del found[-line["undone"] :]
        elif not is_about_table(line):
            found.append(line)
    return found


class RecordHead(Struct, frozen=True):
    """Head of a record; names and players in clockwise order."""

    rules: Rules
    names: tuple[str, ...]
    players: tuple[str, ...]
    """Such as ``human`` or ``ai:club``."""
    seed: int | None
    """None: the deals stand only in the record."""
    options: tuple[str, ...] = ()
    """Options of the ruleset, which its rules hold already."""
    first_turn: int = 0
    position: Mapping[str, Any] | None = None
    """Keys of the position at which the match begins; None: with its first deal."""


def dump(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False)


def head_line(head: RecordHead) -> Line:
    ruleset = head.rules.ruleset
    line: Line = {
        "kalooki": FORMAT,
        "ruleset": ruleset.id,
        "options": list(head.options),
        "referee": str(head.rules.referee),
        "seed": head.seed,
        "settings": applying(ruleset, head.rules.settings),
        "seats": [{"name": name, "player": player} for name, player in zip(head.names, head.players, strict=True)],
    }
    if head.position is not None:
        line[POSITION] = head.position
    if ruleset.seating.first_turn == "named-then-winner":
        line["first_turn"] = head.names[head.first_turn]
    return {**line, "rules": to_data(ruleset)}


def start_lines(head: RecordHead, match: Match) -> list[Line]:
    """Return the lines of a new match: the head, and the deal unless the cut comes first (B1) or it has begun."""
    begins = head.position is None and match.deal.phase is not Phase.CUT
    return [head_line(head), *([deal_line(match)] if begins else [])]


def deal_line(match: Match) -> Line:
    """Return the cards as dealt; the deal must stand at its start."""
    deal, faces, names = match.deal, match.rules.faces, match.setup.names
    return {
        "deal": deal.number,
        "try": deal.attempt,
        "dealer": names[deal.dealer],
        "hands": {name: faces.texts(hand) for name, hand in zip(names, deal.hands, strict=True)},
        "discard": faces.text(deal.pile[-1]),
        "stock": faces.texts(reversed(deal.stock)),
    }


def step_lines(
    match: Match,
    action: Action | None,
    events: Sequence[Event],
    refusal: Refusal | None = None,
    *,
    asked: bool = True,
) -> list[Line]:
    """Return the lines of a step, right after it.

    `action` None: the table dealt or passed a contract over. `refusal`: the attempt was taken back, but changed the
    deal all the same (§11); others do not belong in a record. Not `asked`: a pass made for a person.
    """
    lines: list[Line] = []
    faces = match.rules.faces
    if action is not None:
        line: Line = {"do": print_action(action, match.setup.names, faces)}
        if refusal is not None:
            line["refused"] = refusal.code
            if refusal.charged:
                line["charged"] = refusal.charged
        elif isinstance(action, Draw) and action.source is Source.STOCK:
            # Nothing was drawn where the deal became void instead.
            drawn = (event.card for event in events if isinstance(event, happened.Drew))
            line |= next(({"got": faces.text(card)} for card in drawn if card is not None), {})
        if not asked:
            line[UNASKED] = True
        lines.append(line)
    for event in events:
        lines += _event_lines(match, event)
    return lines


def _event_lines(match: Match, event: Event) -> list[Line]:
    names, faces = match.setup.names, match.rules.faces
    match event:
        case happened.Dealt():
            return [deal_line(match)]
        case happened.Reshuffled(stock=stock):
            return [{"reshuffled": faces.texts(stock or ())}]
        case happened.Voided(deal=deal, attempt=attempt, turns=turns):
            return [{"void": deal, "try": attempt} | ({} if turns is None else {"turns": turns})]
        case happened.Scored(points=points, out=out, bent=bent, totals=totals):
            who = None if out is None else names[out]
            scored = by_name(names, points)
            return [{"scored": scored, "out": who, "bent": bent, "totals": by_name(names, totals)}]
        case happened.PassedOver(deal=deal, points=points, totals=totals):
            return [{"passed_over": deal, "scored": by_name(names, points), "totals": by_name(names, totals)}]
        case happened.MatchOver(winners=winners, totals=totals):
            result: Line = {"winners": [names[seat] for seat in winners], "totals": by_name(names, totals)}
            if any(match.standing.money):
                result["money"] = by_name(names, match.standing.money)
            return [{"result": result}]
    return []
