import asyncio
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace
from textual.widgets import Static

from kalooki_tui.hosting import apps
from kalooki_tui.hosting.apps import GuestApp, Looks
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.presenter.commands import BY_NAME, COMMANDS
from kalooki_tui.session import match_session as session_module
from kalooki_tui.session.client import HOSTS, LOOKS_ON, NotHere, why_not_allowed
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.storage.journal import HANDS
from kalooki_tui.storage.paths import guests_folder
from kalooki_tui.storage.player.settings_file import SettingsFile
from kalooki_tui.tui.screens.settings import SETTINGS, SettingsScreen
from tests.hosting.callers import pocket, until
from tests.hosting.tables import (
    Terminal,
    begun,
    hosting,
    leaked,
    looking_on,
    phone_table,
    seated,
    seated_phone,
    session_of,
    table_of,
)
from tests.moments import there

READING: Final = {"settings", "rules", "words", "scores", "last-round", "note-away", "help", "quit"}
EVERYTHING: Final = {command.name for command in COMMANDS} | {"hosted-say", "reseat", "review"}
#: What each person at a table may do: everything else is refused with a sentence.
MAY: Final[dict[tuple[bool, bool], set[str]]] = {
    (True, True): EVERYTHING,
    (True, False): EVERYTHING - {"hosted-say"},  # the host of a table in the middle
    (False, True): EVERYTHING - {"speed", "reseat", "review"},
    (False, False): READING,
}


def test_each_person_may_do_what_the_table_says() -> None:
    for (is_host, plays), may in MAY.items():
        assert {name for name in EVERYTHING if not why_not_allowed(name, is_host=is_host, plays=plays)} == may


def condition(session: MatchSession) -> tuple[Any, ...]:
    """What of a match nobody but those who may can change."""
    return session.speed, session.paused, dict(session.stand_ins), session.plans, session.revision, session.is_asking


async def test_a_command_that_is_not_for_a_person_is_refused_in_words_and_offered_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The host has the table in the middle, Ann plays, Eve looks on, Bob has been away for long, Dee has no seat."""
    monkeypatch.setattr(session_module, "PATIENCE", 0.0)
    async with hosting("Ann@", "Bob@", "ai:club") as app:
        eve = await looking_on(app)
        dee = Terminal(app, Guest("Dee"))
        await dee.until("Dee")
        ann, bob = await begun(app, "Ann", "Bob")
        await eve.until("You are watching")
        await bob.break_line()
        await ann.until("Bob is away")
        session = session_of(app)
        session.set_paused(True)
        people = {(True, False): app, (False, True): ann.screen._app, (False, False): eve.screen._app}
        for (is_host, plays), theirs in people.items():
            table = table_of(theirs)
            assert theirs is not None
            if theirs.screen is not table:
                table.call_later(theirs.overlays.take_down, theirs.screen)  # type: ignore[attr-defined]
            await until(lambda table=table, theirs=theirs: theirs.screen is table)  # type: ignore[misc]
            refused = {name for name in EVERYTHING if why_not_allowed(name, is_host=is_host, plays=plays)}
            assert not {command.name for command in table.offered} & refused
            before = condition(session)
            for name in sorted(refused):
                table.call_later(table.run_command, name)
                await until(lambda t=table, n=name: t._notice is not None or n in ("reseat", "review"))  # type: ignore[misc]
                told = table._notice
                assert told is None or told.message in (LOOKS_ON, *HOSTS.values()), name  # type: ignore[union-attr]
                table._notice = None
            assert condition(session) == before
            assert session.absent_for(table.client) == (() if not (is_host or plays) else (1,))
        before, clients = condition(session), len(session.clients)
        for command in COMMANDS:
            if command.name not in ("quit", "take-back", "swap"):  # the lobby's own: leave, look on
                dee.type(command.keys.partition(",")[0][:1])
        await asyncio.sleep(0.1)
        assert (condition(session), len(session.clients)) == (before, clients)


#: What a phone may send, and the persons whom it changes the match for.
SENT: Final = (
    {"say": "Hello"}, {"stand_in": "Bob"}, {"press": "draw-stock"}, {"press": "undo"}, {"answer": "draw stock"},
    {"order": "5C"}, {"chosen": "5C"}, {"sort": "group"},
)  # fmt: skip


async def test_on_a_phone_only_who_plays_does_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "PATIENCE", 0.0)
    async with (
        phone_table("Ann@", "Bob@", "ai:club") as (app, port),
        seated_phone(port, "Ann") as ann,
        pocket(port, "Eve") as phone,
        phone.page() as eve,
        pocket(port, "Dee") as another,
        another.page() as stranger,
    ):
        async with seated_phone(port, "Bob"):
            await eve.until(lambda: eve.lobby)
            await eve.say(watch=True)
            await eve.until(lambda: eve.lobby["watches"])
            app.begin_match()
            for hand in (ann, eve):
                await hand.until(lambda hand=hand: hand.state)  # type: ignore[misc]
            await ann.say(stand_in="Bob")
            await ann.until(lambda: "Everybody is here." in ann.told("told"))
        session = session_of(app)
        await until(lambda: bool(session.away))
        before = condition(session)
        for message in SENT:
            for hand in (eve, stranger):
                number = await hand.say(**message, moment=hand.state.get("moment"))
                await hand.until(lambda hand=hand, number=number: {"heard": number} in hand.heard)  # type: ignore[misc]
        assert condition(session) == before
        assert LOOKS_ON in eve.told("told")
        assert (eve.state["hand"], eve.state["buttons"], eve.is_over) == ("", [], False)
        assert [one["seat"] for one in eve.heard if "hello" in one] == [None]
        assert stranger.state == {}
        await ann.say(show="seats")
        await ann.until(lambda: ann.told("page"))
        assert {"stand_in": "Bob", "label": "Let an AI, club, play for Bob"} in ann.told("page")[0]["blocks"]
        await ann.say(stand_in="Bob")
        await until(lambda: session.stand_ins == {1: "club"})


async def test_a_guests_settings_keys_and_themes_are_not_the_hosts_and_never_touch_the_match(home: Path) -> None:
    (home / "keys.toml").write_text('rules = "f5"\n', encoding="utf-8")
    (home / "themes").mkdir()
    (home / "themes" / "attic.toml").write_text('[colours]\ngold = "#ffffff"\n', encoding="utf-8")
    async with hosting("Ann", "Cat", "Bob@") as app:
        (bob,) = await begun(app, "Bob")
        session, guest = session_of(app), bob.screen._app
        assert isinstance(guest, GuestApp)
        assert ["attic" in one.available_themes for one in (app, guest)] == [True, False]
        for one, key in ((app, "f5"), (guest, "i")):
            shown: list[str] = []
            table_of(one).call_later(lambda shown=shown: shown.append(BY_NAME["rules"].shown))
            await until(lambda shown=shown: shown)  # type: ignore[misc]
            assert shown == [key]
        live = there(session._live)

        def kept() -> tuple[Any, ...]:
            beside = {name: value for name, value in live.ui_state.items() if name != HANDS}
            return condition(session)[:4], beside, table_of(app).plan

        before, table = kept(), table_of(guest)
        table.call_later(table.tuning.show_settings)
        await until(lambda: isinstance(guest.screen, SettingsScreen))
        await bob.until("Kept for you")
        for setting in SETTINGS:
            bob.type(setting.key)
        # All keys have done their work: the last ones would open something at the table.
        await until(lambda: guest.settings.four_colour and not there(bob.screen._driver).waiting and guest.is_quiet)
        assert str(home) not in bob.text
        assert SettingsFile.load().settings.four_colour is False
        guest.screen.call_later(guest.screen.dismiss, None)
        await until(lambda: guest.screen is table)
        assert kept() == before
        assert (guest.settings.curtain, guest.settings.ai_speed) == (True, "natural")


def test_looks_are_kept_under_any_name_and_nowhere_else(home: Path) -> None:
    for name in ("Bob", "../settings", "a/b", "x" * 40, "Zoë ♥", "con"):
        own = Looks().of(Guest(name, "key"))
        own.save(replace(own.settings, ascii=True))
        assert Looks().of(Guest(name.upper())).settings.ascii, name
    assert {path.parent for path in home.rglob("*") if path.is_file()} == {guests_folder()}


def test_a_guest_without_a_name_has_looks_by_their_token_or_for_this_visit(home: Path) -> None:
    here = Looks()
    own = here.of(Guest("", "token"))
    own.save(replace(own.settings, ascii=True))
    assert here.of(Guest("", "token")).settings.ascii
    assert not here.of(Guest("")).settings.ascii
    assert not any(home.iterdir())


def test_a_damaged_file_and_a_folder_that_cannot_be_written_are_told_to_no_guest(home: Path) -> None:
    own = Looks().of(Guest("Bob"))
    own.save(replace(own.settings, ascii=True))
    own.path.write_text("ascii = [")
    again = Looks().of(Guest("Bob"))
    assert (again.problems, again.settings.ascii) == ((), False)
    assert again.save(replace(again.settings, ascii=True)) is None
    assert Looks().of(Guest("Bob")).settings.ascii
    for file in guests_folder().iterdir():
        file.unlink()
    guests_folder().rmdir()
    guests_folder().write_text("in the way")
    assert again.save(replace(again.settings, four_colour=True)) is None
    assert again.settings.four_colour


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apps, "MOST", 3)
    for number in range(5):
        own = Looks().of(Guest(f"Guest {number}"))
        own.save(replace(own.settings, ascii=True))
    assert len(list(guests_folder().glob("*.toml"))) == 3


async def test_where_somebody_teaches_guests_see_the_hands_that_the_host_opens_and_have_no_key_for_it(
    home: Path,
) -> None:
    async with hosting("Ann", "Cat", "Bob@", teach=True) as app:
        (bob,) = await seated(app, "Bob")
        app.call_later(app.begin_match)
        await bob.until("These make it:")
        for one in (app, bob.screen._app):
            await until(lambda one=one: one.screen.name == "contract-page")  # type: ignore[misc]
            one.screen.call_later(one.screen.dismiss, True)
        await until(lambda: "These make it:" not in bob.text)
        session, guest = session_of(app), table_of(bob.screen._app)
        match = session._table.match
        faces = match.rules.faces

        def seen() -> set[str]:
            strip = next(iter(guest.query("#open-hands").results(Static)), None)
            return set() if strip is None else set(str(strip.render()).replace("▏", " ").split())

        await until(lambda: {*map(faces.symbol, match.deal.hands[0])} <= seen())
        assert not [command for command in guest.beside.offered if command.name in ("all-hands", "write-position")]
        with pytest.raises(NotHere):
            bob.client.shown_match()
        session.turn_hands()
        await until(lambda: not seen())
        await until(lambda: not leaked(bob))


async def test_a_teacher_asks_whoever_sits_at_a_phone(home: Path) -> None:
    async with phone_table("Ann", "Cat", "Bob@", teach=True) as (app, port), seated_phone(port, "Bob") as bob:
        app.begin_match()
        await until(lambda: app.screen.name == "contract-page")
        app.screen.call_later(app.screen.dismiss, True)
        await bob.until(lambda: bob.state)
        session, table = session_of(app), table_of(app)
        await until(lambda: session.asked)
        words = await table.beside.question_words()
        assert "what would you do?" in words
        await bob.until(lambda: "what would you do?" in str(bob.told("words")))
        answer = await table.beside.question_words()
        await bob.until(lambda: answer[:12] in str(bob.told("words")))
