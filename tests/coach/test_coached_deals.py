"""Coached deals: the shipped seeds bring their chapter's point up, and the coach says what fits the moment."""

from dataclasses import replace

import pytest

from kalooki_tui.coach.costs import cost_of, could_have
from kalooki_tui.coach.course.chapter import ENDS, Chapter
from kalooki_tui.coach.course.chapter_files import shipped
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.course.dealing import Decides, coached_deal, comes_up, follow_hints, play_out
from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.desk.study.coached import ARROW, Coach, open_deal
from kalooki_tui.desk.study.dearest import Dear, dearest
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.desk.table.taking_back import DealtAgain
from kalooki_tui.engine.actions import Action, Discard, Draw
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import catalogue
from kalooki_tui.store.errors import StoreError
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
    assert any(words.startswith("After the arrow stands") for words in remarks)
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


#: How each deal of the whole course ends for a learner who does what the coach says.
ENDINGS = {
    "sets": "out", "runs": "out", "kiss": "out", "turn": "out", "mixed": "out", "distance": "out", "helps": "out",
    "throw": "caught", "calls": "out", "answers": "beaten", "tacks": "beaten", "swaps": "out", "out": "void",
}  # fmt: skip


@pytest.mark.parametrize("chapter_id", ENDINGS)
def test_a_deal_ends_for_who_follows_the_hints_as_its_chapter_says(chapter_id: str) -> None:
    chapter = chapter_of(learning(), chapter_id)
    assert chapter.coached is not None
    for game in chapter.coached.seeds:
        found = coached_deal(chapter, game)
        assert found is not None
        played = play_out(found, follow_hints)
        assert played.end == chapter.coached.ends == ENDINGS[chapter_id]
        assert (played.paid > 0) == (played.end in ("beaten", "caught"))
        assert comes_up(found, chapter.coached, follow_hints)


def test_not_every_deal_of_the_course_is_won() -> None:
    assert {chapter.id for chapter in course_of("jamaican").chapters if not chapter.when} == set(ENDINGS)
    assert len([end for end in ENDINGS.values() if end != "out"]) >= 4
    assert set(ENDINGS.values()) == set(ENDS)


def test_a_contract_completed_by_a_call_waits_for_the_learners_turn() -> None:
    chapter = chapter_of(learning(), "calls")
    found = coached_deal(chapter, "jamaican")
    assert found is not None
    played = play_out(found, follow_hints)
    assert played.at("call") < played.at("waits") <= played.at("lays")


def test_no_two_coached_deals_are_dealt_from_the_same_shuffle() -> None:
    dealt: dict[tuple[int, ...], list[str]] = {}
    for chapter in shipped():
        for game in {} if chapter.coached is None else chapter.coached.seeds:
            found = coached_deal(chapter, game)
            assert found is not None
            deal = found.match().deal
            stock = tuple(deal.stock) if not found.cut else (found.seed,)
            dealt.setdefault(stock[:12], []).append(f"{chapter.id} in {game}")
    assert [names for names in dealt.values() if len(names) > 1] == []
    seeds = [seed for chapter in shipped() if chapter.coached for seed in chapter.coached.seeds.values()]
    assert len(seeds) == len(set(seeds))


def test_the_void_deal_has_six_players_and_a_deal_of_ones_own_three() -> None:
    chapter = chapter_of(learning(), "out")
    with_coach, alone = coached_deal(chapter, "jamaican"), coached_deal(chapter, "jamaican", 11, alone=True)
    assert with_coach is not None
    assert alone is not None
    assert (with_coach.seats, alone.seats) == (6, 3)


# Looking back


def looked_back(chapter_id: str, decides: Decides) -> tuple[DealtAgain, tuple[Dear, ...]]:
    """A coached deal played to its end, and what is looked back on."""
    found = learning()
    chapter = chapter_of(found, chapter_id)
    _, table = open_deal(found, chapter, Speed.INSTANT)
    past = DealtAgain(table, lambda: open_deal(found, chapter, Speed.INSTANT)[1])
    player = make_player("club", "0")
    while (seat := table.match.actor) is not None:
        view = table.view(seat)
        table.attempt((decides(view) if seat == 0 else None) or player.decide(view).action)
    return past, dearest(past.decisions(), warned=True)


def careless(view: View) -> Action | None:
    """Draws from the stock and throws the first card that may be thrown, whatever the hand holds."""
    throws = [action for action in view.legal if isinstance(action, Discard)]
    draws = [action for action in view.legal if isinstance(action, Draw)]
    return next(iter([*draws, *throws]), None)


def test_only_steps_of_the_seats_that_are_named_are_taken_back() -> None:
    past, _ = looked_back("mixed", careless)
    with pytest.raises(StoreError):
        past.undo((1,))
    past.undo((0, 1))


def test_the_dearest_decisions_are_looked_back_on_overruled_warnings_first() -> None:
    past, dear = looked_back("mixed", careless)
    assert len(dear) == 3
    overruled = [one.is_overruled for one in dear]
    assert overruled == sorted(overruled, reverse=True)
    assert overruled[0]
    decisions = {one.place: one for one in past.decisions()}
    for one in dear:
        decision = decisions[one.place]
        assert decision.view.seat == 0
        assert could_have([(decision.view, decision.action)], worlds=0) == one.said
        assert one.words.endswith(" You were warned.") == one.is_overruled
    every = dearest(past.decisions(), warned=False)
    first = decisions[every[0].place]
    costs = [cost_of(one.view, one.action, worlds=0) for one in decisions.values()]
    most = cost_of(first.view, first.action, worlds=0)
    assert most is not None
    assert most.lost == max(cost.lost for cost in costs if cost is not None)
    assert not any(one.is_overruled for one in every)


def test_who_follows_the_hints_has_nothing_to_look_back_on() -> None:
    assert looked_back("turn", follow_hints)[1] == ()


def test_a_deal_is_played_again_from_the_moment_of_a_decision() -> None:
    past, dear = looked_back("mixed", careless)
    found = learning()
    for one in dear:
        decision = next(each for each in past.decisions() if each.place == one.place)
        _, table = open_deal(found, chapter_of(found, "mixed"), Speed.INSTANT, until=past.until(one.place))
        assert table.match.actor == 0
        assert table.view(0) == decision.view
