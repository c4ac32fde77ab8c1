import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import KINDS_OF_CARD
from kalooki_tui.coach.clauses import Section, find_clause, rules_text
from kalooki_tui.engine import actions as act
from kalooki_tui.engine.actions import Action, End, Swap, Tack
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import State
from kalooki_tui.positions.position_files import Position, load_position
from kalooki_tui.positions.staging import check_position, play_step, set_up
from kalooki_tui.rulesets.folders import available

POSITIONS: Final = Path(__file__).with_name("positions")
FILES: Final = sorted(POSITIONS.glob("*.yaml"))
CLAUSES: Final = Path(__file__).with_name("clauses.txt").read_text(encoding="utf-8").split()
#: Actions of which nothing is said but the seat.
NOTHING_MORE: Final = (act.Call, act.Pass, act.Allow, act.Refuse, act.EndTurn, act.Done, act.BuyIn, act.Leave)
_ID: Final = re.compile(r"[A-Z][0-9]+a?")


position_in = cache(load_position)


@cache
def told(rules: Rules) -> tuple[Section, ...]:
    """What is said of the rules of a table: every refusal has its place there."""
    return tuple(rules_text(rules.ruleset, rules))


def clauses_of(file: Path) -> set[str]:
    """The clause ids a file's name begins with."""
    words = file.stem.split("_")
    return {word for word in words[:-1] if _ID.fullmatch(word)}


def everything(match: Match, seat: int) -> Iterator[Action]:
    """Every action that the list would name if it were legal."""
    yield from (kind(seat) for kind in NOTHING_MORE)
    yield from (act.Draw(seat, source) for source in act.Source)
    held = sorted(set(match.deal.hands[seat])) or range(KINDS_OF_CARD)
    for card in held:
        yield act.Discard(seat, card)
        for meld in range(len(match.deal.melds)):
            for end in (None, *End):
                yield Tack(seat, (card,), meld, end)
                yield Swap(seat, card, meld, end)


def is_needless(match: Match, action: Action) -> bool:
    """Whether the action names an end though it would come to the same without."""
    if not isinstance(action, Tack | Swap) or action.end is None:
        return False
    bare = replace(action, end=None)
    return match.why_not(bare) is None and melds_after(match, bare) == melds_after(match, action)


def melds_after(match: Match, action: Action) -> list[Meld]:
    after = match.clone()
    after.apply(action)
    return after.deal.melds


def check_legal(match: Match) -> None:
    """See that the legal actions are exactly those that `apply` takes."""
    for seat in range(match.rules.seats):
        legal = match.legal(seat)
        assert len(set(legal)) == len(legal)
        taken = {action for action in everything(match, seat) if match.why_not(action) is None}
        listed = {action for action in taken if not is_needless(match, action)}
        # A lay-down is listed only where it is all that can be done with a drawn discard (H6).
        assert set(legal) == listed or (not listed and match.why_not(legal[0]) is None)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_position_holds_lists_what_is_legal_and_changes_by_a_refusal_only_what_is_charged(file: Path) -> None:
    position = position_in(file)
    failure = check_position(position)
    assert failure is None, str(failure)
    assert position.title
    assert position.expect
    assert clauses_of(file)
    assert clauses_of(file) <= set(CLAUSES)
    match = set_up(position)
    check_legal(match)
    for step in position.steps:
        before, why = _state(match.deal), match.why_not(step.action)
        assert why is None or find_clause(told(position.rules), why.clause) is not None, why
        assert play_step(match, step) is None
        if step.refused is not None and not step.charged:
            assert _state(match.deal) == before
        else:
            check_legal(match)


def has_both_kinds(position: Position) -> bool:
    """Whether the position holds an accepted step and a refused one."""
    refused = [step.refused is not None for step in position.steps]
    return any(refused) and not all(refused)


def test_every_ruleset_has_positions_and_every_clause_one_with_an_accepted_and_a_refused_step() -> None:
    positions = {file: position_in(file) for file in FILES}
    shown = {clause for file, position in positions.items() if has_both_kinds(position) for clause in clauses_of(file)}
    assert set(CLAUSES) - shown == set()
    played = {position.rules.ruleset.id for position in positions.values()}
    assert played >= {entry.id for entry in available() if entry.builtin}


def _state(deal: State) -> dict[str, object]:
    """Everything in a deal but whether a bad lay-down is to be charged at the end of the turn (F1a)."""
    copy = deal.clone()
    return {one.name: getattr(copy, one.name) for one in fields(State) if one.name != "bad_lay_open"}
