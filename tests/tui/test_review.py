import dataclasses
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from kalooki_tui.coach import rated_advice as advice
from kalooki_tui.evaluation.decisions import Judged
from kalooki_tui.evaluation.rollouts import WORLDS, Rollout
from kalooki_tui.storage.exchange import import_record
from kalooki_tui.storage.kept import FILE
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.progress_file import kept_folder
from kalooki_tui.training.reviews import moment_of
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import review
from kalooki_tui.tui.screens.review import ReviewPage
from tests.tui.conftest import go, press, text_of, wait_until
from tests.tui.openings import running
from tests.tui.test_same_cards import app_at

RECORD = Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl"
LINES = RECORD.read_text(encoding="utf-8").splitlines()
FIRST = LINES[:70]
"""Up to the end of its first deal."""


@asynccontextmanager
async def reviewed(
    lines: Sequence[str] | None = None, *, last: bool = False, **settings: str
) -> AsyncIterator[tuple[Pilot[None], KalookiApp, ReviewPage]]:
    """The review of a record, counted; without lines that of the match in the list of matches."""
    if lines is None:
        with Store.open() as store:
            import_record(store, str(RECORD))
    async with running(app_at(routes.home()), (80, 30), notifications=True) as (pilot, app):
        await pilot.pause()
        app.set(**settings)
        if lines is None:
            await go(pilot, app, routes.matches(), lambda: app.screen.name == "matches")
            await pilot.press("r")
        else:
            app.go(routes.review(lines, last=last))
        await wait_until(pilot, lambda: isinstance(app.screen, ReviewPage) and app.screen.is_whole)
        yield pilot, app, app.screen


async def test_results_that_cannot_be_read_are_told_when_a_review_opens(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "why_not", lambda: "There is no core.")
    (home / FILE).write_text("{", encoding="utf-8")
    told: list[str] = []
    async with running(app_at(routes.home())) as (pilot, app):
        monkeypatch.setattr(app, "notify", lambda message, **_: told.append(message))
        app.go(routes.review(FIRST))
        await wait_until(
            pilot, lambda: any(one.startswith("The results of the review cannot be read.") for one in told)
        )


async def test_nothing_is_marked_or_called_lost_before_it_has_been_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def seen_before_the_look(judged: Judged, worlds: int) -> Rollout:
        told.append("\n".join(part.plain for part in app.screen._page()))
        return looked(judged, worlds)

    play_out_with(monkeypatch, seen_before_the_look)
    async with running(app_at(routes.home()), size=(80, 30)) as (pilot, app):
        await pilot.pause()
        app.go(routes.review(LINES, last=True))
        await wait_until(pilot, lambda: isinstance(app.screen, ReviewPage) and is_played_out(app.screen))
        await wait_until(pilot, lambda: " lost in " in text_of(app))
    assert told
    for text in told:
        assert "looking …" in text
        assert " lost in " not in text
        assert "was better by" not in text


async def test_every_decision_is_played_out_the_deal_shown_first(monkeypatch: pytest.MonkeyPatch) -> None:
    play_out_with(monkeypatch, looked)
    monkeypatch.setattr(advice, "further", lambda race: replace(race, looked=((30.0,) * 4, (0.0,) * 4)))
    async with reviewed() as (pilot, app, page):
        await wait_until(pilot, lambda: is_played_out(page) and "Each decision was played out" in text_of(app))
        worst = page.found[0].by_cost
        assert [(one.loss, one.error) for one in worst] == [(20.0, 0.0)]
        assert worst[0].why[:20] in text_of(app)
        await press(pilot, "m", until=lambda: page.found[0].by_cost[0].loss == 30.0)
        # With more decisions than rows the arrow keys choose a decision still, and bring it into sight.
        await pilot.resize_terminal(80, 24)
        lost = [
            replace(one, best=next(other for other in one.ranked if other != one.decision.action), loss=9.0, error=1.0)
            for one in page.found[0].real
        ]
        page.found[0] = dataclasses.replace(page.found[0], judged=lost)
        page.show()
        await pilot.pause()
        await pilot.press(*["down"] * len(page.shown))
        assert page.at == len(page.shown) - 1 > 4
        assert page.query_one("#marked").region.bottom < 24
        scroll = page.query_one(VerticalScroll)
        scroll.styles.height = 5
        await wait_until(pilot, lambda: scroll.scroll_y > 0)
        # Another seat's decisions are read from the top.
        await press(pilot, "tab", until=lambda: scroll.scroll_y == 0)


def is_played_out(page: ReviewPage) -> bool:
    return page.is_whole and not any(found.open for found in page.found)


def looked(judged: Judged, worlds: int) -> Rollout:
    """A race in which one throw of the deal looks bad, and everything else fine."""
    bad = judged.kind == "throw" and judged.decision.turn == 2
    ways = (judged.decision.action, next(one for one in judged.ranked if one != judged.decision.action))
    margins = ((20.0 * bad,) * 4, (0.0,) * 4)
    return Rollout(judged, ways, worlds, looked=margins, is_over=not bad)


def play_out_with(monkeypatch: pytest.MonkeyPatch, look: Callable[[Judged, int], Rollout]) -> None:
    """Let decisions be played out as where there is a core: first by `look`, then to the end at once."""
    monkeypatch.setattr(review, "why_not", lambda: "")
    monkeypatch.setattr(advice, "look", lambda judged: look(judged, WORLDS))
    monkeypatch.setattr(advice, "go_on", lambda race: replace(race, is_over=True))


async def test_a_match_goes_on_from_the_moment_of_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "why_not", lambda: "There is no core.")
    async with reviewed(FIRST) as (pilot, app, page):
        await pilot.press("down")
        found, marked = page.found[page.deal], page.marked
        await press(pilot, "g", until=lambda: "Who plays?" in text_of(app))
        await press(pilot, "enter", until=lambda: app.screen.name == "table")
        table, view = app.screen, marked.decision.view
        assert table.client.here == (view.seat,)
        assert sorted(table.client.view(view.seat).hand) == sorted(view.hand)
        before = moment_of(page._lines, found, marked).before.deal.hands
        assert [*map(sorted, table.session._table.match.deal.hands)] == [*map(sorted, before)]
        assert [plan.is_human for plan in table.session.plans] == [seat == view.seat for seat in range(len(view.names))]
        (played,) = app.store.summaries()
        assert played.from_position


async def test_no_other_table_takes_the_place_of_a_match_being_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "why_not", lambda: "There is no core.")
    async with reviewed(LINES, last=True) as (pilot, app, page):
        assert "g play on · t try · o hands · p keep · m more" in text_of(app)
        await press(pilot, "g", until=lambda: "list of matches" in text_of(app) or bool(app._notifications))
        assert "A match is being played" in next(iter(app._notifications)).message
        assert app.screen is page


@pytest.mark.parametrize(("setting", "count"), [("by hand", 0), ("by themselves", 1)])
async def test_mistakes_of_ones_own_deal_are_kept_as_the_setting_says(
    setting: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, rest = json.loads(FIRST[0]), FIRST[1:]
    data["seats"][0]["player"] = "human"
    play_out_with(monkeypatch, looked)
    async with reviewed([json.dumps(data), *rest], keep_mistakes=setting) as (pilot, app, page):
        await wait_until(pilot, lambda: is_played_out(page))
        mistakes = [one for found in page.found for one in found.by_cost]
        assert [one.loss for one in mistakes] == [20.0] * len(mistakes)
        kept = [*kept_folder().glob("*.yaml")]
        assert len(kept) == count * len(mistakes)
        assert len(app.progress_file.progress.skills) == len(kept)
