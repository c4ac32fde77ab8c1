"""Make small mistakes in the package, one at a time, and see whether the tests notice: python -m lab.mutants --count 60

Mutants are chosen by a seed: from each room as many as its share of the lines, at least one, each mistake in it as
likely as any other. (Kinds drawn alike make a third of the sample out of a twelfth of the mistakes.) Each is tried with
the tests of its own room, and with all others where those pass. Everything happens in a copy of the repository in
`--into`, so your own files are never changed; what is noted there is not tried again.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = "kalooki_tui"
SEED: Final = 3122026
NOT_COPIED: Final = (".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", ".*_cache", ".benchmarks")
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)

OPERATORS: Final[dict[type, Any]] = {
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
#: Arguments that only assert something, as `assert` does: a program without mistakes is the same without them.
ASSERTING: Final = ("strict", "frozen", "kw_only", "slots")
NOT_BEHAVIOUR: Final = re.compile(r"__all__|__slots__|__match_args__|TYPE_CHECKING|__name__ ==|^\s*(log|logger)\.")


@dataclass
class Mutant:
    """A piece of a file from byte `start` to `end`, and what takes its place."""

    path: str
    line: int
    start: int
    end: int
    kind: str
    before: str
    after: str

    def __str__(self) -> str:
        change = " ".join(f"{self.before} -> {self.after}".split())
        return f"{self.path}:{self.line} {change}"


def room_of(path: str) -> str:
    return path.split("/")[1] if path.count("/") > 1 else "top"


def changed(node: ast.AST, keys: list[str]) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """What could be wrong at a node: the kind of mistake, the expression in question, and the wrong one."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OPERATORS:
            yield "comparison", node, ast.Compare(node.left, [OPERATORS[type(operator)]()], node.comparators)
        case ast.BoolOp():
            yield "and, or", node, ast.BoolOp(OPERATORS[type(node.op)](), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node, node.operand
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            if not {type(node.left), type(node.right)} & {ast.JoinedStr, ast.Constant} or "'" not in ast.unparse(node):
                yield "plus, minus", node, ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        case ast.Constant(value=bool() as value):
            yield "truth", node, ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield "number", node, ast.Constant(value + 1)
        # Who asks for a truth does not tell None from False.
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) not in ("None", "False"):
            yield "return", value, ast.Constant(None)
        case ast.If(test=test) | ast.IfExp(test=test):
            yield "branch", test, ast.UnaryOp(ast.Not(), test)
        case ast.Expr(value=ast.Call() as call) if not ast.unparse(call).startswith("super()"):
            yield "left out", call, ast.Constant(None)
        case ast.Call(func=ast.Name(id=("min" | "max") as name)):
            yield "min, max", node, ast.Call(ast.Name("max" if name == "min" else "min"), node.args, node.keywords)
        case ast.Slice():
            for bound in filter(None, (node.lower, node.upper)):
                yield "slice", bound, ast.BinOp(bound, ast.Add(), ast.Constant(1))
        case ast.Subscript(slice=ast.Constant(value=str() as key) as place) if len(keys) > 1:
            yield "key", place, ast.Constant(keys[keys.index(key) - 1])


def behaviour(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node that does something: no annotations, patterns or pieces of f-strings (they have no exact place)."""
    for name, part in ast.iter_fields(tree):
        if name in ("annotation", "returns", "pattern", "type_params"):
            continue
        for node in part if isinstance(part, list) else [part]:
            if isinstance(node, ast.stmt) and NOT_BEHAVIOUR.search(ast.unparse(node).split("\n")[0]):
                continue
            if isinstance(node, ast.keyword) and node.arg in ASSERTING:
                continue
            if isinstance(node, ast.AST) and not isinstance(node, (ast.JoinedStr, ast.Assert)):
                yield node
                yield from behaviour(node)


def mutants_of(path: Path) -> Iterator[Mutant]:
    source, relative = path.read_bytes(), path.relative_to(ROOT).as_posix()
    starts = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]
    tree = ast.parse(source)
    places = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    keys = sorted({place.value for place in places if isinstance(place, ast.Constant) and isinstance(place.value, str)})
    for node in behaviour(tree):
        for kind, old, new in changed(node, keys):
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[(old.end_lineno or 0) - 1] + (old.end_col_offset or 0)
            after = f"({ast.unparse(ast.fix_missing_locations(new))})"
            yield Mutant(relative, old.lineno, start, end, kind, source[start:end].decode(), after)


def chosen(count: int) -> list[Mutant]:
    dice = random.Random(SEED)
    rooms: dict[str, list[Mutant]] = defaultdict(list)
    lines: Counter[str] = Counter()
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        room = room_of(path.relative_to(ROOT).as_posix())
        lines[room] += path.read_bytes().count(b"\n")
        rooms[room] += mutants_of(path)
    shares = {room: lines[room] * count / lines.total() for room in rooms}
    numbers = {room: max(1, int(share)) for room, share in shares.items()}
    by_rest = sorted(shares, key=lambda room: int(shares[room]) - shares[room])
    numbers |= {room: numbers[room] + 1 for room in by_rest[: max(0, count - sum(numbers.values()))]}
    taken: dict[tuple[str, int], Mutant] = {}
    for room, number in sorted(numbers.items()):
        while sum(room_of(path) == room for path, _ in taken) < number:
            mutant = dice.choice(rooms[room])
            taken.setdefault((mutant.path, mutant.line), mutant)
    return list(taken.values())


def copied(into: Path) -> Path:
    """A new copy of the repository. Its compiled modules are checked by content: two files may be of one second."""
    place = into / "copy"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*NOT_COPIED))
    compiling = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", PACKAGE]
    subprocess.run(compiling, cwd=place, check=True)
    return place


def tested(place: Path, tests: Sequence[str], seconds: float) -> str:
    """What becomes of the mistake in the copy: the test that notices it, or nothing."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--benchmark-disable", "-p", "no:cacheprovider", *tests]
    of_copy = {**os.environ, "PYTHONPATH": str(place.resolve()), "PYTHONDONTWRITEBYTECODE": ""}
    try:
        done = subprocess.run(command, cwd=place, env=of_copy, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "too slow"
    return next(iter(FAILED.findall(done.stdout.decode(errors="replace"))), "" if done.returncode == 0 else "broken")


def tried(place: Path, mutant: Mutant, seconds: float) -> str:
    """Make the mistake in the copy, and have it tried by the tests of its room, then by all others."""
    path, room = place / mutant.path, f"tests/{room_of(mutant.path)}"
    source = path.read_bytes()
    path.write_bytes(source[: mutant.start] + mutant.after.encode() + source[mutant.end :])
    asked = [[room], ["tests", f"--ignore={room}"]] if (place / room).exists() else [["tests"]]
    noticed = next(filter(None, (tested(place, tests, seconds) for tests in asked)), "")
    path.write_bytes(source)
    return noticed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=1200, help="after which tests are ended")
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    place, notes = copied(arguments.into), arguments.into / "notes.txt"
    noted = notes.read_text() if notes.exists() else ""
    for mutant in chosen(arguments.count):
        if f"{mutant} (" not in noted:
            line = f"{mutant} ({mutant.kind})  {tried(place, mutant, arguments.seconds) or 'SURVIVED'}"
            print(line, flush=True)
            with notes.open("a") as file:
                file.write(f"{line}\n")


if __name__ == "__main__":
    main()
