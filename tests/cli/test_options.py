import json
from collections.abc import Iterator
from itertools import chain

import pytest
from click import Command, Path
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from rich.cells import cell_len

from kalooki_tui import Match
from kalooki_tui.cli.main import GROUPS, kalooki
from kalooki_tui.cli.match_options import echo_table
from kalooki_tui.rulesets.validation import file_schema
from kalooki_tui.storage.player.settings_file import LastSetup, PlayerSettings, SettingsFile
from tests.commands import Golden, Run


def completed(*words: str) -> list[str]:
    *before, incomplete = words
    found = ShellComplete(kalooki, {}, "kalooki", "_KALOOKI_COMPLETE").get_completions(before, incomplete)
    return [f"<{one.type}>" if one.type != "plain" else one.value for one in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sol",), ["solve"]),
        (("play", "--ruleset", "jam"), ["jamaican"]),
        (("rules", "show", "tul"), ["tuluki"]),
        (("play", "--ruleset", "./my"), ["<file>"]),
        (("play", "--ruleset", "air-jamaica", "--option", "six"), ["six-jokers"]),
        (("play", "--ruleset", "nowhere", "--option", "s"), []),
        (("watch", "--seat", "ai:club/ho"), ["ai:club/hoarder"]),
        (("play", "--seat", "Bob=ai:nov"), ["Bob=ai:novice"]),
        (("replay", "mat"), ["<file>"]),
        (("rules", "check", "a.yaml", "b"), ["<file>"]),
    ],
)
def test_what_a_shell_completes(words: tuple[str, ...], expected: list[str]) -> None:
    assert completed(*words) == expected


def test_the_schema_of_a_rulesets_file_is_printed(run: Run) -> None:
    result = run("rules", "schema")
    assert (result.code, json.loads(result.out)) == (0, file_schema())


def test_the_settings_fit_into_eighty_columns(run: Run) -> None:
    seats = [f"Player{number}=ai:club/hoarder" for number in range(8)]
    last = LastSetup(seats=seats, options=["six-jokers"], settings={"bad_lay": 100}, asking={"Ann": "helps"})
    SettingsFile.load().save(PlayerSettings(names=[f"Somebody{number}" for number in range(20)], last=last))
    out = run("config").out
    lines = out.split("\n\n", 1)[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split() == ["last.settings.bad_lay", "100"] for line in lines)
    assert all(f"Somebody{number}" in out for number in range(20))


def test_every_command_is_in_one_group() -> None:
    assert sorted(chain(*GROUPS.values())) == sorted(kalooki.commands)


def help_of(*words: str) -> str:
    return CliRunner().invoke(kalooki, [*words, "--help"], terminal_width=80).stdout


def parameters(command: Command, name: str) -> Iterator[str]:
    yield f"{name}: {command.short_help or command.get_short_help_str(200)}"
    for one in command.params:
        takes = [
            one.type.name if isinstance(one.type, Path) else repr(one.type),
            f"x {one.nargs}",
            *(["flag"] * getattr(one, "is_flag", False)),
        ]
        takes += ["several"] * one.multiple + ["must"] * one.required + ["hidden"] * getattr(one, "hidden", False)
        usual = f" {one.default!r}" if isinstance(one.default, str | int) else ""
        yield f"  {' '.join(one.opts)} {one.name}: {' '.join(takes)}{usual}"
    for word, inner in getattr(command, "commands", {}).items():
        yield from parameters(inner, f"{name} {word}")


def test_no_summary_is_cut_in_eighty_columns(golden: Golden) -> None:
    golden("parameters", "\n".join(parameters(kalooki, "kalooki")))
    shown = help_of()
    assert [f"{heading}:" for heading in GROUPS if f"\n{heading}:\n" not in shown] == []
    for text in (shown, help_of("rules")):
        assert [line for line in text.splitlines() if line.endswith("...") and "Usage" not in line] == []
        assert max(map(len, text.splitlines())) <= 80


NAMES = ("山田太郎", "Ann", "आशा")


def test_columns_are_measured_in_cells(capsys: pytest.CaptureFixture[str]) -> None:
    echo_table([("name", "points"), *((name, "7") for name in NAMES)])
    lines = capsys.readouterr().out.splitlines()
    assert {cell_len(line[: line.index("7")]) for line in lines[1:]} == {10}


def test_the_table_as_text_stands_in_columns() -> None:
    match = Match("baby", NAMES, seed=1)
    rows = [line for line in str(match.view(NAMES[0])).splitlines() if line.endswith("points")]
    assert len(rows) == len(NAMES)
    assert len({cell_len(line[: line.index(" cards")]) for line in rows}) == 1
