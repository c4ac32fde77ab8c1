import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.api import read_record
from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Discard, Draw, Pass, Source
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.problems import InputError
from kalooki_tui.records.playback import Replay, verify
from kalooki_tui.records.reader import open_lines
from kalooki_tui.records.text import replay_text
from kalooki_tui.session.plan import Agreed, plan_of
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import statistics
from kalooki_tui.storage.scan import facts_of
from tests.storage.tables import PEOPLE, open_table, play, verified, with_line

GRAN = SeatPlan("Gran")
STAND_IN = SeatPlan("Bob", "ai:novice")


def throw(live: MatchJournal) -> int:
    match = live.table.match
    while match.phase is not Phase.DRAW:
        assert match.actor is not None
        live.table.apply(Pass(match.actor))
    seat = match.actor
    assert seat is not None
    live.table.apply(Draw(seat, Source.DISCARD))
    live.table.apply(Discard(seat, next(card for card in match.deal.hands[seat] if card != JOKER)))
    return seat


def test_a_seat_has_another_name_and_player_from_then_on(store: Store) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    live.reseat(1, GRAN)
    live.reseat(2, SeatPlan("Cat", "ai:novice"))
    assert live.table.match.names == live.table.view(0).names == ("Ann", "Gran", "Cat")
    assert live.table.people == (0, 1)
    live.close()
    with store.resume(live.id) as again:
        assert [plan.name for plan in again.table.plans] == ["Ann", "Gran", "Cat"]
        assert again.table.match.names == ("Ann", "Gran", "Cat")
        assert again.table.people == (0, 1)
        assert again.lines == live.lines


def test_the_record_calls_a_seat_by_its_first_name_and_still_follows(store: Store, tmp_path: Path) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    live.reseat(1, GRAN)
    throw(live)
    lines = [json.loads(line) for line in live.lines]
    assert {"seat": "Bob", "name": "Gran", "player": "human"}.items() <= lines[2].items()
    assert not any("Gran" in line.get("do", "") for line in lines)
    assert verified(live.lines, tmp_path)
    shown = list(replay_text(Replay(open_lines("record", live.lines)), open_hands=True))
    assert "Gran plays from now on, where Bob sat." in shown
    assert any(line.startswith("Gran: ") for line in shown[shown.index("Gran plays from now on, where Bob sat.") :])
    assert read_record(live.lines).names == ("Ann", "Bob", "Cat")


def test_what_is_taken_back_leaves_everybody_where_they_sit(store: Store, tmp_path: Path) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    seat = throw(live)
    other = (seat + 1) % 3
    plan = SeatPlan("Gran")
    live.reseat(other, plan)
    assert live.why_not_undo() is None
    table = live.undo()
    assert table.match.phase is Phase.PLAY
    assert table.match.names[other] == table.plans[other].name == "Gran"
    live.close()
    with store.resume(live.id) as again:
        assert again.table.match.names[other] == "Gran"
        assert again.why_not_undo() is None
        again.undo()
        assert again.table.match.phase is Phase.DRAW
        assert verified(again.lines, tmp_path)


def test_a_seat_that_could_not_be_told_apart_stays_as_it_is(store: Store) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    before = live.lines
    for plan, why in (
        (SeatPlan("Ann"), "two seats are called 'Ann'"),
        (SeatPlan("cat"), "differ only in capital letters"),
        (SeatPlan("B:b"), "holds a colon"),
        (SeatPlan("Bob", "ai:champion"), "champion"),
    ):
        with pytest.raises(ValueError, match=why):
            live.reseat(1, plan)
    assert live.lines == before
    assert live.table.plans == PEOPLE
    live.reseat(1, GRAN)
    with pytest.raises(ValueError, match="another seat of this match was called 'Bob' at first"):
        live.reseat(2, SeatPlan("Bob"))


def test_a_line_that_seats_nobody_is_named(store: Store, tmp_path: Path) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    for line in (
        {"seat": "Dan", "name": "Gran", "player": "human"},
        {"seat": "Bob", "name": "Ann", "player": "human"},
        {"seat": "Bob", "name": "Gran", "player": ""},
        {"seat": "Bob", "name": "Gran"},
    ):
        file = with_line(live, line, tmp_path)
        with pytest.raises(InputError, match=f"{file.name}:{len(live.lines) + 1}: "):
            verify(str(file))


def finished(store: Store, *changes: tuple[int, int, SeatPlan]) -> MatchJournal:
    live = store.begin(open_table("baby", PEOPLE))
    left = list(changes)
    while not live.table.match.finished:
        for change in [one for one in left if one[0] < live.table.match.deal.number]:
            left.remove(change)
            live.reseat(change[1], change[2])
        play(live.table, 1)
    return live


def test_statistics_count_whoever_sits_there_at_the_end_and_only_the_deals_played(store: Store) -> None:
    live = finished(store, (1, 1, GRAN), (1, 2, SeatPlan("Cat", "ai:novice")))
    facts = facts_of("match", live.lines)
    assert [seat.name for seat in facts.seats] == ["Ann", "Gran", "Cat"]
    live.close()
    found = {player.name: player for player in statistics(store).players}
    assert set(found) == {"Ann", "Gran"}, "Bob has become Gran, and Cat has given up the seat"
    assert found["Gran"].deals == found["Ann"].deals


def test_who_has_the_seat_back_has_played_the_deals_before_and_after(store: Store) -> None:
    live = finished(store, (1, 1, STAND_IN), (2, 1, SeatPlan("Bob")))
    live.close()
    found = {player.name: player for player in statistics(store).players}
    assert found["Bob"].matches == 1
    assert found["Bob"].deals == found["Ann"].deals - 1, "an AI sat in for one of them"


SEATS = ("Ann", "Kid", "ai:novice")


def whole(
    store: Store, tmp_path: Path, *options: str, handicap: tuple[str, ...] = ()
) -> tuple[list[str], tuple[int, ...]]:
    plan = plan_of("baby", SEATS, 3, [*options], Agreed(Referee.PENALTIES, handicap))
    live = store.begin(plan.open())
    assert live.table.match.rules.referee is Referee.PENALTIES
    play(live.table)
    assert verified(live.lines, tmp_path)
    live.close()
    return [*live.lines], live.table.match.totals


def test_a_match_of_one_deal_counts_as_that_deal(store: Store, tmp_path: Path) -> None:
    lines, _ = whole(store, tmp_path, "deals=3")
    facts = facts_of("match", lines)
    assert [seat.deals for seat in facts.seats] == [1, 1, 1]
    assert all({*seat.laid} == {3} for seat in facts.seats), "by its number in the whole game"


def test_points_at_the_beginning_stay_out_of_what_was_scored(store: Store, tmp_path: Path) -> None:
    lines, totals = whole(store, tmp_path, handicap=("Kid=-50",))
    facts = facts_of("match", lines)
    assert [seat.total for seat in facts.seats] == [*totals]
    assert [seat.points for seat in facts.seats] == [totals[0], totals[1] + 50, totals[2]]
    assert '"handicap": [0, -50, 0]' in lines[0]


def test_a_handicap_goes_with_its_person_where_seats_are_drawn_and_where_the_match_goes_on(store: Store) -> None:
    table = plan_of("kalookie-40", ("Ann", "Bob", "Kid"), 5, [], Agreed(handicap=("Kid=-50",))).open()
    assert table.match.totals[table.match.names.index("Kid")] == -50
    assert sum(table.match.totals) == -50
    live = store.begin(plan_of("baby", SEATS, 3, [], Agreed(handicap=("Kid=-50", "Ann=10"))).open())
    live.close()
    with store.resume(live.id) as again:
        assert again.table.match.totals == live.table.match.totals == (10, -50, 0)


@pytest.mark.parametrize(
    ("ruleset", "seats", "agreed", "why"),
    [
        ("baby", SEATS, Agreed(handicap=("Tim=5",)), "names no seat"),
        ("baby", SEATS, Agreed(handicap=("Kid=much",)), "write Kid=-50"),
        ("baby", SEATS, Agreed(handicap=("Kid",)), "no seat"),
        ("baby", SEATS, Agreed(handicap=("Ann=5", "Ann=6")), "'Ann' has two handicaps"),
        ("kalookie-40", ("Ann", "Bob"), Agreed(handicap=("Ann=151",)), "would be out of the match at once"),
        ("kalookie-40", ("Ann", "Bob"), Agreed(minutes=60), "does not end by the clock"),
    ],
)
def test_what_cannot_be_agreed_is_refused(ruleset: str, seats: tuple[str, ...], agreed: Agreed, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        plan_of(ruleset, seats, 3, [], agreed).open()


def test_a_deal_that_is_made_the_last_ends_the_match_whatever_is_taken_back(store: Store, tmp_path: Path) -> None:
    live = store.begin(plan_of("baby", ("Ann", "Kid", "Bob"), 3, []).open(), teaching=True)
    play(live.table, 6)
    live.end_after_this_deal()
    live.undo()
    assert live.table.match.last_deal == 1
    live.close()
    with store.resume(live.id) as again:
        assert again.table.match.last_deal == 1
        play(again.table)
        assert again.table.match.finished
        assert again.table.match.deal.number == 1
        assert verified(again.lines, tmp_path)
        assert [seat.deals for seat in facts_of("match", again.lines).seats] == [1, 1, 1]
        assert "Deal 1 is the last: the time is over." in list(replay_text(Replay(open_lines("record", again.lines))))


@pytest.mark.parametrize("deal", [1, 2])
def test_the_time_may_be_over_before_the_dealers_cut(store: Store, tmp_path: Path, deal: int) -> None:
    plan = replace(plan_of("air-jamaica", ("Ann", "Kid", "Bob"), 3, []), settings={"dealer_cut": True})
    live = store.begin(plan.open())
    while (match := live.table.match).deal.number < deal or match.phase is not Phase.CUT:
        play(live.table, 1)
    live.end_after_this_deal()
    live.close()
    with store.resume(live.id) as again:
        assert again.table.match.last_deal == deal
        play(again.table)
        assert again.table.match.finished
        assert again.table.match.deal.number == deal
        assert verified(again.lines, tmp_path)


def test_a_last_deal_that_is_not_the_one_played_does_not_follow(store: Store, tmp_path: Path) -> None:
    live = store.begin(plan_of("baby", SEATS, 3, []).open())
    file = with_line(live, {"last_deal": 3}, tmp_path)
    assert "deal 3 cannot be made the last here" in str(verify(str(file)).failure)
