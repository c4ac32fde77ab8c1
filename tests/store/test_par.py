"""What AI players made of daily deals, kept by date."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from kalooki_tui.store.paths import data_folder
from kalooki_tui.store.player import par
from kalooki_tui.table.duplicate import Line

DAY = date(2026, 11, 21)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, first: tuple[Line, ...]) -> tuple[Line, ...]:
    monkeypatch.setattr(par, "daily_par", lambda day: first)
    return first


@pytest.fixture(scope="module")
def first() -> tuple[Line, ...]:
    return par.daily_par(DAY)


def test_it_is_played_once_and_kept(lines: tuple[Line, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert par.kept_par(DAY) is None
    assert par.par_of(DAY) == lines
    monkeypatch.setattr(par, "daily_par", lambda day: pytest.fail("it was played again"))
    assert par.par_of(DAY) == par.kept_par(DAY) == lines


def changed(change: Callable[[dict[str, object]], object]) -> str:
    plain = json.loads(kept_file().read_text(encoding="utf-8"))
    change(plain)
    return json.dumps(plain)


def kept_file() -> Path:
    return data_folder() / "daily" / "2026-11-21.json"


@pytest.mark.parametrize(
    "text",
    [
        lambda: "{",
        lambda: changed(lambda plain: plain.update(program="0.0.1")),
        lambda: changed(lambda plain: plain.update(lines={"club": [], "expert": []})),
        lambda: changed(lambda plain: plain["lines"]["club"].pop()),  # type: ignore[attr-defined]
        lambda: changed(lambda plain: plain["lines"]["expert"].insert(1, "nonsense")),  # type: ignore[attr-defined]
    ],
)
def test_what_another_version_kept_or_is_damaged_is_played_again(
    lines: tuple[Line, ...], text: Callable[[], str]
) -> None:
    par.par_of(DAY)
    kept_file().write_text(text(), encoding="utf-8")
    assert par.kept_par(DAY) is None
    assert par.par_of(DAY) == lines
    assert par.kept_par(DAY) == lines


def test_only_the_last_dates_are_kept(lines: tuple[Line, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(par, "MOST", 2)
    for day in (19, 20, 21):
        par.par_of(date(2026, 11, day))
    assert len(list(kept_file().parent.glob("*.json"))) == 2
    assert par.kept_par(DAY) == lines


def test_where_nothing_can_be_kept_it_is_played_all_the_same(lines: tuple[Line, ...]) -> None:
    kept_file().parent.parent.mkdir(parents=True, exist_ok=True)
    kept_file().parent.write_text("a file where the folder should be", encoding="utf-8")
    assert par.par_of(DAY) == lines
