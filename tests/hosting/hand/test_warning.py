import asyncio
from typing import Any

import pytest

from kalooki_tui.engine.view import Phase
from kalooki_tui.hosting.hand.front import HandFront
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import AskCalls, MatchPlan, Speed
from kalooki_tui.storage.journal import unwritten
from tests.moments import CALLED
from tests.session.fronts import InThisProcess


@pytest.mark.parametrize(("teaching", "taps"), [(True, 2), (False, 1)])
async def test_in_a_teaching_match_a_dear_answer_is_tapped_twice(teaching: bool, taps: int) -> None:
    position = read_position(CALLED, "called")
    rules, plans = position.rules, (SeatPlan("Ann"), SeatPlan("Bob", "ai:club"), SeatPlan("Cat", "ai:club"))
    plan = MatchPlan(seats=plans, speed=Speed.INSTANT, ask_calls=AskCalls.ALWAYS, teaching=teaching)
    setup = TableSetup(rules.ruleset, plans, position.seed, rules.referee, rules.settings)
    table = Table(setup, set_up(position), plans)
    session, sent = MatchSession(plan, unwritten(table), InThisProcess()), list[dict[str, Any]]()
    place = session.sit((0,))
    front = HandFront(place, plan, sent.append, lambda: None)
    serving = asyncio.ensure_future(place.serve(front))
    session.begin()
    try:
        for tap in range(taps):
            async with asyncio.timeout(30):
                while front._posed is None or front._posed.answer.done():
                    await asyncio.sleep(0.01)
            assert table.match.phase is Phase.DECISION
            assert any("Tap it again to allow it." in str(one.get("told")) for one in sent) == bool(tap)
            front.choose_way(0)
        async with asyncio.timeout(30):
            while table.match.phase is Phase.DECISION:
                await asyncio.sleep(0.01)
    finally:
        place.leave()
        serving.cancel()
