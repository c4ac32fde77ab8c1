from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Kind, Source
from kalooki_tui.engine.events import Event, History
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.presenter.recap import ending, fitting, fresh_melds, last_call, last_challenge, last_cut, recap
from tests.tui import samples

QUEEN, SIX, FIVE, NINE = samples.cards("QS 6H 5C 9D")
DEALT = happened.Dealt(3, 1, 3, 0, FIVE)
MINE = [DEALT, happened.Drew(0, Source.STOCK, None), happened.Discarded(0, NINE)]


def after(*events: Event, **changes: object) -> View:
    changes.setdefault("calls", (0, 0, 0, 0))
    changes.setdefault("laid", NO_LAY)
    return samples.view(history=History([*MINE, *events]), **changes)


def told(view: View, **options: Any) -> list[str]:
    return [one.whole for one in recap(view, **options)]


def laid(seat: int, meld: int, *cards: int) -> Event:
    return happened.Laid(seat, meld, Kind.SET, cards, True)


def test_one_line_a_seat_oldest_first() -> None:
    view = after(
        happened.Drew(1, Source.DISCARD, QUEEN),
        *(laid(1, number, FIVE, FIVE, FIVE) for number in range(3)),
        happened.Discarded(1, SIX),
        happened.Passed(2),
        happened.Drew(2, Source.STOCK, None),
        happened.Tacked(2, 1, (FIVE,), (FIVE,) * 4),
        happened.Discarded(2, NINE),
    )
    assert told(view) == ["Bob took Q♠, laid three melds, threw 6♥", "Cat drew, tacked 5♣, threw 9♦"]
    assert told(view, short=True)[1] == "Cat tacked 5♣, threw 9♦"
    assert fresh_melds(view).keys() == {0, 1, 2}


NO_LAY = (HasLaid.NO,) * 4
DEE_CALLS = (happened.Called(3, NINE), happened.CallAllowed(2, 3, NINE, True))
CALLED = [happened.Discarded(1, NINE), *DEE_CALLS]
"""Bob threw, Cat is to draw, Dee is asked before You."""


@pytest.mark.parametrize(
    ("events", "changes", "words"),
    [
        ([laid(1, 0, FIVE, FIVE, FIVE), happened.Discarded(0, SIX)], {}, []),
        (CALLED, {}, ["Bob threw 9♦", "Dee called 9♦ first"]),
        ([CALLED[0], happened.Passed(0), *DEE_CALLS], {}, ["Bob threw 9♦", "Dee called 9♦"]),
        (CALLED, {"calls": (3, 0, 0, 0)}, ["Bob threw 9♦", "Dee called 9♦"]),
        (CALLED, {"laid": (HasLaid.EARLIER, *NO_LAY[1:])}, ["Bob threw 9♦", "Dee called 9♦"]),
        ([happened.Called(3, NINE), happened.CallAllowed(1, 3, NINE, True)], {}, ["Dee called 9♦"]),
        (
            [CALLED[0], happened.Called(0, NINE), happened.CallRefused(2, 0, NINE, Source.DISCARD)],
            {},
            ["Bob threw 9♦", "Cat refused your call, took 9♦"],
        ),
        (
            [
                laid(1, 0, FIVE, FIVE, FIVE), laid(1, 1, SIX, SIX, JOKER), happened.Discarded(1, NINE),
                happened.Tacked(2, 0, (JOKER,), (FIVE,)), happened.Swapped(2, 1, SIX, (SIX,), freed=JOKER),
                happened.Discarded(2, NINE),
            ],
            {},
            [
                "Bob laid two melds (★ in m2), threw 9♦",
                "Cat tacked ★ on m1, swapped 6♥ into m2 (★ freed), threw 9♦",
            ],
        ),
    ],
    ids=[
        "my turn has ended", "before mine", "I have passed", "I have no calls left", "I have laid", "a card I threw",
        "my call was refused", "jokers",
    ],
)  # fmt: skip
def test_since_my_turn(events: list[Event], changes: dict[str, Any], words: list[str]) -> None:
    assert told(after(*events, **changes)) == words


def test_what_i_do_in_my_turn_is_not_told_and_my_melds_are_not_new() -> None:
    view = after(happened.Discarded(3, SIX), happened.Drew(0, Source.STOCK, QUEEN), laid(0, 4, FIVE, FIVE, FIVE))
    assert told(view) == ["Dee threw 6♥"]
    assert fresh_melds(view) == {}


def test_people_at_one_keyboard_are_asked_at_once_but_in_a_race() -> None:
    view = after(*CALLED)
    assert told(view, together=(0, 1, 3))[1] == "Dee called 9♦"
    assert told(view, together=(0, 1, 2))[1] == "Dee called 9♦ first"
    race = replace(view.rules, settings=replace(view.rules.settings, race=True))
    assert told(replace(view, rules=race), together=(0, 1, 3))[1] == "Dee called 9♦ first"


def test_what_came_before_mine_stays_so_when_i_have_laid_or_called_since() -> None:
    called = (happened.Discarded(2, SIX), happened.Called(0, SIX), happened.CallAllowed(3, 0, SIX, True))
    mine = (happened.Drew(0, Source.STOCK, QUEEN), laid(0, 4, FIVE, FIVE, FIVE))
    view = after(*CALLED, *called, *mine, calls=(3, 0, 0, 1), laid=(HasLaid.THIS_TURN, *[HasLaid.NO] * 3))
    assert "Dee called 9♦ first" in told(view)


def test_what_has_no_room_is_said_shorter_and_the_oldest_is_left_out_last() -> None:
    turns: list[Event] = []
    for seat in (1, 2, 3):
        turns += [happened.Drew(seat, Source.STOCK, None), laid(seat, seat, *[FIVE] * 8)]
        turns += [happened.Discarded(seat, NINE)]
    view = after(*turns)
    assert "drew" in fitting(view, 160, 2)[0].text
    short = fitting(view, 80, 2)
    assert [one.whole for one in short] == [f"{name} laid one meld, threw 9♦" for name in ("Bob", "Cat", "Dee")]
    tiny = fitting(view, 40, 1)
    assert [one.whole for one in tiny] == ["…", "Dee laid one meld, threw 9♦"]


def test_the_end_of_a_deal_tells_everybody_the_last_round_and_names_each_seat() -> None:
    rest = [
        happened.Called(0, SIX), happened.CallRefused(1, 0, SIX, Source.DISCARD), happened.Discarded(1, NINE),
        happened.Drew(2, Source.STOCK, None), laid(2, 0, FIVE, FIVE, FIVE), happened.Discarded(2, QUEEN),
        happened.Drew(3, Source.DISCARD, QUEEN), happened.Tacked(3, 0, (FIVE,), (FIVE,) * 4),
        happened.Discarded(3, NINE), happened.WentOut(3, False),
    ]  # fmt: skip
    words = "Bob refused {} call, took 6♥, threw 9♦ · Cat drew, laid 5♣ 5♣ 5♣, threw Q♠"
    last = " · Dee took Q♠, tacked 5♣, threw 9♦, went out"
    view = after(*rest)
    assert ending(view, 100, 2) == f"{words.format(view.names[0] + chr(39) + 's')}{last}"
    alone = replace(view, names=("You", *view.names[1:]))
    assert ending(alone, 100, 2) == words.format("your") + last
    assert ending(view, 40, 1) == f"… · {last[3:]}"
    assert ending(after(*rest[:-1]), 100, 2) == ""


def test_who_called_and_what_came_of_a_challenge_and_a_cut_is_told() -> None:
    # Who called is told what became of it.
    refused = [happened.CallRefused(1, 0, SIX, Source.DISCARD), happened.Discarded(1, NINE)]
    allowed = [happened.CallAllowed(1, 2, SIX, True), happened.Discarded(1, NINE)]
    assert last_call(after(*refused)) == "Bob refused Ann's call and took 6♥."
    assert last_call(after(*allowed)) == "Cat called 6♥ and got it, with a penalty card."
    assert last_call(after(*refused, happened.Drew(2, Source.STOCK, None), happened.Discarded(2, FIVE))) == ""
    assert last_call(after()) == ""
    # In the window of a flip the call just answered is told and not the one before.
    earlier = [happened.CallAllowed(1, 0, SIX, True), happened.Discarded(0, NINE)]
    assert last_call(after(*earlier)) == "Ann called 6♥ and got it, with a penalty card."
    just_now = [happened.CallAllowed(0, 1, NINE, True), happened.Flipped(QUEEN, None)]
    assert last_call(after(*earlier, *just_now)) == "Bob called 9♦ and got it, with a penalty card."


CHALLENGE = [happened.Challenged(1, 0, 2, False), happened.Charged(0, 190, "F3"), happened.DroppedOut(0, None)]


def test_a_challenge_and_who_dropped_out_stay_in_the_strip_however_much_follows() -> None:
    turns: list[Event] = []
    for seat in (1, 2, 3) * 4:
        turns += [happened.Drew(seat, Source.STOCK, None), happened.Discarded(seat, NINE)]
    strip = [one.whole for one in fitting(after(*CHALLENGE, *turns), 80, 2)]
    assert strip[:3] == ["Bob challenged Ann", "Ann paid 190 points, dropped out", "…"]
    assert strip[-1] == "Dee threw 9♦"
    assert sum(len(one) + 3 for one in strip) <= 2 * 77


def test_what_came_of_a_challenge_is_told_until_the_next_turn_but_one_ends() -> None:
    right = "Bob challenged Ann, rightly: Ann paid 190 points and dropped out."
    assert last_challenge(after(*CHALLENGE)) == right
    assert last_challenge(after(*CHALLENGE, happened.Discarded(1, NINE))) == right
    assert last_challenge(after(*CHALLENGE, happened.Discarded(1, NINE), happened.Discarded(2, SIX))) == ""
    assert last_challenge(after(happened.Challenged(2, 1, 0, False))) == "Cat challenged Bob, wrongly."
    assert last_challenge(after(happened.Challenged(2, 1, 0, True))) == "Cat challenged Bob, rightly but too late."
    assert last_challenge(after()) == ""


def test_whether_the_cut_was_exact_is_told() -> None:
    missed = happened.CutMade(3, None, False), "Dee's cut was not exact: no bonus."
    exact = happened.CutMade(0, None, True), "Ann's cut was exactly right: -50 points."
    rules = samples.view().rules
    rules = replace(rules, ruleset=replace(rules.ruleset, dealer_cut_bonus=-50))
    for cut, words in (missed, exact):
        assert last_cut(samples.view(history=History([cut, DEALT]), rules=rules)) == words
    assert last_cut(after()) == ""
