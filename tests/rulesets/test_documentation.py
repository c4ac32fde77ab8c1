import re
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import load_file, resolve
from kalooki_tui.rulesets.model import OptionRule

PAGE: Final = (Path(__file__).parents[2] / "docs" / "rulesets.md").read_text(encoding="utf-8")
EXAMPLES: Final = dict(re.findall(r"```yaml\n# file: (\S+)\n(.*?)```", PAGE, re.DOTALL))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_load_and_so_do_their_options(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(EXAMPLES[name], encoding="utf-8")
    ruleset = load_file(tmp_path / name)
    assert ruleset.id == Path(name).stem
    for option, rule in ruleset.options.items():
        assert isinstance(rule, OptionRule)
        assert resolve(ruleset, [option], (rule.seats or ruleset.seat_counts)[0]) != ruleset


def test_the_house_rule_does_what_its_comments_say(tmp_path: Path) -> None:
    (tmp_path / "sunday.yaml").write_text(EXAMPLES["sunday.yaml"], encoding="utf-8")
    sunday = load_file(tmp_path / "sunday.yaml")
    assert (sunday.calls.limit, sunday.score.doubling, sunday.deals[8].cards) == (2, "first-bend", 15)
    assert "one-joker-fours" not in sunday.options


def test_the_errors_shown_are_those_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = re.findall(r"^house\.yaml:\d+: .*$", PAGE, re.MULTILINE)
    lines = ["extends: jamaican", "name: House", "", "swop: up-only", "", "", "deals:", "  3:", "    cards: ten", ""]
    (tmp_path / "house.yaml").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        load_file("house.yaml")
    assert sorted(str(caught.value).splitlines()) == sorted(shown)
    assert len(shown) == 2
