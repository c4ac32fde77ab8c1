from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.state import Standing
from kalooki_tui.engine.view import View
from kalooki_tui.players import belief as believing
from kalooki_tui.players.belief import (
    LEAST_CARELESS,
    MOST_CARELESS,
    Belief,
    carelessness,
    signs,
    usual_distances,
    who_is_careless,
)  # fmt: skip
from kalooki_tui.playouts import CLUB, LIGHT, NOVICE, CoreSeat, PlayoutResult, play_deal
from tests.players.simulate import rules_for

NAMES = ("Ann", "Bob", "Cat", "Dee")


def dealt(totals: Sequence[int] = (0, 0, 0, 0), number: int = 1) -> Deal:
    standing = replace(Standing.at_start(4), totals=tuple(totals))
    deal = Deal(rules_for("jamaican", 4, Referee.STRICT), NAMES, number, 3, 0, "careless", standing=standing)
    deal.begin()
    return deal


def after(styles: Sequence[CoreSeat], turns: int, **given: Any) -> View:
    """What seat 0 sees when it is to move for the last time before so many of its turns are over."""
    deal = dealt(**given)
    for action, stock in play_deal(deal, styles=styles, seed="careless").actions:
        deal.next_stock = stock
        if deal.actor == 0 and signs(deal.view(0), 1)[1] >= turns:
            break
        deal.apply(action)
    return deal.view(0)


def test_who_has_lost_by_far_is_taken_for_careless_but_not_oneself() -> None:
    shares = carelessness(dealt((100, 600, 100, 100), 5).view(0))
    assert shares[0] == shares[2] == shares[3] == 0.0
    assert LEAST_CARELESS <= shares[1] <= MOST_CARELESS
    # Whoever stands as badly oneself has no reason to look down on anybody.
    assert carelessness(dealt((600, 600, 100, 100), 5).view(0)) == [0.0] * 4
    more = carelessness(dealt((0, 2000, 10, 10), 8).view(0))
    assert more == [0.0, MOST_CARELESS, 0.0, 0.0]
    # Nothing is thought of who is out of the deal, nor where nothing is known.
    out = replace(dealt((0, 2000, 10, 10), 8).view(0), in_deal=(True, False, True, True))
    for view in (out, dealt().view(0), dealt((300, 300, 300, 300), 5).view(0)):
        assert carelessness(view) == [0.0] * 4


def test_throws_that_grow_dearer_tell_a_novice() -> None:
    """As the levels play: three novices are doubted after some turns, and club players are not."""
    novices = after([CLUB, NOVICE, NOVICE, NOVICE], 4)
    clubs = after([CLUB] * 4, 4)
    assert sum(carelessness(novices)) > sum(carelessness(clubs))
    throws, dearer = signs(novices, 1)[1:3]
    assert throws >= 4
    assert dearer > throws / 4


@pytest.mark.parametrize("worlds", [1, 7, 20, 800])
def test_a_seat_is_careless_in_its_share_of_the_worlds(worlds: int) -> None:
    shares = [0.0, 0.5, 0.9, 0.31]
    found = who_is_careless(shares, worlds, "x")
    assert sum(found.values()) == worlds
    for seat, share in enumerate(shares):
        count = sum(times for careless, times in found.items() if careless[seat])
        assert abs(count - share * worlds) < 1
    assert found == who_is_careless(shares, worlds, "x")
    # Which of them are careless together is chance: no seat only where another is.
    assert worlds < 100 or {careless[1:3] for careless in found} == {
        (a, b) for a in (True, False) for b in (True, False)
    }


def test_choices_are_played_on_against_whom_the_view_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[tuple[CoreSeat, ...], int]] = []

    def endings(
        start: Any, worlds: Any, ways: Any, *, styles: Sequence[CoreSeat], **rest: Any
    ) -> list[list[PlayoutResult]]:
        played.append((tuple(styles), len(worlds)))
        return [[PlayoutResult((len(played), 0, 0, 0), None, False) for _ in worlds] for _ in ways]

    monkeypatch.setattr(believing, "endings", endings)
    view = dealt((0, 2000, 10, 10), 8).view(0)
    own = replace(CLUB, plans=7)
    [found] = Belief(view).played_out([()], 100, "x", own=own, others=LIGHT)
    assert sorted(played, key=lambda one: one[1]) == [
        ((own, LIGHT, LIGHT, LIGHT), 10),
        ((own, NOVICE, LIGHT, LIGHT), 90),
    ]
    assert len(found) == 100
    assert {one.points[0] for one in found} == {1, 2}
    played.clear()
    Belief(dealt().view(0)).played_out([()], 100, "x")
    assert played == [((CLUB,) * 4, 100)]


def test_a_game_of_ones_own_borrows_the_counts_of_the_same_contract() -> None:
    usual = rules_for("jamaican", 4)
    own = replace(usual, ruleset=replace(usual.ruleset, id="a-game-of-ones-own"))
    for number, contract in enumerate(usual.ruleset.deals, 1):
        known = usual_distances(usual, number, contract, 3, 1)
        assert sum(known) > 0
        assert usual_distances(own, 1, contract, 3, 1) == known
    nowhere = replace(usual.ruleset.deals[0], asked_sets=7)
    assert usual_distances(own, 1, nowhere, 3, 1) == ()
