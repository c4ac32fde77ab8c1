import pytest
from rich.cells import cell_len

import kalooki_tui as kalooki
from kalooki_tui.cli.options import echo_table

NAMES = ("山田太郎", "Ann", "आशा")


def test_columns_are_measured_in_cells(capsys: pytest.CaptureFixture[str]) -> None:
    echo_table([("name", "points"), *((name, "7") for name in NAMES)])
    lines = capsys.readouterr().out.splitlines()
    assert {cell_len(line[: line.index("7")]) for line in lines[1:]} == {10}


def test_the_table_as_text_stands_in_columns() -> None:
    match = kalooki.Match("baby", NAMES, seed=1)
    rows = [line for line in str(match.view(NAMES[0])).splitlines() if line.endswith("points")]
    assert len(rows) == len(NAMES)
    assert len({cell_len(line[: line.index(" cards")]) for line in rows}) == 1
