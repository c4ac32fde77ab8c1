"""Every number and card that a reason names is so when it is counted once more, by another way."""

from collections import Counter
from itertools import islice, pairwise

import pytest

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.hinting import hint
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import Discard
from kalooki_tui.judging.differences import of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.recounting import check, unchecked
from tests.coach.walking import decisions
from tests.property.tables import RULESETS

MOST = 40
"""Decisions of a deal that are looked at."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_hint_says_is_so(ruleset: str) -> None:
    told: Counter[str] = Counter()
    for number in (1, len(load_ruleset(ruleset).deals)):
        for _, view in islice(decisions(ruleset, "facts", number), MOST):
            told[check(view, hint(view, worlds=0).reason)] += 1
    assert sum(told.values()) > 20


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_said_of_any_two_throws_is_so(ruleset: str) -> None:
    told: Counter[str] = Counter()
    for _, view in islice(decisions(ruleset, "throws", 2), MOST):
        throws = [action.card for action in view.legal if isinstance(action, Discard)]
        situation = Situation(view)
        for best, card in pairwise(throws):
            for pair in ((best, card), (card, best)):
                told[check(view, reason(situation, of_throws(situation, *pair)))] += 1
    assert sum(told.values()) > 20


def test_nothing_in_a_sentence_goes_unchecked() -> None:
    assert not unchecked()


def test_every_sentence_ends_and_none_speaks_of_weights() -> None:
    for group in sentences("facts").values():
        for sentence in group.values():
            assert sentence.endswith((".", "{fact}"))
            assert "%" not in sentence
            assert "ways to the" not in sentence
