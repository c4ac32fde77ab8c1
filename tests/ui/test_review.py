"""The review on screen: from the list of matches, a deal at a time, and a decision kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.widgets import Sparkline

from kalooki_tui.judging.decisions import Judged
from kalooki_tui.judging.playing_out import Race
from kalooki_tui.store.exchange import import_record
from kalooki_tui.store.matches import Store
from kalooki_tui.store.player.puzzles import kept_folder
from kalooki_tui.ui import ways
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens import review
from kalooki_tui.ui.screens.moment import MomentScreen
from kalooki_tui.ui.screens.review import ReviewPage
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import text_of, wait_until
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
        app.go(ways.Matches())
        await wait_until(pilot, lambda: app.screen.name == "matches")
        await pilot.press("r")
        await wait_until(pilot, lambda: "Cards drawn" in text_of(app))
        page = app.screen
        assert isinstance(page, ReviewPage)
        await wait_until(pilot, lambda: len(page.found) == 3)
        # Of the first deal only draws are listed.
        await pilot.press("right")
        assert [one.kind for one in page.shown] == ["draw", "throw", "draw"]
        await pilot.press("t")
        await wait_until(pilot, lambda: "what would have been better?" in text_of(app))
        await pilot.press("t")
        await wait_until(pilot, lambda: "better by about" in text_of(app))
        before = page.found[0].seat
        await pilot.press("down", "p")
        await wait_until(pilot, lambda: len(list(kept_folder().glob("*.yaml"))) == 1)
        await pilot.press("o")
        await wait_until(pilot, lambda: app.screen.name == "hands")
        assert all(name in text_of(app) for name in page.found[page.deal].names)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is page)
        assert page.marked is not None
        view = page.marked.decision.view
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, MomentScreen))
        moment = app.screen
        assert isinstance(moment, MomentScreen)
        await wait_until(pilot, lambda: "was better by" in text_of(app))
        assert moment.state.view(view.seat).hand == view.hand
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is page)
        assert page.query_one(Sparkline).display
        assert "Points lost per deal, the last 3:" in text_of(app)
        scroll = page.query_one(VerticalScroll)
        scroll.styles.height = 5
        await wait_until(pilot, lambda: scroll.max_scroll_y > 0)
        scroll.scroll_end(animate=False)
        await wait_until(pilot, lambda: scroll.scroll_y > 0)
        await pilot.press("tab")
        await wait_until(pilot, lambda: page.found[0].seat == (before + 1) % 3)
        # Another seat's decisions are read from the top.
        await wait_until(pilot, lambda: scroll.scroll_y == 0)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen.name == "matches")


async def test_keys_about_a_decision_tell_why_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        import_record(store, str(RECORD))
    monkeypatch.setattr(review, "why_not", lambda: "There is no core.")
    app = KalookiApp(thinker=Thinks())
    app._reckoner = Here()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:

        async def is_told(key: str, why: str) -> None:
            app.clear_notifications()
            await pilot.press(key)
            await wait_until(pilot, lambda: [note.message for note in app._notifications] == [why])
            assert app.screen is page

        await pilot.pause()
        app.go(ways.Matches())
        await wait_until(pilot, lambda: app.screen.name == "matches")
        await pilot.press("r")
        await wait_until(pilot, lambda: isinstance(app.screen, ReviewPage) and app.screen.is_whole)
        page = app.screen
        assert isinstance(page, ReviewPage)
        assert page.marked is not None
        await is_told("m", "There is no core.")
        await pilot.press("right", "right")
        assert page.marked is None
        for key in ("enter", "o", "p"):
            await is_told(key, "No decision here cost anything.")
        assert not list(kept_folder().glob("*.yaml"))
        await is_told("m", "There is no core.")
        monkeypatch.setattr(review, "why_not", lambda: "")
        await is_told("m", "No decision here cost anything.")
        page.is_whole = False
        await is_told("m", "The deals are still being reviewed.")


async def test_every_decision_is_played_out_the_deal_shown_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        import_record(store, str(RECORD))
    monkeypatch.setattr(review, "why_not", lambda: "")
    monkeypatch.setattr(review, "look", looked)
    monkeypatch.setattr(review, "go_on", lambda race: replace(race, is_over=True, rounds=3))
    monkeypatch.setattr(review, "further", lambda race: replace(race, looked=((30.0,) * 4, (0.0,) * 4), rounds=4))
    app = KalookiApp(thinker=Thinks())
    app._reckoner = Here()
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.pause()
        app.go(ways.Matches())
        await wait_until(pilot, lambda: app.screen.name == "matches")
        await pilot.press("r")
        await wait_until(
            pilot, lambda: isinstance(app.screen, ReviewPage) and "Each decision was played out" in text_of(app)
        )
        page = app.screen
        assert isinstance(page, ReviewPage)
        await wait_until(pilot, lambda: page._done == {0, 1, 2})
        worst = page.found[0].by_cost
        assert [(one.loss, one.error) for one in worst] == [(20.0, 0.0)]
        assert worst[0].why
        await pilot.press("m")
        await wait_until(pilot, lambda: page.found[0].by_cost[0].loss == 30.0)
        # With more decisions than rows the arrow keys choose a decision still, and bring it into sight.
        await pilot.resize_terminal(80, 24)
        lost = tuple(
            replace(one, best=next(other for other in one.ranked if other != one.decision.action), loss=9.0, error=1.0)
            for one in page.found[0].real
        )
        page.found[0] = replace(page.found[0], judged=lost)
        page.show()
        await pilot.pause()
        assert len(page.shown) > 5
        for _ in page.shown:
            await pilot.press("down")
        assert page.at == len(page.shown) - 1
        assert page.query_one("#marked").region.bottom < 24
        await pilot.press("up")
        assert page.at == len(page.shown) - 2


def looked(judged: Judged, worlds: int) -> Race:
    """A race in which one throw of the deal looks bad, and everything else fine."""
    bad = judged.kind == "throw" and judged.decision.turn == 2
    ways = (judged.decision.action, next(one for one in judged.ranked if one != judged.decision.action))
    margins = ((20.0 * bad,) * 4, (0.0,) * 4)
    return Race(judged, ways, worlds, "", looked=margins, rounds=2, is_over=not bad)
