import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest
from platformdirs.unix import Unix

from kalooki_tui.cli import example
from kalooki_tui.cli import host as cli_host
from kalooki_tui.cli import learn as cli_learn
from kalooki_tui.cli import main as cli
from kalooki_tui.cli import play as cli_play
from kalooki_tui.coach.clauses import rules_text
from kalooki_tui.players import check_level
from kalooki_tui.rulesets.loader import catalogue, load_ruleset
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.storage.paths import MATCHES, settings_file
from scripts import make_man
from scripts.make_man import EXAMPLES, FILES, PAGE
from scripts.make_rules import ABOUT_THE_PROGRAM, FOLDER, page, pages, spoken

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
DOCUMENTS: Final = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
TRUE: Final = [
    page for page in DOCUMENTS  # but what was so when it was decided or measured
    if page.name not in ("performance.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md") and page.parent.name != "decisions"
]  # fmt: skip
INTERRUPTED: Final = 130
INSTALLS: Final = ("uv ", "uvx ", "pipx ", "python3 -m venv ", "kalooki-env/bin/pip ", "source .venv/bin/activate")
"""What installs needs packages from elsewhere: `scripts/try_installs.py` runs these lines as they stand."""


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def orders(document: Path) -> list[str]:
    lines = [line for block in blocks(document, "sh") for line in block.splitlines()]
    return [order for line in lines if (order := re.sub(r"(^|\s)\s*#.*", "", line).strip())]


class Ran(Exception):
    """A screen or a server would open now."""


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what a checkout has, a home of its own, and screens that are noted instead of opened."""
    for name in ("docs", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def opened(*_arguments: object, **_named: object) -> None:
        raise Ran

    for module in (cli_play, cli_learn, cli_host):
        monkeypatch.setattr(module, "has_screen", lambda: True)
    monkeypatch.setattr(cli_play, "run_app", opened)
    return tmp_path


def run_kalooki(order: str) -> None:
    try:
        code = cli.kalooki.main(shlex.split(order)[1:], standalone_mode=False)
    except (Ran, click.Abort):  # it begins to ask, and nobody answers
        return
    assert code in (None, 0), order


def run_shell(order: str, folder: Path, *, codes: tuple[int, ...] = (0,)) -> None:
    commands = folder / "commands"
    commands.mkdir(exist_ok=True)
    kalooki = commands / "kalooki"
    kalooki.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kalooki_tui "$@"\n', encoding="utf-8")
    kalooki.chmod(0o755)
    environment = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    nothing = subprocess.DEVNULL
    done = subprocess.run(
        ["bash", "-ec", order], cwd=folder, env=environment, capture_output=True, text=True, stdin=nothing, check=False
    )
    assert done.returncode in codes, f"{order}: {done.stderr}"


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_every_command_works(document: Path, workplace: Path) -> None:
    for block in blocks(document, "yaml"):
        if named := re.match(r"# file: (\S+)\n", block):
            (workplace / named[1]).write_text(block, encoding="utf-8")
    for order in orders(document):
        if order.startswith(INSTALLS):
            continue
        completion = re.search(r"_KALOOKI_COMPLETE=(bash|zsh|fish)_source kalooki", order)
        if completion:
            # The shell itself need not be there: what it would read is.
            run_shell(f"{completion[0]} | grep -q _KALOOKI_COMPLETE", workplace)
        elif order.startswith("make "):
            run_shell(f"make -n -C {shlex.quote(str(ROOT))} {order.partition(' ')[2]}", workplace)
        elif "--plain" in order:
            # They begin to ask, and nobody answers.
            run_shell(order, workplace, codes=(0, INTERRUPTED))
        elif set(order) & set("|<>$*"):
            run_shell(order, workplace)
        else:
            assert order.startswith("kalooki"), order
            run_kalooki(order)


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_every_snippet_of_python_works(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(document, "python"):
        names: dict[str, Any] = {}
        exec(compile(block, str(document), "exec"), names)
        assert capsys.readouterr().out


@pytest.mark.parametrize(("document", "examples"), [("api.md", 20), ("rl.md", 5)])
def test_the_examples_give_what_the_page_says(document: str, examples: int, workplace: Path) -> None:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    for name in re.findall(r"`kalooki example (\S+)`", text):
        example.copy(name, workplace / name, overwrite=False)
    result = doctest.testfile(str(ROOT / "docs" / document), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= examples


def test_the_manual_is_made_from_the_commands() -> None:
    assert PAGE.read_text(encoding="utf-8") == make_man.page(), "run make man"


def lines_with_commands(text: str) -> Iterator[str]:
    """What a page has somebody type: in a line of it, or in a block."""
    yield from re.findall(r"`(kalooki [a-z][^`]*)`", text)
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from (line for line in block.splitlines() if line.startswith("kalooki "))


def wrong_in(line: str) -> str:
    """What is not so in a line that somebody is to type: its first unknown command or option."""
    words = shlex.split(line.replace("\\|", " "), comments=True)[1:]
    command: click.Command = cli.kalooki
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        known = command.commands.get(words[0])
        if known is None:
            return "" if command is not cli.kalooki else f"{words[0]} in {line}"
        command = known
        words.pop(0)
    options = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h", "--version"}
    return next((f"{word} in {line}" for word in words if re.match(r"--[a-z]", word) and word not in options), "")


def test_every_command_option_and_level_that_is_named_is_there() -> None:
    for document in TRUE:
        text = document.read_text(encoding="utf-8")
        assert [wrong for line in lines_with_commands(text) if (wrong := wrong_in(line))] == [], document
        for level in re.findall(r"\bai:([a-z]+(?:/[a-z]+)?)", text):
            check_level(level)
        assert "install 'kalooki-tui" not in text, f"{document} pretends that the program is on an index"
    parts = [part for line in EXAMPLES for part in line.split(" && ")]
    assert [wrong for part in parts if (wrong := wrong_in(part))] == []
    assert wrong_in("kalooki play --badly") == "--badly in kalooki play --badly"


def test_the_table_of_games_is_right() -> None:
    rows = re.findall(
        r"^\| (`.*?`) \| .*? \| ([\d–]+) \| (.*?) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
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


def test_the_manual_names_the_folders_that_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    used = Unix("kalooki")
    places = {place.replace("~", "/home/ann") for place in FILES}
    assert {f"{used.user_data_dir}/{MATCHES}/", f"{used.user_config_dir}/{settings_file().name}"} <= places


def test_every_page_has_one_place() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS}
    reached = {page for page in pages if page.startswith("docs/decisions/") and not page.endswith("README.md")}
    assert sorted(re.findall(r"([\w./-]+\.md)$", navigation, re.MULTILINE)) == sorted(pages - reached)


IDS = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


@pytest.fixture(scope="module", params=IDS)
def game(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(request.param)


def test_the_pages_are_made_from_the_rules() -> None:
    made = {one.name: one.text for one in pages()}
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert there == set(made)
    assert [name for name, text in made.items() if (FOLDER / name).read_text(encoding="utf-8") != text] == [], (
        "make rules"
    )


def test_every_rule_of_the_game_is_on_its_page(game: Ruleset) -> None:
    text = page(game)
    lines = [line.text for section in rules_text(game) for line in section.lines]
    left_out = [line for line in lines if f"- {spoken(line)}\n" not in text]
    contracts = [line for line in left_out if re.search(r", from \d+ cards\.$", line)]
    assert len(contracts) == len(game.deals)
    assert [line for line in left_out if line not in contracts and not line.startswith(ABOUT_THE_PROGRAM)] == []
