"""Coached deals on screen: what is asked before it is shown, steps taken back, deals that are played alone."""

from textual.pilot import Pilot

from kalooki_tui.ui import ways
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.coached import CoachedScreen
from kalooki_tui.ui.screens.learn import LearnScreen
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import is_asked, text_of, wait_until


async def dealt(pilot: Pilot[None], app: KalookiApp, chapter_id: str, own_seed: int | None = None) -> CoachedScreen:
    """The deal of a chapter."""
    await wait_until(pilot, lambda: isinstance(app.screen, LearnScreen))
    app.set(ai_speed="instant")
    learning = app.learning()
    chapter = learning.course.chapter(chapter_id)
    assert chapter is not None
    app.go(ways.CoachedDeal(learning, chapter, own_seed))
    await wait_until(pilot, lambda: any(isinstance(screen, CoachedScreen) for screen in app.screen_stack))
    return next(screen for screen in app.screen_stack if isinstance(screen, CoachedScreen))


async def test_the_distance_is_guessed_before_it_is_shown_and_a_step_is_taken_back() -> None:
    app = KalookiApp(ways.Course("jamaican"), Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await dealt(pilot, app, "distance")
        await wait_until(pilot, lambda: app.screen.name == "guess")
        assert "from the contract" not in text_of(app)
        deal = screen.sitting._table.match.deal
        await pilot.press("0")
        await wait_until(pilot, lambda: is_asked(app))
        shown = text_of(app)
        assert "missing:" in shown
        assert "from the contract" in shown
        hand = screen.desk.view.hand
        assert screen.sitting.why_no_undo(screen.desk.seat) is not None
        await pilot.press("d")
        await wait_until(pilot, lambda: len(screen.desk.view.hand) == len(hand) + 1)
        drawn = screen.desk.view.hand
        await pilot.press("u")
        await wait_until(pilot, lambda: is_asked(app) and screen.desk.view.hand == hand)
        assert screen.sitting._table.match.deal is not deal
        await pilot.press("d")
        await wait_until(pilot, lambda: len(screen.desk.view.hand) == len(hand) + 1)
        assert sorted(screen.desk.view.hand) == sorted(drawn)  # the stock lies as it lay


async def test_a_deal_of_ones_own_has_no_coach_counts_hints_and_takes_nothing_back() -> None:
    app = KalookiApp(ways.Course("jamaican"), Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await dealt(pilot, app, "turn", own_seed=11)
        await wait_until(pilot, lambda: is_asked(app))
        await pilot.press("h")
        await wait_until(pilot, lambda: "Hint:" in text_of(app))
        assert screen.moves.hints == 1
        assert screen.said == ""
        await pilot.press("d", "u")
        await pilot.pause()
        assert screen.sitting.why_no_undo(screen.desk.seat) is not None
        await pilot.press("q")
        await wait_until(pilot, lambda: app.screen.name == "question")
        assert "does not count" in text_of(app)
