import asyncio

import pytest

from kalooki_tui.engine.events import Discarded
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.screens import BoardScreen, beneath, large
from kalooki_tui.session.client import QuestionKind
from kalooki_tui.tui.screens.scores import DealOverScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside import questions as prompts
from tests.hosting.callers import until
from tests.hosting.tables import hosting, session_of
from tests.session.fronts import ClubFront, play_out


async def begun(app: HostApp) -> list[ClubFront]:
    """Everybody has come, and the match has begun; who plays at the places."""
    own = [chair for chair in app.lobby.chairs if chair.is_own]
    for chair in own:
        assert app.lobby.sit_down(chair, Guest(chair.kept_for, chair.kept_for), chair.kept_for) == ""
    app.begin_match()
    await until(lambda: isinstance(app.screen, TableScreen) and bool(app.screen.query("HandView")))
    return [ClubFront(app.lobby.place_of(chair)) for chair in own]


async def test_the_table_in_the_middle_says_large_whose_turn_it_is_and_shows_no_hand() -> None:
    async with hosting("Ann@", "Bob@", "ai:club") as app:
        fronts = await begun(app)
        board = app.screen
        assert isinstance(board, BoardScreen)
        assert not board.hand.display
        assert board.state.seat is None
        told: set[str] = set()

        def has_seen_enough() -> bool:
            told.add(str(board.headline_view.render()))
            thrown = (event for event in fronts[0].client.public.history if isinstance(event, Discarded))
            has_said = any(large("Ann", 76) in one for one in told) and any("discards" in one for one in told)
            return has_said and sum(1 for _ in thrown) >= 4

        task = asyncio.ensure_future(play_out(*fronts))
        await until(has_seen_enough)
        task.cancel()


async def test_the_end_of_a_deal_stands_on_the_table_for_as_long_as_others_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prompts, "WATCHED_SECONDS", 0.3)
    async with hosting("Ann@", "Bob@", "ai:club", seed=209) as app:
        has_read = asyncio.Event()
        fronts = [ClubFront(front.client, on={QuestionKind.END_OF_DEAL: has_read.wait}) for front in await begun(app)]
        session_of(app)._time_is_over()  # one deal is enough
        task = asyncio.ensure_future(play_out(*fronts))
        await until(lambda: isinstance(app.screen, DealOverScreen))
        await asyncio.sleep(1.0)
        page = app.screen
        assert isinstance(page, DealOverScreen)
        assert "by itself" not in page.hint
        assert page.query("LeftRow")
        assert page.query("ScoreChart")
        has_read.set()
        await until(lambda: app.screen is not page)
        await until(lambda: app.screen.name == "match-over")
        task.cancel()


def test_large_letters_where_there_is_room_and_what_is_said_below_them_in_a_second_row_where_one_will_not_do() -> None:
    for text, width, shown in (
        ("Li", 80, "█   ▀█▀\n█    █\n▀▀▀ ▀▀▀"),
        ("É", 80, "█▀▀\n█▀\n▀▀▀"),
        ("Ann", 5, "Ann"),
        ("Юля", 80, "Юля"),
        ("a long name indeed", 8, "a long…"),
    ):
        assert large(text, width) == shown
    for text, width, shown in (
        ("Ann draws · Bob is away", 30, "\nAnn draws · Bob is away"),
        ("Ann draws · Bob is away · ctrl+o lets an AI play", 30, "Ann draws · Bob is away ·\nctrl+o lets an AI play"),
        ("one two three four five", 8, "one two\nthree f…"),
        ("", 8, "\n"),
    ):
        assert beneath(text, width) == shown
