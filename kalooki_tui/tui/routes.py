"""Routes from screen to screen: a screen makes one without importing the other, which its opening imports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Final, NamedTuple, ParamSpec

from msgspec.structs import replace

from kalooki_tui.coach.course.progress import today
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.summary import daily_key, day_of
from kalooki_tui.wording import FIRST_NAME, first_sentence

if TYPE_CHECKING:
    from textual.screen import Screen

    from kalooki_tui.coach.course.chapter import Chapter
    from kalooki_tui.coach.course.lesson import Lesson
    from kalooki_tui.coach.puzzles import Code, Puzzle
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.presenter.commands import Command
    from kalooki_tui.records.playback import Replay
    from kalooki_tui.rulesets.model import Ruleset
    from kalooki_tui.session.plan import MatchPlan
    from kalooki_tui.storage.journal import MatchJournal
    from kalooki_tui.storage.summary import Summary
    from kalooki_tui.training.same_cards import SameCards, StandingRow
    from kalooki_tui.training.skills import Learning
    from kalooki_tui.tui.game_app import GameApp

#: Seconds after which it is said that something is being read.
SOON: Final = 0.4
LONG: Final = 12
P = ParamSpec("P")


class Route(NamedTuple):
    """Destination; routes to the same place with the same arguments are equal."""

    name: str
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    opens: Callable[..., None]


def route(function: Callable[Concatenate[GameApp, P], None]) -> Callable[P, Route]:
    """Turn a function that opens something into one that returns the route to it."""

    @wraps(function)
    def made(*arguments: P.args, **named: P.kwargs) -> Route:
        return Route(function.__name__, arguments, named, function)

    return made


@route
def home(app: GameApp, marked: str = "") -> None:
    from kalooki_tui.tui.screens.home import HomeScreen

    app.list_state.want_all()
    app.overlays.go_to(HomeScreen(marked))


@route
def set_up(app: GameApp, plan: MatchPlan | None = None) -> None:
    from kalooki_tui.tui.screens.setup import SetupScreen

    app.overlays.go_to(SetupScreen(plan or _last_plan(app) or _first_plan(app)))


def _last_plan(app: GameApp) -> MatchPlan | None:
    from kalooki_tui.rulesets.loader import load_ruleset
    from kalooki_tui.session.plan import plan_of_last

    try:
        plan = None if app.settings.last is None else plan_of_last(app.settings.last, app.settings)
        if plan is not None:
            load_ruleset(plan.ruleset)
    except ValueError as error:
        app.notify(f"The last set-up cannot be used again: {error}", severity="warning")
        return None
    return plan


def _first_plan(app: GameApp) -> MatchPlan:
    from kalooki_tui.match.seating import SeatPlan
    from kalooki_tui.rulesets.loader import load_ruleset
    from kalooki_tui.session.plan import MatchPlan, as_usual, usual_seats

    seats = usual_seats(load_ruleset(DEFAULT_RULESET))
    if app.settings.names:
        seats = (SeatPlan(app.settings.names[0]), *seats[1:])
    return as_usual(MatchPlan(seats=seats), app.settings)


@route
def new_match(app: GameApp, plan: MatchPlan, *, remembers: bool = True) -> None:
    """Begin a match; `remembers`: it is how the next one is set up at first.

    Raises:
        ValueError: the plan does not go with its ruleset.
    """
    from kalooki_tui.session.plan import begin_match, with_match

    if plan.own_screens and app.may_host:
        plan.check()
        app.go(hosted(plan))
        return
    live = begin_match(app.store, plan)
    if live.table.people and plan.start is None and remembers:
        # Writing settings loads what keeps comments in them, which the table does not wait for.
        app.call_after_refresh(lambda: app.remember(with_match(app.settings, plan)))
    app.go(at_table(plan, live))


@route
def hosted(app: GameApp, plan: MatchPlan, match: str = "") -> None:
    app.host(plan, match)


@route
def at_table(app: GameApp, plan: MatchPlan, live: MatchJournal) -> None:
    from kalooki_tui.session.match_session import MatchSession
    from kalooki_tui.session.plan import AskCalls
    from kalooki_tui.tui.screens.table import TableScreen
    from kalooki_tui.tui.tableside.notes import SidePanel, Watching

    live.write_apart()
    session = MatchSession(plan, live, app.thinker, ask_calls=AskCalls(app.settings.ask_calls))
    app.overlays.go_to(TableScreen(plan, session.sit(), SidePanel if live.table.people else Watching))


@route
def resume(app: GameApp, match: str) -> None:
    from kalooki_tui.session.plan import plan_of_live

    with app.telling(StoreError, timeout=LONG):
        live = app.store.resume(match)
        plan = plan_of_live(live, app.settings)
        if plan.own_screens and app.may_host:
            live.close()
            app.go(hosted(plan, match))
        else:
            app.go(at_table(plan, live))


@route
def same_seats(app: GameApp, plan: MatchPlan | None = None) -> None:
    plan = plan or _last_plan(app)
    if plan is not None:
        with app.telling(ValueError):
            app.go(new_match(replace(plan, seed=None)))


@route
def watch_ai(app: GameApp) -> None:
    from kalooki_tui.match.seating import parse_seats
    from kalooki_tui.session.plan import MatchPlan, as_usual

    app.go(new_match(as_usual(MatchPlan(seats=parse_seats(["ai:club"] * 4)), app.settings)))


@route
def matches(app: GameApp) -> None:
    from kalooki_tui.tui.screens.matches import MatchesScreen

    app.overlays.go_to(MatchesScreen())


@route
def replay(app: GameApp, about: Summary) -> None:
    with app.telling(StoreError, InputError, timeout=LONG):
        reading = partial(_read, app, app.screen, about, app.store.replay(about.id))
        app.run_worker(reading, group="replay", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]


async def _read(app: GameApp, asked_on: Screen[object], about: Summary, replay: Replay) -> None:
    from kalooki_tui.training.steps import past_deals

    reading = asyncio.ensure_future(asyncio.to_thread(past_deals, replay))
    done, _ = await asyncio.wait({reading}, timeout=SOON)
    if not done:
        app.notify("Reading the match …", timeout=SOON * 4)
    with app.telling(StoreError, InputError, timeout=LONG):
        deals = await reading
        if app.screen is not asked_on:
            return  # somebody has gone elsewhere meanwhile
        if not deals:
            app.notify("No deal of this match is over yet: there is nothing to step through.", severity="warning")
            return
        from kalooki_tui.presenter.match_list import when
        from kalooki_tui.tui.screens.replay import ReplayScreen

        is_listed = asked_on.name == "matches" or not about.duplicate
        back = matches() if is_listed else same_cards(about.duplicate[0])
        record = tuple(app.store.lines(about.id))
        played = f"played {when(about.started)}"
        app.overlays.go_to(ReplayScreen(deals, about.seats, back=back, played=played, record=(about.id, record)))


@route
def statistics(app: GameApp) -> None:
    from kalooki_tui.tui.screens.statistics import StatisticsScreen

    app.overlays.show(StatisticsScreen())


@route
def settings(app: GameApp) -> None:
    from kalooki_tui.tui.screens.settings import SettingsScreen

    app.overlays.show(SettingsScreen())


@route
def rules(app: GameApp, ruleset: Ruleset) -> None:
    from kalooki_tui.tui.screens.rule_pages import RulesScreen

    app.overlays.show(RulesScreen(ruleset))


@route
def rules_of_game(app: GameApp) -> None:
    from kalooki_tui.rulesets.loader import catalogue
    from kalooki_tui.tui.screens.question import ChoiceDialog, roomy_width
    from kalooki_tui.tui.widgets.choices import numbered, two_lines

    listed = [entry.ruleset for entry in catalogue() if entry.ruleset is not None]
    room = roomy_width(app.size.width)
    choices = numbered((two_lines(ruleset.name, first_sentence(ruleset.summary), room), ruleset) for ruleset in listed)

    ask = ChoiceDialog("Rules of which game?", "", choices, may_close=True, roomy=True)
    app.overlays.choose(ask, lambda ruleset: app.go(rules(ruleset)))


@route
def keys(app: GameApp, commands: Mapping[str, Sequence[Command]]) -> None:
    from kalooki_tui.tui.screens.question import HelpScreen

    app.overlays.show(HelpScreen(commands))


@route
def course(app: GameApp, ruleset: str = "", chapter: str = "") -> None:
    from kalooki_tui.tui.screens.chapters import LearnScreen

    learning = app.learning(ruleset)
    named = learning.course.chapter(chapter)
    if named is None:
        app.overlays.go_to(LearnScreen(learning))
    else:
        app.go(one_lesson(learning, learning.lesson(named)))


@route
def chapter_file(app: GameApp, path: str, ruleset: str = "") -> None:
    """Open the chapter of a file.

    Raises:
        InputError: it is none.
    """
    learning, chapter = app.learning(ruleset).with_file(path)
    app.go(one_lesson(learning, learning.lesson(chapter)))


@route
def one_lesson(app: GameApp, learning: Learning, lesson: Lesson) -> None:
    from kalooki_tui.coach.practice_session import PracticeSession
    from kalooki_tui.training.modes import CourseMode
    from kalooki_tui.tui.screens.practice import SessionScreen

    app.overlays.go_to(SessionScreen(CourseMode(learning, PracticeSession(lesson))))


@route
def practice(app: GameApp) -> None:
    learning = app.learning()
    lesson = learning.practice()
    if lesson is None:
        app.go(course())
    else:
        app.go(one_lesson(learning, lesson))


@route
def skills(app: GameApp, learning: Learning) -> None:
    from kalooki_tui.tui.screens.chapters import SkillsScreen

    app.overlays.go_to(SkillsScreen(learning))


@route
def teach(app: GameApp, ruleset: str) -> None:
    """Begin a match of one contract in which somebody teaches others, once it is said which and how many they are."""
    from kalooki_tui.coach.vocabulary import contract_words
    from kalooki_tui.rulesets.house import DEALS
    from kalooki_tui.rulesets.loader import load_ruleset
    from kalooki_tui.session.plan import MatchPlan, as_usual, usual_seats, with_people
    from kalooki_tui.tui.screens.question import ChoiceDialog
    from kalooki_tui.tui.widgets.choices import numbered

    game = load_ruleset(ruleset)
    words, many = game.vocabulary, game.end.after == "last-deal"

    def begin(number: int, people: int) -> None:
        seats = with_people(usual_seats(game), people, game.seat_counts, app.settings.names)
        options = (f"{DEALS}={number}",) if many else ()
        with app.telling(ValueError):
            app.go(new_match(as_usual(MatchPlan(ruleset, seats, options, teach=True), app.settings), remembers=False))

    def chosen(number: int) -> None:
        most = max(game.seat_counts)
        counts = numbered((f"{one} {'person' if one == 1 else 'people'}", one) for one in range(1, most + 1))
        text = "They share this keyboard; AI seats play the rest.\n"
        ask = ChoiceDialog("How many people?", text, counts, may_close=True)
        app.overlays.choose(ask, partial(begin, number))

    deals = numbered((contract_words(one, words), number) for number, one in enumerate(game.deals, 1))
    title = f"Teach which {words.deal} of {game.name}?"
    app.overlays.choose(ChoiceDialog(title, "", deals, may_close=True), chosen)


@route
def coached_deal(
    app: GameApp, learning: Learning, chapter: Chapter, own_seed: int | None = None, until: tuple[Action, ...] = ()
) -> None:
    from kalooki_tui.session.match_session import MatchSession
    from kalooki_tui.session.plan import Speed
    from kalooki_tui.training.coached_deals import open_deal
    from kalooki_tui.tui.screens.table import TableScreen
    from kalooki_tui.tui.tableside.coach import Coaching

    speed = Speed(app.settings.ai_speed)
    plan, live = open_deal(learning, chapter, speed, own_seed, until)
    coach = partial(Coaching, learning=learning, chapter=chapter, live=live, is_own=own_seed is not None)
    app.overlays.go_to(TableScreen(plan, MatchSession(plan, live, app.thinker).sit(), coach))


# Puzzles


@route
def puzzles(app: GameApp) -> None:
    from kalooki_tui.tui.screens.puzzle_menu import PuzzleMenuScreen

    app.overlays.go_to(PuzzleMenuScreen(app.puzzle_file))


@route
def puzzle_series(app: GameApp, kind: str = "", code: str = "", daily: bool = False) -> None:
    from kalooki_tui.coach.exercises.registry import new_seed
    from kalooki_tui.coach.puzzles import Code

    with app.telling(ValueError):
        first = Code.daily(today()) if daily else Code(new_seed(), kind)
        app.go(solve(Code.parse(code) if code else first, alone=daily))


@route
def kept_puzzle(app: GameApp, path: Path) -> None:
    from kalooki_tui.coach.puzzles import from_file

    with app.telling(ValueError):
        app.go(solve(from_file(path)))


@route
def solve(app: GameApp, what: Code | Puzzle, alone: bool = False) -> None:
    """Open the series from a code on, or one puzzle.

    Raises:
        ValueError: there is no such puzzle.
    """
    from kalooki_tui.coach.practice_session import PracticeSession
    from kalooki_tui.coach.puzzles import Series
    from kalooki_tui.training.modes import Puzzles
    from kalooki_tui.tui.screens.practice import SessionScreen

    session = PracticeSession(Series(what, alone=alone))
    app.overlays.go_to(SessionScreen(Puzzles(session, app.puzzle_file, app.tell_notices)))


# Review


@route
def review(app: GameApp, record: Sequence[str], last: bool = False, name: str = "this match") -> None:
    from kalooki_tui.tui.screens.review import ReviewPage

    app.overlays.show(ReviewPage(record, last=last, name=name))


@route
def match_review(app: GameApp, about: Summary) -> None:
    with app.telling(StoreError):
        app.go(review(list(app.store.lines(about.id)), name=about.name))


@route
def play_on(app: GameApp, plan: MatchPlan) -> None:
    """Begin a match at the moment of a plan, once it is said who plays."""
    from kalooki_tui.session.plan import as_usual
    from kalooki_tui.training.moments import with_people
    from kalooki_tui.tui.screens.question import ChoiceDialog
    from kalooki_tui.tui.widgets.choices import numbered

    def chosen(people: tuple[int, ...]) -> None:
        with app.telling(ValueError, StoreError):
            app.go(new_match(as_usual(with_people(plan, people), app.settings)))

    names = [seat.name for seat in plan.seats]
    ways: list[tuple[str, tuple[int, ...]]] = [
        (f"{name}, against AI seats", (seat,)) for seat, name in enumerate(names)
    ]
    if FIRST_NAME not in names:
        ways.append(("Everybody, at this keyboard", tuple(range(len(names)))))
    asked = next((seat for seat, one in enumerate(plan.seats) if one.is_human), 0)
    text = "A match of its own goes on from here. It is saved, and does not count in statistics.\n"
    app.overlays.choose(ChoiceDialog("Who plays?", text, numbered(ways), current=asked, may_close=True), chosen)


# The same cards for several


@route
def same_cards(app: GameApp, known_by: str = "") -> None:
    """Open a date's deal, by default today's, or a duplicate match: who has played it, and what came of it."""
    from kalooki_tui.tui.screens.same_deal import SameCardsScreen

    known_by = known_by or daily_key(today())
    if day_of((known_by,)) is None and not any(one.duplicate[:1] == (known_by,) for one in app.store.summaries()):
        app.go(home())
    else:
        app.overlays.go_to(SameCardsScreen(known_by))


@route
def play_same_cards(app: GameApp, found: SameCards, person: str) -> None:
    live = _begun(app, lambda: found.sit(app.store, person))
    if live is not None:
        _sit_down(app, live)


@route
def new_duplicate(app: GameApp, plan: MatchPlan) -> None:
    from kalooki_tui.training.same_cards import begin_duplicate

    live = _begun(app, lambda: begin_duplicate(app.store, plan))
    if live is not None and app.store.saves:
        live.close()
        app.go(same_cards(live.duplicate[0]))
    elif live is not None:
        # Nobody plays after the first where nothing is kept.
        _sit_down(app, live)


@route
def ghost(app: GameApp, day: date, line: StandingRow, place: int) -> None:
    from kalooki_tui.tui.screens.replay import ReplayScreen

    past = line.past()
    app.overlays.go_to(ReplayScreen([past], line.seats, (0, past.number_of(place)), same_cards(daily_key(day))))


def _begun(app: GameApp, begin: Callable[[], MatchJournal]) -> MatchJournal | None:
    """Begin a person's match and remember the name, or say why there can be none."""
    try:
        live = begin()
    except (ValueError, StoreError) as error:
        app.notify(str(error), severity="error")
        return None
    people = [plan.name for plan in live.table.plans if plan.is_human and plan.name != FIRST_NAME]
    if people:
        app.remember(app.settings.remembering(people))
    return live


def _sit_down(app: GameApp, live: MatchJournal) -> None:
    from kalooki_tui.session.plan import plan_of_live

    app.go(at_table(plan_of_live(live, app.settings), live))
