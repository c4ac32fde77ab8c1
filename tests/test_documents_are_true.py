import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from platformdirs.unix import Unix

from kalooki_tui.cli.main import kalooki
from kalooki_tui.players import LEVELS, TEMPERAMENTS, check_level
from kalooki_tui.rulesets.loader import catalogue
from kalooki_tui.storage.paths import MATCHES, settings_file
from scripts.make_man import EXAMPLES as EXAMPLES_OF_THE_MANUAL
from scripts.make_man import FILES

ROOT: Final = Path(__file__).resolve().parents[1]
DOCS: Final = ROOT / "docs"
PAGES: Final = sorted(
    {ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *DOCS.rglob("*.md")}
    - {DOCS / "performance.md", *DOCS.glob("decisions/*.md")}  # what was so when it was decided or measured
)


def text_of(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def lines_with_commands(text: str) -> Iterator[str]:
    """What a page has somebody type: in a line of it, or in a block."""
    yield from re.findall(r"`(kalooki [a-z][^`]*)`", text)
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from (line for line in block.splitlines() if line.startswith("kalooki "))


def wrong_in(line: str) -> str:
    """What is not so in a line that somebody is to type: its first unknown command or option."""
    words = shlex.split(line.replace("\\|", " "), comments=True)[1:]
    command: click.Command = kalooki
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        known = command.commands.get(words[0])
        if known is None:
            return "" if command is not kalooki else f"{words[0]} in {line}"
        command = known
        words.pop(0)
    options = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h", "--version"}
    return next((f"{word} in {line}" for word in words if re.match(r"--[a-z]", word) and word not in options), "")


def test_every_command_option_and_level_that_is_named_is_there() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert [wrong for line in lines_with_commands(text) if (wrong := wrong_in(line))] == [], page
        for level in re.findall(r"\bai:([a-z]+(?:/[a-z]+)?)", text):
            check_level(level)
        assert "install 'kalooki-tui" not in text, f"{page} pretends that the program is on an index"


def test_a_command_that_is_not_there_would_be_found() -> None:
    assert wrong_in("kalooki dance --well") == "dance in kalooki dance --well"
    assert wrong_in("kalooki play --badly") == "--badly in kalooki play --badly"


@pytest.mark.parametrize("page", ["api.md", "bots.md"])
def test_the_pages_about_levels_name_all_of_them(page: str) -> None:
    text = text_of("docs", page)
    assert [level for level in LEVELS if f"`ai:{level}" not in text] == []


def test_the_guide_names_all_temperaments() -> None:
    text = text_of("docs", "bots.md")
    assert [one for one in TEMPERAMENTS if f"/{one}" not in text] == []


def test_the_table_of_games_is_right() -> None:
    rows = re.findall(r"^\| (`.*?`) \| .*? \| ([\d–]+) \| (.*?) \|$", text_of("README.md"), re.MULTILINE)
    told = {}
    for names, seats, deals in rows:
        ids = re.findall(r"`([^`]+)`", names)
        lengths = deals.split(", ") if len(ids) > 1 else [deals]
        told |= {one: (seats, length) for one, length in zip(ids, lengths, strict=True)}
    there = {}
    for entry in catalogue():
        if entry.builtin and entry.ruleset is not None:
            counts = entry.ruleset.seat_counts
            span = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
            endless = entry.ruleset.end.after == "elimination"
            there[entry.id] = (span, "until one is left" if endless else str(len(entry.ruleset.deals)))
    assert told == there


def test_the_examples_of_the_manual_are_lines_that_can_be_typed() -> None:
    parts = [part for line in EXAMPLES_OF_THE_MANUAL for part in line.split(" && ")]
    assert [wrong for part in parts if (wrong := wrong_in(part))] == []


def test_the_manual_names_the_folders_that_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    used = Unix("kalooki")
    places = {place.replace("~", "/home/ann") for place in FILES}
    assert {f"{used.user_data_dir}/{MATCHES}/", f"{used.user_config_dir}/{settings_file().name}"} <= places
