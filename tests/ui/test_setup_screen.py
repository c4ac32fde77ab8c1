"""The form for a new match: it opens whatever the last set-up was, and waits until it is filled."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import MouseScrollUp
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input, Select, Static

from kalooki_tui.desk.fitting import fitted, with_count
from kalooki_tui.desk.plan import MatchPlan, usual_seats
from kalooki_tui.desk.words import SETTING_WORDS
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.loader import SETTING_MEANINGS, load_ruleset
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.setup import SetupScreen
from tests.ui.conftest import Thinks, is_asked, text_of, wait_until

BOTH = '"You", "ai:club"'


def players(seats: tuple[SeatPlan, ...]) -> list[str]:
    return [f"{seat.name}={seat.player}" for seat in seats]


@pytest.mark.parametrize(
    ("last", "seats", "says"),
    [
        ("first_turn = 9", "You Ada Bea Cy", None),
        (f'ruleset = "jamaican"\nseats = [{BOTH}]', "You Ada Bea", "Jamaican Kalooki is set otherwise: seats."),
        (f'ruleset = "tuluki"\nseats = ["Ann", {BOTH}, "Bob"]', "Ann You", "Tuluki is set otherwise: seats."),
        (
            f'ruleset = "kooky"\nseats = [{BOTH}, "ai:club"]\noptions = ["nonsense"]\nfirst_turn = 2',
            "You Ada Bea",
            "set otherwise: options.",
        ),
        (f'ruleset = "kooky"\nseats = ["[/x]", {BOTH}]\nfirst_turn = 9', "[/x] You Ada", None),
        (
            'ruleset = "air-jamaica"\noptions = ["six-jokers"]\nseats = ["Ann", "ai:club", "Bob", "ai:novice", "Cat"]',
            "Ann Ada Bob Bea Cat",
            "set otherwise: options.",
        ),
        (f'ruleset = "classic"\nseats = [{BOTH}, "ai:club"]\nreferee = "penalties"', "You Ada Bea", "referee."),
        (
            f'seats = [{BOTH}, "ai:club"]\n[last.settings]\nbad_lay = 7\nrace = 3\nmax_redeals = true\nmore = 1',
            "You Ada Bea",
            "set otherwise: settings.",
        ),
        ('seats = ["[/x]", "[red]=ai:club", "ai:club"]\nruleset = "jamaican"', "[/x] [red] Ada", None),
        ('seats = ["Ann", "ai:club", "exec:/bin/cat [/x]"]\nruleset = "jamaican"', "Ann Ada Bea", None),
        ('ruleset = "no-such"\nseats = ["Ann", "Bob"]', "You Ada Bea Cy", None),
        ('seats = ["A  B"]', "You Ada Bea Cy", None),
    ],
)
async def test_the_form_opens_whatever_the_last_set_up_was(
    last: str, seats: str, says: str | None, own_home: Path
) -> None:
    (own_home / "settings.toml").write_text(f"[last]\n{last}\n")
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(100, 50)) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        await pilot.press("n")
        await wait_until(pilot, lambda: app.screen.name == "setup" and app.screen.query("#seed"))
        await pilot.pause(0.1)
        screen = app.screen
        names = [screen.query_one(f"#name-{seat}", Input).value for seat in range(len(screen.query(".seat")))]
        assert names == seats.split()
        assert screen.query_one("#count", Select).value == len(names)
        for first in screen.query("#first-turn").results(Select):
            assert first.value in range(len(names))
        assert not any(box.value for box in screen.query(Checkbox) if str(box.id).startswith("option-"))
        if says is not None:
            assert says in text_of(app)
        else:
            assert "set otherwise" not in text_of(app)
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: is_asked(app) and app.screen.name != "setup")


@pytest.mark.parametrize(
    "last",
    [
        "first_turn = 9",
        'seats = ["You", "ai:club", "ai:club"]\nfirst_turn = 9\nruleset = "kooky"',
        'seats = ["You", "ai:club"]',
        'seats = ["You", "ai:club", "ai:club"]\noptions = ["nonsense"]',
        'seats = ["You", "ai:club", "ai:club"]\nreferee = "penalties"\nruleset = "classic"',
        'seats = ["You", "ai:club", "ai:club"]\n[last.settings]\nrace = 3',
    ],
)
async def test_playing_again_says_what_cannot_be_or_plays(last: str, own_home: Path) -> None:
    (own_home / "settings.toml").write_text(f"[last]\n{last}\n")
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(100, 50)) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        await pilot.press("p")
        await wait_until(pilot, lambda: app.screen.name != "home-screen" or app._notifications)


def test_what_fits_is_left_as_it_is() -> None:
    plan = MatchPlan(
        "jamaican",
        parse_seats(["Ann", "ai:club", "Bob", "ai:novice", "Cat", "Dot"]),
        ("third-pack",),
        Referee.PENALTIES,
        {"bad_lay": 100, "race": True},
    )
    assert fitted(plan, load_ruleset("jamaican"), ["Zoe"]) == (plan, ())


def test_options_that_exclude_each_other_are_not_both_kept() -> None:
    ruleset = load_ruleset("jamaican")
    pairs = [(name, other) for name, option in ruleset.options.items() for other in option.excludes]
    for one, other in pairs:
        kept, changed = fitted(MatchPlan("jamaican", usual_seats(ruleset), (one, other, one)), ruleset)
        assert other not in kept.options
        assert changed == ("options",)


def test_a_plan_without_seats_has_the_usual_ones_and_the_persons_name() -> None:
    plan, changed = fitted(MatchPlan(), load_ruleset("jamaican"), ["Ada", "Zoe"])
    assert players(plan.seats) == ["Ada=human", "Bea=ai:club", "Cy=ai:club", "Dot=ai:club"]
    assert not changed


def test_who_begins_is_one_of_those_that_are_left() -> None:
    ruleset = load_ruleset("kooky")
    most = max(ruleset.seat_counts)
    seats = with_count([SeatPlan("Ann")], most + 1)
    plan, changed = fitted(MatchPlan("kooky", seats, first_turn=most), ruleset)
    assert (len(plan.seats), plan.first_turn) == (most, 0)
    assert changed[0] == "seats"


def test_seats_are_added_by_names_that_nobody_has() -> None:
    seats = with_count([SeatPlan("ada"), SeatPlan("Cy", "ai:novice")], 4)
    assert players(seats) == ["ada=human", "Cy=ai:novice", "Bea=ai:club", "Dot=ai:club"]
    assert with_count(seats, 1) == seats[:1]


async def test_nothing_begins_before_the_form_is_filled() -> None:
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        app.set_up()
        screen = app.screen
        assert isinstance(screen, SetupScreen)
        screen.start()
        await wait_until(pilot, lambda: screen.query("#seed"))
        assert app.screen is screen


async def form(pilot: Pilot[None], app: KalookiApp) -> SetupScreen:
    """The form, filled."""
    await wait_until(pilot, lambda: app.screen.name == "home-screen")
    app.set_up()
    await wait_until(pilot, lambda: app.screen.name == "setup" and app.screen.query("#seed"))
    await pilot.pause(0.1)
    assert isinstance(app.screen, SetupScreen)
    return app.screen


async def test_at_eighty_columns_the_form_says_that_it_goes_on_and_the_keys_lead_to_every_field() -> None:
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await form(pilot, app)
        await wait_until(pilot, lambda: "▼ more below" in text_of(app))
        for _ in range(40):
            if app.focused is not None and app.focused.id == "teaching":
                break
            await pilot.press("down")
        await pilot.pause(0.1)
        assert "[ ] Teaching match" in text_of(app)
        await pilot.press("space")
        await pilot.pause()
        assert "[x] Teaching match" in text_of(app)
        screen.query_one("#seed").focus()
        await wait_until(pilot, lambda: screen.form.scroll_y == screen.form.max_scroll_y > 0)
        await pilot.pause(0.1)
        assert "▲ more above" in text_of(app)
        screen.form._on_mouse_scroll_up(MouseScrollUp(screen.form, 5, 5, 0, -1, 0, False, False, False))
        await wait_until(pilot, lambda: screen.form.scroll_y < screen.form.max_scroll_y)


async def test_every_switch_shows_by_a_sign_that_it_is_on() -> None:
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(100, 60)) as pilot:
        screen = await form(pilot, app)
        boxes = [*screen.query(Checkbox)]
        assert {"setting-race", "teaching", "curtain"} <= {box.id for box in boxes}
        for box in boxes:
            if not box.disabled:
                box.value = True
        await pilot.pause()
        shown = text_of(app)
        assert [box.label.plain for box in boxes if not box.disabled and f"[x] {box.label.plain}" not in shown] == []


async def test_the_form_speaks_in_plain_words() -> None:
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(100, 60)) as pilot:
        await form(pilot, app)
        shown = text_of(app)
        assert "Fastest call wins" in shown
        assert "Cards run out" in shown
        assert not any(word in shown for word in ("void", "Max redeals", "Race", "Bad lay"))
    assert set(SETTING_WORDS) == set(SETTING_MEANINGS)


async def test_a_name_that_will_not_do_is_refused_while_it_is_typed() -> None:
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await form(pilot, app)
        problem = screen.query_one("#problem", Static)
        field = screen.query_one("#name-0", Input)
        for name, why in (("Ann:", "holds a colon"), ("ada", "differ in nothing but capital"), ("", "needs a name")):
            field.value = name
            await wait_until(pilot, lambda why=why: why in str(problem.content))
            assert why in text_of(app)
        field.value = "Ann"
        await wait_until(pilot, lambda: str(problem.content) == "")


async def test_a_name_typed_over_an_ai_seat_is_a_persons() -> None:
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await form(pilot, app)
        field, player = screen.query_one("#name-1", Input), screen.query_one("#player-1", Select)
        assert str(player.value).startswith("ai:")
        field.focus()
        field.value = "Zoe"
        await wait_until(pilot, lambda: player.value == "human")
        # Who wants an AI seat of that name has the last word.
        player.value = "ai:club"
        field.value = "Zoes"
        await pilot.pause(0.1)
        assert player.value == "ai:club"
        assert screen.query_one("#player-2", Select).value != "human"
