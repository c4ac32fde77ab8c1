"""What is typed ahead: keys of one burst do what they do one by one; what costs something is never done by one."""

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import ClassVar
from unittest.mock import MagicMock

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.style import Style
from textual.app import App, ComposeResult
from textual.events import Click, Paste
from textual.pilot import Pilot
from textual.widgets import Input

from kalooki_tui.engine.view import Phase
from kalooki_tui.presenter.commands import COMMANDS, HAND, MELDS, Command
from kalooki_tui.session.plan import Speed
from kalooki_tui.tui import app as app_module
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.base import GameScreen, ScreenCommands
from kalooki_tui.tui.screens.question import FoundList, QuestionDialog, QuietPeriod
from tests.tui.conftest import burst, has_table, match_of, press, table_of, text_of, wait_until
from tests.tui.openings import alone, at_home, plan, played_to, running


async def has_settled(pilot: Pilot[None], app: KalookiApp) -> None:
    """Wait until all keys have done their work and what they opened is drawn."""
    done: list[bool] = []
    app.call_later(app.when_quiet, lambda: done.append(True))
    await wait_until(pilot, lambda: done)
    await pilot.pause(0.1)


async def shown_by(keys: Sequence[str], *, slowly: bool) -> tuple[list[str | None], str]:
    """Which screens lie on each other, and what is seen, after keys on the first screen."""
    async with at_home() as (pilot, app):
        for group in [[key] for key in keys] if slowly else [keys]:
            burst(app, group)
            await has_settled(pilot, app)
        return [screen.name for screen in app.screen_stack], text_of(app)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    "keys",
    [
        ["m", "question_mark", "down"],
        ["r", "down", "enter", "down", "escape", "escape", "down"],
        ["o", "escape", "t", "escape", "m", "escape", "down", "down"],
        ["ctrl+p", *"settings", "enter", "down"],
    ],
    ids="-".join,
)
async def test_a_burst_on_the_first_screen_does_what_its_keys_do_one_by_one(keys: list[str]) -> None:
    assert await shown_by(keys, slowly=False) == await shown_by(keys, slowly=True)


async def test_a_match_is_set_up_and_begun_in_one_burst() -> None:
    async with at_home() as (pilot, app):
        people = ("3", "enter", "tab", "tab", *"Ann", "tab", "tab", "tab", *"Zoe", "tab", "tab", "tab", *"Cat")
        burst(app, ["n", *people, "tab", "tab", "tab"])
        app.post_message(Paste("Beatrice"))
        burst(app, ["ctrl+s"])
        await wait_until(pilot, lambda: has_table(app))
        assert [seat.name for seat in table_of(app).plan.seats] == ["Ann", "Zoe", "Cat", "Beatrice"]


async def test_what_is_typed_before_there_is_an_exercise_or_a_table_does_nothing_there() -> None:
    async with at_home() as (pilot, app):
        # The palette lies in the frame that questions have and shows no emoji.
        await press(pilot, "f2", until=lambda: app.screen.name == "finder" and "New match (n)" in text_of(app))
        assert "╭─ What can be done now" in text_of(app)
        assert all(cell_len(character) == 1 for character in text_of(app) if character != "\n")
        await press(pilot, "escape", until=lambda: app.screen.name == "home-screen")
        # What is typed before there is an exercise answers nothing.
        burst(app, ["z", "enter", "1", "enter"])
        await wait_until(pilot, lambda: app.screen.name == "session")
        await has_settled(pilot, app)
        assert app.screen.stage == "exercise"
        assert not app.screen.told.content
        app.go(routes.home())
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        # What is typed before there is a table plays no card.
        app.go(routes.new_match(replace(plan("Ann", "ai:club", "ai:club"), speed=Speed.INSTANT)))
        burst(app, ["d", "L", "x", "x"])
        await wait_until(pilot, lambda: not table_of(app).is_opening)
        await has_settled(pilot, app)
        history = match_of(app).deal.history
        assert not any(getattr(event, "seat", None) == 0 for event in history)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("keys", "top"),
    [
        (["question_mark", "down", "escape", "d"], "table"),
        (["comma", "down", "escape", "s", "escape", "i", "escape", "d"], "table"),
        (["question_mark", "escape", "comma", "down"], "settings"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
async def test_a_burst_at_the_table_goes_through_what_it_opens(keys: list[str], top: str) -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        burst(app, keys)
        await has_settled(pilot, app)
        assert app.screen.name == top
        assert table_of(app) is screen
        assert (screen.state.view.phase is Phase.PLAY) == ("d" in keys)


async def test_keys_go_on_where_a_screen_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "LONGEST", 0.1)
    async with at_home() as (pilot, app):
        monkeypatch.setattr(type(app.screen), "is_opening", True)
        burst(app, ["down"])
        await has_settled(pilot, app)
        assert app.screen.current == 1


async def test_once_it_is_said_that_keys_are_latin_letters_but_not_where_something_is_written() -> None:
    async with at_home() as (pilot, app):
        app.go(routes.set_up())
        screen = app.screen
        # What ends the program does not wait for the form.
        burst(app, ["ctrl+q"])
        await wait_until(pilot, lambda: app.screen.name == "question")
        await press(pilot, "n", until=lambda: app.screen is screen and screen.query("#fold-rules"))
        screen.query(Input).first().focus()
        await pilot.press("д")
        assert screen.query(Input).first().value.endswith("д")
        assert not app._notifications
        screen.set_focus(None)
        await pilot.press("é", "д", "あ")
        [told] = app._notifications
        assert told.message == "Keys are Latin letters, and д is none: switch your keyboard."


class Listing(App[None]):
    """A list of two commands, for which there is no room yet."""

    def compose(self) -> ComposeResult:
        found = FoundList("Sort", "Group")
        found.styles.height = found.styles.padding = 0
        yield found


async def test_pages_are_turned_before_there_are_any_and_a_click_on_a_line_that_has_gone_chooses_nothing() -> None:
    async with running(Listing()) as (pilot, app):
        found = app.query_one(FoundList)
        found.highlighted = 1
        found.action_page_down()
        found.action_page_up()
        found.post_message(Click(found, 0, 0, 0, 0, 1, False, False, False, 0, 0, Style(meta={"option": 2})))
        await pilot.pause()
        assert found.highlighted == 1


async def test_the_palette_lists_what_the_keys_of_hand_and_melds_do() -> None:
    screen, hand, melds = MagicMock(), MagicMock(), MagicMock()
    commands, of_hand, of_melds = (
        [replace(command, why=lambda at: None) for command in some] for some in (COMMANDS, HAND, MELDS)
    )
    screen.offered, screen.within = commands, [(hand, of_hand), (melds, of_melds)]
    screen.run_within = partial(GameScreen.run_within, screen)
    found = {str(hit.help): hit async for hit in ScreenCommands(screen).discover()}
    for command in (*COMMANDS, *HAND, *MELDS):
        assert f"{command.label} ({command.shown})" == str(found[command.sentence].display)
    screen.is_live = False
    found["To the first card."].command()
    hand.go_to.assert_not_called()
    screen.is_live = True
    found["To the first card."].command()
    hand.go_to.assert_called_once_with(0)
    found["Choose the meld under the cursor."].command()
    melds.focus.assert_called_once_with()
    melds.choose.assert_called_once_with()


class Sudden(QuestionDialog):
    """A page that has come by itself, and hears no key yet."""

    OFFERED = (Command("go-on", "enter", "Go on", "Go on.", lambda at: at.done.append("gone on")),)
    is_live: ClassVar[bool] = True
    quiet = QuietPeriod.AT_FIRST
    within = ()

    def __init__(self) -> None:
        self.done: list[str] = []
        self._hears_from = monotonic() + 3600


async def test_what_is_chosen_over_a_page_that_hears_no_key_yet_is_done() -> None:
    page = Sudden()
    page.run_command("go-on")
    assert page.done == []
    (found,) = [hit async for hit in ScreenCommands(page).discover()]
    found.command()
    assert page.done == ["gone on"]
