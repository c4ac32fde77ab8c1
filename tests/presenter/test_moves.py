from __future__ import annotations

import asyncio
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.rated_advice import Hint
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Group, Lay, Source, Tack
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.presenter.hints import Hints
from kalooki_tui.presenter.moves import Moves, challenge_stake, charge_words
from kalooki_tui.presenter.turn_state import TurnState
from tests.tui import samples
from tests.tui.samples import meld


def test_undo_takes_back_the_choice_and_then_a_step() -> None:
    front = MagicMock()
    view = samples.view(legal=(Tack(0, (4,), 0),))
    front.state = TurnState(view, lambda action: None)
    front.state.open(view)
    additions = [SimpleNamespace(action=Tack(0, (4,), meld)) for meld in (0, 2)]
    front.state.tacks, front.state.selected = lambda: additions, (4,)
    moves = Moves(front, warns=lambda: False)
    assert front.state.why_no_undo() is not None
    moves.tack()
    front.light.assert_called_with({0: additions[:1], 2: additions[1:]})
    assert front.state.why_no_undo() is None
    moves.undo()
    front.light.assert_called_with(())
    front.client.undo.assert_not_called()
    assert front.state.why_no_undo() is not None
    moves.undo()
    front.client.undo.assert_called_once_with(front.state.seat)


def test_cards_that_go_one_by_one_are_put_on_with_one_key_and_what_is_refused_is_told() -> None:
    front = MagicMock()
    tacks = [Tack(0, (card,), 0) for card in (4, 5, 6)]
    front.state.tacks.return_value, front.state.spread.return_value = [], tacks
    refusal = Refusal("tack.gap", "K1", "It does not go there.")
    front.client.act.return_value = refusal
    Moves(front, warns=lambda: False).tack()
    front.client.act.assert_called_once_with(*tacks)
    front.tell.assert_called_with(refusal)


def test_the_best_lay_down_is_not_offered_where_nothing_more_can_be_laid() -> None:
    melds = [(0, "5C 5D 5S"), (0, "9S 10S JS JK"), (0, "3H 4H 5H 6H")]
    for hand, told in (("AS KD 9C 2S", "There is nothing more to lay."), ("KS KD KH 9C 2S", None)):
        view = samples.view(hand=hand, melds=melds, phase=Phase.PLAY, may_lay=True)
        state = TurnState(view, lambda action: None)
        state.open(view)
        why = state.why_best()
        assert (why.message if isinstance(why, Refusal) else None) == told


PLAY = """
ruleset: {ruleset}
referee: {referee}
deal: 2
dealer: Cat
turn: Ann
phase: play
seats:
  - {{name: Ann, hand: 5C 5D 5H KS KD 7C 8C 9C JK 2D}}
  - {{name: Bob, hand: 5S 6H 7H QC 2C 3D 4C 10S JS QH}}
  - {{name: Cat, hand: 9D 9H 3S 4S 6S 8D 10D JC QS AC}}
discard: 5C
"""
JOKER_THROWN = Discard(0, JOKER)


def table(ruleset: str, referee: str = "penalties") -> Match:
    return set_up(read_position(PLAY.format(ruleset=ruleset, referee=referee)))


def bad_lay(match: Match) -> Lay:
    return Lay(0, (Group(meld(match.rules, 0, "5C 5D 5H").cards, None),))


def words(match: Match, action: Action) -> str:
    return charge_words(match.view(0), action, match.why_not(action))


@pytest.mark.parametrize(
    ("ruleset", "action", "told"),
    [
        ("jamaican", "lay", "Trying it costs 50 points (F1)."),
        ("air-jamaica", "lay", "Unless you lay the contract in this turn, trying it costs 50 points (F1a)."),
        ("trinidad", "lay", ""),
        ("air-jamaica", "joker", "Trying it costs 50 points (F4)."),
        ("jamaican", "joker", ""),
        ("trinidad", "joker", ""),
    ],
)
def test_a_charge_is_told_before_it_is_made(ruleset: str, action: str, told: str) -> None:
    match = table(ruleset)
    made = bad_lay(match) if action == "lay" else JOKER_THROWN
    said = words(match, made)
    assert said.endswith(told)
    assert bool(said) is bool(told)
    assert " It costs " not in said
    assert match.view(0).penalties == (0, 0, 0), "to name a charge charges nothing"


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("jamaican", ("each one too many costs 50 points and Bob may not bend the table", "it costs nothing")),
        ("air-jamaica", ("each one too many costs 50 points.", "it costs you 50 points")),
        ("trinidad", ("Bob scores the hand and 50 points more", "the same happens to you, 161 points now")),
    ],
)
def test_the_stake_of_a_challenge(ruleset: str, told: tuple[str, str]) -> None:
    view = table(ruleset).view(0)
    stake = challenge_stake(view, 1, open_hand=True)
    assert all(part in stake for part in told), stake


def test_the_stake_tells_nothing_of_a_covered_hand() -> None:
    view = table("trinidad").view(0)
    assert "points now" not in challenge_stake(view, 1, open_hand=False)
    assert "the same happens to Ann." in challenge_stake(view, 1, open_hand=False), "several people read it"
    assert "costs Ann 50 points" in challenge_stake(table("air-jamaica").view(0), 1, open_hand=False)
    assert challenge_stake(table("jamaican", "strict").view(0), 1, open_hand=False) == ""


def test_throwing_the_joker_under_the_cursor_names_its_price_at_once() -> None:
    match, front = table("air-jamaica"), MagicMock()
    front.state = TurnState(match.view(0), match.why_not)
    front.state.open(match.view(0))
    front.hand.named_card, front.hand.cursor_card = None, JOKER
    front.client.comes_back.return_value = False
    Moves(front, warns=lambda: False).discard()
    front.hand.select_cards.assert_called_once_with((JOKER,))
    assert "Trying it costs 50 points (F4)." in front.tell.call_args.args[0]
    front.client.act.assert_not_called()


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Draw(0, Source.FLIP), "Take it (f)."), (Draw(0, Source.DISCARD), "Take it (t)."),
        (Draw(0, Source.STOCK), "Take it (d)."), (Discard(0, 5), "Take it (x)."), (Call(0), "Take it (c)."),
        (Tack(0, (5,), 0), "Take it (k)."), (Lay(0, ()), "Take it (l)."), (Allow(0), "Take it."),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_the_key_stands_behind_the_action(action: Action, said: str) -> None:
    async def told() -> list[str]:
        async def consult(*asked: object) -> Hint:
            return Hint("Look?", "Take it.", "It helps.", action)

        hints, view = Hints(consult), samples.view()
        return [await hints.next_step(view) for _ in range(3)]

    assert asyncio.run(told()) == [
        "Hint: Look? h tells more.",
        f"Hint: {said} h tells more.",
        f"Hint: {said} It helps.",
    ]
