"""Positions: one table at one moment, steps to play from it, and what must come of them; read from YAML."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.nodes import located
from kalooki_tui.notation.seats import wrong_name
from kalooki_tui.positions.contradictions import refuse_contradictions
from kalooki_tui.positions.expectations import read_expectations
from kalooki_tui.positions.position import Known, Places, Position, PositionKeys
from kalooki_tui.problems import problem
from kalooki_tui.rulesets.loader import make_settings, resolve_setup
from kalooki_tui.rulesets.trees import without_empty
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml
from kalooki_tui.wording import quote

KEYS: Final = frozenset(one.name for one in fields(PositionKeys))

_BESIDE: Final = re.compile(r"(\./)?[^/\\]+\.ya?ml")
"""The path of a file in the position's own folder."""


def load_position(path: str | Path) -> Position:
    """The position in a file.

    Raises:
        InputError: anything wrong, with file and line.
    """
    return read_position(read_text(Path(path), "position"), str(path))


def read_position(content: str, file: str = "") -> Position:
    """The position in a YAML text; `file` is named in errors and is where relative paths of rulesets begin.

    Raises:
        InputError: anything wrong, with file and line.
    """
    from kalooki_tui.rulesets.checking import checked

    read = read_yaml(content, file, "position")
    # Without a value a key says nothing, but that nobody has thrown the top discard is to be said.
    root = without_empty(read, KEYS - {"discarded_by"})
    given, places = checked(PositionKeys, root), Places(root)
    names = tuple(seat.name for seat in given.seats)
    if wrong := wrong_name(names):
        raise problem(f"seats: {wrong.why}", places.within("seats", wrong.seat, "name"))
    known = Known(names, _rules(given, places))
    keys: dict[str, Any] = vars(checked(PositionKeys, root, context=known))
    dealer, turn = keys["dealer"], keys["turn"]
    if turn is None:
        if keys["phase"] is not Phase.OVER:
            raise problem("turn is missing: name the turn seat", root.place)
        turn = 0 if dealer is None else (dealer + 1) % len(names)
    before = [(turn - step) % len(names) for step in range(1, len(names) + 1)]
    if "discarded_by" not in places.keys:
        keys["discarded_by"] = next((seat for seat in before[:-1] if keys["seats"][seat].in_deal), None)
    keys |= {"dealer": before[0] if dealer is None else dealer, "turn": turn}
    keys["expect"] = read_expectations(places.keys["expect"], *known) if "expect" in places.keys else ()
    position = Position(**keys, places=places, names=names, rules=known.rules)
    refuse_contradictions(position)
    return position


def _rules(given: PositionKeys, places: Places) -> Rules:
    node = places.keys["ruleset"]
    _refuse_paths(node)
    with located(node.place):
        ruleset, chosen = resolve_setup(node, seats=len(given.seats))
    try:
        return make_rules(ruleset, len(given.seats), given.referee, make_settings(ruleset, chosen))
    except ValueError as error:
        raise problem(str(error), places.key("referee")) from None


def _refuse_paths(ruleset: Node) -> None:
    """See that a position opens no file but one beside it: positions are passed on from hand to hand."""
    keys = ruleset.value if isinstance(ruleset.value, dict) else {"extends": ruleset}
    named = keys.get("extends", ruleset)
    if not isinstance(named.value, str) or not re.search(r"[/\\]", named.value) or _BESIDE.fullmatch(named.value):
        return
    raise problem(
        f"ruleset: {quote(named.value)} is neither an id, such as jamaican, nor a file in the same folder, "
        "such as ./mine.yaml",
        named.place,
    )
