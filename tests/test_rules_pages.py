import re

import pytest

from kalooki_tui.coach.clauses import rules_text
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Ruleset
from scripts.make_rules import ABOUT_THE_PROGRAM, FOLDER, page, pages, spoken

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
