import doctest
import re
from pathlib import Path

from kalooki_tui.rl import env
from kalooki_tui.rl.observation import PHASES, shapes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rl.md"


def test_the_example_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted) == (0, 5)


def test_every_array_and_every_kind_of_action_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+)`", text)) >= set(shapes(4))
    assert {name.split()[0] for name in env().actions if " " in name} <= set(re.findall(r"`(\w+)", text))
    assert len(PHASES) == 7
