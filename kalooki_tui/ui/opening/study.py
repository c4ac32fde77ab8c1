"""Opens what teaches and compares: the course, puzzles, reviews, the daily deal, duplicate matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kalooki_tui.coach.course.progress import today
from kalooki_tui.seeds import new_seed
from kalooki_tui.store.errors import StoreError
from kalooki_tui.ui import ways
from kalooki_tui.ui.game_app import GameApp
from kalooki_tui.ui.ways import opens
from kalooki_tui.wording import FIRST_NAME

if TYPE_CHECKING:
    from kalooki_tui.store.live import LiveMatch

# The course


@opens(ways.Course)
def open_course(app: GameApp, way: ways.Course) -> None:
    """The chapters, or the one that is named."""
    from kalooki_tui.ui.screens.learn import LearnScreen

    learning = app.learning(way.ruleset)
    chapter = learning.course.chapter(way.chapter)
    if chapter is None:
        app.show_screen(LearnScreen(learning))
    else:
        app.go(ways.OneLesson(learning, learning.lesson(chapter)))


@opens(ways.ChapterFile)
def open_chapter_file(app: GameApp, way: ways.ChapterFile) -> None:
    """The chapter of a file.

    Raises:
        InputError: it is none.
    """
    learning, chapter = app.learning(way.ruleset).with_file(way.path)
    app.go(ways.OneLesson(learning, learning.lesson(chapter)))


@opens(ways.OneLesson)
def open_lesson(app: GameApp, way: ways.OneLesson) -> None:
    """A lesson."""
    from kalooki_tui.coach.session import Session
    from kalooki_tui.desk.study.occasions import Course
    from kalooki_tui.ui.screens.session import SessionScreen

    app.show_screen(SessionScreen(Course(way.learning, Session(way.lesson))))


@opens(ways.Practice)
def open_practice(app: GameApp, way: ways.Practice) -> None:
    """Exercises of what is due, if anything is."""
    learning = app.learning()
    lesson = learning.practice()
    if lesson is None:
        learning.forget_what_has_gone()
        app.go(ways.Course())
    else:
        app.go(ways.OneLesson(learning, lesson))


@opens(ways.Skills)
def open_skills(app: GameApp, way: ways.Skills) -> None:
    """The skills of a course."""
    from kalooki_tui.ui.screens.skills import SkillsScreen

    app.show_screen(SkillsScreen(way.learning))


@opens(ways.CoachedDeal)
def open_coached_deal(app: GameApp, way: ways.CoachedDeal) -> None:
    """A chapter's coached deal, or one that is played alone."""
    from kalooki_tui.desk.setup.plan import Speed
    from kalooki_tui.desk.study.coached import coached_sitting
    from kalooki_tui.ui.playing.coached import Coaching
    from kalooki_tui.ui.screens.table import TableScreen

    speed = Speed(app.settings.ai_speed)
    plan, sitting, past = coached_sitting(way.learning, way.chapter, speed, app.thinker, way.own_seed, way.until)
    is_own = way.own_seed is not None
    coach = partial(Coaching, learning=way.learning, chapter=way.chapter, past=past, is_own=is_own)
    app.show_screen(TableScreen(plan, sitting.sit(), coach))


# Puzzles


@opens(ways.Puzzles)
def open_puzzles(app: GameApp, way: ways.Puzzles) -> None:
    """What there is to solve."""
    from kalooki_tui.ui.screens.puzzle_menu import PuzzleMenuScreen

    app.show_screen(PuzzleMenuScreen(app.puzzle_file))


@opens(ways.PuzzleSeries)
def open_series(app: GameApp, way: ways.PuzzleSeries) -> None:
    """A series, or why there is none."""
    from kalooki_tui.coach.puzzles.making import Code

    try:
        first = Code.daily(today()) if way.daily else Code(new_seed(), way.kind)
        app.go(ways.Solve(Code.parse(way.code) if way.code else first, alone=way.daily))
    except ValueError as error:
        app.notify(str(error), severity="error")


@opens(ways.KeptPuzzle)
def open_kept_puzzle(app: GameApp, way: ways.KeptPuzzle) -> None:
    """A decision that was kept, or why it cannot be read."""
    from kalooki_tui.coach.puzzles.posed import from_file

    try:
        app.go(ways.Solve(from_file(way.path)))
    except ValueError as error:
        app.notify(str(error), severity="error")


@opens(ways.Solve)
def open_puzzle(app: GameApp, way: ways.Solve) -> None:
    """The series from a code on, or one puzzle.

    Raises:
        ValueError: there is no such puzzle.
    """
    from kalooki_tui.coach.puzzles.series import Series
    from kalooki_tui.coach.session import Session
    from kalooki_tui.desk.study.occasions import Puzzles
    from kalooki_tui.ui.screens.session import SessionScreen

    session = Session(Series(way.what, alone=way.alone))
    app.show_screen(SessionScreen(Puzzles(session, app.puzzle_file, app.tell_notices)))


# Review


@opens(ways.Review)
def open_review(app: GameApp, way: ways.Review) -> None:
    """What the decisions of a record cost."""
    from kalooki_tui.ui.screens.review import ReviewPage

    app.overlays.show(ReviewPage(way.record, last=way.last, name=way.name))


@opens(ways.MatchReview)
def open_match_review(app: GameApp, way: ways.MatchReview) -> None:
    """The same for a match on disk."""
    try:
        app.go(ways.Review(list(app.store.lines(way.about.id)), name=way.about.name))
    except StoreError as error:
        app.notify(str(error), severity="error")


@opens(ways.PlayedOn)
def open_played_on(app: GameApp, way: ways.PlayedOn) -> None:
    """A table at a moment of a record. Nothing of what is played there is written down."""
    from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan, Speed
    from kalooki_tui.desk.study.coached import DealtAgain
    from kalooki_tui.desk.table.sitting import Sitting
    from kalooki_tui.ui.playing.coached import PlayingOn
    from kalooki_tui.ui.screens.table import TableScreen

    table = way.deal_again()
    speed = Speed(app.settings.ai_speed)
    plan = MatchPlan(table.setup.ruleset.id, table.plans, seed=table.setup.seed, speed=speed, ask_calls=AskCalls.ALWAYS)
    sitting = Sitting(plan, table, app.thinker, past=DealtAgain(table, way.deal_again))
    app.show_screen(TableScreen(plan, sitting.sit(), partial(PlayingOn, review=way.review)))


# The same cards for several


@opens(ways.Daily)
def open_daily(app: GameApp, way: ways.Daily) -> None:
    """The daily deal of a date."""
    from kalooki_tui.ui.screens.daily import DailyScreen

    app.show_screen(DailyScreen(way.day or today()))


@opens(ways.DailyMatch)
def open_daily_match(app: GameApp, way: ways.DailyMatch) -> None:
    """Play a date's deal, or go on with it."""
    from kalooki_tui.desk.study.duplicates import begin_daily

    _begin(app, way.person, lambda: begin_daily(app.store, way.day, way.person))


@opens(ways.DailyLine)
def open_daily_line(app: GameApp, way: ways.DailyLine) -> None:
    """Step through what an AI player made of a date's deal."""
    from kalooki_tui.desk.study.stepping import past_deals
    from kalooki_tui.records.reading import open_lines
    from kalooki_tui.records.replaying import Replay
    from kalooki_tui.ui.screens.daily import GhostScreen, ghost_summary

    replay = Replay(open_lines("ghost", way.line.record))
    deals = past_deals(replay)
    app.show_screen(GhostScreen(ghost_summary(way.day, way.line), deals, replay.head.seed, way.day, way.place))


@opens(ways.NewDuplicate)
def open_new_duplicate(app: GameApp, way: ways.NewDuplicate) -> None:
    """Begin a duplicate match: its first person is called to the keyboard, as each after that.

    Raises:
        ValueError: the plan is not one for such a match.
    """
    from kalooki_tui.desk.study.duplicates import begin, first_setup
    from kalooki_tui.table.duplicate import new_duplicate

    people = tuple(seat.name for seat in way.plan.seats if seat.is_human)
    setup = first_setup(way.plan, people)
    live = _begun(app, people[0], lambda: begin(app.store, setup, (new_duplicate(), *people)))
    if live is not None and app.store.saves:
        live.close()
        app.go(ways.DuplicateMatch(live.duplicate[0]))
    elif live is not None:
        # Nobody plays after the first where nothing is kept.
        _sit_down(app, live)


@opens(ways.DuplicateMatch)
def open_duplicate(app: GameApp, way: ways.DuplicateMatch) -> None:
    """A duplicate match with its results."""
    from kalooki_tui.ui.screens.duplicate import DuplicateScreen

    found = next((one for one in app.duplicates() if way.known_by in ("", one.known_by)), None)
    if found is None:
        app.go(ways.Home())
    else:
        app.show_screen(DuplicateScreen(found))


@opens(ways.NextOfDuplicate)
def open_next_of_duplicate(app: GameApp, way: ways.NextOfDuplicate) -> None:
    """Let its next person play, or go on."""
    from kalooki_tui.desk.study.duplicates import begin, setup_for

    found, person = way.found, way.found.next
    if person is None:
        return
    going = next((one for one in found.attempts if one.name == person), None)
    if going is not None:
        app.go(ways.Resume(going.summary.id))
        return
    like = found.attempts[0].summary
    _begin(app, person, lambda: begin(app.store, setup_for(app.store, like, person), like.duplicate))


@opens(ways.SameCards)
def open_same_cards(app: GameApp, way: ways.SameCards) -> None:
    """The date's deal, or the duplicate match."""
    from kalooki_tui.table.dates import day_of

    day = day_of(way.duplicate)
    app.go(ways.DuplicateMatch(way.duplicate[0]) if day is None else ways.Daily(day))


def _begin(app: GameApp, person: str, begin: Callable[[], LiveMatch]) -> None:
    """Sit a person down at a table of this kind, or say why that cannot be."""
    live = _begun(app, person, begin)
    if live is not None:
        _sit_down(app, live)


def _begun(app: GameApp, person: str, begin: Callable[[], LiveMatch]) -> LiveMatch | None:
    """A person's match of this kind, the name remembered; or say why there can be none."""
    try:
        live = begin()
    except (ValueError, StoreError) as error:
        app.notify(str(error), severity="error")
        return None
    if person != FIRST_NAME:
        app.remember(app.settings.remembering([person]))
    return live


def _sit_down(app: GameApp, live: LiveMatch) -> None:
    from kalooki_tui.desk.setup.keeping import plan_of_live

    app.go(ways.AtTable(replace(plan_of_live(live, app.settings), teaching=False), live.table, live))
