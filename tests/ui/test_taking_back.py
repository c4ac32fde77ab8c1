"""Steps taken back, and advice."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.hinting import hint
from kalooki_tui.desk.table.prompt import paused_words
from kalooki_tui.engine.actions import Allow, Draw, Refuse, Source
from kalooki_tui.engine.events import Called
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.passing import Doing
from kalooki_tui.ui.screens.table import TableScreen
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import (
    AppAtPosition,
    alone,
    app_at_table,
    burst,
    is_asked,
    match_of,
    plan,
    press,
    table_of,
    text_of,
    together,
    wait_until,
)
from tests.ui.driving import answer, play_until
from tests.ui.openings import asked, between, played_to, running

PAUSED = "AI seats wait until you press z again."
MAY_TAKE = Draw(0, Source.DISCARD)


def may_take(screen: TableScreen) -> bool:
    return any(isinstance(action, Draw) and action.source is Source.DISCARD for action in screen.desk.view.legal)


async def test_a_card_taken_from_the_pile_is_put_back() -> None:
    async with played_to(alone(), Phase.DRAW, may_take) as (pilot, app, screen):
        await press(pilot, "]", "]")
        before, order = screen.desk.view, screen.hand.cards
        await press(pilot, "t", until=lambda: screen.desk.view.phase is Phase.PLAY)
        await press(pilot, "u", until=lambda: is_asked(app) and screen.desk.view.phase is Phase.DRAW)
        assert screen.desk.view == before
        assert screen.hand.cards == order
        assert "Taken back" in text_of(app)
        # A pause of the player's own outlasts the next one that is taken back.
        await press(pilot, "z", "t", until=lambda: screen.desk.view.phase is Phase.PLAY)
        await press(pilot, "u", until=lambda: is_asked(app) and screen.desk.view.phase is Phase.DRAW)
        assert screen.sitting.paused
        await press(pilot, "z", "d", until=lambda: screen.desk.view.phase is Phase.PLAY)
        assert screen.sitting.paused is False


async def test_a_card_from_the_stock_stays_drawn() -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        await press(pilot, "d", until=lambda: screen.desk.view.phase is Phase.PLAY)
        after = screen.desk.view
        assert not next(entry for entry in screen.bar.keys if entry.name == "undo").enabled
        await press(pilot, "u")
        assert "A new card has been seen since" in " ".join(text_of(app).split())
        assert screen.desk.view == after


async def test_a_teaching_match_takes_back_what_others_did_since() -> None:
    app = alone(teaching=True)
    async with played_to(app, Phase.PLAY) as (pilot, _, screen):
        before = screen.desk.view
        await answer(pilot, app, until=lambda: is_asked(app) and screen.desk.view.phase is not Phase.PLAY)
        assert len(screen.desk.view.history) > len(before.history)
        for _ in range(5):
            if screen.desk.view == before:
                break
            assert isinstance(app.screen, TableScreen)
            await press(pilot, "u", until=lambda: is_asked(app))
        assert screen.desk.view == before
        await pilot.pause(0.2)
        assert screen.desk.view == before


async def test_what_was_taken_back_stays_so_after_a_resume() -> None:
    async with played_to(alone(), Phase.DRAW, may_take) as (pilot, app, screen):
        before = screen.desk.view
        await press(pilot, "t", until=lambda: screen.desk.view.phase is Phase.PLAY)
        await press(pilot, "u", until=lambda: screen.desk.view == before)
    async with running(KalookiApp(thinker=Thinks())) as (pilot, app):
        await wait_until(pilot, lambda: "Continue" in text_of(app))
        await press(pilot, "c", until=lambda: is_asked(app))
        assert table_of(app).desk.view == before


async def test_a_hint_says_what_and_why() -> None:
    app = alone()
    async with played_to(app, Phase.PLAY, size=(100, 24)) as (pilot, _, screen):
        before = screen.desk.view
        await press(pilot, "h", until=lambda: "Hint: " in text_of(app))
        assert screen.desk.view == before
        expected = hint(before)
        assert expected.nudge in text_of(app)
        await press(pilot, "h", until=lambda: f"{expected.suggestion[:-1]} (x)." in text_of(app))
        assert expected.reason[:40] not in text_of(app)
        await press(pilot, "h", until=lambda: expected.reason[:40] in text_of(app))
        assert expected.suggestion[:-1] in text_of(app)


CALLED = """
ruleset: jamaican
dealer: Cat
turn: Ann
phase: decision
caller: Bob
seats:
  - {name: Ann, hand: 5C 5D 7S 7H 9C JD QD 2S 3S}
  - {name: Bob, hand: 2C 3C 4D 4H 6S 6D 9H 10H JC}
  - {name: Cat, hand: 4S 8D 10D 2H QC KC KD AS AC}
discard: 5H
"""


async def test_advice_on_a_call_before_it_is_answered() -> None:
    async with asked(AppAtPosition(CALLED), "decision") as (pilot, app):
        view = table_of(app).sitting._table.view(0)
        await press(pilot, "h", until=lambda: "Hint: " in text_of(app))
        assert app.screen.name == "decision"
        advised = hint(view)
        assert isinstance(advised.action, Allow | Refuse)
        assert advised.nudge in text_of(app)
        await press(pilot, "h", until=lambda: advised.suggestion in text_of(app))
        await pilot.press("a" if isinstance(advised.action, Allow) else "r")
        await wait_until(pilot, lambda: app.screen.name != "decision")
        assert match_of(app).phase is not Phase.DECISION


async def test_a_call_keeps_its_words_and_no_enter_answers_it() -> None:
    async with asked(AppAtPosition(CALLED), "decision") as (pilot, app):
        deal = match_of(app).deal
        assert "from the contract" in text_of(app), "how far the hand is is wanted now"
        for key, told in (("enter", "Press a or r"), ("u", "so nothing can be taken back")):
            await press(pilot, key, until=lambda told=told: told in " ".join(text_of(app).split()))
            assert "calls" in text_of(app)
            assert "5♥" in text_of(app)
            assert deal.phase is Phase.DECISION
        await press(pilot, "down", "enter", until=lambda: deal.phase is not Phase.DECISION)


@pytest.mark.parametrize("key", ["a", "r"])
async def test_a_second_key_of_one_burst_closes_nothing_more(key: str) -> None:
    async with asked(AppAtPosition(CALLED), "decision") as (pilot, app):
        burst(app, key * 3)
        await wait_until(pilot, lambda: table_of(app).is_current)
        await pilot.pause(0.1)
        assert table_of(app).is_current
        assert match_of(app).phase is not Phase.DECISION


async def test_a_teaching_match_takes_back_a_step_when_a_call_is_to_be_answered() -> None:
    async with running(alone(teaching=True)) as (pilot, app):
        await play_until(
            pilot, app, lambda: app.screen.name == "decision" and "Take back your last step" in text_of(app)
        )
        screen = table_of(app)
        before = len(screen.sitting._table.view(0).history)
        await press(pilot, "u", until=lambda: isinstance(app.screen, TableScreen) and is_asked(app))
        assert screen.desk.view.phase is not Phase.DECISION
        assert len(screen.desk.view.history) < before
        assert "Taken back" in text_of(app)


async def test_a_paused_table_says_so_until_it_goes_on() -> None:
    async with played_to(alone(), Phase.PLAY) as (pilot, app, screen):
        assert f"{screen.desk.view.rules.points(screen.desk.view.hand)} points" in screen.status.title
        await pilot.press("z")
        assert "paused: z" in text_of(app).splitlines()[0]
        await answer(pilot, app, until=lambda: not is_asked(app))
        await press(pilot, "s", "escape")
        assert screen.status.prompt == paused_words()
        await pilot.press("v")  # says something else there
        assert screen.status.prompt != paused_words()
        assert "paused: z" in text_of(app).splitlines()[0]
        await press(pilot, "z", until=lambda: is_asked(app))
        assert paused_words() not in text_of(app)
        assert "paused" not in text_of(app)


def test_a_hint_names_what_is_not_worth_having() -> None:
    useless = read_position(CALLED.replace("discard: 5H", "discard: 10S"))
    given = hint(set_up(useless).view(0))
    assert given.steps == ("Bob wants 10♠. Do you?", "Allow it.", "10♠ leaves you 4 away, where you are now.")


async def test_a_new_moment_begins_with_its_question_again() -> None:
    app = alone()
    async with played_to(app, Phase.DRAW, size=(100, 24)) as (pilot, _, screen):
        await press(pilot, "h", until=lambda: "Hint: " in text_of(app))
        await press(pilot, "h", until=lambda: hint(screen.desk.view).suggestion[:-1] in text_of(app))
        await press(pilot, "d", until=lambda: screen.desk.view.phase is Phase.PLAY)
        await press(pilot, "h", until=lambda: hint(screen.desk.view).nudge in text_of(app))


async def thrown_by_somebody(pilot: Pilot[None], app: KalookiApp) -> TableScreen:
    """The first person at the keyboard draws and throws; the others are asked whether they call."""
    await answer(pilot, app, until=lambda: isinstance(app.screen, TableScreen) and is_asked(app))
    await pilot.press("d")
    table = table_of(app)
    await wait_until(pilot, lambda: table.desk.view.phase is Phase.PLAY and is_asked(app))
    await pilot.press(*("left" if table.hand.cursor_card == JOKER else ()), "x")
    await wait_until(pilot, lambda: app.screen.name == "callers")
    return table


async def test_between_people_a_throw_is_taken_back_until_somebody_has_answered() -> None:
    async with between(together(), "callers") as (pilot, app, _):
        table = await thrown_by_somebody(pilot, app)
        deal = table.sitting._table.match.deal
        thrower = table.sitting.names[deal.discarded_by]
        assert f"u   Take back {thrower}'s discard" in text_of(app)
        await press(pilot, "u", until=lambda: app.screen.name == "curtain")
        assert f"Taken back: {thrower}'s discard." in text_of(app)
        assert f"{thrower}: it is your turn" in text_of(app)
        assert table.sitting._table.match.phase is Phase.PLAY


async def test_between_people_a_throw_stays_once_somebody_has_looked_and_the_key_says_so() -> None:
    async with between(together(), "callers") as (pilot, app, _):
        table = await thrown_by_somebody(pilot, app)
        screen = app.screen
        looks = next(choice for choice in screen.choices if choice.value.doing is Doing.LOOK)
        await press(pilot, looks.key, until=lambda: app.screen.name == "peek")
        await press(pilot, "enter", until=lambda: app.screen.name == "callers")
        assert "Take back" not in text_of(app)
        steps = len(table.place.public.history)
        await press(pilot, "u", until=lambda: "Somebody has looked at a hand since" in text_of(app))
        assert len(table.place.public.history) == steps


async def test_between_people_a_call_is_taken_back_before_it_is_answered() -> None:
    async with between(together(), "callers") as (pilot, app, screen):
        caller = next(choice for choice in screen.choices if choice.value.doing is Doing.LOOK)
        await press(pilot, "c", caller.key, until=lambda: app.screen.name == "curtain")
        name = table_of(app).sitting.names[caller.value.seat]
        assert f"u   Take back {name}'s call" in text_of(app)
        await press(pilot, "u", until=lambda: app.screen.name == "callers")
        assert not any(isinstance(event, Called) for event in match_of(app).deal.history)


async def test_the_key_that_takes_back_is_never_silent_between_people() -> None:
    async with between(together(), "callers") as (pilot, app, screen):
        await press(pilot, "u", until=lambda: "There is nothing to take back in this deal." in text_of(app))
        assert app.screen is screen


async def test_no_hint_while_the_curtain_is_up() -> None:
    async with running(app_at_table(plan("Ann", "Bob", "ai:club"))) as (pilot, app):
        await wait_until(pilot, lambda: app.screen.name in ("curtain", "callers", "first-look"))
        table_of(app).run_command("hint")
        await pilot.pause()
        assert "Hint:" not in text_of(app)
        assert table_of(app)._notice is None
        with pytest.raises(Refused, match="No hand is open"):
            table_of(app).desk.why_no_hand()


@pytest.mark.parametrize("key", ["u", "h"])
async def test_keys_that_are_not_open_say_why(key: str) -> None:
    async with running(app_at_table(plan("ai:club", "ai:club", "ai:club"))) as (pilot, app):

        def says_why() -> bool:
            # Not before the deal's announcement has gone: until then the table takes no keys.
            screen = table_of(app)
            screen.run_command("undo" if key == "u" else "hint")
            return "No hand is open" in str(screen._notice)

        await wait_until(pilot, says_why)
