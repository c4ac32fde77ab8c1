import re
from dataclasses import fields
from pathlib import Path

from kalooki_tui.store.index import TABLES
from kalooki_tui.store.player.settings import LastSetup, PlayerSettings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "storage.md"


def first_cells(heading: str) -> set[str]:
    _, _, after = PAGE.read_text(encoding="utf-8").partition(f"{heading}\n")
    rows = re.search(r"\n(\|.*\n)+", after)
    assert rows is not None
    return {
        name for row in rows[0].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1:2][0] if row else "")
    }


def test_every_column_of_the_index_is_documented() -> None:
    for table, columns in TABLES.items():
        assert first_cells(f"`{table}` has one row per {'file' if table == 'files' else 'match'}:") == {
            column.split()[0] for column in columns
        }


def test_every_setting_is_documented() -> None:
    # A table of the file stands in brackets.
    documented = {name.strip("[]") for name in first_cells("## Settings")}
    assert documented == {one.name for one in fields(PlayerSettings)}
    last = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `[last]`"))
    assert {*LastSetup.__struct_fields__} - {"settings"} <= set(re.findall(r"`(\w+)`", last))
