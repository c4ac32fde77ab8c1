import errno
from collections.abc import Sequence
from pathlib import Path

import pytest

from kalooki_tui.engine.view import Phase
from kalooki_tui.session.plan import Speed
from kalooki_tui.storage.match_file import MatchFile
from kalooki_tui.storage.match_store import open_store
from kalooki_tui.storage.player.settings_file import SettingsFile
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.question import HelpScreen
from kalooki_tui.tui.tableside import questions
from kalooki_tui.wording import ASCII
from tests.drivers.disk import Disk
from tests.drivers.keyboard import Thinks
from tests.storage.tables import change_head
from tests.tui.conftest import has_table, is_asked, press, table_of, text_of, wait_until
from tests.tui.driving import play_to
from tests.tui.openings import alone, asked, at_home, plan, played_to, running
from tests.tui.test_replay import played_out


async def test_at_a_disk_that_does_not_answer_keys_that_only_look_work_and_no_card_is_seen_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = Disk(monkeypatch)
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        await wait_until(pilot, lambda: is_asked(app))
        disk.hold()
        cards, events = screen.hand.cards, len(screen.client.public.history)
        await press(pilot, "d")
        assert "The last step is still being written to the disk" in text_of(app)
        await press(pilot, "question_mark", until=lambda: isinstance(app.screen, HelpScreen))
        await press(pilot, "escape", until=lambda: app.screen is screen)
        await press(pilot, "d", "x", "u")
        assert "The last step is still being written to the disk" in text_of(app)
        assert (screen.hand.cards, len(screen.client.public.history)) == (cards, events)
        disk.answer()
        await wait_until(pilot, lambda: len(screen.hand.cards) == len(cards) + 1)
        assert len(screen.client.public.history) == events + 1
        assert "being written" not in text_of(app)


async def test_a_match_goes_on_at_the_very_decision() -> None:
    async with played_to(alone(), Phase.PLAY) as (pilot, app, screen):
        await press(pilot, "]", "]", "v")
        order, view, speed = screen.hand.cards, screen.state.view, screen.session.speed
        assert speed is not Speed.INSTANT
        await press(pilot, "q")
        assert "It is saved" in text_of(app)
        await press(pilot, "y", until=lambda: app.screen.name == "home-screen")
    async with running(KalookiApp(thinker=Thinks())) as (pilot, app):
        await wait_until(pilot, lambda: "Continue" in text_of(app))
        assert "deal 1 of 3" in text_of(app)
        await press(pilot, "c", until=lambda: is_asked(app))
        screen = table_of(app)
        assert screen.state.view == view
        assert screen.hand.cards == order
        assert screen.session.speed is speed
        assert screen.log_view.lines


async def test_a_match_played_in_another_window_cannot_be_opened() -> None:
    with open_store() as other:
        live = other.begin(plan("Ann", "ai:club", "ai:club").open())
        async with at_home() as (pilot, app):
            assert "Continue" not in text_of(app)
            await press(pilot, "m", until=lambda: "being played in another window" in text_of(app))
            await press(pilot, "enter")
            assert app.screen.name == "matches"
            assert "cannot be opened here" in str([n.message for n in app._notifications])
            live.close()
            await press(pilot, "enter")
            assert app.screen.name == "matches"
            app.screen.read()
            await press(pilot, "enter", until=lambda: has_table(app))


async def test_play_goes_on_where_the_journal_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):

        def full(self: MatchFile, lines: Sequence[str]) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(MatchFile, "write", full)
        await press(pilot, "d", until=lambda: screen.state.view.phase is Phase.PLAY)
        assert "not being saved: No space left on device" in text_of(app)
        await press(pilot, "q")
        assert "saved up to where saving failed" in text_of(app)
        await press(pilot, "n")
        monkeypatch.undo()
        await press(pilot, "x", "x", until=lambda: "not being saved" not in text_of(app))
        assert screen.session._live.unsaved == 0


async def test_matches_are_exported_imported_and_deleted(tmp_path: Path) -> None:
    played_out()
    async with at_home() as (pilot, app):
        assert "Matches: 1 watched" in text_of(app)
        await press(pilot, "m", until=lambda: "won by" in text_of(app))
        file = tmp_path / "match.jsonl"
        await press(pilot, "e", until=lambda: app.screen.name == "ask-file")
        app.screen.query_one("#line").value = str(file)
        await press(pilot, "enter", until=file.exists)
        change_head(file, lambda head: head.update(home="elsewhere"))
        await press(pilot, "i", until=lambda: app.screen.name == "ask-file")
        app.screen.query_one("#line").value = str(file)
        await press(pilot, "enter", until=lambda: "imported" in text_of(app))
        assert len(app.store.lists().finished) == 2
        await press(pilot, "x", until=lambda: app.screen.name == "question")
        await press(pilot, "y", until=lambda: len(app.store.lists().finished) == 1)


async def test_what_is_changed_holds_at_once_and_the_next_time() -> None:
    async with at_home() as (pilot, app):
        await press(pilot, "o", until=lambda: app.screen.name == "settings")
        await press(pilot, "t", "4", "m", "b", "s")
        assert app.theme == "kalooki-midnight"
        assert app.look.four_colours
        assert app.animation_level == "none"
        assert "midnight" in text_of(app)
        await pilot.press("escape")
    kept = SettingsFile.load().settings
    assert kept.theme == "kalooki-midnight"
    assert kept.four_colour
    assert not kept.bell
    async with at_home() as (pilot, app):
        assert app.theme == "kalooki-midnight"
        assert app.look.four_colours
        app.theme = "kalooki-contrast"  # as the palette sets it
        await wait_until(pilot, lambda: SettingsFile.load().settings.theme == "kalooki-contrast")


async def test_in_the_middle_of_a_match_ascii_leaves_no_other_glyph_and_its_speed_is_changed() -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        await press(pilot, "comma", until=lambda: app.screen.name == "settings")
        await press(pilot, "a", "escape", until=lambda: app.screen is screen)
        await wait_until(pilot, lambda: text_of(app).isascii())
        shown = text_of(app)
        assert not set(shown) & set(ASCII)
        await press(pilot, "comma", until=lambda: app.screen.name == "settings")
        await press(pilot, "a", "s", "escape", until=lambda: app.screen is screen and not text_of(app).isascii())
        assert screen.session.speed is Speed.BRISK, "the speed of the match changes with the setting"
        assert screen.session._live.ui_state["speed"] == "brisk"


async def test_a_broken_file_is_reported_by_its_line_and_left_alone(home: Path) -> None:
    file = home / "settings.toml"
    broken = 'theme = "kalooki-paper"\nbell = "loud"\n'
    file.write_text(broken)
    async with asked(KalookiApp(routes.new_match(plan("Ann", "ai:club", "ai:club")), Thinks())) as (_, app):
        told = [notice.message for notice in app._notifications]
        assert any("settings.toml:2" in message and "bell" in message for message in told), told
        assert app.theme == "kalooki-paper"
    assert file.read_text() == broken
    async with at_home() as (_, app):
        app.set(four_colour=True)
    assert SettingsFile.load().settings.four_colour
    (aside,) = home.glob("settings.damaged-*.toml")
    assert aside.read_text() == broken
    file.write_text('theme = "plaid"\n')
    async with at_home() as (_, app):
        assert any("no theme 'plaid'" in notice.message for notice in app._notifications)


async def test_the_bell_rings_for_the_persons_turn_unless_it_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "SECOND_RING", 0.001)  # it comes before the next key
    async with played_to(alone(), Phase.PLAY) as (pilot, app, screen):
        rung: list[Phase] = []
        app.bell = lambda: rung.append(screen.session._table.match.phase)
        await play_to(pilot, app, Phase.DRAW)
        assert Phase.DRAW in rung
        assert set(rung) <= {Phase.DRAW, Phase.DECISION, Phase.CALL_WINDOW}
        for bell in (True, False):
            app.set(bell=bell)
            await play_to(pilot, app, Phase.CALL_WINDOW)
            await pilot.pause(0.1)
            rung.clear()
            screen.questions.ask(0)
            await pilot.pause(0.1)
            assert len(rung) == 2 * bell, "a card that may be called rings twice"
