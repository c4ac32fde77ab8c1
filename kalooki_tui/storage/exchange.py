"""Export and import of records; imported ones are verified."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.problems import reason
from kalooki_tui.records.lines import CHECK, CheckChain, unsealed
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines, open_record
from kalooki_tui.records.writer import dump
from kalooki_tui.storage.files import GoesOn, StoreError, named_file, put_in_place
from kalooki_tui.storage.folder import SUFFIX
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.recovery import match_of, missing_lines, table_of
from kalooki_tui.storage.scan import Scan, scan_file
from kalooki_tui.storage.summary import moment_of, new_id, plans_of


class Imported(Struct, frozen=True):
    id: str
    lines: int
    finished: bool
    cut_off: bool
    """True if it ended within a line, or before all that followed from an action."""
    known: bool = False
    """True if the match was there already, as far as this record goes; nothing was imported."""


def export_record(
    store: Store,
    match_id: str,
    path: str | Path,
    *,
    overwrite: bool = False,
    open_hands: bool = False,
    scores: bool = False,
) -> int:
    """Write a record, or its points as CSV, to a file, and return the number of lines; raise GoesOn or StoreError.

    `open_hands`: also a match in progress, whose record shows everybody's cards.
    """
    match_id = store.whole_id(match_id)
    if not (open_hands or scores) and not store.scan(match_id).finished:
        raise GoesOn("the match is unfinished, and its record shows everybody's cards, the stock and the seed")
    count = 0
    with named_file(path, overwrite=overwrite) as stream:
        for line in score_sheet(store, match_id) if scores else store.lines(match_id):
            stream.write(f"{line}\n".encode())
            count += 1
    return count


def score_sheet(store: Store, match_id: str) -> list[str]:
    """Return the points as lines of CSV: a row a deal, a column a seat."""
    replay = Replay(open_lines(match_id, store.lines(match_id)))
    rows, words = list[list[object]](), replay.head.rules.ruleset.vocabulary
    for played in replay.steps():
        match, scored = replay.match, played.line.data.get("scored")
        if match is not None and isinstance(scored, dict):
            contract = f"{match.deal.contract.points} points" if match.deal.contract.points else None
            rows.append([match.deal.number, contract or contract_words(match.deal.contract, words), *scored.values()])
    begun = replay.head.rules.settings.handicap
    if begun:
        rows.insert(0, ["handicap", "", *begun])
    totals = () if replay.match is None else replay.match.totals
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerows([[words.deal, "contract", *replay.names], *rows, ["total", "", *totals]])
    return sheet.getvalue().splitlines()


def import_record(store: Store, path: str | Path) -> Imported:
    """Verify a record and import it, cut off or not; raise InputError or StoreError."""
    folder = store.folder
    if not store.saves:
        raise StoreError(f"{path} cannot be imported: nothing is saved")
    waiting: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=".import-", dir=folder.path)
        waiting = Path(name)
        with os.fdopen(handle, "wb") as stream:
            finished, half = _verified(str(path), stream)
            stream.flush()
            os.fsync(stream.fileno())
        found = scan_file(waiting)
        store.read_all()
        same = _holding(store, found)
        if same is not None:
            return Imported(same, found.lines, finished, half, known=True)
        started = moment_of(found.started)
        match_id = new_id(found.ruleset, None if started is None else started.astimezone())
        put_in_place(waiting, folder.at(f"{match_id}{SUFFIX}"))
        return Imported(match_id, found.lines, finished, half)
    except OSError as error:
        raise StoreError(f"{path} cannot be imported: {reason(error)}") from error
    finally:
        if waiting is not None:
            waiting.unlink(missing_ok=True)


def _verified(path: str, stream: Any) -> tuple[bool, bool]:
    record, chain, before = open_record(path), CheckChain(), ""
    with record.stream:
        replay = Replay(record)
        for played in replay.steps():
            # One line late: a cut whose cards stood in the next line has to be made again.
            if before:
                stream.write(f"{chain.seal(before)}\n".encode())
            before = dump(unsealed(played.line.data))
    half = record.cut_off or bool(replay.due) or replay.match is None or replay.waits_for_deal
    if not replay.waits_for_deal:
        stream.write(f"{chain.seal(before)}\n".encode())
    table = table_of(replay.head, match_of(replay), plans_of(replay.head.names, replay.head.players))
    for line in missing_lines(replay, table):
        stream.write(f"{chain.seal(dump(line))}\n".encode())
    return table.match.finished, half


def _holding(store: Store, found: Scan) -> str | None:
    for known in store.folder.files():
        scan = known.scan
        if scan is None or known.problem or scan.first != found.first or scan.lines < found.lines:
            continue
        match_id = known.name.removesuffix(SUFFIX)
        last = scan.last
        if scan.lines > found.lines:
            line = next(islice(store.lines(match_id), found.lines - 1, None), "{}")
            last = json.loads(line).get(CHECK)
        if last == found.last:
            return match_id
    return None
