import hashlib
import itertools
import json
from pathlib import Path

import pytest

from kalooki_tui.records.lines import CheckChain, unsealed
from kalooki_tui.records.playback import Replay, verify
from kalooki_tui.records.reader import DoesNotFollow, open_record
from kalooki_tui.records.writer import dump
from tests.moments import there
from tests.records.record_play import head_of, play_record


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    chain = CheckChain()
    played, match = play_record(head_of("baby", 3, 5), 5000)
    assert match.finished
    return [chain.seal(dump(line)).encode() + b"\n" for line in played]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def test_a_line_is_what_the_notation_says(lines: list[bytes]) -> None:
    check = ""
    for number, line in enumerate(lines, start=1):
        data = json.loads(line)
        assert list(data)[-2:] == ["n", "check"]
        body = line[: line.rindex(b', "check"')]
        assert data["n"] == number
        assert data["check"] == (check := hashlib.sha256(check.encode() + body).hexdigest()[:8])


@pytest.mark.parametrize(
    ("changed", "line", "says"),
    [
        (lambda lines: [*lines[:9], *lines[10:]], 10, "line 10 is missing: this is line 11"),
        (lambda lines: [*lines[:9], *lines[14:]], 10, "lines 10 to 14 are missing: this is line 15"),
        (lambda lines: [*lines[:9], lines[8], *lines[9:]], 10, "line 9 is here twice"),
        (lambda lines: [*lines[:9], lines[3], *lines[9:]], 10, "line 4 is here again, where line 10 belongs"),
        (lambda lines: [*lines[:9], lines[10], lines[9], *lines[11:]], 10, "line 10 is missing: this is line 11"),
        (lambda lines: [*lines[:9], lines[9].replace(b"o", b"0", 1), *lines[10:]], 10, "the line was changed"),
        (lambda lines: [*lines[:9], lines[9].replace(b": ", b":", 1), *lines[10:]], 10, "the line was changed"),
        (lambda lines: [*lines[:9], b"\0" * len(lines[9]) + b"\n", *lines[10:]], 10, "the line was changed"),
        (
            lambda lines: [*lines[:9], b'{"do": "Ann: pass"}\n', *lines[9:]],
            10,
            "the line has no number and check value",
        ),
        (lambda lines: [b'{"kalooki": 1}\n', *lines[1:]], 2, "the line has a check value, and the first line has none"),
    ],
)
def test_what_is_wrong_is_named(lines: list[bytes], file: Path, changed: object, line: int, says: str) -> None:
    content = changed(lines)  # type: ignore[operator]
    if content[0] != lines[0]:
        head = unsealed(json.loads(lines[0]))
        content[0] = dump(head).encode() + b"\n"
    file.write_bytes(b"".join(content))
    failure = there(verify(str(file)).failure)
    assert (failure.place.line, failure.message.startswith(says)) == (line, True), failure


def test_the_lines_before_a_damaged_one_are_played(lines: list[bytes], file: Path) -> None:
    file.write_bytes(b"".join([*lines[:20], b"noise\n", *lines[21:]]))
    record = open_record(file)
    with record.stream:
        steps = Replay(record).steps()
        assert len(list(itertools.islice(steps, 20))) == 20
        with pytest.raises(DoesNotFollow, match=f"{file}:21: the line was changed"):
            next(steps)
