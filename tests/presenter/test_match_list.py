from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from kalooki_tui.match.seating import parse_seats
from kalooki_tui.presenter.match_list import ListState, MatchFilter, MatchGroup, MatchList, Order
from kalooki_tui.storage.summary import Summary

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def match(id_: str, days: int, *seats: str, name: str = "Jamaican Kalooki", finished: bool = True) -> Summary:
    played = NOW - timedelta(days=days)
    return Summary(
        id=id_, ruleset=name.split(maxsplit=1)[0].lower(), name=name, options=(), referee="strict",
        seats=parse_seats(seats), started=played, played=played, deal=2, deals=9, totals=(0,) * len(seats),
        finished=finished, winners=(0,) if finished else (), teaching=False, imported=False,
    )  # fmt: skip


ANN = match("ann", 0, "Ann", "ai:club", "ai:club")
BOB = match("bob", 40, "bob", "Cat", "ai:club", name="Baby Kalooki", finished=False)
WATCHED = match("watched", 3, "ai:club", "ai:club", "ai:novice", name="Kooky Kalooki")
BROKEN = replace(match("broken", 1, "Ann", "Cat", "Dee"), damage="line 7 was changed")
LISTING = MatchList([ANN, BOB, WATCHED, BROKEN], NOW)


def ids(wanted: MatchFilter) -> list[str]:
    return [one.id for one in LISTING.shown(wanted)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", "bob ann watched broken"), ("ANN", "ann broken"), ("ann cat", "broken"), ("kalooki baby", "bob"),
        ("unfinished", "bob"), ("finished kooky", "watched"), ("2026-10", "bob"), ("today", "ann"),
        ("damaged", "broken"), ("november ann", "ann broken"), ("[/x] %s", ""),
    ],
)  # fmt: skip
def test_every_word_is_looked_for(words: str, found: str) -> None:
    assert ids(MatchFilter(words)) == found.split()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (MatchFilter(which=MatchGroup.GOING), "bob"), (MatchFilter(which=MatchGroup.OVER), "ann watched broken"),
        (MatchFilter(which=MatchGroup.PEOPLE), "bob ann broken"),
        (MatchFilter(order=Order.LATEST), "ann watched bob broken"),
        (MatchFilter(order=Order.EARLIEST), "bob watched ann broken"),
        (MatchFilter(order=Order.GAME), "bob ann watched broken"),
        (MatchFilter(order=Order.PEOPLE), "ann bob watched broken"),
    ],
)  # fmt: skip
def test_some_of_the_matches_and_their_orders(wanted: MatchFilter, found: str) -> None:
    assert ids(wanted) == found.split()


def test_what_is_wanted_is_said() -> None:
    state = ListState()
    assert state.wanted.is_everything
    assert state.wanted.text() == ""
    state.want(words="  ann  cat ", which=MatchGroup.OVER, order=Order.GAME)
    assert state.wanted.text() == "finished ones · with “ann cat” · by game"
    assert not state.wanted.is_everything
