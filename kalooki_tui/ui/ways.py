"""Where the app can go: each way says what it takes, and one opener, elsewhere, knows the screen.

So a screen leads to others, or back to the one it came from, without importing them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kalooki_tui.values import dataclass

if TYPE_CHECKING:
    from kalooki_tui.coach.course.chapter import Chapter
    from kalooki_tui.coach.course.lesson import Lesson
    from kalooki_tui.coach.puzzles.making import Code, Puzzle
    from kalooki_tui.desk.commands import Command
    from kalooki_tui.desk.setup.plan import MatchPlan
    from kalooki_tui.desk.study.duplicates import Duplicate
    from kalooki_tui.desk.study.learning import Learning
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.summary import Summary
    from kalooki_tui.table.duplicate import Line
    from kalooki_tui.table.table import Table


class Way:
    """Base of all ways."""


W = TypeVar("W", bound=Way)

_OPENERS: Final[dict[type[Way], Callable[[Any, Any], None]]] = {}


def opens(way: type[W]) -> Callable[[Callable[[Any, W], None]], Callable[[Any, W], None]]:
    """The function opens what a way leads to; it is called with the app and the way."""

    def known(function: Callable[[Any, W], None]) -> Callable[[Any, W], None]:
        _OPENERS[way] = function
        return function

    return known


def opener(way: Way) -> Callable[[Any, Any], None]:
    """What opens that which a way leads to."""
    return _OPENERS[type(way)]


# Playing


@dataclass(frozen=True, slots=True)
class Home(Way):
    """The first screen, whatever is shown."""

    marked: str = ""
    """The command that enter takes there."""


@dataclass(frozen=True, slots=True)
class SetUp(Way):
    """The form for a new match, filled as the last one was where no plan is given."""

    plan: MatchPlan | None = None


@dataclass(frozen=True, slots=True)
class NewMatch(Way):
    """Begin a match. A plan that does not go with its ruleset is a ValueError."""

    plan: MatchPlan


@dataclass(frozen=True, slots=True)
class SameSeats(Way):
    """The same seats, another deal of the cards; the last set-up where no plan is given."""

    plan: MatchPlan | None = None


@dataclass(frozen=True, slots=True)
class Resume(Way):
    """Take up a match at the very decision where it stands."""

    match: str


@dataclass(frozen=True, slots=True)
class Hosted(Way):
    """A table to which people come from their own screens; `match`: the id of one that was left."""

    plan: MatchPlan
    match: str = ""


@dataclass(frozen=True, slots=True)
class AtTable(Way):
    """Play on at a table, from where it stands; without `live` nothing is written down."""

    plan: MatchPlan
    table: Table
    live: LiveMatch | None = None


@dataclass(frozen=True, slots=True)
class WatchAI(Way):
    """A match of AI seats only."""


@dataclass(frozen=True, slots=True)
class RulesOfGame(Way):
    """Ask for a game, and show its rules."""


@dataclass(frozen=True, slots=True)
class Settings(Way):
    """The player's settings."""


@dataclass(frozen=True, slots=True)
class Keys(Way):
    """Commands with their keys, by headings."""

    commands: Mapping[str, Sequence[Command]]


# Looking back


@dataclass(frozen=True, slots=True)
class Matches(Way):
    """All matches."""


@dataclass(frozen=True, slots=True)
class Replay(Way):
    """Step through the finished deals of a match."""

    about: Summary


@dataclass(frozen=True, slots=True)
class Statistics(Way):
    """Everybody's results."""


@dataclass(frozen=True, slots=True)
class Review(Way):
    """What the decisions of a record cost: of all its deals that are over, or of the last."""

    record: Sequence[str]
    last: bool = False
    name: str = "this match"


@dataclass(frozen=True, slots=True)
class MatchReview(Way):
    """The same for a match on disk."""

    about: Summary


@dataclass(frozen=True, slots=True)
class PlayedOn(Way):
    """A deal played on from a moment of a record; afterwards the review of that record."""

    deal_again: Callable[[], Table]
    """The table at that moment, anew each time."""
    review: Review


# Learning


@dataclass(frozen=True, slots=True)
class Course(Way):
    """The chapters of a ruleset's course, or one of them; the course opened last, if none is named."""

    ruleset: str = ""
    chapter: str = ""


@dataclass(frozen=True, slots=True)
class ChapterFile(Way):
    """The chapter of a file, in the course of a ruleset; a file that is none is an InputError."""

    path: str
    ruleset: str = ""


@dataclass(frozen=True, slots=True)
class OneLesson(Way):
    """A lesson."""

    learning: Learning
    lesson: Lesson


@dataclass(frozen=True, slots=True)
class Practice(Way):
    """Exercises of what is due, if anything is."""


@dataclass(frozen=True, slots=True)
class Skills(Way):
    """How somebody stands in a course."""

    learning: Learning


@dataclass(frozen=True, slots=True)
class CoachedDeal(Way):
    """A chapter's coached deal; `own_seed`: one with other cards, played without the coach.

    `until`: what has been done by then, where it is played again from a moment.
    """

    learning: Learning
    chapter: Chapter
    own_seed: int | None = None
    until: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Puzzles(Way):
    """What there is to solve."""


@dataclass(frozen=True, slots=True)
class PuzzleSeries(Way):
    """A series of puzzles: of one kind, from a code on, or only that of the day."""

    kind: str = ""
    code: str = ""
    daily: bool = False


@dataclass(frozen=True, slots=True)
class KeptPuzzle(Way):
    """A decision that was kept, or a position of somebody's own."""

    path: Path


@dataclass(frozen=True, slots=True)
class Solve(Way):
    """The series from a code on (`alone`: only its first), or one puzzle. What cannot be made is a ValueError."""

    what: Code | Puzzle
    alone: bool = False


# The same cards for several


@dataclass(frozen=True, slots=True)
class Daily(Way):
    """The daily deal of a date, of today by default."""

    day: date | None = None


@dataclass(frozen=True, slots=True)
class DailyMatch(Way):
    """Play a date's deal as that person, or go on with it."""

    day: date
    person: str


@dataclass(frozen=True, slots=True)
class DailyLine(Way):
    """Step through what an AI player made of a date's deal, from after so many actions on."""

    day: date
    line: Line
    place: int


@dataclass(frozen=True, slots=True)
class NewDuplicate(Way):
    """Begin a duplicate match for the people of a plan; one that is not for such a match is a ValueError."""

    plan: MatchPlan


@dataclass(frozen=True, slots=True)
class DuplicateMatch(Way):
    """A duplicate match with its results; the one played last, if none is named."""

    known_by: str = ""


@dataclass(frozen=True, slots=True)
class NextOfDuplicate(Way):
    """Let the next person of a duplicate match play, or go on."""

    found: Duplicate


@dataclass(frozen=True, slots=True)
class SameCards(Way):
    """What a match belongs to that others play with the same cards: its date's deal, or its duplicate match."""

    duplicate: tuple[str, ...]
