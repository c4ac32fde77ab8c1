"""Store of the matches played here, unfinished and finished, a file each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec.structs import replace

from kalooki_tui import locks
from kalooki_tui.locks import FileLock, is_locked
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.problems import reason
from kalooki_tui.records.lines import POSITION
from kalooki_tui.storage.files import MatchBusy, NoSuchMatch, StoreError, store_errors
from kalooki_tui.storage.folder import SUFFIX, Folder
from kalooki_tui.storage.index import Index, IndexEntry, ScreenNotes, Stamp
from kalooki_tui.storage.match_file import MatchFile
from kalooki_tui.storage.paths import HOSTED, INDEX, LOCKS, MATCHES, data_folder, is_there, make_usable
from kalooki_tui.storage.scan import Scan, scan, whole_lines
from kalooki_tui.storage.summary import Summary, new_id, plans_of, short_id, summary_of
from kalooki_tui.wording import escaped

# A list of matches needs none of the engine; what plays a match, or plays it again, is imported where that is done.
if TYPE_CHECKING:
    from kalooki_tui.match.live_match import Table
    from kalooki_tui.records.playback import Replay
    from kalooki_tui.storage.journal import MatchJournal, TakenUp


class Lists(NamedTuple):
    unfinished: list[Summary]
    finished: list[Summary]
    damaged: list[Summary]


class Store:
    """Store of matches: `Store.open` for commands, `open_store` for the app, which always plays.

    `home` None: nothing is kept. `saves` False: read only.
    """

    def __init__(self, home: Path | None, *, saves: bool = True) -> None:
        self.home = home
        self.saves = saves and home is not None
        self.notices: list[str] = []
        self.index = Index(home / INDEX if home is not None and self.saves else None)
        matches = None if home is None else home / MATCHES
        self.folder = Folder(matches, self.index, self._is_locked, may_move=self.saves)
        self._listed: dict[str, tuple[IndexEntry, Summary]] = {}
        self._loose: dict[str, MatchJournal] = {}

    @classmethod
    def open(cls, home: Path | None = None) -> Self:
        """Open the store in that folder, by default the player's; raise StoreError if it is unusable."""
        home = home or data_folder()
        make_usable(home)
        return cls(home)

    @classmethod
    def look(cls, home: Path | None = None) -> Self:
        """Open the store read only, and make no file; raise StoreError if it is unreadable."""
        home = home or data_folder()
        if not is_there(home):
            return cls(None)
        try:
            return cls.open(home)
        except StoreError as error:
            if not (home / MATCHES).is_dir():
                raise
            store = cls(home, saves=False)
            store.notices.append(f"{error}. You can look at what is there")
            return store

    def take_notices(self) -> list[str]:
        notices, self.notices[:] = self.notices[:], []
        if self.index.lost:
            self.index.lost = False
            notices.append(
                "The index of your matches was damaged and has been rebuilt. All matches are there; only "
                "the order of hands and the settings of each table are lost."
            )
        notices += self.folder.notices + locks.take_notices()
        self.folder.notices.clear()
        return [escaped(notice) for notice in notices]

    # Playing

    def begin(
        self,
        table: Table,
        *,
        teaching: bool = False,
        duplicate: tuple[str, ...] = (),
        lines: Sequence[str] = (),
        moment: str = "",
    ) -> MatchJournal:
        """Begin a record at a new table. Never fails: `MatchJournal.trouble` says what could not be saved.

        `teaching`: people may take back anything done in the deal. `duplicate`: the key by which players of the same
        cards find it, then these people, if they are named. `lines`: of another match's record, at whose end this one
        begins, with the table's seats; raise StoreError if they do not follow. `moment`: which that is, in words.
        """
        from kalooki_tui.storage.journal import begun

        # Seats may be drawn for a first deal, and are not for what goes on.
        match_id, plans = new_id(table.match.rules.ruleset.id), table.setup.seats if lines else table.plans
        lock, file = None, None
        head: dict[str, object] = {"started": datetime.now(UTC).isoformat()}
        head |= {"teaching": True} if teaching else {}
        head |= {"duplicate": [*duplicate]} if duplicate else {}
        head |= {"home": self.folder.home} if self.saves else {}
        if lines:
            from kalooki_tui.storage.recovery import gone_on

            taken_up = gone_on(lines, plans, **{POSITION: moment}, **head)
        else:
            taken_up = begun(table, **head)
        if self.saves:
            with suppress(OSError):
                lock = FileLock.take(self._lock_file(match_id))
            file = MatchFile(self.folder.at(f"{match_id}{SUFFIX}"))
        kept = ScreenNotes({}, tuple(plan.player for plan in plans) if any(plan.is_outside for plan in plans) else ())
        if kept.players:
            self.index.keep(match_id, kept)
        return self._live(match_id, taken_up, file, lock, kept, teaching=teaching, duplicate=duplicate)

    def resume(self, match_id: str) -> MatchJournal:
        """Resume a match at the decision where it was left; raise NoSuchMatch, MatchBusy or StoreError."""
        from kalooki_tui.storage.recovery import take_up

        match_id = self.whole_id(match_id)
        lock = self._take_lock(match_id)
        try:
            # Only now: until the lock was taken another program may have gone on with the match.
            known, found = self._found(match_id)
            if known.problem:
                raise StoreError(f"The match cannot be resumed: {known.problem}")
            lines = list(self.lines(match_id))
            kept = self.index.kept(match_id)
            names = found.seats
            plans = plans_of(names, found.players)
            if len(kept.players) == len(names):
                # A command is run only if this program has kept it: a file could name any.
                plans = tuple(SeatPlan(name, player) for name, player in zip(names, kept.players, strict=True))
            taken_up = take_up(known.name, lines, plans)
            file = None
            if self.saves:
                path = self.folder.at(known.name)
                # Half a line, empty ones, or lines without check values cannot be gone on from: it is written anew.
                has_more = found.size < known.stamp.size
                mend = found.torn or has_more or not found.sealed or taken_up.lines[: len(lines)] != lines
                file = MatchFile(path) if mend else MatchFile.taken_up(path, len(lines))
                if found.torn and has_more:
                    self.notices.append(f"{known.name} ended within a line; that line has been left out.")
        except BaseException as error:
            if lock is not None:
                lock.release()
            if isinstance(error, OSError):
                raise StoreError(f"The match cannot be resumed: {reason(error)}") from error
            raise
        return self._live(match_id, taken_up, file, lock, kept, teaching=found.teaching, duplicate=found.duplicate)

    def _live(
        self,
        match_id: str,
        taken_up: TakenUp,
        file: MatchFile | None,
        lock: FileLock | None,
        kept: ScreenNotes,
        **told: Any,
    ) -> MatchJournal:
        from kalooki_tui.storage.journal import MatchJournal

        tell = self.notices.append
        live = MatchJournal(match_id, taken_up, index=self.index, file=file, lock=lock, kept=kept, tell=tell, **told)
        if file is None:
            self._loose[match_id] = live
        return live

    def _take_lock(self, match_id: str) -> FileLock | None:
        if not self.saves:
            return None
        with store_errors("The match cannot be resumed"):
            lock = FileLock.take(self._lock_file(match_id))
        if lock is None:
            raise MatchBusy("The match is being played in another window. You can look at it, but not play it here.")
        return lock

    # Looking

    def lists(self) -> Lists:
        """List all matches, the last played first; raise StoreError if the folder is unreadable."""
        found = [one for one, _ in self.scanned()]
        whole = [one for one in found if not one.damage]
        over = [one for one in whole if one.finished]
        return Lists([one for one in whole if not one.finished], over, [one for one in found if one.damage])

    def summaries(self) -> list[Summary]:
        return [one for one, _ in self.scanned() if not one.damage]

    def scanned(self) -> list[tuple[Summary, Scan]]:
        """Return all matches with their scans, the last played first; raise StoreError if the folder is unreadable."""
        found: list[tuple[Summary, Scan]] = []
        home, locked = self.folder.home, set[str]()
        if self.saves and self.home is not None:
            locked = {path.stem for path in (self.home / LOCKS).glob("*.lock") if is_locked(path)}
        for known in self.folder.files():
            if known.scan is not None:
                is_played = known.name.removesuffix(SUFFIX) in locked
                before, summary = self._listed.get(known.name, (None, None))
                if summary is None or before is not known or summary.elsewhere != is_played:
                    summary = summary_of(known, known.scan, home, is_played)
                    self._listed[known.name] = known, summary
                found.append((summary, known.scan))
        found += [(self.summary(match_id), self._found(match_id)[1]) for match_id in self._loose]
        return sorted(found, key=lambda one: (one[0].played, one[0].id), reverse=True)

    def read_all(self, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
        self.folder.refresh(progress)

    @property
    def unread(self) -> int:
        return len(self.folder.waiting)

    @property
    def found(self) -> int:
        return self.folder.found

    def read_on(self, seconds: float) -> None:
        self.folder.read_on(seconds)

    def summary(self, match_id: str) -> Summary:
        """Return the match of that id, as in `whole_id`; raise StoreError if it is unreadable."""
        match_id = self.whole_id(match_id)
        known, found = self._found(match_id)
        summary = summary_of(known, found, self.folder.home, self._is_locked(match_id))
        return replace(summary, imported=False) if match_id in self._loose else summary

    def whole_id(self, match_id: str) -> str:
        """Complete an id that is given by its beginning or its end; raise NoSuchMatch unless one match fits."""
        # Nobody who has the id from a list waits until all files have been read.
        if self.folder.has(f"{match_id}{SUFFIX}"):
            known = self.folder.file(f"{match_id}{SUFFIX}")
            if known is not None and known.scan is not None and known.name == f"{match_id}{SUFFIX}":
                return match_id
        there = [known.name.removesuffix(SUFFIX) for known in self.folder.files() if known.scan is not None]
        ids = [*self._loose, *there]
        begins = [one for one in ids if one.startswith(match_id) or short_id(one).startswith(match_id)]
        exact = [one for one in begins if one == match_id] or (begins if match_id else [])
        if len(exact) != 1:
            why = "there is no match" if not exact else "there is more than one match"
            raise NoSuchMatch(f"{why} {match_id!r}; `kalooki matches` lists them")
        return exact[0]

    def scan(self, match_id: str) -> Scan:
        return self._found(self.whole_id(match_id))[1]

    def lines(self, match_id: str) -> Iterator[str]:
        match_id = self.whole_id(match_id)
        if match_id in self._loose:
            return iter(self._loose[match_id].lines)
        known, found = self._found(match_id)
        return whole_lines(self.folder.at(known.name), found)

    def replay(self, match_id: str) -> Replay:
        """Open a match for replay; raise NoSuchMatch, or InputError if this version cannot read it."""
        from kalooki_tui.records.playback import Replay
        from kalooki_tui.records.reader import open_lines

        match_id = self.whole_id(match_id)
        return Replay(open_lines(f"{match_id}{SUFFIX}", self.lines(match_id)))

    # Keeping house

    def forget(self, match_id: str) -> None:
        """Delete a match; raise NoSuchMatch, MatchBusy, or StoreError if it cannot be deleted."""
        match_id = self.whole_id(match_id)
        lock = self._take_lock(match_id)
        try:
            with store_errors("The match cannot be deleted"):
                if self._loose.pop(match_id, None) is None:
                    for suffix in (SUFFIX, HOSTED):
                        self.folder.at(f"{match_id}{suffix}").unlink(missing_ok=True)
                self.index.forget(match_id)
        finally:
            if lock is not None:
                lock.release()

    def close(self) -> None:
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _found(self, match_id: str) -> tuple[IndexEntry, Scan]:
        if match_id in self._loose:
            lines = self._loose[match_id].lines
            found = scan(match_id, (f"{line}\n".encode() for line in lines))
            return IndexEntry(f"{match_id}{SUFFIX}", Stamp(found.size, time_ns(), 0), found), found
        known = self.folder.file(f"{match_id}{SUFFIX}")
        if known is None or known.scan is None:
            raise NoSuchMatch(f"there is no match {match_id!r}; `kalooki matches` lists them")
        return known, known.scan

    def _lock_file(self, match_id: str) -> Path:
        assert self.home is not None
        return self.home / LOCKS / f"{match_id}.lock"

    def _is_locked(self, match_id: str) -> bool:
        return self.saves and is_locked(self._lock_file(match_id))


def open_store(*, patience: float = inf) -> Store:
    """Open the player's store for the app; if it is unusable nothing is saved, and a notice tells."""
    try:
        store = Store.open()
    except StoreError as error:
        home = data_folder()
        readable = (home / MATCHES).is_dir() and os.access(home / MATCHES, os.R_OK | os.X_OK)
        store = Store(home if readable else None, saves=False)
        store.notices.append(f"Nothing you play now will be saved: {error}.")
    store.folder.patience = patience
    return store
