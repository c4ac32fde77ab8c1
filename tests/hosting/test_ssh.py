import asyncio
import os
import stat
import time
from pathlib import Path

import asyncssh
import pytest

from kalooki_tui.hosting import ssh
from kalooki_tui.hosting.guest import BUSY, KNOCKING, MUST_WAIT, Guests
from kalooki_tui.hosting.guest_screen import TOO_MUCH
from kalooki_tui.hosting.ssh import NO_COMMANDS, NO_TERMINAL, host_key
from kalooki_tui.storage.files import StoreError
from tests.hosting.callers import CODE, HOST, SECONDS, Counting, Terminal, caller, open_doors, until


async def test_a_wrong_code_may_be_corrected_and_after_five_the_address_has_to_wait() -> None:
    async with open_doors() as (_, port, _):
        async with caller(port, "XXXX", CODE) as (connection, typist):
            assert typist.asked == ["", "That is not the code."]
            assert all(is_shown for _, is_shown in typist.prompts)
            await (await Terminal.open(connection)).until("Welcome Bob")
        for codes in (["XXXX"] * 9, [CODE]):
            with pytest.raises(asyncssh.DisconnectError, match=MUST_WAIT):
                async with caller(port, *codes):
                    raise AssertionError("let in")


async def test_a_key_alone_lets_nobody_in_and_one_that_is_only_offered_is_nobodys() -> None:
    bobs, mallorys = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    guests = Guests(CODE)
    async with open_doors(guests) as (_, port, _):
        with pytest.raises(asyncssh.PermissionDenied):
            async with caller(port, keys=[bobs]):
                raise AssertionError("let in")
        assert f"ssh {bobs.get_fingerprint()}" not in guests.known
        async with caller(port, CODE, keys=[bobs]) as (connection, _):
            await (await Terminal.open(connection)).until("Welcome Bob")
        [bob] = [app.guest.token for app in Counting.current]
        forged = asyncssh.load_keypairs([mallorys])[0]
        forged.public_data = bobs.public_data
        async with caller(port, CODE, keys=[forged]) as (connection, typist):
            await (await Terminal.open(connection)).until("Welcome Bob")
            assert typist.asked == [""]
        assert bob in guests.known
        assert [app.guest.token for app in Counting.current] == [bob, ""]


async def test_no_command_is_run_and_no_shell_opened() -> None:
    dumb = "This terminal cannot draw a screen: it calls itself dumb (TERM)."
    cases: tuple[tuple[dict[str, str], str], ...] = (
        ({"command": "ls"}, NO_COMMANDS),
        ({"command": "scp -f x"}, NO_COMMANDS),
        ({}, NO_TERMINAL),
        ({"term_type": "dumb"}, dumb),
        ({"term_type": "dumb", "command": "ls"}, NO_COMMANDS),
    )
    async with open_doors() as (_, port, _):
        for asked, told in cases:
            async with caller(port, CODE) as (connection, _):
                done = await connection.run(**asked, timeout=SECONDS)
            assert (done.exit_status, done.stderr.strip(), done.stdout) == (1, told, ""), asked  # type: ignore[union-attr]
    assert Counting.current == []


async def test_there_are_no_files_no_forwarding_and_no_second_screen(home: Path) -> None:
    async with open_doors() as (_, port, web), caller(port, CODE) as (other, _), caller(port, CODE) as (connection, _):
        with pytest.raises(asyncssh.ChannelOpenError):
            await other.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection(HOST, web)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection(str(home / "socket"))
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.start_server(lambda *_: True, HOST, 0)
        terminal = await Terminal.open(connection)
        await terminal.until("Welcome Bob")
        with pytest.raises(asyncssh.ChannelOpenError):
            await Terminal.open(connection)
        assert not await terminal.process.channel._make_request(b"auth-agent-req@openssh.com")
        cookie = asyncssh.packet.String(b"MIT-MAGIC-COOKIE-1") + asyncssh.packet.String(b"00" * 16)
        request = asyncssh.packet.Boolean(False) + cookie + asyncssh.packet.UInt32(0)
        assert not await terminal.process.channel._make_request(b"x11-req", request)
        terminal.type("a")
        await terminal.until("key a")


async def test_who_never_finishes_the_handshake_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = Guests(CODE)
    async with open_doors(guests) as (doors, port, _):
        reader, writer = await asyncio.open_connection(HOST, port)
        await reader.readline()
        await doors.close("This is all.")
        assert b"This is all." in await reader.read(), "those at the door are told as well"
        writer.close()
    monkeypatch.setattr(ssh, "SIGN_IN", 0.1)
    async with open_doors(guests) as (_, port, _):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"SSH-2.0-half\r\n")
        async with asyncio.timeout(SECONDS):
            assert (await reader.read()).startswith(b"SSH-2.0-kalooki")
        writer.close()
        await until(lambda: not guests.visits)


async def test_those_who_say_nothing_leave_room_and_the_table_plays_on() -> None:
    """200 connections that never speak; whoever sits stays, who was let in comes back, who is too much is told so."""
    guests, key = Guests(CODE), asyncssh.generate_private_key("ssh-ed25519")
    async with open_doors(guests) as (_, port, _):
        async with caller(port, CODE, keys=[key]) as (connection, _):
            await (await Terminal.open(connection)).until("Welcome Bob")
        async with caller(port, CODE, name="Ann") as (connection, _):
            terminal = await Terminal.open(connection)
            await terminal.until("Welcome Ann")
            lines = await asyncio.gather(*[asyncio.open_connection(HOST, port) for _ in range(200)])
            began = time.monotonic()
            terminal.type("a")
            await terminal.until("key a")
            assert time.monotonic() - began < 5
            async with asyncio.timeout(SECONDS):
                answers = await asyncio.gather(*[reader.read() for reader, _ in lines[:-KNOCKING]])
            assert all(answer.startswith(b"SSH-2.0-kalooki") and BUSY.encode() in answer for answer in answers)
            assert len([visit for visit in guests.visits if not visit.is_let_in]) <= KNOCKING
            async with caller(port, keys=[key]) as (again, typist):
                await (await Terminal.open(again)).until("Welcome Bob")
                assert typist.asked == []
            for _, writer in lines:
                writer.close()
            await until(lambda: len(guests.visits) == 1)
            terminal.type("b")
            await terminal.until("key b")


NOISE = b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n" + bytes(5000), os.urandom(3000), b"\n" * 10_000, b"SSH-1.5-old\r\n"


async def test_noise_ends_its_own_connection_and_nothing_else(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    guests = Guests(CODE)
    async with open_doors(guests) as (_, port, _):
        for sent in NOISE:
            reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(sent)
            writer.write_eof()
            async with asyncio.timeout(SECONDS):
                while await reader.read(65536):
                    pass
            writer.close()
            await until(lambda: not guests.visits, lambda sent=sent: repr(sent[:40]))  # type: ignore[misc]
        async with caller(port, CODE) as (connection, _):
            await (await Terminal.open(connection)).until("Welcome Bob")
    assert capfd.readouterr() == ("", "")
    assert not (home / "faults.log").exists()


async def test_a_flood_of_keys_ends_its_screen_and_no_other() -> None:
    async with open_doors() as (_, port, _), caller(port, CODE, name="Ann") as (ann, _), caller(port, CODE) as (bob, _):
        calm, wild = await Terminal.open(ann), await Terminal.open(bob)
        await calm.until("Welcome Ann")
        await wild.until("Welcome Bob")
        wild.type("a" * 200_000)
        calm.type("a")
        await calm.until("Ann: key a")
        assert TOO_MUCH in await wild.to_the_end()


async def test_who_is_lost_without_a_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "ALIVE", 0.05)
    async with open_doors() as (_, port, _), caller(port, CODE) as (connection, _):
        await (await Terminal.open(connection)).until("Welcome Bob")
        # A client that stands still: nothing that comes is read.
        connection._transport.pause_reading()  # type: ignore[union-attr]
        await until(lambda: Counting.ended == ["Bob"])


def test_the_key_of_the_host_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "host_key"
    made = host_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert host_key(path).public_data == made.public_data
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["host_key"]
    for name in (f".host_key.{os.getpid()}", ".host_key.abc"):  # as a crash has left it
        (tmp_path / name).write_bytes(b"half a key")
    made = host_key(tmp_path / "host_key")
    assert host_key(tmp_path / "host_key").public_data == made.public_data


def test_of_two_programs_that_make_the_key_both_use_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "host_key"
    other = asyncssh.generate_private_key("ssh-ed25519")
    link = os.link

    def overtaken(own: Path, there: Path) -> None:
        path.write_bytes(other.export_private_key())
        link(own, there)

    monkeypatch.setattr(os, "link", overtaken)
    assert host_key(path).public_data == other.public_data
    assert [file.name for file in tmp_path.iterdir()] == ["host_key"]


def test_where_the_disk_knows_no_links_the_key_is_kept_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(own: Path, there: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    made = host_key(tmp_path / "host_key")
    assert host_key(tmp_path / "host_key").public_data == made.public_data
    assert [file.name for file in tmp_path.iterdir()] == ["host_key"]


def test_a_damaged_key_is_named_and_not_replaced_and_where_none_can_be_kept_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "host_key"
    for content in (b"", b"not a key", b"\xff" * 20_000):
        path.write_bytes(content)
        with pytest.raises(StoreError, match="host_key cannot be used: it holds no key"):
            host_key(path)
        assert path.read_bytes() == content
    path.unlink()
    path.mkdir()
    (tmp_path / "home").write_text("a file where the folder belongs")
    for path in (tmp_path / "host_key", tmp_path / "home" / "host_key"):
        with pytest.raises(StoreError, match=str(path)):
            host_key(path)
