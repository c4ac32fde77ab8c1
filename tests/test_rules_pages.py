import re
import xml.etree.ElementTree as ElementTree

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.clauses import rules_text
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Ruleset
from scripts.make_rules import ABOUT_THE_PROGRAM, FOLDER, MELDS, caption, page, pages, picture, spoken

IDS = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


@pytest.fixture(scope="module", params=IDS)
def game(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(request.param)


def test_the_pages_are_made_from_the_rules() -> None:
    made = {one.name: one.text for one in pages()}
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert there == set(made)
    assert [name for name, text in made.items() if (FOLDER / name).read_text(encoding="utf-8") != text] == [], (
        "make rules"
    )


def test_every_rule_of_the_game_is_on_its_page(game: Ruleset) -> None:
    text = page(game)
    lines = [line.text for section in rules_text(game) for line in section.lines]
    left_out = [line for line in lines if f"- {spoken(line)}\n" not in text]
    contracts = [line for line in left_out if re.search(r", from \d+ cards\.$", line)]
    assert len(contracts) == len(game.deals)
    assert [line for line in left_out if line not in contracts and not line.startswith(ABOUT_THE_PROGRAM)] == []


def test_a_caption_is_what_the_engine_says(game: Ruleset) -> None:
    captions = {name: caption(game, cards) for name, cards in MELDS.items()}
    assert captions["row"] == f"A {game.vocabulary.run}."
    assert captions["around-the-ace"].startswith(f"Not a {game.vocabulary.run}: ")
    assert captions["two-jokers"].startswith("A " if game.runs.kisses else "Not a ")


def test_a_picture_shows_each_card(game: Ruleset) -> None:
    for cards in MELDS.values():
        texts = [element.text for element in ElementTree.fromstring(picture(game.faces, cards)) if element.text]
        assert len(texts) == 2 * len(cards)
        assert texts.count("JOKER") == cards.count(JOKER)
