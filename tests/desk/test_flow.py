"""The flow of a match in the app, with a stage that shows nothing."""

from __future__ import annotations

from unittest.mock import AsyncMock, MagicMock

from kalooki_tui.desk.flow import Flow
from kalooki_tui.desk.plan import Speed
from kalooki_tui.engine.view import View
from kalooki_tui.players import LOST, make_player
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.thinker import WorkerLost
from kalooki_tui.rulesets.loader import resolve
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.table.simulation import single_deal
from kalooki_tui.table.table import Table, TableSetup


class Fragile:
    """Thinks, but is lost over every decision of a master."""

    def __init__(self) -> None:
        self.lost = 0

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision, or none."""
        if level == "master":
            self.lost += 1
            raise WorkerLost
        return make_player(level, seed).decide(view)


def a_stage() -> MagicMock:
    stage = MagicMock()
    for name in ("opened", "dealt", "first_look", "deal_over", "match_over"):
        setattr(stage, name, AsyncMock())
    return stage


async def test_where_the_process_that_thinks_is_lost_the_expert_goes_on() -> None:
    game = resolve(single_deal(resolve("baby"), 1), (), 3)
    table = Table.open(TableSetup(game, parse_seats(["ai:master", "ai:novice", "ai:master"]), 3))
    told: list[str] = []
    table.hear(told.append)
    thinker = Fragile()
    await Flow(table, thinker, a_stage(), Speed.INSTANT).run()
    assert table.match.finished
    assert (told, thinker.lost) == ([LOST], 1)


def test_a_pause_outlasts_a_step_taken_back_and_what_is_done_after_it() -> None:
    game = resolve(single_deal(resolve("baby"), 1), (), 3)
    for pauses in (False, True):
        table = Table.open(TableSetup(game, parse_seats(["Ann", "Bob", "Cat"]), 3))
        flow = Flow(table, Fragile(), a_stage(), Speed.INSTANT)
        flow.set_paused(pauses)
        flow.hold()
        assert flow.waits
        actor = table.match.actor
        assert actor is not None
        table.apply(table.match.view(actor).legal[0])
        assert (flow.paused, flow.waits) == (pauses, pauses)
