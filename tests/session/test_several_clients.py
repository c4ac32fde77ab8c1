"""A match at several screens: who is away, who sits in, who goes on, who takes a step back."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Allow, Call, Challenge, Pass
from kalooki_tui.engine.events import CallAllowed, Called, CallRefused, Challenged, Discarded, Laid, Passed
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.live_match import Table
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.presenter.prompts import prompt_for
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.session import match_session as session_module
from kalooki_tui.session import turn_loop
from kalooki_tui.session.client import Client, QuestionKind
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import Agreed, AskCalls, MatchPlan, Speed, begin_match, plan_of, plan_of_live
from kalooki_tui.storage.journal import unwritten
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.settings_file import PlayerSettings
from tests.commands import Golden
from tests.moments import there
from tests.session.fronts import (
    PEOPLE,
    ClubFront,
    Hesitates,
    InThisProcess,
    ThreePlaces,
    at_once,
    at_own_screens,
    never,
    play_out,
    serving,
    session_of,
    three_places,
    until,
)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad"])
async def test_an_ai_that_sits_in_plays_the_deal_to_its_end(ruleset: str) -> None:
    session, (ann, bob, cat) = at_own_screens(*PEOPLE, ruleset=ruleset)
    async with serving(ann, bob, cat):
        await until(lambda: any(isinstance(event, Called | Passed) for event in ann.events) or len(ann.events) > 3)
        bob.client.leave()
        assert session.away == (1,)
        await until(lambda: ann.notices[-1:] == ["Bob is away: the table waits."])
        session.sit_in(1, "club")
        assert session.away == ()
        await until(lambda: session.is_finished, 60)
    assert ann.notices[-1] == cat.notices[-1] == "An AI, club, sits in for Bob."


async def test_whoever_loads_a_page_again_writes_nothing_into_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "RELOAD", 0.2)
    session, (ann, bob, cat) = at_own_screens(*PEOPLE)
    async with serving(ann, cat):
        for _ in range(5):
            bob.client.leave()
            assert session.away == (1,)
            bob = ClubFront(session.sit([1]))
        await asyncio.sleep(0.3)
        assert not [words for words in ann.notices if "Bob" in words]


async def test_whoever_comes_back_has_the_seat_again() -> None:
    table, session = session_of(*PEOPLE)
    ann, cat = ClubFront(session.sit([0])), ClubFront(session.sit([2]))
    session.sit_in(1, "novice")
    async with serving(ann, cat):
        await until(lambda: len(ann.events) > 6)
        bob = ClubFront(session.sit([1]))
        assert session.stand_ins == {}
        await until(lambda: ann.notices[-1:] == ["Bob is here."])
        async with serving(bob):
            await until(lambda: any(one.ask is QuestionKind.TURN for one in bob.asked) or table.match.finished, 60)
            await until(lambda: table.match.finished, 60)
    assert any(one.ask is QuestionKind.TURN for one in bob.asked)


async def test_who_has_not_come_yet_is_long_away_after_a_minute_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    _, session = session_of("Ann", "Bob", "Cat", "ai:club")
    ann, bob = session.sit([0]), session.sit([1])
    assert (session.away, session.absent_for(ann), session.absent_for(bob)) == ((2,), (2,), ())
    now = monotonic()
    monkeypatch.setattr(session_module, "monotonic", lambda: now + session_module.PATIENCE + 1)
    assert session.absent_for(bob) == (2,)
    # Nobody sits in for somebody who is here, or for an AI seat.
    for seat, level in ((0, "club"), (3, "club"), (1, "champion")):
        with pytest.raises(ValueError, match=r"nobody|champion"):
            session.sit_in(seat, level)
    assert session.stand_ins == {}


SHOWN = (QuestionKind.SEATS, QuestionKind.DEAL, QuestionKind.END_OF_DEAL)


async def test_nobody_is_held_up_by_a_guest_who_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_loop, "GOING_ON", 0.01)
    monkeypatch.setattr(turn_loop, "BANNER", 0.01)
    _, session = session_of(*PEOPLE)
    ann, *others = (ClubFront(session.sit([seat]), on=dict.fromkeys(SHOWN, never) if seat else {}) for seat in range(3))
    await play_out(ann, *others)
    assert all(set(SHOWN) <= {one.ask for one in front.asked} for front in others)


async def test_who_looks_on_is_not_waited_for_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_loop, "GOING_ON", 1000.0)
    monkeypatch.setattr(turn_loop, "BANNER", 1000.0)
    session, fronts = at_own_screens(*PEOPLE)
    board = ClubFront(session.sit([]), on=dict.fromkeys(SHOWN, never))
    await asyncio.wait_for(play_out(*fronts, board), 60)


@pytest.mark.parametrize("held", SHOWN, ids=lambda ask: ask.name)
async def test_the_host_who_still_reads_is_waited_for_but_no_banner_is(
    held: QuestionKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_loop, "GOING_ON", 0.0)
    monkeypatch.setattr(turn_loop, "BANNER", 0.0)
    _, session = session_of(*PEOPLE)
    ann, bob, cat = (
        ClubFront(session.sit([0]), on={held: never}),
        ClubFront(session.sit([1])),
        ClubFront(session.sit([2])),
    )
    async with serving(ann, bob, cat):
        await until(lambda: any(one.ask is held for one in bob.asked), 60)
        later = {
            QuestionKind.SEATS: QuestionKind.DEAL,
            QuestionKind.DEAL: QuestionKind.TURN,
            QuestionKind.END_OF_DEAL: QuestionKind.RESULT,
        }[held]
        if held is QuestionKind.DEAL:
            await until(lambda: any(one.ask is later for one in (*bob.asked, *cat.asked, *ann.asked)))
        else:
            await asyncio.sleep(0.05)
            assert not any(one.ask is later for one in bob.asked)


async def test_a_window_lasts_a_while_though_everybody_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_loop, "WINDOW", 0.02)
    _, fronts = at_own_screens(*PEOPLE)
    began = monotonic()
    await play_out(*fronts)
    windows = {id(one) for one in fronts[0].asked if one.ask is QuestionKind.CALLERS}
    assert monotonic() - began >= 0.02 * len(windows)
    assert windows


async def test_a_step_is_taken_back_at_the_screen_where_it_was_made() -> None:
    plan = plan_of("baby", PEOPLE, 3, [])
    with Store.open() as store, store.begin(plan.open(), teaching=True) as live:
        session = MatchSession(plan, live, InThisProcess())
        ann, bob = session.sit([0]), session.sit([1, 2])
        actor = there(live.table.match.actor)
        mine, other = (ann, bob) if actor in ann.here else (bob, ann)
        assert not isinstance(mine.act(Pass(actor)), Refusal)
        why = f"The last step was {plan.seats[actor].name}'s own: only that player can take it back."
        assert other.undo() == why
        assert not other.take_back_passes()
        assert mine.undo() == ""


async def test_a_throw_at_ones_own_screen_is_taken_back_without_asking_anybody() -> None:
    async with three_places() as at:
        seat = at.thrown()
        assert at.fronts[seat].client.may_take_back(seat).asks == ()
        assert at.fronts[seat].client.undo(seat) == ""
        assert at.match.phase is Phase.PLAY
        assert not any(one.ask is QuestionKind.CONSENT for front in at.fronts for one in front.asked)


def nothing(at: ThreePlaces) -> None:
    """Leave the other seat that may call with its question."""


def calls(at: ThreePlaces) -> None:
    seat = there(at.match.actor)
    assert at.fronts[seat].client.act(Call(seat)) is None


#: Questions that are open while a throw is wished back, once somebody has passed: how they come to be, and the answer.
OPEN = {
    "a call": (nothing, QuestionKind.CALLERS, ThreePlaces.passes),
    "a decision": (
        calls,
        QuestionKind.DECISION,
        lambda at: at.fronts[at.match.actor].client.act(Allow(at.match.actor)),
    ),
    "a draw": (lambda at: at.passes(), QuestionKind.TURN, ThreePlaces.drawn),
    "a throw": (ThreePlaces.drawn, QuestionKind.TURN, lambda at: at.throws(at.match.actor)),
}
#: What comes then, and what all read of it.
COMES = {
    "all agree": "",
    "one says no": "{other} did not agree: nothing is taken back.",
    "nobody says anything": "{first} has not answered: nothing is taken back.",
    "one loads the page again": "{other} has not answered: nothing is taken back.",
    "the answer": "",
    "the same wish": "",
}


@pytest.mark.parametrize("comes", COMES)
@pytest.mark.parametrize("opened", OPEN)
async def test_consent_is_asked_while_a_question_is_open(
    opened: str, comes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if comes == "nobody says anything":
        monkeypatch.setattr(session_module, "CONSENT_SECONDS", 0.05)
    opens, ask, answers = OPEN[opened]
    async with three_places("Dan") as at:
        seat, agree = at.thrown(), asyncio.Event()
        passed = at.passes()
        opens(at)
        match, phase, asked = at.match, at.match.phase, there(at.match.actor)
        wishes, others = at.fronts[seat], [front for front in at.fronts if front is not at.fronts[seat]]
        other = next(front for front in others if front is not at.fronts[asked])

        def are_open(front: Hesitates) -> list[QuestionKind]:
            return [posed.question.ask for posed in front.client._posed]

        passed_by = [*at.fronts[asked].client._posed]
        await until(lambda: are_open(at.fronts[asked]) == [ask] and at.fronts[asked].client._posed != passed_by)
        for front in others:
            front.thinks = agree
        assert wishes.client.undo(seat) == ""
        await until(lambda: all(front.asked[-1].ask is QuestionKind.CONSENT for front in others))
        words = f"{match.names[seat]} wants to take back {match.names[seat]}'s discard."
        assert [front.asked[-1].words for front in others] == [words] * 3
        assert (at.match.phase, at.session.waits, are_open(at.fronts[asked])) == (
            phase,
            True,
            [ask, QuestionKind.CONSENT],
        )
        names = {"other": match.names[other.client.here[0]], "first": match.names[others[0].client.here[0]]}
        told = COMES[comes].format(**names)
        match comes:
            case "one says no":
                other.agrees = False
                agree.set()
            case "one loads the page again":
                other.client.leave()
            case "the same wish":
                assert wishes.client.undo(seat) == "The others have been asked already."
            case "the answer":
                answers(at)
                await asyncio.sleep(0.15)
                assert at.session.is_asking is (opened != "a throw"), "who plays on ends the wish, and nobody else"
                told = "" if at.session.is_asking else f"{match.names[asked]} has played on: nothing is taken back."
        if not told:
            agree.set()
        await until(lambda: not at.session.is_asking)
        await until(lambda: not any(QuestionKind.CONSENT in are_open(front) for front in at.fronts))
        if told:
            await until(lambda: told in wishes.notices)
            assert at.match is match, "the table is as it was"
            if comes != "the answer":
                assert (at.match.phase, are_open(at.fronts[asked])) == (phase, [ask])
                before = [len(front.asked) for front in at.fronts]
                assert wishes.client.undo(seat) == "The others have been asked once in this turn."
                assert [len(front.asked) for front in at.fronts] == before
                assert not at.fronts[passed].client.may_take_back(passed).asks, "nobody is asked about a pass"
                answers(at)
                assert at.match.phase is not phase or at.match.actor != asked, "the question is answered as ever"
        else:
            await until(lambda: (at.match.phase, at.match.actor) == (Phase.PLAY, seat))
            await until(
                lambda: all(front.taken == [f"Taken back: {match.names[seat]}'s discard."] for front in at.fronts)
            )
            await until(
                lambda: all(are_open(front) == ([QuestionKind.TURN] if front is wishes else []) for front in at.fronts)
            )


async def test_what_a_card_from_the_stock_has_shown_is_taken_back_only_if_others_agree() -> None:
    async with three_places() as at:
        seat = at.drawn()
        assert len(at.fronts[seat].client.may_take_back(seat).asks) == 2


async def test_what_each_screen_is_told_of_what_people_do_there(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr(session_module, "RELOAD", 0)
    monkeypatch.setattr(asyncio, "to_thread", at_once)
    now = [1000.0]
    monkeypatch.setattr(session_module, "monotonic", lambda: now[0])
    lines: list[str] = []
    async with three_places() as at:
        session, fronts = at.session, at.fronts
        eve = Hesitates(session.sit(()))

        async def done(what: str, does: Callable[[], object], seconds: float = 0) -> None:
            now[0] += seconds
            found = does()
            for _ in range(15):
                await asyncio.sleep(0.003)
            lines.append(f"\n# {what}{f': {found}' if isinstance(found, str | tuple) and found else ''}")
            lines.append(f"revision {session.revision}, waits {session.waits}, away {session.away_words or 'nobody'}")
            for name, front in zip((*PEOPLE, "Eve"), (*fronts, eve), strict=True):
                lines.extend(f"{name} | {line}" for line in dict.fromkeys(front.log))
                front.log.clear()

        def clients(seat: int) -> Client:
            return fronts[seat].client

        async with serving(eve):
            await done("they sit", lambda: None)
            lines.clear()  # Eve may come before or after what is shown first
            await done("a pause", lambda: session.set_paused(True))
            await done("no pause", lambda: session.set_paused(False))
            for seat, words in ((0, "  well\tplayed "), (0, "again"), (1, " \n "), (2, "x" * 101), (1, "a\x1b[31mb")):
                await done(f"{PEOPLE[seat]} says {words[:20]!r}", partial(clients(seat).say, words))
            await done("after a while", lambda: clients(0).say("again"), 2)
            await done("Eve says", lambda: eve.client.say("hello"))
            actor = at.drawn()
            await done("drawn", lambda: None)
            await done("taken back by others", lambda: clients((actor + 1) % 3).undo())
            await done("taken back", lambda: clients(actor).undo())
            await done("taken back again", lambda: clients(actor).undo())
            fronts[(actor + 1) % 3].agrees = False
            at.drawn()
            await done("drawn again", lambda: None)
            await done("asked back", lambda: clients(actor).undo())
            at.throws(actor)
            await done("thrown", lambda: None)
            await done("Bob leaves", lambda: clients(1).leave())
            await done("and is away", lambda: session.absent_for(clients(0)), 1)
            await done("not yet for Cat", lambda: session.absent_for(clients(2)), 58)
            await done("a minute later", lambda: session.absent_for(clients(2)), 2)
            await done("an AI sits in", lambda: session.sit_in(1, "club"))
            fronts[1] = Hesitates(session.sit([1]))
            async with serving(fronts[1]):
                await done("Bob is back", lambda: None)
                for seat, of, plan in (
                    (0, 1, SeatPlan("Bob", "ai:club")), (1, 1, SeatPlan("Bob", "ai:club")), (0, 0, SeatPlan("Bob")),
                    (0, 0, SeatPlan("Anna")), (0, 0, SeatPlan("Ann", "ai:expert")), (0, 0, SeatPlan("Ann")),
                ):  # fmt: skip
                    await done(f"{PEOPLE[seat]} wants {plan}", partial(clients(seat).reseat, of, plan))
                await done("leaving", session.leave_words)
    golden("session-screens", "\n".join(lines))


SILENT = dict.fromkeys((QuestionKind.CALLERS, QuestionKind.DECISION), never)


async def test_where_there_is_a_clock_silence_lets_the_card_go_and_allows_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turn_loop, "TICK", 10.0)  # the first look at the clock finds that the time is over
    monkeypatch.setattr(turn_loop.asyncio, "wait", no_waiting(turn_loop.asyncio.wait))
    _, session = session_of(*PEOPLE, answer_seconds=10)
    ann, bob, cat = ClubFront(session.sit([0])), ClubFront(session.sit([1]), on=SILENT), ClubFront(session.sit([2]))
    await play_out(ann, bob, cat)
    asked = [one for one in bob.asked if one.ask in (QuestionKind.CALLERS, QuestionKind.DECISION)]
    assert {one.seconds for one in asked} == {10}
    assert not any(isinstance(event, Called) and event.seat == 1 for event in ann.events)
    assert set(bob.notices) & {words for _, words in turn_loop.SILENCE.values()}
    assert not any("Your time" in words for words in ann.notices)


def no_waiting(wait: Any) -> Any:
    """The same, but whoever has a clock has no time at all."""
    return lambda tasks, timeout=None, **named: wait(tasks, timeout=None if timeout is None else 0.002, **named)


async def test_the_clock_stands_still_while_the_match_is_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_loop, "TICK", 0.01)
    _, session = session_of(*PEOPLE, answer_seconds=1)
    fronts = [ClubFront(session.sit([seat]), on=SILENT) for seat in range(3)]
    async with serving(*fronts):
        await until(lambda: any(one.ask is QuestionKind.CALLERS for front in fronts for one in front.asked))
        session.set_paused(True)
        await asyncio.sleep(1.2)
        assert not any("Your time" in words for front in fronts for words in front.notices)
        session.set_paused(False)
        await until(lambda: any("Your time" in words for front in fronts for words in front.notices))


async def test_people_who_share_a_screen_have_no_clock() -> None:
    _, session = session_of(*PEOPLE, answer_seconds=10)
    ann, both = ClubFront(session.sit([0])), ClubFront(session.sit([1, 2]))
    await play_out(ann, both)
    assert {one.seconds for one in both.asked} == {0}


async def test_somebody_who_is_away_is_challenged_and_the_table_goes_on_waiting_for_them() -> None:
    plan = MatchPlan(
        ruleset="trinidad", seats=parse_seats(PEOPLE), seed=3, speed=Speed.INSTANT, referee=Referee.PENALTIES
    )
    table = plan.open()
    session = MatchSession(plan, unwritten(table), InThisProcess())
    ann, bob, cat = ClubFront(session.sit([0])), ClubFront(session.sit([1]), on=SILENT), ClubFront(session.sit([2]))
    async with serving(ann, bob, cat):
        await until(lambda: any(one.ask is QuestionKind.CALLERS for one in bob.asked), 60)
        before = table.match.totals
        bob.client.leave()
        await until(lambda: ann.notices[-1:] == ["Bob is away: the table waits."])
        assert ann.client.act(Challenge(0, 1)) is None
        await until(lambda: any(isinstance(one, Challenged) for one in cat.events))
        assert session.away == (1,)
        again = ClubFront(session.sit([1]))
        async with serving(again):
            await until(lambda: table.match.totals != before, 60)


async def test_an_ai_takes_a_persons_seat_and_gives_it_back() -> None:
    table, session = session_of("Ann", "Bob", "ai:club")
    place = session.sit()
    front = ClubFront(place)
    async with serving(front):
        await until(lambda: len(front.events) > 4)
        assert place.reseat(1, SeatPlan("Bob", "ai:novice")) == ""
        assert (place.here, session.asked, table.people) == ((0,), (0,), (0,))
        assert place.reseat(0, SeatPlan("Ann", "ai:club")).startswith("Somebody must stay")
        await until(lambda: len(front.events) > 10)
        assert place.reseat(1, SeatPlan("Bob")) == ""
        assert place.here == (0, 1)
        await until(lambda: table.match.finished, 60)
    assert front.notices[:2] == ["An AI, novice, plays for Bob from now on.", "Bob plays this seat from now on."]


async def test_a_seat_that_changes_while_its_call_is_thought_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a person wants to be asked is found out in another thread; an AI may have the seat when that is known."""
    table, session = session_of("Ann", "Bob", "ai:club")
    place, loop, changed = session.sit(), asyncio.get_running_loop(), []
    front = ClubFront(place)

    async def change() -> int:
        assert place.reseat(1, SeatPlan("Bob", "ai:novice")) == ""
        return len(front.asked)

    def wants(seat: int) -> bool:
        if not changed and threading.current_thread() is not threading.main_thread():
            changed.append(asyncio.run_coroutine_threadsafe(change(), loop).result(20))
        return True

    monkeypatch.setattr(turn_loop.TurnLoop, "_wish", lambda self, seat: partial(wants, seat))
    async with serving(front):
        await until(lambda: table.match.finished, 60)
    assert all(1 not in one.seats for one in front.asked[changed[0] :])


async def test_the_end_of_a_deal_stays_on_the_screen_while_seats_change() -> None:
    _, session = session_of("Ann", "Bob", "ai:club", whole=True)
    front = ClubFront(session.sit(), on={QuestionKind.END_OF_DEAL: never})
    async with serving(front):
        await until(lambda: any(one.ask is QuestionKind.END_OF_DEAL for one in front.asked), 60)
        assert front.client.reseat(2, SeatPlan("Dee", "ai:expert")) == ""
        await until(lambda: any(words.startswith("An AI, expert, plays as Dee") for words in front.notices))
        assert [one.ask for one in front.asked].count(QuestionKind.END_OF_DEAL) == 1
        assert not any(one.ask is QuestionKind.RESULT for one in front.asked)


async def test_when_the_time_is_over_the_deal_that_is_played_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "MINUTE", 0.0)
    table, session = session_of("Ann", "Bob", "ai:club", whole=True, minutes=60)
    front = ClubFront(session.sit())
    await play_out(front)
    assert table.match.finished
    assert table.match.deal.number == 1
    assert front.notices == ["The time is over: this deal is the last."]


async def test_the_time_that_was_played_is_kept_with_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(plan_of("baby", PEOPLE, 3, []), minutes=60)
    with Store.open() as store, store.begin(plan.open()) as live:
        live.keep(played=3599.999)
        session = MatchSession(plan, live, InThisProcess())
        front = Hesitates(session.sit())
        async with serving(front):
            await until(lambda: front.notices == ["The time is over: this deal is the last."])
        assert live.table.match.last_deal == 1


async def test_where_hints_are_for_one_person_the_others_read_whose_they_are() -> None:
    plan = plan_of("baby", ["Ann", "Kid", "ai:club"], 3, (), Agreed(handicap=("Kid=hints", "Ann=40")))
    assert plan.hints_for == ("Kid",)
    assert plan.settings == {"handicap": (40, 0, 0)}
    session = MatchSession(plan, unwritten(plan.open()), InThisProcess())
    said = [session.why_no_hint(session.names.index(name)) for name in ("Kid", "Ann")]
    assert said == ["", "In this match hints are for Kid alone."]
    assert all(
        not MatchSession(replace(plan, hints_for=()), unwritten(plan.open()), InThisProcess()).why_no_hint(seat)
        for seat in (0, 1)
    )
    with Store.open() as store:
        live = begin_match(store, plan)
        assert plan_of_live(live, PlayerSettings()).hints_for == ("Kid",), "it is kept with the match"


async def test_no_thread_is_given_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What thinks in another thread gets a view: the loop may act on the table meanwhile."""
    seen, view = set[str](), Table.view

    def watched(self: Table, seat: int) -> View:
        seen.add(threading.current_thread().name)
        return view(self, seat)

    monkeypatch.setattr(Table, "view", watched)
    _, session = session_of(*PEOPLE)
    for seat in range(3):
        session.asking.choose(seat, AskCalls.HELPS)
    await play_out(*(ClubFront(session.sit([seat])) for seat in range(3)))
    assert seen == {threading.main_thread().name}


class CallFront(ClubFront):
    """Answers about calls only when the test says so, and passes or calls then."""

    def __init__(self, place: Client) -> None:
        super().__init__(place, on={QuestionKind.CALLERS: self._call})
        self.calls_it: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def _call(self) -> int | None:
        return self.client.here[0] if await asyncio.shield(self.calls_it) else None


def prompt_at(place: Client) -> str:
    state = TurnState(place.public, place.why_not)
    if place.here:
        state.open(place.view(place.here[0]))
    return prompt_for(state, place.session.plans, place.session.asked_at_once)[0]


@pytest.mark.parametrize("calls", [False, True])
async def test_an_answer_that_was_given_stands_and_who_is_missing_is_seen_by_all(
    calls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_loop, "WINDOW", 0.3)
    table, session = session_of("Ann", "Bob", "Cat", "Dan")
    board = ClubFront(session.sit([]))
    fronts = [CallFront(session.sit([seat])) for seat in range(4)]
    async with serving(board, *fronts):
        await until(lambda: session.asked_at_once is not None)
        asked = there(session.asked_at_once)
        everybody = prompt_at(board.client)
        assert everybody.count(" and ") == 1
        assert everybody.endswith("are asked whether to call.")
        first, *others = (fronts[seat] for seat in asked.seats)
        seat = first.client.here[0]
        first.calls_it.set_result(calls)
        await until(lambda: first.client.answer_of(seat) is calls)
        # Nobody sees at once who has answered: not everybody is asked.
        assert prompt_at(board.client) == everybody
        assert first.client.view(seat).legal == ()
        for action in (Call(seat), Pass(seat)):
            assert first.client.why_not(action) == first.client.act(action)
            assert first.client.why_not(action) is not None
        for other in others[:-1]:
            other.calls_it.set_result(False)
        last = others[-1].client
        name = session.names[last.here[0]]

        await until(lambda: prompt_at(board.client) == f"{name} is asked whether to call.")
        answered = "You call " if calls else "You have let "
        assert prompt_at(first.client).startswith(answered)
        assert prompt_at(first.client).endswith(f"The table waits for {name}.")
        # Somebody goes and comes back: who has answered is not asked again.
        before = len(first.asked)
        last.leave()
        back = CallFront(session.sit(last.here))
        back.calls_it.set_result(False)
        async with serving(back):
            await until(lambda: session.asked_at_once is None)
        assert len([one for one in first.asked[before:] if one.ask is QuestionKind.CALLERS]) == 0
        made = next(event for event in reversed(table.match.deal.history) if isinstance(event, Called | Passed))
        assert isinstance(made, Called) is calls or made.seat != seat


async def test_at_a_table_for_all_the_end_of_a_deal_waits_for_the_first_and_counts_down_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turn_loop, "GOING_ON", 0.3)
    _, session = session_of("Ann", "Bob", "ai:club")
    goes_on = asyncio.Event()
    board, ann, bob = (
        ClubFront(session.sit(seats), on={QuestionKind.END_OF_DEAL: goes_on.wait if seats == [0] else never})
        for seats in ([], [0], [1])
    )
    async with serving(board, ann, bob):
        await until(lambda: any(one.ask is QuestionKind.END_OF_DEAL for one in ann.asked), 60)
        await asyncio.sleep(0.6)
        assert prompt_at(board.client) == "The deal is over. The table waits for Ann and Bob."
        assert not any(one.ask is QuestionKind.RESULT for one in board.asked)
        goes_on.set()
        await until(lambda: prompt_at(board.client) == "The deal is over. The table waits for Bob: 1 s.")
        await until(lambda: any(one.ask is QuestionKind.RESULT for one in board.asked))


async def test_once_all_people_have_answered_the_seat_that_is_still_asked_is_named() -> None:
    table, session = session_of(*PEOPLE)
    board = session.sit([])
    actor = there(table.match.actor)
    asked = session.ask_at_once([1 - bool(actor)], is_hidden=False)
    session.note_answers(asked, dict.fromkeys(asked.seats, False))
    assert prompt_at(board) == f"{session.names[actor]} is asked whether to call."


async def test_whoever_comes_back_is_asked_at_once_though_another_still_thinks() -> None:
    _, session = session_of("Ann", "Bob", "Cat", "Dan")
    fronts = [CallFront(session.sit([seat])) for seat in range(4)]
    async with serving(*fronts):
        await until(lambda: session.asked_at_once is not None)
        asked = there(session.asked_at_once)
        first, *_, gone = (fronts[seat] for seat in asked.seats)
        await until(lambda: first.asked and gone.asked)
        gone.client.leave()
        back = CallFront(session.sit(gone.client.here))
        async with serving(back):
            await until(lambda: any(one.ask is QuestionKind.CALLERS for one in back.asked))
            assert len([one for one in first.asked if one.ask is QuestionKind.CALLERS]) == 1


async def test_in_a_race_the_first_to_call_has_the_card_though_another_still_thinks() -> None:
    plan = replace(plan_of("baby", PEOPLE, 3, []), settings={"race": True}, speed=Speed.INSTANT)
    table = plan.open()
    session = MatchSession(plan, unwritten(table), InThisProcess())
    fronts = [CallFront(session.sit([seat])) for seat in range(3)]
    async with serving(*fronts):
        asked = [front for front in fronts if front.client.here != (table.match.deal.turn,)]
        await until(lambda: all(any(one.ask is QuestionKind.CALLERS for one in front.asked) for front in asked))
        asked[1].calls_it.set_result(True)
        await until(lambda: len(table.match.deal.history) > 1)
    made = table.match.deal.history[1]
    assert isinstance(made, Called)
    assert (made.seat,) == asked[1].client.here


class Eager(ClubFront):
    """Calls whatever may be called; of several people the farthest speaks first."""

    def __init__(self, place: Client) -> None:
        super().__init__(place, on={QuestionKind.CALLERS: self._call})

    async def _call(self) -> int | None:
        return self.asked[-1].seats[-1]


@pytest.mark.parametrize("places", [((0,), (1,), (2,), (3,)), ((0, 1, 2, 3),), ((0, 2), (1, 3))])
async def test_of_all_who_call_the_nearest_gets_the_card(places: tuple[tuple[int, ...], ...]) -> None:
    """Also where one person at a screen speaks before another who sits nearer (H3)."""
    table, session = session_of(*PEOPLE, "Dan", ruleset="jamaican", options=("nearest-call",))
    fronts = [Eager(session.sit(seats)) for seats in places]
    await play_out(*fronts)
    thrower, laid, taken, calls = -1, set[int](), Counter[int](), 0
    for event in table.match.deal.history:
        if isinstance(event, Discarded):
            thrower = event.seat
        elif isinstance(event, Laid):
            laid.add(event.seat)
        elif isinstance(event, CallAllowed | CallRefused):
            asked = ((event.seat + step) % 4 for step in (1, 2, 3))
            assert event.caller == next(one for one in asked if one not in {thrower, *laid} and taken[one] < 3)
            taken[event.caller] += isinstance(event, CallAllowed)
            calls += 1
    assert calls > 3
