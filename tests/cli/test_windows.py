import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from kalooki_tui.cli.example import FOLDER as EXAMPLES
from kalooki_tui.cli.play import WAYS

ROOT: Final = Path(__file__).parents[2]

#: What the program finds on Windows: its own code cannot import what is not there, nor call it. The standard library,
#: which asks for the system when it is imported, has been imported before. Then commands are run, one after another.
STAND_IN: Final = """
import contextlib, io, json, os, signal, sys
if sys.platform != "win32":
    import asyncio, concurrent.futures, ctypes, multiprocessing.connection, shutil, socket, subprocess
    import sysconfig, tempfile, types
    import click, pydantic, platformdirs, rich.console, ruamel.yaml, tomlkit
    sysconfig.get_config_vars()
    for name in ("termios", "fcntl", "pwd", "grp", "resource", "pty", "tty"):
        sys.modules[name] = None
    taken = {}
    def locking(handle, mode, count):
        file = os.fstat(handle)
        if taken.setdefault((file.st_dev, file.st_ino), handle) != handle:
            raise PermissionError(13, "Permission denied")
    sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
    for name in ("SIGHUP", "SIGQUIT", "SIGKILL", "pthread_sigmask"):
        delattr(signal, name)
    for name in ("killpg", "getuid", "geteuid", "setsid", "fork", "fdatasync", "O_NONBLOCK", "O_NOCTTY"):
        delattr(os, name)
    sys.platform = "win32"
from kalooki_tui.cli import main, play
play.has_screen = lambda: True
results = {}
for name, arguments, typed in json.load(sys.stdin):
    out, err, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO(typed)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main.main(arguments)
        except SystemExit as end:
            results[name] = (end.code or 0, out.getvalue(), err.getvalue())
print(json.dumps(results))
"""

MATCH: Final = str(EXAMPLES / "match.jsonl")
SEATS: Final = ("--seat", "ai:club", "--seat", "ai:novice", "--seat", "ai:novice")
REFUSED: Final = {
    "the app": ((), "The app's screen"),
    "a match to watch": (("watch", "--ruleset", "baby"), "The app's screen"),
    "a table for others": (("host",), "A table that others come to"),
}
WORKING: Final = {
    "rulesets": ("rules", "list"),
    "a meld": ("meld", "5C JK 7C 8C"),
    "a lay-down": ("solve", "--deal", "1", "--hand", "5C 5D 5H 9S 9D 9C KD KS JK"),
    "a record": ("verify", MATCH),
    "a position": ("check", str(EXAMPLES / "position.yaml")),
    "a review": ("review", MATCH, "--deal", "1", "--worlds", "0"),
    "an import": ("import", MATCH),
    "the list of matches": ("matches",),
    "settings": ("config",),
    "a simulation": ("sim", "--ruleset", "baby", "--matches", "1", *SEATS),
}
BY_LINES: Final = ("play", "--plain", "--ruleset", "baby", "--seed", "7", "--seat", "Ann", *SEATS[:4])
PROGRAM: Final = ("sim", "--ruleset", "baby", "--matches", "1", "--seat", "exec:python bot.py")


def test_there_everything_runs_but_the_screen_the_table_for_others_and_programs(tmp_path: Path) -> None:
    orders: list[tuple[str, tuple[str, ...], str]] = [(name, order, "") for name, (order, _) in REFUSED.items()]
    orders += [(name, order, "") for name, order in WORKING.items()]
    orders += [("lines", BY_LINES, "p\nquit\n"), ("kept", ("matches",), "")]
    orders += [("a program", PROGRAM, ""), ("doctor", ("doctor",), "")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KALOOKI_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"}
    result = subprocess.run(
        [sys.executable, "-c", STAND_IN], cwd=tmp_path, env=environment, input=json.dumps(orders), check=False,
        capture_output=True, text=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    done: dict[str, tuple[int, str, str]] = json.loads(result.stdout)
    for name, (_, what) in REFUSED.items():
        code, _, errors = done[name]
        assert (code, errors) == (2, f"Error: {what} does not run on Windows itself. {WAYS}\n")
    assert {name: done[name][2] for name in WORKING if done[name][0] != 0} == {}
    assert "Ann" in done["lines"][1]
    assert "error in the program" not in done["lines"][2]
    assert [line for line in done["kept"][1].splitlines() if "Ann" in line]
    code, _, errors = done["a program"]
    assert (code, "programs play on Linux and macOS only" in errors) == (2, True)
    code, told, _ = done["doctor"]
    assert (code, "The app's screen needs Linux or macOS." in told) == (1, True)
