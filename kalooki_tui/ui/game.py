"""What screens may ask of the app, so that they need not know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from kalooki_tui.coach.course.chapter import Chapter
    from kalooki_tui.coach.course.lesson import Lesson
    from kalooki_tui.desk.setup.plan import MatchPlan
    from kalooki_tui.desk.shelf.listing import ListState
    from kalooki_tui.desk.study.duplicates import Duplicate
    from kalooki_tui.desk.study.learning import Learning
    from kalooki_tui.desk.table.ai_seats import Thinks
    from kalooki_tui.store.matches import Store
    from kalooki_tui.store.player.settings import PlayerSettings, SettingsFile
    from kalooki_tui.store.summary import Summary
    from kalooki_tui.table.duplicate import Line
    from kalooki_tui.ui.looks.glyphs import Look

Found = TypeVar("Found")

#: What is done with the answer.
Then: TypeAlias = Callable[[Any], object]


class Layer(IntEnum):
    """What may lie over what: the higher over the lower."""

    MATCH = 0
    """Questions, curtain, banner, the end of a deal: one at a time, and only while nothing else lies there."""
    PLAYER = 1
    """What the player has opened: settings, rules, a choice of ways to tack."""
    LEAVING = 2
    """Whether to leave the match."""
    FAULT = 3
    """Something went wrong: shown whatever else there is."""


class LaysOver(Protocol):
    """The owner of what lies over a screen."""

    def show(self, overlay: Any, then: Then | None = None, layer: Layer = Layer.PLAYER) -> None:
        """Lay something over the screen; `then` gets the answer, if one is given."""

    async def ask(self, overlay: Any) -> Any:
        """What the match asks: the answer."""

    def answer(self, overlay: Any, value: Any) -> None:
        """Close something with an answer."""

    def lies(self, layer: Layer) -> bool:
        """Whether something of that layer is shown."""


class Game(Protocol):
    """The app, as its screens know it."""

    store: Store
    settings_file: SettingsFile
    list_state: ListState
    """What the list of matches was like when it was left."""
    usual_theme: str
    """The theme of a player who has chosen none."""

    @property
    def thinker(self) -> Thinks:
        """Who decides for AI seats."""

    @property
    def overlays(self) -> LaysOver:
        """The owner of what lies over a screen."""

    @property
    def settings(self) -> PlayerSettings:
        """What the player has chosen."""

    @property
    def theme_names(self) -> tuple[str, ...]:
        """The themes there are, the player's own last."""

    def set(self, **chosen: object) -> None:
        """Change settings for good, and put them on."""

    def remember(self, settings: PlayerSettings) -> None:
        """Write settings down that nobody asked to be written."""

    def tell_notices(self, *more: str) -> None:
        """Say what the store has to tell the player, and more."""

    def go_home(self, marked: str = "") -> None:
        """The first screen; `marked`: the command that enter takes there."""

    def read_on(self) -> None:
        """Read the new files of matches that the last list had no time for, while keys are answered."""

    def set_up(self, plan: MatchPlan | None = None) -> None:
        """The form for a new match."""

    def play(self, plan: MatchPlan) -> None:
        """Begin a match."""

    def play_again(self, plan: MatchPlan | None = None) -> None:
        """The same seats, another deal of the cards."""

    def resume(self, match_id: str) -> None:
        """Take up a match where it stands."""

    def watch_match(self) -> None:
        """AI seats only."""

    def show_matches(self) -> None:
        """All matches."""

    def show_replay(self, about: Summary) -> None:
        """Step through the finished deals of a match."""

    def show_statistics(self) -> None:
        """Everybody's results."""

    def show_settings(self) -> None:
        """The player's settings."""

    @property
    def look(self) -> Look:
        """How cards are drawn."""

    def learning(self, ruleset: str = "") -> Learning:
        """A course and what has been learnt of it; the one opened last, if none is named."""

    @property
    def due(self) -> int:
        """Skills that should be practised today."""

    @property
    def has_learnt(self) -> bool:
        """Whether the player has answered an exercise of the course."""

    def practise(self) -> None:
        """Exercises of what is due."""

    def show_learn(self, ruleset: str = "") -> None:
        """The chapters of a ruleset's course; of the one opened last, if none is named."""

    def begin_lesson(self, learning: Learning, lesson: Lesson) -> None:
        """A lesson."""

    def play_coached(self, learning: Learning, chapter: Chapter, own_seed: int | None = None) -> None:
        """A chapter's coached deal."""

    async def compute(self, function: Callable[..., Found], *given: object) -> Found:
        """What the function gives, computed in another process: keys are heard meanwhile."""

    def show_review(
        self, lines: Sequence[str], seat: str = "", *, last: bool = False, name: str = "this match"
    ) -> None:
        """What the decisions of a record cost: of all its deals that are over, or of the last."""

    def review_match(self, about: Summary) -> None:
        """The same for a match on disk."""

    def show_puzzles(self) -> None:
        """What there is to solve."""

    def play_puzzles(self, *, kind: str = "", code: str = "", daily: bool = False) -> None:
        """A series of puzzles: of one kind, from a code on, or only that of the day."""

    def open_puzzle(self, path: Path) -> None:
        """A decision that was kept, or a position of somebody's own."""

    def show_daily(self, day: date | None = None) -> None:
        """The daily deal of a date, of today by default."""

    def play_daily(self, day: date, person: str) -> None:
        """Play a date's deal as that person."""

    def show_line(self, day: date, line: Line, place: int) -> None:
        """Step through what an AI player made of a date's deal, from after so many actions on."""

    def duplicates(self) -> Sequence[Duplicate]:
        """The duplicate matches played here, the one played last first."""

    def show_duplicate(self, known_by: str = "") -> None:
        """A duplicate match with its results; the one played last, if none is named."""

    def play_duplicate(self, found: Duplicate) -> None:
        """Let the next of its people play, or go on."""

    def show_same(self, duplicate: tuple[str, ...]) -> None:
        """What a match belongs to that others play with the same cards."""

    def show_rules(self) -> None:
        """Ask for a game, and show its rules."""

    def exit(self) -> None:
        """Leave the program."""
