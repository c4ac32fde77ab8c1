"""A deal's state and what views share with it: histories, copies, events without what is hidden."""

from __future__ import annotations

import pickle
from dataclasses import fields

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import PASS, Cut, End, Source
from kalooki_tui.engine.events import CutMade, Drew, DroppedOut, Event, History, Passed, PenaltyCard, Reshuffled, public
from kalooki_tui.engine.state import State, note
from tests.property.tables import snapshot, start_match


def test_a_view_keeps_its_history_while_the_deal_goes_on() -> None:
    match = start_match("jamaican", 4, 3)
    before = match.view(0)
    events = tuple(before.history)
    assert match.actor is not None
    match.apply(PASS[match.actor])
    after = match.view(0)
    assert tuple(before.history) == events
    assert len(after.history) == len(events) + 1
    assert after.history != before.history
    assert after.history[:-1] == events
    assert after.history[-1] == Passed(after.history[-1].seat)  # type: ignore[union-attr]
    assert list(reversed(before.history)) == list(events)[::-1]
    assert match.view(1).history == after.history


def test_two_copies_that_go_on_differently_share_nothing() -> None:
    match = start_match("jamaican", 4, 3)
    other = match.clone()
    note(match.deal, [], Passed(0))
    note(other.deal, [], Passed(1))
    assert match.view(0).history[-1] == Passed(0)
    assert other.view(0).history[-1] == Passed(1)
    assert match.view(0).history != other.view(0).history


def test_a_history_goes_to_another_process_as_it_is() -> None:
    events: list[Event] = [Passed(0), Passed(1)]
    history = History(events)
    events.append(Passed(2))
    again = pickle.loads(pickle.dumps(history))
    assert again == history
    assert tuple(again) == (Passed(0), Passed(1))
    assert hash(again) == hash(history)
    assert repr(again) == "History([Passed(seat=0), Passed(seat=1)])"
    assert history != (Passed(0), Passed(1))
    with pytest.raises(IndexError):
        history[2]


def test_a_copy_shares_no_list_with_its_deal() -> None:
    match = start_match("trinidad", 4, 5)
    copy = match.deal.clone()
    assert type(copy) is type(match.deal)
    for one in fields(State):
        mine, theirs = getattr(match.deal, one.name), getattr(copy, one.name)
        assert mine == theirs
        if isinstance(mine, list | dict):
            assert mine is not theirs, one.name
    assert all(mine is not theirs for mine, theirs in zip(match.deal.hands, copy.hands, strict=True))
    before = snapshot(match)
    copy.hands[0].append(JOKER)
    copy.calls[1] += 1
    copy.added[0, End.HIGH] = 1
    assert snapshot(match) == before


@pytest.mark.parametrize(
    ("event", "seen"),
    [
        (Drew(2, Source.STOCK, 7), Drew(2, Source.STOCK, None)),
        (Drew(2, Source.DISCARD, 7), Drew(2, Source.DISCARD, 7)),
        (PenaltyCard(1, 7), PenaltyCard(1, None)),
        (Reshuffled(2, (7, 8)), Reshuffled(2, None)),
        (DroppedOut(3, (7, 8, JOKER)), DroppedOut(3, None)),
        (CutMade(0, 41, exact=True), CutMade(0, None, exact=True)),
        (Passed(1), Passed(1)),
    ],
)
def test_what_everybody_may_know_of_an_event(event: Event, seen: Event) -> None:
    assert public(event) == seen


def test_the_number_of_a_cut_is_in_no_history() -> None:
    match = start_match("air-jamaica", 3, 1, cut=True)
    events = match.apply(Cut(match.deal.dealer, 41))
    assert CutMade(match.deal.dealer, 41, exact=False) in events
    assert CutMade(match.deal.dealer, None, exact=False) in match.view(match.deal.dealer).history
