"""``kalooki check``: play a position's steps and say the first thing that is not as it must be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.positions.position import Position, PositionStep
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.problems import Failure, InputError, Place, problem

SUFFIXES: Final = (".yaml", ".yml")


def position_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The files named, and every YAML file in the folders named, in order.

    Raises:
        InputError: a folder holds no position.
    """
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        if not found:
            raise problem("there is no position in this folder", Place(str(path)))
        yield from found


@dataclass(frozen=True, slots=True)
class Result:
    """Result of checking one file; if it is not a position, `position` is None and `error` says why."""

    file: Path
    position: Position | None = None
    failure: Failure | None = None
    error: InputError | None = None

    @property
    def ok(self) -> bool:
        """Whether every step and expectation held."""
        return self.failure is None and self.error is None

    def __str__(self) -> str:
        if self.position is None or self.failure is not None:
            return str(self.error or self.failure)
        title = f" ({self.position.title})" if self.position.title else ""
        return f"{self.file}: holds{title}"

    def data(self) -> dict[str, object]:
        """The result for programs."""
        data: dict[str, object] = {"file": str(self.file), "ok": self.ok}
        if self.position is not None:
            data["title"] = self.position.title
        if self.failure is not None:
            data["line"], data["message"] = self.failure.place.line, self.failure.message
        if self.error is not None:
            data["error"] = str(self.error)
        return data


def check_files(paths: Iterable[str | Path]) -> Iterator[Result]:
    """Check files and folders of files, one after another."""
    for path in paths:
        try:
            files = position_files([path])
            for file in files:
                yield _result(file)
        except InputError as error:
            yield Result(Path(path), error=error)


def _result(file: Path) -> Result:
    try:
        position = load_position(file)
        return Result(file, position, check_position(position))
    except InputError as error:
        return Result(file, error=error)


def check_position(position: Position) -> Failure | None:
    """Play the steps and compare what comes of them; None if all is as it must be.

    Raises:
        InputError: the position cannot be stood up.
    """
    match = set_up(position)
    for number, step in enumerate(position.steps):
        message = play_step(match, step)
        if message is not None:
            return Failure(position.places.within("steps", number), message)
    for expectation in position.expect:
        message = expectation.compare(match)
        if message is not None:
            return Failure(expectation.place, f"expect: {message}")
    return None


def play_step(match: Match, step: PositionStep) -> str | None:
    """Play one step; say how it went otherwise than it must, or None."""
    try:
        match.apply(step.action)
    except Refused as refused:
        return _judge_refusal(step, refused.refusal)
    if step.refused is None:
        return None
    wanted = step.refused or "any code"
    return f"{step.text!r} was accepted; it must be {'charged' if step.charged else 'refused'}: {wanted}"


def _judge_refusal(step: PositionStep, refusal: Refusal) -> str | None:
    why = f"{refusal.code} ({refusal.clause}): {refusal.message}"
    if step.refused is None:
        return f"{step.text!r} was refused: {why}"
    if step.refused and step.refused != refusal.code:
        return f"{step.text!r} must be refused with {step.refused}, not {why}"
    if step.charged and not refusal.charged:
        return f"{step.text!r} was refused without a charge: {why}"
    if refusal.charged and not step.charged:
        return f"{step.text!r} was charged {refusal.charged} points, not only refused: {why}"
    return None
