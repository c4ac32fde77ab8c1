"""Chapter files read: each mistake is an error with its file and line."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from functools import cache
from importlib import resources
from pathlib import Path

from kalooki_tui.coach.catalogue import ENGLISH
from kalooki_tui.coach.course.chapter import MOMENT_KEYS, Chapter
from kalooki_tui.coach.exercises.kinds.may import Posed
from kalooki_tui.rulesets.trees import without_empty
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml


@cache
def shipped(language: str = ENGLISH) -> tuple[Chapter, ...]:
    """Every chapter there is, in its order."""
    folder = resources.files("kalooki_tui.coach") / "texts" / language / "chapters"
    files = [file for file in folder.iterdir() if file.name.endswith(".yaml")]
    found = [read_chapter(file.read_text(encoding="utf-8"), file.name) for file in files]
    return tuple(sorted(found, key=lambda chapter: chapter.order))


def read_file(path: str, keys: Collection[str] | None = None) -> Chapter:
    """The chapter of a file; `keys` as `read_chapter` takes them.

    Raises:
        InputError: with file and line, everything for which it is no chapter.
    """
    return read_chapter(read_text(Path(path), "chapter"), path, keys)


def read_chapter(text: str, file: str, keys: Collection[str] | None = None) -> Chapter:
    """The chapter that a text says; `keys`: the commands whose keys it may name, None for any.

    Raises:
        InputError: with file and line, everything for which it is none.
    """
    from kalooki_tui.rulesets.checking import checked

    keys_of = {one.metadata.get("alias", one.name) for one in fields(Chapter)}
    tree = without_empty(read_yaml(text, file, "chapter"), keys_of)
    steps = tree.value.get("exercises") if isinstance(tree.value, dict) else None
    for step in steps.value if steps is not None and isinstance(steps.value, list) else ():
        if isinstance(step.value, dict) and "kind" in step.value and step.value["kind"].value == Posed.kind:
            # Other exercises have none of these keys, and it has all.
            step.value = {key: Node(None, step.place) for key in MOMENT_KEYS} | step.value
    return checked(Chapter, tree, context=keys)
