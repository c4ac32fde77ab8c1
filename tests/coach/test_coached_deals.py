import pytest
from msgspec.structs import replace

from kalooki_tui.coach.course.chapter import Chapter, Coached, shipped
from kalooki_tui.coach.course.courses import CoachedDeal, coached_deal, course_of
from kalooki_tui.coach.rated_advice import cost_of, could_have
from kalooki_tui.engine.actions import Action, Discard, Draw
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import catalogue
from kalooki_tui.session.plan import Speed
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.training.coached_deals import ARROW, Coach, Dear, Guessing, dearest, open_deal, own_deal
from tests.coach.test_hinting import printed
from tests.coach.walking import ENDINGS, Decides, chapter_of, comes_up, follow_hints, learning_of, play_out
from tests.commands import Golden
from tests.moments import there

DEALS = [
    (chapter, game)
    for chapter in shipped()
    if chapter.coached is not None
    # Of a difference that several games have, one: the script that finds seeds checks them all.
    for game in list(chapter.coached.seeds)[: 1 if chapter.order > 100 else None]
]  # fmt: skip


def deal_of(chapter: Chapter, game: str = "jamaican") -> tuple[CoachedDeal, Coached]:
    """A chapter's deal, and what the chapter says of it."""
    found = there(coached_deal(chapter, game))
    assert chapter.coached is not None
    return found, chapter.coached


@pytest.mark.sweep(12)
@pytest.mark.parametrize(("chapter", "game"), DEALS, ids=lambda one: one if isinstance(one, str) else one.id)
def test_the_point_of_each_shipped_deal_comes_up(chapter: Chapter, game: str) -> None:
    found, _ = deal_of(chapter, game)
    assert comes_up(found, chapter)
    assert found.match.deal.turn == (found.match.phase is Phase.CUT)


#: Chapters of which exercises are all there is, and in which games.
WITHOUT_DEAL = {
    # No deal in a thousand holds a whole suit, and the hand that Carioca asks for is one.
    "whole-suit": "air-jamaica kalooki-short super-kalooki tuluki", "whole-hand": "carioca",
    # A table of three has one joker there: no two can lie in one meld.
    "naturals": "contract-rummy", "kissing": "contract-rummy",
}  # fmt: skip


def test_every_chapter_has_a_deal_in_every_game_that_calls_for_it() -> None:
    without: dict[str, set[str]] = {}
    for entry in catalogue():
        for chapter in course_of(entry.ruleset.id).chapters:
            if coached_deal(chapter, entry.ruleset.id) is None:
                without.setdefault(chapter.id, set()).add(entry.ruleset.id)
    assert without == {chapter: {*games.split()} for chapter, games in WITHOUT_DEAL.items()}
    with pytest.raises(ValueError, match="no coached deal"):
        open_deal(learning_of("trinidad"), chapter_of(learning_of().course, "mixed"), Speed.INSTANT)


#: Coached deals that club players play.
SAID = {"turn": "jamaican", "distance": "jamaican", "cut": "air-jamaica", "flip": "tuluki"}


def test_what_is_said_in_coached_deals(golden: Golden) -> None:
    told = list[str]()
    for chapter_id, game in SAID.items():
        found, player = learning_of(game), make_player("club", "0")
        chapter = chapter_of(found.course, chapter_id)
        plan, live = open_deal(found, chapter, Speed.INSTANT)
        coach, guessing, table = Coach(found, chapter), Guessing(), live.table
        seats = f"{', '.join(f'{seat.name} {seat.player}' for seat in plan.seats)}, {own_deal(table.view(0), 0)}"
        told.append(f"{game} {chapter_id}: {seats}, open {plan.open_hands}, teaching {live.teaching}")
        while (seat := table.match.actor) is not None:
            view = table.view(seat)
            action = player.decide(view).action
            if seat == 0:
                asked = guessing.asks(view)
                if asked is not None:
                    told.append(f"  guessed: {guessing.told(view, asked, 2)}")
                words = coach.at_the_cut if view.phase is Phase.CUT else coach.say(view)
                told.append(f"  {view.phase}, {printed(view, action)}, hidden {guessing.hides(view)}: {words}")
                assert view.phase is Phase.CUT or coach.say(view) == words  # until it has been shown
                coach.told(view)
            table.attempt(action)
        told += [f"  {own_deal(table.view(0), hints)}" for hints in (0, 1)]
        told += [f"  {one}" for warned in (True, False) for one in dearest(live.decisions(0), warned=warned)]
    golden("coached", "\n".join(told))


def test_a_remark_is_made_until_the_moment_it_was_made_at_has_been_shown() -> None:
    found = learning_of()
    chapter = chapter_of(found.course, "turn")
    table = open_deal(found, chapter, Speed.INSTANT)[1].table
    now = table.view(0)
    coach, later = Coach(found, chapter), replace(now, stock=now.stock - 1)
    coach.told(now)  # nothing has been said yet
    words = coach.say(now)
    assert words.partition(ARROW)[0]
    coach.told(later)
    assert coach.say(now) == words
    coach.told(now)
    assert coach.say(now) != words
    assert coach.say(table.view(1)) == ""  # where it is nobody's move


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chapter", [chapter for chapter in shipped() if chapter.order < 100], ids=lambda one: one.id)
def test_a_deal_ends_for_who_follows_the_hints_as_its_chapter_says(chapter: Chapter) -> None:
    for game in deal_of(chapter)[1].seeds:
        found, _ = deal_of(chapter, game)
        played = play_out(found, follow_hints)
        assert played.end == ENDINGS[chapter.id][1]
        assert (played.paid > 0) == (played.end in ("beaten", "caught"))
        assert comes_up(found, chapter, follow_hints)


# Looking back


def looked_back(chapter_id: str, decides: Decides) -> tuple[MatchJournal, tuple[Dear, ...]]:
    """A coached deal played to its end, and what is looked back on."""
    found = learning_of()
    chapter = chapter_of(found.course, chapter_id)
    _, live = open_deal(found, chapter, Speed.INSTANT)
    table = live.table
    player = make_player("club", "0")
    while (seat := table.match.actor) is not None:
        view = table.view(seat)
        table.attempt((decides(view) if seat == 0 else None) or player.decide(view).action)
    return live, dearest(live.decisions(0), warned=True)


def careless(view: View) -> Action | None:
    """Draws from the stock and throws the first card that may be thrown, whatever the hand holds."""
    throws = [action for action in view.legal if isinstance(action, Discard)]
    draws = [action for action in view.legal if isinstance(action, Draw)]
    return next(iter([*draws, *throws]), None)


def test_the_dearest_decisions_are_looked_back_on_and_can_be_played_again_from() -> None:
    live, dear = looked_back("sets", careless)
    assert len(dear) == 3
    warned = " You were warned."
    overruled = [one.words.endswith(warned) for one in dear]
    assert overruled == sorted(overruled, reverse=True), "overruled warnings come first"
    assert overruled[0]
    decisions, found = live.decisions(0), learning_of()
    assert could_have(decisions.values(), worlds=0) in [one.words.removesuffix(warned) for one in dear]
    for one in dear:
        view, _ = decisions[one.place]
        assert view.seat == 0
        assert could_have([decisions[one.place]], worlds=0) == one.words.removesuffix(warned)
        until = live.actions[: one.place]
        _, again = open_deal(found, chapter_of(found.course, "sets"), Speed.INSTANT, until=until)
        assert again.table.match.actor == 0
        assert again.table.view(0) == view
    every = dearest(decisions, warned=False)
    costs = [cost_of(*one, worlds=0) for one in [*decisions.values()][::8]]
    most = there(cost_of(*decisions[every[0].place], worlds=0))
    assert most.lost >= max(cost.lost for cost in costs if cost is not None)
    assert not any(one.words.endswith(warned) for one in every)
