"""Make small mistakes in the package, one at a time, and see whether the tests notice: a script run by hand.

    python -m lab.mutants reach --count 60    the whole suite once: which tests run which mutant, and for how long
    python -m lab.mutants try                 each mutant with the tests that run it, those of its own room first
    python -m lab.mutants try --only 7 12 --seconds 300    some of them again, with more of the tests

Mutants are chosen by a seed: from each room as many as its share of the lines, at least one, and of every kind of
mistake alike. Everything happens in a copy of the repository in `--into`, so the files you work on are never changed.
For `reach`, all mutants are marked in the copy, and each mark that is passed notes the test that is running, also in
processes that tests start. Tests that fail with the marks alone are not used. Marks say nothing of code that runs when
its module is imported: for such a mutant, all tests of its room are tried.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = "kalooki_tui"
SEED: Final = 20261126
NOT_COPIED: Final = (".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", ".*_cache", ".benchmarks")
MOST_TESTS: Final = 60  # of its room, and as many of others, that are tried for a mutant: to collect them takes time
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)

OPERATORS: Final[dict[type, Any]] = {
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
NOT_BEHAVIOUR: Final = re.compile(r"__all__|__slots__|__match_args__|TYPE_CHECKING|__name__ ==|^\s*(log|logger)\.")

MARK: Final = """
import os
FILE, passed = os.environ.get("MUTANTS_PASSED"), set()
def see(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if FILE and test and (number, test) not in passed:
        passed.add((number, test))
        with open(FILE, "a") as file:
            file.write(f"{number}\\t{test}\\n")
"""


@dataclass
class Mutant:
    """A piece of a file from byte `start` to `end`, what takes its place, and what became of it."""

    path: str
    line: int
    start: int
    end: int
    kind: str
    before: str
    after: str
    imported: bool  # it runs when its module is imported
    tests: list[str] = field(default_factory=list)  # that run it
    result: str = ""
    by: str = ""

    def in_place_of(self, source: bytes, text: str) -> bytes:
        if source[self.start : self.end].decode() != self.before:
            raise SystemExit(f"{self.path} has changed since the mutants were chosen.")
        return source[: self.start] + text.encode() + source[self.end :]


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
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
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


def behaviour(tree: ast.AST, imported: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """Every node that does something: no annotations, patterns or pieces of f-strings (they have no exact place)."""
    for name, part in ast.iter_fields(tree):
        if name in ("annotation", "returns", "pattern", "type_params"):
            continue
        for node in part if isinstance(part, list) else [part]:
            inside = imported and not (name == "body" and isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)))
            if isinstance(node, ast.stmt) and NOT_BEHAVIOUR.search(ast.unparse(node).split("\n")[0]):
                continue
            if isinstance(node, ast.AST) and not isinstance(node, (ast.JoinedStr, ast.Assert)):
                yield node, inside
                yield from behaviour(node, inside)


def mutants_of(path: Path) -> Iterator[Mutant]:
    source, relative = path.read_bytes(), path.relative_to(ROOT).as_posix()
    starts = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]
    tree = ast.parse(source)
    places = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    keys = sorted({place.value for place in places if isinstance(place, ast.Constant) and isinstance(place.value, str)})
    for node, imported in behaviour(tree):
        for kind, old, new in changed(node, keys):
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[(old.end_lineno or 0) - 1] + (old.end_col_offset or 0)
            after = f"({ast.unparse(ast.fix_missing_locations(new))})"
            yield Mutant(relative, old.lineno, start, end, kind, source[start:end].decode(), after, imported)


def chosen(count: int) -> list[Mutant]:
    dice = random.Random(SEED)
    rooms: dict[str, dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
    lines: Counter[str] = Counter()
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        room = room_of(path.relative_to(ROOT).as_posix())
        lines[room] += path.read_bytes().count(b"\n")
        for mutant in mutants_of(path):
            rooms[room][mutant.kind].append(mutant)
    shares = {room: lines[room] * count / lines.total() for room in rooms}
    numbers = {room: max(1, int(share)) for room, share in shares.items()}
    by_rest = sorted(shares, key=lambda room: int(shares[room]) - shares[room])
    numbers |= {room: numbers[room] + 1 for room in by_rest[: max(0, count - sum(numbers.values()))]}
    taken: dict[tuple[str, int], Mutant] = {}
    for room, number in sorted(numbers.items()):
        while sum(room_of(path) == room for path, _ in taken) < number:
            mutant = dice.choice(rooms[room][dice.choice(sorted(rooms[room]))])
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


def tested(place: Path, arguments: list[str], seconds: float | None, **environment: str) -> tuple[str, str]:
    """Run pytest in the copy, ended after so many seconds: what became of it, and what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "--benchmark-disable", "-p", "no:cacheprovider", *arguments]
    of_copy = {**os.environ, **environment, "PYTHONPATH": str(place.resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
    printed, result = place.parent / "printed.txt", "too slow"
    with printed.open("wb") as out, contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, cwd=place, env=of_copy, stdout=out, stderr=out, timeout=seconds, check=False)
        result = {0: "survived", 1: "killed", 2: "killed"}.get(done.returncode, "broken")
    return result, printed.read_text(errors="replace")


def reach(into: Path, count: int) -> None:
    mutants = chosen(count)
    place, passed = copied(into), into.resolve() / "passed"
    (place / PACKAGE / "mutant_marks.py").write_text(MARK)
    passed.write_text("")
    for number, mutant in sorted(enumerate(mutants), key=lambda each: -each[1].start):
        see = f"__import__('{PACKAGE}.mutant_marks', fromlist=['see']).see({number})"
        marked = mutant.in_place_of((place / mutant.path).read_bytes(), f"[{see}, ({mutant.before})][1]")
        (place / mutant.path).write_bytes(marked)
    _, printed = tested(place, ["--durations=0", "-vv"], None, MUTANTS_PASSED=str(passed))
    failed = set(FAILED.findall(printed))
    for line in sorted(set(passed.read_text().splitlines())):
        number_of, _, test = line.partition("\t")
        if test not in failed:
            mutants[int(number_of)].tests.append(test)
    times: dict[str, float] = defaultdict(float)
    for duration, test in re.findall(r"^(\d+\.\d\d)s (?:call|setup|teardown) +(.+)$", printed, re.MULTILINE):
        times[test] += float(duration)
    (into / "times.json").write_text(json.dumps(times, indent=1))
    (into / "mutants.json").write_text(json.dumps([asdict(mutant) for mutant in mutants], indent=1))


def nearest(mutant: Mutant, times: dict[str, float], seconds: float) -> list[str]:
    """Tests that run the mutant, those of its room first and of those the fastest; until their time is spent."""
    home = f"tests/{room_of(mutant.path)}/".replace("top/", "test_")
    tests = {*mutant.tests, *(test for test in times if mutant.imported and test.startswith(home))}
    taken: list[str] = []
    for of_room in (True, False):
        left = seconds
        those = sorted((test for test in tests if test.startswith(home) is of_room), key=lambda test: times[test])
        for test in those[:MOST_TESTS]:
            left -= times[test]
            taken += [test] if left > 0 else []
    return taken


def try_mutants(into: Path, only: list[int], seconds: float) -> None:
    mutants = [Mutant(**entry) for entry in json.loads((into / "mutants.json").read_text())]
    times = defaultdict(float, json.loads((into / "times.json").read_text()))
    place, asked = copied(into), into.resolve() / "tests.txt"
    for number, mutant in enumerate(mutants):
        if number in only if only else not mutant.result:
            tests = nearest(mutant, times, seconds)
            asked.write_text("\n".join(tests))
            source = (place / mutant.path).read_bytes()
            (place / mutant.path).write_bytes(mutant.in_place_of(source, mutant.after))
            limit = 60 + 4 * sum(times[test] for test in tests)
            mutant.result, printed = tested(place, ["-x", f"@{asked}"], limit) if tests else ("no test", "")
            (place / mutant.path).write_bytes(source)
            mutant.by = next(iter(FAILED.findall(printed)), "")
            (into / "mutants.json").write_text(json.dumps([asdict(mutant) for mutant in mutants], indent=1))
            change = " ".join(f"{mutant.before} -> {mutant.after}".split())
            print(f"{number:3} {mutant.path}:{mutant.line} {change}\n    {mutant.result} {mutant.by}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["reach", "try"])
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", type=int, nargs="*", default=[], help="numbers of mutants to try again")
    parser.add_argument("--seconds", type=float, default=60, help="of tests of its own room, and as much of others")
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    if arguments.what == "reach":
        reach(arguments.into, arguments.count)
    else:
        try_mutants(arguments.into, arguments.only, arguments.seconds)


if __name__ == "__main__":
    main()
