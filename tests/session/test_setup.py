from __future__ import annotations

from datetime import datetime, timedelta
from itertools import product

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Group, Lay
from kalooki_tui.engine.events import Dealt
from kalooki_tui.engine.rules import Referee
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
    advice,
    as_usual,
    begin_match,
    counts_words,
    fields_of,
    fitted,
    free_names,
    is_chosen,
    last_lay_down,
    named,
    nearest_count,
    plan_of,
    read_fields,
    unnamed,
    unusual,
    usual_seats,
    with_count,
    with_match,
    with_own_names,
    with_people,
    wrong_field,
)
from kalooki_tui.storage.journal import HANDS
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.settings_file import LastSetup, PlayerSettings
from tests.commands import Golden
from tests.moments import play_first_deal
from tests.session.fronts import InThisProcess

USUAL = usual_seats(load_ruleset("jamaican"))


def names(seats: tuple[SeatPlan, ...]) -> list[str]:
    return [seat.name for seat in seats]


MIXED = parse_seats(["Ann", "ai:club", "Bob", "ai:novice", "Cat"])


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


#: What is written into each text of the form.
WRITTEN = ("", "x", "1", "0, 1", "-3", "Zoë=-50", "Zoë=hints, Bob=9", "Zoë=1,Zoë=2", "Nobody=3")
FULL = MatchPlan(
    seats=parse_seats(["Zoë", "Bob", "ai:club", "Player 4", "ai:novice"]), options=("calls=1", "no-such"),
    referee=Referee.PENALTIES, settings={"race": True, "handicap": (-5, 0, 0, 0, 9), "bad_lay": 60, "call_up": -4},
    first_turn=4, seed=7, speed=Speed.BRISK, curtain=False, teaching=True, call_seconds=10, answer_seconds=25,
    hints_for=("Bob",), minutes=50, own_screens=("Bob",),
)  # fmt: skip


@pytest.mark.parametrize("ruleset_id", ["jamaican", "kalookie-40", "kooky", "trinidad"])
def test_each_field_of_the_set_up_and_what_may_be_written_in_it(ruleset_id: str, golden: Golden) -> None:
    ruleset, lines = load_ruleset(ruleset_id), []
    for title, wanted in (("usual", MatchPlan()), ("all else", FULL)):
        plan, changed = fitted(replace(wanted, ruleset=ruleset_id), ruleset)
        lines += [f"## {title}: {', '.join(seat.text for seat in plan.seats)}", f"changed: {', '.join(changed)}"]
        lines.append(f"advice: {advice(ruleset, plan)}")
        for part, fields in fields_of(plan, ruleset).items():
            lines.append(f"# {part}: {unusual(fields)}")
            for one in fields:
                state = " ".join(word for word in ("hidden" * (not one.shown), "closed" * one.disabled) if word)
                lines.append(f"{one.id}: {one.label} | {one.help} | {one.value!s}, as a rule {one.usual!s} | {state}")
                lines.append(f"  {one.placeholder} {one.longest} {one.number} · {unusual([one])}")
                lines += [f"  - {words}: {unusual([replace(one, value=value)])}" for words, value in one.choices]
                typed = WRITTEN if one.id == "handicap" else WRITTEN[:5]
                for text in typed if (isinstance(one.value, str) and not one.choices) or one.number else ():
                    read = read_fields(plan, ruleset, {one.id: text})
                    wrong = wrong_field(plan, ruleset, {one.id: text})
                    said = f"{wrong[0].id}: {wrong[1]}" if wrong else "good"
                    lines.append(f"  {text!r} {said} · {read.options} {read.settings} {read.hints_for} {read.seed}")
    golden(f"set-up-{ruleset_id}", "\n".join(lines))


def test_seats_as_their_number_and_that_of_people_change(golden: Golden) -> None:
    lines = []
    for seats in (USUAL, MIXED, FULL.seats, parse_seats(["You", "Ada", "ai:club"])):
        lines.append(f"# {', '.join(seat.text for seat in seats)}")
        for people, known in product(range(8), ((), ("Ada", "bea", "You", "Zoe"))):
            found = with_people(seats, people, range(3, 7), known)
            check_seats(found)
            lines.append(f"{people} of {' '.join(known) or 'nobody'}: {', '.join(seat.text for seat in found)}")
            lines.append(f"  unnamed {unnamed(found)}; own names: {' '.join(names(with_own_names(found)))}")
        lines += [f"{count}: {', '.join(seat.text for seat in with_count(seats, count))}" for count in range(2, 8)]
        lines.append(f"named: {', '.join(seat.text for seat in named(seats, ['Ann', 'Eve']))}")
    for counts, count in product(((2,), (2, 4), range(3, 9)), (1, 3, 5, 11)):
        lines += [f"{counts_words(counts)}, {count} wanted: {nearest_count(counts, count)}"]
    lines += [f"{name}: {is_chosen(name)}" for name in ("You", "Ada", "Player 2", "Player x", "Ann")]
    golden("seats", "\n".join(lines))
