import textwrap
from pathlib import Path

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.clauses import Picture, find_clause, glossary, rules_text
from kalooki_tui.coach.exercises.registry import rules_for
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import check_lay, judge_run, judge_set
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from kalooki_tui.rulesets.model import Ruleset
from tests.moments import there
from tests.property.tables import RULESETS

CLAUSES = (Path(__file__).parents[1] / "clauses.txt").read_text(encoding="utf-8").split()


def table(ruleset: str, seats: int, referee: Referee = Referee.STRICT, **settings: object) -> Rules:
    found = load_ruleset(ruleset)
    return make_rules(found, seats, referee, make_settings(found, settings))


def told(match: Rules) -> str:
    return "\n".join(line.text for section in rules_text(match.ruleset, match) for line in section.lines)


def told_anywhere(ruleset: str) -> str:
    """All that is said of a game no table of which is set up."""
    return "\n".join(line.text for section in rules_text(load_ruleset(ruleset)) for line in section.lines)


@pytest.mark.parametrize("name", [entry.id for entry in available()])
def test_every_clause_named_exists(name: str) -> None:
    ruleset = load_ruleset(name)
    tables = [None, make_rules(ruleset, ruleset.seat_counts[0])]
    for match in tables:
        for section in rules_text(ruleset, match):
            for line in section.lines:
                assert set(line.clauses.split(", ")) <= set(CLAUSES), line
                assert "{" not in line.text
                assert line.text.endswith("."), line


PENALTIES = Referee.PENALTIES
#: What the rules of a table say, and what they do not (`not` before it): ruleset, seats, referee, settings, words.
TOLD: list[tuple[str, int, Referee, dict[str, object], str]] = [
    ("jamaican", 4, Referee.STRICT, {}, "costs nothing"),
    ("jamaican", 4, PENALTIES, {"bad_lay": 70}, "costs 70 points, each time; the seat may not bend the table"),
    ("jamaican", 4, PENALTIES, {"over_call": 200}, "each call over 3 costs 200 points, once, and the seat may not"),
    ("air-jamaica", 4, PENALTIES, {}, "A challenge that finds nothing costs the challenger 50 points."),
    ("air-jamaica", 4, PENALTIES, {}, "only if the seat has not laid its contract by the end of the turn"),
    ("air-jamaica", 4, PENALTIES, {}, "Trying to discard a joker is refused and costs 50 points."),
    ("trinidad", 4, PENALTIES, {}, "The loser of a challenge scores its hand and 50 points more and drops out"),
    ("trinidad", 4, PENALTIES, {}, "A first lay-down that is not the contract is refused and costs nothing."),
    ("air-jamaica", 3, Referee.STRICT, {"dealer_cut": True}, "The dealer cuts a packet"),
    ("air-jamaica", 3, Referee.STRICT, {"dealer_cut": True}, "scores -50"),
    ("air-jamaica", 3, Referee.STRICT, {}, "not packet"),
    ("kalookie-40", 3, Referee.STRICT, {"initial_stake": 25}, "pays 25 counters"),
    ("kalookie-40", 3, Referee.STRICT, {"call_up": 3}, "gets 3 from each other seat dealt in: the call-up"),
    ("kalookie-40", 3, Referee.STRICT, {"kalookie": 7}, "brings 7 from each instead: a kalookie"),
    ("kalookie-40", 3, Referee.STRICT, {}, "more than 150 points is out"),
    ("kalookie-40", 3, Referee.STRICT, {"buy_in_stake": 12, "max_buy_ins": 2}, "for 12 counters, 2 times"),
    ("kalookie-40", 3, Referee.STRICT, {"max_buy_ins": 0}, "Nobody can buy in again."),
    ("jamaican", 3, Referee.STRICT, {}, "void: nobody scores"),
    ("jamaican", 3, Referee.STRICT, {"max_redeals": 2}, "dealt again 2 times at most"),
    ("tuluki", 2, Referee.STRICT, {}, "the flip. A joker goes to you, as your draw."),
    ("tuluki", 2, Referee.STRICT, {}, "The seat that threw may call any other flip"),
    ("jamaican", 8, Referee.STRICT, {}, "This table: 8 seats, 4 packs and 10 jokers, 218 cards."),
    ("jamaican", 3, Referee.STRICT, {"race": True}, "the first to press a key"),
]
#: The same of a game no table of which is set up.
TOLD_ANYWHERE = [
    ("jamaican", "A table chooses. Strict:"),
    ("classic", "There is no other referee here."),
    ("air-jamaica", "If the table wants it, the dealer cuts"),
    ("trinidad", "7-8 seats: 3 packs, 8 jokers; 9-10 seats: 4 packs, 12 jokers"),
    ("jamaican", "Game 1: three threes, from 9 cards.\nGame 2: two threes, one four, from 10 cards."),
    ("jamaican", "red A 1;"),
    ("kooky", "gold A 5; green A 0"),
    ("air-jamaica", "If nobody else had laid before, the others' cards count double"),
]


def says(text: str, words: str) -> bool:
    return (words.removeprefix("not ") in text) != words.startswith("not ")


def test_what_makes_a_table_or_a_game_different_is_told() -> None:
    sections = rules_text(load_ruleset("tuluki"), table("tuluki", 2))
    assert there(find_clause(sections, "D26a")).has("D26"), "a part of a clause is found with the whole"
    assert find_clause(sections, "X9") is None
    assert [one for one in TOLD if not says(told(table(*one[:3], **one[3])), one[4])] == []
    assert [one for one in TOLD_ANYWHERE if not says(told_anywhere(one[0]), one[1])] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_contract_has_an_example_in_cards_that_may_be_laid_and_is_no_more(ruleset: str) -> None:
    rules = rules_for(ruleset)
    examples = [line.example for section in rules_text(rules.ruleset) for line in section.lines if line.example]
    for contract, melds in zip(rules.ruleset.deals, examples, strict=True):
        laid = check_lay(rules, contract, 0, [Group(cards) for cards in melds], [], True)
        least = {Kind.SET: rules.ruleset.sets.minimum, Kind.RUN: rules.ruleset.runs.minimum}
        if not contract.points:
            assert [len(meld.cards) for meld in laid] == [least[meld.kind] for meld in laid]
            assert len(laid) == contract.sets + contract.runs


MOST_LINES = 4
PAGE = 68


def is_meld(ruleset: Ruleset, picture: Picture) -> bool:
    cards = (*picture.cards, *picture.lacks)
    return judge_set(ruleset, cards) is None or judge_run(ruleset, cards) is None


@pytest.mark.parametrize("name", RULESETS)
def test_words_are_explained_in_a_few_lines_and_pictures_are_what_they_are_said_to_be(name: str) -> None:
    ruleset = load_ruleset(name)
    words = glossary(ruleset)
    assert len({word.term for word in words}) == len(words)
    judged = lacking = grown = 0
    sections = rules_text(ruleset)
    said = " ".join(line.text for section in sections for line in section.lines).casefold()
    for word in words:
        assert word.term.casefold() in said or find_clause(sections, word.clause), word.term
        assert not set("{}") & set(word.term + word.says)
        assert word.says[-1] == "."
        assert len(textwrap.wrap(word.says, PAGE)) <= MOST_LINES
        assert word.pictures
        for picture in word.pictures:
            if len(picture.cards) + len(picture.lacks) >= 3:
                assert is_meld(ruleset, picture) != picture.wrong, (word.term, picture)
                judged += 1
            if picture.lacks:
                assert not is_meld(ruleset, Picture(picture.cards)) or len(picture.cards) >= ruleset.runs.minimum
                lacking += 1
            if picture.add:
                run = picture.cards
                place = run.index(JOKER) if JOKER in run else len(run)
                assert is_meld(ruleset, Picture((*run[:place], *picture.add, *run[place + 1 :])))
                grown += 1
    assert judged >= 8
    assert min(lacking, grown) > 0


def test_a_game_has_the_words_it_needs_and_no_others() -> None:
    def terms(name: str) -> set[str]:
        return {word.term for word in glossary(load_ruleset(name))}

    assert {"three", "four", "kiss", "contract", "call", "tack", "bend the table"} <= terms("jamaican")
    assert "flip" not in terms("jamaican")
    assert "flip" in terms("tuluki")
    assert {"contract", "call"} & terms("kalookie-40") == set()
    assert "opening points" in terms("kalookie-40")
    assert "Kooky Kard" in terms("kooky")
    assert "bend the table" not in terms("classic")
