"""Door for `ssh`: the code, or a key let in before, and then a screen. The host's key is made once and kept."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import asyncssh

from kalooki_tui.hosting.guest import BACKLOG, Guest, Guests, TurnedAway, name_of
from kalooki_tui.hosting.guest_screen import Screen, Show
from kalooki_tui.problems import open_to_read, reason
from kalooki_tui.storage.files import StoreError, whole_file
from kalooki_tui.storage.paths import data_folder
from kalooki_tui.tui.looks.palettes import why_not_drawn

SIGN_IN: Final = 120
"""Seconds to be let in: people may be reading about a key they see for the first time."""
ALIVE: Final = 3
"""Seconds of silence after which a client is pinged, three times."""
HEARD: Final = 1.0
"""Seconds that a refused connection has to hear why."""
WINDOW: Final = 65_536
"""Bytes a client may send before they are read."""

NO_TERMINAL: Final = "This is a card table: it needs a terminal. Come with `ssh -t`, and without a command."
NO_COMMANDS: Final = "This is a card table: it runs no commands. Come with `ssh NAME@HOST` alone."


class Callers:
    def __init__(self, guests: Guests, show: Show) -> None:
        self._guests = guests
        self._show = show
        self._listening: list[asyncssh.SSHAcceptor] = []
        self.port = 0
        # What strangers send is nobody's business: nothing of it is written to the host's terminal.
        logger = logging.getLogger("asyncssh")
        logger.addHandler(logging.NullHandler())
        logger.propagate = False

    async def listen(self, addresses: Sequence[str], port: int) -> None:
        """Listen on these addresses; raise OSError if the port is taken, StoreError without a host key."""
        key = await asyncio.to_thread(host_key, data_folder() / KEY_NAME)
        self.port = port
        for address in addresses:
            listening = await asyncssh.listen(
                address, self.port, backlog=BACKLOG, server_factory=lambda: Caller(self._guests, self._show),
                server_host_keys=[key], server_version="kalooki", encoding=None, line_editor=False,
                compression_algs=["none"], login_timeout=SIGN_IN, keepalive_interval=ALIVE, keepalive_count_max=3,
                window=WINDOW, agent_forwarding=False, x11_forwarding=False, allow_scp=False, gss_host=None,
                password_auth=False,
            )  # fmt: skip
            self._listening.append(listening)
            self.port = self.port or listening.get_port()

    def listen_no_more(self) -> None:
        for listening in self._listening:
            listening.close()


class Caller(asyncssh.SSHServer):
    def __init__(self, guests: Guests, show: Show) -> None:
        self._guests = guests
        self._show = show
        self._proven = ""
        self._session: GuestSession | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._address = str((conn.get_extra_info("peername") or ("",))[0])
        self._visit = self._guests.arrive(self._address, self._send_away)

    def connection_lost(self, exc: Exception | None) -> None:
        self._visit.leave()

    def _send_away(self, sentence: str) -> None:
        self._connection.disconnect(asyncssh.DISC_BY_APPLICATION, sentence)

    def begin_auth(self, username: str) -> bool:
        self._name = name_of(username)
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept the signature of a known key; note who a stranger is by the first key."""
        token = f"ssh {key.get_fingerprint()}"
        is_known = token in self._guests.known
        if self._proven and not is_known:
            return False
        # Anybody can offer anybody's key: it is who they are only once a signature has been found right. That alone
        # lets nobody in who has not given the code before.
        verify = key.verify

        def note(data: bytes, signature: bytes) -> bool:
            is_theirs = verify(data, signature)
            if is_theirs:
                self._proven = token
            return is_theirs and is_known

        vars(key)["verify"] = note
        return True

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        return self._ask("")

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> Any:
        why = self._guests.try_code(self._address, responses[0] if responses else "")
        return True if not why else self._ask(why)

    def _ask(self, sentence: str) -> Any:
        if why := self._guests.must_wait(self._address):
            self._send_away(why)
            return False
        return ("Kalooki", sentence, "", [("Code of the table: ", True)])

    def auth_completed(self) -> None:
        try:
            self._visit.let_in()
        except TurnedAway as away:
            self._send_away(str(away))
        if self._proven:
            self._guests.remember(self._proven)

    def session_requested(self) -> Any:
        if self._session is not None:
            return False
        self._session = GuestSession(Guest(self._name, self._proven), self._show, self._connection)
        return self._session


class GuestSession(asyncssh.SSHServerSession[bytes]):
    def __init__(self, guest: Guest, show: Show, connection: asyncssh.SSHServerConnection) -> None:
        self._guest = guest
        self._show = show
        self._connection = connection
        self._screen: Screen | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._closed = asyncio.Event()

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._writable.set()
        if self._screen is not None:
            self._screen.lost()

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Any) -> bool:
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        return True

    def session_started(self) -> None:
        channel, term = self._channel, self._channel.get_terminal_type()
        why = NO_COMMANDS if channel.get_command() is not None else NO_TERMINAL if term is None else ""
        if refusal := why or why_not_drawn({"TERM": term or ""}):
            channel.write_stderr(f"{refusal}\r\n".encode())
            channel.exit(1)
            asyncio.get_running_loop().call_later(HEARD, self._connection.close)
            return
        colours = str(channel.get_environment().get("COLORTERM", ""))
        self._screen = Screen(self, channel.get_terminal_size()[:2], term or "", colours)
        self._showing = asyncio.create_task(self._show(self._guest, self._screen))

    def data_received(self, data: bytes, datatype: Any) -> None:
        if self._screen is not None:
            self._screen.feed(data)

    def eof_received(self) -> bool:
        if self._screen is not None:
            self._screen.end("")
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._screen is not None:
            self._screen.resize(width, height)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # The line of the screen

    async def send(self, data: bytes) -> None:
        """Send data and wait until there may be more; raise OSError if the line is broken."""
        self._channel.write(data)
        await self._writable.wait()

    async def close(self, sentence: str) -> None:
        if sentence:
            self._channel.write(f"{sentence}\r\n".encode("utf-8", "replace"))
        self._channel.exit(0)
        await self._closed.wait()

    def abort(self) -> None:
        with suppress(OSError):
            self._connection.close()


KEY_NAME: Final = "host_key"
LARGEST: Final = 10_000
"""Bytes read of it."""


def host_key(path: Path) -> asyncssh.SSHKey:
    """Load the host key, made when first needed; raise StoreError if it cannot be used or kept."""
    try:
        with open_to_read(path) as stream:
            if os.fstat(stream.fileno()).st_mode & 0o077:
                os.fchmod(stream.fileno(), 0o600)
            return asyncssh.import_private_key(stream.read(LARGEST))
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else "it holds no key that this program has written"
        raise StoreError(f"{path} cannot be used: {why}") from error
    key = asyncssh.generate_private_key("ssh-ed25519", comment="kalooki")
    try:
        # Never over one that another program has just made.
        with whole_file(path, new=True, private=True) as stream:
            stream.write(key.export_private_key())
    except FileExistsError:
        return host_key(path)
    except OSError as error:
        raise StoreError(f"The key of this host cannot be kept in {path}: {reason(error)}") from error
    return key
