"""The list of legal actions is exactly what `apply` takes: tried one by one in every position of the clauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import KINDS_OF_CARD
from kalooki_tui.engine.actions import (
    Action,
    Allow,
    BuyIn,
    Call,
    Discard,
    Done,
    Draw,
    End,
    EndTurn,
    Leave,
    Pass,
    Refuse,
    Source,
    Swap,
    Tack,
)
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import Meld
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.setup import play_step, set_up

FILES = sorted((Path(__file__).parents[1] / "positions").glob("*.yaml"))


def everything(match: Match, seat: int) -> Iterator[Action]:
    """Every action that the list would name if it were legal."""
    yield from (kind(seat) for kind in (Call, Pass, Allow, Refuse, EndTurn, Done, BuyIn, Leave))
    yield from (Draw(seat, source) for source in Source)
    held = sorted(set(match.deal.hands[seat])) or range(KINDS_OF_CARD)
    for card in held:
        yield Discard(seat, card)
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


def check(match: Match) -> None:
    for seat in range(match.rules.seats):
        legal = match.legal(seat)
        assert len(set(legal)) == len(legal)
        taken = {action for action in everything(match, seat) if match.why_not(action) is None}
        assert set(legal) == {action for action in taken if not is_needless(match, action)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_legal_actions_are_those_that_apply_takes(file: Path) -> None:
    position = load_position(file)
    match = set_up(position)
    check(match)
    for step in position.steps:
        play_step(match, step)
        check(match)
