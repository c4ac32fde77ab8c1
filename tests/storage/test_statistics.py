import json
import os
from pathlib import Path

import pytest

from kalooki_tui.records.lines import CheckChain, unsealed
from kalooki_tui.records.writer import dump
from kalooki_tui.storage import folder
from kalooki_tui.storage import match_facts as facts_module
from kalooki_tui.storage.exchange import export_record, import_record
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import PlayerStatistics, Rating, rate, statistics
from kalooki_tui.storage.scan import Scan, scan_file
from tests.commands import Golden
from tests.storage.tables import PEOPLE, change_head, match_facts, open_table, play

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"


def finished(store: Store) -> str:
    table = open_table(seats=PEOPLE)
    with store.begin(table) as live:
        play(table)
    return live.id


def test_an_end_of_a_deal_that_was_taken_back_does_not_count(store: Store) -> None:
    live = store.begin(open_table(seats=PEOPLE), teaching=True)
    while live.table.match.actor is not None:
        play(live.table, 1)
    live.undo()
    assert store.scan(live.id).facts is None
    assert statistics(store).players == ()
    play(live.table)
    live.close()
    assert match_facts(store, live.id) == match_facts(store, finished(store))


def test_what_is_known_of_matches_that_lie_in_the_folder(golden: Golden, home: Path) -> None:
    """Records of three games and more, by two people and others; the first one's seats are given away and taken."""
    (home / "matches").mkdir()
    for number, path in enumerate(sorted(PLAYTHROUGHS.glob("*.jsonl"))):
        head, *lines = [unsealed(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
        for seat, player in zip(head["seats"], ("human", "human", "ai:expert", "ai:wizard"), strict=False):
            seat["player"] = player
        if number % 3 == 0:
            lines[20:20] = [{"seat": "Ada", "name": "Ada", "player": "ai:club"}, {"last_deal": 1}]
            lines[60:60] = [{"seat": "Ada", "name": "Zoe" if number % 2 else "Ada", "player": "human"}]
        seal = CheckChain().seal if number % 2 else str
        text = "".join(f"{seal(dump(line))}\n" for line in (head, *lines))
        record = home / "matches" / f"{path.stem}.jsonl"
        record.write_text(text if number % 5 else text[:-1], encoding="utf-8")
        os.utime(record, (1_700_000_000 + number,) * 2)
    told = list[str]()
    with Store.open() as store:
        for summary in store.summaries():
            found = store.scan(summary.id)
            told.append(" ".join(f"{key} {value}" for key, value in summary.data().items() if key != "started"))
            told.append(f"  {found.lines} lines, {found.size} bytes, sealed {found.sealed}, torn {found.torn}")
            told += [f"  {seat}" for seat in (found.facts.seats if found.facts else ())]
        for every in (False, True):
            known = statistics(store, imported=every)
            told += [f"{one.data()}" for one in known.players]
            for name, rating in known.ratings.items():
                course = " ".join(f"{one:.2f}" for one in known.courses[name])
                told.append(f"{name}: {rating.words}, {rating.volatility:.6f}, {course}")
    golden("kept-matches", "\n".join(told))


def test_facts_are_kept_and_read_out_anew_when_they_mean_something_else(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open() as store:
        match_id = finished(store)
        first = match_facts(store, match_id)
    read: list[str] = []

    def noted(path: Path) -> Scan:
        read.append(path.name)
        return scan_file(path)

    monkeypatch.setattr(folder, "scan_file", noted)
    with Store.open() as store:
        assert match_facts(store, match_id) == first
    assert read == []
    monkeypatch.setattr(facts_module, "VERSION", facts_module.VERSION + 1)
    with Store.open() as store:
        assert match_facts(store, match_id) == first
    assert read == [f"{match_id}.jsonl"]


def test_what_a_call_is_worth() -> None:
    player = PlayerStatistics("Ann", "baby", deals=5, points=100, call_deals=2, call_points=10)
    assert player.call_worth == 90 / 3 - 10 / 2
    assert PlayerStatistics("Ann", "baby", deals=5, points=100).call_worth is None
    assert PlayerStatistics("Ann", "baby").points_a_deal is None


def test_teaching_matches_are_not_rated_and_imported_ones_not_counted(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = open_table()
    with store.begin(table, teaching=True) as live:
        play(table)
    found = statistics(store)
    assert (len(found.players), found.ratings) == (1, {})
    path = tmp_path_factory.mktemp("out") / "record"
    export_record(store, live.id, path)
    store.forget(live.id)
    import_record(store, path)
    assert [one.matches for one in statistics(store).players] == [1]
    change_head(path, lambda head: head.update(home="elsewhere"))
    store.forget(store.lists().finished[0].id)
    import_record(store, path)
    assert statistics(store).players == ()
    assert statistics(store, imported=True).players[0].matches == 1


def test_the_worked_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rate(Rating(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    after = rate(Rating(1600, 50, 0.06), [])
    assert (after.rating, after.volatility) == (1600, 0.06)
    assert 50 < after.deviation < 52, "without games only the doubt grows"
