"""The review on screen: from the list of matches, a deal at a time, and a decision kept."""

from pathlib import Path

import pytest

from kalooki_tui.store.exchange import import_record
from kalooki_tui.store.matches import Store
from kalooki_tui.store.puzzling import kept_folder
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens import review
from kalooki_tui.ui.screens.review import ReviewPage
from tests.ui.conftest import Thinks, text_of, wait_until
from tests.ui.test_daily import Here

RECORD = Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl"


async def test_a_match_is_reviewed_from_the_list_and_a_decision_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        import_record(store, str(RECORD))
    monkeypatch.setattr(review, "why_not", lambda: "There is no core.")
    app = KalookiApp(thinker=Thinks())
    app._reckoner = Here()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.show_matches()
        await wait_until(pilot, lambda: app.screen.name == "matches")
        await pilot.press("r")
        await wait_until(pilot, lambda: "Cards drawn" in text_of(app))
        page = app.screen
        assert isinstance(page, ReviewPage)
        await wait_until(pilot, lambda: len(page.found) == 3)
        for _ in range(2):
            if not page.shown:
                await pilot.press("right")
        assert page.shown
        await pilot.press("t")
        await wait_until(pilot, lambda: "what would have been better?" in text_of(app))
        await pilot.press("t")
        await wait_until(pilot, lambda: "better by about" in text_of(app))
        before = page.found[0].seat
        while page.marked is not None and page.marked.kind != "throw" and page.at + 1 < len(page.shown):
            await pilot.press("down")
        if page.marked is not None and page.marked.kind == "throw":
            await pilot.press("p")
            await wait_until(pilot, lambda: len(list(kept_folder().glob("*.yaml"))) == 1)
        await pilot.press("tab")
        await wait_until(pilot, lambda: page.found[0].seat == (before + 1) % 3)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen.name == "matches")
