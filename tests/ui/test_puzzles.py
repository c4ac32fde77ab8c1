"""Puzzles on screen: solved by the table's keys, rated by the first try."""

from kalooki_tui.coach.puzzles.making import Code
from kalooki_tui.store.puzzling import PuzzleFile
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.puzzles import PuzzleScreen
from scripts.keyboard import Thinks
from tests.ui.conftest import text_of, wait_until


async def test_a_puzzle_is_solved_counted_once_and_followed_by_the_next() -> None:
    app = KalookiApp(None, "puzzle", Thinks(), puzzle=Code("AB", "out"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, PuzzleScreen) and app.screen.stage == "exercise")
        screen = app.screen
        assert isinstance(screen, PuzzleScreen)
        right = screen.series.exercise.solutions()[0].option
        assert right is not None
        await pilot.press("yn"[1 - right])
        await wait_until(pilot, lambda: PuzzleFile.load().solved.tried == 1)
        await pilot.press("yn"[right])
        await wait_until(pilot, lambda: "Right." in text_of(app))
        solved = PuzzleFile.load().solved
        assert (solved.tried, solved.right) == (1, 0)
        assert "kalooki puzzle K2-out-AB" in text_of(app)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "K2-out-AC" in text_of(app))
        await pilot.press("q")
        await wait_until(pilot, lambda: "0 of 1 right first time" in text_of(app))
