"""Coached deals on screen: what is asked before it is shown, steps taken back, deals that are played alone."""

import re
from time import monotonic

from textual.pilot import Pilot

from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.learn import LearnScreen
from kalooki_tui.ui.screens.table import TableScreen
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import coaching, is_asked, table_of, text_of, wait_until
from tests.ui.driving import answer


async def dealt(pilot: Pilot[None], app: KalookiApp, chapter_id: str, own_seed: int | None = None) -> TableScreen:
    """The deal of a chapter."""
    await wait_until(pilot, lambda: isinstance(app.screen, LearnScreen))
    app.set(ai_speed="instant")
    learning = app.learning()
    chapter = learning.course.chapter(chapter_id)
    assert chapter is not None
    app.go(routes.coached_deal(learning, chapter, own_seed))
    await wait_until(pilot, lambda: any(isinstance(screen, TableScreen) for screen in app.screen_stack))
    return table_of(app)


async def test_the_distance_is_guessed_before_it_is_shown_and_a_step_is_taken_back() -> None:
    app = KalookiApp(routes.course("jamaican"), Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await dealt(pilot, app, "distance")
        await wait_until(pilot, lambda: app.screen.name == "guess")
        assert "from the contract" not in text_of(app)
        deal = screen.sitting._table.match.deal
        await pilot.press("0")
        await wait_until(pilot, lambda: is_asked(app))
        shown = text_of(app)
        assert re.search(r"\d missing:", shown)
        hand = screen.desk.view.hand
        assert screen.place.may_take_back(screen.desk.seat).why
        await pilot.press("d")
        await wait_until(pilot, lambda: len(screen.desk.view.hand) == len(hand) + 1)
        drawn = screen.desk.view.hand
        await wait_until(pilot, lambda: "from the contract" in text_of(app))
        await pilot.press("u")
        await wait_until(pilot, lambda: is_asked(app) and screen.desk.view.hand == hand)
        assert screen.sitting._table.match.deal is not deal
        await pilot.press("d")
        await wait_until(pilot, lambda: len(screen.desk.view.hand) == len(hand) + 1)
        assert sorted(screen.desk.view.hand) == sorted(drawn)  # the stock lies as it lay
        screen.beside.see("coach")
        assert not app.settings.notes_seen, "what the coach says of a call is no note that is read once"


async def test_a_deal_of_ones_own_has_no_coach_counts_hints_and_takes_nothing_back() -> None:
    app = KalookiApp(routes.course("jamaican"), Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await dealt(pilot, app, "turn", own_seed=11)
        await wait_until(pilot, lambda: is_asked(app))
        await pilot.press("h")
        await wait_until(pilot, lambda: "Hint:" in text_of(app))
        assert screen.moves.hints == 1
        assert coaching(screen).said == ""
        await pilot.press("d", "u")
        await pilot.pause()
        assert screen.place.may_take_back(screen.desk.seat).why
        await pilot.press("q")
        await wait_until(pilot, lambda: app.screen.name == "question")
        assert "does not count" in text_of(app)


async def test_what_gave_up_most_is_looked_back_on_and_played_again_from_its_moment() -> None:
    app = KalookiApp(routes.course("jamaican"), Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        first = await dealt(pilot, app, "mixed")
        for _ in range(400):
            await wait_until(pilot, lambda: is_asked(app) or app.screen.name == "looking-back")
            if app.screen.name == "looking-back":
                break
            await answer(pilot, app)
        shown = text_of(app)
        assert "Looking back" in shown
        assert "In turn " in shown
        assert "Back to the chapters" in shown
        dear = (await coaching(first).look_back())[0]
        view, _ = coaching(first)._past.decisions()[dear.place]

        def plays_on() -> bool:
            screen = app.screen
            return isinstance(screen, TableScreen) and screen is not first and is_asked(app)

        await wait_until(pilot, lambda: app.screen.name == "looking-back" and app.screen.hears(monotonic()))  # type: ignore[attr-defined]
        await pilot.press("1")
        await wait_until(pilot, plays_on)
        again = app.screen
        assert isinstance(again, TableScreen)
        assert again.desk.view == view
        assert coaching(again).coach is not None
        # A step that was taken before that moment can be taken back as well.
        assert not again.place.may_take_back(again.desk.seat).why
