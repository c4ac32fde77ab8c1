"""The coach's sentences: data with named slots, a folder a language, so that a translator can copy one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter

ENGLISH = "en"


@cache
def sentences(name: str, language: str = ENGLISH) -> Mapping[str, Mapping[str, str]]:
    """The sentences of a file such as `hints`, by kind and by case."""
    from ruamel.yaml import YAML

    path = Path(__file__).parent / "texts" / language / f"{name}.yaml"
    found: Mapping[str, Mapping[str, str]] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return found


def slots(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}
