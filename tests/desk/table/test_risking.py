"""What is at stake is told before it is charged, by the rules of the table."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.moves import Moves, challenge_stake, charge_words
from kalooki_tui.engine.actions import Action, Discard, Group, Lay
from kalooki_tui.engine.match import Match
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from tests.ui.samples import meld

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
    """A table at which Ann is to lay or throw."""
    return set_up(read_position(PLAY.format(ruleset=ruleset, referee=referee)))


def bad_lay(match: Match) -> Lay:
    """Three fives, which are no contract."""
    return Lay(0, (Group(meld(match.rules, 0, "5C 5D 5H").cards, None),))


def words(match: Match, action: Action) -> str:
    """What is said before the action."""
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


@pytest.mark.parametrize("ruleset", ["jamaican", "air-jamaica", "trinidad"])
def test_the_strict_referee_charges_nothing(ruleset: str) -> None:
    match = table(ruleset, "strict")
    assert words(match, bad_lay(match)) == ""
    assert words(match, JOKER_THROWN) == ""


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
    front.desk = Desk(match.view(0), match.why_not)
    front.desk.open(match.view(0))
    front.hand.named_card, front.hand.cursor_card = None, JOKER
    front.place.comes_back.return_value = False
    Moves(front, warns=lambda: False).discard()
    front.hand.select_cards.assert_called_once_with((JOKER,))
    assert "Trying it costs 50 points (F4)." in front.tell.call_args.args[0]
    front.place.act.assert_not_called()
