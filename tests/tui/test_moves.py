import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.rated_advice import hint
from kalooki_tui.engine.actions import Allow, Draw, Refuse, Source
from kalooki_tui.engine.events import Called
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.tui.screens.curtain import CurtainAction
from kalooki_tui.tui.screens.table import TableScreen
from tests.moments import CALLED, VOID, call_window
from tests.tui.conftest import (
    is_asked,
    is_asked_at_table,
    key_of,
    match_of,
    press,
    table_of,
    text_of,
    until_happened,
    wait_until,
)
from tests.tui.driving import answer, click_on, play_until
from tests.tui.openings import (
    AppAtPosition,
    alone,
    app_at_table,
    asked,
    at_table,
    between,
    plan,
    played_to,
    running,
    together,
)

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
    table = "\n".join(
        f"  - {{owner: {owner}, cards: {cards}}}" for owner, _, cards in (m.partition(": ") for m in melds)
    )
    return LAID.format(ruleset=ruleset, hand=hand, table=table)


async def choose(pilot: Pilot[None], screen: TableScreen, cards: str) -> None:
    screen.hand.select_cards(parse_cards(cards, screen.state.view.rules.faces))
    await pilot.pause()


async def test_a_joker_is_asked_about_and_the_best_lay_down_is_staged_taken_back_and_laid() -> None:
    async with at_table(AppAtPosition(CONTRACT)) as (pilot, app, screen):
        # A joker whose place is open is asked about.
        await choose(pilot, screen, "9C 7C 8C JK")
        await press(pilot, "l")
        assert "Which melds?" in text_of(app)
        assert "★ 7♣ 8♣ 9♣" in text_of(app)
        assert "7♣ 8♣ 9♣ ★" in text_of(app)
        await press(pilot, "2")
        assert len(screen.state.staged) == 1
        await press(pilot, "escape")
        # The best lay down is staged taken back and laid.
        assert "the contract can be laid" in text_of(app)
        await press(pilot, "L")
        assert len(screen.state.staged) == 3
        assert len(screen.hand.shown) == 11 - len(screen.state.staged_cards)
        assert all(slot.have >= slot.needed for slot in screen.state.slots())
        place = screen.melds._layout_now.places[0]
        await pilot.click("MeldsView", offset=(place.x + 5, place.y))
        await pilot.pause()
        assert len(screen.state.staged) == 2, "a click on a staged meld takes it back too"
        await press(pilot, "L", "enter", until=lambda: screen.state.has_laid)


@pytest.mark.parametrize(
    ("hand", "chosen", "keys", "staged", "says"),
    [
        ("KS KD KH", ["KH 5C KS 5D KD 5H"], "", 2, "staged"),
        ("KS KD KH", ["5C 5D 5H"], "enter", 1, "The contract is 2 threes and 1 four; this is 1 three. (L1)"),
        ("5S 5C 5D", ["5C 5D 5H", "5S 5C 5D"], "", 1, "(M8)"),
    ],
    ids=["in any order", "not the contract", "two sets of one rank"],
)
async def test_cards_chosen_become_melds_at_once_or_are_refused_with_the_clause(
    hand: str, chosen: list[str], keys: str, staged: int, says: str
) -> None:
    async with at_table(AppAtPosition(CONTRACT.replace("KS KD KH", hand))) as (pilot, app, screen):
        for cards in chosen:
            await choose(pilot, screen, cards)
            await press(pilot, "l")
        await press(pilot, *keys.split())
        assert says in text_of(app)
        assert len(screen.state.staged) == staged
        assert not screen.state.has_laid


@pytest.mark.parametrize(
    ("hand", "chosen", "lengths"),
    [("AS KS 8S 2D", "8S AS KS", [7, 3]), ("KS 4H 2D 8H", "4H KS", [5, 4])],
    ids=["a chain in the order that works", "for different melds in one go"],
)
async def test_cards_are_tacked(hand: str, chosen: str, lengths: list[int]) -> None:
    async with at_table(AppAtPosition(laid(hand, "Ann: 9S 10S JS QS", "Bob: 4C 4D 4S"))) as (pilot, _, screen):
        await choose(pilot, screen, chosen)
        await press(pilot, "k", until=lambda: [len(meld.cards) for meld in screen.state.view.melds] == lengths)


@pytest.mark.parametrize("by_mouse", [False, True], ids=["by key", "by mouse"])
async def test_of_several_melds_the_person_chooses_one(by_mouse: bool) -> None:
    async with at_table(AppAtPosition(laid("JK 2D 4H 8H", "Bob: 4C 4D 4S", "Bob: 9C 9D 9S"))) as (pilot, _, screen):
        await choose(pilot, screen, "JK")
        if by_mouse:
            place = screen.melds._layout_now.places[1]
            await pilot.click("MeldsView", offset=(place.x + 5, place.y))
        else:
            await press(pilot, "k")
            assert screen.melds.lit == {0, 1}
            await pilot.press("right", "enter")
        await wait_until(pilot, lambda: len(screen.state.view.hand) == 3)
        assert len(screen.state.view.melds[1].cards) == 4


async def test_nothing_is_thrown_while_a_meld_is_being_chosen() -> None:
    async with at_table(AppAtPosition(laid("7C 2D KD", "Ann: 3C 4C 5C 6C", "Bob: 7H 7D 7S"))) as (pilot, app, screen):
        await press(pilot, "7", "k")
        assert "Choose a meld: m1, m2" in text_of(app)
        await press(pilot, "2", "x")
        assert "Choose a meld: m1, m2" in text_of(app)
        assert screen.state.view.phase is Phase.PLAY


async def test_what_a_throw_means_is_never_guessed() -> None:
    async with at_table(AppAtPosition(laid("7C 2D KD JK", "Bob: 9H 9D 9S"))) as (pilot, app, screen):
        seven, two = parse_cards("7C 2D", screen.state.view.rules.faces)
        screen.hand.move_cursor(3)
        await press(pilot, "x")
        assert "A joker may not be discarded" in text_of(app)
        assert screen.hand.selected == ()
        await choose(pilot, screen, "7C")
        await press(pilot, "2", "x")
        assert "x again throws 2♦" in text_of(app)
        assert screen.hand.selected == (two,)
        await press(pilot, "x", until=lambda: two not in screen.session._table.view(0).hand)
        assert seven in screen.session._table.view(0).hand


async def test_where_both_ends_would_do_the_person_says_which() -> None:
    app = AppAtPosition(laid("JK 2D 4H", "Ann: 5S 6S 7S 8S", ruleset="air-jamaica"))
    async with at_table(app) as (pilot, _, screen):
        await choose(pilot, screen, "JK")
        await press(pilot, "k")
        assert "Which end?" in text_of(app)
        await press(pilot, "l", until=lambda: len(screen.state.view.hand) == 2)
        assert screen.state.view.melds[0].low == 4


async def test_a_card_that_fits_nowhere_says_why() -> None:
    async with at_table(AppAtPosition(laid("8S 2D 4H", "Ann: 9S 10S JS QS"))) as (pilot, app, screen):
        await choose(pilot, screen, "8S")
        await press(pilot, "k")
        assert "(K2)" in text_of(app)
        await choose(pilot, screen, "2D")
        await press(pilot, "k")
        assert "No meld on the table takes 2♦. (K1)" in text_of(app)
        await press(pilot, "w")
        assert "No joker on the table stands for 2♦. (K7)" in text_of(app)


async def test_the_real_card_takes_the_jokers_place() -> None:
    async with at_table(AppAtPosition(laid("6S 2D 4H", "Bob: 5S JK 7S 8S"))) as (pilot, _, screen):
        await choose(pilot, screen, "6S")
        await press(pilot, "w", until=lambda: len(screen.state.view.hand) == 2)
        assert screen.state.view.rules.faces.texts(screen.state.view.melds[0].cards) == "5S 6S 7S 8S JK"


async def test_a_freed_joker_of_kalookie_40_is_used_at_once() -> None:
    app = AppAtPosition(laid("6S 2D 4H", "Bob: 5S JK 7S 8S", "Bob: 9C 9D 9S", ruleset="kalookie-40"))
    async with at_table(app) as (pilot, _, screen):
        await choose(pilot, screen, "6S")
        await press(pilot, "w")
        assert "Where does the joker of m1 go?" in text_of(app)
        assert "m2 becomes 9♣ 9♦ 9♠ ★" in text_of(app)
        await press(pilot, key_of(app, "m2 becomes"), until=lambda: len(screen.state.view.hand) == 2)
        assert len(screen.state.view.melds[1].cards) == 4


async def test_under_the_penalties_referee_a_bad_lay_down_is_charged() -> None:
    app = AppAtPosition(CONTRACT.replace("deal: 2", "deal: 2\nreferee: penalties"))
    async with at_table(app) as (pilot, _, screen):
        await choose(pilot, screen, "5C 5D 5H")
        await press(pilot, "l", "enter")
        assert "Trying it costs 50 points (F1). Press enter again" in " ".join(text_of(app).split())
        assert screen.state.view.penalties[0] == 0
        # Another command in between, and it is named anew.
        await press(pilot, "o", "enter")
        assert screen.state.view.penalties[0] == 0
        await press(pilot, "enter")
        assert "It costs" in text_of(app)
        assert screen.state.view.penalties[0] == 50


@pytest.mark.parametrize("by_mouse", [False, True], ids=["with a key", "with a click on the card"])
async def test_one_person_calls(by_mouse: bool) -> None:
    async with played_to(AppAtPosition(call_window(turn="Bob")), Phase.CALL_WINDOW) as (pilot, app, screen):
        assert "c calls it, with a penalty card" in text_of(app)
        await (click_on(pilot, screen.piles, "discard") if by_mouse else pilot.press("c"))
        await until_happened(pilot, app, Called, 0)


async def test_a_challenge_is_made_by_key_under_the_penalties_referee() -> None:
    window = call_window(turn="Dee").replace("phase:", "referee: penalties\nphase:")
    app = AppAtPosition(window.replace("name: Bob,", "name: Bob, calls: 5,"))
    app.position_table.match.deal.discarded_by = 2
    async with app.run_test(size=(100, 30)) as pilot:
        await play_until(
            pilot, app, lambda: isinstance(app.screen, TableScreen) and app.screen.state.view.may_challenge
        )
        screen = app.screen
        assert "calls used" not in text_of(app)
        await press(pilot, "R")
        await press(pilot, key_of(app, "Challenge Bob"), until=lambda: "Challenge Bob?" in text_of(app))
        assert "each one too many costs" in text_of(app)
        assert "If not, it costs nothing." in text_of(app)
        # Enter takes the careful answer.
        await press(pilot, "enter", until=lambda: app.screen is screen)
        assert screen.state.view.penalties[1] == 0
        await press(pilot, "R")
        await press(pilot, key_of(app, "Challenge Bob"), until=lambda: "Challenge Bob?" in text_of(app))
        await press(pilot, "y", until=lambda: screen.state.view.penalties[1] == 100)


async def test_void_deals_ask_the_table_whether_to_go_on() -> None:
    app = AppAtPosition(VOID)
    app.position_table.match.deal.attempt = 3
    async with at_table(app) as (pilot, _, screen):
        await press(pilot, "d", until=lambda: app.screen.name == "deal-over")
        assert "void" in text_of(app)
        await press(pilot, "enter", until=lambda: app.screen.name == "go-on")
        await press(pilot, "o", until=lambda: screen.session._table.match.deal.number == 3)


async def test_a_card_the_cursor_was_led_to_is_tacked_without_being_chosen_first() -> None:
    async with at_table(AppAtPosition(laid("4C 9H KD 9S", "Bob: 9C 9D 9S"))) as (pilot, _, screen):
        for keys, cards in ((("home", "right"), 4), (("home", "9"), 5)):
            await press(pilot, *keys, "k", until=lambda cards=cards: len(screen.state.view.melds[0].cards) == cards)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("K k", "x again throws K♦"),
        ("Q", " again throws "),
        ("9 Q", " again throws "),
        ("space Q", " again throws "),
        ("j", " again throws "),
        ("", "x again throws ★"),
    ],
)
async def test_after_a_refused_tack_or_a_key_that_led_to_no_card_and_for_a_joker_a_throw_is_asked_for_again(
    keys: str, says: str
) -> None:
    hand = "4C 9H KD" if keys else "4C 9H JK"
    async with at_table(AppAtPosition(laid(hand, "Bob: 9C 9D 9S", ruleset="trinidad"))) as (pilot, app, screen):
        before = screen.state.view
        if not keys:
            screen.hand.move_cursor(screen.hand.shown.index(JOKER))
        # Typed in one breath: what was meant is not in the hand, and no other card goes in its place.
        await press(pilot, *keys.split(), "x", until=lambda: says in text_of(app))
        assert screen.state.view == before
        await press(pilot, "x", until=lambda: screen.state.view.phase is not Phase.PLAY)


async def test_a_card_taken_from_the_pile_is_put_back() -> None:
    taking = Draw(0, Source.DISCARD)
    async with played_to(alone(), Phase.DRAW, lambda table: taking in table.state.view.legal) as (pilot, app, screen):
        await press(pilot, "]", "]")
        before, order = screen.state.view, screen.hand.cards
        await press(pilot, "t", until=lambda: screen.state.view.phase is Phase.PLAY)
        await press(pilot, "u", until=lambda: is_asked(app) and screen.state.view.phase is Phase.DRAW)
        assert screen.state.view == before
        assert screen.hand.cards == order
        assert "Taken back" in text_of(app)


async def test_a_call_keeps_its_words_no_enter_answers_it_and_advice_is_given_before() -> None:
    async with asked(AppAtPosition(CALLED), "decision") as (pilot, app):
        deal, view = match_of(app).deal, table_of(app).session._table.view(0)
        assert "from the contract" in text_of(app), "how far the hand is is wanted now"
        for key, told in (("enter", "Press a or r"), ("u", "There is nothing to take back")):
            await press(pilot, key, until=lambda told=told: told in " ".join(text_of(app).split()))
            assert "calls" in text_of(app)
            assert "7♠" in text_of(app)
        await press(pilot, "h", until=lambda: "Hint: " in text_of(app))
        advised = hint(view)
        assert isinstance(advised.action, Allow | Refuse)
        assert advised.nudge in text_of(app)
        await press(pilot, "h", until=lambda: advised.suggestion in text_of(app))
        assert (app.screen.name, deal.phase) == ("decision", Phase.DECISION)
        await press(pilot, "down", "enter", until=lambda: deal.phase is not Phase.DECISION)


async def test_a_teaching_match_takes_back_a_step_when_a_call_is_to_be_answered() -> None:
    async with running(alone(teaching=True)) as (pilot, app):
        await play_until(
            pilot, app, lambda: app.screen.name == "decision" and "Take back your last step" in text_of(app)
        )
        screen = table_of(app)
        before = len(screen.session._table.view(0).history)
        await press(pilot, "u", until=lambda: is_asked_at_table(app))
        assert screen.state.view.phase is not Phase.DECISION
        assert len(screen.state.view.history) < before
        assert "Taken back" in text_of(app)


async def test_a_paused_table_says_so_until_it_goes_on() -> None:
    async with played_to(alone(), Phase.PLAY) as (pilot, app, screen):
        assert f"{screen.state.view.rules.points(screen.state.view.hand)} points" in screen.status.title
        await pilot.press("z")
        assert "paused: z" in text_of(app).splitlines()[0]
        await answer(pilot, app, until=lambda: not is_asked(app))
        await press(pilot, "z", until=lambda: is_asked(app))
        assert "paused" not in text_of(app)


async def test_between_people_a_call_and_a_throw_are_taken_back_until_somebody_has_answered_or_looked() -> None:
    async with between(together(), "callers") as (pilot, app, screen):
        await press(pilot, "u", until=lambda: "There is nothing to take back in this deal." in text_of(app))
        caller = next(choice for choice in screen.choices if choice.value.doing is CurtainAction.LOOK)
        await press(pilot, "c", caller.key, until=lambda: app.screen.name == "curtain")
        name = table_of(app).session.names[caller.value.seat]
        assert f"u   Take back {name}'s call" in text_of(app)
        await press(pilot, "u", until=lambda: app.screen.name == "callers")
        assert not any(isinstance(event, Called) for event in match_of(app).deal.history)

        # The first person at the keyboard draws and throws; the others are asked whether they call.
        await answer(pilot, app, until=lambda: is_asked_at_table(app))
        await pilot.press("d")
        table = table_of(app)
        await wait_until(pilot, lambda: table.state.view.phase is Phase.PLAY and is_asked(app))
        await pilot.press(*("left" if table.hand.cursor_card == JOKER else ()), "x")
        await wait_until(pilot, lambda: app.screen.name == "callers")
        thrower = table.session.names[table.session._table.match.deal.discarded_by]
        assert f"u   Take back {thrower}'s discard" in text_of(app)
        looks = next(choice for choice in app.screen.choices if choice.value.doing is CurtainAction.LOOK)
        await press(pilot, looks.key, until=lambda: app.screen.name == "peek")
        await press(pilot, "enter", until=lambda: app.screen.name == "callers")
        assert "Take back" not in text_of(app)
        steps = len(table.client.public.history)
        await press(pilot, "u", until=lambda: "Somebody has looked at a hand since" in text_of(app))
        assert len(table.client.public.history) == steps


async def test_no_hint_while_the_curtain_is_up() -> None:
    async with running(app_at_table(plan("Ann", "Bob", "ai:club"))) as (pilot, app):
        await wait_until(pilot, lambda: app.screen.name in ("curtain", "callers", "first-look"))
        table_of(app).run_command("hint")
        await pilot.pause()
        assert "Hint:" not in text_of(app)
        assert table_of(app)._notice is None
        with pytest.raises(Refused, match="No hand is open"):
            table_of(app).state.why_no_hand()
