from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.hosting import apps
from kalooki_tui.hosting.apps import Looks
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.storage.paths import guests_folder


def test_looks_are_kept_under_any_name_and_nowhere_else(home: Path) -> None:
    for name in ("Bob", "../settings", "a/b", "x" * 40, "Zoë ♥", "con"):
        own = Looks().of(Guest(name, "key"))
        own.save(replace(own.settings, ascii=True))
        assert Looks().of(Guest(name.upper())).settings.ascii, name
    assert {path.parent for path in home.rglob("*") if path.is_file()} == {guests_folder()}


def test_a_guest_without_a_name_has_looks_by_their_token_or_for_this_visit(home: Path) -> None:
    here = Looks()
    own = here.of(Guest("", "token"))
    own.save(replace(own.settings, ascii=True))
    assert here.of(Guest("", "token")).settings.ascii
    assert not here.of(Guest("")).settings.ascii
    assert not any(home.iterdir())


def test_a_damaged_file_and_a_folder_that_cannot_be_written_are_told_to_no_guest(home: Path) -> None:
    own = Looks().of(Guest("Bob"))
    own.save(replace(own.settings, ascii=True))
    own.path.write_text("ascii = [")
    again = Looks().of(Guest("Bob"))
    assert (again.problems, again.settings.ascii) == ((), False)
    assert again.save(replace(again.settings, ascii=True)) is None
    assert Looks().of(Guest("Bob")).settings.ascii
    for file in guests_folder().iterdir():
        file.unlink()
    guests_folder().rmdir()
    guests_folder().write_text("in the way")
    assert again.save(replace(again.settings, four_colour=True)) is None
    assert again.settings.four_colour


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apps, "MOST", 3)
    for number in range(5):
        own = Looks().of(Guest(f"Guest {number}"))
        own.save(replace(own.settings, ascii=True))
    assert len(list(guests_folder().glob("*.toml"))) == 3
