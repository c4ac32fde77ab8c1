"""Settings of the player: one TOML file, never overwritten where it could not be read whole."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.problems import Problem, nearest
from kalooki_tui.storage.files import read_whole, store_errors, write_whole
from kalooki_tui.storage.paths import settings_file

MOST_NAMES: Final = 20
MOST_PROBLEMS: Final = 20
HEADER: Final = "# Settings of kalooki. The program changes values here and keeps your own comments.\n"


class LastSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ruleset: str = "jamaican"
    seats: list[str] = []
    """As in `--seat`: `Ann`, `Bob=ai:club`."""
    options: list[str] = []
    referee: Literal["strict", "penalties"] = "strict"
    first_turn: int = 0
    """Index of the seat that begins; an impossible one is read as 0."""
    teaching: bool = False
    teach: bool = False
    settings: dict[str, bool | int] = {}
    """Those that differ from the ruleset's."""
    asking: dict[str, Literal["always", "helps", "turn"]] = {}
    own_screens: list[str] = []

    def __post_init__(self) -> None:
        if self.first_turn not in range(len(self.seats)):
            msgspec.structs.force_setattr(self, "first_turn", 0)


class PlayerSettings(Struct, frozen=True):
    theme: str | None = None
    """None: the app's own."""
    four_colour: bool = False
    ascii: bool = False
    reduced_motion: bool = False
    bell: bool = True
    ai_speed: Literal["instant", "brisk", "natural"] = "natural"
    ask_calls: Literal["always", "helps", "turn"] = "helps"
    """For one person alone with AI seats."""
    curtain: bool = True
    warnings: bool = True
    keep_mistakes: Literal["by hand", "by themselves"] = "by hand"
    """How mistakes found by a review become puzzles."""
    notes: bool = True
    phrases: bool = True
    notes_seen: list[str] = msgspec.field(default_factory=list)
    """Notes that do not come again."""
    ask_several: Literal["always", "helps"] = "always"
    call_seconds: Literal[3, 5, 10, 20] = 5
    names: list[str] = msgspec.field(default_factory=list)
    """People who have played here, the last first."""
    person_keys: dict[str, str] = msgspec.field(default_factory=dict)
    """Keys that people have chosen, by name; an impossible one counts as not chosen."""
    person_colours: dict[str, str] = msgspec.field(default_factory=dict)
    last: LastSetup | None = None
    last_done: str = ""
    """Name of the command chosen last on the first screen."""

    def remembering(self, names: Iterable[str]) -> Self:
        kept = [*dict.fromkeys([*names, *self.names])][:MOST_NAMES]
        keys = {name: key for name, key in self.person_keys.items() if name in kept}
        colours = {name: colour for name, colour in self.person_colours.items() if name in kept}
        return replace(self, names=kept, person_keys=keys, person_colours=colours)


@dataclass
class SettingsFile:
    """File and its settings; those named in `problems` count as not set."""

    path: Path
    settings: PlayerSettings = field(default_factory=PlayerSettings)
    problems: tuple[Problem, ...] = ()
    chosen: frozenset[str] = frozenset()

    @property
    def where(self) -> str:
        return f"Saved in {self.path}"

    @classmethod
    def load(cls, path: Path | None = None) -> SettingsFile:
        """Read the settings, by default the player's. Never fails: `problems` have their lines."""
        path = path or settings_file()
        read = read_whole(path, 4 * MOST_CHARACTERS)
        if not isinstance(read, bytes):
            return cls(path, problems=() if read is None else (read,))
        document = read_toml(path, read)
        if isinstance(document, Problem):
            return cls(path, problems=(document,))
        text, data = document
        good, wrong = _checked(data)
        problems = [Problem(str(path), line_of(text, at), why) for at, why in islice(wrong.items(), MOST_PROBLEMS)]
        if len(wrong) > MOST_PROBLEMS:
            problems.append(Problem(str(path), 0, f"{len(wrong) - MOST_PROBLEMS:,} more of its settings are wrong"))
        return cls(path, PlayerSettings(**good), tuple(problems), frozenset(good))

    def save(self, settings: PlayerSettings) -> Path | None:
        """Write the settings and leave comments; an unusable file is kept under the name returned. Raise StoreError."""
        self.settings = settings
        data = plain_settings(settings, changed_only=True)
        text = None if self.problems else _document(self.path)
        with store_errors(f"The settings cannot be saved: {self.path}"):
            written = rewrite_toml(HEADER if text is None else text, data)
            aside = write_whole(self.path, written.encode(), unusable=text is None)
        self.problems, self.chosen = (), frozenset(data)
        return aside


def _document(path: Path) -> str | None:
    read = read_whole(path, 4 * MOST_CHARACTERS)
    if read is None:
        return HEADER
    document = read_toml(path, read) if isinstance(read, bytes) else read
    return None if isinstance(document, Problem) else document[0]


_NAMES: Final = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a fraction",
    "str": "text",
    "array": "a list",
    "object": "a table of keys and values",
}


def _checked(data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[tuple[str, ...], str]]:
    hints, good, wrong = get_type_hints(PlayerSettings), dict[str, Any](), dict[tuple[str, ...], str]()
    for name, value in data.items():
        if name not in hints:
            wrong[name,] = f"unknown key {name!r}{nearest(name, hints)}"
            continue
        try:
            good[name] = msgspec.convert(value, hints[name])
        except msgspec.ValidationError as error:
            what, _, inside = str(error).partition(" - at `$")
            steps = re.findall(r"\w+", inside.removesuffix("`"))
            # The checker counts the entries of a list from 0; people count from 1.
            at = (name, *(str(int(step) + 1) if step.isdecimal() else step for step in steps))
            wrong[at] = _complaint(".".join(at), what, hints[name], value)
    return good, wrong


def _complaint(name: str, what: str, hint: Any, value: object) -> str:
    if found := re.fullmatch(r"Expected `(.+)`, got `(\w+)`", what):
        must = " or ".join(_NAMES.get(one, one) for one in found[1].split(" | ") if one != "null")
        return f"{name} must be {must}, not {_NAMES.get(found[2], found[2])}"
    if found := re.fullmatch(r"Object contains unknown field `(.+)`", what):
        return f"unknown key '{name}.{found[1]}'{nearest(found[1], LastSetup.__struct_fields__)}"
    if found := re.fullmatch(r"Invalid enum value (.+)", what):
        choices = [repr(one) for one in get_args(hint) if isinstance(one, str | int)]
        must = f"; it must be {', '.join(choices[:-1])} or {choices[-1]}" if choices else ""
        return f"{name} cannot be {found[1]}{must}"
    return f"{name}: {what}"


def plain_settings(settings: PlayerSettings, *, changed_only: bool = False) -> dict[str, Any]:
    """Return the settings as TOML and JSON have them; `changed_only`: without defaults."""
    usual, plain = PlayerSettings(), msgspec.to_builtins(settings)
    if changed_only and settings.last is not None:
        first = msgspec.to_builtins(LastSetup())
        plain["last"] = {name: value for name, value in plain["last"].items() if value != first[name]}
    names = PlayerSettings.__struct_fields__
    return {one: plain[one] for one in names if not changed_only or getattr(settings, one) != getattr(usual, one)}


MOST_CHARACTERS: Final = 200_000


def read_toml(path: Path, raw: bytes) -> tuple[str, dict[str, Any]] | Problem:
    """Return text and data, or why they are unusable, with the line."""
    try:
        text = raw.decode("utf-8-sig")
        if len(text) > MOST_CHARACTERS:
            return Problem(str(path), 0, f"cannot be read: it is longer than {MOST_CHARACTERS:,} characters")
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        return Problem(str(path), raw.count(b"\n", 0, error.start) + 1, "is not UTF-8 text")
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        found = re.match(r"line (\d+)", place)
        line = int(found[1]) if found else max(1, len(text.splitlines()))
        return Problem(str(path), line, f"is not valid TOML: {message[:1].lower()}{message[1:]}")
    except (RecursionError, ValueError):
        why = "it is nested too deep, or holds a number with too many digits"
        return Problem(str(path), 0, f"cannot be read: {why}")


def rewrite_toml(text: str, data: Mapping[str, Any]) -> str:
    """Return the document with the values of `data` alone; comments and order of `text` stay."""
    # Loaded for those who save something.
    import tomlkit

    document, written = tomlkit.parse(text), ""
    # A key that stands in several places cannot always be changed where it is.
    with suppress(LookupError):
        _update(document, data)
        written = tomlkit.dumps(document)
    return written if _reads_as(written, data) else tomlkit.dumps(data)


def _update(table: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    for key in [key for key in table if key not in data]:
        del table[key]
    for key, value in data.items():
        if isinstance(value, Mapping) and isinstance(table.get(key), MutableMapping):
            _update(table[key], value)
        elif table.get(key) != value or isinstance(table[key], bool) != isinstance(value, bool):
            table[key] = value


def _reads_as(text: str, data: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == data
    except ValueError:
        return False


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Return the line, from 1, of a key or of the table it is in; 0: neither is there."""
    section: list[str] = []
    found = 0
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            section = _names(stripped.strip("[").partition("]")[0])
            written = section
        elif "=" in stripped:
            written = section + _names(stripped.partition("=")[0])
        else:
            continue
        if written == [*path]:
            return number
        if written and written == [*path[: len(written)]]:
            found = number
    return found


def _names(keys: str) -> list[str]:
    return [key.strip().strip("\"'") for key in keys.split(".")]
