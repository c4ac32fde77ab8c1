"""Reasons of AI seats are held back until the deal is over; what was taken back has none."""

from __future__ import annotations

from kalooki_tui.desk.table.flow import HeldReasons
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from tests.ui import samples

VIEW = samples.view()
QUEEN, SIX = samples.cards("QS 6H")


def after(held: HeldReasons, before: int, event: happened.Event, reason: str = "") -> None:
    if reason:
        held.hold(event.seat, reason)  # type: ignore[union-attr]
    held.happened(before, (event,), VIEW.names, VIEW.rules)


def test_a_line_names_the_step_and_why_it_was_made() -> None:
    held = HeldReasons()
    after(held, 3, happened.Drew(1, Source.DISCARD, QUEEN), "Q♠ made a new meld.")
    after(held, 4, happened.Discarded(1, SIX))
    assert held.lines == ("Bob takes the discard Q♠: Q♠ made a new meld.",)


def test_a_reason_is_that_of_its_own_seat_and_of_the_next_step_only() -> None:
    held = HeldReasons()
    held.hold(1, "no matter why")
    after(held, 3, happened.Called(2, QUEEN))
    after(held, 4, happened.Discarded(1, SIX))
    assert held.lines == ()


def test_what_is_taken_back_and_what_was_before_the_deal_is_forgotten() -> None:
    held = HeldReasons()
    after(held, 3, happened.Discarded(1, SIX), "6♥ is of no use")
    after(held, 5, happened.Discarded(2, QUEEN), "Q♠ is of no use")
    after(held, 4, happened.Discarded(0, SIX))
    assert [line.split()[0] for line in held.lines] == ["Bob"]
    after(held, 30, happened.Dealt(2, 1, 0, 1, SIX))
    assert held.lines == ()
