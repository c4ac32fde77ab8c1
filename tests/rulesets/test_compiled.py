import json
import re
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.problems import InputError, SourceLocation
from kalooki_tui.rulesets.builtin import NAME, compiled_text, read_compiled
from kalooki_tui.rulesets.folders import available, builtin_files, builtin_folder
from kalooki_tui.rulesets.loader import family_of, load_file, load_ruleset, resolve
from kalooki_tui.rulesets.model import OptionRule, Ruleset, to_data
from kalooki_tui.rulesets.trees import files_of, with_options
from kalooki_tui.rulesets.validation import check_ruleset, schema_text
from kalooki_tui.rulesets.yaml_source import node_of
from tests.moments import there

PATHS = builtin_files()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copied = tmp_path / "rulesets"
    # Without the modes: these files may be for reading alone.
    shutil.copytree(builtin_folder(), copied, copy_function=shutil.copyfile)
    monkeypatch.setattr("kalooki_tui.rulesets.folders.PACKAGE", tmp_path / "kalooki_tui")
    return copied


def test_the_file_is_current() -> None:
    made = "python -m kalooki_tui.rulesets.builtin > rulesets/compiled.json"
    assert (builtin_folder() / NAME).read_text(encoding="utf-8") == compiled_text(), made


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_was_compiled_is_what_the_file_says(path: Path) -> None:
    compiled = there(read_compiled(path))
    written = load_file(path)
    assert compiled.ruleset == written
    assert json.dumps(to_data(compiled.ruleset)) == json.dumps(to_data(written))
    assert [path.parent / name for name in compiled.files] == files_of(path)


def choices(ruleset: Ruleset) -> Iterator[tuple[str, ...]]:
    for number in range(len(ruleset.options) + 1):
        for chosen in combinations(ruleset.options, number):
            if not any(other in ruleset.options[name].excludes for name in chosen for other in chosen):
                yield chosen


@pytest.mark.sweep(5)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_combination_of_options_is_a_good_ruleset(path: Path) -> None:
    ruleset = load_ruleset(path.stem)
    for chosen in choices(ruleset):
        checked = check_ruleset(with_options(node_of(to_data(ruleset), SourceLocation()), chosen))
        assert resolve(ruleset, chosen) == checked


def test_an_edited_file_is_not_what_was_compiled(folder: Path) -> None:
    file = folder / "air-jamaica.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("limit: 3", "limit: 2"), encoding="utf-8")
    assert load_ruleset("air-jamaica").calls.limit == 2
    assert load_ruleset("baby").calls.limit == 2
    assert load_ruleset("jamaican").calls.limit == 3
    gone = [name for name in ("air-jamaica", "baby", "jamaican") if read_compiled(folder / f"{name}.yaml") is None]
    assert gone == ["air-jamaica", "baby"]
    assert resolve("baby", ["eight-card-baby"]).calls.limit == 2
    file = folder / "kooky.yaml"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_compiled(file) is not None, "other line ends are no change"
    (folder / "house.yaml").write_text("extends: baby\nname: House\n", encoding="utf-8")
    assert load_ruleset("house").name == "House"
    assert resolve("house", ["eight-card-baby"]).deals[0].cards == 8
    assert family_of("house") == "air-jamaica"
    (folder / NAME).unlink()
    assert load_ruleset("tuluki") == load_file(folder / "tuluki.yaml")
    assert family_of("tuluki") == "air-jamaica"


def test_equal_questions_have_the_same_answer(tmp_path: Path) -> None:
    (tmp_path / "rulesets").mkdir()
    own = tmp_path / "rulesets" / "house.yaml"
    own.write_text("extends: jamaican\nname: House\n", encoding="utf-8")
    for entry in available():
        assert resolve(entry.id) is resolve(entry.id)
    first = resolve("house", ["third-pack"], 5)
    assert resolve("house", ["third-pack"], 6) is first
    assert resolve("house", ["third-pack"]).name == "House"
    own.write_text("extends: jamaican\nname: Home\n", encoding="utf-8")
    assert resolve("house", ["third-pack"], 5).name == "Home"


def test_the_schema_is_current() -> None:
    made = "python -m kalooki_tui.rulesets.validation > rulesets/ruleset.schema.json"
    assert (builtin_folder() / "ruleset.schema.json").read_text(encoding="utf-8") == schema_text(), made


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
