from itertools import chain

import pytest
from click.testing import CliRunner

from kalooki_tui.cli.main import GROUPS, kalooki


def test_every_command_is_in_one_group() -> None:
    grouped = list(chain(*GROUPS.values()))
    assert sorted(grouped) == sorted(kalooki.commands)


def helped(*words: str) -> str:
    return CliRunner().invoke(kalooki, [*words, "--help"], terminal_width=80).stdout


def test_no_summary_is_cut_in_eighty_columns() -> None:
    shown = helped()
    assert [f"{heading}:" for heading in GROUPS if f"\n{heading}:\n" not in shown] == []
    for text in (shown, helped("rules")):
        assert [line for line in text.splitlines() if line.endswith("...") and "Usage" not in line] == []
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", sorted(kalooki.commands))
def test_what_an_option_takes_is_named_in_the_words_of_the_game(command: str) -> None:
    shown = helped(command)
    assert shown.startswith("Usage: ")
    assert not [type_ for type_ in ("INTEGER", "FLOAT", "TEXT RANGE", "RANGE") if f" {type_} " in shown]
