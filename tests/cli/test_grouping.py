"""`kalooki --help`: every command in a group, every summary whole."""

from itertools import chain

from click.testing import CliRunner

from kalooki_tui.cli.grouping import GROUPS
from kalooki_tui.cli.main import kalooki


def test_every_command_is_in_one_group() -> None:
    grouped = list(chain(*GROUPS.values()))
    assert sorted(grouped) == sorted(kalooki.commands)


def test_no_summary_is_cut_in_eighty_columns() -> None:
    shown = CliRunner().invoke(kalooki, ["--help"], terminal_width=80).stdout
    assert [f"{heading}:" for heading in GROUPS if f"\n{heading}:\n" not in shown] == []
    assert [line for line in shown.splitlines() if line.endswith("...") and "Usage" not in line] == []
    assert max(map(len, shown.splitlines())) <= 80
