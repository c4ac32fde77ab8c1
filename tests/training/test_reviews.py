from __future__ import annotations

import dataclasses
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.engine.actions import Pass
from kalooki_tui.evaluation.decisions import BLUNDER, Judged
from kalooki_tui.notation.action_text import print_action
from kalooki_tui.players.belief import Belief
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.storage.kept import ReviewedFile
from kalooki_tui.storage.player.progress_file import ProgressFile, kept_folder
from kalooki_tui.storage.summary import plans_of
from kalooki_tui.training import reviews as reviewing
from kalooki_tui.training.modes import CourseMode, Next
from kalooki_tui.training.reviews import (
    MOST_KEPT,
    Review,
    data,
    keep_as_puzzle,
    keep_mistakes,
    mistakes_of,
    reason_of,
    refined,
    review_text,
    reviews,
    trend,
    trend_of,
    turns_line,
)
from kalooki_tui.training.skills import Learning, skills_of
from kalooki_tui.training.steps import past_deals, why_made
from tests.coach.test_hinting import made_up
from tests.commands import Golden
from tests.moments import there

RECORDS = Path(__file__).parents[1] / "playthroughs"


@pytest.mark.parametrize("record", ["baby-3", "tuluki-2", "trinidad-3-penalties"])
def test_every_step_but_passes_can_be_seen(record: str) -> None:
    lines = (RECORDS / f"{record}.jsonl").read_text(encoding="utf-8").splitlines()
    deals = past_deals(Replay(open_lines(record, lines)))
    assert len(deals) > 1
    at = next(at for at in range(40, 80) if all('"do"' in line for line in lines[at - 9 : at]))
    lines[at:at] = ['{"undone": 9}', *lines[at - 9 : at - 3], '{"undone": 1}', *lines[at - 4 : at]]
    again = past_deals(Replay(open_lines(record, lines)))
    assert [deal.turn_starts() for deal in again] == [deal.turn_starts() for deal in deals]
    assert [[*map(deal.action, range(len(deal)))] for deal in again] == [
        [*map(deal.action, range(len(deal)))] for deal in deals
    ]
    for deal in deals:
        steps = [deal.action(number) for number in range(len(deal))]
        assert steps == [None, *(action for action in deal.actions if not isinstance(action, Pass))]
        assert any(isinstance(action, Pass) for action in deal.actions)
        for number in range(1, len(deal)):
            assert deal.state(number).deal.history[-1] != deal.before(number).deal.history[-1]


LINES = (Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl").read_text(encoding="utf-8").splitlines()
TODAY = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def _is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "today", lambda: TODAY)


@cache
def _first_deal() -> Review:
    return reviews(LINES, "Ada", 1)[0]


def test_a_deal_is_gone_through_and_reviewed(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = Replay(open_lines("baby-3", LINES))
    past, names, faces = past_deals(replay)[0], replay.head.names, replay.head.rules.faces
    told = [f"{past.name}, turns begin at {past.turn_starts()}"]
    told.append(f"after each action: {[past.number_of(point) for point in range(len(past.actions) + 1)]}")
    for step in range(len(past)):
        action = past.action(step)
        said = "dealt" if action is None else print_action(action, names, faces)
        why = why_made(past, plans_of(names, replay.head.players), step)
        told.append(f"{step} in turn {past.turn_of(step)}: {said}: {why}")
    found = dataclasses.replace(_first_deal(), judged=[*_first_deal().judged])
    told += [review_text(found, faces), f"luck {found.luck:.1f}"]
    monkeypatch.setattr(Belief, "played_out", made_up)
    monkeypatch.setattr("kalooki_tui.evaluation.rollouts.available", lambda: True)
    told += [review_text(refined(found, 8), faces), turns_line(found, 24), f"luck {found.luck:.1f}"]
    told += [f"{one.decision.place} {reason_of(found, one)}" for one in mistakes_of(found)]
    told += [str(one) for one in data(found, faces)["decisions"][:9:4]]
    told += [trend((3.0, 0.4)), trend((3.0, 0.4, 7.6)), str(trend_of([found], 0, ReviewedFile.load()))]
    golden("review", "\n".join(told))


@pytest.fixture
def whole() -> Review:
    return dataclasses.replace(_first_deal(), judged=[*_first_deal().judged])


@pytest.fixture
def throws(whole: Review) -> list[Judged]:
    return [one for one in whole.judged if one.kind == "throw"]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def learning(told: list[str]) -> Learning:
    found = Learning.of("baby", ProgressFile.load(), told.append)
    found.day = lambda: TODAY + timedelta(days=1)
    return found


def kept(whole: Review, judged: Judged, learning: Learning) -> Path:
    return there(keep_as_puzzle(LINES, whole, judged, learning.file))


def practice(learning: Learning) -> CourseMode:
    lesson = there(learning.practice())
    return CourseMode(learning, PracticeSession(lesson))


def test_a_kept_decision_is_due_the_next_day_and_its_answer_moves_its_box(
    whole: Review, throws: list[Judged], learning: Learning
) -> None:
    skill = f"kept/{kept(whole, throws[0], learning).stem}"
    learning.day = lambda: TODAY
    assert learning.due == []
    learning.day = lambda: TODAY + timedelta(days=1)
    assert learning.due == [skill]
    assert not learning.begun
    occasion = practice(learning)
    exercise = occasion.session.exercise
    assert sorted(exercise.hand) == sorted(throws[0].decision.view.hand)
    occasion.session.answer(exercise.solutions()[0])
    occasion.answered()
    # Its reason is there to be read: nothing opens by itself.
    assert occasion.reason in occasion.told_after
    assert occasion.onward[0][-1] is Next.GO_ON
    state = ProgressFile.load().progress.skills[f"baby/{skill}"]
    assert (state.box, len(state.recent)) == (2, 1)
    assert learning.due == []


def test_a_kept_decision_stands_among_the_skills_by_its_title_until_its_file_is_deleted(
    whole: Review, throws: list[Judged], learning: Learning
) -> None:
    path = kept(whole, throws[0], learning)
    first = skills_of(learning)[0]
    assert first.title == f"Kept: {whole.deal}, turn {throws[0].decision.turn}: What to throw"
    assert (first.box, first.due(TODAY), first.lately) == ("1 of 5", "tomorrow", "-")
    path.unlink()
    assert learning.due == []
    assert learning.practice() is None
    assert not any(one.id.startswith("kept/") for one in skills_of(learning))


def test_of_a_damaged_file_line_and_cause_are_told_and_the_rest_is_practised(
    whole: Review, throws: list[Judged], learning: Learning, told: list[str]
) -> None:
    torn, good = (kept(whole, judged, learning) for judged in throws[:2])
    torn.write_text("title: torn\nseats: [", encoding="utf-8")
    lesson = there(learning.practice())
    assert [task.skill for task in lesson.tasks] == [f"kept/{good.stem}"]
    assert len(told) == 1
    assert told[0].startswith(f"{torn}:2: ")


def test_a_file_of_a_strange_name_harms_nobody(
    whole: Review, throws: list[Judged], learning: Learning, told: list[str]
) -> None:
    good = kept(whole, throws[0], learning)
    strange = good.with_name("\x1b[31m\udcff\n.yaml")
    strange.write_bytes(b"title: [")
    progress = learning.file.progress
    learning.file.kept = progress.keeping("baby", f"kept/{strange.stem}", TODAY)
    lesson = there(learning.practice())
    assert [task.skill for task in lesson.tasks] == [f"kept/{good.stem}"]
    assert all(one.title.isprintable() for one in skills_of(learning))
    assert all(text.isprintable() for text in told)
    assert len(told) == 1


def dear(whole: Review) -> Review:
    """The deal with a throw that cost nothing for certain, and five others that did, ever more."""
    places = [place for place, one in enumerate(whole.judged) if one.kind == "throw" and one.ranked][:6]
    assert len(places) > MOST_KEPT
    for number, place in enumerate(places):
        error = BLUNDER * 10 if number == 0 else 0.5
        whole.judged[place] = replace(whole.judged[place], loss=BLUNDER * 2.0 + number, error=error)
    return whole


def test_the_three_dearest_mistakes_are_kept_and_none_twice(whole: Review, learning: Learning) -> None:
    deal = dear(whole)
    assert keep_mistakes(LINES, deal, learning.file) == MOST_KEPT == len(learning.kept)
    losses = [one.loss for one in mistakes_of(deal)]
    assert losses == sorted((one.loss for one in deal.by_cost if one.error == 0.5), reverse=True)[:MOST_KEPT]
    for path in kept_folder().iterdir():
        path.unlink()
    assert keep_mistakes(LINES, deal, learning.file) == 0


def test_what_was_not_played_out_is_no_mistake_that_is_kept_by_itself(whole: Review, learning: Learning) -> None:
    deal = dear(whole)
    deal.judged = [replace(one, error=None) for one in deal.judged]
    assert keep_mistakes(LINES, deal, learning.file) == 0
