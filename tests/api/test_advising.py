from itertools import islice
from typing import Any

import pytest

import kalooki_tui as kalooki
from kalooki_tui.coach.rated_advice import hint, reason
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.recommendation import difference
from kalooki_tui.notation.action_text import print_answer
from tests.coach.walking import decisions

TO_THROW = """\
ruleset: jamaican
deal: 1
turn: Ann
phase: play
discard: 2H
seats:
  - {name: Ann, hand: 5C 5D 5H 9S 9D KD KS 2C QH}
  - {name: Bob, hand: %s}
  - {name: Cat, hand: %s}
"""
HANDS = "AC AD AH AS 2D 3D 4D 6D 7D", "AC AD AH AS 2D 3D 4D 6D 7D"
OTHERS = "JC JD JH JS 8C 8D 8H 8S 7H", "10C 10D 10H 10S 6H 6S 4H 3H JK"


@pytest.fixture
def match() -> kalooki.Match:
    return kalooki.read_position(TO_THROW % HANDS)


def test_every_throw_is_an_option_and_the_advised_one_comes_first(match: kalooki.Match) -> None:
    found = kalooki.advise(match, worlds=30)
    assert {option.action for option in found.options} == {one for one in match.view().legal if "discard" in one}
    assert found.action == str(found) == found.options[0].action
    assert found.action in ("discard QH", "discard 2C"), "the two cards that go with nothing"
    assert 0 < found.worlds <= 30
    assert found.options[0].behind == 0


def test_table_and_advice_have_one_order_and_neither_speaks_against_the_other() -> None:
    seen = 0
    for _, view in islice(decisions("jamaican", "one order", 3), 0, 60, 12):
        if len(view.legal) < 2:
            continue
        found = kalooki.advise(kalooki.View(view), worlds=40)
        others = [(one.behind, one.points) for one in found.options[1:] if one.behind is not None]
        assert others == sorted(others)
        assert all(one.behind >= -one.behind_error for one in found.options if one.behind and one.behind_error)
        assert all(option.reason for option in found.options)
        seen += len(others)
    assert seen > 4


def test_the_words_are_those_of_the_hint_and_each_reason_is_the_fact_that_tells_the_two_apart() -> None:
    match = kalooki.read_position(TO_THROW % HANDS)
    view = match.view()
    found = kalooki.advise(view, worlds=60)
    assert found.hint == hint(view.engine).steps
    situation = Situation(view.engine)
    by_text = {print_answer(one, view.names, view.engine.rules.faces): one for one in view.engine.legal}
    for option in found.options[1:]:
        fact = difference(situation, by_text[found.action], by_text[option.action])
        assert option.reason == reason(situation, fact)
    assert next(one.reason for one in found.options if one.action == "discard KD").startswith("K♦ belongs with K♠")


def test_without_worlds_there_are_facts_and_no_points(match: kalooki.Match) -> None:
    found = kalooki.advise(match, worlds=0)
    assert found.worlds == 0
    assert {option.points for option in found.options} == {None}
    assert all(option.reason for option in found.options)


def test_the_same_is_advised_whatever_the_hidden_cards_are(match: kalooki.Match) -> None:
    again = kalooki.read_position(TO_THROW % OTHERS)
    assert kalooki.advise(match, worlds=30) == kalooki.advise(again.view("Ann"), worlds=30)


@pytest.mark.parametrize(
    ("what", "level", "said"),
    [
        ("view", "champion", "there is no AI level 'champion'"),
        ("other", "club", "nothing to decide"),
        ("over", "club", "waits for nobody"),
    ],
)
def test_what_cannot_be_advised_on_is_said(match: kalooki.Match, what: str, level: str, said: str) -> None:
    over = kalooki.play({"Ann": "ai:novice", "Bob": "ai:novice", "Cat": "ai:novice"}, "baby", seed=1)
    asked = {"view": match.view(), "other": match.view("Bob"), "text": TO_THROW, "over": over}[what]
    with pytest.raises(ValueError, match=said):
        kalooki.advise(asked, level)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=said):
        kalooki.decide(asked, level)  # type: ignore[arg-type]


HAND = "5C 5D 5H 9S 9D 9C KD KS JK 2H"


def test_the_best_lay_down_is_text_that_can_be_pushed() -> None:
    found = kalooki.best_lay(HAND)
    assert found == kalooki.BestLay(("5C 5D 5H", "9C 9D 9S", "KD KS JK"), ("2H",), 2)
    assert str(found) == "lay 5C 5D 5H | 9C 9D 9S | KD KS JK"
    assert kalooki.best_lay(HAND.split()) == found
    assert kalooki.best_lay(HAND, deal=9) is None


def test_the_deal_the_ruleset_and_its_options_matter() -> None:
    assert kalooki.distance("5C 5D 5H 7S 8S 9S 10S 2H", deal=2) > 0
    assert kalooki.distance("5C 5D 5H 7S 8S 9S 10S 2H", "baby", deal=2) == 0
    assert kalooki.distance("5R 5B 5Y", "kooky") >= 0
    with pytest.raises(ValueError, match="'5R' is"):
        kalooki.distance("5R 5B 5Y")


def test_useful_cards_shorten_the_distance() -> None:
    hand = "5C 5D 9S 9D 9C KD KS 2H"
    away = kalooki.distance(hand)
    helps = kalooki.useful_cards(hand)
    assert helps["5C"] == 1
    assert {kalooki.distance(f"{hand} {card}") for card in helps} == {away - 1}
    assert kalooki.useful_cards(HAND) == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("5Z",), "hand: '5Z' is"),
        (("",), "no cards in the hand"),
        (("5C 5C 5C",), "hand: it holds 5C 3 times"),
        (("5C", "jamaica"), "did you mean 'jamaican'"),
        (("5C", "jamaican", 10), "deal: Jamaican Kalooki has deals 1 to 9, not 10"),
        (("5C", "jamaican", 0), "not 0"),
        (("5C", "jamaican", 1, {"seats": 12}), "is played with 3 to 8 seats, not 12"),
        (("5C", "jamaican", 1, {"options": ["gold"]}), "gold"),
    ],
)
def test_bad_input_is_a_clear_error(arguments: tuple[Any, ...], said: str) -> None:
    *named, options = arguments if isinstance(arguments[-1], dict) else (*arguments, {})
    for ask in (kalooki.best_lay, kalooki.distance, kalooki.useful_cards):
        with pytest.raises(ValueError, match=said):
            ask(*named, **options)
