import socket

from kalooki_tui.hosting.doors import BrowserAccess, page_at
from kalooki_tui.hosting.guest import Guest, Guests
from tests.moments import there


def test_only_a_page_of_the_name_under_which_it_was_opened_is_answered() -> None:
    here = "127.0.0.1:8000"
    for host, origin, open_to in (
        (here, None, True), (here, f"http://{here}", True), ("[::1]:8000", "http://[::1]:8000", True),
        ("game.example", "http://game.example", True), ("game.example", "https://game.example", True),
        ("game.example", "http://other.example", False), (here, "http://elsewhere.example", False),
        (here, "null", False), (here, "http://[", False), ("", "null", False), ("[", None, False),
    ):  # fmt: skip
        assert (BrowserAccess(Guests(), ("game.example",)).why_not(host, origin) == "") is open_to, (host, origin)


def test_a_name_that_was_made_to_lead_to_the_table_opens_no_page() -> None:
    name = socket.gethostname()
    for host, own in (
        ("192.168.1.20:8000", True), ("[fe80::1]:8000", True), ("localhost:8000", True), (f"{name}:8000", True),
        (f"{name.partition('.')[0]}.local", True), ("Tunnel.example", True), ("elsewhere.example:8000", False),
        ("192.168.1.20.elsewhere.example", False), ("", False),
    ):  # fmt: skip
        why = BrowserAccess(Guests(), ("tunnel.example",)).why_not(host, f"http://{host}")
        assert (why == "") is own, host
        assert own or "open it by its number" in why


def test_whoever_gives_the_code_is_known_by_a_secret_from_then_on() -> None:
    gate = BrowserAccess(Guests("7QK4"))
    assert gate.let_in("127.0.0.1", "7QK5", "Ann") == ("", "That is not the code.")
    given, why = gate.let_in("127.0.0.1", "7qk4", " Ann\x1b ")
    assert why == ""
    assert len(given) >= 30
    assert gate.guest(given) == Guest("", f"browser {given}")
    assert gate.guest(given[:-1]) is None
    other, _ = gate.let_in("127.0.0.1", "7qk4", "Ann")
    guest = there(gate.guest(other))
    assert (guest.name, other != given) == ("Ann", True)
    assert page_at("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert page_at("fe80::1", 80) == "http://[fe80::1]:80/"
