"""A moment of a match as a position file: what `read_position` and `set_up` make the same moment of."""

from __future__ import annotations

from typing import Final

from kalooki_tui.engine.match import Match
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.rulesets.yaml_source import Plain, write_yaml

_LAID: Final[dict[HasLaid, Plain]] = {HasLaid.NO: False, HasLaid.THIS_TURN: "this-turn", HasLaid.EARLIER: True}


def position_text(match: Match, title: str, reason: str = "", options: tuple[str, ...] = ()) -> str:
    """The position as YAML, every card of the deck in its place.

    Raises:
        ValueError: no deal is being played, so that there is nothing to write.
    """
    deal, names, faces = match.deal, match.names, match.rules.faces
    if match.actor is None:
        raise ValueError("no deal is being played: there is no position to write")
    seats: list[Plain] = []
    for seat, name in enumerate(names):
        one: dict[str, Plain] = {"name": name, "hand": faces.texts(sorted(deal.hands[seat]))}
        one |= {"laid": _LAID[deal.laid[seat]]} if deal.laid[seat] is not HasLaid.NO else {}
        one |= {"calls": deal.calls[seat]} if deal.calls[seat] else {}
        one |= {"score": deal.standing.totals[seat]} if deal.standing.totals[seat] else {}
        seats.append(one)
    ruleset: Plain = match.rules.ruleset.id
    if options:
        ruleset = {"extends": match.rules.ruleset.id, "options": list(options)}
    data: dict[str, Plain] = {
        "title": title,
        **({"reason": reason} if reason else {}),
        "ruleset": ruleset,
        "deal": deal.number,
        "dealer": names[deal.dealer],
        "turn": names[deal.turn],
        "phase": str(match.phase),
        "discarded_by": None if deal.discarded_by is None else names[deal.discarded_by],
    }
    data |= {"dead": True} if deal.dead else {}
    data |= {"caller": names[deal.caller]} if deal.caller is not None else {}
    data |= {"flip": faces.text(deal.flip)} if deal.flip is not None else {}
    data |= {"reshuffles": deal.reshuffles} if deal.reshuffles else {}
    data["seats"] = seats
    if deal.melds:
        data["table"] = [{"owner": names[meld.owner], "cards": faces.texts(meld.cards)} for meld in deal.melds]
    data["stock"] = faces.texts(reversed(deal.stock))
    data["stock_only"] = True
    data["discard"] = faces.texts(reversed(deal.pile))
    return write_yaml(data)
