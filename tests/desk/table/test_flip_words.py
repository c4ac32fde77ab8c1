"""Where a flip follows the discard it is called by its name, which a ruleset may choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kalooki_tui.desk.table.prompt import card_in_question, card_name
from kalooki_tui.desk.table.recap import recap
from kalooki_tui.desk.words import log_line
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import CallRefused, Dealt, Discarded, Drew, Flipped
from kalooki_tui.engine.history import History
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.ui.playing.prompts import decision_question
from kalooki_tui.ui.screens.between import callers_screen, turn_screen
from tests.ui import samples


def view(**changed: Any) -> View:
    """Ann and Bob in the flip's window."""
    ruleset = load_ruleset("tuluki")
    usual = {
        "names": ("Ann", "Bob"),
        "rules": make_rules(ruleset, 2),
        "flip": 19,
        "phase": Phase.FLIP_WINDOW,
        "turn": 1,
    }
    return replace(samples.view("jamaican"), **{**usual, "calls": (0, 0), "melds": (), **changed})


def named(word: str) -> View:
    """The same, where the ruleset calls it otherwise."""
    here = view()
    vocabulary = replace(here.rules.ruleset.vocabulary, flip=word)
    return view(rules=replace(here.rules, ruleset=replace(here.rules.ruleset, vocabulary=vocabulary)))


@pytest.mark.parametrize("word", ["flip", "turn-up"])
def test_the_card_in_question_is_the_flip(word: str) -> None:
    here = named(word)
    assert card_in_question(here) == (19, f"turned up as the {word}")
    assert card_name(here) == f"the {word} 7♦"
    screen = callers_screen(here, (0,), [], people=(0, 1), seconds=None)
    assert screen.clause == "U3"
    assert f"Call the {word} 7♦, then your number" in [str(choice.text) for choice in screen.keys]
    # Only Ann may call it.
    assert screen._title == f"Does Ann call the {word} 7♦?"


def test_other_cards_are_named_alone() -> None:
    assert card_name(view(phase=Phase.CALL_WINDOW, discard=19, discarded_by=0, flip=None)) == "7♦"


async def test_to_refuse_a_call_of_the_flip_is_to_take_the_flip() -> None:
    async def nothing(*_: object) -> str:
        return ""

    question = decision_question(view(phase=Phase.FLIP_DECISION, caller=0, seat=1), nothing, nothing)
    answers = [str(choice.text) for choice in question.choices]
    assert answers[0] == "Allow: Ann takes it and a penalty card, and you draw"
    assert "calls the flip" in str(question._text)
    assert answers[1] == "Refuse: you take the flip 7♦ as your draw"
    assert question.clause == "U3"


def test_log_and_recap_say_the_flip() -> None:
    here = view(phase=Phase.DRAW, history=(Flipped(19, None), CallRefused(1, 0, 19, Source.FLIP)))
    names, rules = here.names, here.rules
    told = [log_line(event, names, rules) for event in (*here.history, Drew(1, Source.FLIP, 19))]
    assert [line.text for line in told if line is not None] == [
        "The flip is 7♦",
        "Bob refuses and takes the flip 7♦",
        "Bob takes the flip 7♦",
    ]
    told_since = " ".join(one.whole for one in recap(replace(here, seat=0)))
    assert told_since.startswith("The flip was 7♦")
    assert "took the flip 7♦" in told_since


def test_the_first_card_was_turned_up_and_thrown_by_nobody_whosever_it_counts_as() -> None:
    dealt = Dealt(1, 1, 1, 0, 19)
    asked = view(phase=Phase.CALL_WINDOW, discard=19, discarded_by=1)
    assert card_in_question(replace(asked, history=History([dealt]))) == (19, "turned up")
    assert card_in_question(replace(asked, history=History([dealt, Discarded(1, 19)]))) == (19, "thrown by Bob")


def test_somebody_called_you_among_several_people_is_spoken_to() -> None:
    here = view(names=("You", "Bob"), turn=0)
    asked = callers_screen(here, (1,), [], people=(0, 1), seconds=None)
    assert "You are to draw." in str(asked._text)


def test_who_comes_to_add_on_is_told_so() -> None:
    here = view(phase=Phase.ADD_ON, out=0, turn=1, actor=1, flip=None, discarded_by=0)
    asked = turn_screen(here, 1, [])
    assert asked._title == "Bob may add on"
    assert "Ann is out." in str(asked._text)
    assert "Bob: add on, for the last time" in str(asked.keys[0].text)
