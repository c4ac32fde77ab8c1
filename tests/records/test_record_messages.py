import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from kalooki_tui.problems import Failure, InputError, SourceLocation, problem
from kalooki_tui.records.playback import verify
from kalooki_tui.records.reader import DoesNotFollow, open_record

HEAD: dict[str, Any] = {
    "kalooki": 1,
    "ruleset": "jamaican",
    "seed": 3,
    "seats": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cat"}],
}


def record(folder: Path, *lines: object) -> str:
    path = folder / "record"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def error_of(path: str) -> str:
    with pytest.raises(InputError) as caught:
        verify(path)
    return str(caught.value)


@pytest.mark.parametrize(
    "error", [problem("is none", SourceLocation("it", 3)), DoesNotFollow(Failure(SourceLocation("it", 3), "no"))]
)
def test_what_another_process_found_wrong_is_the_same_here(error: InputError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), there.problems) == (type(error), str(error), error.problems)


def test_a_folder_is_no_record_and_that_is_said_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        open_record(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder, not a record"


@pytest.mark.parametrize("how", ["absolute", "relative", "here", "nowhere"])
def test_a_record_names_no_file_to_be_opened(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yaml").write_text("extends: jamaican\nid: mine\nname: Mine\n")
    monkeypatch.chdir(tmp_path)
    name = {
        "absolute": str(tmp_path / "mine.yaml"),
        "relative": "./mine.yaml",
        "here": "mine.yaml",
        "nowhere": "/nowhere/at/all",
    }[how]
    path = record(tmp_path, HEAD | {"ruleset": name})
    assert error_of(path).startswith(f"{path}:1: there is no ruleset ")


def test_the_id_of_an_installed_ruleset_is_enough(tmp_path: Path) -> None:
    assert verify(record(tmp_path, HEAD)).ok


def test_a_ruleset_of_ones_own_is_found_and_where_it_is_broken_the_record_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    own = tmp_path / "rulesets" / "mine.yaml"
    own.parent.mkdir()
    own.write_text("extends: jamaican\nid: mine\nname: Mine\n")
    path = record(tmp_path, HEAD | {"ruleset": "mine"})
    assert verify(path).ok
    own.write_text("extends: jamaican\nid: mine\nnam: Mine\n")
    assert error_of(path).startswith(f"{path}:1: the ruleset mine cannot be used: {own}:3: ")
    # A file of two endings would have an id that is read as a path.
    own.with_name("jamaican.yaml.yaml").write_text("extends: jamaican\n")
    path = record(tmp_path, HEAD | {"ruleset": "jamaican.yaml"})
    assert error_of(path).startswith(f"{path}:1: there is no ruleset 'jamaican.yaml'")
