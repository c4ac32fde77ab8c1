import re
from pathlib import Path
from typing import Any, Final

import pytest

from kalooki_tui.cards import FRENCH
from kalooki_tui.engine.refusals import CODES
from kalooki_tui.notation.action_text import parse_action, print_action
from kalooki_tui.notation.card_text import parse_group
from kalooki_tui.notation.messages import ask_message, hello_message
from kalooki_tui.positions import expectations
from kalooki_tui.positions.position_files import OUTCOMES, PositionKeys, SeatAt, read_position
from kalooki_tui.positions.staging import check_position, set_up
from kalooki_tui.records.playback import KINDS, verify

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")


TULUKI: Final = """\
ruleset: tuluki
referee: penalties
turn: Bob
phase: flip-decision
flip: 8C
caller: Ann
dead: true
seats:
  - {name: Ann, hand: 2C, penalties: 50}
  - {name: Bob, hand: 3C, bend_forbidden: true}
"""


def rows_under(heading: str) -> list[list[str]]:
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    return [row for row in cells if row[0] and not row[0].startswith("---")]


def first_words(heading: str) -> list[str]:
    return [word for row in rows_under(heading) for word in re.findall(r"`([^`]+)`", row[0])]


@pytest.mark.parametrize("text", [word.replace("\\|", "|") for word in first_words("Actions")])
def test_every_action_is_read_and_written_as_it_stands(text: str) -> None:
    names = ("Ann", "Bob", "Cat")
    assert print_action(parse_action(text, names, FRENCH), names, FRENCH) == text


def test_every_kind_of_action_is_there() -> None:
    names = ("Ann", "Bob", "Cat")
    kinds = {type(parse_action(text.replace("\\|", "|"), names, FRENCH)) for text in first_words("Actions")}
    assert len(kinds) == 15


def test_every_code_is_there_with_its_clauses() -> None:
    documented = {row[0].strip("`"): f"{row[1]}: {row[2]}" for row in rows_under("Refusals")[1:]}
    assert documented == CODES


def test_codes_in_the_engine_are_registered_and_the_other_way_round() -> None:
    engine = ROOT / "kalooki_tui" / "engine"
    quoted = {
        code
        for path in engine.glob("*.py")
        if path.name != "refusals.py"
        for code in re.findall(r'"((?:[a-z]+)\.[a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    assert quoted == set(CODES)


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_every_position_holds(text: str) -> None:
    assert check_position(read_position(text, "notation.md")) is None


def test_every_key_of_a_position_is_there() -> None:
    part = PAGE.partition("\n## Positions\n")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`([a-z_]+)`", part))
    assert set(PositionKeys.__struct_fields__) <= set(first_words("Positions"))
    assert set(expectations.KEYS) <= set(first_words("Positions"))
    assert set(SeatAt.__struct_fields__) <= documented
    assert all(f"`{outcome}:`" in part for outcome in OUTCOMES)


def test_the_record_follows_its_seed(tmp_path: Path) -> None:
    (example,) = re.findall(r"```jsonl\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "example.jsonl"
    file.write_text(example.replace(', "rules": {…}', ""), encoding="utf-8")
    verdict = verify(str(file))
    assert verdict.ok, str(verdict)
    assert verdict.lines == len(example.splitlines()) > 5


def test_every_line_of_a_record_is_there() -> None:
    assert {"kalooki", *KINDS} == set(first_words("Records"))


def test_every_key_that_a_program_is_told_is_there() -> None:
    part = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8").partition("\n## What the program reads\n")[2]
    stakes = (ROOT / "tests" / "positions" / "P2_kalookie.yaml").read_text(encoding="utf-8")
    for content in (stakes, TULUKI):
        view = set_up(read_position(content)).view(1)
        message: dict[str, Any] = ask_message(view, ())
        keys = {*hello_message(view), *message, *(key for seat in message["seats"] for key in seat)}
        assert {key for key in keys if f'"{key}"' not in part and f"`{key}`" not in part} == set()


def test_the_melds_are_read() -> None:
    for text in ("5C JK 7C 8C", "run: 8C JK JK JK"):
        assert f"`{text}`" in PAGE
        assert len(parse_group(text, FRENCH).cards) == 4
