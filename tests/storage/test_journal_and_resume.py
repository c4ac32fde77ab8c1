import random
from pathlib import Path

import pytest

from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.live_match import MatchStep, Table, record
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.records.lines import CheckChain
from kalooki_tui.records.writer import dump
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.storage.files import MatchBusy, NoSuchMatch, StoreError
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from tests.property.tables import RULESETS, snapshot
from tests.storage.tables import SEATS, bare, open_table, play, play_wildly


def resumed(store: Store, live: MatchJournal) -> Table:
    live.close()
    with Store.open(store.home) as other, other.resume(live.id) as again:
        return again.table


def test_a_step_is_on_disk_before_the_screen_hears_of_it(store: Store, home: Path) -> None:
    table = open_table()
    seen: list[bool] = []

    def screen(step: MatchStep) -> None:
        with Store.open() as other:
            on_disk = list(other.lines(live.id))
        seen.append(bare(on_disk) == bare(written))

    written: list[str] = []
    record(table, written.append)
    table.listen(screen)
    live = store.begin(table)
    play(table, 12)
    assert seen == [True] * 12


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_resume_stands_at_the_very_decision(store: Store, ruleset: str) -> None:
    game = load_ruleset(ruleset)
    count = game.seat_counts[0]
    seats = (*SEATS, SeatPlan("Dee"), SeatPlan("Eve"))[:count]
    for seed, steps in ((1, 0), (2, 90)):
        table = open_table(ruleset, seats, seed)
        live = store.begin(table)
        play(table, steps)
        again = resumed(store, live)
        assert snapshot(again.match) == snapshot(table.match)
        assert again.plans == table.plans
        assert again.match.setup == table.match.setup
        play(table, 30)
        play(again, 30)
        assert snapshot(again.match) == snapshot(table.match)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("ruleset", ["jamaican", "air-jamaica", "tuluki", "trinidad", "kooky"])
def test_resume_under_penalties_keeps_what_was_charged(store: Store, ruleset: str) -> None:
    seats = (*SEATS, SeatPlan("Dee"))[: max(2, load_ruleset(ruleset).seat_counts[0])]
    settings = {"dealer_cut": True} if load_ruleset(ruleset).dealer_cut_bonus is not None else {}
    for seed in range(2):
        table = open_table(ruleset, seats, seed, Referee.PENALTIES, **settings)
        live = store.begin(table)
        play_wildly(table, random.Random(seed), 250)
        assert snapshot(resumed(store, live).match) == snapshot(table.match)


def test_resume_keeps_options_seats_and_their_players(store: Store) -> None:
    seats = (SeatPlan("Ann"), SeatPlan("Bob", "exec:./bot --fast"), SeatPlan("Cat", "ai:novice"))
    table = open_table("jamaican", seats, options=("one-joker-fours", "six-jokers"), bad_lay=100)
    live = store.begin(table, teaching=True)
    live.close()
    with store.resume(live.id) as again:
        assert again.teaching
        assert again.table.setup == table.setup
        assert again.table.player_seed(1) == table.player_seed(1)
        assert again.table.plans == seats


def test_lists_of_unfinished_and_finished_matches(store: Store) -> None:
    first, second = open_table(seed=1), open_table("trinidad", seed=2)
    done, going = store.begin(first), store.begin(second)
    play(first)
    play(second, 9)
    done.close()
    (finished,) = store.lists().finished
    assert (finished.id, finished.winners, finished.totals) == (done.id, first.match.winners, first.match.totals)
    assert (finished.deal, finished.deals, finished.elsewhere) == (3, 3, False)
    (unfinished,) = store.lists().unfinished
    assert (unfinished.id, unfinished.ruleset, unfinished.seats) == (going.id, "trinidad", SEATS)
    assert (unfinished.elsewhere, unfinished.teaching, unfinished.started <= unfinished.played) == (True, False, True)
    assert unfinished.data()["totals"] == dict.fromkeys(("Ann", "Bob", "Cat"), 0)
    going.close()
    assert [one.elsewhere for one in store.lists().unfinished] == [False]
    with store.resume(going.id):
        assert [one.elsewhere for one in store.lists().unfinished] == [True]


def test_a_second_program_may_look_but_not_play(store: Store) -> None:
    table = open_table()
    live = store.begin(table)
    play(table, 5)
    with Store.open() as other:
        with pytest.raises(MatchBusy, match="another window"):
            other.resume(live.id)
        with pytest.raises(MatchBusy):
            other.forget(live.id)
        watched = other.replay(live.id)
        assert len(list(watched.steps())) == len(list(store.lines(live.id)))
        live.close()
        with other.resume(live.id) as again:
            assert snapshot(again.table.match) == snapshot(table.match)


def test_ids_may_be_shortened_but_must_be_plain(store: Store) -> None:
    live = store.begin(open_table())
    live.close()
    assert store.summary(live.id[-8:-2]).id == live.id
    store.begin(open_table(seed=2)).close()
    for wrong in ("", "no-such", "%", "20"):
        with pytest.raises(NoSuchMatch):
            store.summary(wrong)
    store.resume(live.id[-8:]).close()


def test_a_record_that_breaks_the_rules_is_refused_with_its_line(store: Store, home: Path) -> None:
    table = open_table()
    live = store.begin(table)
    play(table, 5)
    live.close()
    path = home / "matches" / f"{live.id}.jsonl"
    lines = bare(path.read_text().splitlines())
    lines[2] = {"do": "Ann: discard JK"}
    chain = CheckChain()
    path.write_text("".join(f"{chain.seal(dump(line))}\n" for line in lines))
    with pytest.raises(StoreError, match=f"{live.id}.jsonl:3: "):
        store.resume(live.id)
    assert [summary.id for summary in store.lists().unfinished] == [live.id]
    store.forget(live.id)


def test_hand_order_and_screen_state_come_back(store: Store) -> None:
    table = open_table()
    live = store.begin(table)
    order = tuple(reversed(table.match.deal.hands[0]))
    live.keep_hand(0, order)
    live.keep(curtain=False, staged=[[1, 2]])
    live.keep_hand(2, order[:2])
    live.close()
    with store.resume(live.id) as again:
        assert again.hand(0) == (order, ())
        assert again.hand(1) == ((), ())
        assert again.hand(2) == (order[:2], ())
        assert (again.ui_state["curtain"], again.ui_state["staged"]) == (False, [[1, 2]])
