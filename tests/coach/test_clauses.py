"""The rules in sentences: whatever makes a game or a table different is told, and every refusal finds its rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kalooki_tui.coach.clauses import find_clause, rules_text
from kalooki_tui.coach.exercises.making import rules_for
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from tests.property.tables import RULESETS

POSITIONS = Path(__file__).parents[1] / "positions"
CLAUSES = (Path(__file__).parents[1] / "clauses.txt").read_text(encoding="utf-8").split()


def table(ruleset: str, seats: int, referee: Referee = Referee.STRICT, **settings: object) -> Rules:
    """The rules of one table."""
    found = load_ruleset(ruleset)
    return make_rules(found, seats, referee, make_settings(found, settings))


def told(match: Rules) -> str:
    """All that the rules of a table say."""
    return "\n".join(line.text for section in rules_text(match.ruleset, match) for line in section.lines)


def told_anywhere(ruleset: str) -> str:
    """All that is said of a game no table of which is set up."""
    return "\n".join(line.text for section in rules_text(load_ruleset(ruleset)) for line in section.lines)


def refused_clauses() -> Iterator[tuple[str, Rules, str]]:
    """Every refusal of the positions: code, the rules of its table, its clause."""
    for file in sorted(POSITIONS.glob("*.yaml")):
        position = load_position(file)
        match = set_up(position)
        for step in position.steps:
            try:
                match.apply(step.action)
            except Refused as refused:
                yield refused.code, position.rules, refused.clause


def test_every_refusal_finds_its_rule() -> None:
    seen = 0
    for code, rules, clause in refused_clauses():
        seen += 1
        sections = rules_text(rules.ruleset, rules)
        assert find_clause(sections, clause) is not None, f"{rules.ruleset.id}: nothing tells of {clause} ({code})"
    assert seen > 100


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


def test_a_part_of_a_clause_is_found_with_the_whole() -> None:
    rules = table("tuluki", 2)
    found = find_clause(rules_text(rules.ruleset, rules), "D26a")
    assert found is not None
    assert found.has("D26")
    assert find_clause(rules_text(rules.ruleset, rules), "X9") is None


def test_the_referee_is_told() -> None:
    strict, penalties = table("jamaican", 4), table("jamaican", 4, Referee.PENALTIES, over_call=200, bad_lay=70)
    assert "costs nothing" in told(strict)
    assert "there are no challenges" in told(strict)
    assert "costs 70 points, each time; the seat may not bend the table in this game" in told(penalties)
    assert "each call over 3 costs 200 points, once, and the seat may not bend the table" in told(penalties)
    assert "A challenge that finds nothing costs nothing." in told(penalties)
    assert "A table chooses. Strict:" in told_anywhere("jamaican")
    assert "There is no other referee here." in told_anywhere("classic")


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ("air-jamaica", "A challenge that finds nothing costs the challenger 50 points."),
        ("air-jamaica", "once, and only if the seat has not laid its contract by the end of the turn"),
        ("air-jamaica", "Trying to discard a joker is refused and costs 50 points."),
        ("trinidad", "The loser of a challenge scores its hand and 50 points more and drops out of the deal"),
        ("trinidad", "laid or not"),
        ("trinidad", "A first lay-down that is not the contract is refused and costs nothing."),
        ("kooky", "each call over 3 costs 100 points"),
    ],
)
def test_penalties_are_told_as_the_ruleset_has_them(ruleset: str, words: str) -> None:
    assert words in told(table(ruleset, 4, Referee.PENALTIES))


def test_the_cut_is_told_where_it_is_made() -> None:
    assert "The dealer cuts a packet" in told(table("air-jamaica", 3, dealer_cut=True))
    assert "scores -50" in told(table("air-jamaica", 3, dealer_cut=True))
    assert "packet" not in told(table("air-jamaica", 3))
    assert "If the table wants it, the dealer cuts" in told_anywhere("air-jamaica")
    assert "packet" not in told_anywhere("jamaican")


def test_stakes_are_told_with_the_amounts_of_the_table() -> None:
    text = told(table("kalookie-40", 3, initial_stake=25, call_up=3, kalookie=7, buy_in_stake=12, max_buy_ins=2))
    for words in (
        "pays 25 counters",
        "gets 3 from each other seat dealt in: the call-up",
        "brings 7 from each instead: a kalookie",
        "more than 150 points is out",
        "for 12 counters, 2 times",
    ):
        assert words in text
    assert "Nobody can buy in again." in told(table("kalookie-40", 3, max_buy_ins=0))
    assert "counters" not in told(table("jamaican", 3))


def test_the_end_of_the_stock_is_told() -> None:
    assert "void: nobody scores" in told(table("jamaican", 3))
    assert "the table is asked" in told(table("jamaican", 3))
    assert "dealt again 2 times at most" in told(table("jamaican", 3, max_redeals=2))
    assert "passed over" not in told(table("kalookie-40", 3))


def test_the_flip_is_told_by_its_name() -> None:
    text = told(table("tuluki", 2))
    assert "the flip. A joker goes to you, as your draw." in text
    assert "The seat that threw may call any other flip" in text
    assert "flip" not in told(table("air-jamaica", 3))


def test_packs_and_jokers_by_seats() -> None:
    assert "This table: 8 seats, 4 packs and 10 jokers, 218 cards." in told(table("jamaican", 8))
    assert "7-8 seats: 3 packs, 8 jokers; 9-10 seats: 4 packs, 12 jokers" in told_anywhere("trinidad")


def test_values_of_aces_and_doubling() -> None:
    assert "black A 15" in told_anywhere("jamaican")
    assert "red A 1;" in told_anywhere("jamaican")
    assert "gold A 5; green A 0" in told_anywhere("kooky")
    assert "If nobody else had laid before, the others' cards count double" in told_anywhere("air-jamaica")
    assert "Nothing ever doubles." in told_anywhere("classic")


def test_contracts_in_their_order_and_in_the_games_words() -> None:
    lines = next(lines for heading, lines in rules_text(load_ruleset("jamaican")) if heading == "Contracts")
    assert [line.text for line in lines[:2]] == [
        "Game 1: three threes, from 9 cards.",
        "Game 2: two threes, one four, from 10 cards.",
    ]


def test_a_rule_of_ones_own_is_told_without_its_name() -> None:
    ruleset = replace(load_ruleset("jamaican"), dealer_cut_bonus=-30, settings={"dealer_cut": True})
    assert "scores -30" in "\n".join(line.text for section in rules_text(ruleset) for line in section.lines)


def test_who_is_first_at_the_key() -> None:
    assert "the first to press a key" in told(table("jamaican", 3, race=True))
    assert "one after another" in told(table("jamaican", 3))


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
