"""The big moment: whether a seat can go out in this turn, how it is said, and what it doubles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kalooki_tui.desk.table.desk import ending, ending_words
from kalooki_tui.engine.view import HasLaid, Phase, View
from tests.ui import samples

NOBODY = (HasLaid.NO,) * 4
OTHERS = (HasLaid.NO, HasLaid.NO, HasLaid.EARLIER, HasLaid.NO)
#: One set and two runs, with a five that fits on Cat's fives.
OUT = "2S 2H 2D 7C 8C 9C 10C JD QD KD AD 5H 6S"


def in_play(hand: str, laid: tuple[HasLaid, ...] = OTHERS, **changes: object) -> View:
    return samples.view(hand=hand, phase=Phase.PLAY, laid=laid, may_lay=True, **changes)


def test_a_lay_down_and_tacks_that_end_the_deal_are_found_and_told() -> None:
    view = in_play(OUT)
    found = ending(view)
    assert found is not None
    assert len(found.groups) == 3
    words = ending_words(view, found)
    assert words.startswith("You can go out now: L stages melds, tack 5♥, throw 6♠.")
    assert len(words) <= 2 * 78


def test_a_card_too_many_is_no_ending() -> None:
    assert ending(in_play(OUT + " 8H")) is None
    assert ending(in_play("2S 2H 4D 7C 8C 9C 10C JD QD KD AD 5H 6S")) is None


@pytest.mark.parametrize("laid", [HasLaid.THIS_TURN, HasLaid.EARLIER])
def test_who_has_laid_goes_out_with_the_last_card(laid: HasLaid) -> None:
    view = samples.view(hand="4H", phase=Phase.PLAY, laid=(laid, *OTHERS[1:]), may_lay=False, may_add=True)
    found = ending(view)
    assert found is not None
    assert ending_words(view, found).startswith("You can go out now: throw 4♥.")
    assert ending(replace(view, hand=(*view.hand, *view.hand))) is None


def test_who_may_not_bend_the_table_or_is_not_to_play_cannot_end_it() -> None:
    assert ending(in_play(OUT, bend_forbidden=True)) is None
    assert ending(replace(in_play(OUT), phase=Phase.DRAW)) is None


@pytest.mark.parametrize(
    ("doubling", "laid", "words"),
    [
        ("bend", OTHERS, "It doubles what the others pay!"),
        ("first-bend", NOBODY, "It doubles what the others pay!"),
        ("first-bend", OTHERS, "Nothing doubles: Cat has laid already."),
        ("none", NOBODY, ""),
    ],
)
def test_what_it_doubles_is_said(doubling: str, laid: tuple[HasLaid, ...], words: str) -> None:
    view = in_play(OUT, laid)
    ruleset = view.rules.ruleset
    score = replace(ruleset.score, doubling=doubling)
    rules = replace(view.rules, ruleset=replace(ruleset, score=score))
    view = replace(view, rules=rules)
    found = ending(view)
    assert found is not None
    assert ending_words(view, found).partition(". ")[2] == words


def test_after_an_earlier_lay_down_nothing_doubles() -> None:
    view = in_play("5H 6S", (HasLaid.EARLIER, *NOBODY[1:]), may_add=True)
    view = replace(
        view,
        rules=replace(
            view.rules,
            ruleset=replace(view.rules.ruleset, score=replace(view.rules.ruleset.score, doubling="bend")),
        ),
    )
    found = ending(view)
    assert found is not None
    assert ending_words(view, found) == (
        "You can go out now: tack 5♥, throw 6♠. Nothing doubles: you laid in an earlier turn."
    )
