import json
from dataclasses import replace
from pathlib import Path

import pytest

from kalooki_tui.cli.options import agreed_by
from kalooki_tui.desk.setup.plan import Agreed, plan_of
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.records.text import replay_text
from kalooki_tui.records.verifying import verify
from kalooki_tui.store.matches import Store
from kalooki_tui.store.scanning import facts_of
from tests.store.tables import play, verified

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


def test_without_a_handicap_a_record_says_nothing_of_it(store: Store, tmp_path: Path) -> None:
    lines, _ = whole(store, tmp_path)
    assert "handicap" not in lines[0]


def test_a_match_goes_on_with_its_handicap(store: Store) -> None:
    live = store.begin(plan_of("baby", SEATS, 3, [], Agreed(handicap=("Kid=-50", "Ann=10"))).open())
    assert live.table.match.totals == (10, -50, 0)
    live.close()
    with store.resume(live.id) as again:
        assert again.table.match.totals == (10, -50, 0)


def test_a_handicap_goes_with_its_person_where_seats_are_drawn() -> None:
    table = plan_of("kalookie-40", ("Ann", "Bob", "Kid"), 5, [], Agreed(handicap=("Kid=-50",))).open()
    assert table.match.totals[table.match.names.index("Kid")] == -50
    assert sum(table.match.totals) == -50


@pytest.mark.parametrize(
    ("text", "why"), [("Tim=5", "names no seat"), ("Kid=much", "write Kid=-50"), ("Kid", "no seat")]
)
def test_a_handicap_that_cannot_be_read_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        plan_of("baby", SEATS, 3, [], Agreed(handicap=(text,)))


def test_a_teaching_match_can_be_asked_for_on_the_command_line() -> None:
    agreed = agreed_by(None, (), 0, teaching=True)
    assert plan_of("baby", ("Ann", "Bob", "Cat"), 3, [], agreed).teaching
    assert agreed_by(None, (), 0, teaching=False) is None


def test_a_handicap_named_twice_or_out_of_the_match_is_refused() -> None:
    with pytest.raises(ValueError, match="'Ann' has two handicaps"):
        plan_of("baby", ("Ann", "Bob", "Cat"), 3, [], Agreed(handicap=("Ann=5", "Ann=6")))
    with pytest.raises(ValueError, match="would be out of the match at once"):
        plan_of("kalookie-40", ("Ann", "Bob"), 3, [], Agreed(handicap=("Ann=151",))).open()


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
    bare = [{k: v for k, v in json.loads(one).items() if k not in ("n", "check")} for one in live.lines]
    file = tmp_path / "record.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in [*bare, {"last_deal": 3}]) + "\n", encoding="utf-8")
    assert "deal 3 cannot be made the last here" in str(verify(str(file)).failure)


def test_a_game_without_a_last_deal_does_not_end_by_the_clock() -> None:
    with pytest.raises(ValueError, match="does not end by the clock"):
        plan_of("kalookie-40", ("Ann", "Bob"), 3, [], Agreed(minutes=60)).open()
