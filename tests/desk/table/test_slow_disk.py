"""A slow disk holds up no screen, and nobody sees a step before it is on disk."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from kalooki_tui.desk.setup.plan import MatchPlan, Speed, plan_of
from kalooki_tui.desk.table.desk import WRITING
from kalooki_tui.desk.table.place import Ask, Place
from kalooki_tui.desk.table.sitting import Sitting
from kalooki_tui.desk.words import PHRASES
from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.events import Event, Passed, public
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.store import live as live_module
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.matches import Store
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.table.simulation import single_deal
from kalooki_tui.table.table import Table, TableSetup
from tests.desk.table.fronts import ClubFront, InThisProcess, play_out, serving, until
from tests.desk.table.test_several_places import PEOPLE, Hesitates
from tests.drivers.disk import Disk


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


class Served:
    """A match of three people at their own screens, where a call can be made; each does only what the test does."""

    def __init__(self, store: Store, live: LiveMatch, sitting: Sitting) -> None:
        self.store, self.live, self.sitting = store, live, sitting
        self.fronts = [Hesitates(sitting.sit([seat])) for seat in range(3)]

    @property
    def actor(self) -> int:
        actor = self.places[0].public.actor
        assert actor is not None
        return actor

    @property
    def places(self) -> list[Place]:
        return [front.place for front in self.fronts]

    def seen(self) -> list[object]:
        """All that can be seen and has been told, at each place."""
        return [
            (
                [place.view(seat) for seat in place.here], place.public, place.moment, place.names, place.open_hands(),
                place.sitting.revision, place.sitting.plans, place.sitting.is_finished, self.live.lines,
                [*front.events], [*front.taken], [*front.notices],
            )
            for front, place in zip(self.fronts, self.places, strict=True)
        ]  # fmt: skip


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[Served]:
    plan = plan_of("baby", PEOPLE, 3, [])
    with Store.open() as store, store.begin(plan.open(), teaching=True) as live:
        live.write_apart()
        at = Served(store, live, Sitting(plan, live.table, InThisProcess(), live))
        async with serving(*at.fronts):
            await until(lambda: all(front.asked for front in at.fronts))
            yield at


def passes(at: Served) -> object:
    return at.places[at.actor].act(Pass(at.actor)) or ""


def takes_back(at: Served) -> object:
    last = at.fronts[0].events[-1]
    assert isinstance(last, Passed)
    return at.places[last.seat].undo(last.seat)


def goes(at: Served) -> object:
    return at.places[0].reseat(0, SeatPlan("Zoe"))


def is_over_soon(at: Served) -> object:
    return at.sitting._time_is_over() or ""


@pytest.mark.parametrize("does", [passes, takes_back, goes, is_over_soon], ids=lambda does: does.__name__)
async def test_what_is_done_is_seen_and_told_at_no_place_before_it_is_on_disk(
    disk: Disk, does: Callable[[Served], object]
) -> None:
    async with served() as at:
        assert passes(at) == ""
        await until(lambda: all(front.events for front in at.fronts))
        before = at.seen()
        disk.hold()
        assert does(at) == ""
        assert at.sitting.is_writing
        # The loop goes on: somebody says something, and everybody hears it.
        at.places[0].say(PHRASES[0])
        await until(lambda: all(front.heard for front in at.fronts))
        await asyncio.sleep(0)
        assert at.seen() == before
        disk.answer()
        await until(lambda: not at.sitting.is_writing)
        await until(lambda: all(now != then for now, then in zip(at.seen(), before, strict=True)))
        told = [(front.events, front.taken, front.notices) for front in at.fronts]
        assert told[0] == told[1] == told[2]
        assert disk.lines == len(at.live.lines)


async def test_while_a_step_is_written_nothing_else_is_done_at_any_place(disk: Disk) -> None:
    async with served() as at:
        actor = at.actor
        disk.hold()
        assert passes(at) == ""
        before = at.seen()
        for place in at.places:
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
        assert at.sitting.undo() == WRITING
        assert at.seen() == before
        disk.answer()
        await until(lambda: all(front.events for front in at.fronts))
        assert at.fronts[0].events == [Passed(actor)]


async def test_a_step_that_cannot_be_written_is_told_all_the_same_and_play_goes_on(disk: Disk) -> None:
    async with served() as at:
        disk.hold()
        disk.fails = True
        passes(at)
        disk.answer()
        for front in at.fronts:
            await until(lambda front=front: front.events)  # type: ignore[misc]
            assert front.notices == ["The match is not being saved: Input/output error. You can play on."]
        disk.fails = False
        passes(at)
        for front in at.fronts:
            await until(lambda front=front: len(front.events) > 1)  # type: ignore[misc]
            assert front.notices[1:] == [""]
        assert disk.lines == len(at.live.lines)


async def test_a_disk_that_never_answers_does_not_stop_the_match(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "PATIENCE", 0.01)
    async with served() as at:
        disk.hold()
        passes(at)
        await until(lambda: all(front.events for front in at.fronts))
        assert [front.notices for front in at.fronts] == [[NOT_ANSWERED]] * 3
        passes(at)  # people know that it is not saved
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
    async with served() as at:
        actor, match_id = at.actor, at.live.id
        disk.hold()
        passes(at)
        waited = live_module.wait

        def wait(done: object, seconds: float) -> object:
            disk.answer()
            return waited(done, seconds)  # type: ignore[call-overload]

        if answers:
            monkeypatch.setattr(live_module, "wait", wait)
        else:
            monkeypatch.setattr(live_module, "PATIENCE", 0.01)
        for place in at.places:
            place.leave()
        notices = at.store.take_notices()
        if answers:
            assert notices == []
            with at.store.resume(match_id) as again:
                assert again.table.match.deal.history[-1] == Passed(actor)
        else:
            assert notices == ["The disk does not answer: the last steps of this match may not be saved."]
            disk.answer()


class Checks(ClubFront):
    """Plays as the club player does, and compares what it is told with what is safe on the disk."""

    def __init__(self, place: Place, safe: Callable[[], list[Event]]) -> None:
        super().__init__(place)
        self._safe = safe

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        super().told(events, refusal)
        assert self._safe()[: len(self.events)] == self.events


@pytest.mark.parametrize("ruleset", ["baby", "super-kalooki", "trinidad", "jamaican", "kooky"])
async def test_through_a_whole_deal_every_place_is_told_what_is_on_disk_and_in_order(disk: Disk, ruleset: str) -> None:
    plans = parse_seats((*PEOPLE[:2], "ai:club"))
    setup = TableSetup(single_deal(resolve(load_ruleset(ruleset), (), 3), 1), plans, 3)
    with Store.open() as store, store.begin(Table.open(setup)) as live:
        disk.lines = len(live.lines)
        live.write_apart()
        sitting = Sitting(MatchPlan(seats=plans, speed=Speed.INSTANT), live.table, InThisProcess(), live)

        def safe() -> list[Event]:
            steps = Replay(open_lines("match", iter(live._lines[: disk.lines]))).steps()
            return [public(event) for played in steps for event in played.events][begun:]

        begun = 0
        begun = len(safe())
        fronts = [Checks(sitting.sit([seat]), safe) for seat in (0, 1)]
        await play_out(*fronts)
        assert fronts[0].events == fronts[1].events == safe()
        assert fronts[0].asked[-1].ask is Ask.RESULT
