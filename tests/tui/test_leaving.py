"""From the start to the first action in few keys, again in two, and out of the program only after asking."""

from msgspec.structs import replace

from kalooki_tui.session.plan import Speed
from kalooki_tui.tui import routes
from tests.tui.conftest import go, has_table, is_asked, match_of, press, table_of, text_of, wait_until
from tests.tui.driving import answer, play_until
from tests.tui.openings import app_at_table, at_home, plan, put, running


async def test_the_program_is_left_only_after_asking_and_what_is_lost_is_named() -> None:
    async with at_home() as (pilot, app):
        for name, route in (
            ("home-screen", routes.home()),
            ("setup", routes.set_up()),
            ("table", routes.new_match(plan("Ann", "ai:club", "ai:club"))),
        ):
            await go(pilot, app, route, lambda name=name: name in [screen.name for screen in app.screen_stack])
            if name == "setup":
                await wait_until(pilot, lambda: bool(app.screen.query("#fold-rules")))
            elif name == "table":
                await wait_until(pilot, lambda: is_asked(app))
            before = app.screen
            await press(pilot, "ctrl+q", until=lambda: "Leave Kalooki?" in text_of(app))
            assert "not be kept" not in text_of(app)
            await press(pilot, "n", until=lambda before=before: app.screen is before)
            if name == "setup":
                await put(before, {"teaching": True})
                told = "What you have chosen here will not be kept."
                await press(pilot, "ctrl+q", until=lambda told=told: told in text_of(app))
                await press(pilot, "n", until=lambda before=before: app.screen is before)
        await press(pilot, "ctrl+q", until=lambda: "Leave Kalooki?" in text_of(app))
        await press(pilot, "y", until=lambda: not app.is_running)


async def test_three_keys_lead_to_the_first_action_and_later_two() -> None:
    async with at_home() as (pilot, app):
        app.settings_file.settings = replace(app.settings, ai_speed="instant", ask_calls="always")
        for keys in (("n", "ctrl+s"), ("p",)):
            for key in keys:
                await press(pilot, key, until=lambda: has_table(app) or bool(app.screen.query("#fold-rules")))
            await wait_until(pilot, lambda: is_asked(app))
            history = len(match_of(app).deal.history)
            await answer(pilot, app, until=lambda history=history: len(match_of(app).deal.history) > history)
            await go(pilot, app, routes.home(), lambda: app.screen.name == "home-screen")


async def test_the_end_of_a_match_leads_to_the_next_in_one_key_and_other_cards() -> None:
    async with running(app_at_table(plan("Ann", "ai:club", "ai:club", options=("deals=1",), seed=10))) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == "match-over")
        first = table_of(app)
        await press(pilot, "a", until=lambda: table_of(app) is not first and is_asked(app))
        again = table_of(app)
        assert again.session._table.plans == first.session._table.plans
        assert again.session._table.setup.seed != first.session._table.setup.seed
        assert again.plan == replace(first.plan, seed=None)
        assert again.plan.speed is Speed.INSTANT
