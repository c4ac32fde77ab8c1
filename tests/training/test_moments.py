"""Matches that begin at a moment: what of it is there again, and that nothing else changes."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import Code, Series, make_puzzle
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.state import State
from kalooki_tui.match.headless import ai_players
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.positions.position_files import load_position, position_text, read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.records.playback import Replay, verify
from kalooki_tui.records.reader import open_record
from kalooki_tui.records.text import replay_json
from kalooki_tui.session.plan import MatchPlan, begin_match, plan_of_live
from kalooki_tui.storage.exchange import import_record
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import statistics
from kalooki_tui.storage.player.progress_file import PuzzleFile
from kalooki_tui.storage.player.settings_file import PlayerSettings
from kalooki_tui.training.modes import Puzzles
from kalooki_tui.training.moments import match_of_view, moment_in, plan_at, with_people, with_seats
from tests.storage.tables import play

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


def moments() -> list[MatchPlan]:
    """A moment of a record, a position, and what a seat sees of a moment, each with the first two seats as people."""
    found = []
    for name, at in (("baby-3", "2.3"), ("tuluki-2", "1.4"), ("kalookie-40-3", "1.2"), ("trinidad-3-penalties", "1.6")):
        match, lines, players, _ = moment_in(open_record(str(TESTS / "playthroughs" / f"{name}.jsonl")), at)
        found += [plan_at(match, f"{name} {at}", players, lines), plan_at(match, f"{name} {at}"),
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
        match, lines, _, _ = moment_in(open_record(str(record)), "1.1")
        if not start.lines:
            assert {key: value for key, value in state_of(match).items() if key != "number"} == {
                key: value for key, value in begun.items() if key != "number"
            }
            assert len(lines) == 1 + sum("seat" in one for one in others[:2])
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
    match, lines, _, _ = moment_in(open_record(str(TESTS / "playthroughs" / "baby-3.jsonl")), "1.2")
    plan = plan_at(match, "there", ("human", "exec:./bot", "ai:expert"), lines)
    others = [seat.player for number, seat in enumerate(plan.seats) if number != match.actor]
    assert set(others) <= {"ai:club", "ai:expert"}
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
