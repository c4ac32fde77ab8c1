import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from kalooki_tui.hosting import extras


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
