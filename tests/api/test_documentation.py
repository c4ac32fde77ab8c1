import doctest
import re
from pathlib import Path

import pytest

import kalooki_tui as kalooki
from kalooki_tui.cli import example

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api.md"


def test_the_examples_give_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in re.findall(r"`kalooki example (\S+)`", PAGE.read_text(encoding="utf-8")):
        example.copy(name, tmp_path / name, overwrite=False)
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 20


def test_every_name_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [name for name in kalooki.__all__ if not re.search(rf"\b{name}\b", text) and name != "__version__"]
    assert missing == []
    assert set(kalooki.__all__) <= set(dir(kalooki))


@pytest.mark.parametrize(
    "kind", [kalooki.Match, kalooki.View, kalooki.DealScore, kalooki.BestLay, kalooki.LaidMeld, kalooki.Position]
)
def test_every_public_attribute_is_on_the_page(kind: type) -> None:
    text = PAGE.read_text(encoding="utf-8")
    inherited = set(dir(tuple))
    names = [name for name in dir(kind) if not name.startswith("_") and name not in inherited]
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []
