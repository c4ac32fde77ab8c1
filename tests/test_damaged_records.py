import json
import re
import resource
from pathlib import Path

import pytest

import kalooki_tui as kalooki
from kalooki_tui.records.verifying import State
from kalooki_tui.store.matches import Store
from tests.commands import run
from tests.records.damaged import DAMAGES, Damage, text, whole

damages = pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)

#: The exit codes of commands for a record that was changed, was cut short, is none.
COMMANDS = {
    ("replay",): (1, 0, 2),
    ("replay", "--json"): (1, 0, 2),
    ("replay", "--open"): (1, 0, 2),
    ("verify",): (1, 1, 2),
    ("review", "--worlds", "0"): (2, 0, 2),
    ("review", "--worlds", "0", "--json"): (2, 0, 2),
    ("import",): (2, 0, 2),
    ("import", "--json"): (2, 0, 2),
}
STATES = (State.EDITED, State.CUT_SHORT, State.NO_RECORD)
MOST_MEMORY = 40_000
"""Kilobytes more than before that reading any file may take."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KALOOKI_DEBUG", "1")
    return tmp_path / "home"


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def see_that_it_may_be_shown(told: str) -> None:
    """Nothing in it steers a terminal, nor is it a traceback."""
    assert "Traceback" not in told
    assert all(line.isprintable() for line in told.split("\n"))


def place(path: Path, damage: Damage) -> str:
    return f"{path}:{damage.line}: " if damage.line else f"{path}: "


@damages
def test_every_command_and_call_says_what_is_wrong_with_a_file(
    damage: Damage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record"
    damage.make(path)
    before = memory()
    for command, codes in COMMANDS.items():
        code, out, err = run(capsys, *command, path)
        assert code == codes[STATES.index(damage.state)], command
        see_that_it_may_be_shown(out + err)
        assert place(path, damage) in out + err or damage.state is State.CUT_SHORT, command
    code, out, _ = run(capsys, "verify", "--json", path)
    (found,) = json.loads(out)["files"]
    assert (code, found["state"]) == ((2, 1)[damage.state is not State.NO_RECORD], damage.state)
    told = f"{found['file']}:{found['line']}: " if "line" in found else found.get("error", place(path, damage))
    assert told.startswith(place(path, damage))
    if damage.state is State.CUT_SHORT:
        assert kalooki.read_record(path).names == ("Zoë", "Bob", "Cat")
    else:
        for source in (path, str(path)):
            with pytest.raises(ValueError, match=f"^{re.escape(place(path, damage))}") as caught:
                kalooki.read_record(source)
            see_that_it_may_be_shown(str(caught.value))
    assert memory() - before < MOST_MEMORY


@damages
def test_a_damaged_match_among_the_saved_ones_harms_no_other(
    damage: Damage, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store.open(home).close()
    (home / "matches" / "good.jsonl").write_bytes(text(whole(seed=5)))
    damage.make(home / "matches" / "bad.jsonl")
    before = memory()
    code, out, err = run(capsys, "matches")
    assert code == 0
    assert "good" in out
    see_that_it_may_be_shown(out + err)
    for command, codes in (
        (("matches", "--json"), (0,)),
        (("stats",), (0,)),
        (("stats", "--json"), (0,)),
        (("export", "good", tmp_path / "good"), (0,)),
        (("export", "bad", tmp_path / "bad", "--open"), (0, 2)),
        (("review", "bad", "--worlds", "0"), (0, 2)),
    ):
        code, out, err = run(capsys, *command)
        assert code in codes, command
        see_that_it_may_be_shown(out + err)
    assert memory() - before < MOST_MEMORY
    assert (tmp_path / "good").read_bytes() == text(whole(seed=5))
