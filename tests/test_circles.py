"""Files that import one another in a circle: they can only be read together, so none may be added."""

from __future__ import annotations

import ast
from pathlib import Path

import kalooki_tui

ROOT = Path(kalooki_tui.__file__).parent

#: Circles there are. A level says what plays it, and the master falls back on the levels below.
LEFT = [["kalooki_tui.players", "kalooki_tui.players.master"]]


def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The package's own modules that a file imports, at whatever place, for the type checker alone too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            inside = [f"{node.module}.{name.name}" for name in node.names]
            found |= {name if name in known else node.module for name in inside}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found & known.keys()


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules each of which leads to all others of its group."""
    reached: dict[str, set[str]] = {}
    for name in graph:
        seen, left = set[str](), [name]
        while left:
            new = graph[left.pop()] - seen
            seen |= new
            left += new
        reached[name] = seen
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def test_no_more_files_import_one_another_in_a_circle() -> None:
    known = modules()
    assert len(known) > 250
    graph = {name: imported(path, known) - {name} for name, path in known.items()}
    assert circles(graph) == LEFT


def test_a_circle_is_found_however_long_it_is() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": set[str](), "f": {"g"}, "g": {"f"}}
    assert circles(graph) == [["a", "b", "c"], ["f", "g"]]
