from typing import Any, Final

from msgspec.structs import replace

from kalooki_tui.hosting.doors import Doorway, kept_doorway, reopen_hosted_table
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.lobby import Lobby, chairs_of, read_chairs, state_of
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.storage.kept import HostedFile, path_beside
from tests.hosting.callers import until
from tests.hosting.tables import begun, hosting, session_of
from tests.session.fronts import ClubFront, play_out

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
        web_port = doors.web_port
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
