from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Group, Lay
from kalooki_tui.engine.events import Dealt
from kalooki_tui.match.headless import play_match
from kalooki_tui.match.live_match import MatchStep
from kalooki_tui.match.seating import SeatPlan, check_seats, parse_seats
from kalooki_tui.players import make_player
from kalooki_tui.presenter.hand_order import HandOrders
from kalooki_tui.presenter.match_list import when
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import (
    AskCalls,
    MatchPlan,
    Speed,
    as_usual,
    begin_match,
    free_names,
    last_lay_down,
    nearest_count,
    people_of,
    plan_of,
    usual_seats,
    with_count,
    with_match,
    with_people,
)
from kalooki_tui.storage.journal import HANDS
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.settings_file import LastSetup, PlayerSettings
from tests.moments import play_first_deal
from tests.session.fronts import InThisProcess

USUAL = usual_seats(load_ruleset("jamaican"))


def names(seats: tuple[SeatPlan, ...]) -> list[str]:
    return [seat.name for seat in seats]


MIXED = parse_seats(["Ann", "ai:club", "Bob", "ai:novice", "Cat"])


@pytest.mark.parametrize(
    ("seats", "texts"),
    [
        (with_people(USUAL, 3, range(3, 9), ["Zoe"]), "Zoe, Player 2, Player 3, Cy=ai:club"),
        (with_people(USUAL, 5, (2, 4, 6)), "Player 1, Player 2, Player 3, Player 4, Player 5, Ada=ai:club"),
        (with_people(MIXED, 1, range(3, 9)), "Ann, Ada=ai:club, Dot=ai:club, Bea=ai:novice, Cy=ai:club"),
        (with_count(MIXED, 3), "Ann, Bob, Cat"),
        (with_count(MIXED, 2), "Ann, Bob"),
    ],
    ids=["known people first", "a table that grows", "people who leave", "AI seats go", "people go last"],
)
def test_seats_as_people_come_and_go(seats: tuple[SeatPlan, ...], texts: str) -> None:
    check_seats(seats)
    assert ", ".join(seat.text for seat in seats) == texts


@pytest.mark.parametrize("people", range(12))
@pytest.mark.parametrize("known", [(), ("Ada", "bea", "You", "Zoe")])
def test_any_number_of_people_makes_a_table_that_can_be_played(people: int, known: tuple[str, ...]) -> None:
    counts = range(3, 12)
    seats = with_people(USUAL, people, counts, known)
    check_seats(seats)
    assert people_of(seats) == people
    assert len(seats) in counts
    if people > 1:
        assert "You" not in names(seats) or "You" in known


def test_sizes_names_and_times_as_people_say_them() -> None:
    # Of two sizes equally near the larger.
    assert nearest_count((2, 4), 3) == 4
    assert nearest_count((2,), 6) == 2
    # Known people who sit there are not offered.
    assert free_names(parse_seats(["Ann", "ai:club"]), ["ann", "ADA", "Zoe"]) == ["Zoe"]
    # Times are told as people say them.
    now = datetime(2026, 3, 4, 15, 0).astimezone()
    assert when(now.replace(hour=9), now) == "today 09:00"
    assert when(now - timedelta(days=1), now) == "yesterday 15:00"
    assert when(now - timedelta(days=40), now).startswith("2026-01-23")


def test_each_match_of_a_plan_draws_its_first_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter(range(12))
    monkeypatch.setattr("kalooki_tui.session.plan.SystemRandom.randrange", lambda _random, _limit: next(seeds))
    plan = MatchPlan(ruleset="baby", seats=parse_seats(["Ann", "ai:club", "ai:club"]))
    assert {plan.open().match.deal.dealer for _ in range(12)} == {0, 1, 2}


def test_a_command_line_leaves_the_table_as_the_player_has_set_it() -> None:
    last = LastSetup(seats=["Ann", "ai:club"], asking={"Ann": "turn", "Eve": "helps"})
    settings = PlayerSettings(ai_speed="brisk", curtain=False, ask_several="helps", call_seconds=10, last=last)
    plan = as_usual(plan_of("baby", ["Ann", "Bob", "ai:club"], 5, []), settings)
    assert (plan.ruleset, [seat.name for seat in plan.seats][:2], plan.seed) == ("baby", ["Ann", "Bob"], 5)
    assert (plan.speed, plan.curtain, plan.call_seconds) == (Speed.BRISK, False, 10)
    assert (plan.ask_several, plan.ask_each) == (AskCalls.HELPS, {"Ann": AskCalls.TURN})
    kept = with_match(settings, plan)
    assert replace(kept, last=None) == replace(settings, last=None, names=["Ann", "Bob"])


async def test_how_a_hand_lay_is_forgotten_when_the_next_deal_begins() -> None:
    plan = plan_of("baby", ["Ann", "Bob", "ai:club"], 5, [])
    table = plan.open()
    with Store.open() as store, store.begin(table) as live:
        place = MatchSession(plan, live, InThisProcess()).sit()
        orders = HandOrders(place)
        place.keep_order(1, table.match.deal.hands[1], (0, 0))
        assert list(orders.kept()) == [1]
        play_first_deal(table)
        assert orders.kept() == {}, "left now, the match goes on with hands that nobody has ordered"
        assert not any(live.ui_state[HANDS].values())


def test_the_last_lay_down_of_a_seat_is_found_in_the_record_of_any_deal() -> None:
    seats = parse_seats(["Zoë", "Bob", "Cat"])
    with Store.open() as store:
        live = begin_match(store, MatchPlan(ruleset="baby", seats=seats, seed=3))
        assert last_lay_down(live, 0) == ()
        laid: dict[int, tuple[Group, ...]] = {}
        begun: set[int] = set()

        def hear(step: MatchStep) -> None:
            if any(isinstance(event, Dealt) for event in step.events):
                begun.clear()
            if isinstance(step.action, Lay) and step.refusal is None and step.action.seat not in begun:
                begun.add(step.action.seat)
                laid[step.action.seat] = step.action.groups

        live.table.listen(hear)
        play_match(live.table, None, {seat: make_player("club", str(seat)) for seat in range(3)})
        assert {seat: last_lay_down(live, seat) for seat in laid} == laid
        assert len(laid) == 3
