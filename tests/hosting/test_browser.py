import asyncio
import time
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from kalooki_tui.hosting import browser as door
from kalooki_tui.hosting import guest as guest_module
from kalooki_tui.hosting.guest import BUSY, FULL, KNOCKING, Guests
from kalooki_tui.storage.files import StoreError
from tests.hosting.callers import CODE, HOST, SECONDS, Counting, browser, open_doors, pocket, until


async def ask(port: int, sent: bytes) -> bytes:
    """What is answered to these bytes, until the connection is closed."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(sent)
    async with asyncio.timeout(SECONDS):
        answer = await reader.read()
    writer.close()
    return answer


def request(path: str = "/", *headers: str, method: str = "GET", host: str = "") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or HOST}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")


async def test_without_the_code_there_is_nothing_but_the_form_and_with_it_no_files_but_the_pages_own() -> None:
    async with open_doors() as (_, _, port):
        for path in ("/hand/ws", "/hand/hand.js", "/hand/hand.css", "/page", "/../../etc/passwd"):
            answer = await ask(port, request(path))
            assert answer.startswith(b"HTTP/1.1 403"), path
            assert b"Come in by the first page of this address." in answer
        for entry in ("/", "/hand"):
            assert b"Code of the table" in await ask(port, request(entry))
        for path in door.PUBLIC:
            assert (await ask(port, request(path))).startswith(b"HTTP/1.1 200")
        async with pocket(port) as phone:
            [cookie] = phone.session.cookie_jar
            own = f"Cookie: {cookie.key}={cookie.value}"
            for path in (
                "/hand/", "/hand/../gate.py", "/hand/%2e%2e/gate.py", "//etc/passwd", "/hand/hand.html",
                "/hand/come.html", "/ws",
            ):  # fmt: skip
                assert b"404 Not Found" in await ask(port, request(path, own)), path
            async with phone.session.get(f"{phone.address}hand/hand.js") as script:
                assert script.status == 200
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"):
                answer = await ask(port, request("/", own, method=method))
                assert answer.startswith((b"HTTP/1.1 405", b"HTTP/1.1 403", b"HTTP/1.0 400")), method
            assert b"This address is for the page's own socket." in await ask(port, request("/hand/ws", own))
            # What a browser was given is no way in from the address.
            assert b"Code of the table" in await ask(port, request(f"/?{cookie.key}={cookie.value}"))


HEADERS = (
    ["Cookie: kalooki=\udcff\udcfe"],
    ["Cookie: " + "; ".join(f"kalooki-{number}=\u00e9" for number in range(200))],
    ["Cookie: =;=;;\x01"],
    ['Cookie: a="unfinished'],
    ["Cookie: " + "x" * 7000],
    ["Origin: http://[", "Cookie: a=b"],
    ["Content-Length: -1"],
    ["Transfer-Encoding: chunked", "Content-Length: 3"],
    ["Expect: a miracle"],
)
FORMS = (
    b"code=" + b"7" * 5000, b"&" * 200, b"\xff\xfe=1", b"code=%ff%fe&name=%00%1b[2J", b"", b"code=7QK4" + b"&a=b" * 20,
)  # fmt: skip


async def test_odd_requests_and_forms_let_nobody_in_and_leave_no_trace(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    refused = (b"HTTP/1.1 403", b"HTTP/1.0 400", b"HTTP/1.1 400", b"HTTP/1.1 417")
    async with open_doors() as (_, _, port):
        for path, headers in product(("/", "/hand/ws", "/hand/hand.js?%ff%fe=%00"), HEADERS):
            answer = await ask(port, request(path, *headers))
            assert answer.startswith(refused) or (path == "/" and b"Code of the table" in answer), (path, headers)
            assert b"Traceback" not in answer
        for form in FORMS:
            answer = await ask(port, request("/", f"Content-Length: {len(form)}", method="POST") + form)
            assert b"Set-Cookie" not in answer, form
            assert answer.startswith(b"HTTP/1.1 ")
            assert b"\x1b" not in answer
    assert not (home / "faults.log").exists()
    assert capfd.readouterr() == ("", "")


async def test_the_code_becomes_a_cookie_that_no_script_reads_at_either_address_and_no_version_is_named() -> None:
    async with open_doors() as (_, _, port), browser(port) as other, browser(port) as phone:
        form = {"code": CODE, "name": "Ann"}
        async with other.session.post(f"{phone.address}hand", data=form) as page:
            assert str(page.url) == f"{phone.address}hand?name=Ann"
            assert 'id="game"' in await page.text()
        async with phone.session.post(phone.address, data=form, allow_redirects=False) as page:
            cookie = page.cookies[f"kalooki-{port}"]
            assert (len(cookie.value) >= 30, cookie["httponly"], cookie["samesite"]) == (True, True, "Strict")
            assert page.headers["Referrer-Policy"] == "same-origin", "with less, browsers send the form as nobody's"
            assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        async with phone.session.get(phone.address) as page:
            assert (page.status, page.headers["Cache-Control"]) == (200, "no-store")
            assert 'id="game"' in await page.text()
        answers = [await ask(port, asked) for asked in (request("/"), request("/nothing"), b"no request\r\n\r\n")]
        assert all(b"Server: kalooki\r\n" in answer for answer in answers)
        async with phone.session.ws_connect(f"{phone.address}hand/ws") as socket:
            assert socket._response.headers["Server"] == "kalooki"


async def test_no_other_page_can_open_the_socket() -> None:
    async with open_doors() as (_, _, port), pocket(port) as phone:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await phone.session.ws_connect(f"{phone.address}hand/ws", origin="http://elsewhere.example")
        async with phone.session.post(phone.address, data={"code": CODE}, headers={"Origin": "null"}) as answer:
            assert answer.status == 403


async def test_wrong_codes_are_told_and_after_five_the_address_has_to_wait() -> None:
    async with open_doors() as (_, _, port), browser(port) as phone:
        for _ in range(5):
            async with phone.session.post(phone.address, data={"code": "XXXX", "name": "Ann & Co"}) as page:
                shown = await page.text()
                assert "That is not the code." in shown
                assert 'value="Ann &amp; Co"' in shown
        async with phone.session.post(phone.address, data={"code": CODE, "name": "Ann"}) as page:
            assert "Five wrong codes came from your address." in await page.text()
        assert not list(phone.session.cookie_jar)


async def test_a_link_brings_the_code_and_offers_the_names_that_are_expected() -> None:
    guests = Guests(CODE)
    guests.expected = lambda: ["Ann", "<Bob>"]
    async with open_doors(guests) as (_, _, port), browser(port) as phone:

        async def form(query: str) -> str:
            async with phone.session.get(f"{phone.address}?{query}") as page:
                return await page.text()

        shown = await form(f"code={CODE.lower()}&name=%22Ann")
        for part in (f'value="{CODE.lower()}"', 'value="&quot;Ann"', ">I am Ann</button>", 'value="&lt;Bob&gt;"'):
            assert part in shown
        assert 'class="-known"' in shown
        for query in ("name=Ann", "code=XXXX"):
            shown = await form(query)
            assert ("That is not the code." in shown, "I am" in shown, 'class="-known"' in shown) == (
                "code" in query, False, False
            )  # fmt: skip
        for _ in range(4):
            await form("code=XXXX")
        assert "Five wrong codes" in await form(f"code={CODE}"), "a link is a try like any other"


@pytest.mark.parametrize("is_named", [True, False])
async def test_what_a_proxy_says_of_who_asks_counts_only_if_it_is_named(is_named: bool) -> None:
    public = {"public_url": "https://table.example/", "proxies": (HOST,) if is_named else ()}
    async with open_doors(**public) as (doors, _, port), browser(port) as phone:
        assert [one.text for one in doors.addresses][1:] == ["https://table.example/", f"http://{HOST}:{port}/"]

        async def told(code: str, *senders: str) -> tuple[str, bool]:
            headers = {"X-Forwarded-For": ", ".join(senders), "X-Forwarded-Proto": "https", "Host": "table.example"}
            form = {"code": code, "name": "Ann"}
            async with phone.session.post(phone.address, data=form, headers=headers, allow_redirects=False) as page:
                cookie = page.cookies.get(f"kalooki-{port}")
                return await page.text(), cookie is not None and bool(cookie["secure"])

        for number in range(5):
            await told("XXXX", f"10.0.0.{number}", "9.9.9.7")
        assert ("in an hour" in (await told(CODE, "9.9.9.7"))[0]) is is_named
        assert (await told(CODE, "9.9.9.7", "9.9.9.8"))[1] is is_named


async def test_a_certificate_encrypts_the_page(tmp_path: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "table")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    tls = (str(tmp_path / "cert.pem"), str(tmp_path / "key.pem"))
    Path(tls[0]).write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    Path(tls[1]).write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    async with open_doors(tls=tls) as (doors, _, port), browser(port) as phone:
        address = f"https://{HOST}:{port}/"
        assert doors.addresses[1].text == address
        form = {"code": CODE, "name": "Ann"}
        async with phone.session.post(address, data=form, ssl=False, allow_redirects=False) as page:
            assert page.cookies[f"kalooki-{port}"]["secure"]
    with pytest.raises(StoreError, match=r"cert.pem are no certificate and its key"):
        async with open_doors(tls=(tls[1], tls[0])):
            pass


async def test_those_who_say_nothing_leave_room_and_the_table_plays_on() -> None:
    guests = Guests(CODE)
    async with open_doors(guests) as (_, _, port), pocket(port) as phone, phone.page() as shown:
        await shown.hears(welcome="Ann")
        lines = await asyncio.gather(*[asyncio.open_connection(HOST, port) for _ in range(200)])
        began = time.monotonic()
        await shown.socket.send_str("a")
        await shown.hears(said="a")
        assert time.monotonic() - began < 5
        assert len([visit for visit in guests.visits if not visit.is_let_in]) <= KNOCKING
        refused = await asyncio.gather(*[reader.read() for reader, _ in lines[:-KNOCKING]])
        assert all(answer.startswith(b"HTTP/1.1 503") and BUSY.encode() in answer for answer in refused)
        for _, writer in lines[-KNOCKING:]:
            writer.write(b"GET / HTTP/1.1\r\nHost: x")
        async with phone.page() as again:  # half-open requests do not keep out who was let in
            await again.hears(welcome="Ann")
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


async def test_there_are_no_more_pages_than_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest_module, "SCREENS", 2)
    async with open_doors() as (_, _, port), pocket(port) as one, pocket(port) as two, pocket(port) as third:
        async with one.page() as first, two.page() as second:
            await first.hears(welcome="Ann")
            await second.hears(welcome="Ann")
            async with third.page() as late:
                await late.until(lambda: late.is_over)
                assert late.heard == [{"ended": FULL}]
        await until(lambda: len(Counting.ended) == 2)
        async with third.page() as late:
            await late.hears(welcome="Ann")
