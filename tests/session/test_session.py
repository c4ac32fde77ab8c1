from __future__ import annotations

import asyncio
import random
from functools import partial

import pytest

from kalooki_tui.engine.actions import Draw, Pass, Source
from kalooki_tui.engine.events import Dealt, Discarded, Passed
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Table
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import LOST, PlayerChoice, make_player
from kalooki_tui.players.thinker import WorkerLost
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.client import NotHere, QuestionKind
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import MatchPlan, Speed, plan_of
from kalooki_tui.storage.journal import unwritten
from kalooki_tui.storage.match_store import Store
from tests.moments import there
from tests.session.fronts import ClubFront, InThisProcess, play_out, session_of


class Fragile:
    """Thinks, but is lost over every decision of a master."""

    def __init__(self) -> None:
        self.lost = 0

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        if level == "master":
            self.lost += 1
            raise WorkerLost
        return make_player(level, seed).decide(view)


async def test_where_the_process_that_thinks_is_lost_the_expert_goes_on() -> None:
    thinker = Fragile()
    table, session = session_of("ai:master", "ai:novice", "ai:master", thinker=thinker)
    front = ClubFront(session.sit())
    await play_out(front)
    assert table.match.finished
    assert ([one for one in front.notices if not one.startswith("(")], thinker.lost) == ([LOST], 1)


async def test_of_several_actions_those_before_the_first_that_is_refused_are_taken() -> None:
    table, session = session_of("Ann", "Bob", "Cat")
    place = session.sit()
    first = there(table.match.actor)
    assert place.act(Pass(first), Pass(first), Pass((first + 1) % 3)) is not None
    assert table.match.deal.history[1:] == [Passed(first)]


async def test_a_pause_outlasts_a_step_taken_back_and_what_is_done_after_it() -> None:
    for pauses in (False, True):
        plan = plan_of("baby", ["Ann", "Bob", "Cat"], 3, [])
        table = plan.open()
        with Store.open() as store, store.begin(table, teaching=True) as live:
            session = MatchSession(plan, live, InThisProcess())
            place = session.sit()
            session.set_paused(pauses)
            actor = there(table.match.actor)
            assert place.act(Pass(actor)) is None
            assert place.undo() == ""
            assert session.waits
            assert place.act(Pass(actor)) is None
            assert (session.paused, session.waits) == (pauses, pauses)


async def test_a_place_cannot_name_the_view_of_somebody_elsewhere() -> None:
    table, session = session_of("Ann", "Bob", "ai:club")
    ann, bob = session.sit([0]), session.sit([1])
    assert sorted(ann.view(0).hand) == sorted(table.match.deal.hands[0])
    for seat in (1, 2):
        draw = Draw(seat, Source.STOCK)
        asked = (partial(ann.view, seat), partial(ann.act, draw), partial(ann.why_not, draw))
        for ask in (*asked, partial(ann.kept_order, seat), partial(ann.keep_order, seat, (), ())):
            with pytest.raises(NotHere):
                ask()
    assert bob.public == ann.public
    assert (ann.public.hand, ann.public.legal, ann.open_hands()) == ((), (), [])


async def test_what_a_place_and_its_session_offer_by_name_shows_no_hand() -> None:
    plan = plan_of("baby", ["Ann", "Bob", "ai:club"], 3, [])
    table = plan.open()
    with Store.open() as store, store.begin(table) as live:
        session = MatchSession(plan, live, InThisProcess())
        place = session.sit([0])
        shown = [getattr(one, name) for one in (place, session) for name in dir(one) if not name.startswith("_")]
        values = [value for value in shown if not callable(value)]
        assert len(values) > 20
        hands = {tuple(sorted(hand)) for hand in table.match.deal.hands}
        assert not any(isinstance(value, Table) or _holds(value, hands) for value in values)


def _holds(value: object, hands: set[tuple[int, ...]]) -> bool:
    """Whether a value, a view or the lines of a record, holds one of these hands."""
    if isinstance(value, View):
        return bool(value.hand)
    if isinstance(value, tuple) and value and all(isinstance(one, int) for one in value):
        return tuple(sorted(value)) in hands
    return isinstance(value, tuple) and any('"hands"' in one for one in value if isinstance(one, str))


async def test_each_person_sits_at_one_place_and_a_seat_of_an_ai_at_none() -> None:
    _, session = session_of("Ann", "Bob", "ai:club")
    session.sit([0])
    with pytest.raises(ValueError, match="at another place"):
        session.sit()
    with pytest.raises(ValueError, match="no person plays seat 2"):
        session.sit([2])


def a_plan(ruleset: str, referee: Referee) -> MatchPlan:
    """Three people at three places, or two in the game for two, and AI seats as far as there is room."""
    counts = load_ruleset(ruleset).seat_counts
    count = min(counts, key=lambda number: abs(number - 4))
    names = ("Ann", "Bob", "Cat")[: min(3, count)]
    seats = parse_seats((*names, *["ai:novice"] * (count - len(names))))
    return MatchPlan(ruleset=ruleset, seats=seats, seed=7, speed=Speed.INSTANT, referee=referee)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("ruleset", ["baby", "kalookie-40", "kooky", "trinidad", "tuluki"])
async def test_three_places_play_a_whole_match_and_each_hears_everything(ruleset: str) -> None:
    referee = Referee.PENALTIES if ruleset in ("jamaican", "tuluki", "trinidad", "kooky") else Referee.STRICT
    plan = a_plan(ruleset, referee)
    table = plan.open()
    session = MatchSession(plan, unwritten(table), InThisProcess())
    fronts = [ClubFront(session.sit([seat]), "novice") for seat in table.people]
    await play_out(*fronts)
    assert table.match.finished
    assert len(fronts[0].events) > 50
    for front in fronts:
        assert front.events == fronts[0].events, "everybody is told the same, and no hidden card"
        seats = {seat for question in front.asked for seat in question.seats}
        assert seats == {front.client.here[0]}


async def test_two_at_one_screen_and_one_elsewhere_play_together() -> None:
    table, session = session_of("Ann", "Bob", "Cat", "ai:novice")
    children, grandmother = ClubFront(session.sit([0, 2])), ClubFront(session.sit([1]))
    await asyncio.wait_for(play_out(children, grandmother), 60)
    assert table.match.finished
    assert any(question.ask is QuestionKind.LOOK for question in children.asked)
    assert not any(question.ask is QuestionKind.LOOK for question in grandmother.asked), "nobody shares her screen"


async def test_whoever_goes_is_waited_for_and_plays_on_from_any_place() -> None:
    plan = a_plan("baby", Referee.STRICT)
    table, dice = plan.open(), random.Random(20261123)
    session = MatchSession(plan, unwritten(table), InThisProcess())
    host = ClubFront(session.sit([0]))
    comings = 0

    async def comes_and_goes(seat: int) -> None:
        nonlocal comings
        while not table.match.finished:
            place = session.sit([seat])
            comings += 1
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(place.serve(ClubFront(place)), dice.uniform(0.002, 0.03))
            place.leave()
            await asyncio.sleep(dice.uniform(0, 0.005))

    guests = [asyncio.ensure_future(comes_and_goes(seat)) for seat in table.people[1:]]
    await asyncio.wait_for(play_out(host), 120)
    await asyncio.gather(*guests)
    assert table.match.finished
    assert comings > 6
    told = [event for event in host.events if isinstance(event, Dealt | Discarded)]
    assert sum(isinstance(event, Dealt) for event in told) >= 2


async def test_a_fault_at_one_place_leaves_the_others_alone_and_is_asked_again() -> None:
    table, session = session_of("Ann", "Bob", "Cat")
    fronts = [ClubFront(session.sit([seat])) for seat in table.people]

    async def breaks() -> None:
        raise RuntimeError("on purpose")

    others = asyncio.ensure_future(play_out(*fronts[1:]))
    with pytest.raises(RuntimeError, match="on purpose"):
        await asyncio.wait_for(
            fronts[0].client.serve(ClubFront(fronts[0].client, on=dict.fromkeys(QuestionKind, breaks))), 30
        )
    assert not others.done()
    await asyncio.wait_for(play_out(fronts[0]), 60)
    await asyncio.wait_for(others, 60)
    assert table.match.finished
