import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.commands import run as run_here

KALOOKI = (sys.executable, "-m", "kalooki_tui")

INTERRUPTED_AT = """
import os, signal, sys, time
from kalooki_tui.__main__ import main

class Interruption:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

module = sys.argv.pop(1)
sys.meta_path.insert(0, Interruption())
main()
"""


def run(
    *arguments: str, home: Path, encoding: str = "utf-8", given: IO[bytes] | int = subprocess.DEVNULL
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KALOOKI, *arguments],
        env={**os.environ, "KALOOKI_HOME": str(home), "PYTHONIOENCODING": encoding},
        stdin=given,
        capture_output=True,
        encoding=encoding,
        check=False,
        timeout=60,
    )


def test_an_interruption_while_modules_are_imported(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED_AT, "kalooki_tui.cli.main", "rules", "list"]
    environment = {**os.environ, "KALOOKI_HOME": str(tmp_path)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, result.stdout, result.stderr.strip()) == (130, "", "")


def test_an_interruption_that_the_caller_ignores_is_ignored(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED_AT, "click", "rules", "list"]
    result = subprocess.run(
        command,
        env={**os.environ, "KALOOKI_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert "jamaican" in result.stdout


def test_closed_streams(tmp_path: Path) -> None:
    closed = "exec {} rules list {}; exit 9"
    shown = shlex.join(KALOOKI)
    for streams, code in (("<&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0), (">/dev/full", 2)):
        result = subprocess.run(
            ["/bin/sh", "-c", closed.format(shown, streams)],
            env={**os.environ, "KALOOKI_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert result.returncode == code, streams
        assert result.stderr == ("kalooki: No space left on device\n" if code else "")
        assert ("jamaican" in result.stdout) == (">" not in streams.replace("2>", ""))


def test_narrow_encodings(tmp_path: Path) -> None:
    ruleset = tmp_path / "r.yaml"
    ruleset.write_text("extends: baby\nname: Żó ♠ 🂡 …\n", encoding="utf-8")
    result = run("rules", "show", str(ruleset), home=tmp_path, encoding="cp1252")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1].startswith("name: \\u017bó S \\ud83c\\udca1 ")
    # Programs read the same as ever, but for the symbols of suits.
    result = run("rules", "show", str(ruleset), "--json", home=tmp_path, encoding="cp1252")
    assert json.loads(result.stdout)["name"].startswith("Żó S 🂡 ")
    result = run("meld", "♠", home=tmp_path, encoding="cp1252")
    assert result.returncode == 2
    assert result.stderr.startswith("'S'")


def test_an_input_that_is_no_text(tmp_path: Path) -> None:
    with (tmp_path / "hands").open("wb+") as hands:
        hands.write(b"7C \xff 8C\n")
        hands.seek(0)
        result = run("solve", "--ruleset", "baby", "--deal", "1", "--hand", "-", home=tmp_path, given=hands)
    assert result.returncode == 2
    assert result.stderr.startswith("line 1: ")


COMMANDS = (["replay"], ["verify"], ["check"], ["rules", "check"], ["rules", "show"], ["import"])


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused_and_names_are_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = f"{pipe}: cannot be read: it is a device, a pipe or a socket, not a file\n"
    assert run_here(capsys, *command, pipe) == (2, "", said)
    name = tmp_path / "a\x1b[31m\n\u202eb"
    said = f"{tmp_path}/a\\x1b[31m\\n\\u202eb: there is no such file\n"
    assert run_here(capsys, *command, name) == (2, "", said)


def test_names_are_escaped_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    name = "none\x9b31m\u202e"
    for command in (["verify"], ["rules", "check"]):
        out = run_here(capsys, *command, "--json", name).out
        assert out.replace("\n", "").isprintable()
        assert json.loads(out)["files"][0]["file"] == name
