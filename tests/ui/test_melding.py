"""Laying, tacking and swapping at the screen, from set-up positions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.events import Called, Discarded
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.ui.playing.prompts import buy_in_question
from kalooki_tui.ui.screens.table import TableScreen
from tests.moments import VOID
from tests.ui import samples
from tests.ui.conftest import AppAtPosition, key_of, press, text_of, until_happened, wait_until
from tests.ui.driving import click_on, play_until
from tests.ui.openings import at_table, running

CONTRACT = """
ruleset: jamaican
deal: 2
dealer: Cat
turn: Ann
phase: play
seats:
  - {name: Ann, hand: 5C 5D 5H KS KD KH 7C 8C 9C JK 2D}
  - {name: Bob, hand: 5S 6H 7H QC}
  - {name: Cat, hand: 9D 9H 3S}
discard: 4D
"""

LAID = """
ruleset: {ruleset}
deal: 1
dealer: Cat
turn: Ann
phase: play
seats:
  - {{name: Ann, hand: {hand}, laid: true}}
  - {{name: Bob, hand: 6H 7H QC, laid: true}}
  - {{name: Cat, hand: 9D 9H 3S}}
table:
{table}
discard: 4D
"""


def laid(hand: str, *melds: str, ruleset: str = "jamaican") -> str:
    """A position in which Ann has laid and is to play."""
    table = "\n".join(
        f"  - {{owner: {owner}, cards: {cards}}}" for owner, _, cards in (m.partition(": ") for m in melds)
    )
    return LAID.format(ruleset=ruleset, hand=hand, table=table)


async def choose(pilot: Pilot[None], screen: TableScreen, cards: str) -> None:
    """Choose cards of the hand."""
    screen.hand.select_cards(parse_cards(cards, screen.desk.view.rules.faces))
    await pilot.pause()


async def test_the_best_lay_down_is_staged_taken_back_and_laid() -> None:
    async with at_table(AppAtPosition(CONTRACT)) as (pilot, app, screen):
        assert "the contract can be laid" in text_of(app)
        await press(pilot, "L")
        assert len(screen.desk.staged) == 3
        assert "staged" in text_of(app)
        assert len(screen.hand.shown) == 11 - len(screen.desk.staged_cards)
        assert all(slot.have >= slot.needed for slot in screen.desk.slots())
        await press(pilot, "escape")
        assert len(screen.desk.staged) == 2
        assert not all(slot.have >= slot.needed for slot in screen.desk.slots())
        await press(pilot, "L", "enter", until=lambda: screen.desk.has_laid)
        assert len(screen.desk.own_melds) == 3
        assert "· laid ·" in text_of(app)


async def test_a_lay_down_that_is_not_the_contract_is_refused_with_its_clause() -> None:
    async with at_table(AppAtPosition(CONTRACT)) as (pilot, app, screen):
        await choose(pilot, screen, "5C 5D 5H")
        await press(pilot, "l", "enter")
        assert "The contract is 2 threes and 1 four; this is 1 three. (L1)" in text_of(app)
        assert len(screen.desk.staged) == 1
        assert not screen.desk.has_laid


async def test_cards_chosen_in_any_order_become_melds_at_once() -> None:
    async with at_table(AppAtPosition(CONTRACT)) as (pilot, _, screen):
        await choose(pilot, screen, "KH 5C KS 5D KD 5H")
        await press(pilot, "l")
        assert len(screen.desk.staged) == 2


async def test_a_joker_whose_place_is_open_is_asked_about() -> None:
    async with at_table(AppAtPosition(CONTRACT)) as (pilot, app, screen):
        await choose(pilot, screen, "9C 7C 8C JK")
        await press(pilot, "l")
        assert "Which melds?" in text_of(app)
        assert "★ 7♣ 8♣ 9♣" in text_of(app)
        assert "7♣ 8♣ 9♣ ★" in text_of(app)
        await press(pilot, "2")
        assert len(screen.desk.staged) == 1


async def test_two_sets_of_one_rank_are_refused_while_staging() -> None:
    async with at_table(AppAtPosition(CONTRACT.replace("KS KD KH", "5S 5C 5D"))) as (pilot, app, screen):
        await choose(pilot, screen, "5C 5D 5H")
        await press(pilot, "l")
        await choose(pilot, screen, "5S 5C 5D")
        await press(pilot, "l")
        assert "(M8)" in text_of(app)
        assert len(screen.desk.staged) == 1


async def test_a_staged_meld_that_is_clicked_comes_back() -> None:
    async with at_table(AppAtPosition(CONTRACT)) as (pilot, _, screen):
        await choose(pilot, screen, "5C 5D 5H")
        await press(pilot, "l")
        place = screen.melds._layout_now.places[0]
        await pilot.click("MeldsView", offset=(place.x + 5, place.y))
        await pilot.pause()
        assert screen.desk.staged == []
        assert len(screen.hand.shown) == 11


@pytest.mark.parametrize(
    ("hand", "chosen", "lengths"),
    [("KS 2D 4H", "KS", [5, 3]), ("AS KS 8S 2D", "8S AS KS", [7, 3]), ("KS 4H 2D 8H", "4H KS", [5, 4])],
    ids=["where they fit", "a chain in the order that works", "for different melds in one go"],
)
async def test_cards_are_tacked(hand: str, chosen: str, lengths: list[int]) -> None:
    async with at_table(AppAtPosition(laid(hand, "Ann: 9S 10S JS QS", "Bob: 4C 4D 4S"))) as (pilot, _, screen):
        await choose(pilot, screen, chosen)
        await press(pilot, "k", until=lambda: [len(meld.cards) for meld in screen.desk.view.melds] == lengths)


async def test_of_several_melds_the_person_chooses_one_by_key() -> None:
    async with at_table(AppAtPosition(laid("JK 2D 4H 8H", "Bob: 4C 4D 4S", "Bob: 9C 9D 9S"))) as (pilot, _, screen):
        await choose(pilot, screen, "JK")
        await press(pilot, "k")
        assert screen.melds.lit == {0, 1}
        await press(pilot, "right", "enter", until=lambda: len(screen.desk.view.hand) == 3)
        assert len(screen.desk.view.melds[1].cards) == 4


async def test_nothing_is_thrown_while_a_meld_is_being_chosen() -> None:
    async with at_table(AppAtPosition(laid("7C 2D KD", "Ann: 3C 4C 5C 6C", "Bob: 7H 7D 7S"))) as (pilot, app, screen):
        await press(pilot, "7", "k")
        assert "Choose a meld: m1, m2" in text_of(app)
        await press(pilot, "2", "x")
        assert "Choose a meld: m1, m2" in text_of(app)
        assert screen.desk.view.phase is Phase.PLAY


async def test_what_a_throw_means_is_never_guessed() -> None:
    async with at_table(AppAtPosition(laid("7C 2D KD JK", "Bob: 9H 9D 9S"))) as (pilot, app, screen):
        seven, two = parse_cards("7C 2D", screen.desk.view.rules.faces)
        screen.hand.move_cursor(3)
        await press(pilot, "x")
        assert "A joker may not be discarded" in text_of(app)
        assert screen.hand.selected == ()
        await choose(pilot, screen, "7C")
        await press(pilot, "2", "x")
        assert "x again throws 2♦" in text_of(app)
        assert screen.hand.selected == (two,)
        await press(pilot, "x", until=lambda: two not in screen.sitting._table.view(0).hand)
        assert seven in screen.sitting._table.view(0).hand


async def test_of_several_melds_the_person_chooses_one_by_mouse() -> None:
    async with at_table(AppAtPosition(laid("JK 2D 4H 8H", "Bob: 4C 4D 4S", "Bob: 9C 9D 9S"))) as (pilot, _, screen):
        await choose(pilot, screen, "JK")
        place = screen.melds._layout_now.places[0]
        await pilot.click("MeldsView", offset=(place.x + 5, place.y))
        await wait_until(pilot, lambda: len(screen.desk.view.hand) == 3)
        assert len(screen.desk.view.melds[0].cards) == 4


async def test_where_both_ends_would_do_the_person_says_which() -> None:
    app = AppAtPosition(laid("JK 2D 4H", "Ann: 5S 6S 7S 8S", ruleset="air-jamaica"))
    async with at_table(app) as (pilot, _, screen):
        await choose(pilot, screen, "JK")
        await press(pilot, "k")
        assert "Which end?" in text_of(app)
        await press(pilot, "l", until=lambda: len(screen.desk.view.hand) == 2)
        assert screen.desk.view.melds[0].low == 4


async def test_a_card_that_fits_nowhere_says_why() -> None:
    async with at_table(AppAtPosition(laid("8S 2D 4H", "Ann: 9S 10S JS QS"))) as (pilot, app, screen):
        await choose(pilot, screen, "8S")
        await press(pilot, "k")
        assert "(K2)" in text_of(app)
        await choose(pilot, screen, "2D")
        await press(pilot, "k")
        assert "No meld on the table takes 2♦. (K1)" in text_of(app)


async def test_the_real_card_takes_the_jokers_place() -> None:
    async with at_table(AppAtPosition(laid("6S 2D 4H", "Bob: 5S JK 7S 8S"))) as (pilot, _, screen):
        await choose(pilot, screen, "6S")
        await press(pilot, "w", until=lambda: len(screen.desk.view.hand) == 2)
        assert screen.desk.view.rules.faces.texts(screen.desk.view.melds[0].cards) == "5S 6S 7S 8S JK"


async def test_a_freed_joker_of_kalookie_40_is_used_at_once() -> None:
    app = AppAtPosition(laid("6S 2D 4H", "Bob: 5S JK 7S 8S", "Bob: 9C 9D 9S", ruleset="kalookie-40"))
    async with at_table(app) as (pilot, _, screen):
        await choose(pilot, screen, "6S")
        await press(pilot, "w")
        assert "Where does the joker of m1 go?" in text_of(app)
        assert "m2 becomes 9♣ 9♦ 9♠ ★" in text_of(app)
        await press(pilot, key_of(app, "m2 becomes"), until=lambda: len(screen.desk.view.hand) == 2)
        assert len(screen.desk.view.melds[1].cards) == 4


async def test_under_the_penalties_referee_a_bad_lay_down_is_charged() -> None:
    app = AppAtPosition(CONTRACT.replace("deal: 2", "deal: 2\nreferee: penalties"))
    async with at_table(app) as (pilot, _, screen):
        await choose(pilot, screen, "5C 5D 5H")
        await press(pilot, "l", "enter")
        assert "Trying it costs 50 points (F1). Press enter again" in " ".join(text_of(app).split())
        assert screen.desk.view.penalties[0] == 0
        # Another command in between, and it is named anew.
        await press(pilot, "o", "enter")
        assert screen.desk.view.penalties[0] == 0
        await press(pilot, "enter")
        assert "It costs" in text_of(app)
        assert screen.desk.view.penalties[0] == 50


async def test_the_final_add_on_of_kooky_ends_with_done() -> None:
    text = """
ruleset: kooky
deal: 1
dealer: Cat
turn: Ann
phase: add-on
out: Bob
seats:
  - {name: Ann, hand: 4R 9G, laid: true}
  - {name: Bob, hand: "", laid: true}
  - {name: Cat, hand: 9Y 3G}
table:
  - {owner: Bob, cards: 4B 4Y 4G}
discard: 2Y
"""
    async with at_table(AppAtPosition(text)) as (pilot, app, screen):
        assert "Bob is out. Add on what you can" in text_of(app)
        await choose(pilot, screen, "4R")
        await press(pilot, "k", until=lambda: len(screen.desk.view.hand) == 1)
        await press(pilot, "e", until=lambda: app.screen.name == "deal-over")
        assert "Bob went out." in text_of(app)


WINDOW = """
ruleset: jamaican
deal: 2
referee: {referee}
dealer: Cat
turn: Bob
phase: call-window
seats:
  - {{name: Ann, hand: 5C 5D 5H KS KD 7C 8C 9C JK 2D}}
  - {{name: Bob, hand: 5S 6H 7H QC 2C 3D 4C 10S JS QH, calls: {calls}}}
  - {{name: {third}, hand: 9D 9H 3S 4S 6S 8D 10D JC QS AC}}
  - {{name: Dee, hand: 9C 9S 3C 4H 6D 8S 10H JD QD AD}}
discard: 5C
discarded_by: Dee
"""


@pytest.mark.parametrize("by_mouse", [False, True], ids=["with a key", "with a click on the card"])
async def test_one_person_calls(by_mouse: bool) -> None:
    async with running(AppAtPosition(WINDOW.format(referee="strict", calls=0, third="Cat"))) as (pilot, app):
        await play_until(
            pilot, app, lambda: isinstance(app.screen, TableScreen) and app.screen.desk.view.phase is Phase.CALL_WINDOW
        )
        screen = app.screen
        assert "c calls it, with a penalty card" in text_of(app)
        await (click_on(pilot, screen.piles, "discard") if by_mouse else pilot.press("c"))
        await until_happened(pilot, app, Called, 0)


async def test_a_challenge_is_made_by_key_under_the_penalties_referee() -> None:
    app = AppAtPosition(WINDOW.format(referee="penalties", calls=5, third="Cat").replace("turn: Bob", "turn: Dee"))
    app.position_table.match.deal.discarded_by = 2
    async with app.run_test(size=(100, 30)) as pilot:
        await play_until(pilot, app, lambda: isinstance(app.screen, TableScreen) and app.screen.desk.view.may_challenge)
        screen = app.screen
        assert "calls used" not in text_of(app)
        await press(pilot, "R")
        await press(pilot, key_of(app, "Challenge Bob"), until=lambda: "Challenge Bob?" in text_of(app))
        assert "each one too many costs" in text_of(app)
        assert "If not, it costs nothing." in text_of(app)
        assert screen.desk.view.penalties[1] == 0
        # Enter takes the careful answer.
        await press(pilot, "enter", until=lambda: app.screen is screen)
        assert screen.desk.view.penalties[1] == 0
        await press(pilot, "R")
        await press(pilot, key_of(app, "Challenge Bob"), until=lambda: "Challenge Bob?" in text_of(app))
        await press(pilot, "y", until=lambda: screen.desk.view.penalties[1] == 100)


async def test_void_deals_ask_the_table_whether_to_go_on() -> None:
    app = AppAtPosition(VOID)
    app.position_table.match.deal.attempt = 3
    async with at_table(app) as (pilot, _, screen):
        await press(pilot, "d", until=lambda: app.screen.name == "deal-over")
        assert "void" in text_of(app)
        await press(pilot, "enter", until=lambda: app.screen.name == "go-on")
        await press(pilot, "o", until=lambda: screen.sitting._table.match.deal.number == 3)


async def test_a_card_its_rank_key_has_led_to_is_tacked_without_being_chosen_first() -> None:
    async with at_table(AppAtPosition(laid("5C 9D 2S", "Bob: 9C 9H 9S"))) as (pilot, _, screen):
        await press(pilot, "home", "9", "k", until=lambda: len(screen.desk.view.melds[0].cards) == 4)


def test_a_person_called_you_is_spoken_to_when_eliminated() -> None:
    view = samples.view("kalookie-40")
    seats = len(view.names)
    out = replace(
        view,
        names=("You", *view.names[1:]),
        totals=(160, 90, *[0] * (seats - 2)),
        eliminated=(True, *[False] * (seats - 1)),
    )
    assert "You have 160 points, more than 150, and are out." in str(buy_in_question(out, 0).text)


async def test_a_card_under_the_cursor_is_tacked_as_it_is_thrown() -> None:
    async with at_table(AppAtPosition(laid("4C 9H KD", "Bob: 9C 9D 9S"))) as (pilot, _, screen):
        screen.hand.move_cursor(screen.hand.shown.index(parse_cards("9H", screen.desk.view.rules.faces)[0]))
        await press(pilot, "k", until=lambda: len(screen.desk.view.melds[0].cards) == 4)


async def test_after_a_tack_that_was_refused_a_throw_is_asked_for_again() -> None:
    async with at_table(AppAtPosition(laid("4C 9H KD", "Bob: 9C 9D 9S"))) as (pilot, app, screen):
        await press(pilot, "K", "k", until=lambda: "✕" in text_of(app))
        assert screen.hand.selected == ()
        before = screen.desk.view
        await press(pilot, "x", until=lambda: "x again throws K♦" in text_of(app))
        assert screen.desk.view == before
        await press(pilot, "x", until=lambda: screen.desk.view.phase is not Phase.PLAY)


@pytest.mark.parametrize("keys", [("Q",), ("9", "Q"), ("space", "Q"), ("j",)], ids=" ".join)
async def test_after_a_ranks_key_that_led_to_no_card_a_throw_is_asked_for_again(keys: tuple[str, ...]) -> None:
    async with at_table(AppAtPosition(laid("4C 9H KD", "Bob: 9C 9D 9S"))) as (pilot, app, screen):
        before = screen.desk.view
        # Typed in one breath: what was meant is not in the hand, and no other card goes in its place.
        await press(pilot, *keys, "x", until=lambda: " again throws " in text_of(app))
        assert screen.desk.view == before
        await press(pilot, "x", until=lambda: screen.desk.view.phase is not Phase.PLAY)


async def test_a_card_named_after_a_ranks_key_that_led_to_none_is_thrown_at_once() -> None:
    async with at_table(AppAtPosition(laid("4C 9H KD", "Bob: 9C 9D 9S"))) as (pilot, _, screen):
        await press(pilot, "Q", "K", "x", until=lambda: screen.desk.view.phase is not Phase.PLAY)
        view = screen.desk.view
        thrown = [event.card for event in view.history if isinstance(event, Discarded)]
        assert view.rules.faces.text(thrown[0]) == "KD"


async def test_under_the_penalties_referee_any_cards_may_be_tried_as_a_lay_down() -> None:
    async with at_table(AppAtPosition(CONTRACT.replace("phase:", "referee: penalties\nphase:"))) as (
        pilot,
        app,
        screen,
    ):
        await choose(pilot, screen, "5C KD 9C")
        await press(pilot, "l", until=lambda: "Press l again to try it." in text_of(app))
        assert "Trying it costs 50 points" in text_of(app)
        assert not screen.sitting._table.match.deal.penalties[0]
        await press(pilot, "l", until=lambda: screen.sitting._table.match.deal.penalties[0] == 50)
        assert len(screen.desk.view.hand) == 11


async def test_a_joker_under_the_cursor_is_asked_for_before_it_is_thrown() -> None:
    async with at_table(AppAtPosition(laid("4C 9H JK", "Bob: 9C 9D 9S", ruleset="trinidad"))) as (pilot, app, screen):
        screen.hand.move_cursor(screen.hand.shown.index(JOKER))
        await press(pilot, "x", until=lambda: "x again throws ★" in text_of(app))
        assert screen.desk.view.phase is Phase.PLAY
        await press(pilot, "x", until=lambda: screen.desk.view.phase is not Phase.PLAY)
