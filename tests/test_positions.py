"""The rules, clause by clause: every position comes out as it says, and every clause has one.

A position's file name begins with the ids of its clauses, separated by ``_``: ``D20_K10_the-joker-of-a-set.yaml``.
"""

import re
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.engine.state import State
from kalooki_tui.positions.position_files import Position, load_position
from kalooki_tui.positions.setup import check_position, play_step, set_up
from kalooki_tui.rulesets.folders import available

POSITIONS: Final = Path(__file__).with_name("positions")
FILES: Final = sorted(POSITIONS.glob("*.yaml"))
CLAUSES: Final = Path(__file__).with_name("clauses.txt").read_text(encoding="utf-8").split()
_ID: Final = re.compile(r"[A-Z][0-9]+a?")


def clauses_of(file: Path) -> set[str]:
    """The clause ids a file's name begins with."""
    words = file.stem.split("_")
    return {word for word in words[:-1] if _ID.fullmatch(word)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_position_holds_and_a_refused_step_changes_nothing_unless_it_is_charged(file: Path) -> None:
    position = load_position(file)
    failure = check_position(position)
    assert failure is None, str(failure)
    assert position.title
    assert position.expect
    assert clauses_of(file)
    assert clauses_of(file) <= set(CLAUSES)
    match = set_up(position)
    for step in position.steps:
        before = _state(match.deal)
        assert play_step(match, step) is None
        if step.refused is not None and not step.charged:
            assert _state(match.deal) == before


def has_both_kinds(position: Position) -> bool:
    """Whether the position holds an accepted step and a refused one."""
    refused = [step.refused is not None for step in position.steps]
    return any(refused) and not all(refused)


def test_every_clause_has_a_position_with_an_accepted_and_a_refused_step() -> None:
    shown = {clause for file in FILES if has_both_kinds(load_position(file)) for clause in clauses_of(file)}
    assert set(CLAUSES) - shown == set()


def test_every_ruleset_has_positions() -> None:
    played = {load_position(file).rules.ruleset.id for file in FILES}
    assert played >= {entry.id for entry in available() if entry.builtin}


def _state(deal: State) -> dict[str, object]:
    """Everything in a deal but whether a bad lay-down is to be charged at the end of the turn (F1a)."""
    copy = deal.clone()
    return {one.name: getattr(copy, one.name) for one in fields(State) if one.name != "bad_lay_open"}
