from __future__ import annotations

import json
from typing import Any, Final
from unittest.mock import MagicMock

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Discard, Kind, Source, Tack
from kalooki_tui.engine.events import CallRefused, Dealt, Discarded, Drew, Event, Flipped, History, Scored, SeatEvent
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.presenter.prompts import card_in_question, card_name
from kalooki_tui.presenter.sentences import SeatSettlement, log_line, settlement, settlement_words, step_words
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.tui.screens.curtain import callers_screen, turn_screen
from kalooki_tui.tui.screens.scores import headline, last_score, seat_reports, settlement_table
from kalooki_tui.tui.tableside.questions import decision_question
from tests.commands import Golden
from tests.moments import there
from tests.playthroughs.golden import FOLDER
from tests.records.record_play import load_match
from tests.tui import samples

TOLD: Final = ("You", "Bea", "Cy")
RULES: Final = make_rules(resolve("jamaican"), 3)
SIXES: Final = (5, 5, 5)

EVENTS: Final[tuple[Event, ...]] = (
    happened.Dealt(1, 1, 0, 1, 4), happened.Dealt(1, 1, 1, 0, 4), happened.CutMade(0, 20, True), happened.Passed(0),
    happened.Called(0, 4), happened.CallAllowed(0, 1, 4, True), happened.CallAllowed(1, 0, 4, True),
    happened.CallAllowed(1, 0, 4, False), happened.CallRefused(0, 1, 4, Source.DISCARD),
    happened.CallRefused(1, 0, 4, Source.DISCARD), happened.PenaltyCard(0, None),
    happened.Drew(0, Source.STOCK, None), happened.Drew(0, Source.DISCARD, 4), happened.Flipped(4, 0),
    happened.Laid(0, 0, Kind.SET, SIXES, True), happened.Tacked(0, 1, (10,), (10,)),
    happened.Swapped(0, 0, 4, SIXES, JOKER), happened.Swapped(1, 0, 4, SIXES, JOKER), happened.Discarded(0, 4),
    happened.TurnEnded(0), happened.Challenged(0, 1, 2, False), happened.Challenged(1, 0, 0, True),
    happened.Charged(0, 50, "F1"), happened.Charged(0, -50, "B1"), happened.DroppedOut(0, None),
    happened.Reshuffled(40, None), happened.WentOut(0, False), happened.WentOut(0, True), happened.WentOut(1, True),
    happened.AddedOn(0), happened.Voided(1, 1), happened.Voided(1, 1, 200),
    happened.Scored(0, False, False, (), (), ()), happened.PassedOver(2, (), ()),
    happened.Paid("call-up", (2, -1, -1), 0), happened.Eliminated(0), happened.BoughtIn(0, 90), happened.SeatLeft(0),
    happened.MatchOver((0,), ()),
)  # fmt: skip


def test_every_verb_of_a_sentence_about_you_is_in_the_second_person(golden: Golden) -> None:
    lines = [log_line(event, TOLD, RULES) for event in EVENTS]
    golden("events", "\n".join("-" if line is None else f"{line.text}{' (call)' * line.call}" for line in lines))


def test_no_kind_of_event_is_left_out() -> None:
    kinds = {*Event.__subclasses__(), *SeatEvent.__subclasses__()} - {SeatEvent}
    assert {type(event) for event in EVENTS} == kinds


def test_what_is_taken_back_is_said_with_its_owner_and_without_a_card() -> None:
    assert step_words(Discard(0, 4), TOLD, RULES) == "your discard"
    assert step_words(Tack(1, (4,), 0), TOLD, RULES) == f"{TOLD[1]}'s {RULES.ruleset.vocabulary.tack}"


def view(**changed: Any) -> View:
    ruleset = load_ruleset("tuluki")
    usual = {
        "names": ("Ann", "Bob"),
        "rules": make_rules(ruleset, 2),
        "flip": 19,
        "phase": Phase.FLIP_WINDOW,
        "turn": 1,
    }
    return replace(samples.view("jamaican"), **{**usual, "calls": (0, 0), "melds": (), **changed})


def test_the_card_in_question_is_the_flip() -> None:
    rules = view().rules
    words = replace(rules.ruleset.vocabulary, flip="turn-up")
    here = view(rules=replace(rules, ruleset=replace(rules.ruleset, vocabulary=words)))
    assert card_in_question(here) == (19, "turned up as the turn-up")
    assert card_name(here) == "the turn-up 7♦"
    screen = callers_screen(here, (0,), (0, 1))
    assert screen.clause == "U3"
    assert "Call the turn-up 7♦, then your number" in [str(choice.text) for choice in screen.choices]
    # Only Ann may call it.
    assert screen.heading == "Does Ann call the turn-up 7♦?"


def test_the_flip_and_what_was_turned_up_are_said_everywhere() -> None:
    # To refuse a call of the flip is to take the flip.
    question = decision_question(view(phase=Phase.FLIP_DECISION, caller=0, seat=1), MagicMock())
    answers = [str(choice.text) for choice in question.choices]
    assert answers[0] == "Allow: Ann takes it and a penalty card, and you draw"
    assert "calls the flip" in str(question.text)
    assert answers[1] == "Refuse: you take the flip 7♦ as your draw"
    assert question.clause == "U3"
    # Log and recap say the flip.
    here = view(phase=Phase.DRAW, history=(Flipped(19, None), CallRefused(1, 0, 19, Source.FLIP)))
    names, rules = here.names, here.rules
    told = [log_line(event, names, rules) for event in (*here.history, Drew(1, Source.FLIP, 19))]
    assert [line.text for line in told if line is not None] == [
        "The flip is 7♦",
        "Bob refuses and takes the flip 7♦",
        "Bob takes the flip 7♦",
    ]
    # The first card was turned up and thrown by nobody whosever it counts as.
    dealt = Dealt(1, 1, 1, 0, 19)
    asked = view(phase=Phase.CALL_WINDOW, discard=19, discarded_by=1)
    assert card_in_question(replace(asked, history=History([dealt]))) == (19, "turned up")
    assert card_in_question(replace(asked, history=History([dealt, Discarded(1, 19)]))) == (19, "thrown by Bob")
    # Somebody called you among several people is spoken to.
    here = view(names=("You", "Bob"), turn=0)
    asked = callers_screen(here, (1,), (0, 1))
    assert "You are to draw." in str(asked.text)


RECORD = FOLDER / "kalookie-40-3.jsonl"
NAMES = ("Ann", "Bob", "Cat")


def settled(*, money: tuple[int, ...], buy_ins: tuple[int, ...] = (0, 0, 0)) -> View:
    rules = make_rules(load_ruleset("kalookie-40"), 3)
    return replace(samples.view("jamaican"), rules=rules, names=NAMES, money=money, buy_ins=buy_ins)


def lines(*told: dict[str, Any]) -> list[str]:
    return [json.dumps(line) for line in told]


def report(view: View) -> str:
    scored = there(last_score(view))
    return "\n".join([headline(view, scored), *(told.plain for told, _ in seat_reports(view, scored))])


def deal(number: int, *dealt: str) -> dict[str, Any]:
    return {"deal": number, "hands": {name: "2C" if name in dealt else "" for name in NAMES}}


def out(name: str, *, bent: bool = False) -> dict[str, Any]:
    return {"scored": dict.fromkeys(NAMES, 0), "out": name, "bent": bent, "totals": dict.fromkeys(NAMES, 0)}


def test_a_recorded_match_comes_to_its_counters() -> None:
    _, match = load_match(str(RECORD))
    assert match is not None
    told = settlement(match.view(0), match.winners, RECORD.read_text(encoding="utf-8").splitlines())
    assert [one.total for one in told] == list(match.standing.money)
    winner = told[match.winners[0]]
    assert winner.pool > 0
    assert sum(one.total for one in told) == 0


def test_each_part_is_told_by_itself() -> None:
    record = lines(
        deal(1, *NAMES), out("Ann"), deal(2, *NAMES), out("Bob", bent=True), deal(3, "Ann", "Bob"), out("Ann")
    )
    view = settled(money=(+31, -8, -23), buy_ins=(0, 0, 1))
    # 40 in the pool: three stakes and one return; Ann +2 and +1 by call-ups, Bob +4 by a kalookie.
    ann, bob, cat = settlement(view, (0,), record)
    assert ann == SeatSettlement("Ann", -10, 0, 3, -2, 40, 2, 0)
    assert bob == SeatSettlement("Bob", -10, 0, -2, 4, 0, 0, 1)
    assert cat == SeatSettlement("Cat", -10, -10, -1, -2, 0, 0, 0)
    assert settlement_words([ann, bob, cat]) == [
        "Ann takes the pool of 40 counters.",
        "Bob has won 1 kalookie.",
        "Ann has won 2 call-ups.",
    ]
    table = settlement_table([ann, bob, cat]).plain
    assert "Ann takes the pool of 40 counters." in table
    assert max(map(len, table.splitlines())) <= 72, "beside a scroll bar"


def test_what_a_record_does_not_come_to_is_not_told() -> None:
    # Steps taken back count for nothing.
    record = lines(deal(1, *NAMES), {"do": "x"}, out("Cat"), {"undone": 2}, {"do": "y"}, out("Ann"))
    ann, bob, cat = settlement(settled(money=(22, -11, -11)), (0,), record)
    assert (ann.call_ups, bob.call_ups, cat.call_ups) == (2, -1, -1)
    # Nothing is told that does not come to the counters.
    assert settlement(settled(money=(99, 0, 0)), (0,), lines(deal(1, *NAMES), out("Ann"))) == []
    assert settlement(settled(money=(0, 0, 0)), (0,), []) == []
    assert settlement(samples.view("jamaican"), (0,), lines(deal(1, *NAMES))) == []


def test_the_end_of_a_deal_says_who_is_out_by_it() -> None:
    scored = Scored(0, False, False, ((), (1,), (2,)), (0, 2, 3), (0, 151, 150))
    view = replace(settled(money=(0, 0, 0)), history=(scored,), in_deal=(True, True, True))
    told = report(view)
    assert told.count(" · over 150: out") == 1
    assert told.index("over 150") < told.index("Cat")
    assert "eliminated" not in told
    assert "eliminated" in report(replace(view, in_deal=(True, True, False)))


@pytest.mark.parametrize(
    ("ruleset", "bent", "words"),
    [
        ("kalookie-40", False, "the call-up, 1 from each other seat"),
        ("kalookie-40", True, "a kalookie, 2 from each other seat"),
        ("air-jamaica", True, "since another had laid before"),
        ("classic", True, "Ann laid and went out at once.\n"),
    ],
)
def test_the_end_of_a_deal_says_what_is_paid_and_what_doubles(ruleset: str, bent: bool, words: str) -> None:
    rules = make_rules(load_ruleset(ruleset), 3)
    scored = Scored(0, bent, False, ((), (1,), (2,)), (0, 2, 3), (0, 2, 3))
    view = replace(settled(money=(0, 0, 0)), rules=rules, history=(scored,), in_deal=(True, True, True))
    assert words in report(view)


def test_who_comes_to_add_on_is_told_so() -> None:
    here = view(phase=Phase.ADD_ON, out=0, turn=1, actor=1, flip=None, discarded_by=0)
    asked = turn_screen(here, 1)
    assert asked.heading == "Bob may add on"
    assert "Ann is out." in str(asked.text)
    assert "Bob: add on, for the last time" in str(asked.choices[0].text)
