import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.events import Called
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.tui.screens.curtain import CurtainAction
from kalooki_tui.tui.screens.table import TableScreen
from tests.moments import VOID, call_window
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


async def test_a_teaching_match_takes_back_a_step_when_a_call_is_to_be_answered() -> None:
    async with running(alone(teaching=True)) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == "decision" and "Take back " in text_of(app))
        screen = table_of(app)
        before = len(screen.session._table.view(0).history)
        await press(pilot, "u", until=lambda: is_asked_at_table(app))
        assert screen.state.view.phase is not Phase.DECISION
        assert len(screen.state.view.history) < before
        assert "Taken back" in text_of(app)


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
