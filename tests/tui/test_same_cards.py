import pickle
from datetime import date
from typing import Any, ClassVar

from kalooki_tui.match.headless import play_match
from kalooki_tui.players import make_player
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.summary import daily_key
from kalooki_tui.training import reviews as reviewed
from kalooki_tui.training.same_cards import SameCards, begin_duplicate
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.home import HomeScreen
from tests.drivers.keyboard import Thinks
from tests.tui.conftest import go, press, table_of, text_of, wait_until
from tests.tui.openings import asked, plan, running

DAY = date(2026, 11, 21)


class Here:
    """Computes in this process, and a review or a day's par once for all tests."""

    known: ClassVar[dict[str, bytes]] = {}

    async def compute(self, function: Any, *given: object) -> Any:
        if function.__name__ not in ("reviews", "daily_par"):
            return function(*given)
        key = f"{function.__name__}{given}{reviewed.available()}"
        if key not in self.known:
            self.known[key] = pickle.dumps(function(*given))
        return pickle.loads(self.known[key])

    def close(self) -> None:
        pass


def app_at(first: routes.Route) -> KalookiApp:
    app = KalookiApp(first, Thinks())
    app._reckoner = Here()
    return app


def play_out(live: MatchJournal, level: str) -> None:
    levels = [level if plan.is_human else plan.level for plan in live.table.plans]
    play_match(live.table, None, {seat: make_player(one, str(seat)) for seat, one in enumerate(levels)})
    live.close()


def play_day(store: Store, **levels: str) -> None:
    """Have people play the day's deal to its end, each as a level does."""
    for name, level in levels.items():
        play_out(SameCards((daily_key(DAY),)).sit(store, name), level)


async def test_the_first_person_of_a_duplicate_match_is_called_to_the_keyboard_before_the_hand_opens() -> None:
    async with asked(KalookiApp(routes.new_duplicate(plan("Ann", "Bob")), Thinks()), "same-cards") as (pilot, app):
        assert "Ann plays next. Press enter when nobody else is looking." in text_of(app)
        assert not [screen for screen in app.screen_stack if screen.name == "table"]
        await pilot.click("CommandBar", offset=(2, 0))
        await wait_until(pilot, lambda: any(screen.name == "table" for screen in app.screen_stack))
        assert app.settings.names == ["Ann"]


async def test_the_end_of_a_duplicate_match_leads_to_its_results_and_home_knows_who_is_next() -> None:
    with Store.open() as store:
        live = begin_duplicate(store, plan("Ann", "Bob"))
        play_out(live, "club")
    async with running(app_at(routes.home()), notifications=True) as (pilot, app):
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert "Duplicate match: Bob is next" in text_of(app)
        await go(pilot, app, routes.resume(live.id), lambda: app.screen.name == "deal-over")
        await press(pilot, "enter", until=lambda: app.screen.name == "same-cards")
        assert "Results are shown once everybody has played" in text_of(app)
        await press(pilot, "enter", until=lambda: app.screen.name not in ("same-cards", None))
        table = table_of(app).session._table
        assert [table.plans[seat].name for seat in table.people] == ["Bob"]
        assert len(table.match.names) == 4
