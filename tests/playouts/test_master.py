"""The master: choices played on in likely worlds, from the view alone, and the expert's where there is no core."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from kalooki_tui.engine.actions import DISCARD, Action, Discard, Lay
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.players import make_player, master
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.master import VALUING, Master
from kalooki_tui.playouts import PlayoutFault
from kalooki_tui.table.seats import parse_seats
from tests.players.simulate import new_deal, rules_for


def at_discard(ruleset: str = "jamaican", seats: int = 3) -> Deal:
    """A deal in which a seat that has not laid is to throw a card."""
    deal = new_deal(rules_for(ruleset, seats), 2, 8)
    player = make_player("club", "0")
    discards = 0
    while True:
        assert deal.actor is not None
        action = player.decide(deal.view(deal.actor)).action
        discards += isinstance(action, Discard)
        if discards == 4 and isinstance(action, Discard) and deal.laid[action.seat] is HasLaid.NO:
            return deal
        deal.apply(action)


def answering(margin: Callable[[Action, int], float], asked: list[int]) -> Callable[..., list[list[float]]]:
    """Playouts that come to what `margin` says of a way's first action and the world's number, counted on and on."""

    def play(deal: Deal, worlds: Sequence[object], ways: Sequence[Sequence[Action]], **_: object) -> list[list[float]]:
        start = sum(asked)
        asked.append(len(worlds))
        return [[margin(way[0], start + number) for number in range(len(worlds))] for way in ways]

    return play


def throws(deal: Deal, monkeypatch: pytest.MonkeyPatch, margin: Callable[[Action, int], float]) -> Action:
    """What the master does where playing on comes to that."""
    monkeypatch.setattr(master, "available", lambda: True)
    monkeypatch.setattr(master, "playouts", answering(margin, []))
    assert deal.actor is not None
    return Master("1").decide(deal.view(deal.actor)).action


def test_the_card_that_comes_out_best_is_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    assert deal.actor is not None
    view = deal.view(deal.actor)
    usual = make_player("expert", "1").decide(view).action
    second = sorted(Master("1").weigh_throws(view), key=lambda one: -one.total)[1].card
    other = DISCARD[view.seat][second]
    assert usual != other
    noise = random.Random(3)
    luck = [noise.gauss(0, 100) for _ in range(1_000)]
    assert throws(deal, monkeypatch, lambda action, world: luck[world] - 30 * (action == other)) == other
    # No card is better, or all are as good: the expert's choice stays.
    assert throws(deal, monkeypatch, lambda action, world: luck[world] - 30 * (action == usual)) == usual
    assert throws(deal, monkeypatch, lambda action, world: luck[world]) == usual


def test_worlds_that_choose_do_not_value(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    assert deal.actor is not None
    view = deal.view(deal.actor)
    usual = make_player("expert", "1").decide(view).action
    second = sorted(Master("1").weigh_throws(view), key=lambda one: -one.total)[1].card
    other = DISCARD[view.seat][second]

    def lucky(action: Action, world: int) -> float:
        return -50.0 * (action == other) if world < master.ROUNDS[-1] else 10.0 * (action == other)

    assert throws(deal, monkeypatch, lucky) == usual


def test_choices_that_are_clearly_worse_are_played_on_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    assert deal.actor is not None
    asked: list[int] = []
    usual = make_player("expert", "1").decide(deal.view(deal.actor)).action
    monkeypatch.setattr(master, "available", lambda: True)
    monkeypatch.setattr(master, "playouts", answering(lambda action, world: 40.0 * (action != usual) + world, asked))
    Master("1").decide(deal.view(deal.actor))
    assert asked == [master.ROUNDS[0]]
    asked.clear()
    monkeypatch.setattr(master, "playouts", answering(lambda action, world: -40.0 * (action != usual) + world, asked))
    Master("1").decide(deal.view(deal.actor))
    assert sum(asked) == master.ROUNDS[-1] + VALUING


def test_a_contract_may_be_kept_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = new_deal(rules_for("classic", 3), 1, 1)
    while deal.phase is not Phase.PLAY:
        deal.apply(deal.legal()[0])
    deal.hands[deal.turn][:] = [0, 13, 26, 1, 14, 40, 2, 15, 28, 50, 33]
    assert isinstance(throws(deal, monkeypatch, lambda action, world: 0.0), Lay)
    kept = throws(deal, monkeypatch, lambda action, world: 20.0 * isinstance(action, Lay))
    assert isinstance(kept, Discard)


def test_without_a_core_or_with_a_fault_the_master_is_an_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    assert deal.actor is not None
    view = deal.view(deal.actor)
    usual = make_player("expert", "1").decide(view)
    monkeypatch.setattr(master, "available", lambda: False)
    assert Master("1").decide(view) == usual

    def broken(*_: object, **__: object) -> None:
        raise PlayoutFault("The native core gave up: memory is short.")

    monkeypatch.setattr(master, "available", lambda: True)
    monkeypatch.setattr(master, "playouts", broken)
    assert Master("1").decide(view) == usual


@pytest.mark.parametrize("ruleset", ["jamaican", "kooky"])
def test_the_choice_depends_on_the_view_alone_whatever_the_cores(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard(ruleset)
    assert deal.actor is not None
    view = deal.view(deal.actor)
    once = Master("1").decide(view)
    belief = Belief(view)
    other = belief.deal(belief.worlds(1)[0])
    assert other.hands != deal.hands
    monkeypatch.setattr(master.os, "cpu_count", lambda: 1)
    assert Master("1").decide(other.view(view.seat)) == once


def test_the_level_can_be_named_and_has_no_temperaments() -> None:
    assert isinstance(make_player("master", "1"), Master)
    assert parse_seats(["ai:master", "ai:club"])[0].level == "master"
    with pytest.raises(ValueError, match=r"^the level master has no temperaments; club and expert have$"):
        make_player("master/caller", "1")
