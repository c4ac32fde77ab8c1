"""Puzzles on screen: solved by the table's keys, rated by the first try."""

import re

from kalooki_tui.coach.puzzles.making import Code
from kalooki_tui.store.player.puzzles import PuzzleFile, kept_folder
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.session import SessionScreen
from tests.cli.test_puzzle import KEPT
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import text_of, wait_until


async def test_a_puzzle_is_solved_counted_once_and_followed_by_the_next() -> None:
    app = KalookiApp(routes.solve(Code("AB", "out")), Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        right = screen.session.exercise.solutions()[0].option
        assert right is not None
        await pilot.press("yn"[1 - right])
        await wait_until(pilot, lambda: PuzzleFile.load().solved.tried == 1)
        await pilot.press("yn"[right])
        await wait_until(pilot, lambda: "Right." in text_of(app))
        solved = PuzzleFile.load().solved
        assert (solved.tried, solved.right) == (1, 0)
        assert "kalooki puzzle K3-out-AB" in text_of(app)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "K3-out-AC" in text_of(app))
        await pilot.press("q")
        await wait_until(pilot, lambda: "0 of 1 right first time" in text_of(app))


async def test_a_kept_decision_is_listed_by_its_title_and_its_reason_told_after_the_right_answer() -> None:
    kept_folder().mkdir(parents=True)
    file = kept_folder() / "2026-11-22-deal-1-turn-4-throw.yaml"
    file.write_text(KEPT, encoding="utf-8")
    (kept_folder() / "torn.yaml").write_text("title: [", encoding="utf-8")
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.go(routes.puzzles())
        await wait_until(pilot, lambda: app.screen.name == "puzzles")
        await pilot.press("p")
        await wait_until(pilot, lambda: "Call or pass  ·  today" in text_of(app))
        assert "torn.yaml" in text_of(app)
        assert "It cannot be read." in text_of(app)
        hand = re.search(r"hand: ([^}]*)}", KEPT)
        assert hand is not None
        assert text_of(app).count("▏") >= len(hand[1].split()), "the cards of the hand that decided"
        await pilot.press("1")
        await wait_until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        right = screen.session.exercise.solutions()[0]
        for group in right.groups:
            screen.hand.select_cards(group.cards)
            await pilot.press("l")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "It completes the run." in text_of(app))
        assert "kalooki puzzle /" in " ".join(text_of(app).split())
