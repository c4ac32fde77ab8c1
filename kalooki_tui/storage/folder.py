"""Folder of matches: its files, what they say, and what becomes of damaged ones."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection
from contextlib import nullcontext
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from kalooki_tui.problems import reason, see_that_it_is_a_file
from kalooki_tui.storage.files import ASIDE, NewerFormat, NoRecord, StoreError, read_whole, set_aside, whole_file
from kalooki_tui.storage.index import Index, IndexEntry, Stamp
from kalooki_tui.storage.scan import scan_file
from kalooki_tui.storage.summary import is_ours

SUFFIX: Final = ".jsonl"
HOME: Final = "home"
"""File that names this home; matches begun here carry the name in their first line."""
LONGEST_NAME: Final = 100
_NAME: Final = re.compile(rb"[0-9a-f]{8}\s*")
LEFT_OUT: Final = "It is left out of the list"
UNREAD: Final = Stamp(-1, 0, 0)
LATEST: Final = 2**63 - 1
"""Nanoseconds, in the year 2262: the index holds no larger numbers."""
BATCH: Final = 100
"""Files read between two writes of the index, so that little is lost when the program is ended."""


class Folder:
    """Folder of matches; None: there is no folder. `may_move`: damaged files are set aside."""

    def __init__(self, path: Path | None, index: Index, is_locked: Callable[[str], bool], *, may_move: bool) -> None:
        self.path = path
        self._index = index
        self._is_locked = is_locked
        self._may_move = may_move
        self._known = index.known()
        self.patience = inf
        """Seconds a list may take to read files; `read_on` reads the others."""
        self.waiting: list[tuple[str, Stamp]] = []
        """New and changed files that have not been read, the last first."""
        self.notices: list[str] = []
        self._told: set[str] = set()

    @cached_property
    def home(self) -> str:
        """Name of this home, eight random letters, read from its file or written there."""
        if self.path is None:
            return ""
        file = self.path / HOME
        content = read_whole(file, LONGEST_NAME)
        if isinstance(content, bytes) and _NAME.fullmatch(content):
            return content.decode().strip()
        name = os.urandom(4).hex()
        if not self._may_move:
            return name
        try:
            if content is not None:
                set_aside(file)
            with whole_file(file, new=True) as stream:
                stream.write(f"{name}\n".encode())
        except FileExistsError:
            # Another program was a moment faster.
            return self.home
        except OSError:
            pass
        return name

    def at(self, name: str) -> Path:
        if self.path is None:
            raise FileNotFoundError(name)
        return self.path / name

    def files(self) -> list[IndexEntry]:
        """Return all possible records, of two with the same content the first by name."""
        self.refresh(seconds=self.patience)
        found: dict[object, IndexEntry] = {}
        for name in sorted(self._known):
            known = self._known[name]
            if known.scan is not None:
                alike = (known.scan.last, known.scan.lines, known.problem)
                found.setdefault(alike if not known.problem else name, known)
        return list(found.values())

    def file(self, name: str) -> IndexEntry | None:
        try:
            stamp = _stamp(self.at(name).stat())
        except OSError:
            return None
        self._index.note(self._read(name, stamp))
        return self._known.get(name)

    @property
    def found(self) -> int:
        return len(self._known)

    def has(self, name: str) -> bool:
        return name in self._known

    def refresh(self, progress: Callable[[int, int], None] = lambda done, of: None, *, seconds: float = inf) -> None:
        """Read changed files, those beyond `seconds` later by `read_on`; raise StoreError if the folder is
        unreadable.
        """
        there = self._look()
        self._drop(self._known.keys() - there.keys())
        fresh = [(name, stamp) for name, stamp in there.items() if self._is_new(name, stamp)]
        # What was played last is at the top of every list.
        is_being_read = bool(self.waiting)
        self.waiting = sorted(fresh, key=lambda one: (one[1].modified, one[0]))
        if seconds == inf or not is_being_read:
            self.read_on(seconds, progress)

    def read_on(self, seconds: float, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
        end, done, of = time.monotonic() + seconds, 0, len(self.waiting)
        batch: list[IndexEntry] = []
        try:
            while self.waiting and (not done or time.monotonic() < end):
                batch += self._read(*self.waiting.pop())
                if len(batch) == BATCH:
                    self._index.note(batch)
                    batch = []
                done += 1
                progress(done, of)
        finally:
            self._index.note(batch)

    def _look(self) -> dict[str, Stamp]:
        """List the folder's entries; impossible ones get a notice and the stamp `UNREAD`."""
        there: dict[str, Stamp] = {}
        try:
            with nullcontext(()) if self.path is None else os.scandir(self.path) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and not entry.name.startswith("."):
                        stamp = self._look_at(entry)
                        if stamp is not None:
                            there[entry.name] = stamp
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {reason(error)}") from error
        return there

    def _look_at(self, entry: os.DirEntry[str]) -> Stamp | None:
        try:
            entry.name.encode()
            found = entry.stat()
            see_that_it_is_a_file(found)
        except UnicodeEncodeError:
            self._tell(f"{entry.name}: its name is not UTF-8 text. {LEFT_OUT}")
            return None
        except FileNotFoundError:
            # Another program may have removed it just now.
            if entry.is_symlink():
                return self._leave_out(entry.name, f"{entry.name}: the link leads to nothing")
            return None
        except OSError as error:
            return self._leave_out(entry.name, f"{entry.name}: {reason(error)}")
        return _stamp(found)

    def _leave_out(self, name: str, why: str) -> Stamp:
        self._tell(f"{why}. {LEFT_OUT}")
        self._known[name] = IndexEntry(name, UNREAD, None, why)
        return UNREAD

    def _drop(self, names: Collection[str]) -> None:
        for name in names:
            self._known.pop(name, None)
        self._index.drop(names)

    def _is_new(self, name: str, stamp: Stamp) -> bool:
        known = self._known.get(name)
        return known is None or known.stamp != stamp

    def _read(self, name: str, stamp: Stamp) -> list[IndexEntry]:
        known = self._read_one(name, stamp) if self._is_new(name, stamp) else None
        if known is None:
            return []
        self._known[known.name] = known
        return [known]

    def _read_one(self, name: str, stamp: Stamp) -> IndexEntry | None:
        try:
            scan = scan_file(self.at(name))
        except NewerFormat as error:
            self._tell(str(error))
            return IndexEntry(name, stamp, None, str(error))
        except NoRecord as error:
            known = IndexEntry(name, stamp, None, str(error))
            if is_ours(name.removesuffix(SUFFIX)):
                return self._damaged(known, "nothing of it can be read")
            # What was never a match is somebody's own file and stays where it is.
            self._tell(f"{error}. {LEFT_OUT}")
            return known
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                self._drop([name])
            else:
                self._leave_out(name, str(error))
            return None
        if scan.problem:
            readable = f"its first {scan.lines} lines can" if scan.lines > 1 else "its first line can"
            return self._damaged(IndexEntry(name, stamp, scan, scan.problem), f"{readable} be exported")
        if ASIDE in name:
            # A record that was changed while it was played may be whole, and is still not the match.
            return IndexEntry(name, stamp, scan, f"{name} was set aside")
        if scan.torn and scan.size < stamp.size and not self._is_locked(name.removesuffix(SUFFIX)):
            self._tell(f"{name} ends within line {scan.lines + 1}, which is left out")
        return IndexEntry(name, stamp, scan)

    def _damaged(self, known: IndexEntry, rest: str) -> IndexEntry:
        told = f"{known.name} is damaged ({known.problem})"
        if ASIDE in known.name or not self._may_move or self._is_locked(known.name.removesuffix(SUFFIX)):
            self._tell(f"{told}: {rest}")
            return known
        try:
            aside = set_aside(self.at(known.name))
            moved = replace(known, name=aside.name, stamp=_stamp(aside.stat()))
        except OSError as error:
            self._tell(f"{told}, and cannot be set aside: {reason(error)}")
            return known
        self._drop([known.name])
        self._tell(f"{told}. It is kept as {aside.name}; {rest}")
        return moved

    def _tell(self, notice: str) -> None:
        if notice not in self._told:
            self._told.add(notice)
            self.notices.append(f"{notice.removesuffix('.')}.")


def _stamp(found: os.stat_result) -> Stamp:
    # A clock gone astray may give a year that neither the index nor a calendar has.
    modified, changed = (max(-LATEST, min(LATEST, time)) for time in (found.st_mtime_ns, found.st_ctime_ns))
    return Stamp(found.st_size, modified, changed)
