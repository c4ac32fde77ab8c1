"""Rulesets as trees of values that know their lines: files over what they extend, options over a ruleset."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from kalooki_tui.problems import SourceLocation, problem
from kalooki_tui.rulesets.folders import locate
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml

LONGEST_CHAIN: Final = 10
#: Keys an option's `changes` may not touch.
FIXED_KEYS: Final = ("id", "options", "extends")


def file_tree(path: Path, chain: tuple[Path, ...] = ()) -> Node:
    """Read a file over everything it extends, unchecked; raise InputError. `chain`: the files that extend it."""
    tree = read_yaml(read_text(path), str(path))
    if not isinstance(tree.value, dict):
        kind = "a list" if isinstance(tree.value, list) else "a single value"
        raise problem(f"holds {kind}: a ruleset is a mapping of keys to values", tree.place)
    tree.value.setdefault("id", Node(path.stem, SourceLocation(str(path), 1)))
    return extended(tree, (*chain, path))


def extended(tree: Node, chain: tuple[Path, ...] = ()) -> Node:
    """Lay `tree` over what its `extends:` names; raise InputError if that is unreadable or circular."""
    assert isinstance(tree.value, dict)
    parent = tree.value.pop("extends", None)
    if parent is None:
        return tree
    if not isinstance(parent.value, str):
        raise problem("extends: must be the id or the path of a ruleset", parent.place)
    path = locate(parent.value, parent.place)
    if any(path.samefile(child) for child in chain):
        names = " → ".join(child.name for child in (*chain, path))
        raise problem(f"extends: goes round in a circle: {names}", parent.place)
    if len(chain) >= LONGEST_CHAIN:
        raise problem(f"extends: a chain of more than {LONGEST_CHAIN} files", parent.place)
    return merge(file_tree(path, chain), tree)


def files_of(path: Path) -> list[Path]:
    """Return the file, the one that it extends, and so on; raise InputError if one is unreadable."""
    found = [path]
    while len(found) <= LONGEST_CHAIN:
        tree = read_yaml(read_text(found[-1]), str(found[-1])).value
        parent = tree.get("extends") if isinstance(tree, dict) else None
        if parent is None or not isinstance(parent.value, str):
            break
        found.append(locate(parent.value, parent.place))
    return found


def with_options(tree: Node, names: Iterable[str]) -> Node:
    """Apply options to a valid tree, in this order; raise InputError if their changes do not fit."""
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


def merge(base: Node, over: Node) -> Node:
    """Lay `over` on `base`, and change neither; raise InputError for an entry that a list lacks.

    `null` takes a key away; a mapping over a list changes the entries it numbers, counted from 1.
    """
    if not isinstance(over.value, dict) or not isinstance(base.value, dict | list):
        return over
    if isinstance(base.value, dict):
        merged, keys = dict(base.value), dict(base.keys)
        for key, node in over.value.items():
            if node.value is None and key in merged:
                del merged[key], keys[key]
                continue
            merged[key] = merge(merged[key], node) if key in merged else node
            keys[key] = over.keys.get(key, node.place)
        return Node(merged, over.place, keys)
    items = list(base.value)
    for key, node in over.value.items():
        # Length first: a number of thousands of digits is no number to Python.
        number = int(key) if key.isascii() and key.isdigit() and len(key) <= 4 else 0
        if not 1 <= number <= len(items):
            why = f"{key!r} is not an entry of the list: its entries are numbered from 1 to {len(items)}"
            raise problem(why, over.keys.get(key, node.place))
        items[number - 1] = merge(items[number - 1], node)
    return Node(items, over.place)


def without_empty(tree: Node, keys: Collection[str]) -> Node:
    if not isinstance(tree.value, dict):
        return tree
    left = {key: node for key, node in tree.value.items() if node.value is not None or key not in keys}
    return Node(left, tree.place, tree.keys)


def find(root: Node, path: tuple[object, ...]) -> SourceLocation:
    """Find the place of the value at `path`, or of the nearest thing around it."""
    node, place = root, root.place
    for step in path:
        if isinstance(node.value, dict) and isinstance(step, str) and step in node.value:
            place = node.keys.get(step, node.value[step].place)
            node = node.value[step]
            if not isinstance(node.value, dict | list):
                place = node.place
        elif isinstance(node.value, list) and isinstance(step, int) and 0 <= step < len(node.value):
            node = node.value[step]
            place = node.place
        else:
            return place
    return place
