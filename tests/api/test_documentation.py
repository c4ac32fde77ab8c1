import doctest
import re
from pathlib import Path

import pytest

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
