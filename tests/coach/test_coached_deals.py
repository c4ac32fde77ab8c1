"""Coached deals: the shipped seeds bring their chapter's point up, and the coach says what fits the moment."""

from dataclasses import replace

import pytest

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.chapter_files import shipped
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.course.dealing import coached_deal, comes_up
from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.desk.study.coached import ARROW, Coach, open_deal
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.engine.view import Phase
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import catalogue
from kalooki_tui.store.player.progress import ProgressFile

DEALS = [
    (chapter, game)
    for chapter in shipped()
    if chapter.coached is not None
    # Of a difference that several games have, one: the script that finds seeds checks them all.
    for game in list(chapter.coached.seeds)[: 1 if chapter.order > 100 else None]
]  # fmt: skip


def learning(ruleset: str = "jamaican") -> Learning:
    return Learning.of(ruleset, ProgressFile.load(), print)


def chapter_of(found: Learning, chapter_id: str) -> Chapter:
    chapter = found.course.chapter(chapter_id)
    assert chapter is not None
    return chapter


@pytest.mark.parametrize(("chapter", "game"), DEALS, ids=lambda one: one if isinstance(one, str) else one.id)
def test_the_point_of_each_shipped_deal_comes_up(chapter: Chapter, game: str) -> None:
    found = coached_deal(chapter, game)
    assert found is not None
    assert chapter.coached is not None
    assert comes_up(found, chapter.coached)
    assert found.match().deal.turn == found.cut


def test_a_deal_in_which_the_learner_only_refuses_does_not_show_both_answers() -> None:
    chapter = chapter_of(learning(), "answers")
    found = coached_deal(chapter, "jamaican")
    assert found is not None
    assert chapter.coached is not None
    assert chapter.coached.point == "decisions"
    assert not comes_up(replace(found, seed=5), chapter.coached)


def test_every_chapter_of_jamaican_and_baby_has_a_deal() -> None:
    for game in ("jamaican", "baby"):
        chapters = [chapter for chapter in course_of(game).chapters if not chapter.when]
        assert all(coached_deal(chapter, game) is not None for chapter in chapters)
    trinidad = course_of("trinidad")
    assert coached_deal(course_of("jamaican").chapters[4], trinidad.id) is None


def test_every_difference_has_a_deal_in_every_game_that_calls_for_it() -> None:
    without = set()
    for entry in catalogue():
        assert entry.ruleset is not None
        for chapter in course_of(entry.ruleset.id).chapters:
            if coached_deal(chapter, entry.ruleset.id) is None:
                without.add(chapter.id)
    # No deal in a thousand holds a whole suit: its exercises are all there is.
    assert without == {"whole-suit"}


def test_remarks_are_made_once_each_at_their_moment() -> None:
    found = learning()
    chapter = chapter_of(found, "turn")
    _, table = open_deal(found, chapter, Speed.INSTANT)
    coach, player, said = Coach(found, chapter), make_player("club", "0"), []
    while table.match.actor is not None and len(said) < 40:
        seat = table.match.actor
        view = table.view(seat)
        if seat == 0 and view.phase is not Phase.CUT:
            words = coach.say(view)
            assert coach.say(view) == words  # until it has been shown
            coach.told(view)
            assert ARROW in words  # chapter four points at every choice
            said.append(words.partition(ARROW)[0].strip())
        table.apply(player.decide(view).action)
    remarks = [words for words in said if words]
    assert len(remarks) == len(set(remarks)) >= 2
    assert any(words.startswith("The arrow says") for words in remarks)
    assert not any("{" in words for words in remarks)


def test_a_remark_is_made_until_the_moment_it_was_made_at_has_been_shown() -> None:
    found = learning()
    chapter = chapter_of(found, "turn")
    _, table = open_deal(found, chapter, Speed.INSTANT)
    now = table.view(0)
    coach, later = Coach(found, chapter), replace(now, stock=now.stock - 1)
    coach.told(now)  # nothing has been said yet
    words = coach.say(now)
    assert words.partition(ARROW)[0]
    coach.told(later)
    assert coach.say(now) == words
    coach.told(now)
    assert coach.say(now) != words


def test_where_it_is_nobodys_move_the_coach_is_silent() -> None:
    found = learning("baby")
    chapter = chapter_of(found, "sets")
    _, table = open_deal(found, chapter, Speed.INSTANT)
    assert Coach(found, chapter).say(table.view(1)) == ""


def test_the_first_chapters_do_without_calls() -> None:
    for chapter in course_of("jamaican").chapters[:13]:
        found = coached_deal(chapter, "jamaican")
        assert found is not None
        assert (found.ruleset.calls.limit == 0) == (chapter.order < 9)


def test_a_deal_that_is_not_there_is_told() -> None:
    found = learning("trinidad")
    with pytest.raises(ValueError, match="no coached deal"):
        open_deal(found, chapter_of(learning(), "mixed"), Speed.INSTANT)
