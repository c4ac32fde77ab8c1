import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from kalooki_tui.cards import Card
from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Lesson, Task
from kalooki_tui.coach.exercises.definition import AnswerForm
from kalooki_tui.coach.puzzles import Code
from kalooki_tui.engine.events import Discarded
from kalooki_tui.storage.player.progress_file import ProgressFile, PuzzleFile, kept_folder
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import practice as session_screen
from kalooki_tui.tui.screens.chapters import LearnScreen
from kalooki_tui.tui.screens.practice import SessionScreen
from kalooki_tui.tui.screens.table import TableScreen
from tests.cli.test_learn import KEPT
from tests.coach.test_exercises import wrong_answers
from tests.drivers.keyboard import Thinks
from tests.moments import ASKED, CALLED
from tests.tui.conftest import go, has_table, is_asked, match_of, press, table_of, text_of, until_happened, wait_until
from tests.tui.driving import answer as play_step
from tests.tui.driving import click_on, play_until
from tests.tui.openings import AppAtPosition, app_at_table, asked, at_home, at_table, plan, running


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No exercise opens by itself while a test looks at the last one."""
    monkeypatch.setattr(session_screen, "GO_ON_SECONDS", 60.0)


def app_at(course: str = "baby", chapter: str = "") -> KalookiApp:
    return KalookiApp(routes.course(course, chapter), Thinks())


def lesson_in(app: KalookiApp) -> SessionScreen:
    assert isinstance(app.screen, SessionScreen), app.screen
    return app.screen


async def opened(pilot: Pilot[None], app: KalookiApp, kind: str, deal: int = 2, topic: str = "") -> SessionScreen:
    await wait_until(pilot, lambda: isinstance(app.screen, LearnScreen | SessionScreen))
    learning = app.learning()
    lesson = Lesson(learning.rules, (Task("sets", Step(kind, deal, topic=topic)),), "B")
    app.go(routes.one_lesson(learning, lesson))

    def is_open() -> bool:
        screen = app.screen
        return isinstance(screen, SessionScreen) and screen.session.source is lesson and screen.stage == "exercise"

    await wait_until(pilot, is_open)
    return lesson_in(app)


async def answer(pilot: Pilot[None], screen: SessionScreen, *, right: bool) -> None:
    """Answer as a person does: cards chosen, then the table's key; or an option's key."""
    exercise = screen.state.exercise
    given = exercise.solutions()[0] if right else wrong_answers(exercise)[0]
    if given.option is not None:
        await pilot.press(screen.state.options[given.option][0])
    elif exercise.how is AnswerForm.MELDS:
        for group in given.groups:
            screen.hand.select_cards(group.cards)
            await press(pilot, "l")
        await pilot.press("enter")
    else:
        screen.hand.select_cards(given.cards)
        await pilot.press({"lay": "l", "discard": "x", "tack": "k", "end": "e"}[exercise.command])
    await pilot.pause()


async def test_a_chapter_has_one_number_in_the_list_and_on_its_page() -> None:
    async with asked(app_at("jamaican"), "learn") as (pilot, app):
        screen = app.screen
        for number, name in ((10, "Allow or refuse"), (12, "Swapping jokers"), (14, "The penalties referee")):
            assert f" {number}   {name}" in "\n".join(str(line.content) for line in screen.menu)
        await pilot.press("1")
        assert screen.current == 0  # it may yet be ten or more
        await press(pilot, "2", until=lambda: isinstance(app.screen, SessionScreen))
        assert "12  Swapping jokers" in text_of(app)
        await go(pilot, app, routes.course(), lambda: isinstance(app.screen, LearnScreen))


async def test_keys_and_mouse_answer_say_what_is_wanted_and_take_back() -> None:
    async with running(app_at("jamaican")) as (pilot, app):
        # A refused meld is told as at the table, and what is staged can be taken back.
        screen = await opened(pilot, app, "build")
        groups = screen.state.exercise.solutions()[0].groups
        screen.hand.select_cards(
            (groups[0].cards[0], next(c for c in screen.hand.cards if c % 13 != groups[0].cards[0] % 13))
        )
        await pilot.press("l")
        assert "(M" in screen.state.said
        assert screen.session.attempt.wrong == 0
        screen.hand.select_cards(groups[0].cards)
        await pilot.press("l")
        assert screen.state.staged_cards == groups[0].cards
        assert "staged" in text_of(app)
        await pilot.press("escape")
        assert screen.state.staged == []
        assert sorted(screen.hand.shown) == sorted(screen.state.exercise.hand)

        # The mouse does what the keys do.
        screen = await opened(pilot, app, "throw")
        right = screen.state.exercise.solutions()[0].cards[0]
        await click_on(pilot, screen.hand, screen.hand.shown.index(right))
        await pilot.pause()
        await click_on(pilot, screen.piles, "discard")
        await pilot.pause()
        assert screen.session.attempt.right

        # Keys that are not the answer say what is wanted.
        screen = await opened(pilot, app, "may")
        await pilot.press("enter")
        assert (screen.session.attempt.wrong, screen.session.attempt.right) == (0, False)
        assert "Choose an answer first: y or n." in text_of(app)
        option = screen.state.exercise.solutions()[0].option
        for line in (1 - (option or 0), option or 0):
            await pilot.click(list(screen.menu)[line])
            await pilot.pause()
        assert screen.session.attempt.right
        assert screen.session.attempt.wrong == 1

        screen = await opened(pilot, app, "throw")
        await pilot.press("l")
        assert "This exercise does not ask for that." in screen.state.said
        # The one card that is wanted is under the cursor: it is asked for again.
        (card,) = screen.state.exercise.solutions()[0].cards
        screen.hand.move_cursor(screen.hand.shown.index(card))
        await pilot.press("x")
        assert screen.hand.selected == (card,)
        assert "x again answers" in screen.state.said
        assert not screen.session.attempt.right
        await press(pilot, "x", until=lambda: screen.session.attempt.right)

        # A large terminal has lists in its middle.
        await pilot.resize_terminal(200, 50)
        await go(pilot, app, routes.course("jamaican"), lambda: bool(app.screen.query("#chapters")))
        chapters = app.screen.query(".choice").first().region
        assert abs(chapters.x - (200 - chapters.right)) <= 2
        assert chapters.x > 30


async def test_what_is_due_is_on_the_first_screen_and_on_the_page_of_skills(home: Path) -> None:
    (home / ProgressFile.name).write_text(
        '{"version": 1, "skills": {"jamaican/sets/spot": {"box": 1, "last": "2020-01-01"}}}', encoding="utf-8"
    )
    async with at_home() as (pilot, app):
        assert "Practise what is due: 1 skill" in text_of(app)
        await go(pilot, app, routes.course("jamaican"), lambda: app.screen.name == "learn")
        await press(pilot, "p", until=lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
        await go(pilot, app, routes.course("jamaican"), lambda: app.screen.name == "learn")
        await press(pilot, "s", until=lambda: app.screen.name == "skills")
        assert all(words in text_of(app) for words in ("Find a meld", "1 of 5", "today"))
        await go(pilot, app, routes.home(), lambda: app.screen.name == "home-screen")
        await press(pilot, "d", until=lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
        screen = lesson_in(app)
        await answer(pilot, screen, right=True)
        await press(pilot, "enter", until=lambda: screen.stage == "result")
        assert "That was all for today." in text_of(app)


async def test_damaged_progress_is_told_and_learning_goes_on(home: Path) -> None:
    (home / ProgressFile.name).write_text("{", encoding="utf-8")
    async with asked(app_at(), "learn") as (pilot, app):
        await wait_until(pilot, lambda: any("cannot be read" in one.message for one in app._notifications))
        screen = await opened(pilot, app, "valid")
        await answer(pilot, screen, right=True)
    assert ProgressFile.load().problem is None
    assert len(list(home.glob("progress.damaged-*.json"))) == 1


async def test_a_ruleset_of_ones_own_named_by_its_file_is_learnt_and_left_to_its_own_map(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("extends: jamaican\nid: mine\nname: Mine\nruns: {kisses: true}\n", encoding="utf-8")
    async with running(app_at(str(own), "kissing")) as (pilot, app):
        await wait_until(pilot, lambda: isinstance(app.screen, SessionScreen))
        await press(pilot, "enter", until=lambda: lesson_in(app).stage == "exercise")
        await answer(pilot, lesson_in(app), right=True)
        lesson_in(app).go_on()
        await wait_until(pilot, lambda: not lesson_in(app).session.attempt.right)
        await press(pilot, "q", until=lambda: app.screen.name == "question")
        await press(pilot, "y", until=lambda: isinstance(app.screen, LearnScreen))
        assert "Mine: what is different" in text_of(app)


async def test_a_question_in_a_coached_deal_shows_what_the_coach_says() -> None:
    async with running(app_at("jamaican")) as (pilot, app):
        await dealt(pilot, app, "answers")
        await play_until(pilot, app, lambda: app.screen.name == "decision")
        said = " ".join(text_of(app).replace("│", "").split())
        assert "allow it" in said or "refuse, and it is your draw" in said
        assert app.settings.notes_seen == []


async def test_a_chapter_of_ones_own_is_opened_from_its_file(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "kalooki_tui" / "coach" / "texts" / "en" / "chapters" / "sets.yaml"
    own = tmp_path / "mine.yaml"
    text = shipped.read_text(encoding="utf-8").replace("id: sets", "id: mine")
    own.write_text(text.replace('"{Sets}"', '"My own {sets}"'), encoding="utf-8")
    async with asked(KalookiApp(routes.chapter_file(str(own), "baby"), Thinks()), "session") as (pilot, app):
        assert "5  My own sets" in text_of(app)
        await press(pilot, "enter", until=lambda: lesson_in(app).stage == "exercise")


async def test_a_puzzle_is_solved_counted_once_and_followed_by_the_next() -> None:
    async with running(KalookiApp(routes.solve(Code("AB", "out")), Thinks())) as (pilot, app):
        await wait_until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
        screen = app.screen
        right = screen.session.exercise.solutions()[0].option
        await press(pilot, "yn"[1 - right], until=lambda: PuzzleFile.load().solved.tried == 1)
        await press(pilot, "yn"[right], until=lambda: "Right." in text_of(app))
        solved = PuzzleFile.load().solved
        assert (solved.tried, solved.right) == (1, 0)
        assert "kalooki puzzle K3-out-AB" in text_of(app)
        await press(pilot, "enter", until=lambda: "K3-out-AC" in text_of(app))
        await press(pilot, "q", until=lambda: "0 of 1 right first time" in text_of(app))


async def test_a_kept_decision_is_listed_by_its_title_and_its_reason_told_after_the_right_answer() -> None:
    kept_folder().mkdir(parents=True)
    file = kept_folder() / "2026-11-22-deal-1-turn-4-throw.yaml"
    file.write_text(KEPT, encoding="utf-8")
    (kept_folder() / "torn.yaml").write_text("title: [", encoding="utf-8")
    async with running(KalookiApp(thinker=Thinks())) as (pilot, app):
        await pilot.pause()
        await go(pilot, app, routes.puzzles(), lambda: app.screen.name == "puzzles")
        await press(pilot, "p", until=lambda: "Call or pass  ·  today" in text_of(app))
        assert "torn.yaml" in text_of(app)
        assert "It cannot be read." in text_of(app)
        await press(pilot, "1", until=lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
        screen = app.screen
        right = screen.session.exercise.solutions()[0]
        for group in right.groups:
            screen.hand.select_cards(group.cards)
            await pilot.press("l")
        await press(pilot, "enter", until=lambda: "It completes the run." in text_of(app))
        assert "kalooki puzzle /" in " ".join(text_of(app).split())


#: Ann's contract is complete: to throw any card of it costs some fifty points.
COMPLETE = """
ruleset: baby
turn: Ann
phase: play
seats:
  - {name: Ann, hand: 3C 3D 3H 9H 9S 9C KC KD 8S QC}
  - {name: Bob, hand: 10}
  - {name: Cat, hand: 10}
discard: 5D
"""


def at(position: str, *, teaching: bool) -> AppAtPosition:
    app = AppAtPosition(position)
    app.position_plan = replace(app.position_plan, teaching=teaching)
    return app


async def throw(pilot: Pilot[None], screen: TableScreen, card: Card) -> None:
    screen.hand.select_cards((card,))
    await pilot.pause()
    await press(pilot, "x")


async def test_a_costly_throw_is_warned_of_once() -> None:
    async with at_table(at(COMPLETE, teaching=True)) as (pilot, app, screen):
        card, before = screen.hand.cards[0], len(screen.state.view.history)
        await throw(pilot, screen, card)
        await wait_until(pilot, lambda: "x again throws" in " ".join(text_of(app).split()))
        assert len(screen.state.view.history) == before
        await throw(pilot, screen, card)
        await wait_until(pilot, lambda: len(screen.session._table.match.deal.history) > before)
        thrown = screen.session._table.match.deal.history[before]
        assert (thrown.seat, thrown.card) == (0, card)


async def test_what_is_asked_for_again_while_the_coach_thinks_is_not_thought_about_anew() -> None:
    async with at_table(at(COMPLETE, teaching=True)) as (pilot, app, screen):
        real, asked, found = screen.moves._hints._consult, list[object](), asyncio.Event()

        async def think(*what: object) -> object:
            asked.append(what)
            await found.wait()
            return await real(*what)

        screen.moves._hints._consult = think
        await press(pilot, "h", "h", "h")
        found.set()
        await wait_until(pilot, lambda: "Hint: " in text_of(app))
        assert len(asked) == 1
        found.clear()
        for _ in range(3):
            await throw(pilot, screen, screen.hand.cards[0])
        found.set()
        await wait_until(pilot, lambda: "x again throws" in " ".join(text_of(app).split()))
        assert len(asked) == 2


@pytest.mark.parametrize(("teaching", "warnings"), [(False, True), (True, False)])
async def test_no_throw_is_warned_of_outside_teaching_or_where_the_player_wants_none(
    *, teaching: bool, warnings: bool
) -> None:
    async with at_table(at(COMPLETE, teaching=teaching)) as (pilot, app, screen):
        app.set(warnings=warnings)
        await throw(pilot, screen, screen.hand.cards[0])
        await until_happened(pilot, app, Discarded, 0)


@pytest.mark.parametrize(
    ("position", "key", "again"),
    [
        (ASKED, "p", "p again lets it go"),
        (CALLED, "a", "a again allows it"),
    ],
)
async def test_whoever_passes_over_a_card_that_completes_the_contract_is_warned_once(
    position: str, key: str, again: str
) -> None:
    async with asked(at(position, teaching=True)) as (pilot, app):
        before = match_of(app).deal.history[:]
        await press(pilot, key, until=lambda: again in " ".join(text_of(app).replace("│", " ").split()))
        assert match_of(app).deal.history == before
        await press(pilot, key, until=lambda: match_of(app).deal.history != before)


async def test_after_a_deal_of_a_teaching_match_it_is_said_what_could_have_been_and_why_ai_seats_moved() -> None:
    async with running(app_at_table(plan("Ann", "Bob=ai:club", "ai:club", teaching=True, seed=49)), (100, 40)) as (
        pilot,
        app,
    ):
        while app.screen.name != "deal-over":
            await wait_until(pilot, lambda: is_asked(app))
            told = [line.text for line in table_of(app).log_view.lines]
            assert not any("contract" in line or "in hand" in line for line in told)  # of a hidden hand nothing (V2)
            await play_step(pilot, app)
        remark = app.screen.query_one("#remark")
        await wait_until(pilot, lambda: "would have been" in str(remark.render()))
        await press(pilot, "w", until=lambda: "Why they moved as they did" in text_of(app))
        assert "Bob discards" in text_of(app)
        await press(pilot, "w", until=lambda: app.screen.name == "deal-over")


async def dealt(pilot: Pilot[None], app: KalookiApp, chapter_id: str, own_seed: int | None = None) -> TableScreen:
    await wait_until(pilot, lambda: isinstance(app.screen, LearnScreen))
    app.set(ai_speed="instant")
    learning = app.learning()
    chapter = learning.course.chapter(chapter_id)
    app.go(routes.coached_deal(learning, chapter, own_seed))
    await wait_until(pilot, lambda: has_table(app))
    return table_of(app)
