"""What strangers and guests can never do by browser, tried from outside."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kalooki_tui.hosting import browser as door
from kalooki_tui.hosting import guest as guest_module
from kalooki_tui.hosting.gate import TokenGate
from kalooki_tui.hosting.guest import BUSY, FULL, KNOCKING, Guests
from kalooki_tui.hosting.screen import TOO_MUCH
from tests.hosting.callers import CODE, HOST, SECONDS, Counting, browser, open_doors, until, window

TOKEN = "a secret of this test"


async def ask(port: int, sent: bytes) -> bytes:
    """What is answered to these bytes, until the connection is closed."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(sent)
    async with asyncio.timeout(SECONDS):
        answer = await reader.read()
    writer.close()
    return answer


def request(path: str = "/", *headers: str, method: str = "GET", host: str = "") -> bytes:
    """A request as a browser would never send it."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or HOST}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "path",
    ["/ws", "/static/js/textual.js", "/page/screen.js", "/hand", "/hand/ws", "/hand/hand.js", "/../../etc/passwd"],
)
async def test_without_the_code_there_is_nothing_but_the_form(path: str) -> None:
    async with open_doors() as (_, _, port):
        answer = await ask(port, request(path))
        assert answer.startswith(b"HTTP/1.1 403")
        assert b"Come in by the first page of this address." in answer
        assert b"Code of the table" in await ask(port, request("/"))


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/js", "/static/../gate.py", "/static/%2e%2e/gate.py", "//etc/passwd", "/page/screen.html"],
)
async def test_with_the_code_there_are_no_files_but_the_pages_own(path: str) -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        [cookie] = session.cookie_jar
        assert b"404 Not Found" in await ask(port, request(path, f"Cookie: {cookie.key}={cookie.value}"))
        async with session.get(f"{address}static/js/textual.js") as script:
            assert script.status == 200


@pytest.mark.parametrize(
    "headers",
    [
        ["Cookie: kalooki=\udcff\udcfe"],
        ["Cookie: " + "; ".join(f"kalooki-{number}=\u00e9" for number in range(200))],
        ["Cookie: =;=;;\x01"],
        ['Cookie: a="unfinished'],
        ["Cookie: " + "x" * 7000],
        ["Origin: http://[", "Cookie: a=b"],
        ["Content-Length: -1"],
        ["Transfer-Encoding: chunked", "Content-Length: 3"],
        ["Expect: a miracle"],
    ],
    ids=["no text", "many", "nothing", "a quote", "long", "no origin", "less than nothing", "two lengths", "a miracle"],
)
@pytest.mark.parametrize("path", ["/", "/ws", "/?token=%ff%fe", "/?width=&fontsize=%00"])
async def test_odd_requests_are_refused_and_leave_no_trace(
    path: str, headers: list[str], home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gate = TokenGate(TOKEN, True)
    async with open_doors(gate=gate) as (_, _, port):
        answer = await ask(port, request(path, *headers))
        assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.0 400", b"HTTP/1.1 400", b"HTTP/1.1 417"))
        assert b"Traceback" not in answer
    assert not (home / "faults.log").exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"])
async def test_whoever_is_in_can_only_look(method: str) -> None:
    async with open_doors(gate=TokenGate("secret", True)) as (_, _, port):
        answer = await ask(port, request("/?token=secret", method=method))
        assert answer.startswith((b"HTTP/1.1 405", b"HTTP/1.1 403", b"HTTP/1.0 400"))


async def test_the_token_of_the_address_becomes_a_cookie_that_no_script_reads() -> None:
    async with open_doors(gate=TokenGate("secret", True)) as (_, _, port), browser(port) as (session, address):
        async with session.get(address) as refused:
            assert refused.status == 403
            assert "use the whole line" in await refused.text()
        async with session.get(f"{address}?token=secret") as page:
            cookie = page.cookies[f"kalooki-{port}"]
            assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("secret", True, "Strict")
            assert page.headers["Referrer-Policy"] == "same-origin", "with less, browsers send the form as nobody's"
            assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        async with session.get(address) as page:
            assert page.status == 200


async def test_what_a_browser_was_given_is_no_way_in_from_the_address() -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        [cookie] = session.cookie_jar
        assert b"Code of the table" in await ask(port, request(f"/?token={cookie.value}"))


async def test_the_server_names_no_versions() -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        answers = [await ask(port, asked) for asked in (request("/"), request("/nothing"), b"no request\r\n\r\n")]
        assert all(b"Server: kalooki\r\n" in answer for answer in answers)
        async with session.ws_connect(f"{address}ws") as socket:
            assert socket._response.headers["Server"] == "kalooki"


async def test_half_open_requests_do_not_keep_out_whoever_was_let_in() -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        half = [await asyncio.open_connection(HOST, port) for _ in range(190)]
        for _, writer in half:
            writer.write(b"GET / HTTP/1.1\r\nHost: x")
        async with window(session, address) as shown:
            await shown.until("Welcome Ann by browser")
        for _, writer in half:
            writer.close()


async def test_no_other_page_can_open_the_socket() -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await session.ws_connect(f"{address}ws", origin="http://elsewhere.example")
        async with session.post(address, data={"code": CODE}, headers={"Origin": "null"}) as answer:
            assert answer.status == 403


async def test_wrong_codes_are_told_and_after_five_the_address_has_to_wait() -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        for _ in range(5):
            async with session.post(address, data={"code": "XXXX", "name": "Ann & Co"}) as page:
                shown = await page.text()
                assert "That is not the code." in shown
                assert 'value="Ann &amp; Co"' in shown
        async with session.post(address, data={"code": CODE, "name": "Ann"}) as page:
            assert "Five wrong codes came from your address." in await page.text()
        assert not list(session.cookie_jar)


@pytest.mark.parametrize(
    "form",
    [
        b"code=" + b"7" * 5000,
        b"&" * 200,
        b"\xff\xfe=1",
        b"code=%ff%fe&name=%00%1b[2J",
        b"",
        b"code=7QK4" + b"&a=b" * 20,
    ],
    ids=["long", "empty fields", "no text", "signs that cannot be shown", "nothing", "many fields"],
)
async def test_odd_forms_let_nobody_in(form: bytes, home: Path) -> None:
    guests = Guests(CODE)
    async with open_doors(guests) as (_, _, port):
        head = request("/", f"Content-Length: {len(form)}", method="POST")
        answer = await ask(port, head + form)
        assert b"Set-Cookie" not in answer
        assert answer.startswith(b"HTTP/1.1 ")
        assert b"\x1b" not in answer
    assert not (home / "faults.log").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "{}",
        "[]",
        "[1, 2]",
        '["stdin", 5]',
        '["stdin"]',
        '["resize", {"width": "wide", "height": 1e999}]',
        '["resize", {"width": NaN, "height": 24}]',
        '["resize", [80, 24]]',
        '["shell", "ls"]',
        "[" * 30_000,
        f'["resize", {{"width": {"9" * 5000}, "height": 24}}]',
    ],
)
async def test_odd_messages_end_their_screen_and_no_other(
    text: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        async with window(session, address) as shown:
            await shown.until("Welcome Ann")
            await shown.socket.send_str(text)
            await shown.to_the_end()
        await until(lambda: Counting.ended == ["Ann"])
        async with window(session, address) as shown:
            await shown.until("Welcome Ann")
    assert not (home / "faults.log").exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("query", ["?width=999999999&height=999999999", "?width=-5&height=0", "?width=x&height=%ff"])
async def test_a_screen_has_the_size_of_a_screen(query: str) -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        async with window(session, address, query) as shown:
            await shown.until("Welcome Ann")
            [app] = Counting.current
            assert 20 <= app.size.width <= 500
            assert 10 <= app.size.height <= 200
            await shown.socket.send_str('["resize", {"width": 1000000000, "height": -1}]')
            await until(lambda: app.size == (500, 10))
            # A terminal may also tell its size among what is typed.
            await shown.type("\x1b[48;999999;999999;1;1ta")
            await shown.until("Ann: key a of 500x10")


async def test_a_flood_of_keys_ends_its_screen_and_no_other() -> None:
    async with open_doors() as (_, _, port), browser(port) as (calm, address), browser(port) as (wild, _):
        await calm.post(address, data={"code": CODE, "name": "Ann"})
        await wild.post(address, data={"code": CODE, "name": "Bob"})
        async with window(calm, address) as ann, window(wild, address) as bob:
            await ann.until("Welcome Ann")
            await bob.until("Welcome Bob")
            for _ in range(20):
                await bob.type("a" * 10_000)
            await ann.type("a")
            await ann.until("Ann: key a")
            assert ["told", TOO_MUCH] in await bob.to_the_end()


async def test_a_message_larger_than_any_is_the_end_of_its_screen() -> None:
    async with open_doors() as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        async with window(session, address) as shown:
            await shown.until("Welcome Ann")
            await shown.type("a" * 1_000_000)
            await shown.to_the_end()


async def test_those_who_say_nothing_leave_room_and_the_table_plays_on() -> None:
    guests = Guests(CODE)
    async with open_doors(guests) as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        async with window(session, address) as shown:
            await shown.until("Welcome Ann")
            for number in range(2):
                lines = await asyncio.gather(*[asyncio.open_connection(HOST, port) for _ in range(250)])
                began = time.monotonic()
                await shown.type("ab"[number])
                await shown.until(f"Ann: key {'ab'[number]}")
                assert time.monotonic() - began < 5
                assert len([visit for visit in guests.visits if not visit.is_let_in]) <= KNOCKING
                refused = await asyncio.gather(*[reader.read() for reader, _ in lines[:-KNOCKING]])
                assert all(answer.startswith(b"HTTP/1.1 503") and BUSY.encode() in answer for answer in refused)
                for _, writer in lines:
                    writer.close()
                await until(lambda: all(visit.is_let_in for visit in guests.visits))


async def test_a_request_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "FIRST", 0.1)
    guests = Guests(CODE)
    async with open_doors(guests) as (_, _, port):
        assert b"You have asked for nothing." in await ask(port, b"GET / HTTP/1.1\r\nHost: ")
        head = request("/", "Content-Length: 100", method="POST")
        assert b"This took too long." in await ask(port, head + b"code=")
        await until(lambda: not guests.visits)


async def test_there_are_no_more_windows_than_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest_module, "SCREENS", 2)
    gate = TokenGate("secret", True)
    async with open_doors(gate=gate) as (_, _, port), browser(port) as (session, address):
        await session.get(f"{address}?token=secret")
        async with window(session, address) as first, window(session, address) as second:
            await first.until("Welcome")
            await second.until("Welcome")
            async with window(session, address) as third:
                assert await third.to_the_end() == [["told", FULL]]
        await until(lambda: len(Counting.ended) == 2)
        async with window(session, address) as third:
            await third.until("Welcome")


async def test_the_page_answers_what_its_script_asks() -> None:
    links: list[Any] = []

    class Linking(Counting):
        def on_mount(self) -> None:
            self.open_url("https://example.org/rules")
            self.open_url("file:///etc/passwd")

    async with open_doors(open_app=Linking) as (_, _, port), browser(port) as (session, address):
        await session.post(address, data={"code": CODE, "name": "Ann"})
        async with window(session, address) as shown:
            await shown.socket.send_str('["ping", "17"]')
            for text in ('["blur"]', '["focus"]'):
                await shown.socket.send_str(text)
            await shown.until("Welcome Ann")
            await shown.type("q")
            links = await shown.to_the_end()
    assert ["pong", "17"] in links
    assert ["open_url", {"url": "https://example.org/rules", "new_tab": True}] in links
    assert "passwd" not in json.dumps(links)
