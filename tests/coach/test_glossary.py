"""The words of a game: those it has, in whole sentences, with pictures that the engine agrees with."""

import textwrap

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.clauses import ONLY, Picture, find_clause, glossary, rules_text
from kalooki_tui.engine.melds import judge_run, judge_set
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Ruleset
from tests.property.tables import RULESETS

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
    for word in words:
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


def test_every_condition_is_used_and_every_one_used_is_known() -> None:
    entries = sentences("glossary")["words"]
    assert {entry["only"] for entry in entries if "only" in entry} == set(ONLY)  # type: ignore[index, comparison-overlap]


@pytest.mark.parametrize("name", RULESETS)
def test_the_rules_tell_of_every_word_in_these_words_or_in_others(name: str) -> None:
    sections = rules_text(load_ruleset(name))
    told = " ".join(line.text for section in sections for line in section.lines).casefold()
    for word in glossary(load_ruleset(name)):
        assert word.term.casefold() in told or find_clause(sections, word.clause), word.term
