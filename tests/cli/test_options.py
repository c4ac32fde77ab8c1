import json

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from kalooki_tui.cli.main import kalooki
from kalooki_tui.rulesets.schema import file_schema
from kalooki_tui.store.player.settings import LastSetup, PlayerSettings, SettingsFile


def completed(*words: str) -> list[str]:
    *before, incomplete = words
    found = ShellComplete(kalooki, {}, "kalooki", "_KALOOKI_COMPLETE").get_completions(before, incomplete)
    return [f"<{one.type}>" if one.type != "plain" else one.value for one in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ser",), ["serve"]),
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


def test_the_schema_of_a_rulesets_file_is_printed() -> None:
    result = CliRunner().invoke(kalooki, ["rules", "schema"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, file_schema())


def test_the_settings_fit_into_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    seats = [f"Player{number}=ai:club/hoarder" for number in range(8)]
    last = LastSetup(seats=seats, options=["six-jokers"], settings={"bad_lay": 100}, asking={"Ann": "helps"})
    SettingsFile.load().save(PlayerSettings(names=[f"Somebody{number}" for number in range(20)], last=last))
    result = CliRunner().invoke(kalooki, ["config"])
    lines = result.stdout.split("\n\n", 1)[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split() == ["last.settings.bad_lay", "100"] for line in lines)
    assert sum("Somebody" in line for line in lines) > 1
