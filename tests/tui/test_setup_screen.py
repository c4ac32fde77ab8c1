"""The form for a new match: it opens whatever the last set-up was, at a glance, and waits until it is filled."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widget import AwaitMount, Widget
from textual.widgets import Checkbox, Input, Select, Static

from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.plan import (
    MatchPlan,
    Speed,
    fitted,
    people_of,
    usual_seats,
    with_count,
)
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.question import AskLine
from kalooki_tui.tui.screens.setup import SetupScreen
from kalooki_tui.tui.widgets.fields import OWN, Fold, Form, SeatRow
from tests.tui.conftest import burst, go, has_table, is_asked, match_of, press, table_of, text_of, wait_until
from tests.tui.openings import at_home, choose, form, put

BOTH = '"You", "ai:club"'


def players(seats: tuple[SeatPlan, ...]) -> list[str]:
    return [f"{seat.name}={seat.player}" for seat in seats]


@pytest.mark.parametrize(
    ("last", "seats", "says"),
    [
        (f'ruleset = "tuluki"\nseats = ["Ann", {BOTH}, "Bob"]', "Ann Player 2", "Changed to fit Tuluki: seats."),
        ('ruleset = "no-such"\nseats = ["Ann", "Bob"]', "You Ada Bea Cy", None),
    ],
)
async def test_the_form_opens_whatever_the_last_set_up_was(last: str, seats: str, says: str | None, home: Path) -> None:
    (home / "settings.toml").write_text(f"[last]\n{last}\n")
    async with at_home(size=(100, 50)) as (pilot, app):
        await press(pilot, "n", until=lambda: app.screen.name == "setup" and app.screen.query("#fold-rules"))
        await pilot.pause(0.1)
        screen = app.screen
        names = [screen.query_one(f"#name-{seat}", Input).value for seat in range(len(screen.query(".seat")))]
        assert " ".join(names) == seats
        assert not any(box.value for box in screen.query(Checkbox) if str(box.id).startswith("option-"))
        if says is not None:
            assert says in text_of(app)
        else:
            assert "set otherwise" not in text_of(app)
        await press(pilot, "ctrl+s", until=lambda: is_asked(app) and app.screen.name != "setup")


def test_a_plan_is_fitted_to_its_game() -> None:
    jamaican, kooky = load_ruleset("jamaican"), load_ruleset("kooky")
    six = parse_seats(["Ann", "ai:club", "Bob", "ai:novice", "Cat", "Dot"])
    whole = MatchPlan("jamaican", six, ("third-pack",), Referee.PENALTIES, {"bad_lay": 100, "race": True})
    assert fitted(whole, jamaican, ["Zoe"]) == (whole, ()), "what fits is left as it is"
    for one, other in [(name, other) for name, option in jamaican.options.items() for other in option.excludes]:
        kept, changed = fitted(MatchPlan("jamaican", usual_seats(jamaican), (one, other, one)), jamaican)
        assert other not in kept.options
        assert changed == ("options",)
    classic = MatchPlan("classic", usual_seats(jamaican), referee=Referee.PENALTIES, settings={"race": 3, "more": 1})
    assert fitted(classic, load_ruleset("classic"))[1] == ("settings", "referee")
    plan, changed = fitted(MatchPlan(), jamaican, ["Ada", "Zoe"])
    assert players(plan.seats) == ["Ada=human", "Bea=ai:club", "Cy=ai:club", "Dot=ai:club"]
    assert not changed
    most = max(kooky.seat_counts)
    seats = with_count([SeatPlan("Ann")], most + 1)
    plan, changed = fitted(MatchPlan("kooky", seats, first_turn=most), kooky)
    assert (len(plan.seats), plan.first_turn, changed[0]) == (most, 0, "seats"), "who begins is one of those left"
    seats = with_count([SeatPlan("ada"), SeatPlan("Cy", "ai:novice")], 4)
    assert players(seats) == ["ada=human", "Cy=ai:novice", "Bea=ai:club", "Dot=ai:club"], "names that nobody has"
    assert with_count(seats, 1) == seats[:1]


async def test_while_the_form_opens_nothing_begins() -> None:
    async with at_home() as (pilot, app):
        app.go(routes.set_up())
        screen = app.screen
        assert screen.is_opening
        screen.start()
        await wait_until(pilot, lambda: not screen.is_opening)
        assert app.screen is screen


async def test_a_program_that_ends_while_the_form_comes_up_leaves_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    mount_all = Form.mount_all

    def ends(form: Form, fields: Iterable[Widget]) -> AwaitMount:
        form.app.exit()
        return mount_all(form, fields)

    monkeypatch.setattr(Form, "mount_all", ends)
    async with at_home() as (pilot, app):
        await go(pilot, app, routes.set_up(), lambda: not app.is_running)
    assert app.fault is None


async def test_names_are_typed_one_after_another_and_one_that_will_not_do_is_refused_in_words() -> None:
    async with form() as (pilot, app, screen):
        problem, field = screen.query_one("#problem", Static), screen.query_one("#name-0", Input)
        player = screen.query_one("#player-1", Select)
        # Of several people nobody is just you.
        assert field.value == "You"
        player.value = "human"
        await wait_until(pilot, lambda: field.value == "Player 1")
        assert "seat 1 is Player 1 now" in text_of(app)
        field.value = "You"
        await press(pilot, "ctrl+s", until=lambda: "everybody needs a name" in text_of(app))
        assert (app.screen, app.focused) == (screen, field)
        # Enter leads to the next name, and an AI seat gives its own to a person.
        player.value = "ai:club"
        problem.update("")
        field.value = "x"
        field.action_select_all()
        await pilot.press(*"Ann", "enter", *"Bob", "enter", *"cy", "enter")
        await wait_until(pilot, lambda: [seat.name for seat in screen.seats] == ["Ann", "Bob", "cy", "Ada"])
        assert people_of(screen.seats) == 3
        assert str(problem.content) == ""
        for name, why in (("Ann:", "holds a colon"), ("bob", "differ only in capital"), ("", "needs a name")):
            field.value = name
            await wait_until(pilot, lambda why=why: why in str(problem.content))
        app.set_focus(field)
        app.post_message(Paste("\x1b[31m\n\t"))
        await wait_until(pilot, lambda: "cannot be printed" in str(problem.content))


async def test_what_is_typed_stays_while_seats_come_and_go_and_a_game_too_small_gives_way() -> None:
    async with form() as (pilot, app, screen):
        people = screen.query_one("#people", Select)
        assert app.focused is people
        screen.query_one("#name-0", Input).value = "Zoe"
        for chosen, value, game, count, words in (
            ("people", 5, "jamaican", 5, ""),
            ("ruleset", "tuluki", "tuluki", 2, ""),
            ("people", 10, "trinidad", 10, "Tuluki"),
            ("ruleset", "kalookie-40", "kalookie-40", 5, "no room for"),
        ):
            await choose(pilot, screen, chosen, value)
            assert (screen.query_one("#ruleset", Select).value, people_of(screen.seats)) == (game, count)
            assert words in str(screen.query_one("#problem", Static).content)
            assert [row.plan.name for row in screen.query(SeatRow)][:2] == ["Zoe", "Player 2"]
        assert app.focused is people, "its list was not made anew"


async def test_an_option_leaves_out_what_does_not_go_with_it() -> None:
    async with form() as (pilot, _, screen):
        await choose(pilot, screen, "ruleset", "liverpool")
        screen.query_one("#fold-options", Fold).collapsed = False
        await wait_until(pilot, lambda: screen.query("#option-must-use"))
        for option in ("no-throw-back", "must-use"):
            await put(screen, {f"option-{option}": True})
            await wait_until(pilot, lambda option=option: screen.read().options == (option,))
        said = str(screen.query_one("#problem", Static).content)
        assert said == "Must use and No throw back do not go together: No throw back is left out now."


async def test_what_is_pasted_while_a_line_is_asked_for_is_its_text() -> None:
    async with at_home() as (pilot, app):
        typed: list[object] = []
        app.overlays.show(AskLine("A file", "Which?", "", ""), typed.append)
        app.post_message(Paste("match.kal"))
        burst(app, ("s", "enter"))
        await wait_until(pilot, lambda: typed == ["match.kals"])


async def test_a_seat_at_an_own_screen_leads_to_the_app_that_hosts() -> None:
    async with form() as (pilot, app, screen):
        await choose(pilot, screen, "people", 3)
        await put(screen, {"player-1": OWN, "player-2": OWN, "player-3": OWN})
        await wait_until(pilot, lambda: screen.query_one("#name-3", Input).value == "")
        await put(screen, {"player-3": "ai:club", "name-3": "Cy"})
        await wait_until(pilot, lambda: screen.query_one("#name-2", Input).value == "")
        assert screen.query_one("#name-2", Input).placeholder == "whoever comes"
        await put(screen, {"answer-seconds": 20, "name-1": "Bob"})
        await press(pilot, "ctrl+s", until=lambda: app.onward is not None)
        assert app.onward.name == "hosted"
        assert app.onward.arguments[0].own_screens == ("Bob", "")
        assert app.onward.arguments[0].answer_seconds == 20
        assert app.store.summaries() == [], "it begins when they have come"


async def test_folded_parts_are_opened_and_passed_by_keys_say_what_is_unusual_and_show_a_wrong_field() -> None:
    async with form() as (pilot, app, screen):
        assert screen.form.max_scroll_y == 0, "who, which game and the start are seen at once"
        screen.query_one("#ruleset").focus()
        await pilot.press("down", "down", "down", "down")
        assert app.focused is screen.query_one("#people"), "nothing that is folded away is gone to"
        await press(pilot, "up", "enter", until=lambda: "Rules           as usual · enter closes" in text_of(app))
        await press(pilot, "down", until=lambda: app.focused is screen.query_one("#referee"))
        await put(screen, {"teaching": True, "speed": Speed.INSTANT, "setting-race": True, "option-six-jokers": True})
        await put(screen, {"house-deals": "1-3", "house-calls": "2", "house-doubling": "none", "name-0": "Kid"})
        await put(screen, {"handicap": "Kid=-50", "referee": Referee.PENALTIES, "seed": "12"})
        for fold in screen.query(Fold):
            fold.collapsed = True
        await wait_until(pilot, lambda: "penalties referee" in text_of(app))
        shown = text_of(app)
        assert "▸ Table           teaching match, AI moves instant, fastest call wins" in shown
        assert "▸ Options         Six jokers" in shown
        assert "▸ Rules           penalties referee, games 1-3, 2 calls, Kid=-50, " in shown
        plan = screen.read()
        assert plan.options == ("six-jokers", "deals=1-3", "calls=2", "doubling=none")
        assert plan.settings["handicap"] == (-50, 0, 0, 0)

        field, rules = screen.query_one("#house-deals", Input), screen.query_one("#fold-rules", Fold)
        field.value, rules.collapsed = "12", True
        await press(pilot, "ctrl+s", until=lambda: app.focused is field)
        assert "are not deals of Jamaican Kalooki" in str(screen.query_one("#problem", Static).content)
        assert not rules.collapsed
        field.value = "1-3"

        await press(pilot, "ctrl+s", until=lambda: has_table(app))
        match = match_of(app)
        assert (table_of(app).session.setup.seed, match.rules.settings.race) == (12, True)
        assert match.totals[match.names.index("Kid")] == -50


def test_keys_that_browsers_keep_are_never_the_only_ones() -> None:
    kept = {"ctrl+n", "ctrl+p", "ctrl+q", "ctrl+s", "ctrl+t", "ctrl+w"}
    for command in SetupScreen.OFFERED:
        assert set(command.keys.split(",")) - kept, command.name
