"""The kinds of exercise, a file each: what it shows and asks, how it is answered, judged and helped with.

Its sentences are in `texts/en/exercises/`, in the file named after it. To add a kind is to add both.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

from kalooki_tui.coach.exercises.model import Exercise


def _kinds_of(module: ModuleType) -> dict[str, type[Exercise]]:
    """The kinds that a module defines."""
    own = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    return {vars(one)["kind"]: one for one in own if issubclass(one, Exercise) and "kind" in vars(one)}


_FILES: Final = sorted(found.name for found in iter_modules(__path__))
KINDS: Final = {kind: one for name in _FILES for kind, one in _kinds_of(import_module(f"{__name__}.{name}")).items()}
