"""``kalooki doctor``: what is installed, what the terminal can show, where files are, and what is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from kalooki_tui import __version__
from kalooki_tui.cli.match_options import echo_json, json_option
from kalooki_tui.wording import escaped

FRAMEWORKS: Final = ("textual", "rich", "pydantic")
EXTRAS: Final = {
    "host": (("asyncssh", "aiohttp", "segno"), "kalooki host"),
    "cluster": (("distributed",), "kalooki sim --cluster"),
    "rl": (("gymnasium", "numpy", "pettingzoo"), "kalooki_tui.rl"),
}
VARIABLES: Final = ("TERM", "COLORTERM", "TERM_PROGRAM", "TMUX", "NO_COLOR", "LANG", "LC_ALL", "KALOOKI_HOME")
LEAST: Final = (80, 24)
"""Columns and rows that the app needs."""
LOW: Final = 50
"""Megabytes of free space below which the disk is nearly full."""

Facts = dict[str, str]


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Show versions, terminal, folders and what is missing.

    Include this in a report of a fault. It contains no names and no cards; your home folder is written as ~. Exit 1 if
    something is in the way of playing.
    """
    facts = {
        "program": _program(),
        "native core": _core(),
        "terminal": _terminal(),
        "folders": _folders(),
        "extras": {
            extra: "installed" if all(map(find_spec, packages)) else f"not installed; {command} needs it"
            for extra, (packages, command) in EXTRAS.items()
        },
    }
    faults, hints = list(_faults(facts)), list(_hints(facts))
    if as_json:
        echo_json({**facts, "in the way": faults, "missing": hints})
    else:
        for heading, known in facts.items():
            click.echo(heading)
            for name, value in known.items():
                click.echo(f"  {name:<12}  {escaped(value)}")
        for sentence in (*faults, *hints):
            click.echo(f"\n{escaped(sentence)}")
        if not faults:
            click.echo("\nNothing is in the way of playing.")
    if faults:
        raise click.exceptions.Exit(1)


def _program() -> Facts:
    # What reads packages' metadata takes a tenth of the start of every command.
    from importlib.metadata import PackageNotFoundError, version

    from kalooki_tui.extras import installer

    facts = {"kalooki": f"{__version__}, installed by {installer()}", "in": _short(Path(__file__).parents[1])}
    facts["python"] = f"{platform.python_version()} in {_short(Path(sys.prefix))}"
    facts["system"] = f"{platform.platform()} {platform.machine()}"
    for name in FRAMEWORKS:
        try:
            facts[name] = version(name)
        except PackageNotFoundError:
            facts[name] = "not installed"
    return facts


def _core() -> Facts:
    from hashlib import sha256

    from kalooki_tui.playouts.compiler import LIBRARY
    from kalooki_tui.playouts.library import load

    found = load()
    facts = {"works": "no" if isinstance(found, str) else "yes"}
    if isinstance(found, str):
        facts["why not"] = found
    try:
        content = LIBRARY.read_bytes()
    except OSError:
        return facts
    return {**facts, "size": f"{round(len(content) / 1000)} kB", "sha256": sha256(content).hexdigest()[:16]}


def _terminal() -> Facts:
    from rich.console import Console

    size = shutil.get_terminal_size((0, 0)) if sys.stdout.isatty() else None
    facts = {
        "screen": f"{size.columns} columns, {size.lines} rows" if size else "none: the output is not a terminal",
        "colours": Console(force_terminal=True).color_system or "none",
        "encoding": str(getattr(sys.stdout, "encoding", None) or "unknown"),
    }
    return facts | {name: os.environ[name] for name in VARIABLES if name in os.environ and name != "KALOOKI_HOME"}


def _folders() -> Facts:
    from kalooki_tui.storage.paths import MATCHES, config_folder, data_folder, nearest

    places = {"matches": data_folder() / MATCHES, "settings": config_folder()}
    there = {name: "there" if nearest(path) == path else "not there yet" for name, path in places.items()}
    facts = {name: f"{_short(path)} ({there[name]})" for name, path in places.items()}
    try:
        free = shutil.disk_usage(nearest(places["matches"])).free // 1_000_000
    except OSError as error:
        return {**facts, "free space": f"unknown: {error.strerror}"}
    return {**facts, "free space": f"{free} MB"}


def _faults(facts: dict[str, Facts]) -> Iterator[str]:
    from kalooki_tui.cli.play import AS_TEXT
    from kalooki_tui.storage.paths import why_nothing_is_kept
    from kalooki_tui.storage.player.settings_file import SettingsFile
    from kalooki_tui.tui.looks.palettes import why_not_drawn

    in_the_way = [*why_nothing_is_kept(), *map(str, SettingsFile.load().problems)]
    yield from (f"{_short(text)}." for text in in_the_way)
    space = facts["folders"]["free space"].partition(" ")[0]
    if not in_the_way and space.isdigit() and int(space) < LOW:
        yield f"The disk of the matches is nearly full: {space} MB are free."
    poor = why_not_drawn(os.environ) if sys.stdout.isatty() else ""
    if poor:
        yield f"{poor} {AS_TEXT}"
    if sys.platform == "win32":
        yield "The app's screen needs Linux or macOS."


def _hints(facts: dict[str, Facts]) -> Iterator[str]:
    from kalooki_tui.extras import how_to_add

    if "why not" in facts["native core"]:
        yield f"{facts['native core']['why not']} Then ai:master plays like ai:expert, and reviews only estimate."
    if sys.stdout.isatty():
        size = shutil.get_terminal_size()
        if size.columns < LEAST[0] or size.lines < LEAST[1]:
            yield f"The app needs {LEAST[0]} columns and {LEAST[1]} rows. kalooki play --plain needs 20 columns."
    missing = [extra for extra, state in facts["extras"].items() if state != "installed"]
    if missing:
        yield f"To add an extra, name it in the brackets: {how_to_add(missing[0])}"


def _short(words: object) -> str:
    """Write ~ for the home folder, which names the user."""
    try:
        home = re.escape(str(Path.home()))
    except RuntimeError:
        return str(words)
    return re.sub(rf"{home}(?![^/\s:])", "~", str(words))
