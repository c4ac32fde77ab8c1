"""Matches that begin at a moment: what of it is there again, and that nothing else changes."""

import json
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import Code, Series, make_puzzle
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.state import State
from kalooki_tui.match.headless import ai_players
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.positions.position_files import load_position, position_text, read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.records.playback import Replay, verify
from kalooki_tui.records.reader import open_record
from kalooki_tui.records.text import replay_json
from kalooki_tui.rulesets.loader import resolve
from kalooki_tui.session.plan import MatchPlan, begin_match, past_totals, plan_of_live
from kalooki_tui.storage.exchange import import_record
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import statistics
from kalooki_tui.storage.player.progress_file import PuzzleFile
from kalooki_tui.storage.player.settings_file import PlayerSettings
from kalooki_tui.training.modes import Puzzles
from kalooki_tui.training.moments import match_of_view, moment_in, plan_at, with_people, with_seats
from kalooki_tui.training.steps import past_deals
from kalooki_tui.wording import AI_NAMES
from tests.storage.tables import PEOPLE, open_table, play

TESTS = Path(__file__).parents[1]
PLAYTHROUGHS = sorted((TESTS / "playthroughs").glob("*.jsonl"))
#: What a position says nothing of: how the deal came to be, and what has happened.
UNSAID = {"history", "next_stock", "seed", "attempt", "idle_turns", "added", "face_down", "bonus", "penalties",
          "bad_lay_open", "doubled", "points", "found", "rules"}  # fmt: skip


NOVICES = tuple(SeatPlan(name, "ai:novice") for name in ("Ann", "Bob", "Cat"))


def state_of(match: Match) -> dict[str, object]:
    deal = match.clone().deal
    found = {one.name: getattr(deal, one.name) for one in fields(State) if one.name not in UNSAID}
    charged = [penalty + bonus for penalty, bonus in zip(deal.penalties, deal.bonus, strict=True)]
    # Nobody threw the top card where there is none.
    found |= {} if deal.pile else {"discarded_by": None}
    # Settings that were chosen are usual ones where a whole ruleset is written.
    rules = replace(match.rules, ruleset=replace(match.rules.ruleset, options={}, settings={}))
    return found | {"hands": [sorted(hand) for hand in deal.hands], "charged": charged, "rules": rules}


@pytest.mark.sweep(16)
@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_any_moment_is_written_and_is_the_same_once_read(path: Path) -> None:
    """A moment in each stretch of 19 steps, under all rulesets and both referees."""
    replay, asked = Replay(open_record(str(path))), 0
    for _ in replay.steps():
        match = replay.match
        if match is None or match.actor is None:
            continue
        asked += 1
        if asked % 19 == 0:
            again = set_up(read_position(position_text(match, path.stem, options=replay.head.options)))
            assert state_of(again) == state_of(match), asked
    assert asked > 19


@cache
def moments() -> list[MatchPlan]:
    """A moment of a record, a position, and what a seat sees of a moment, each with the first two seats as people."""
    found = []
    for name, at in (("baby-3", "2.3"), ("tuluki-2", "1.4"), ("kalookie-40-3", "1.2"), ("trinidad-3-penalties", "1.6")):
        match, record, upto, players, _ = moment_in(open_record(str(TESTS / "playthroughs" / f"{name}.jsonl")), at)
        found += [plan_at(match, f"{name} {at}", players, record, upto), plan_at(match, f"{name} {at}"),
                  plan_at(match_of_view(match.view(match.actor or 0), "seed"), "a puzzle")]  # fmt: skip
    return [with_people(plan, (0, 1)) for plan in found]


@pytest.mark.parametrize("number", range(12))
def test_a_match_from_a_moment_is_saved_resumed_taken_back_and_counts_for_nobody(number: int, home: Path) -> None:
    plan = replace(moments()[number], teaching=True)
    start = plan.start
    assert start is not None
    with Store.open() as store:
        with begin_match(store, plan) as live:
            begun = state_of(live.table.match)
            while live.table.match.actor not in (0, 1):
                play(live.table, 1)
            play(live.table, 1)
            live.undo()
            played = state_of(live.table.match)
        record = home / "matches" / f"{live.id}.jsonl"
        head, *others = map(json.loads, record.read_text(encoding="utf-8").splitlines())
        assert verify(str(record)).ok
        # What it goes on from is there to the letter, or the position is.
        before = [json.loads(line) for line in start.lines[1:]]
        meant = [{key: value for key, value in one.items() if key not in ("n", "check")} for one in others]
        assert meant[: len(before)] == [{k: v for k, v in one.items() if k not in ("n", "check")} for one in before]
        assert isinstance(head["position"], str if start.lines else dict)
        assert [seat.is_human for seat in live.table.plans] == [True, True, *[False] * (len(plan.seats) - 2)]
        with store.resume(live.id) as live:
            assert state_of(live.table.match) == played
            assert plan_of_live(live, PlayerSettings()).seats == plan.seats
            play(live.table)
        assert verify(str(record)).finished
        (summary,) = store.summaries()
        assert (summary.from_position, summary.finished) == (True, True)
        assert statistics(store).players == ()
        # Somebody else who gets the record has it as it is, and plays it on from where it begins.
        match, _, upto, _, _ = moment_in(
            open_record(str(record)), f"{head['position']['deal'] if not start.lines else 1}.1"
        )
        if not start.lines:
            assert {key: value for key, value in state_of(match).items() if key != "number"} == {
                key: value for key, value in begun.items() if key != "number"
            }
            assert upto == 1 + sum("seat" in one for one in others[:2])
        copy = import_record(store, str(record))
        assert store.scan(copy.id).from_position


def test_of_an_unfinished_match_its_position_is_shown_to_nobody(home: Path) -> None:
    with Store.open() as store, begin_match(store, moments()[1]) as live:
        play(live.table, 2)
        hidden = "".join(replay_json(store.replay(live.id)))
    assert '"position"' not in hidden
    assert json.loads(hidden)["head"].keys() >= {"seats", "rules"}


def test_what_a_seat_sees_is_the_same_in_the_match_made_of_it() -> None:
    for path in PLAYTHROUGHS[::7]:
        match, *_ = moment_in(open_record(str(path)), "1.2")
        view = match.view(match.actor or 0)
        for seed in ("a", "b"):
            again = match_of_view(view, seed).view(view.seat)
            assert replace(again, history=(), attempt=0) == replace(view, history=(), attempt=0), path.stem
        assert match_of_view(view, "a").deal.hands != match_of_view(view, "b").deal.hands


def test_seats_are_named_by_their_names_and_whoever_is_named_plays() -> None:
    plan = plan_at(set_up(load_position(TESTS / "positions" / "C4_an-allowed-call.yaml")), "a call")
    assert [seat.is_human for seat in plan.seats] == [True, False, False]
    assert [seat.player for seat in with_seats(plan, ("Bob",)).seats] == ["ai:club", "human", "ai:club"]
    assert [seat.player for seat in with_seats(plan, ("Cat=ai:expert",)).seats] == ["human", "ai:club", "ai:expert"]
    for wrong in (("Dan",), ("ai:club",), ("Ann", "exec:true")):
        with pytest.raises(ValueError, match="the seats here are Ann, Bob and Cat"):
            with_seats(plan, wrong)
    assert SeatPlan("Bob") in with_people(plan, (1,)).seats


def test_the_seats_of_a_record_are_played_as_there_but_by_no_program() -> None:
    match, record, upto, _, _ = moment_in(open_record(str(TESTS / "playthroughs" / "baby-3.jsonl")), "1.2")
    plan = plan_at(match, "there", ("human", "exec:./bot", "ai:expert"), record, upto)
    assert [seat.player for seat in with_people(plan, (0,)).seats] == ["human", "ai:club", "ai:expert"]
    assert plan.seats[match.actor or 0].is_human


def test_nothing_is_played_on_from_where_no_deal_is_played() -> None:
    match = set_up(load_position(TESTS / "positions" / "C4_an-allowed-call.yaml"))
    players = ai_players(Table.open(TableSetup(match.rules.ruleset, NOVICES, 1)))
    while match.actor is not None:
        match.apply(players[match.actor].decide(match.view(match.actor)).action)
    with pytest.raises(ValueError, match="then: no deal is being played then"):
        plan_at(match, "then")


@pytest.mark.parametrize("kind", ["throw", "call", "allow"])
def test_a_match_goes_on_from_what_a_puzzle_shows(kind: str, tmp_path: Path) -> None:
    for code in ("AB", "CD", "EF"):
        puzzle = make_puzzle(Code(code, kind))
        shown = puzzle.exercise.view
        plan = Puzzles(PracticeSession(Series(puzzle)), PuzzleFile.load(tmp_path / "progress.json")).plan()
        with Store.open() as store, begin_match(store, plan) as live:
            view = live.table.match.view(shown.seat)
            assert sorted(view.hand) == sorted(shown.hand)
            assert (view.melds, view.phase, view.hand_sizes) == (shown.melds, shown.phase, shown.hand_sizes)
            assert live.table.match.actor == shown.seat
            play(live.table, 5)


def test_a_puzzle_without_a_table_has_nothing_to_go_on_from(tmp_path: Path) -> None:
    puzzle = make_puzzle(Code("AB", "repair"))
    occasion = Puzzles(PracticeSession(Series(puzzle)), PuzzleFile.load(tmp_path / "progress.json"))
    with pytest.raises(ValueError, match="no table to play on from"):
        occasion.plan()


def test_the_next_deals_of_a_match_that_goes_on_are_shown_to_nobody(home: Path) -> None:
    with Store.open() as store:
        with store.begin(open_table(seats=PEOPLE, seed=4)) as live:
            while live.table.match.deal.number == 1 or live.table.match.actor is None:
                play(live.table, 1)
            to_come = live.table.match.deal.hands
            going = [*store.lines(live.id)]
        file = home / "matches" / f"{live.id}.jsonl"
        with pytest.raises(ValueError, match="deals that may be looked at: 1, not 2"):
            moment_in(open_record(str(file)), "2.1")
        match, record, upto, players, options = moment_in(open_record(str(file)), "1.2")
        assert record == going
        plan = plan_at(match, "there", players, record, upto)
        assert plan.start is not None
        assert (plan.seed, plan.start.lines) == (None, ())
        assert "seed" not in position_text(match, "there", options=options)
        with begin_match(store, replace(plan, seed=5)) as other:
            while other.table.match.deal.number == 1 or other.table.match.actor is None:
                play(other.table, 1)
            assert other.table.match.deal.hands != to_come


def test_a_moment_after_a_reshuffle_is_one_to_go_on_from() -> None:
    six, found = tuple(SeatPlan(name, "ai:novice") for name in ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")), 0
    with Store.open() as store:
        with store.begin(open_table("jamaican", six, options=("deals=7",))) as live:
            play(live.table)
        record, replay = [*store.lines(live.id)], store.replay(live.id)
        for deal in past_deals(replay):
            for number in range(len(deal)):
                match, upto = deal.state(number), deal.lines_to(deal.point_of(number))
                if match.actor is None or "reshuffled" not in json.loads(record[upto - 1]):
                    continue
                with begin_match(store, plan_at(match, "there", replay.players, record, upto)) as other:
                    assert state_of(other.table.match) == state_of(match)
                    play(other.table, 3)
                found += 1
    assert found


def test_a_line_that_was_cut_off_is_not_read(tmp_path: Path) -> None:
    text = (TESTS / "playthroughs" / "baby-3.jsonl").read_text(encoding="utf-8")
    torn = tmp_path / "torn.jsonl"
    torn.write_text(text[: text.index('{"deal": 2') + 40], encoding="utf-8")
    assert moment_in(open_record(str(torn)), "1.2").upto > 3


def test_deals_have_their_numbers_and_points_where_a_match_begins_in_its_middle(home: Path) -> None:
    match, _, _, players, _ = moment_in(open_record(str(TESTS / "playthroughs" / "baby-3.jsonl")), "2.1")
    begun = match.totals
    assert any(begun)
    with Store.open() as store:
        with begin_match(store, plan_at(match, "there", players)) as live:
            assert past_totals(live) == [begun]
            assert store.lists().unfinished[0].totals == begun
            play(live.table)
            rows = past_totals(live)
        assert (rows[0], len(rows)) == (begun, 3)
        record = open_record(str(home / "matches" / f"{live.id}.jsonl"))
        assert moment_in(record, "3.1").match.deal.number == 3


def test_no_ai_seat_is_spoken_to(home: Path) -> None:
    seats = (SeatPlan("You"), SeatPlan("Ada", "ai:novice"), SeatPlan("Bea", "ai:novice"))
    with Store.open() as store:
        with store.begin(open_table(seats=seats)) as live:
            play(live.table)
        match, record, upto, players, _ = moment_in(open_record(str(home / "matches" / f"{live.id}.jsonl")), "1.2")
        for plan in (plan_at(match, "there", players, record, upto), plan_at(match, "there", players)):
            assert "You" in [seat.name for seat in plan.seats]
            assert with_people(plan, (0,)).seats[0] == SeatPlan("You")
            with begin_match(store, with_people(plan, (1,))) as other:
                assert other.table.match.names == ("Cy", "Ada", "Bea")
                play(other.table, 4)


def test_the_rules_of_a_position_hold_when_its_match_is_continued(home: Path) -> None:
    match, _, _, players, _ = moment_in(open_record(str(TESTS / "playthroughs" / "jamaican-3.jsonl")), "1.2")
    rules = replace(match.rules, ruleset=resolve("jamaican", ("no-throw-back", "two-card-calls"), 3))
    plan = plan_at(Match(MatchSetup(rules, match.names, 1), match.clone().deal), "there", players)
    with Store.open() as store:
        with begin_match(store, plan) as live:
            pass
        with store.resume(live.id) as live:
            again = plan_of_live(live, PlayerSettings())
            ruleset, _ = again.check()
            assert (ruleset.calls.penalty, ruleset.draw.throw_back) == (2, False)
            assert again.start is not None
            assert state_of(again.open().match)["hands"] == state_of(live.table.match)["hands"]
        with begin_match(store, plan_at_record("baby-3", "2.3")) as live:
            pass
        with store.resume(live.id) as live:
            assert plan_of_live(live, PlayerSettings()).start is not None


def plan_at_record(name: str, at: str) -> MatchPlan:
    match, record, upto, players, _ = moment_in(open_record(str(TESTS / "playthroughs" / f"{name}.jsonl")), at)
    return plan_at(match, f"{name} {at}", players, record, upto)


def test_ai_seats_keep_their_levels_and_any_number_of_them_can_sit() -> None:
    match, record, upto, _, _ = moment_in(open_record(str(TESTS / "playthroughs" / "trinidad-11.jsonl")), "1.2")
    match.rename(AI_NAMES[:11])
    plan = plan_at(match, "there", ["novice"] * 11, record, upto)
    actor = match.actor or 0
    assert [seat.player for seat in plan.seats] == ["human" if seat == actor else "ai:novice" for seat in range(11)]
    other = with_people(plan, ((actor + 1) % 11,))
    assert other.seats[actor].player == "ai:novice"


def test_a_void_deal_has_the_number_of_the_next_and_steps_taken_back_are_no_lines_to_go_on_from() -> None:
    six = tuple(SeatPlan(name, "ai:novice") for name in ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay"))
    with Store.open() as store:
        with store.begin(open_table("jamaican", six, options=("deals=9",))) as live:
            play(live.table)
        record = open_record(str(store.folder.at(f"{live.id}.jsonl")))
        found = moment_in(record, "1.1").match
        assert found.deal.attempt == max(one.state(0).deal.attempt for one in past_deals(store.replay(live.id))) > 1
        with store.begin(open_table(seats=PEOPLE), teaching=True) as live:
            for _ in range(4):
                play(live.table, 2)
                live.undo()
            play(live.table)
        record = open_record(str(store.folder.at(f"{live.id}.jsonl")))
        for at in ("1.1", "1.2", "1.3", "2.1"):
            match, lines, upto, players, _ = moment_in(record, at)
            record = open_record(str(store.folder.at(f"{live.id}.jsonl")))
            with begin_match(store, plan_at(match, at, players, lines, upto)) as other:
                assert state_of(other.table.match) == state_of(match), at
