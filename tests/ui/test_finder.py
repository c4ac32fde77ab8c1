"""The command palette in a hurry: keys that come before its list is drawn, clicks on what it no longer lists."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import monotonic
from typing import ClassVar
from unittest.mock import MagicMock

from rich.cells import cell_len
from rich.style import Style
from textual.app import App, ComposeResult
from textual.events import Click
from textual.widgets import OptionList

from kalooki_tui.desk.commands import COMMANDS, HAND, MELDS, Command, choose
from kalooki_tui.ui.screens.base import ScreenCommands, Shown
from kalooki_tui.ui.screens.dialogs import FoundList
from kalooki_tui.ui.screens.question import Question, Quiet
from tests.ui.conftest import press, text_of
from tests.ui.openings import at_home, running


class Listing(App[None]):
    """A list of two commands, for which there is no room yet."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[int] = []

    def compose(self) -> ComposeResult:
        found = FoundList("Sort", "Group")
        found.styles.height = 0
        yield found

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.chosen.append(event.option_index)


async def test_pages_are_turned_before_there_are_any() -> None:
    async with running(Listing()) as (pilot, app):
        found = app.query_one(FoundList)
        found.styles.padding = 0
        found.highlighted = 1
        found.action_page_down()
        found.action_page_up()
        await pilot.pause()
        assert found.highlighted == 1


async def test_a_click_on_a_command_that_is_listed_no_more_chooses_nothing() -> None:
    async with running(Listing()) as (pilot, app):
        found = app.query_one(FoundList)
        for place in (0, 2):
            style = Style(meta={"option": place})
            found.post_message(Click(found, 0, 0, 0, 0, 1, False, False, False, 0, 0, style))
        await pilot.pause()
        assert app.chosen == [0]


async def test_the_palette_lists_what_the_keys_of_hand_and_melds_do() -> None:
    screen, hand, melds = MagicMock(), MagicMock(), MagicMock()
    commands, of_hand, of_melds = (
        [replace(command, why=lambda at: None) for command in some] for some in (COMMANDS, HAND, MELDS)
    )
    screen.offered, screen.within = commands, [(hand, of_hand), (melds, of_melds)]
    screen.run_within = partial(Shown.run_within, screen)
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


async def test_the_palette_lists_only_what_can_be_done_now() -> None:
    screen, part = MagicMock(), MagicMock()
    shut = replace(COMMANDS[0], why=lambda at: choose("", "Not now."))
    free = replace(COMMANDS[1], why=lambda at: None)
    screen.offered, screen.within = [shut, free], [(part, [replace(HAND[0], why=lambda at: choose("", "Not now."))])]
    assert [str(hit.help) async for hit in ScreenCommands(screen).discover()] == [free.sentence]


async def test_the_palette_lies_in_the_frame_that_questions_have_and_shows_no_emoji() -> None:
    async with at_home() as (pilot, app):
        await press(pilot, "f2", until=lambda: app.screen.name == "finder" and "New match (n)" in text_of(app))
        assert "╭─ What can be done now" in text_of(app)
        assert all(cell_len(character) == 1 for character in text_of(app) if character != "\n")


class Sudden(Question):
    """A page that has come by itself, and hears no key yet."""

    OFFERED = (Command("go-on", "enter", "Go on", "Go on.", lambda at: at.done.append("gone on")),)
    is_live: ClassVar[bool] = True
    quiet = Quiet.AT_FIRST
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
