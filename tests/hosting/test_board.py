from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kalooki_tui.engine.events import Discarded
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.screens import BoardScreen, beneath, large
from kalooki_tui.session.client import Client, Question, QuestionKind
from kalooki_tui.tui.screens.scores import DealOverScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside import questions as prompts
from tests.hosting.callers import until
from tests.hosting.tables import hosting
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


class Reads(ClubFront):
    def __init__(self, place: Client, has_read: asyncio.Event) -> None:
        super().__init__(place)
        self._has_read = has_read

    async def answer(self, question: Question) -> Any:
        """What the club player would answer, after reading."""
        if question.ask is QuestionKind.END_OF_DEAL:
            await self._has_read.wait()
        return await super().answer(question)


async def test_the_end_of_a_deal_stands_on_the_table_for_as_long_as_others_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prompts, "WATCHED_SECONDS", 0.3)
    async with hosting("Ann@", "Bob@", "ai:club") as app:
        has_read = asyncio.Event()
        fronts = [Reads(front.client, has_read) for front in await begun(app)]
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


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("Li", 80, "█   ▀█▀\n█    █\n▀▀▀ ▀▀▀"),
        ("É", 80, "█▀▀\n█▀\n▀▀▀"),
        ("Ann", 5, "Ann"),
        ("Юля", 80, "Юля"),
        ("a long name indeed", 8, "a long…"),
    ],
    ids=["letters", "an accent", "no room", "other letters", "no room at all"],
)
def test_large_letters_where_there_is_room_and_a_letter_for_each_sign(text: str, width: int, shown: str) -> None:
    assert large(text, width) == shown


def test_what_is_said_below_the_letters_has_a_second_row_where_one_will_not_do() -> None:
    assert beneath("Ann draws · Bob is away", 30) == "\nAnn draws · Bob is away"
    assert beneath("Ann draws · Bob is away · ctrl+o lets an AI play", 30).splitlines() == [
        "Ann draws · Bob is away ·", "ctrl+o lets an AI play",
    ]  # fmt: skip
    assert beneath("one two three four five", 8).splitlines() == ["one two", "three f…"]
    assert beneath("", 8) == "\n"
