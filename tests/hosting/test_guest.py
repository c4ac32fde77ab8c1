import random
import socket

import pytest

from kalooki_tui.hosting import guest
from kalooki_tui.hosting.doors import BrowserAccess, page_at
from kalooki_tui.hosting.guest import (
    BUSY,
    FULL,
    SCREENS,
    WRONG_CODE,
    Guest,
    Guests,
    TurnedAway,
    name_of,
)  # fmt: skip
from tests.moments import there

HERE, THERE = "192.168.1.30", "192.168.1.31"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as a list of one."""
    return [1000.0]


@pytest.fixture
def guests(clock: list[float]) -> Guests:
    return Guests("7QK4", clock=lambda: clock[0])


def knock(guests: Guests, address: str = HERE) -> tuple[guest.Visit, list[str]]:
    """A connection, and what it is told when it ends."""
    told: list[str] = []
    return guests.arrive(address, told.append), told


def test_a_code_has_six_of_28_signs_none_of_which_looks_like_another() -> None:
    assert len(set(guest.LETTERS)) == 28
    assert not set(guest.LETTERS) & set("0O1ILSZU")
    codes = {Guests().code for _ in range(50)}
    assert len(codes) > 40
    assert all(len(code) == 6 and set(code) <= set(guest.LETTERS) for code in codes)


def test_a_code_may_be_typed_in_small_letters_and_with_spaces_and_nothing_else_is_the_code() -> None:
    for given in ("7QK4", "7qk4", " 7q k4\n"):
        assert Guests("7QK4").try_code(HERE, given) == ""
    for given in ("", "7QK", "7QK44", "\ud800", "７ＱＫ４", "7QK4\0"):
        assert Guests("7QK4").try_code(HERE, given) == WRONG_CODE, given


def test_five_wrong_codes_make_an_address_wait_a_minute_and_no_other(guests: Guests, clock: list[float]) -> None:
    for _ in range(5):
        assert guests.try_code(HERE, "XXXX") == WRONG_CODE
    assert guests.try_code(f"::ffff:{HERE}", "7QK4") == guests.must_wait(HERE) == guest.MUST_WAIT
    assert guests.try_code(THERE, "7QK4") == ""
    for _ in range(5):
        guests.try_code("9.9.9.9", "XXXX")
    clock[0] += 61
    assert guests.must_wait("9.9.9.9") == guest.MUST_WAIT_OUTSIDE
    assert not guests.must_wait(HERE)
    assert guests.try_code(HERE, "7QK4") == ""


def test_a_household_has_a_whole_64_of_ipv6() -> None:
    for one, other, same in (
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ):
        guests = Guests("7QK4")
        for _ in range(5):
            guests.try_code(one, "XXXX")
        assert bool(guests.must_wait(other)) is same, one


@pytest.mark.parametrize("addresses", ["{a}.{b}.{c}.{d}", "2001:db8:{a}:{b}{c}::{d}"], ids=["IPv4", "IPv6"])
def test_a_code_is_not_guessed_from_many_addresses(guests: Guests, clock: list[float], addresses: str) -> None:
    dice, looked_at, minutes = random.Random(1), 0, 10
    guests.remember("bob")
    for _ in range(minutes * 60):
        clock[0] += 1
        for _ in range(10):
            a, b, c, d = (dice.randrange(1, 255) for _ in range(4))
            looked_at += guests.try_code(addresses.format(a=a, b=b, c=c, d=d), "XXXX") == WRONG_CODE
    assert looked_at <= (minutes + 1) * guest.WRONG_IN_ALL
    # At this rate the odds that a code is found in a year of evenings are one to some hundreds.
    assert len(guest.LETTERS) ** guest.LENGTH / (60 * looked_at / minutes) / 4 / 365 > 150
    assert len(guests._places) < 60 * guest.WRONG_IN_ALL, "an hour of wrong codes"
    assert (guests.code, "bob" in guests.known, bool(guests.must_wait(HERE))) == ("7QK4", True, True)
    clock[0] += 60
    assert guests.try_code(HERE, "7QK4") == ""


def test_whoever_has_a_seat_is_never_forgotten(guests: Guests) -> None:
    guests.has_seat = lambda token: token == "ann"
    for token in ("ann", *(f"token {number}" for number in range(2000))):
        guests.remember(token)
    assert {"ann", "token 1999"} <= guests.known.keys()
    assert len(guests.known) == guest.REMEMBERED, "what is remembered of strangers does not grow"


def test_32_may_be_here(guests: Guests) -> None:
    visits = [knock(guests)[0] for _ in range(SCREENS)]
    for visit in visits:
        visit.let_in()
    with pytest.raises(TurnedAway, match=FULL):
        guests.arrive(HERE, print, is_known=True)
    visits[0].leave()
    visits[0].leave()
    assert guests.arrive(HERE, print, is_known=True) in guests.visits


def test_one_address_cannot_keep_the_code_from_others(guests: Guests) -> None:
    _, unheard = knock(guests, THERE)
    crowd = [knock(guests, HERE)[1] for _ in range(2 * guest.KNOCKING)]
    assert (crowd[0], crowd[-1], unheard) == ([BUSY], [], [])


@pytest.mark.parametrize("is_one", [True, False], ids=["from one address", "from everywhere"])
def test_however_many_knock_whoever_was_let_in_before_comes_in(guests: Guests, is_one: bool) -> None:
    told = [knock(guests, HERE if is_one else f"10.0.0.{number}")[1] for number in range(190)]
    assert sum(map(bool, told)) == 190 - guest.KNOCKING
    assert not any(told[-guest.KNOCKING :])
    newcomer, unheard = knock(guests, THERE)
    newcomer.let_in()
    assert (guests.arrive(THERE, print, is_known=True).is_let_in, unheard) == (True, [])


def test_a_name_is_one_that_a_seat_can_have_or_none() -> None:
    names = {"Bob": "Bob", "  Bob   Marley ": "Bob Marley"}
    none = ("you", "", "a:b", "B" * 41, "\x1b[2JBob", "Bob\ud800", "\u202eboB")
    assert {given: name_of(given) for given in (*names, *none)} == names | dict.fromkeys(none, "")


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
