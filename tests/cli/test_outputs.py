import io
import re
import shlex
from pathlib import Path

import pytest

from kalooki_tui.cli.example import FOLDER as EXAMPLES
from kalooki_tui.storage.match_store import Store
from tests.commands import Golden, Run, groups_of
from tests.storage.tables import played_two
from tests.tui.test_same_cards import play_day

TESTS = Path(__file__).parents[1]

#: What is asked for, group by group, with what is typed after a <; {over} and {going} are matches in the list.
GROUPS = groups_of(Path(__file__).with_name("commands.txt"))


def told(text: str, names: dict[str, str]) -> str:
    """What was written, without what another day or machine says."""
    for name, value in names.items():
        text = text.replace(value, f"<{name}>")
    text = re.sub(r"\b[0-9a-f]{8}\b", "<id>", text)
    text = re.sub(r"\d{4}-\d{2}-\d{2}(T[\d:.+Z]+| \d{2}:\d{2})?", "<day>", text)
    text = re.sub(r"(\d\.\d{3})\d+", r"\1", text)
    text = re.sub(r"[\d.,]+( thousand)? (seconds?|ms)\b", "<time>", text)
    return re.sub(r" +(?=median|p99|longest|<time>)", " ", text)


@pytest.mark.parametrize("group", GROUPS)
def test_all_that_commands_write(
    group: str, run: Run, home: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("COLUMNS", "80")
    over, going = played_two()
    names = {"tests": str(TESTS), "examples": str(EXAMPLES), "over": over, "going": going}
    shown = {**names, "  over": over[-8:], " going": going[-8:], "home": str(home), "here": str(TESTS.parent)}
    if group == "learn":
        play_day(Store.open(), You="novice", Augusta="novice")
    lines = []
    for line in map(str.strip, GROUPS[group].splitlines()):
        command, _, typed = line.partition(" < ")
        monkeypatch.setattr("sys.stdin", io.StringIO(typed.replace("|", "\n")))
        code, out, err = run(*shlex.split(command.format(**names)))
        lines.append(f"$ kalooki {line}\n{told(out, shown)}{told(err, shown)}[{code}]\n")
    golden(f"commands-{group}", "\n".join(lines))
