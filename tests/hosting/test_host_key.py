import os
import stat
from pathlib import Path

import asyncssh
import pytest

from kalooki_tui.hosting.ssh import host_key
from kalooki_tui.storage.files import StoreError


def test_the_key_of_the_host_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "host_key"
    made = host_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert host_key(path).public_data == made.public_data
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["host_key"]
    for name in (f".host_key.{os.getpid()}", ".host_key.abc"):  # as a crash has left it
        (tmp_path / name).write_bytes(b"half a key")
    made = host_key(tmp_path / "host_key")
    assert host_key(tmp_path / "host_key").public_data == made.public_data


def test_of_two_programs_that_make_the_key_both_use_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "host_key"
    other = asyncssh.generate_private_key("ssh-ed25519")
    link = os.link

    def overtaken(own: Path, there: Path) -> None:
        path.write_bytes(other.export_private_key())
        link(own, there)

    monkeypatch.setattr(os, "link", overtaken)
    assert host_key(path).public_data == other.public_data
    assert [file.name for file in tmp_path.iterdir()] == ["host_key"]


def test_where_the_disk_knows_no_links_the_key_is_kept_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(own: Path, there: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    made = host_key(tmp_path / "host_key")
    assert host_key(tmp_path / "host_key").public_data == made.public_data
    assert [file.name for file in tmp_path.iterdir()] == ["host_key"]


def test_a_damaged_key_is_named_and_not_replaced_and_where_none_can_be_kept_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "host_key"
    for content in (b"", b"not a key", b"\xff" * 20_000):
        path.write_bytes(content)
        with pytest.raises(StoreError, match="host_key cannot be used: it holds no key"):
            host_key(path)
        assert path.read_bytes() == content
    path.unlink()
    path.mkdir()
    (tmp_path / "home").write_text("a file where the folder belongs")
    for path in (tmp_path / "host_key", tmp_path / "home" / "host_key"):
        with pytest.raises(StoreError, match=str(path)):
            host_key(path)
