"""``kalooki learn`` where there is no screen: the chapters as text, a chapter file checked."""

from datetime import date
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kalooki_tui.cli.main import kalooki
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.course.progress import ChapterState, Progress
from kalooki_tui.problems import InputError
from kalooki_tui.store.player.progress import FILE, ProgressFile

SETS = Path(__file__).parents[2] / "kalooki_tui" / "coach" / "texts" / "en" / "chapters" / "sets.yaml"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(kalooki, ["learn", *arguments], standalone_mode=False)
    if isinstance(result.exception, click.ClickException):
        return result.exception.exit_code, result.exception.format_message()
    if isinstance(result.exception, InputError):
        return 2, str(result.exception)
    assert result.exception is None
    return int(result.return_value or 0), result.output


def test_without_a_terminal_the_chapters_are_listed_with_their_stars(home: Path) -> None:
    ProgressFile.load().save(Progress({"jamaican/runs": ChapterState(2, date(2026, 11, 22))}))
    status, output = run()
    assert status == 0
    assert len(output.splitlines()) == 15
    assert "2   runs       Fours                  ★★·    M2 M3 M5" in output
    assert len(run("--ruleset", "baby", "--list")[1].splitlines()) == 5


@pytest.mark.parametrize("ruleset", ["jamaican", "tuluki"])
def test_every_number_of_the_list_opens_its_chapter(ruleset: str) -> None:
    course = course_of(ruleset)
    listed = run("--ruleset", ruleset, "--list")[1].splitlines()[1:]
    assert len(listed) == len(course.chapters)
    for line, chapter in zip(listed, course.chapters, strict=True):
        number, name = line.split()[:2]
        assert course.chapter(number) == course.chapter(name) == chapter
        assert run(number, "--ruleset", ruleset)[0] == 0


def test_damaged_progress_is_told(home: Path) -> None:
    (home / FILE).write_text("{")
    status, output = run()
    assert status == 0
    assert "Your progress cannot be read." in output


def test_a_chapter_file_is_checked(tmp_path: Path) -> None:
    assert run("--check", str(SETS)) == (
        0,
        f"{SETS}: chapter 'sets' is valid: 10 exercises of its own, 0 from earlier chapters.\n",
    )
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        SETS.read_text(encoding="utf-8").replace("kind: repair", "kind: mend").replace("key discard", "key dizcard"),
        encoding="utf-8",
    )
    status, said = run("--check", str(wrong))
    assert status == 2
    first, *others = said.splitlines()
    assert first.startswith(f"{wrong}:22: kind must be one of")
    assert others == [
        f"{wrong}:{line}: words: {{key dizcard}}: there is no command 'dizcard'; did you mean 'discard'?"
        for line in (35, 37)
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["99"], "there is no chapter '99'; choose from: sets"),
        (["--ruleset", "nowhere"], "there is no ruleset 'nowhere'"),
        (["--check", "nowhere.yaml"], "nowhere.yaml: there is no such file"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], said: str) -> None:
    status, output = run(*arguments)
    assert status == 2
    assert said in output
