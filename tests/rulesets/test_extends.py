from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.problems import InputError, SourceLocation
from kalooki_tui.rulesets.loader import load_file, load_ruleset
from kalooki_tui.rulesets.trees import find, merge
from kalooki_tui.rulesets.yaml_source import Node, read_yaml


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def error_of(path: Path) -> tuple[str, int, str]:
    with pytest.raises(InputError) as caught:
        load_file(path)
    [(file, line, message)] = caught.value.problems
    return Path(file).name, line, message


def merged(base: str, over: str) -> Node:
    return merge(read_yaml(base, "base"), read_yaml(over, "over"))


@pytest.mark.parametrize(
    ("base", "over", "result"),
    [
        ("{a: 1, b: 2}", "{b: 3, c: 4}", {"a": 1, "b": 3, "c": 4}),
        ("a: {x: 1, y: 2}", "a: {y: 3}", {"a": {"x": 1, "y": 3}}),
        ("a: {x: 1, y: 2}", "a: {y: null}", {"a": {"x": 1}}),
        ("a: {x: 1}", "a: {z: null}", {"a": {"x": 1, "z": None}}),
        ("a: [1, 2, 3]", "a: [4]", {"a": [4]}),
        ("a: [1, 2, 3]", "a: {2: 5}", {"a": [1, 5, 3]}),
        ("a: [{x: 1, y: 2}, {x: 3}]", "a: {1: {y: 9}}", {"a": [{"x": 1, "y": 9}, {"x": 3}]}),
        ("a: 1", "a: {x: 1}", {"a": {"x": 1}}),
        ("a: {x: 1}", "a: 1", {"a": 1}),
    ],
)
def test_merge(base: str, over: str, result: object) -> None:
    assert merged(base, over).plain() == result


@pytest.mark.parametrize("key", ["0", "3", "-1", "x", "²", ("9" * 900)])
def test_merge_refuses_an_entry_the_list_has_not(key: str) -> None:
    with pytest.raises(InputError, match=r"^over:2: .* is not an entry of the list"):
        merged("a: [1, 2]", f"a:\n  {key}: 5")


def test_merged_values_keep_their_places() -> None:
    tree = merged("a:\n  x: 1\n  y: [1,\n    2]\n", "\n\na:\n  x: 2\n")
    assert find(tree, ("a", "x")) == SourceLocation("over", 4)
    assert find(tree, ("a", "y", 1)) == SourceLocation("base", 4)
    assert find(tree, ("a", "y", 7)) == SourceLocation("base", 3)
    assert find(tree, ("a", "z")) == SourceLocation("over", 3)
    assert find(tree, ("b",)) == SourceLocation("over", 3)


def test_a_child_is_its_parent_but_for_its_lines(tmp_path: Path) -> None:
    write(tmp_path, {"house.yaml": "extends: jamaican\nscore: {doubling: none}\ncalls: {limit: 2}\n"})
    house, parent = load_file(tmp_path / "house.yaml"), load_ruleset("jamaican")
    assert (house.id, house.score.doubling, house.calls.limit) == ("house", "none", 2)
    changed = {"id": "jamaican", "score": parent.score, "calls": parent.calls}
    assert replace(house, **changed) == parent


def test_extends_by_path_is_relative_to_the_file(tmp_path: Path) -> None:
    base, house = "extends: trinidad\ncalls: {limit: 1}\n", "extends: ../common/base.yaml\nname: House\n"
    write(tmp_path, {"mine/house.yaml": house, "common/base.yaml": base})
    house = load_file(tmp_path / "mine" / "house.yaml")
    assert (house.id, house.name, house.calls.limit, house.swap) == ("house", "House", 1, "free-own")


def test_a_contract_the_new_deck_cannot_supply_points_at_what_the_file_changed(tmp_path: Path) -> None:
    write(tmp_path, {"house.yaml": "extends: jamaican\nname: House\npacks:\n  1: {packs: 1, jokers: 2}\n"})
    file, line, message = error_of(tmp_path / "house.yaml")
    assert (file, line) == ("house.yaml", 4)
    assert message == ("deals: deal 1 gives 6 seats 9 cards each and turns one up, but the deck for 6 seats holds 54")


def test_the_mistake_in_an_inherited_options_changes_is_found(tmp_path: Path) -> None:
    text = "extends: jamaican\ndeals:\n  - {cards: 9, sets: 3}\noptions: {third-pack: null, six-jokers: null}\n"
    write(tmp_path, {"house.yaml": text})
    file, _, message = error_of(tmp_path / "house.yaml")
    assert file == "jamaican.yaml"
    assert message.startswith("'2' is not an entry of the list")


@pytest.mark.parametrize(
    ("files", "where", "message"),
    [
        ({"a.yaml": "extends: ./a.yaml\n"}, ("a.yaml", 1), "goes round in a circle: a.yaml → a.yaml"),
        (
            {"a.yaml": "name: A\nextends: ./b.yaml\n", "b.yaml": "\n\nextends: ./a.yaml\n"},
            ("b.yaml", 3),
            "goes round in a circle: a.yaml → b.yaml → a.yaml",
        ),
        (
            {"a.yaml": "extends: jamaican\npacks:\n  - {seats: [9], packs: 3, jokers: 8}\n"},
            ("a.yaml", 2),
            "options.six-jokers.seats: the game is not played with 3 seats; give packs for them",
        ),
        ({"a.yaml": "extends: baby\nzzz: [2]\n"}, ("a.yaml", 2), "unknown key 'zzz'; choose from: "),
        ({"a.yaml": "extends: jamacan\n"}, ("a.yaml", 1), "there is no ruleset 'jamacan'; did you mean 'jamaican'?"),
        ({"a.yaml": "name: A\nextends: zzz\n"}, ("a.yaml", 2), "there is no ruleset 'zzz'; choose from: air-jamaica,"),
        ({"a.yaml": "name: A\nextends: ./none.yaml\n"}, ("a.yaml", 2), "there is no file "),
        ({"a.yaml": "name: A\nextends: [jamaican]\n"}, ("a.yaml", 2), "extends: must be the id or the path"),
        ({"a.yaml": "name: A\nextends:\n"}, ("a.yaml", 2), "extends: must be the id or the path"),
        ({"a.yaml": "extends: ./b.yaml\n", "b.yaml": "[1]\n"}, ("b.yaml", 1), "holds a list"),
        (
            {"a.yaml": "extends: ./b.yaml\n", "b.yaml": "extends: baby\n\ncalls: {limit: lots}\n"},
            ("b.yaml", 3),
            "calls.limit must be a whole number, not 'lots'",
        ),
        ({"a.yaml": "extends: ./b.yaml\n", "b.yaml": "x: [\n"}, ("b.yaml", 2), "is not YAML"),
        ({f"a{n}.yaml": f"extends: ./a{n + 1}.yaml\n" for n in range(40)}, ("a9.yaml", 1), "a chain of more than 10"),
    ],
)
def test_bad_extends(tmp_path: Path, files: Mapping[str, str], where: tuple[str, int], message: str) -> None:
    write(tmp_path, files)
    file, line, said = error_of(tmp_path / next(iter(files)))
    assert (file, line) == where
    assert message in said
