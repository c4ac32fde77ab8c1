import asyncio

import pytest
from textual.pilot import Pilot

from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.lobby import Lobby, Visitor, chairs_of, read_chairs, stand_in_words, state_of, waits_for
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.session.plan import MatchPlan
from tests.commands import Golden
from tests.hosting.tables import Terminal, hosting
from tests.session.fronts import session_of
from tests.tui.conftest import text_of

#: Who does what: a number is a seat, from 1; the host turns and frees seats, begins and ends the match.
STEPS = """
bob come, bob sit 1, bob sit 2, bob sit 3, bob sit 9, eve come, eve sit 2, eve sit 4, eve call bob
eve call Eve Adams, eve sit 4, bob sit 2, fay come, fay call Ann, fay call Fay, fay sit 5, fay sit 3
gus come, gus call Gus, gus sit 5, gus watch, host turn 1, host turn 2, host turn 3, host turn 5, eve leave
bob leave, bob come, eve come, eve call Eve Adams, eve sit 4, host turn 4, host turn 3, fay leave
host turn 3, fay come, fay sit 5, fay call Fay, fay sit 5, host begin, bob leave, host turn 2, host turn 2
host free 2, eve leave, eve come, bob come, host end, bob leave, host turn 5, host turn 5
"""


async def test_a_lobby_as_people_come_sit_down_and_leave(golden: Golden) -> None:
    lobby = Lobby(MatchPlan(), read_chairs(["  Ann ", " Bob@ ", " Cat @", " @ ", "@", "Ida=ai:novice"]))
    guests = {name: Guest(called, token) for name, called, token in (
        ("bob", "Bob", "key of Bob"), ("eve", "", "key of Eve"), ("fay", "", ""), ("gus", "", "key of Gus"),
    )}  # fmt: skip
    visitors: dict[str, Visitor] = {}
    lines: list[str] = []
    for step in STEPS.replace("\n", ", ").strip(", ").split(", "):
        who, does, *rest = step.split(" ", 2)
        found: object = ""
        match does:
            case "come":
                visitors[who] = Visitor(guests[who], lobby)
                visitors[who].come_back()
            case "leave":
                visitors.pop(who).leave()
            case "sit":
                found = visitors[who].sit(int(rest[0]))
            case "call":
                found = visitors[who].call(rest[0])
            case "watch":
                visitors[who].look_on()
            case "turn":
                found = lobby.turn(lobby.chairs[int(rest[0]) - 1])
            case "free":
                lobby.free(lobby.chairs[int(rest[0]) - 1])
            case "begin":
                seats = (f"{one.name}={one.player}" if not one.is_human else one.name for one in lobby.ready().seats)
                session = session_of(*seats)[1]
                host = session.sit(())
                lobby.begun(session)
            case "end":
                lobby.over()
        lines.append(f"# {step}{f': {found}' if found else ''}")
        lines.append(" · ".join(f"{chair.name or '-'} {state_of(chair)}" for chair in lobby.chairs))
        lines += [f"{name}: {waits_for(one)} {one.open_seats}" for name, one in visitors.items()]
        if lobby.session is None:
            lines.append(f"host: {lobby.why_not_begin() or 'may begin'}")
        else:
            lines.append(f"host: {'; '.join(map(stand_in_words, lobby.absent_for(host))) or 'plays'}")
    plan = MatchPlan(seats=parse_seats(["Ann", "Bob", "Cara", "Dan", "ai:club"]), own_screens=("Ann", "Bob", "Cara"))
    lines.append(Lobby(plan, chairs_of(plan)).why_not_begin())
    golden("lobby", "\n".join(lines))


#: Keys at the host's screen, Bob's and Eve's: who, and what they press.
PRESSED = """
eve ctrl+q, eve n, host enter, host down, host x, host x, host up, host f, host up, host x, eve 8, eve w
eve 3, host c, host q, host n, bob q, host enter, host down, host x, host down, host down, host x, host up
host f, host enter, host r, eve ctrl+q, eve n, host ctrl+q, host n, eve y, eve 2, host y, host y, host H
host i, host enter, eve q, eve y, host ctrl+o, host 1, host q, host n
"""


async def test_each_key_of_the_lobbys_screens(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.hosting.guest._random_code", lambda: "new code")
    async with hosting("Ann", "Bob@", "@", "ai:club") as app:
        screens = {"bob": Terminal(app, Guest("Bob", "key of Bob"))}
        await screens["bob"].until("You have a seat.")
        screens["eve"] = Terminal(app, Guest("Eve", "key of Eve"))
        await screens["eve"].until("press")
        pilot, pages, seen = Pilot(app), list[str](), dict[str, list[str]]()
        for step in PRESSED.replace("\n", ", ").strip(", ").split(", "):
            who, key = step.split()
            if who == "host":
                await pilot.press(key)
            else:
                screens[who].type(key.replace("ctrl+q", "\x11"))
            for one in (*screens.values(), None):
                await asyncio.sleep(0.02)
                if (at := app if one is None else one.screen._app) is not None and at.is_running:
                    await Pilot(at).pause()
            pages.append(f"# {step}")
            for name, text in {"host": text_of(app), **{name: one.text for name, one in screens.items()}}.items():
                rows = [row.strip() for row in text.splitlines() if row.strip()]
                if rows != seen.get(name):
                    pages.append("\n".join([f"{name} sees:", *rows]))
                seen[name] = rows
        golden("lobby-screens", "\n\n".join(pages))
    async with hosting("Ann", "Bob@") as app:
        await Pilot(app).press("q", "y")
        assert app._exit, "the table is closed"
