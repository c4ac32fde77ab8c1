"""Undo while one of several melds is being chosen takes back the choice, and no more."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import MagicMock

from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.moves import Moves
from kalooki_tui.engine.actions import Tack
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase
from tests.ui import samples


def test_undo_takes_back_the_choice_and_then_a_step() -> None:
    front = MagicMock()
    view = samples.view(legal=(Tack(0, (4,), 0),))
    front.desk = Desk(view, lambda action: None)
    front.desk.open(view)
    additions = [SimpleNamespace(action=Tack(0, (4,), meld)) for meld in (0, 2)]
    front.desk.tacks = lambda: additions
    moves = Moves(front, warns=lambda: False)
    assert front.desk.why_no_undo() is not None
    moves.tack()
    front.light.assert_called_with({0: additions[:1], 2: additions[1:]})
    assert front.desk.why_no_undo() is None
    moves.undo()
    front.light.assert_called_with(())
    front.place.undo.assert_not_called()
    assert front.desk.why_no_undo() is not None
    moves.undo()
    front.place.undo.assert_called_once_with(front.desk.seat)


def test_cards_that_go_one_by_one_are_put_on_with_one_key_and_what_is_refused_is_told() -> None:
    front = MagicMock()
    tacks = [Tack(0, (card,), 0) for card in (4, 5, 6)]
    front.desk.spread.return_value = tacks
    refusal = Refusal("tack.gap", "K1", "It does not go there.")
    front.place.act.return_value = refusal
    Moves(front, warns=lambda: False)._tack_one_by_one()
    front.place.act.assert_called_once_with(*tacks)
    front.tell.assert_called_with(refusal)


def test_the_best_lay_down_is_not_offered_where_nothing_more_can_be_laid() -> None:
    melds = [(0, "5C 5D 5S"), (0, "9S 10S JS JK"), (0, "3H 4H 5H 6H")]
    for hand, told in (("AS KD 9C 2S", "There is nothing more to lay."), ("KS KD KH 9C 2S", None)):
        view = samples.view(hand=hand, melds=melds, phase=Phase.PLAY, may_lay=True)
        desk = Desk(view, lambda action: None)
        desk.open(view)
        why = desk.why_best()
        assert (None if why is None else why.message) == told


def test_a_hint_that_a_second_key_gives_up_has_not_been_begun() -> None:
    front = MagicMock()
    moves = Moves(front, warns=lambda: False)
    moves.hint()
    front.begin.assert_called_once_with(moves._hint)
