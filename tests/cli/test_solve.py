import io
import json
import random
from functools import partial
from pathlib import Path

import pytest

from kalooki_tui.api import hands
from kalooki_tui.api.hands import Asked
from kalooki_tui.cards import full_deck
from kalooki_tui.cli.example import FOLDER as EXAMPLES
from kalooki_tui.playouts import library
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from tests.commands import Run, answered


def test_a_hand_a_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("5C 5D 5H 7C 7D 7S 9C 9D 9S\n\n2C 5D 9H\n5C 5X\n"))
    code, out, err = run("solve", "--deal", "1", "--hand", "-")
    assert [json.loads(line)["away"] for line in out.splitlines()] == [0, 6]
    assert code == 2
    assert err.startswith("line 4: '5X' is not a card")


def whole_pack() -> str:
    rules = Asked.read("jamaican", (), None, 1).rules
    return rules.faces.texts(full_deck(rules.packs, rules.jokers))


SENTENCE = "a hand of 108 cards takes too long to solve; hands as they are played do not"


def test_a_whole_pack_is_too_much_to_solve_and_a_sentence_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "MOST_STEPS", 1000)
    code, out, err = run("solve", "--deal", "1", "--hand", whole_pack())
    assert (code, out, err) == (2, "", f"{SENTENCE}\n")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("ruleset", [entry.id for entry in available() if entry.builtin])
def test_hands_bigger_than_any_that_is_played_are_solved(ruleset: str, run: Run) -> None:
    game, dice = load_ruleset(ruleset), random.Random(1)
    for number, deal in enumerate(game.deals, start=1):
        rules = Asked.read(ruleset, (), None, number).rules
        # Two cards for each call, one that is drawn, and five more, out of few ranks: the hardest to solve.
        size = deal.cards + 2 * game.calls.limit + 6
        deck = sorted(full_deck(rules.packs, rules.jokers), key=lambda card: (card % 13, dice.random()))
        hand = rules.faces.texts(dice.sample(deck[: 3 * size // 2], size))
        assert run("solve", "--ruleset", ruleset, "--deal", number, "--hand", hand)[0] == 0


TESTS = Path(__file__).parents[1]
RECORD = str(TESTS / "playthroughs" / "baby-3.jsonl")
NO_CALLS = str(TESTS / "positions" / "C10_no-calls.yaml")
POSITION = str(EXAMPLES / "position.yaml")


run = partial(answered, "advise")


def test_programs_get_every_option_with_what_it_comes_to() -> None:
    status, output = run(RECORD, "--deal", "1", "--at", "2", "--worlds", "20", "--json")
    assert status == 0
    throw = json.loads(output)["advice"][-1]
    assert (throw["seat"], throw["deal"], throw["done"]) == ("Ada", 1, "discard 9S")
    assert throw["options"][0]["action"] == throw["action"]
    assert {option["action"] for option in throw["options"]} >= {"discard 5C", "discard 3H", "discard JD"}
    assert set(throw["options"][0]) == {"action", "points", "error", "behind", "behind_error", "reason"}


def test_without_a_core_one_sentence_says_why_there_are_no_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "load", lambda: "The native core has not been built here.")
    status, output = run(POSITION)
    assert (status, output.count("The native core has not been built here.")) == (0, 1)
    assert "The native core" not in run(POSITION, "--worlds", "0")[1]
