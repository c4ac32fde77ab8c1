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
from tests.commands import Golden
from tests.moments import there
from tests.property.tables import RULESETS

CLAUSES = (Path(__file__).parents[1] / "clauses.txt").read_text(encoding="utf-8").split()


def table(ruleset: str, seats: int, referee: Referee = Referee.STRICT, **settings: object) -> Rules:
    found = load_ruleset(ruleset)
    return make_rules(found, seats, referee, make_settings(found, settings))


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
TABLES = [
    *(table(ruleset, load_ruleset(ruleset).seat_counts[0]) for ruleset in RULESETS),
    table("jamaican", 8, PENALTIES), table("jamaican", 4, PENALTIES, bad_lay=70, over_call=200),
    table("jamaican", 3, race=True, max_redeals=2, max_turns=30), table("air-jamaica", 3, dealer_cut=True),
    table("air-jamaica", 4, PENALTIES), table("trinidad", 4, PENALTIES), table("kooky", 4, PENALTIES),
    table("kalookie-40", 3, initial_stake=25, call_up=3, kalookie=7, buy_in_stake=12, max_buy_ins=2),
    table("kalookie-40", 3, max_buy_ins=0), table("kalookie-40", 3, max_buy_ins=1),
]  # fmt: skip


def test_what_the_rules_and_words_of_each_game_and_table_say(golden: Golden) -> None:
    """What has been said of an earlier game in the same words is left out."""
    told = list[str]()
    for ruleset, match in [*((load_ruleset(name), None) for name in RULESETS), *((one.ruleset, one) for one in TABLES)]:
        symbols = ruleset.faces.symbols
        told += ["", f"{ruleset.id}, {'any table' if match is None else f'{match.seats} seats, {match.referee.value}'}"]
        for section in rules_text(ruleset, match):
            for line in section.lines:
                melds = " | ".join(map(symbols, line.example))
                said = f"  {section.heading} ({line.clauses}) {line.text} {melds}".rstrip()
                told += [] if said in told else [said]
        for word in glossary(ruleset) if match is None else ():
            said = f"  {word.term} ({word.clause}): {word.says}"
            told += [] if said in told else [said, *(f"    {picture}" for picture in word.pictures)]
    golden("rules", "\n".join(told))


def test_a_part_of_a_clause_is_found_with_the_whole() -> None:
    sections = rules_text(load_ruleset("tuluki"), table("tuluki", 2))
    assert there(find_clause(sections, "D26a")).has("D26")
    assert find_clause(sections, "X9") is None


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_contract_has_an_example_in_cards_that_may_be_laid_and_is_no_more(ruleset: str) -> None:
    rules = rules_for(ruleset)
    examples = [line.example for section in rules_text(rules.ruleset) for line in section.lines if line.example]
    for contract, melds in zip(rules.ruleset.deals, examples, strict=True):
        laid = check_lay(rules, contract, 0, [Group(cards) for cards in melds], [], True)
        if not contract.points:
            sets, runs = rules.ruleset.sets.minimum, rules.ruleset.runs.minimum
            lengths = {Kind.SET: contract.set_lengths(sets), Kind.RUN: contract.run_lengths(runs)}
            for kind, asked in lengths.items():
                drawn = [len(meld.cards) for meld in laid if meld.kind is kind]
                assert drawn == [*asked] or (contract.whole and len(drawn) == len(asked))
            assert not contract.whole or sum(len(meld.cards) for meld in laid) == contract.cards + 1


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
