"""Who may come: the code, wrong guesses, how many at once, and names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kalooki_tui.hosting import guest
from kalooki_tui.hosting.guest import BUSY, FULL, SCREENS, WAITING, WRONG_CODE, Guests, TurnedAway, name_of

HERE, THERE = "192.168.1.30", "192.168.1.31"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as a list of one."""
    return [1000.0]


@pytest.fixture
def guests(clock: list[float]) -> Guests:
    """A table whose code is 7QK4."""
    return Guests("7QK4", clock=lambda: clock[0])


def knock(guests: Guests, address: str = HERE) -> tuple[guest.Visit, list[str]]:
    """A connection, and what it is told when it ends."""
    told: list[str] = []
    return guests.arrive(address, told.append), told


def test_a_code_has_four_of_28_signs_none_of_which_looks_like_another() -> None:
    assert len(set(guest.LETTERS)) == 28
    assert not set(guest.LETTERS) & set("0O1ILSZU")
    codes = {Guests().code for _ in range(50)}
    assert len(codes) > 40
    assert all(len(code) == 4 and set(code) <= set(guest.LETTERS) for code in codes)


@pytest.mark.parametrize("given", ["7QK4", "7qk4", " 7q k4\n"])
def test_a_code_may_be_typed_in_small_letters_and_with_spaces(guests: Guests, given: str) -> None:
    assert guests.try_code(HERE, given) == ""


@pytest.mark.parametrize("given", ["", "7QK", "7QK44", "\ud800", "７ＱＫ４", "7QK4\0"])
def test_nothing_else_is_the_code(guests: Guests, given: str) -> None:
    assert guests.try_code(HERE, given) == WRONG_CODE


def test_five_wrong_codes_make_an_address_wait_a_minute_and_no_other(guests: Guests, clock: list[float]) -> None:
    for _ in range(5):
        assert guests.try_code(HERE, "XXXX") == WRONG_CODE
    assert "Five wrong codes" in guests.try_code(f"::ffff:{HERE}", "7QK4")
    assert guests.must_wait(HERE)
    assert guests.try_code(THERE, "7QK4") == ""
    clock[0] += 61
    assert not guests.must_wait(HERE)
    assert guests.try_code(HERE, "7QK4") == ""


def test_the_tenth_wrong_code_makes_a_new_one_and_says_so(guests: Guests) -> None:
    told: list[str] = []
    guests.on_new_code = lambda: told.append(guests.code)
    guests.remember("bob")
    for number in range(10):
        assert guests.code == "7QK4"
        guests.try_code(f"10.0.0.{number}", "XXXX")
    assert told == [guests.code]
    assert guests.code != "7QK4"
    assert guests.knows("bob")


def test_what_is_remembered_of_strangers_does_not_grow(guests: Guests) -> None:
    for number in range(2000):
        guests.remember(f"token {number}")
        guests.try_code(f"10.0.{number // 250}.{number % 250}", "XXXX")
    assert len(guests._known) == len(guests._wrong) == guest.REMEMBERED
    assert guests.knows("token 1999")


def test_eight_may_wait_at_the_door_and_32_be_here(guests: Guests) -> None:
    for _ in range(SCREENS // WAITING):
        visits = [knock(guests)[0] for _ in range(WAITING)]
        if len(guests.visits) < SCREENS:
            with pytest.raises(TurnedAway, match=BUSY):
                knock(guests)
        for visit in visits:
            visit.let_in()
    with pytest.raises(TurnedAway, match=FULL):
        knock(guests)
    visits[0].leave()
    visits[0].leave()
    assert knock(guests)[0] in guests.visits


def test_one_address_cannot_keep_the_door_from_others(guests: Guests) -> None:
    told = [knock(guests, HERE)[1] for _ in range(WAITING)]
    newcomer, unheard = knock(guests, THERE)
    assert newcomer in guests.visits
    assert (told[0], told[1], unheard) == ([BUSY], [], [])


def addresses() -> Iterator[str]:
    """Everybody from another one."""
    return (f"10.0.0.{number}" for number in range(256))


def test_where_everybody_comes_from_elsewhere_whoever_was_first_waits_first(guests: Guests) -> None:
    told = [knock(guests, address)[1] for address, _ in zip(addresses(), range(WAITING), strict=False)]
    with pytest.raises(TurnedAway):
        knock(guests, THERE)
    assert not any(told)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Bob", "Bob"),
        ("  Bob   Marley ", "Bob Marley"),
        ("you", ""),
        ("", ""),
        ("a:b", ""),
        ("B" * 41, ""),
        ("\x1b[2JBob", ""),
        ("Bob\ud800", ""),
        ("\u202eboB", ""),
    ],
)
def test_a_name_is_one_that_a_seat_can_have_or_none(given: str, name: str) -> None:
    assert name_of(given) == name
