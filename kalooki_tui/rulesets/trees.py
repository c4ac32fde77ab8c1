"""Rulesets as trees of values that know their lines: files over what they extend, options over a ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from kalooki_tui.problems import Place, problem
from kalooki_tui.rulesets.folders import locate
from kalooki_tui.rulesets.merge import merge
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml

LONGEST_CHAIN: Final = 10
#: Keys an option's `changes` may not touch.
FIXED_KEYS: Final = ("id", "options", "extends")


def file_tree(path: Path, chain: tuple[Path, ...] = ()) -> Node:
    """A file's content over everything it extends, not yet checked; `chain`: the files that extend it.

    Raises:
        InputError: a file cannot be read, or is not a mapping in YAML.
    """
    tree = read_yaml(read_text(path), str(path))
    if not isinstance(tree.value, dict):
        kind = "a list" if isinstance(tree.value, list) else "a single value"
        raise problem(f"holds {kind}: a ruleset is a mapping of keys to values", tree.place)
    tree.value.setdefault("id", Node(path.stem, Place(str(path), 1)))
    return extended(tree, (*chain, path))


def extended(tree: Node, chain: tuple[Path, ...] = ()) -> Node:
    """`tree` laid over what its `extends:` names, if anything.

    Raises:
        InputError: that cannot be read, or goes round in a circle.
    """
    assert isinstance(tree.value, dict)
    parent = tree.value.pop("extends", None)
    if parent is None:
        return tree
    if not isinstance(parent.value, str):
        raise problem("extends: must be the id or the path of a ruleset", parent.place)
    path = locate(parent.value, parent.place)
    if any(_same_file(path, child) for child in chain):
        names = " → ".join(child.name for child in (*chain, path))
        raise problem(f"extends: goes round in a circle: {names}", parent.place)
    if len(chain) >= LONGEST_CHAIN:
        raise problem(f"extends: a chain of more than {LONGEST_CHAIN} files", parent.place)
    return merge(file_tree(path, chain), tree)


def files_of(path: Path) -> list[Path]:
    """The file, the one that it extends, and so on.

    Raises:
        InputError: one of them cannot be read.
    """
    found = [path]
    while len(found) <= LONGEST_CHAIN:
        tree = read_yaml(read_text(found[-1]), str(found[-1])).value
        parent = tree.get("extends") if isinstance(tree, dict) else None
        if parent is None or not isinstance(parent.value, str):
            break
        found.append(locate(parent.value, parent.place))
    return found


def with_options(tree: Node, names: Iterable[str]) -> Node:
    """A valid tree with options of its own applied, in this order; it offers none any more.

    Raises:
        InputError: the changes of an option do not fit.
    """
    assert isinstance(tree.value, dict)
    result = Node({key: node for key, node in tree.value.items() if key != "options"}, tree.place, tree.keys)
    for name in names:
        offered = tree.value["options"].value
        assert isinstance(offered, dict)
        rule = offered[name].value
        assert isinstance(rule, dict)
        changes = rule["changes"]
        assert isinstance(changes.value, dict)
        for key in FIXED_KEYS:
            if key in changes.value:
                raise problem(f"option {name}: the changes may not name {key}", changes.keys.get(key, changes.place))
        result = merge(result, changes)
    return result


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other
