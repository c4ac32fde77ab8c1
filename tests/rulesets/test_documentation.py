import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields

from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.folders import builtin_folder, yaml_files
from kalooki_tui.rulesets.loader import load_file, resolve
from kalooki_tui.rulesets.model import OptionRule, Part, Ruleset, Settings

PAGE: Final = (Path(__file__).parents[2] / "docs" / "rulesets.md").read_text(encoding="utf-8")
EXAMPLES: Final = dict(re.findall(r"```yaml\n# file: (\S+)\n(.*?)```", PAGE, re.DOTALL))


def kinds(annotation: Any) -> Iterator[Any]:
    yield annotation
    if get_origin(annotation) is not Literal:
        for argument in get_args(annotation):
            yield from kinds(argument)


def values(part: type[Part], prefix: str = "") -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(part)
    for name in (field.name for field in fields(part)):
        path = f"{prefix}{name}"
        yield path, hints[name]
        for kind in kinds(hints[name]):
            if isinstance(kind, type) and issubclass(kind, Part):
                entry = {"packs": "packs.N.", "deals": "deals.N.", "options": "options.NAME."}
                yield from values(kind, entry.get(path, f"{path}."))


def row_of(name: str) -> str:
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and f"`{name}`" in line.split("|")[1]]
    assert len(rows) == 1, name
    return rows[0]


def test_every_field_and_setting_has_its_row_and_every_policy_its_name() -> None:
    for name, annotation in values(Ruleset):
        row = row_of(name)
        policies = [value for kind in kinds(annotation) if get_origin(kind) is Literal for value in get_args(kind)]
        assert [value for value in policies if f"`{value}`" not in row] == [], name
    assert all(row_of(one.name) for one in fields(Settings))


def test_defaults_are_named_first() -> None:
    named = 0
    for name, field in [
        (f"{part.name}.{inner.name}", inner)
        for part in fields(Ruleset)
        if isinstance(part.default, Part) and part.name != "vocabulary"
        for inner in fields(part.default)
    ]:
        if field.default is not NODEFAULT:
            default = json.dumps(field.default).strip('"')
            assert row_of(name).split("|")[2].strip().strip("`").startswith(default), name
            named += 1
    assert named > 20


def test_the_page_names_each_built_in_ruleset() -> None:
    assert [path.stem for path in yaml_files(builtin_folder()) if f"`{path.stem}`" not in PAGE] == []


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
