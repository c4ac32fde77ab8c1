import pytest
from msgspec.structs import replace

from kalooki_tui.engine.rules import make_rules
from kalooki_tui.presenter.sentences import deal_words
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.house import deal_numbers, value_of
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from tests.tui import samples


def test_deals_are_chosen_by_their_numbers_in_the_game() -> None:
    whole = tuple(replace(deal, number=number) for number, deal in enumerate(load_ruleset("jamaican").deals, 1))
    assert resolve("jamaican", ("deals=1-3",)).deals == whole[:3]
    assert resolve("jamaican", ("deals=2,5,9",)).deals == (whole[1], whole[4], whole[8])
    assert resolve("jamaican", ("six-jokers", "deals=4"), 4).deals == whole[3:4]
    assert deal_numbers(("six-jokers", "deals=2-4,9")) == (2, 3, 4, 9)


@pytest.mark.parametrize(
    ("options", "deal", "words"),
    [((), 4, "Game 4 of 9"), (("deals=4",), 1, "Game 4"), (("deals=2,5,9",), 2, "Game 5, 2 of 3"),
     (("deals=1-3",), 3, "Game 3 of 3")],
)  # fmt: skip
def test_a_deal_is_called_by_its_number_in_the_game(options: tuple[str, ...], deal: int, words: str) -> None:
    rules = make_rules(resolve("jamaican", options), 4)
    assert deal_words(samples.view(rules=rules, deal=deal, contract=rules.contract(deal))) == words


def test_calls_and_doubling_are_changed() -> None:
    game = resolve("jamaican", ("calls=1", "doubling=first-bend"))
    assert (game.calls.limit, game.score.doubling) == (1, "first-bend")
    assert value_of(("calls=1",), "calls") == "1"
    assert value_of(("calls=1",), "deals") == ""


@pytest.mark.parametrize(
    ("ruleset", "options", "why"),
    [
        ("jamaican", ("deals=0-3",), "it has 1 to 9"),
        ("jamaican", ("deals=8-12",), "it has 1 to 9"),
        ("jamaican", ("deals=three",), "names no deals: write 1-3"),
        ("jamaican", ("deals=",), "are not deals"),
        ("jamaican", ("deals=1,1",), "each once"),
        ("jamaican", ("deals=1", "deals=2"), "named twice"),
        ("jamaican", ("calls=0",), "a number from 1 to 20"),
        ("jamaican", ("doubling=often",), "one of none, bend, first-bend"),
        ("jamaican", ("deels=1",), "no house rule 'deels'; did you mean 'deals'"),
        ("kalookie-40", ("deals=1",), "goes on until one seat is left"),
        ("kalookie-40", ("calls=2",), "nobody calls in Kalookie 40"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_is_refused_in_words(ruleset: str, options: tuple[str, ...], why: str) -> None:
    with pytest.raises(InputError, match=why):
        resolve(ruleset, options)
