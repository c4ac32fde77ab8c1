import json
from datetime import date
from pathlib import Path

import pytest

from kalooki_tui.coach.course.progress import ChapterState, Day, Progress, Skill, Try
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.matches import open_store
from kalooki_tui.store.player.progress import FILE, ProgressFile

DAY = date(2026, 11, 22)
EVERYTHING = Progress(
    {"jamaican/sets": ChapterState(3, DAY, mastered=True), "my own.yaml/runs": ChapterState(1)},
    {"jamaican/sets/spot": Skill(5, DAY, (Try(True, 3.5), Try(False, 0.0)))},
    days={DAY: Day(12, 9)},
)


def test_what_is_saved_is_read_again(home: Path) -> None:
    assert ProgressFile.load().progress == Progress()
    assert ProgressFile.load().save(EVERYTHING) is None
    again = ProgressFile.load()
    assert (again.progress, again.problem) == (EVERYTHING, None)
    assert again.path == home / FILE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is damaged: it is not JSON"),
        ("\x00\xff", "is damaged: it is not JSON"),
        ("[" * 100_000, "is damaged: "),
        ("[]", "is damaged"),
        ('{"version": 2, "planets": 9}', "was written by a newer version of the program (form 2; this one reads 1)"),
        ('{"version": 1, "chapters": {"a": {"stars": 7}}}', "is damaged: Expected `int` <= 3"),
        ('{"version": 1, "skills": {"a": {"box": 9, "last": "2026-11-22"}}}', "is damaged: Expected `int` <= 5"),
        ('{"version": 1, "skills": {"a": {"box": 1, "last": "soon"}}}', "is damaged: Invalid RFC3339"),
        ('{"version": 1, "skills": {"a": {"box": 1, "last": "9999-12-31"}}}', "is damaged: 9999-12-31 is too late"),
        ('{"version": 1, "skills": {"a\\u001b": {"box": 1, "last": "2026-11-22"}}}', "is damaged: Expected `str`"),
        ('{"version": 1, "more": 1}', "is damaged: Object contains unknown field `more`"),
        ('{"version": 1, "days": {"soon": [1, 1]}}', "is damaged: Invalid RFC3339"),
        ('{"version": 1, "days": {"2026-11-22": [1, 2]}}', "is damaged: more were right than answered"),
        ('{"version": 1, "deals": {"a": [[true, 3, 1' + "0" * 400 + "]]}}", "is damaged: "),
        ('{"version": 1, "deals": {"a": [[true, 3, 1e300]]}}', "is damaged: Expected `float` <= 100000.0"),
        ('{"version": 1, "deals": {"a": [[true, 1' + "0" * 5000 + ", 3]]}}", "is damaged: "),
    ],
)
def test_a_file_that_cannot_be_used_is_told_and_set_aside_and_the_matches_are_there(
    home: Path, text: str, said: str
) -> None:
    (home / FILE).write_text(text, encoding="latin-1")
    file = ProgressFile.load()
    assert file.progress == Progress()
    assert file.problem is not None
    assert str(file.problem).startswith(f"{home / FILE}: {said}")
    # Nothing is touched before there is something to write.
    assert (home / FILE).read_text(encoding="latin-1") == text
    aside = file.save(EVERYTHING)
    assert aside is not None
    assert aside.read_text(encoding="latin-1") == text
    assert ProgressFile.load().progress == EVERYTHING
    with open_store() as store:
        assert store.summaries() == []
        assert store.take_notices() == []


def test_a_file_that_cannot_be_written_is_told_and_holds_all_the_same(home: Path) -> None:
    (home / FILE).mkdir(parents=True)
    file = ProgressFile.load()
    assert file.problem is not None
    with pytest.raises(StoreError, match="Your progress cannot be saved"):
        ProgressFile(home / FILE).save(EVERYTHING)


def test_the_file_is_for_people_to_read(home: Path) -> None:
    ProgressFile.load().save(EVERYTHING)
    assert json.loads((home / FILE).read_text())["chapters"]["jamaican/sets"]["clean_on"] == "2026-11-22"
