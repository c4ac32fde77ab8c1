import asyncio
import io
import os
import random
import string
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual._context import active_app
from textual.app import App

from kalooki_tui.engine.events import Discarded
from kalooki_tui.hosting import guest_screen as screens
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.guest import KEYS, Allowance, Guest
from kalooki_tui.hosting.guest_screen import TOO_MUCH, TOO_SLOW, Screen
from kalooki_tui.hosting.screens import BoardScreen
from kalooki_tui.session.client import QuestionKind
from kalooki_tui.tui.screens.scores import DealOverScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside import questions as prompts
from kalooki_tui.tui.widgets.pictures import beneath, large
from tests.hosting.callers import Counting, Line, until
from tests.hosting.tables import hosting, session_of
from tests.session.fronts import ClubFront, play_out


@asynccontextmanager
async def shown(
    make: Callable[[], App[Any]] = lambda: Counting(Guest("Bob")), term: str = "xterm-256color", colours: str = ""
) -> AsyncIterator[tuple[Screen, Line]]:
    Counting.ended.clear()
    Counting.current.clear()
    wire = Line()
    screen = Screen(wire, (80, 24), term, colours)
    running = asyncio.create_task(screen.run(make))
    try:
        yield screen, wire
    finally:
        screen.end("")
        await running
    assert wire.is_aborted


NONSENSE = (
    b"\x1b[99999999999u", b"\x1b[1114112u", b"\x1b[55296u", b"\x1b[97;9;99999999999:5u",
    b"\x1b[<0;99999999999999;99999999999999M", b"\x1b[<-1;-1;-1m", b"\x1b[M\x00\x00\x00", b"\x1b[99999999;99999999R",
    b"\x1b[?2048;1$y\x1b[48;9999;9999;9999;9999t", b"\x1b[?2026;9$y", b"\x1b[200~\x1b[201~", b"\x1b]52;c;AAAA\x07",
    b"\xff\xfe\x80\xc3", random.Random(7).randbytes(2000),
)  # fmt: skip


async def test_whatever_is_typed_is_heard_once_and_nothing_of_it_is_a_fault(home: Path) -> None:
    wire = Line()
    screen = Screen(wire, (80, 24), "xterm")
    screen.feed(b"ab")
    screen.feed(b"c")
    running = asyncio.create_task(screen.run(lambda: Counting(Guest("Bob"))))
    await wire.until("Bob: key c")  # typed before the app was there
    for pieces, heard in (
        ((b"\x1b", b"[", b"A"), "key up"),
        ((b"\x1b",), "key escape"),
        (("é".encode()[:1], "é".encode()[1:]), "key é"),
        ((b"\x1b[200~" + b"x" * 20_000 + b"\x1b[201~",), "pasted 20000"),
    ):
        for piece in pieces:
            screen.feed(piece)
        await wire.until(f"Bob: {heard}")
    for typed, key in zip(NONSENSE, string.ascii_lowercase, strict=False):
        # Without the keys that end the app, the framework's own too.
        screen.feed(typed.translate(None, b"qx\x10\x11"))
        screen.feed(b"\x1b[201~")
        screen.resize(90, 30)
        screen.feed(b"\x1b[O\x1b[I")
        await asyncio.sleep(0)
        screen.feed(key.encode())
        await wire.until(f"Bob: key {key}")
    assert not (home / "faults.log").exists()
    screen.feed(b"\x1b[200~")
    while not screen.over.is_set():
        screen.feed(b"x" * 1000)
        await asyncio.sleep(0)
    assert wire.farewell == TOO_MUCH
    await running


async def test_however_slowly_a_paste_comes_that_does_not_end_it_is_noticed() -> None:
    async with shown() as (screen, wire):
        await wire.until("Welcome")
        much = "".join(map(str, range(9000)))
        screen.write(much)  # what is sent in pieces comes whole
        await until(lambda: much.encode() in wire.raw)
        screen.feed(b"\x1b[200~")
        sent = 0
        while not screen.over.is_set():
            screen._allowance = Allowance(KEYS)
            screen.feed(b"x" * 1000)
            sent += 1000
            await asyncio.sleep(0)
        assert wire.farewell == TOO_MUCH
        assert sent < 2 * KEYS


async def test_a_line_that_takes_nothing_is_far_behind_or_breaks_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(screens, "PATIENCE", 0.1)
        async with shown() as (screen, wire):
            await wire.until("Welcome")
            wire.open.clear()
            screen.feed(b"a")
            await until(screen.over.is_set)
    assert (Counting.ended, wire.farewell) == (["Bob"], None)
    async with shown() as (screen, wire):
        await wire.until("Welcome")
        wire.is_broken = True
        screen.feed(b"a")
        await until(screen.over.is_set)
    assert (Counting.ended, wire.farewell) == (["Bob"], None)
    monkeypatch.setattr(screens, "BEHIND", 1000)
    async with shown() as (screen, wire):
        wire.open.clear()
        await until(lambda: Counting.ended == ["Bob"])
        wire.open.set()
        await until(screen.over.is_set)
    assert wire.farewell == TOO_SLOW


class Unwilling(Counting):
    """Does everything wrong at its end."""

    def exit(self, *_arguments: Any, **_named: Any) -> None:
        raise LookupError("an exit that fails")

    def on_unmount(self) -> None:
        super().on_unmount()
        raise LookupError("an end that fails")


async def test_an_app_that_fails_at_its_end_ends_all_the_same(home: Path) -> None:
    async with shown(lambda: Unwilling(Guest("Bob"))) as (screen, wire):
        await wire.until("Welcome")
        screen.end("This is all.")
        await until(screen.over.is_set)
    assert (wire.farewell, Counting.ended) == ("This is all.", ["Bob"])
    noted = (home / "faults.log").read_text()
    assert "an exit that fails" in noted
    assert "an end that fails" in noted


async def test_an_app_writes_no_file_and_opens_no_browser_where_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    async with shown() as (_, wire):
        await wire.until("Welcome")
        [app] = Counting.current
        app.deliver_text(io.StringIO("text"), save_directory=str(tmp_path), save_filename="delivered.txt")
        app.open_url("https://example.org")
    assert opened == []
    assert not (tmp_path / "delivered.txt").exists()


async def test_what_comes_from_outside_finds_its_own_app() -> None:
    """The framework knows the app by a context variable, which another app of the process may have set."""
    found: list[object] = []

    class Asking(Counting):
        def exit(self, *arguments: Any, **named: Any) -> None:
            found.append(active_app.get())
            super().exit(*arguments, **named)

    async with shown() as (_, other):
        await other.until("Welcome")
        active_app.set(Counting(Guest("Ann")))
        async with shown(lambda: Asking(Guest("Bob"))) as (screen, wire):
            await wire.until("Welcome")
            screen.feed(b"a")
            await wire.until("Bob: key a")
            screen.lost()
            await until(screen.over.is_set)
    assert [type(one) for one in found] == [Asking]


async def test_colours_are_those_that_the_terminal_has_and_not_the_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "COLORTERM", "truecolor")
    for term, colours, has, has_not in (
        ("xterm-256color", "truecolor", b"48;2;", b"48;5;"),
        ("xterm-256color", "", b"48;5;", b"48;2;"),
        ("xterm", "", b"\x1b[", b"48;"),
        ("a name nobody knows", "\x00" * 100, b"Welcome", b"48;2;"),
    ):
        async with shown(term=term, colours=colours) as (_, wire):
            await until(lambda wire=wire: b"Welcome" in wire.raw)  # type: ignore[misc]
        assert (has in wire.raw, has_not in wire.raw) == (True, False), term


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
        await until(lambda: app.screen.name == "lobby")  # everybody has read the result at once
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
