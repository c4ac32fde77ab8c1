import io
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from kalooki_tui.cli import main as cli
from kalooki_tui.rulesets.folders import builtin_files
from kalooki_tui.rulesets.loader import load_file, load_ruleset, resolve, resolved_from_data
from tests.commands import Run


def test_rules_list_tells_a_broken_one_and_the_rest(run: Run, home: Path) -> None:
    broken = home / "rulesets" / "broken.yaml"
    broken.parent.mkdir()
    broken.write_text("extends: jamaican\nswop: 1\n", encoding="utf-8")
    result = run("rules", "list")
    assert result.code == 0
    assert result.err == f"{broken}:2: unknown key 'swop'; did you mean 'swap'?\n"
    assert len(result.out.splitlines()) == 16


def test_rules_show_prints_a_file_that_says_the_same(run: Run, tmp_path: Path) -> None:
    for name in (path.stem for path in builtin_files()):
        result = run("rules", "show", name)
        assert result.code == 0
        (tmp_path / "shown.yaml").write_text(result.out, encoding="utf-8")
        assert load_file(tmp_path / "shown.yaml") == load_ruleset(name)
    result = run("rules", "show", "jamaican", "--option", "third-pack", "--seats", "6", "--json")
    assert resolved_from_data(json.loads(result.out)) == resolve("jamaican", ["third-pack"], 6)


TESTS = Path(__file__).parents[1]
RECORD = str(TESTS / "playthroughs" / "baby-3.jsonl")
CUT = str(TESTS / "positions" / "B1_an-exact-cut.yaml")


def test_rules_check(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("extends: baby\nname: Good\n", encoding="utf-8")
    bad.write_text("extends: baby\nswop: 1\ncalls: 3\n", encoding="utf-8")
    result = run("rules", "check", str(good))
    assert (result.code, result.out, result.err) == (0, f"{good}: Good is a valid ruleset\n", "")
    result = run("rules", "check", str(bad), str(good))
    assert (result.code, result.out) == (2, f"{good}: Good is a valid ruleset\n")
    assert [line.partition(": ")[0] for line in sorted(result.err.splitlines())] == [f"{bad}:2", f"{bad}:3"]
    bad.write_text("extends: baby\nswop: 1\n", encoding="utf-8")
    result = run("rules", "check", "--json", str(bad))
    assert (result.code, result.err) == (2, "")
    problems = [{"file": str(bad), "line": 2, "message": "unknown key 'swop'; did you mean 'swap'?"}]
    found = {"file": str(bad), "ok": False, "id": None, "problems": problems}
    assert json.loads(result.out) == {"ok": False, "files": [found]}


def test_without_a_terminal_a_whole_match_is_played_as_text(run: Run) -> None:
    arguments = ["play", "--ruleset", "baby", "--seed", "7", "--seat", "Ann=ai:club", "--seat", "Bob=ai:club",
                 "--seat", "ai:novice"]  # fmt: skip
    result = run(*arguments)
    assert (result.code, result.err) == (0, "")
    first, second, *_, last = result.out.splitlines()
    assert first == "There is no terminal here, so AI seats play a whole match as text."
    assert second.startswith("Baby Kalooki, seed 7: Ann, Bob, ")
    assert last.startswith("result: ")
    assert run(*arguments).out == result.out


@pytest.mark.parametrize("name", ["Dumb", ""])
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ("", 2, "kalooki play --plain plays as lines of text."),
        ("play --ruleset baby --seat Ann --seat ai:club --seat ai:club", 0, "played by ai:club"),
        ("play --duplicate --ruleset baby --seat Ann --seat Bob", 0, "Ann plays"),
        ("watch --ruleset baby --seed 7", 0, "AI seats play a whole match as text."),
        ("host --seat Ann --seat Bob@ --seat ai:club", 2, "there is no terminal here to sit at"),
    ],
)
def test_a_terminal_that_cannot_draw_is_told_so_and_gets_lines_of_text(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, arguments: str, code: int, told: str
) -> None:
    monkeypatch.setenv("TERM", name)
    monkeypatch.setattr(sys.modules["kalooki_tui.cli.play"], "_is_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    result = run(*arguments.split())
    assert result.code == code, result.err
    assert result.err.startswith("This terminal cannot draw a screen: it ")
    assert told in result.out + result.err


def test_a_fault_is_one_line_and_its_traceback_on_request(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(cli.kalooki, "main", fail)
    result = run("rules")
    assert result.code == 70
    assert result.err.count("\n") == 1
    assert "an error in the program, not in what you typed: ZeroDivisionError: by zero" in result.err
    monkeypatch.setenv("KALOOKI_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["rules"])


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_silent(run: Run, monkeypatch: pytest.MonkeyPatch, interruption: BaseException) -> None:
    def interrupt(**_: object) -> None:
        raise interruption

    monkeypatch.setattr(cli.kalooki, "main", interrupt)
    result = run("rules")
    assert (result.code, result.out, result.err) == (130, "", "")


def test_a_closed_pipe_ends_it_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "kalooki_tui", "rules", "show", "jamaican"]
    result = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_group_that_cannot_be_read_leaves_the_others_their_answers(run: Run, as_json: bool) -> None:
    result = run("meld", "3H 3C 3D", " ", "4H 5H 6H 7H", *(["--json"] if as_json else []))
    assert (result.code, len(result.out.splitlines())) == (2, 3 if as_json else 2)
    assert "a meld needs cards" in (result.out.splitlines()[1] if as_json else result.err)
