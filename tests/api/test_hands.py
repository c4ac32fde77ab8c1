from typing import Any

import pytest

import kalooki_tui as kalooki

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
