import errno
import os
import threading
from pathlib import Path

import pytest

from kalooki_tui import locks
from kalooki_tui.locks import FileLock, is_locked, take_notices
from tests.moments import there


def refusing(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(handle: int, *, shared: bool = False) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(locks, "_lock", refuse)


def test_a_lock_that_another_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (errno.EWOULDBLOCK, errno.EACCES):
        refusing(monkeypatch, number)
        assert FileLock.take(tmp_path / "a.lock") is None
        assert is_locked(tmp_path / "a.lock")
    assert take_notices() == []


def test_looking_whether_it_is_locked_keeps_nobody_from_taking_it(tmp_path: Path) -> None:
    path, over = tmp_path / "a.lock", threading.Event()
    path.touch()

    def look() -> None:
        while not over.is_set():
            is_locked(path)

    lookers = [threading.Thread(target=look) for _ in range(2)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(100):
            lock = there(FileLock.take(path))
            lock.release()
    finally:
        over.set()
        for looker in lookers:
            looker.join()


def test_a_folder_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
        refusing(monkeypatch, number)
        path = tmp_path / f"{number}" / "locks" / "a.lock"
        for _ in range(2):
            assert FileLock.take(path) is not None
            assert not is_locked(path)
        [notice] = take_notices()
        why = os.strerror(number)
        assert notice.startswith(f"Matches in {path.parent.parent} cannot be locked ({why}). They are saved anyway")
        assert take_notices() == []


def test_a_lock_goes_from_one_to_the_next_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    lock = there(FileLock.take(path))
    assert FileLock.take(path) is None
    lock.release()
    assert not path.exists()
    assert not is_locked(path)


def test_where_no_lock_file_can_be_made_a_match_is_taken_up_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file where the folder belongs", encoding="utf-8")
    lock = there(FileLock.take(tmp_path / "locks" / "a.lock"))
    lock.release()
    (notice,) = take_notices()
    assert "cannot be locked" in notice
    assert "do not play one of them in two windows" in notice
    assert take_notices() == []


def test_a_lock_that_may_not_be_opened_is_somebody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.lock"
    path.touch()

    def refuse(*values: object, **named: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError):
        FileLock.take(path)
    assert take_notices() == []
