"""The player's settings: one TOML file, read with care and never overwritten where it could not be read whole."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Self

from kalooki_tui.problems import Problem
from kalooki_tui.store.checking import Path as Keys
from kalooki_tui.store.checking import read_into, to_plain
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import read_whole, write_whole
from kalooki_tui.store.paths import settings_file
from kalooki_tui.store.toml import MOST_CHARACTERS, Unreadable, line_of, read_toml, rewrite_toml
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.values import dataclass

if TYPE_CHECKING:
    from kalooki_tui.table.table import TableSetup

MOST_NAMES: Final = 20
MOST_PROBLEMS: Final = 20
"""Of a file; each is looked for in all its lines."""
HEADER: Final = "# Settings of kalooki. The program changes values here and keeps your own comments.\n"


@dataclass(frozen=True)
class LastSetup:
    """How the last match was set up."""

    ruleset: str = "jamaican"
    seats: list[str] = field(default_factory=list)
    """As `--seat` takes them: `Ann`, `Bob=ai:club`."""
    options: list[str] = field(default_factory=list)
    referee: Literal["strict", "penalties"] = "strict"
    first_turn: int = 0
    """Index of the seat that begins; one that there is not is read as 0."""
    teaching: bool = False
    settings: dict[str, bool | int] = field(default_factory=dict)
    """Those of the match that were chosen otherwise than its ruleset has them."""
    asking: dict[str, Literal["always", "helps", "turn"]] = field(default_factory=dict)
    """When each of several people is asked about calls, by name, where they have chosen."""
    own_screens: list[str] = field(default_factory=list)
    """Names of the people who sat at screens of their own."""

    def __post_init__(self) -> None:
        if self.first_turn not in range(len(self.seats)):
            object.__setattr__(self, "first_turn", 0)

    @classmethod
    def of(cls, setup: TableSetup, *, teaching: bool = False) -> LastSetup:
        """How a table was set up."""
        usual = vars(setup.ruleset.usual_settings())
        # A handicap is for those who sit there this time, an end by turns for matches without people (D33).
        chosen = {} if setup.settings is None else {**vars(setup.settings), "max_turns": usual["max_turns"]}
        return cls(
            ruleset=setup.ruleset.id,
            seats=[seat.text for seat in setup.seats],
            options=[*setup.options],
            referee=setup.referee.value,
            first_turn=setup.first_turn,
            teaching=teaching,
            settings={
                name: value
                for name, value in chosen.items()
                if value != usual[name] and isinstance(value, int) and name != "max_turns"
            },
        )

    def plans(self) -> tuple[SeatPlan, ...]:
        """The seats.

        Raises:
            ValueError: a seat cannot be any more, as when a program has gone or the file was edited.
        """
        return parse_seats(self.seats)


@dataclass(frozen=True)
class PlayerSettings:
    """What a player has chosen."""

    theme: str | None = None
    """None: the app's own."""
    four_colour: bool = False
    ascii: bool = False
    reduced_motion: bool = False
    bell: bool = True
    ai_speed: Literal["instant", "brisk", "natural"] = "natural"
    ask_calls: Literal["always", "helps", "turn"] = "helps"
    """Which cards thrown one person alone with AI seats is asked about."""
    curtain: bool = True
    warnings: bool = True
    """Whether a costly throw is warned of in teaching matches."""
    keep_mistakes: Literal["by hand", "by themselves"] = "by hand"
    """How mistakes that a review finds are kept as puzzles."""
    notes: bool = True
    """Whether a rule is told in two lines when it first matters."""
    phrases: bool = True
    """Whether what people at other screens say is shown."""
    notes_seen: list[str] = field(default_factory=list)
    """Names of the notes that do not come again."""
    ask_several: Literal["always", "helps"] = "always"
    call_seconds: Literal[3, 5, 10, 20] = 5
    names: list[str] = field(default_factory=list)
    """People who have played here, the last first."""
    person_keys: dict[str, str] = field(default_factory=dict)
    """Keys that people have chosen for themselves, by name; one that cannot be had is as if it were not chosen."""
    person_colours: dict[str, str] = field(default_factory=dict)
    """The same of the colours under them."""
    last: LastSetup | None = None

    def remembering(self, names: Iterable[str]) -> Self:
        """The settings with these people's names in front of those remembered."""
        kept = [*dict.fromkeys([*names, *self.names])][:MOST_NAMES]
        keys = {name: key for name, key in self.person_keys.items() if name in kept}
        colours = {name: colour for name, colour in self.person_colours.items() if name in kept}
        return replace(self, names=kept, person_keys=keys, person_colours=colours)


@dataclass
class SettingsFile:
    """The file and what it says. `problems` are what could not be read: those settings are as if they were not set."""

    path: Path
    settings: PlayerSettings = field(default_factory=PlayerSettings)
    problems: tuple[Problem, ...] = ()
    chosen: frozenset[str] = frozenset()
    """Names of the settings that stand in the file."""

    @property
    def where(self) -> str:
        """Where what is chosen is kept, in words."""
        return f"Saved in {self.path}"

    @classmethod
    def load(cls, path: Path | None = None) -> SettingsFile:
        """Read the settings, by default the player's. It never fails: what is wrong is in `problems`, with its line."""
        path = path or settings_file()
        read = read_whole(path, 4 * MOST_CHARACTERS)
        if not isinstance(read, bytes):
            return cls(path, problems=() if read is None else (read,))
        try:
            text = read.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            return cls(path, problems=(Problem(str(path), line, "is not UTF-8 text"),))
        try:
            data = read_toml(text)
        except tomllib.TOMLDecodeError as error:
            return cls(path, problems=(_syntax_problem(path, text, error),))
        except Unreadable as error:
            return cls(path, problems=(Problem(str(path), error.line, f"cannot be read: {error}"),))
        settings, complaints = read_into(PlayerSettings, data)
        found = dict(complaints)
        problems = [_problem(path, text, *one) for one in islice(found.items(), MOST_PROBLEMS)]
        if len(found) > MOST_PROBLEMS:
            problems.append(Problem(str(path), 0, f"{len(found) - MOST_PROBLEMS:,} more of its settings are wrong"))
        chosen = frozenset(data) - {where[0] for where in found.values()}
        return cls(path, settings, tuple(problems), chosen)

    def save(self, settings: PlayerSettings) -> Path | None:
        """Write the settings, whole or not at all, and leave comments where they are.

        A file that had problems, or that cannot be read any more, is kept under the name returned.

        Raises:
            StoreError: they cannot be written; they hold all the same until the program ends.
        """
        self.settings = settings
        data = to_plain(settings, changed_only=True)
        text = None if self.problems else _document(self.path)
        try:
            written = rewrite_toml(HEADER if text is None else text, data)
            aside = write_whole(self.path, written.encode(), unusable=text is None)
        except OSError as error:
            raise StoreError(f"The settings cannot be saved: {self.path}: {reason(error)}") from error
        self.problems, self.chosen = (), frozenset(data)
        return aside


def _document(path: Path) -> str | None:
    """What the file says by now, as somebody may have edited it meanwhile; None: it cannot be read any more."""
    read = read_whole(path, 4 * MOST_CHARACTERS)
    if read is None:
        return HEADER
    try:
        text = read.decode("utf-8-sig") if isinstance(read, bytes) else None
        if text is not None:
            read_toml(text)
    except ValueError:
        return None
    return text


def _syntax_problem(path: Path, text: str, error: tomllib.TOMLDecodeError) -> Problem:
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
    if found is None:
        return Problem(str(path), 0, f"is not valid TOML: {error}")
    message = str(error)[: found.start()]
    line = int(found[1]) if found[1] else max(1, len(text.splitlines()))
    return Problem(str(path), line, f"is not valid TOML: {message[:1].lower()}{message[1:]}")


def _problem(path: Path, text: str, message: str, where: Keys) -> Problem:
    return Problem(str(path), line_of(text, tuple(step for step in where if isinstance(step, str))), message)
