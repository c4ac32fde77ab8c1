"""A slow disk holds up no screen, and nobody sees a step before it is on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.events import Event, Passed, public
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.presenter.sentences import PHRASES
from kalooki_tui.presenter.turn_state import WRITING
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.session.client import Client, QuestionKind
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import MatchPlan, Speed
from kalooki_tui.simulation.runner import single_deal
from kalooki_tui.storage import journal
from kalooki_tui.storage.match_store import Store
from tests.drivers.disk import Disk
from tests.session.fronts import PEOPLE, ClubFront, InThisProcess, ThreePlaces, play_out, serving, three_places, until


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def seen(at: ThreePlaces) -> list[object]:
    """All that can be seen and has been told, at each place."""
    return [
        (
            [place.view(seat) for seat in place.here], place.public, place.session.moment,
            place.session.names, place.open_hands(),
            place.session.revision, place.session.plans, place.session.is_finished, at.live.lines,
            [*front.events], [*front.taken], [*front.notices],
        )
        for front in at.fronts
        for place in [front.client]
    ]  # fmt: skip


def passes(at: ThreePlaces) -> None:
    at.passes()


def takes_back(at: ThreePlaces) -> None:
    last = at.fronts[0].events[-1]
    assert isinstance(last, Passed)
    assert at.fronts[last.seat].client.undo(last.seat) == ""


def goes(at: ThreePlaces) -> None:
    assert at.fronts[0].client.reseat(0, SeatPlan("Zoe")) == ""


def is_over_soon(at: ThreePlaces) -> None:
    at.session._time_is_over()


@pytest.mark.parametrize("does", [passes, takes_back, goes, is_over_soon], ids=lambda does: does.__name__)
async def test_what_is_done_is_seen_and_told_at_no_place_before_it_is_on_disk(
    disk: Disk, does: Callable[[ThreePlaces], None]
) -> None:
    async with three_places(apart=True) as at:
        at.passes()
        await until(lambda: all(front.events for front in at.fronts))
        before = seen(at)
        disk.hold()
        does(at)
        assert at.session.is_writing
        # The loop goes on: somebody says something, and everybody hears it.
        at.fronts[0].client.say(PHRASES[0])
        await until(lambda: all(front.heard for front in at.fronts))
        await asyncio.sleep(0)
        assert seen(at) == before
        disk.answer()
        await until(lambda: not at.session.is_writing)
        await until(lambda: all(now != then for now, then in zip(seen(at), before, strict=True)))
        told = [(front.events, front.taken, front.notices) for front in at.fronts]
        assert told[0] == told[1] == told[2]
        assert disk.lines == len(at.live.lines)


async def test_while_a_step_is_written_nothing_else_is_done_at_any_place(disk: Disk) -> None:
    async with three_places(apart=True) as at:
        disk.hold()
        actor = at.passes()
        before = seen(at)
        for place in (front.client for front in at.fronts):
            refusal = place.act(Pass(place.here[0]))
            assert isinstance(refusal, Refusal)
            answers = [
                refusal.message,
                place.undo(),
                place.may_take_back().why,
                place.reseat(place.here[0], SeatPlan("Zoe")),
            ]
            assert answers == [WRITING] * 4
            assert not place.take_back_passes()
        assert at.session.undo() == WRITING
        assert seen(at) == before
        disk.answer()
        await until(lambda: all(front.events for front in at.fronts))
        assert at.fronts[0].events == [Passed(actor)]


async def test_a_step_that_cannot_be_written_is_told_all_the_same_and_play_goes_on(disk: Disk) -> None:
    async with three_places(apart=True) as at:
        disk.hold()
        disk.fails = True
        at.passes()
        disk.answer()
        for front in at.fronts:
            await until(lambda front=front: front.events)  # type: ignore[misc]
            assert front.notices == ["The match is not being saved: Input/output error. You can play on."]
        disk.fails = False
        at.passes()
        for front in at.fronts:
            await until(lambda front=front: len(front.events) > 1)  # type: ignore[misc]
            assert front.notices[1:] == [""]
        assert disk.lines == len(at.live.lines)


async def test_a_disk_that_never_answers_does_not_stop_the_match(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "PATIENCE", 0.01)
    async with three_places(apart=True) as at:
        disk.hold()
        at.passes()
        await until(lambda: all(front.events for front in at.fronts))
        watcher = ClubFront(at.fronts[0].client.session.sit(()))
        async with serving(watcher):
            await until(lambda: watcher.notices)
        assert [front.notices for front in (*at.fronts, watcher)] == [[NOT_ANSWERED]] * 4
        watcher.client.leave()
        at.passes()  # people know that it is not saved
        await until(lambda: all(len(front.events) > 1 for front in at.fronts))
        assert at.live.unsaved
        disk.answer()
        await until(lambda: all(front.notices == [NOT_ANSWERED, ""] for front in at.fronts))
        await until(lambda: not at.live.unsaved)
        assert disk.lines == len(at.live.lines)


NOT_ANSWERED = "The match is not being saved: the disk has not answered for 0 seconds. You can play on."


@pytest.mark.parametrize("answers", [True, False])
async def test_a_match_that_is_left_waits_for_what_is_being_written_but_not_for_ever(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    async with three_places(apart=True) as at:
        disk.hold()
        actor = at.passes()
        waited = journal.wait

        def wait(done: object, seconds: float) -> object:
            disk.answer()
            return waited(done, seconds)  # type: ignore[call-overload]

        if answers:
            monkeypatch.setattr(journal, "wait", wait)
        else:
            monkeypatch.setattr(journal, "PATIENCE", 0.01)
        for place in (front.client for front in at.fronts):
            place.leave()
        notices = at.store.take_notices()
        if answers:
            assert (notices, at.live.trouble) == ([], None)
            with at.store.resume(at.live.id) as again:
                assert again.table.match.deal.history[-1] == Passed(actor)
        else:
            assert notices == ["The disk does not answer: the last steps of this match may not be saved."]
            disk.answer()


class Checks(ClubFront):
    """Plays as the club player does, and compares what it is told with what is safe on the disk."""

    def __init__(self, place: Client, safe: Callable[[], list[Event]]) -> None:
        super().__init__(place)
        self._safe = safe

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        super().told(events, refusal)
        assert self._safe()[: len(self.events)] == self.events


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["trinidad", "kooky"])
async def test_through_a_whole_deal_every_place_is_told_what_is_on_disk_and_in_order(disk: Disk, ruleset: str) -> None:
    plans = parse_seats((*PEOPLE[:2], "ai:club"))
    setup = TableSetup(single_deal(resolve(load_ruleset(ruleset), (), 3), 1), plans, 3)
    with Store.open() as store, store.begin(Table.open(setup)) as live:
        disk.lines = len(live.lines)
        live.write_apart()
        session = MatchSession(MatchPlan(seats=plans, speed=Speed.INSTANT), live, InThisProcess())

        def safe() -> list[Event]:
            steps = Replay(open_lines("match", iter(live._lines[: disk.lines]))).steps()
            return [public(event) for played in steps for event in played.events][begun:]

        begun = 0
        begun = len(safe())
        fronts = [Checks(session.sit([seat]), safe) for seat in (0, 1)]
        await play_out(*fronts)
        assert fronts[0].events == fronts[1].events == safe()
        assert fronts[0].asked[-1].ask is QuestionKind.RESULT
