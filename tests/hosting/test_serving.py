"""`kalooki serve` as a process of its own: windows with whole games, and how it ends."""

from __future__ import annotations

import asyncio
import datetime
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from kalooki_tui.hosting.gate import TokenGate
from tests.hosting.callers import HOST, SECONDS, Window, browser, open_doors, until, window

START_MATCH: Final = "\x1b[15~"
"""f5"""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((HOST, 0)) as listening:
        found: int = listening.getsockname()[1]
    return found


@asynccontextmanager
async def served(port: int) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The command, and the address that it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kalooki_tui", "serve", "--port", str(port),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        async with asyncio.timeout(SECONDS):
            line = (await process.stdout.readline()).decode()
        yield process, line.split()[4] if line else ""
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def processes() -> dict[int, int]:
    """Every process of this machine, and what started it."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return {int(number): int(parent) for number, parent in map(str.split, listed.splitlines())}


def children(process: asyncio.subprocess.Process) -> set[int]:
    """Processes that it has started."""
    return {number for number, parent in processes().items() if parent == process.pid}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl+c", "SIGTERM"])
async def test_it_ends_within_two_seconds_with_all_it_has_started(number: signal.Signals, home: Path) -> None:
    port = free_port()
    async with served(port) as (process, address), browser(port) as (session, page):
        await session.get(address)
        async with window(session, page) as playing, window(session, page) as reading:
            await playing.until("New match")
            await reading.until("New match")
            await playing.type("n")
            await playing.until("Who plays")
            await playing.type(START_MATCH)
            await playing.until("STOCK")
            await until(lambda: children(process))
            started = children(process)
            began = time.monotonic()
            process.send_signal(number)
            ends = [await one.to_the_end() for one in (playing, reading)]
            assert await process.wait() == 0
            assert time.monotonic() - began < 2.5
        assert ends == [[["told", "The server has been stopped."]]] * 2
        await until(lambda: not started & set(processes()))
        assert process.stderr is not None
        assert await process.stderr.read() == b""
    assert len(list((home / "matches").glob("*.jsonl"))) == 1
    assert not (home / "faults.log").exists()


async def test_a_port_that_is_taken_is_named(home: Path) -> None:
    port = free_port()
    async with served(port) as (_, address), served(port) as (second, nothing):
        assert address.startswith(f"http://{HOST}:{port}/?token=")
        assert nothing == ""
        assert second.stderr is not None
        assert f"'{HOST}', {port}".encode() in await second.stderr.read()
        assert await second.wait() == 2


async def test_with_a_certificate_the_line_is_encrypted(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (tmp_path / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (tmp_path / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    trusting: Any = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    async with open_doors(gate=TokenGate("secret", True), tls=context) as (doors, _, port):
        assert doors.addresses[1].text == f"https://{HOST}:{port}/"
        page = f"https://localhost:{port}/"
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trusting)) as session:
            async with session.get(f"{page}?token=secret") as answer:
                assert answer.cookies[f"kalooki-{port}"]["secure"]
            async with session.ws_connect(f"{page}ws", origin=page.rstrip("/")) as line:
                await Window(line).until("Welcome")
