import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import click
import pytest

from kalooki_tui.cli import host as cli_host
from kalooki_tui.cli import launch
from kalooki_tui.cli import learn as cli_learn
from kalooki_tui.cli import main as cli
from kalooki_tui.cli import play as cli_play
from scripts.make_man import PAGE, page

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
DOCUMENTS: Final = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
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
    monkeypatch.setattr(launch, "run_app", opened)
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


def test_the_readme_begins_with_the_two_lines_that_do_all_the_set_up() -> None:
    readme = ROOT / "README.md"
    assert orders(readme)[:2] == ["make play", "make test"]
    first_screen = readme.read_text(encoding="utf-8").splitlines()[:24]
    assert {"make play", "make test"} <= {line.partition("#")[0].strip() for line in first_screen}


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_every_snippet_of_python_works(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(document, "python"):
        names: dict[str, Any] = {}
        exec(compile(block, str(document), "exec"), names)
        assert capsys.readouterr().out


def test_the_guide_lists_its_pages() -> None:
    listed = re.findall(r"\]\(([a-z-]+\.md)\)", PAGES[1].parent.joinpath("README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.name for path in PAGES[1:] if path.name != "README.md")


def headings(document: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_every_link_leads_somewhere() -> None:
    broken = []
    for document in DOCUMENTS:
        text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, anchor = target.partition("#")
            there = (document.parent / file) if file else document
            is_here = there.exists() and (not anchor or anchor in headings(there))
            if not is_here and not re.match(r"[a-z]+:", target):
                broken.append(f"{document.relative_to(ROOT)}: {target}")
    assert broken == []


def test_the_manual_is_made_from_the_commands() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run make man"
