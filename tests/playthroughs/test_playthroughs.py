"""Every recorded match plays again to the letter, with the same actions legal at every step."""

from __future__ import annotations

import json

import pytest

from kalooki_tui.engine.actions import Discard
from kalooki_tui.engine.legal import legal_actions
from kalooki_tui.engine.state import State
from kalooki_tui.records.verifying import verify
from kalooki_tui.rulesets.loader import available
from tests.playthroughs import golden

NAMES = sorted(golden.wanted())


def test_every_ruleset_and_number_of_seats_has_a_playthrough() -> None:
    builtin = {entry.id for entry in available() if entry.builtin}
    assert builtin == set(golden.RULESETS)
    there = {path.name for path in golden.FOLDER.glob("*.jsonl")}
    assert there == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_playthrough_follows_line_by_line(name: str) -> None:
    verdict = verify(str(golden.FOLDER / name))
    assert verdict.ok, str(verdict)
    assert not verdict.cut_off


@pytest.mark.parametrize("name", NAMES)
def test_the_same_actions_are_legal_along_it(name: str) -> None:
    recorded = json.loads(golden.COUNTS.read_text(encoding="utf-8"))
    assert golden.legal_counts(golden.FOLDER / name) == recorded[name]


def test_a_change_of_what_is_legal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_discard_less(state: State, seat: int) -> list[object]:
        actions = legal_actions(state, seat)
        return [action for action in actions if not (isinstance(action, Discard) and action.card == 0)]

    monkeypatch.setattr("kalooki_tui.engine.deal.legal_actions", one_discard_less)
    name = "jamaican-3.jsonl"
    recorded = json.loads(golden.COUNTS.read_text(encoding="utf-8"))
    assert golden.legal_counts(golden.FOLDER / name) != recorded[name]
