from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.engine.events import CallAllowed, Charged
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.presenter.prompts import CUT, NOTES, due_note, is_due, note_about
from kalooki_tui.presenter.turn_state import face_down
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.tui.widgets.status import ROWS, note_lines
from tests.moments import there
from tests.tui import samples

CLAUSES = (Path(__file__).parents[1] / "clauses.txt").read_text(encoding="utf-8").split()
WIDTH = 80
CALLED = (CallAllowed(0, 1, 20, asked=True),)


def views() -> Iterator[View]:
    for entry in available():
        ruleset = load_ruleset(entry.id)
        for referee in Referee:
            if referee is Referee.STRICT or ruleset.infractions is not None:
                yield seen(entry.id, referee=referee)


def seen(ruleset: str = "jamaican", *, referee: Referee = Referee.STRICT, **changed: Any) -> View:
    """A view at which nothing is due but what `changed` makes so."""
    found = load_ruleset(ruleset)
    seats = found.seat_counts[0]
    view = samples.view("jamaican")
    names = ("A name of 14", "Bob", "Cat", "Dee")[:seats]
    rules = make_rules(found, seats, referee)
    usual = {"names": names, "rules": rules, "hand": (1, 2, 3), "history": (), "flip": None, "dead": False}
    return replace(view, **{**usual, "attempt": 1, "reshuffles": 0, "out": None, "melds": (), **changed})


@pytest.mark.parametrize("name", NOTES)
def test_a_note_has_two_lines_in_every_game(name: str) -> None:
    for view in views():
        note = note_about(name, replace(view, out=0))
        lines = note_lines(note.text, WIDTH)
        assert len(lines) <= ROWS, (view.rules.ruleset.id, lines)
        assert "{" not in note.text
        assert "\N{NO-BREAK SPACE}" not in "".join(lines), "it has no letter in ASCII"


def test_every_note_has_its_words_and_clauses_that_exist() -> None:
    assert set(sentences("notes")) == set(NOTES)
    for name, texts in sentences("notes").items():
        assert set(texts["clauses"].split(", ")) <= set(CLAUSES), name
        assert len(texts) > 1


@pytest.mark.parametrize(
    ("name", "view", "words"),
    [
        ("flip", seen("tuluki", flip=20), "The flip lies open"),
        ("dead", seen(dead=True), "DEAD lies over it"),
        ("dead", seen("tuluki", dead=True), "only what is thrown or flipped next"),
        ("void", seen(attempt=2), "so nobody scored"),
        ("reshuffle", seen(reshuffles=1), "the discards are the new one"),
        ("aces", seen(hand=(0, 5, 9)), "black A 15, red A 1"),
        ("aces", seen("kooky", hand=(0, 5, 9)), "black A 15, red A 10, gold A 5, green A 0"),
        ("charge", seen(referee=Referee.PENALTIES, history=(Charged(1, 50, "F1"),)), "they never double"),
        ("stakes", seen("kalookie-40"), "pays 10 counters into the pool"),
        (
            "add-on",
            seen("kooky", phase=Phase.ADD_ON, actor=0, seat=0, out=1),
            "Bob is out. Each other seat that has laid may then lay, tack and swap once more",
        ),
        ("colours", seen("kooky"), "red (R), black (B), gold (Go), green (Gr)"),
        (
            "challenge",
            seen("air-jamaica", referee=Referee.PENALTIES, may_challenge=(1,), history=CALLED),
            "each over 3 costs 50 points. A challenge that finds nothing costs the challenger 50 points.",
        ),
        (
            "challenge",
            seen("trinidad", referee=Referee.PENALTIES, may_challenge=(1,), history=CALLED),
            "The loser of a challenge scores its hand and 50 points more and drops out of the deal.",
        ),
    ],
)
def test_each_is_due_when_its_rule_matters(name: str, view: View, words: str) -> None:
    others = [note for note in NOTES if note != name]
    note = there(due_note(view, others, mine=True))
    assert note.name == name
    assert words in note.text
    assert is_due(name, view, mine=True)
    assert due_note(view, NOTES, mine=True) is None, "what was seen does not come again"


@pytest.mark.parametrize(
    "view",
    [
        seen(),
        seen("kalookie-40", hand=(0, 5, 9)),
        seen(referee=Referee.PENALTIES, may_challenge=(1,)),
        seen(history=(Charged(1, -50, "B1"),)),
    ],
    ids=["nothing has happened", "aces that cost alike", "nobody has called", "a bonus is no charge"],
)
def test_nothing_is_told_where_no_rule_matters(view: View) -> None:
    assert due_note(view, ("stakes",), mine=True) is None


def test_nothing_of_a_covered_hand_is_told() -> None:
    for name, view in (
        ("aces", seen(hand=(0, 5, 9))),
        ("colours", seen("kooky")),
        ("challenge", seen(referee=Referee.PENALTIES, may_challenge=(1,), history=CALLED)),
    ):
        assert is_due(name, view, mine=True)
        assert not is_due(name, face_down(view), mine=False)


def test_the_cut_is_told_in_its_question_alone() -> None:
    assert "cut" in note_about(CUT, seen("air-jamaica")).text
    assert due_note(seen("air-jamaica", phase=Phase.CUT), (), mine=False) is None
