"""Player's own themes and keys, from TOML files in the settings folder; read with care, never written.

`themes/NAME.toml` is a theme called NAME; `keys.toml` gives commands of the table other keys. What is wrong in them is
told with its line, and is as if it were not there. Nothing here draws.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.presenter.commands import COMMANDS, HAND, MELDS, Command
from kalooki_tui.problems import Problem, nearest, reason
from kalooki_tui.storage.player.settings_file import line_of, read_toml
from kalooki_tui.tui.looks.palettes import BUILT_IN, DARK, Colours, Depth, Palette

THEMES: Final = "themes"
KEYS: Final = "keys.toml"
#: Commands that are heard together, each with a key of its own; the melds have the keyboard in the hand's place.
TOGETHER: Final = ((*COMMANDS, *HAND), (*COMMANDS, *MELDS))
NAMES: Final = tuple(command.name for command in (*COMMANDS, *HAND, *MELDS))
#: Keys of the table that act only where those of hand and melds do not.
GIVING_WAY: Final = ("confirm",)
#: Tables of a theme's file, by how many colours the terminal has.
TABLES: Final = {"colours": Depth.TRUE, "colours-256": Depth.MANY, "colours-16": Depth.FEW}
COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
#: Keys that may be chosen: the others move among cards, leave or stop the program, open the palette (f2 where a browser
#: keeps ctrl+p for itself), or are the same as these on a terminal.
KEY: Final = re.compile(r"(?![AJQK]$)[A-Za-z]|f[13-9]|f1[0-2]|(?!ctrl\+[chijmpqz]$)(ctrl|alt)\+[a-z]")
MAY_BE: Final = ": letters but A J Q K may be, f1 and f3 to f12, and ctrl+ or alt+ with most letters"


class OwnThemes(Struct, frozen=True):
    themes: Mapping[str, Colours]
    keys: Mapping[str, str]
    problems: tuple[Problem, ...] = ()


def read_own(folder: Path) -> OwnThemes:
    """Read both from the settings folder; what is wrong is in `problems`."""
    problems: list[Problem] = []
    themes: dict[str, Colours] = {}
    try:
        files = sorted((folder / THEMES).glob("*.toml"))
    except OSError as error:
        files = []
        # Of a folder that is out of reach as a whole the settings tell.
        if os.access(folder, os.R_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            problems.append(Problem(str(folder / THEMES), 0, f"cannot be read: {reason(error)}"))
    for file in files:
        if file.stem in BUILT_IN:
            problems.append(Problem(str(file), 0, f"there is a theme {file.stem} already: give yours another name"))
        elif (document := _document(file, problems)) is not None:
            themes[file.stem] = _theme(document, problems)
    keys: dict[str, str] = {}
    file = folder / KEYS
    with suppress(PermissionError):
        if file.exists() and (document := _document(file, problems)) is not None:
            keys = _keys(document, problems)
    return OwnThemes(themes, keys, tuple(problems))


class _Document(Struct, frozen=True):
    file: Path
    text: str
    data: dict[str, Any]

    def problem(self, path: tuple[str, ...], message: str) -> Problem:
        return Problem(str(self.file), line_of(self.text, path), message)


def _document(file: Path, problems: list[Problem]) -> _Document | None:
    try:
        if not file.is_file():
            raise OSError(0, "it is not a file")
        document = read_toml(file, file.read_bytes())
        if not isinstance(document, Problem):
            return _Document(file, *document)
        problems.append(document)
    except OSError as error:
        problems.append(Problem(str(file), 0, f"cannot be read: {reason(error)}"))
    return None


def _theme(document: _Document, problems: list[Problem]) -> Colours:
    base, known = document.data.get("base", DARK), ("base", *TABLES)
    if not isinstance(base, str) or base not in BUILT_IN:
        problems.append(document.problem(("base",), f"there is no theme {base!r}{nearest(str(base), BUILT_IN)}"))
        base = DARK
    strange = [key for key in document.data if key not in known]
    problems += [document.problem((key,), f"unknown key {key!r}{nearest(key, known)}") for key in strange]
    palettes = dict(BUILT_IN[base].palettes)
    for table, depth in TABLES.items():
        chosen = document.data.get(table, {})
        if isinstance(chosen, dict):
            palettes[depth] = replace(palettes[depth], **_chosen(document, table, chosen, problems))
        else:
            problems.append(document.problem((table,), f"{table} must be a table of colours"))
    return Colours(_is_dark(palettes[Depth.TRUE].felt), palettes)


def _chosen(document: _Document, table: str, chosen: Mapping[str, object], problems: list[Problem]) -> dict[str, str]:
    names = {name.replace("_", "-"): name for name in Palette.__struct_fields__}
    found: dict[str, str] = {}
    for name, colour in chosen.items():
        if name not in names:
            problems.append(document.problem((table, name), f"there is no colour {name!r}{nearest(name, names)}"))
        elif not isinstance(colour, str) or COLOUR.fullmatch(colour) is None:
            problems.append(document.problem((table, name), f'{name} must be a colour such as "#0e4a38"'))
        else:
            found[names[name]] = colour.lower()
    if "felt_deep" in found:
        # Tiles are as deep as bars, as they are in the game's own themes, where nothing else is said.
        found.setdefault("tile", found["felt_deep"])
    return found


def _is_dark(ground: str) -> bool:
    red, green, blue = (int(ground[start : start + 2], 16) for start in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue < 128_000


def _keys(document: _Document, problems: list[Problem]) -> dict[str, str]:
    """Return keys by command id, as Textual writes them; two commands on one key are both left as they were."""
    chosen: dict[str, str] = {}
    for name, keys in document.data.items():
        wanted = keys if isinstance(keys, list) else [keys]
        bad = [key for key in wanted if not isinstance(key, str) or KEY.fullmatch(key) is None]
        if name not in NAMES:
            problems.append(document.problem((name,), f"there is no command {name!r}{nearest(name, NAMES)}"))
        elif bad or not wanted:
            which = f"{bad[0]!r} cannot be" if bad else "it needs"
            problems.append(document.problem((name,), f"{name}: {which} a key{MAY_BE}"))
        else:
            chosen[name] = ",".join(wanted)
    while clash := next(filter(None, (_clash(chosen, commands) for commands in TOGETHER)), None):
        name, key, other = clash
        problems.append(document.problem((name,), f"{name}: the key {key} is that of {other} too"))
        del chosen[name]
    return chosen


def _clash(chosen: Mapping[str, str], commands: Sequence[Command]) -> tuple[str, str, str] | None:
    owners: dict[str, str] = {}
    # Usual keys come first: where two commands have one key, the chosen key gives way.
    for command in sorted(
        (one for one in commands if one.name not in GIVING_WAY or one.name in chosen),
        key=lambda command: command.name in chosen,
    ):
        for key in chosen.get(command.name, command.keys).split(","):
            if owners.setdefault(key, command.name) != command.name:
                return command.name, key, owners[key]
    return None
