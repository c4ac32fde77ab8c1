"""The fold of a deal's public events: made once for a view, of nothing hidden, and as the deal itself counts."""

from __future__ import annotations

import random

import pytest

from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.loader import load_ruleset
from tests.property.tables import RULESETS, sensible_action, start_match


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_counts_as_the_deal_does(ruleset: str) -> None:
    found = load_ruleset(ruleset)
    match, dice = start_match(ruleset, found.seat_counts[0], 5, Referee.STRICT), random.Random(ruleset)
    looked = 0
    while match.actor is not None and looked < 200:
        deal, public = match.deal, public_of(match.deal)
        assert (public.calls, public.found, public.flip) == (deal.calls, deal.found, deal.flip)
        assert public.known_pile == deal.pile
        looked += 1
        match.apply(sensible_action(match, dice))
    assert looked > 20


def test_a_view_reads_its_events_once_and_a_deal_that_goes_on_every_time() -> None:
    match, dice = start_match("jamaican", 3, 5, Referee.STRICT), random.Random(5)
    before = match.deal.view(0)
    told = public_of(before)
    assert public_of(before) is told
    turns = list(told.turns)
    for _ in range(12):
        match.apply(sensible_action(match, dice))
    assert public_of(match.deal).turns != turns
    assert told.turns == turns
