"""Commands about files: matches, their records, statistics, settings."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec import to_builtins

from kalooki_tui.cli.match_options import BAD_INPUT, echo_json, echo_table, file_argument, json_option
from kalooki_tui.wording import counted, escaped

if TYPE_CHECKING:
    from kalooki_tui.records.reader import RecordFile
    from kalooki_tui.storage.match_store import Store
    from kalooki_tui.storage.people_statistics import PlayerStatistics, Statistics
    from kalooki_tui.storage.summary import Summary

VALUE_WIDTH: Final = 44
"""Columns of a setting's value, so that a line fits into eighty."""
MANY: Final = 100


@click.command()
@json_option
def matches(as_json: bool) -> None:
    """List the matches: unfinished, finished, damaged."""
    with _look() as store:
        lists = store.lists()
        if as_json:
            echo_json({name: [one.data() for one in found] for name, found in lists._asdict().items()})
        elif not any(lists):
            click.echo("There are no matches yet.")
        else:
            heads = ("id", "game", "last played", "deal", "seats", "")
            echo_table([heads, *map(_match_row, chain(*lists))])


@click.command()
@click.option("--imported", is_flag=True, help="Count imported matches too.")
@json_option
def stats(imported: bool, as_json: bool) -> None:
    """Show everybody's results: wins, points, calls, ratings."""
    from kalooki_tui.storage.people_statistics import statistics

    with _look() as store:
        found = statistics(store, imported=imported)
        if as_json:
            echo_json(found.data())
        elif not found.players:
            click.echo(f"No match has been finished yet{'' if imported else ' (imported ones count with --imported)'}.")
        else:
            _echo_statistics(found)
        for sentence in [] if as_json else found.unreadable:
            click.echo(f"left out: {escaped(sentence)}", err=True)


@click.command()
@json_option
def config(as_json: bool) -> None:
    """Show all settings, and where settings and matches are.

    Exit 2 if a file is wrong or cannot be read.
    """
    from kalooki_tui.problems import Problem
    from kalooki_tui.storage.files import StoreError
    from kalooki_tui.storage.paths import MATCHES, config_folder, data_folder, is_there
    from kalooki_tui.storage.player.settings_file import SettingsFile, plain_settings
    from kalooki_tui.tui.looks.own import KEYS, THEMES, read_own

    file = SettingsFile.load()
    themes, keys = config_folder() / THEMES, config_folder() / KEYS
    problems = [*file.problems, *read_own(config_folder()).problems]
    there, folder = True, data_folder() / MATCHES
    try:
        there = is_there(data_folder())
    except StoreError as error:
        problems.append(Problem("", 0, str(error)))
    values: dict[str, Any] = plain_settings(file.settings)
    if as_json:
        told = [problem._asdict() for problem in problems]
        where = {"settings_file": str(file.path), "matches_folder": str(folder)}
        where |= {"themes_folder": str(themes), "keys_file": str(keys)}
        echo_json({**where, "settings": values, "chosen": sorted(file.chosen), "problems": told})
    else:
        # Where there is a problem, the file may be there all the same.
        written = bool(file.problems) or file.path.exists()
        click.echo(f"settings: {escaped(str(file.path))}{'' if written else ' (not there yet)'}")
        click.echo(f"matches:  {escaped(str(folder))}{'' if there else ' (not there yet)'}")
        for words, path in (("themes: ", themes), ("keys:   ", keys)):
            click.echo(f"{words}  {escaped(str(path))}{'' if _may_be_there(path) else ' (not there yet)'}")
        click.echo()
        rows = [row for name, value in values.items() for row in _setting_rows(name, value, name in file.chosen)]
        echo_table([("setting", "value", ""), *rows])
        for problem in problems:
            click.echo(str(problem), err=True)
    if problems:
        raise click.exceptions.Exit(BAD_INPUT)


def _setting_rows(name: str, value: object, chosen: bool) -> list[tuple[str, str, str]]:
    if isinstance(value, dict):
        parts = [part for key in value for part in _setting_rows(f"{name}.{key}", value[key], chosen)]
        return parts or [(name, "–", "" if chosen else "default")]
    lines = textwrap.wrap(_shown(value), VALUE_WIDTH) or [""]
    return [(name, lines[0], "" if chosen else "default"), *(("", line, "") for line in lines[1:])]


def _may_be_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True


@click.command("export")
@click.argument("match_id", metavar="ID")
@file_argument
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--open", "open_hands", is_flag=True, help="Export an unfinished match too, with everybody's cards.")
@click.option("--scores", is_flag=True, help="Only the points of each deal and the totals, as a table (CSV).")
def export_match(match_id: str, file: str, force: bool, open_hands: bool, scores: bool) -> None:
    """Write the record of a match to a file.

    The beginning of the match's ID is enough.
    """
    from kalooki_tui.storage.exchange import export_record
    from kalooki_tui.storage.files import GoesOn, StoreError

    with _look() as store:
        try:
            lines = export_record(store, match_id, file, overwrite=force, open_hands=open_hands, scores=scores)
        except GoesOn as error:
            raise StoreError(f"{match_id}: {error}; --open exports it anyway") from None
        click.echo(f"{escaped(file)}: {counted(lines, 'line')}")


@click.command("import")
@file_argument
@json_option
def import_match(file: str, as_json: bool) -> None:
    """Add a recorded match to yours, to look at it or continue it.

    The record is verified first.
    """
    from kalooki_tui.storage.exchange import import_record
    from kalooki_tui.storage.match_store import Store
    from kalooki_tui.storage.summary import short_id

    with Store.open() as store:
        taken = import_record(store, file)
        _tell_notices(store)
    if as_json:
        echo_json(to_builtins(taken))
        return
    if taken.known:
        click.echo(f"{escaped(file)}: the match is already in the list, as {short_id(taken.id)}")
        return
    state = "a finished match" if taken.finished else "an unfinished match"
    cut = "; it was cut off, and is imported up to there" if taken.cut_off else ""
    click.echo(f"{escaped(file)}: {state}, {counted(taken.lines, 'line')}, as {short_id(taken.id)}{cut}")


COMMANDS: Final = (matches, stats, config, export_match, import_match)


def record_of(which: str) -> RecordFile:
    """Open the record of a file or a match; raise InputError or StoreError."""
    from kalooki_tui.records.reader import open_lines, open_record
    from kalooki_tui.storage.match_store import Store

    if Path(which).exists() or Path(which).name != which or Path(which).suffix:
        return open_record(which)
    with Store.look() as store:
        return open_lines(which, store.lines(which))


@contextmanager
def _look() -> Iterator[Store]:
    """Open the store read only; print its messages on standard error at the end."""
    from kalooki_tui.storage.match_store import Store

    with Store.look() as store:
        _read_all(store)
        yield store
        _tell_notices(store)
        if store.home is not None and not store.saves:
            raise click.exceptions.Exit(BAD_INPUT)


def _read_all(store: Store) -> None:
    bars: list[Any] = []

    def progress(done: int, of: int) -> None:
        if of >= MANY and sys.stderr.isatty():
            if not bars:
                bars.append(click.progressbar(length=of, label="reading matches", file=sys.stderr))
            bars[0].update(1)

    store.read_all(progress)
    for bar in bars:
        bar.render_finish()


def _tell_notices(store: Store) -> None:
    for notice in store.take_notices():
        click.echo(escaped(notice), err=True)


def _match_row(match: Summary) -> tuple[str, ...]:
    from kalooki_tui.storage.summary import short_id

    deal = str(match.deal) if match.deals is None else f"{match.deal} of {match.deals}"
    seats = ", ".join(f"{seat.name} {total}" for seat, total in zip(match.seats, match.totals, strict=True))
    played = match.played.astimezone().strftime("%Y-%m-%d %H:%M")
    if match.finished:
        state = f"won by {' and '.join(match.seats[seat].name for seat in match.winners)}"
    else:
        state = "being played" if match.elsewhere else "unfinished"
    state += ", from a position" if match.from_position else ""
    if match.damage:
        state = f"damaged: {escaped(match.damage)}"
    return escaped(short_id(match.id)), match.name, played, deal, seats, state


def _echo_statistics(found: Statistics) -> None:
    heads = ("name", "ruleset", "matches", "wins", "points a deal", "out", "bends", "calls", "a call is worth")
    echo_table([(*heads, "counters"), *map(_player_row, found.players)])
    click.echo("\ncontracts laid, deal by deal")
    for player in found.players:
        laid = "  ".join(f"{deal}: {done}/{times}" for deal, (done, times) in sorted(player.laid.items()))
        click.echo(f"{player.name}, {player.ruleset}:  {laid}")
    if found.ratings:
        click.echo()
        order = sorted(found.ratings.items(), key=lambda item: -item[1].rating)
        rows = [(name, f"{one.rating:.0f}", f"± {2 * one.deviation:.0f}") for name, one in order]
        echo_table([("rating", "", "95%"), *rows])


def _player_row(player: PlayerStatistics) -> tuple[str, ...]:
    numbers = (player.matches, player.wins, player.points_a_deal, player.outs, player.bends, player.calls)
    return player.name, player.ruleset, *map(_number, numbers), _number(player.call_worth), _number(player.money)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.1f}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(part)}" for key, part in value.items() if part not in (None, [], {}))
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value)
