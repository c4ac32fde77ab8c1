from pathlib import Path

import pytest

from kalooki_tui.cli import example
from tests.commands import Run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_example_is_listed_and_every_file_is_an_example(run: Run) -> None:
    assert {path.name for path in example.FOLDER.iterdir() if path.is_file()} == set(example.EXAMPLES)
    listed = run("example")
    assert listed.code == 0
    assert [line.split()[0] for line in listed.out.splitlines()[1:]] == list(example.EXAMPLES)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("match.jsonl", ("verify", "match.jsonl")),
        ("position.yaml", ("check", "position.yaml")),
        ("position.yaml", ("advise", "position.yaml", "--worlds", "0")),
        ("house-rules.yaml", ("rules", "check", "house-rules.yaml")),
    ],
)
def test_an_example_does_what_it_is_for(run: Run, name: str, command: tuple[str, ...]) -> None:
    assert run("example", name).code == 0
    result = run(*command)
    assert result.code == 0, result.err


def test_a_file_that_is_there_is_kept(run: Run, folder: Path) -> None:
    (folder / "match.jsonl").write_text("mine", encoding="utf-8")
    result = run("example", "match.jsonl")
    assert result.code == 2
    assert "match.jsonl is there already; --force overwrites it" in result.err
    assert (folder / "match.jsonl").read_text(encoding="utf-8") == "mine"
    assert run("example", "match.jsonl", "--force").code == 0
    assert run("example", "match.jsonl").code == 0
