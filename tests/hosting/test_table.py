import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace
from textual.events import Key
from textual.widgets import Input, Static

from kalooki_tui.engine.events import Discarded
from kalooki_tui.hosting.apps import ELSEWHERE, GuestApp, HostApp
from kalooki_tui.hosting.doors import HostedTable, kept_doorway, reopen_hosted_table
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.lobby import Lobby, chairs_of, read_chairs, state_of
from kalooki_tui.hosting.screens import LobbyScreen
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.storage.kept import Doorway, HostedFile, path_beside
from kalooki_tui.storage.player.settings_file import SettingsFile
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.question import ChoiceDialog
from tests.hosting.callers import until
from tests.hosting.tables import Terminal, begun, hosting, leaked, looking_on, seated, session_of, table_of
from tests.moments import there
from tests.session.fronts import ClubFront, play_out


def shown(app: HostApp) -> str:
    assert isinstance(app.screen, LobbyScreen)
    return str(app.screen.words.render())


def said(app: HostApp) -> str:
    return str(app.screen.query_one("#said", Static).render())


async def test_guests_come_to_their_seats_and_the_host_sees_them() -> None:
    async with hosting("Ann", "Bob@", "@") as app:
        assert "free" in shown(app)
        app.begin_match()
        assert isinstance(app.screen, LobbyScreen), "nobody has come"
        bob, cat = await seated(app, "Bob", "Cat")
        await until(lambda: shown(app).count("has come") == 2)
        assert app.lobby.why_not_begin() == ""
        eve = Terminal(app, Guest("Eve"))
        await eve.until("Eve, no seat is free for you.")
        eve.type("2")
        await eve.until("That seat has been taken.")
        app.begin_match()
        for terminal, hand in ((bob, "Bob's hand"), (cat, "Cat's hand")):
            await terminal.until(hand)
        assert "hand ·" not in eve.text


async def test_a_seat_kept_for_a_name_is_taken_by_coming_and_any_other_by_one_key() -> None:
    async with hosting("Ann", "Bob@", "@", "@") as app:
        assert isinstance(app.screen, LobbyScreen)
        app.screen.run_command("lobby-begin")
        await until(lambda: "for Bob and 2 free seats." in said(app))
        bob = Terminal(app, Guest("bob", "key of Bob"))
        await bob.until("You have a seat.")
        await until(lambda: "for 2 free seats." in said(app))
        cat = Terminal(app, Guest("Cat", "key of Cat"))
        await cat.until("Cat, press 3 or 4 to sit down.")
        cat.type("4")
        await cat.until("You have a seat.")
        assert [chair.name for chair in app.lobby.chairs if chair.is_here] == ["Bob", "Cat"]
        await bob.break_line()
        typed = Terminal(app, Guest(""))
        await typed.until("What are you called?")
        typed.type("ann\r")
        await typed.until("ann, press 3 to sit down.")
        typed.type("3")
        await typed.until("The names ")
        typed.type("n")
        guest = typed.screen._app
        await until(lambda: guest is not None and isinstance(guest.focused, Input))
        typed.type("Bob\r")  # over what was there
        await typed.until("You have a seat.")
        assert isinstance(guest, GuestApp)
        before = guest.screen
        for name in ("matches", "statistics", "set_up", "same_cards", "course", "puzzles", "watch_ai"):
            guest.clear_notifications()
            guest.call_later(guest.go, getattr(routes, name)())
            await until(lambda: [one.message for one in guest._notifications] == [ELSEWHERE])
            assert guest.screen is before


async def test_a_match_is_played_at_three_screens_and_no_card_is_seen_that_is_not_ones_own() -> None:
    async with hosting("Ann@", "Bob@", "Cat@") as app:
        eve, terminals = await looking_on(app), await begun(app, "Ann", "Bob", "Cat")
        await eve.until("You are watching")
        assert leaked(terminals[0], terminals[1].client) != set(), "a hand would be seen, if it were another's"
        thrown, read = 0, dict.fromkeys((*terminals, eve), "")
        while thrown < 3:
            for terminal in terminals:
                act(terminal)
            for _ in range(10):
                await asyncio.sleep(0.02)
                for terminal in [terminal for terminal, text in read.items() if terminal.text != text]:
                    read[terminal] = terminal.text
                    assert leaked(terminal) == set(), terminal.text
            history = terminals[0].client.public.history
            thrown = sum(isinstance(event, Discarded) for event in history)


def act(terminal: Terminal) -> None:
    """Press what the screen asks for: nobody calls, every call is allowed, the card under the cursor goes."""
    text = terminal.text
    if "Call it?" in text:
        terminal.type("p")
    elif "allow the call?" in text:
        terminal.type("a")
    elif "draws from the stock" in text:
        terminal.type("d")
    elif "throws" in text or "Throw" in text or "x discards" in text:
        terminal.type("x")


async def test_whoever_comes_back_has_the_seat_that_an_ai_has_played_and_with_another_screen_by_the_hosts_leave() -> (
    None
):
    async with hosting("Ann@", "Bob@", "ai:club") as app:
        ann, bob = await begun(app, "Ann", "Bob")
        await bob.break_line()
        await ann.until("Bob is away")
        session = session_of(app)
        seat = session.names.index("Bob")
        chair = next(chair for chair in app.lobby.chairs if chair.name == "Bob")
        await until(lambda: not chair.is_here)
        assert app.lobby.turn(chair) == ""
        assert session.stand_ins == {seat: "club"}
        assert table_of(ann.screen._app).beside.why_no_seats() == "An AI plays for whoever is away."
        stranger = Terminal(app, Guest("Bob", "another key"))
        await stranger.until("Bob, no seat is free for you.")
        again = Terminal(app, Guest("Somebody", "key of Bob"))
        await again.until("Bob's hand")
        assert session.stand_ins == {}
        assert "Somebody" not in again.text
        await again.break_line()
        await until(lambda: not chair.is_here)
        table = table_of(app)
        table.call_later(table.open_seats)
        await until(lambda: app.screen.name == "seats")
        assert isinstance(app.screen, ChoiceDialog)
        (key,) = (one.key for one in app.screen.choices if "Let Bob come from another screen" in str(one.text))
        app.screen.call_later(lambda: app.post_message(Key(key, key)))
        await until(lambda: not chair.token)
        await Terminal(app, Guest("Bob", "another key")).until("Bob's hand")


async def press_until(terminal: Terminal, key: str, condition: Callable[[], bool]) -> None:
    """Press a key now and then until something is so: what is pressed as a question comes up does not count."""
    async with asyncio.timeout(60):
        while not condition():
            terminal.type(key)
            for _ in range(10):  # a slow machine draws late, and the next key would be for what has come
                await asyncio.sleep(0.2)
                if condition():
                    break


async def test_a_match_that_was_left_is_hosted_again_for_those_who_sat_there() -> None:
    async with hosting("Ann", "Bob@", "@", "ai:club") as app:
        for guest in await begun(app, "Bob", "Cat"):
            await guest.break_line()
    again = KalookiApp()
    async with again.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        again.go(routes.resume(again.store.summaries()[0].id))
    assert again.onward is not None
    assert again.onward.name == "hosted"
    chairs = chairs_of(again.onward.arguments[0])
    assert [(one.name, one.is_own, one.kept_for) for one in chairs[:3]] == [
        ("Ann", False, ""), ("Bob", True, "Bob"), ("Cat", True, "Cat"),
    ]  # fmt: skip
    last = there(SettingsFile.load().settings.last)
    assert last.own_screens == ["Bob", "Cat"], "so that playing again is at their own screens too"


@pytest.mark.parametrize("leads_home", [True, False], ids=["from the first screen", "from the command line"])
async def test_where_nobody_can_come_the_set_up_says_why(leads_home: bool) -> None:
    plan = MatchPlan(ruleset="baby", seats=(SeatPlan("Ann"), SeatPlan("Bob")), own_screens=("Bob",))
    doorway = Doorway(("192.0.2.77",), 0, None)  # an address that this machine does not have
    app = HostApp(HostedTable(Lobby(plan, chairs_of(plan)), doorway, Guests()), leads_home=leads_home)
    async with app.run_test():
        await until(lambda: app.hosted.problem != "")
        await until(lambda: app.parting != "")
    assert app.onward == (routes.set_up(plan) if leads_home else None)
    assert app.hosted.problem in app.parting


async def test_people_speak_to_each_other_by_ready_phrases_and_lines_of_their_own() -> None:
    async with hosting("Ann@", "Bob@", "Cat@") as app:
        ann, bob, cat = await begun(app, "Ann", "Bob", "Cat")
        guest = cat.screen._app
        assert isinstance(guest, GuestApp)
        guest.call_later(lambda: guest.set(phrases=False))
        await until(lambda: not guest.settings.phrases)
        assert ann.client.here == (ann.client.public.turn,), "she waits for the others' calls"
        await ann.until("y Say")
        await press_until(ann, "y", lambda: "A line of your own" in ann.text)
        ann.type("y")
        await ann.until("at most 100 characters")
        ann.type("[red]hi[/]\r")
        await bob.until("[red]hi[/]")
        await asyncio.sleep(0.1)
        assert "[red]hi" not in cat.text


DOORWAY: Final = Doorway(("127.0.0.1",), None, 0, ("table.example",))


async def test_a_host_who_comes_back_after_a_kill_has_the_same_table() -> None:
    async with hosting("Ann", "Bob@", "ai:club", doorway=DOORWAY) as app:
        guests, doors = app.hosted.guests, app.hosted.doors
        assert doors is not None
        guests.remember("key of Bob", "Bob")
        await begun(app, "Bob")
        match = app.store.summaries()[0].id
        file = path_beside(match)
        assert file.stat().st_mode & 0o777 == 0o600
        record = file.with_suffix(".jsonl").read_text()
        assert guests.code not in record
        assert "key of Bob" not in record
        guests.remember("key of Cat", "Cat")
        left = file.read_bytes()
        web_port = doors.doorway.web_port
        await doors.close()
    file.write_bytes(left)  # a kill: nothing that the end writes
    kept = HostedFile.of(match)
    doorway = kept_doorway(kept.kept)
    assert doorway == replace(DOORWAY, web_port=web_port)
    plan = MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club"]), own_screens=("Bob",))
    hosted = reopen_hosted_table(Lobby(plan, chairs_of(plan)), kept, doorway)
    assert hosted.guests.code == guests.code
    assert "key of Cat" in hosted.guests.known
    assert [chair.token for chair in hosted.lobby.chairs] == ["", "key of Bob", ""]
    assert state_of(hosted.lobby.chairs[1]) == "away"
    assert hosted.lobby.why_not_begin() == "Bob is away. Mark the seat (↑ ↓): x lets an AI play there."


def _never(guest: Guest) -> Any:
    raise AssertionError(guest)


async def test_a_file_that_cannot_be_used_opens_no_door() -> None:
    path = path_beside("one")
    path.parent.mkdir(parents=True)
    path.write_text('{"version": 1, "addresses": 7}')
    plan = MatchPlan()
    kept = HostedFile.of("one")
    hosted = reopen_hosted_table(Lobby(plan, read_chairs(["Ann", "Bob@"])), kept, kept_doorway(kept.kept))
    await hosted.open(_never, _never)
    assert hosted.doors is None
    assert str(path) in hosted.problem


async def test_nothing_is_kept_of_a_table_whose_match_is_over() -> None:
    async with hosting("Ann@", "Bob@", "Cat@", doorway=DOORWAY, seed=209) as app:
        for chair in app.lobby.chairs:
            app.lobby.sit_down(chair, Guest(chair.kept_for, chair.kept_for), chair.kept_for)
        app.begin_match()
        await until(lambda: app.lobby.session is not None)
        file = path_beside(app.store.summaries()[0].id)
        assert file.exists()
        session = session_of(app)
        session._table.match.last_deal = 1
        await play_out(*(ClubFront(app.lobby.place_of(chair)) for chair in app.lobby.chairs))
        assert not file.exists()
        assert app.hosted.doors is not None
        await app.hosted.doors.close()
