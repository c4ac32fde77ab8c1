"""Laying one part of a ruleset over another: `extends:` and the `changes:` of options."""

from __future__ import annotations

from kalooki_tui.problems import Place, problem
from kalooki_tui.rulesets.yaml_source import Node


def merge(base: Node, over: Node) -> Node:
    """`over` laid on `base`, neither changed.

    Mappings merge key by key; `null` takes a key away; a mapping over a list changes the entries it numbers,
    counted from 1; anything else replaces. Every value keeps the place it was written in.

    Raises:
        InputError: a mapping over a list names an entry the list does not have.
    """
    if isinstance(over.value, dict) and isinstance(base.value, dict):
        return _merge_mappings(base, over)
    if isinstance(over.value, dict) and isinstance(base.value, list):
        return _merge_into_list(base, over)
    return over


def _merge_mappings(base: Node, over: Node) -> Node:
    assert isinstance(base.value, dict)
    assert isinstance(over.value, dict)
    merged, keys = dict(base.value), dict(base.keys)
    for key, node in over.value.items():
        if node.value is None and key in merged:
            del merged[key], keys[key]
            continue
        merged[key] = merge(merged[key], node) if key in merged else node
        keys[key] = over.keys.get(key, node.place)
    return Node(merged, over.place, keys)


def _merge_into_list(base: Node, over: Node) -> Node:
    assert isinstance(base.value, list)
    assert isinstance(over.value, dict)
    items = list(base.value)
    for key, node in over.value.items():
        # Length first: a number of thousands of digits is no number to Python.
        number = int(key) if key.isascii() and key.isdigit() and len(key) <= 4 else 0
        if not 1 <= number <= len(items):
            raise problem(
                f"{key!r} is not an entry of the list: its entries are numbered from 1 to {len(items)}",
                over.keys.get(key, node.place),
            )
        items[number - 1] = merge(items[number - 1], node)
    return Node(items, over.place)


def find(root: Node, path: tuple[object, ...]) -> Place:
    """Where the value at `path` stands, or the nearest thing around it."""
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
