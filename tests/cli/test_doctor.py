import json
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from kalooki_tui import __version__, extras
from kalooki_tui.cli import doctor
from kalooki_tui.extras import how_to_add
from kalooki_tui.playouts import library
from tests.commands import Run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_report_has_versions_core_terminal_folders_and_extras(run: Run) -> None:
    result = run("doctor")
    assert result.code == 0, result.err
    for expected in (__version__, "python", "textual", "native core", "sha256", "colours", "free space", "cluster"):
        assert expected in result.out
    assert "Nothing is in the way of playing." in result.out
    told = json.loads(run("doctor", "--json").out)
    assert told["program"]["kalooki"].startswith(__version__)
    assert (told["native core"]["works"], told["in the way"]) == ("yes", [])


def test_looking_and_trying_leave_nothing_behind(run: Run, home: Path) -> None:
    assert "not there yet" in run("doctor").out
    assert not home.exists()
    home.mkdir()
    assert run("doctor").code == 0
    assert [*home.iterdir()] == []


def test_neither_the_name_of_the_user_nor_a_command_for_the_terminal_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TERM_PROGRAM", "x\x1b[2J")
    told = run("doctor").out
    assert "~/home/matches" in told
    assert not [text for text in (str(tmp_path), "\x1b") if text in told]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda home: home.write_text(""), "~/home cannot be used: it is not a folder."),
        (lambda home: home.symlink_to("nowhere"), "~/home cannot be used: it is not a folder."),
        (lambda home: (home.mkdir(), (home / "matches").write_text("")), "~/home/matches cannot be used: "),
        (lambda home: (home.mkdir(), (home / "locks").write_text("")), "~/home/locks cannot be used: "),
        (lambda home: (home / "index.db").mkdir(parents=True), "~/home/index.db cannot be used: it is not a file."),
        (lambda home: (home / "settings.toml").mkdir(parents=True), "~/home/settings.toml: cannot be read: "),
        (
            lambda home: (home.mkdir(), (home / "settings.toml").write_text("theme = ")),
            "~/home/settings.toml:1: is not valid TOML",
        ),
    ],
)
def test_what_keeps_matches_or_settings_from_being_kept_is_in_the_way(
    run: Run, home: Path, make: Callable[[Path], object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home.parent))
    make(home)
    result = run("doctor")
    assert result.code == 1
    assert f"\n{said}" in result.out
    assert "Nothing is in the way" not in result.out
    assert "nearly full" not in result.out


def test_a_folder_in_which_nothing_can_be_made_is_no_full_disk(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALOOKI_HOME", "/proc/nope")
    result = run("doctor")
    assert (result.code, "nearly full" in result.out) == (1, False)
    assert "\n/proc cannot be used: " in result.out


def test_a_full_disk_is_in_the_way(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 3 * 10**6))
    result = run("doctor")
    assert (result.code, "nearly full: 3 MB are free" in result.out) == (1, True)


def test_an_installation_without_a_core_says_so(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "LIBRARY", tmp_path / "none.so")
    monkeypatch.setattr(library, "load", library.load.__wrapped__)
    result = run("doctor")
    assert result.code == 0
    assert "The native core has not been built here" in result.out


def test_a_missing_extra_comes_with_the_line_that_adds_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    assert f"name it in the brackets: {how_to_add('host')}" in run("doctor").out


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that no tool has left a receipt in."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/env/bin/python")
    return tmp_path


def note(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    """Have the installer have noted this about where the program came from."""
    monkeypatch.setattr(extras, "distribution", lambda name: SimpleNamespace(read_text=lambda file: text))


CHECKOUT = '{"url": "file:///checkout", "dir_info": {"editable": true}}'
INDEX = "/env/bin/python -m pip install 'kalooki-tui[host]'"
GAMES = '{"url": "file:///my%20games/kalooki", "dir_info": {}}'


@pytest.mark.parametrize(
    ("file", "noted", "extra", "line"),
    [
        ("uv-receipt.toml", GAMES, "rl", "uv tool install --force '/my games/kalooki[rl]'"),
        ("pipx_metadata.json", GAMES, "rl", "pipx install --force '/my games/kalooki[rl]'"),
        ("pyvenv.cfg", GAMES, "rl", "/env/bin/python -m pip install '/my games/kalooki[rl]'"),
        ("pyvenv.cfg", CHECKOUT, "host", "/env/bin/python -m pip install -e '/checkout[host]'"),
        *(("pyvenv.cfg", note, "host", INDEX) for note in (None, "no json", "[]")),
    ],
    ids=["uv", "pipx", "pip", "a checkout stays one", "an index", "a damaged note", "a note of another kind"],
)
def test_the_tool_that_installed_it_adds_to_what_it_installed(
    file: str, noted: str | None, extra: str, line: str, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (prefix / file).touch()
    note(monkeypatch, noted)
    assert extras.how_to_add(extra) == line


def test_to_the_cache_of_uvx_nothing_is_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "archive-v0" / "UUkBOgXPtONUlzFs"))
    note(monkeypatch, '{"url": "file:///kalooki", "dir_info": {}}')
    assert extras.how_to_add("host") == "uvx --from '/kalooki[host]' kalooki host"
    assert extras.how_to_add("rl") == "uvx --from '/kalooki[rl]' kalooki"


def test_a_program_that_was_never_installed_is_named_and_where_there_is_no_pip_it_is_not_advised(
    prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", missing)
    assert extras.how_to_add("rl").endswith("pip install 'kalooki-tui[rl]'")
    note(monkeypatch, None)
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert extras.how_to_add("host") == "uv pip install --python /env/bin/python 'kalooki-tui[host]'"
