from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import Any, Final

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, KINDS_OF_CARD
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Draw, Pass, Source
from kalooki_tui.engine.events import Dealt, Discarded, Passed
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.match.live_match import Table
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import LOST, PlayerChoice, make_player
from kalooki_tui.players.thinker import WorkerLost
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.client import NotHere, QuestionKind
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import AskCalls, MatchPlan, Speed, plan_of
from kalooki_tui.session.turn_loop import HeldReasons, WhenAsked, brings_nearer, wants_asking
from kalooki_tui.solver import useful_cards
from kalooki_tui.storage.journal import unwritten
from kalooki_tui.storage.match_store import Store
from tests.moments import there
from tests.session.fronts import ClubFront, InThisProcess, play_out, session_of
from tests.tui import samples


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


WINDOW: Final = {"phase": Phase.CALL_WINDOW, "turn": 1, "actor": 0, "melds": ()}


@pytest.mark.parametrize("seed", range(6))
def test_exactly_the_cards_that_bring_the_contract_nearer_are_asked_about(seed: int) -> None:
    chance = random.Random(seed)
    hand = tuple(chance.choices(range(JOKER), k=11))
    view = samples.view(**WINDOW)  # type: ignore[arg-type]
    asked = set()
    for card in range(KINDS_OF_CARD):
        now = replace(view, hand=hand, discard=card)
        if wants_asking(now, AskCalls.HELPS):
            asked.add(card)
    assert asked == set(useful_cards(view.rules, view.contract, hand)[1])
    assert len(asked) < 2 * KINDS_OF_CARD / 3


RULES: Final = samples.view().rules
RACE: Final = replace(RULES, settings=replace(RULES.settings, race=True))


@pytest.mark.parametrize(
    ("discard", "changes", "asked"),
    [
        ("2C", {}, [True, False, False]),
        ("10C", {}, [True, True, False]),
        ("2C", {"rules": RACE}, [True, True, False]),
        ("2C", {"turn": 0}, [True, True, True]),
    ],
    ids=["a useless card", "a useful card", "in a race nobody is left out for the hand", "on my turn"],
)
def test_who_is_asked_by_each_setting(discard: str, changes: dict[str, Any], asked: list[bool]) -> None:
    view = samples.view(discard=discard, **{**WINDOW, **changes})  # type: ignore[arg-type]
    assert [wants_asking(view, ask) for ask in AskCalls] == asked


def test_of_several_people_whose_turn_it_is_may_be_left_out_as_others_are() -> None:
    mine = {"phase": Phase.CALL_WINDOW, "turn": 0, "actor": 0, "melds": ()}
    useless, useful = samples.view(discard="2C", **mine), samples.view(discard="10C", **mine)  # type: ignore[arg-type]
    several = [WhenAsked(MatchPlan(ask_several=ask)) for ask in AskCalls]
    assert [one.wants(useless) for one in several] == [True, False, False]
    assert [one.wants(useful) for one in several] == [True, True, False]


def test_who_has_laid_has_no_contract_to_come_nearer_to() -> None:
    laid = (HasLaid.EARLIER, HasLaid.NO, HasLaid.NO, HasLaid.NO)
    assert not brings_nearer(samples.view(discard="10C", laid=laid, **WINDOW))  # type: ignore[arg-type]


def test_what_was_chosen_at_set_up_goes_with_the_person_to_the_seat_drawn() -> None:
    plan = MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club"]), ask_each={"Bob": AskCalls.TURN})
    asking = WhenAsked(plan, ["Bob", "Ada", "Ann"])
    assert [asking.of(seat) for seat in range(3)] == [AskCalls.TURN, AskCalls.ALWAYS, AskCalls.ALWAYS]


VIEW = samples.view()
QUEEN, SIX = samples.cards("QS 6H")


def after(held: HeldReasons, before: int, event: happened.Event, reason: str = "") -> None:
    if reason:
        held.hold(event.seat, reason)  # type: ignore[union-attr]
    held.happened(before, (event,), VIEW.names, VIEW.rules)


def test_a_reason_names_its_step_is_of_the_next_alone_and_is_forgotten_with_it() -> None:
    # A line names the step and why it was made.
    held = HeldReasons()
    after(held, 3, happened.Drew(1, Source.DISCARD, QUEEN), "Q♠ made a new meld.")
    after(held, 4, happened.Discarded(1, SIX))
    assert held.lines == ("Bob takes the discard Q♠: Q♠ made a new meld.",)
    # A reason is that of its own seat and of the next step only.
    held = HeldReasons()
    held.hold(1, "no matter why")
    after(held, 3, happened.Called(2, QUEEN))
    after(held, 4, happened.Discarded(1, SIX))
    assert held.lines == ()
    # What is taken back and what was before the deal is forgotten.
    held = HeldReasons()
    after(held, 3, happened.Discarded(1, SIX), "6♥ is of no use")
    after(held, 5, happened.Discarded(2, QUEEN), "Q♠ is of no use")
    after(held, 4, happened.Discarded(0, SIX))
    assert [line.split()[0] for line in held.lines] == ["Bob"]
    after(held, 30, happened.Dealt(2, 1, 0, 1, SIX))
    assert held.lines == ()
