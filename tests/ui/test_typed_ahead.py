"""What is typed ahead: keys of one burst do what they do one by one; what costs something is never done by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.engine.view import Phase
from kalooki_tui.ui import routes, typed_ahead
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.table import TableScreen
from tests.ui.conftest import alone, burst, match_of, plan, table_of, text_of, wait_until
from tests.ui.openings import at_home, form, played_to


async def has_settled(pilot: Pilot[None], app: KalookiApp) -> None:
    """Wait until all keys have done their work and what they opened is drawn."""
    done: list[bool] = []
    app.call_later(app.ahead.when_done, lambda: done.append(True))
    await wait_until(pilot, lambda: done)
    await pilot.pause(0.1)


async def shown_by(keys: Sequence[str], *, slowly: bool) -> tuple[list[str | None], str]:
    """Which screens lie on each other, and what is seen, after keys on the first screen."""
    async with at_home() as (pilot, app):
        for group in [[key] for key in keys] if slowly else [keys]:
            burst(app, group)
            await has_settled(pilot, app)
        return [screen.name for screen in app.screen_stack], text_of(app)


@pytest.mark.parametrize(
    "keys",
    [
        ["n", "tab", "enter", "down", "enter"],
        ["m", "question_mark", "down"],
        ["l", "down", "down"],
        ["z", "down"],
        ["y", "down", "down"],
        ["o", "down", "down", "down"],
        ["t", "tab"],
        ["r", "down", "enter", "down"],
        ["r", "down", "enter", "down", "escape", "escape", "down"],
        ["o", "escape", "t", "escape", "m", "escape", "down", "down"],
        ["question_mark", "escape", "z", "escape", "down"],
        ["ctrl+p", *"settings", "enter", "down"],
        ["m", "escape", "n", "escape", "down", "enter"],
    ],
    ids="-".join,
)
async def test_a_burst_on_the_first_screen_does_what_its_keys_do_one_by_one(keys: list[str]) -> None:
    assert await shown_by(keys, slowly=False) == await shown_by(keys, slowly=True)


async def test_a_match_is_set_up_and_begun_in_one_burst() -> None:
    async with at_home() as (pilot, app):
        people = ("3", "enter", "tab", "tab", *"Ann", "tab", "tab", "tab", *"Zoe", "tab", "tab", "tab", *"Cat")
        burst(app, ["n", *people, "ctrl+s"])
        await wait_until(pilot, lambda: any(isinstance(one, TableScreen) for one in app.screen_stack))
        assert [seat.name for seat in table_of(app).plan.seats][:3] == ["Ann", "Zoe", "Cat"]


async def test_what_is_pasted_behind_the_key_of_the_form_goes_to_its_field() -> None:
    async with at_home() as (pilot, app):
        burst(app, ["n", "tab", "tab"])
        app.post_message(Paste("Beatrice"))
        await has_settled(pilot, app)
        assert app.screen.query_one("#name-0", Input).value == "Beatrice"


async def test_what_is_typed_before_there_is_a_table_plays_no_card() -> None:
    async with at_home() as (pilot, app):
        app.go(routes.new_match(replace(plan("Ann", "ai:club", "ai:club"), speed=Speed.INSTANT)))
        burst(app, ["d", "L", "x", "x"])
        await wait_until(pilot, lambda: not table_of(app).is_opening)
        await has_settled(pilot, app)
        history = match_of(app).deal.history
        assert not any(getattr(event, "seat", None) == 0 for event in history)


async def test_what_is_typed_before_there_is_an_exercise_answers_nothing() -> None:
    async with at_home() as (pilot, app):
        burst(app, ["z", "enter", "1", "enter"])
        await wait_until(pilot, lambda: app.screen.name == "session")
        await has_settled(pilot, app)
        assert app.screen.stage == "exercise"
        assert not app.screen.told.content


@pytest.mark.parametrize(
    ("keys", "top"),
    [
        (["question_mark", "down", "escape", "d"], "table"),
        (["comma", "down", "escape", "s", "escape", "d"], "table"),
        (["i", "down", "escape", "d"], "table"),
        (["ctrl+p", "escape", "d"], "table"),
        (["ctrl+p", *"scores"], "finder"),
        (["q", "escape", "d"], "table"),
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
        assert (screen.desk.view.phase is Phase.PLAY) == ("d" in keys)
        if top == "finder":
            assert app.screen.query_one(Input).value == "scores"


async def test_keys_go_on_where_a_screen_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_ahead, "LONGEST", 0.1)
    async with at_home() as (pilot, app):
        monkeypatch.setattr(type(app.screen), "is_opening", True)
        burst(app, ["down"])
        await has_settled(pilot, app)
        assert app.screen.current == 1


async def test_what_ends_the_program_does_not_wait() -> None:
    async with at_home() as (pilot, app):
        app.go(routes.set_up())
        burst(app, ["ctrl+q"])
        await wait_until(pilot, lambda: app.screen.name == "question")


@pytest.mark.parametrize("typed", ["д", "あ"])
async def test_once_it_is_said_that_keys_are_latin_letters_but_not_where_something_is_written(typed: str) -> None:
    async with form() as (pilot, app, screen):
        screen.query(Input).first().focus()
        await pilot.press(typed)
        assert screen.query(Input).first().value.endswith(typed)
        assert not app._notifications
        screen.set_focus(None)
        await pilot.press("é", typed, typed)
        [told] = app._notifications
        assert told.message == f"Keys are Latin letters, and {typed} is none: switch your keyboard."
