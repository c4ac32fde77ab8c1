"""Stepping through matches that have been played, and statistics."""

from __future__ import annotations

from kalooki_tui.desk.study.stepping import past_deals
from kalooki_tui.store.matches import open_store
from kalooki_tui.store.statistics import statistics
from kalooki_tui.table.headless import play_match
from kalooki_tui.ui import routes
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.screens.scores import facts_table
from kalooki_tui.ui.screens.statistics import everybody
from tests.store.tables import change_head, match_facts
from tests.ui.conftest import app_at_table, go, plan, press, short, text_of, wait_until
from tests.ui.openings import asked, at_home


def played(*, finished: bool = True) -> None:
    """A match in the store, by AI seats; unfinished: in the middle of its second deal."""
    with open_store() as store:
        live = store.begin(plan("ai:club", "ai:club", "ai:club").open())
        if finished:
            play_match(live.table)
        else:
            from kalooki_tui.players import make_player

            player = make_player("club", "1")
            match = live.table.match
            while match.deal.number < 2 or len(match.deal.history) < 12:
                if match.actor is None:
                    live.table.next_deal()
                else:
                    live.table.apply(player.decide(live.table.view(match.actor)).action)
        live.close()


def test_the_states_of_a_record_are_those_that_were_played() -> None:
    played()
    with open_store() as store:
        (about,) = store.lists().finished
        deals = past_deals(store.replay(about.id))
        assert [deal.name for deal in deals] == ["Deal 1 of 3", "Deal 2 of 3", "Deal 3 of 3"]
        assert tuple(deals[-1].state(-1).totals) == about.totals
        for deal in deals:
            sizes = [len(state.deal.history) for state in map(deal.state, range(len(deal)))]
            assert sizes == sorted(sizes)
            assert deal.state(-1).deal.points is not None


def test_of_a_match_that_goes_on_only_deals_that_are_over_can_be_seen() -> None:
    played(finished=False)
    with open_store() as store:
        (about,) = store.lists().unfinished
        assert [deal.name for deal in past_deals(store.replay(about.id))] == ["Deal 1 of 3"]


async def test_a_deal_is_stepped_through_forwards_and_backwards() -> None:
    played()
    async with at_home() as (pilot, app):
        await press(pilot, "m", until=lambda: app.screen.name == "matches")
        await press(pilot, "enter", until=lambda: app.screen.name == "replay")
        screen = app.screen
        await wait_until(pilot, lambda: "step 0 of" in text_of(app))
        first = text_of(app)
        assert screen.hand.cards
        await press(pilot, "right", "right", "right")
        assert screen.place == 3
        assert "step 3 of" in text_of(app)
        assert text_of(app) != first
        await press(pilot, "left", "left", "left")
        assert text_of(app) == first
        await press(pilot, "down")
        assert screen.place > 1
        await press(pilot, "end", "right")
        assert (screen.deal, screen.place) == (1, 0)
        await press(pilot, "left")
        assert "goes out" in text_of(app)
        before = screen.seat
        await press(pilot, "tab")
        assert screen.seat != before
        await press(pilot, "o")
        assert screen.hand.cards == ()
        await press(pilot, "d", until=lambda: app.screen.name == "question")
        await press(pilot, "3", until=lambda: app.screen is screen and screen.deal == 2)
        await press(pilot, "escape", until=lambda: app.screen.name == "matches")


async def test_every_key_of_a_replay_is_listed() -> None:
    played()
    async with at_home() as (pilot, app):
        await go(pilot, app, routes.replay(app.store.lists().finished[0]), lambda: isinstance(app.screen, ReplayScreen))
        await press(pilot, "?", until=lambda: app.screen.name == "help")
        assert "One step on." in text_of(app)
        assert "To the beginning of the deal." in text_of(app)
        await press(pilot, "escape", until=lambda: isinstance(app.screen, ReplayScreen))


async def test_statistics_are_shown_by_person_and_game() -> None:
    played()
    with open_store() as store:
        (about,) = store.lists().finished
        name = about.seats[0].name
        change_head(store.folder.path / f"{about.id}.jsonl", lambda head: head["seats"][0].update(player="human"))
    async with at_home(size=(80, 40)) as (pilot, app):
        await press(pilot, "t", until=lambda: "Statistics · everybody" in text_of(app))
        assert "Ratings" in text_of(app)
        assert everybody(statistics(app.store))[0].plain.splitlines()[1].strip() in text_of(app)
        await press(pilot, "right", until=lambda: f"Statistics · {name}" in text_of(app))
        shown = text_of(app)
        assert "matches 1" in shown
        assert "two sets" in shown
        assert "█" in shown
        await press(pilot, "escape", until=lambda: app.screen.name == "home-screen")


async def test_the_end_of_a_match_tells_how_everybody_played() -> None:
    async with asked(app_at_table(short("ai:club", "ai:club", "ai:club")), "match-over", size=(100, 60)) as (
        pilot,
        app,
    ):
        await wait_until(pilot, lambda: "points a deal" in text_of(app))
        (about,) = app.store.lists().finished
        facts = match_facts(app.store, about.id)
        assert facts_table(facts).plain.splitlines()[2].rstrip() in text_of(app)
        assert sum(seat.outs for seat in facts.seats) == 1
