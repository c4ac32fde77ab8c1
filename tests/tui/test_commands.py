from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from textual.events import MouseScrollDown

from kalooki_tui import tui as ui
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Discarded, Drew, History
from kalooki_tui.engine.view import Phase
from kalooki_tui.presenter.recap import last_round
from kalooki_tui.presenter.sentences import LogLine
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from kalooki_tui.tui.widgets.status import LogView
from scripts.scenes import middle
from tests.commands import Golden
from tests.tui import samples
from tests.tui.conftest import is_asked, press, table_of, text_of, wait_until
from tests.tui.openings import AppAtPosition, alone, asked, at_table, played_to


def screens(kind: type = GameScreen) -> list[type[GameScreen]]:
    return [found for one in kind.__subclasses__() for found in (one, *screens(one))]


def test_every_screen_defines_its_keys_as_commands(golden: Golden) -> None:
    for module in walk_packages(ui.__path__, f"{ui.__name__}."):
        import_module(module.name)  # screens are imported when they are opened: all of them now
    kinds = [kind for kind in screens() if kind.__module__.startswith(ui.__name__) and "OFFERED" in kind.__dict__]
    assert len(kinds) >= 14
    known: dict[str, str] = {}
    told: list[str] = []
    for kind in sorted(kinds, key=str):
        told += [f"── {kind.__name__}", *(f"{one.keys} · {one.label} · {one.sentence}" for one in kind.OFFERED)]
        keys = [key for command in kind.OFFERED for key in command.keys.split(",")]
        assert len(keys) == len(set(keys)), kind
        for command in kind.OFFERED:
            if command.name != "close":
                assert known.setdefault(command.name, command.keys) == command.keys, command.name
        assert {binding.action for _, binding in kind._merged_bindings} >= {
            f"command('{command.name}')" for command in kind.OFFERED
        }
    golden("tui-keys", "\n".join(told))


def test_the_last_round_is_a_turn_of_each_seat_and_what_is_on() -> None:
    turns = [Discarded(seat % 3, card) for seat, card in enumerate(range(7))]
    view = samples.view("baby", 3, 1, history=History([*turns, Drew(1, Source.STOCK, None)]))
    assert last_round(view) == [*turns[-3:], Drew(1, Source.STOCK, None)]


async def test_a_fault_keeps_the_match_and_is_written_down(home: Any) -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):

        async def broken() -> None:
            raise RuntimeError("on purpose")

        screen.session._flow._step = broken
        await press(pilot, "d", until=lambda: app.screen.name == "fault")
        assert "error in the program" in text_of(app)
        assert "Traceback" not in text_of(app)
        assert "on purpose" in (home / "faults.log").read_text()
        del screen.session._flow._step
        await press(pilot, "r", until=lambda: is_asked(app))
        assert table_of(app).state.view.phase is Phase.PLAY


async def test_a_refusal_gives_way_to_what_the_table_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.tui.screens.table.MOMENT", 0.3)
    async with asked(alone()) as (pilot, app):
        await press(pilot, "a", until=lambda: app.screen.name == "table" and is_asked(app))
        assert "✕" not in text_of(app)
        await press(pilot, "w", until=lambda: "✕" in text_of(app))
        await wait_until(pilot, lambda: "✕" not in text_of(app))


def playing() -> AppAtPosition:
    """Ann's turn to play, eleven cards in her hand and three melds on the table."""
    return AppAtPosition(middle("Ann", "play"))


async def test_at_the_table_keys_stay_with_the_hand_and_pointer_and_wheel_with_what_lies_under_them() -> None:
    async with at_table(playing()) as (pilot, app, table):
        # A click on the table leaves the keys with the hand.
        for clicked in ("MeldsView", "LogView", "PilesView"):
            region = app.screen.query_one(clicked).region
            table.hand.clear_selection()
            table.hand.move_cursor(0)
            # The last cell has felt under it in each of them.
            await pilot.click(offset=(region.right - 2, region.bottom - 1))
            await pilot.press("K", "space")
            assert table.hand.has_focus, clicked
            assert table.state.view.rules.faces.symbols(table.hand.selected) == "K♦", clicked

        # The wheel scrolls what lies under it.
        table.log_view.set_lines([LogLine(f"line {number}", False) for number in range(60)])
        await pilot.pause()
        x, y = table.log_view.region.offset
        app.screen._forward_event(MouseScrollDown(None, x + 3, y, 0, 1, 0, False, False, False))
        await wait_until(pilot, lambda: table.log_view.scroll_y > 0)
        assert table.hand.has_focus

        # Keys for cards work wherever the focus is and say where there is no such card.
        for focused in (LogView, MeldsView, None):
            table.hand.clear_selection()
            table.hand.move_cursor(0)
            app.screen.set_focus(None if focused is None else app.screen.query_one(focused))
            await pilot.press("7")
            card, order = table.hand.cursor_card, table.hand.cards
            assert table.state.view.rules.faces.symbol(card) == "7♣"
            await pilot.press("right_square_bracket")
            assert table.hand.cards != order
            if focused is not MeldsView:
                await pilot.press("space")
                assert table.hand.selected == (card,)
        # Keys that a widget uses itself stay its own.
        table.hand.move_cursor(2)
        table.melds.focus()
        await pilot.press("right")
        assert table.hand.cursor == 2
        assert table.melds.cursor_meld == 1
