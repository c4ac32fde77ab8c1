import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from importlib import import_module
from inspect import isfunction, signature
from pathlib import Path
from typing import Any, Final

from tests.commands import Golden

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "kalooki_tui"

DRAWING: Final = ["textual", "rich"]

LONGEST_MODULE: Final = 800
"""Lines. A longer module holds two ideas and wants two names."""

NUMBER: Final = re.compile(r"(?<![-\w#])-?\d[\d.]*\b")
LONGEST_NUMBERS: Final = 400
"""Characters of the numbers of one name; more of them are a drawing or a list of cards."""

NOT_OURS: Final = frozenset([
    ".git", ".venv", ".hypothesis", ".import_linter_cache", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".benchmarks", "__pycache__", "build", "dist",
])  # fmt: skip
"""Folders that tools make and git ignores."""


def our_files() -> Iterator[Path]:
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = [name for name in subfolders if name not in NOT_OURS]
        yield from (Path(folder, name) for name in names)


def import_contracts() -> list[dict[str, Any]]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts: list[dict[str, Any]] = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return contracts


def rooms_below_the_screens() -> list[str]:
    """Return the rooms of the layers contract under the screens, top to bottom.

    A room in parentheses is left out while it does not exist; any other must exist.
    """
    layers = import_contracts()[0]["layers"]
    return [
        layer.strip("()")
        for layer in layers[layers.index("tui") + 1 :]
        if not layer.startswith("(") or (PACKAGE / layer.strip("()")).exists()
    ]


def test_drawing_contract_names_every_room_below_the_screens() -> None:
    drawing = import_contracts()[1]
    assert drawing["source_modules"] == [f"kalooki_tui.{room}" for room in rooms_below_the_screens()]
    assert drawing["forbidden_modules"] == DRAWING


def test_no_file_names_a_package_index() -> None:
    hosts = [name + suffix for name, suffix in (("pypi", ".org"), ("pythonhosted", ".org"))]
    offenders = []
    for path in our_files():
        content = path.read_bytes().lower()
        offenders += [f"{path.relative_to(ROOT)}: {host}" for host in hosts if host.encode() in content]
    assert offenders == []


def test_no_module_is_too_long() -> None:
    modules = list(PACKAGE.rglob("*.py"))
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert modules
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def numbers_of(value: object) -> str:
    if isinstance(value, bool):
        return str(value)
    return ", ".join(NUMBER.findall(str(value))) if type(value) in (int, float, tuple, dict) else ""


def defaults_of(called: Any) -> Iterator[str]:
    """What is meant where something is called without it."""
    with suppress(ValueError, TypeError, NameError):  # nothing to call, or types name what only they know
        given = {one.name: numbers_of(one.default) for one in signature(called).parameters.values()}
        yield from (f"({name}={numbers})" for name, numbers in given.items() if numbers)


def numbers_at(key: str, found: Any, text: str) -> Iterator[str]:
    """The numbers of a constant, a function or a class of a module with this text."""
    if key.isupper():  # others may change while the program runs
        yield numbers_of(found)
    if not (isinstance(found, type) and issubclass(found, Enum)):  # what enums are called with is Python's
        yield from defaults_of(found)
    for name, part in vars(found).items() if isinstance(found, type) else ():
        if type(part) in (int, float, bool) and re.search(rf"^    {name}\b", text, re.MULTILINE):
            yield f"{name} {part}"
        elif isfunction(part) and name != "__init__":
            yield from (f"{name}{default}" for default in defaults_of(part))


def test_the_numbers_of_the_program_are_those_that_somebody_chose(golden: Golden) -> None:
    """Limits, times, sizes, weights and defaults, by module: whoever changes one sees it in the text and means it."""
    told = list[str]()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if path.name == "__main__.py" or path.parent.name == "examples":
            continue
        module, lines = import_module(name), list[str]()
        text = path.read_text(encoding="utf-8")
        for key in re.findall(r"^(?:def |async def |class )?(\w+)(?=[:(\[]| = )", text, re.MULTILINE):
            numbers = "; ".join(filter(None, numbers_at(key, getattr(module, key, None), text)))
            lines += [f"  {key} {numbers}"] * (0 < len(numbers) < LONGEST_NUMBERS)
        told += [name.partition(".")[2], *lines] * bool(lines)
    golden("numbers", "\n".join(told))
