"""Which requests of browsers are answered at all: from where, and with what."""

from __future__ import annotations

import socket

import pytest

from kalooki_tui.hosting.gate import CodeGate, TokenGate, address_of, is_local
from kalooki_tui.hosting.guest import Guest, Guests


@pytest.mark.parametrize(
    ("host", "origin", "open_to"),
    [
        ("localhost:8000", None, True),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("127.0.0.1:8000", "http://elsewhere.example", False),
        ("127.0.0.1:8000", "null", False),
        ("127.0.0.1:8000", "http://[", False),
        ("elsewhere.example:8000", "http://elsewhere.example:8000", False),
        ("", None, False),
        ("[", None, False),
    ],
)
def test_on_this_machine_only_its_own_page_is_served(host: str, origin: str | None, open_to: bool) -> None:
    assert (TokenGate("secret", True).why_not(host, origin) == "") is open_to


@pytest.mark.parametrize(
    ("host", "origin", "open_to"),
    [
        ("game.example", None, True),
        ("game.example", "http://game.example", True),
        ("game.example", "https://game.example", True),
        ("game.example", "http://other.example", False),
        ("", "null", False),
    ],
)
def test_elsewhere_the_page_has_the_name_under_which_it_was_opened(
    host: str, origin: str | None, open_to: bool
) -> None:
    assert (TokenGate("secret", False).why_not(host, origin) == "") is open_to
    assert (CodeGate(Guests(), ("game.example",)).why_not(host, origin) == "") is open_to


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("192.168.1.20:8000", True),
        ("[fe80::1]:8000", True),
        ("localhost:8000", True),
        (f"{socket.gethostname()}:8000", True),
        (f"{socket.gethostname().partition('.')[0]}.local", True),
        ("Tunnel.example", True),
        ("elsewhere.example:8000", False),
        ("192.168.1.20.elsewhere.example", False),
        ("", False),
    ],
)
def test_a_name_that_was_made_to_lead_to_the_table_opens_no_page(host: str, own: bool) -> None:
    why = CodeGate(Guests(), ("tunnel.example",)).why_not(host, f"http://{host}")
    assert (why == "") is own
    assert own or "open it by its number" in why


@pytest.mark.parametrize("given", ["", "secre", "secret\u00e9", "\udcff"])
def test_whoever_has_the_token_comes_in_and_nobody_else(given: str) -> None:
    gate = TokenGate("secret", True)
    assert gate.guest(given) is None
    assert gate.guest("secret") == Guest("", "browser")
    assert gate.let_in("127.0.0.1", "secret", "Ann") == ("", gate.refusal)


def test_whoever_gives_the_code_is_known_by_a_secret_from_then_on() -> None:
    gate = CodeGate(Guests("7QK4"))
    assert gate.let_in("127.0.0.1", "7QK5", "Ann") == ("", "That is not the code.")
    given, why = gate.let_in("127.0.0.1", "7qk4", " Ann\x1b ")
    assert why == ""
    assert len(given) >= 30
    assert gate.guest(given) == Guest("", "browser", f"browser {given}")
    assert gate.guest(given[:-1]) is None
    other, _ = gate.let_in("127.0.0.1", "7qk4", "Ann")
    guest = gate.guest(other)
    assert guest is not None
    assert (guest.name, other != given) == ("Ann", True)


@pytest.mark.parametrize(
    ("host", "local"),
    [("localhost", True), ("127.0.0.1", True), ("::1", True), ("0.0.0.0", False), ("::", False), ("box.lan", False)],
)
def test_which_addresses_are_this_machines_own(host: str, local: bool) -> None:
    assert is_local(host) is local


def test_addresses_as_they_are_typed() -> None:
    assert address_of("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert address_of("::", 80, "abc") == "http://[::]:80/?token=abc"
    assert address_of("box.lan", 8443, "abc", is_encrypted=True) == "https://box.lan:8443/?token=abc"
