"""Which match the first screen goes on with: the one that was left last, and none that was only watched."""

from __future__ import annotations

from kalooki_tui.store.matches import Store
from kalooki_tui.ui.app import KalookiApp
from tests.store.tables import open_table
from tests.ui.conftest import Thinks, text_of


async def test_the_match_left_last_is_offered_also_where_no_step_was_made() -> None:
    with Store.open() as store:
        first, second = (store.begin(open_table("baby")) for _ in range(2))
        first.close()
        second.close()
        assert store.unfinished()[0].id == second.id
        store.resume(first.id).close()
        assert store.unfinished()[0].id == first.id
        offered = first.id
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.resume(offered)
        await pilot.pause()
        app.watch_match()
        await pilot.pause()
        app.go_home()
        await pilot.pause()
        assert "Continue Baby Kalooki" in text_of(app)
        assert app.screen.waiting is not None  # type: ignore[attr-defined]
        assert app.screen.waiting.id == offered  # type: ignore[attr-defined]
