"""App as its screens know it: settings, looks, the store, what lies over screens, and ways to other screens."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec.structs import replace
from rich.cells import split_graphemes
from rich.segment import Segment
from textual.app import App
from textual.content import Content
from textual.theme import Theme

from kalooki_tui.coach.course.progress import KEPT, today
from kalooki_tui.presenter.commands import use_keys
from kalooki_tui.presenter.match_list import ListState
from kalooki_tui.problems import Problem
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.paths import config_folder
from kalooki_tui.storage.player.progress_file import ProgressFile
from kalooki_tui.storage.player.settings_file import PlayerSettings, SettingsFile
from kalooki_tui.tui.looks import themes
from kalooki_tui.tui.looks.own import OwnThemes, read_own
from kalooki_tui.tui.looks.palettes import DEFAULT_LOOK, AsciiFilter, Depth, Look, look_from
from kalooki_tui.tui.overlays import Overlays
from kalooki_tui.tui.routes import Route, hosted
from kalooki_tui.tui.widgets.canvas import CanvasWidget

if TYPE_CHECKING:
    from kalooki_tui.session.plan import MatchPlan
    from kalooki_tui.session.turn_loop import Thinks
    from kalooki_tui.storage.player.progress_file import PuzzleFile
    from kalooki_tui.training.skills import Learning
    from kalooki_tui.tui.screens.table import TableScreen

Found = TypeVar("Found")


def _literal(cls: type[Content], text: str | Content, **_variables: object) -> Content:
    """Show a string as it is written: names and files are no markup, and words of ours have styles."""
    return text if isinstance(text, Content) else cls(text)


# All ways by which the framework makes something visible of a string end here: widgets, titles, tooltips, the palette.
Content.from_markup = classmethod(_literal)  # type: ignore[assignment, arg-type]


@lru_cache(maxsize=4096)
def _cut(cls: type[Segment], segment: Segment, cut: int) -> tuple[Segment, Segment]:
    """Cut a text at a cell between its signs; of a sign that would be cut through, spaces are left."""
    text, style, control = segment
    at = 0
    for start, end, cells in split_graphemes(text)[0]:
        before = cut - at
        if before < cells:
            left, right = (text[:start], text[start:])
            if before:
                left, right = left + " " * before, " " * (cells - before) + text[end:]
            return cls(left, style, control), cls(right, style, control)
        at += cells
    return segment, cls("", style, control)


# The framework cuts emoji of several characters anywhere, and the row beside what lies over them would move.
Segment._split_cells = classmethod(_cut)  # type: ignore[assignment, arg-type]


class GameApp(App[None]):
    store: Store
    is_host = False
    is_guest = False

    def __init__(self, thinker: Thinks | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.onward: Route | None = None
        """Route in another app, once this one has ended."""
        self._drawn = False
        self._once_drawn: Callable[[], None] | None = None
        self.look: Look = DEFAULT_LOOK
        self._ascii = AsciiFilter(enabled=False)
        self._filters.append(self._ascii)
        self.settings_file = SettingsFile.load()
        self.usual_theme = themes.DEFAULT_THEME
        self.overlays = Overlays(self)
        self.list_state = ListState()
        self._thinker = thinker
        self._reckoner: Any = None
        self._course = DEFAULT_RULESET

    def go(self, route: Route) -> None:
        route.opens(self, *route.arguments, **route.named)

    @property
    def may_host(self) -> bool:
        return not self.is_host

    def host(self, plan: MatchPlan, match: str) -> None:
        """End, for the app of a table that others come to; `match`: the id of one that was left."""
        self.onward = hosted(plan, match)
        self.exit()

    @property
    def table(self) -> TableScreen | None:
        return cast("TableScreen | None", next((one for one in self.screen_stack if one.name == "table"), None))

    @contextmanager
    def telling(self, *errors: type[Exception], timeout: float | None = None) -> Iterator[None]:
        try:
            yield
        except errors as error:
            self.notify(str(error), severity="error", timeout=timeout)

    # Who thinks and computes

    @property
    def thinker(self) -> Thinks:
        """Player of AI seats; its process starts when first asked for, but not before a screen is drawn."""
        if self._thinker is None:
            from kalooki_tui.players.thinker import Thinker

            self._thinker = thinker = Thinker()
            if self._drawn:
                thinker.warm_up()
            else:
                self._once_drawn = thinker.warm_up
        return self._thinker

    @thinker.setter
    def thinker(self, thinker: Thinks) -> None:
        self._thinker = thinker

    async def compute(self, function: Callable[..., Found], *given: object) -> Found:
        """Compute in a process of its own, so that keys are heard and AI seats think on."""
        if self._reckoner is None:
            from kalooki_tui.players.thinker import Thinker

            self._reckoner = Thinker()
        return cast("Found", await self._reckoner.compute(function, *given))

    async def consult(self, function: Callable[..., Found], *given: object) -> Found:
        """Compute where the AI seats think, which is awake already."""
        from kalooki_tui.players.thinker import Thinker

        if isinstance(self.thinker, Thinker):
            return await self.thinker.compute(function, *given)
        return await asyncio.to_thread(function, *given)

    def end_processes(self) -> None:
        from kalooki_tui.players.thinker import Thinker

        for process in (self._thinker, self._reckoner):
            if isinstance(process, Thinker):
                process.close()

    # What has been learnt

    @cached_property
    def progress_file(self) -> ProgressFile:
        file = ProgressFile.load()
        if file.damage:
            # A screen that is only being composed shows no notice.
            self.call_later(self.tell_notices, file.damage)
        return file

    @property
    def due(self) -> int:
        """Skills to be practised today, counted without reading the course, which takes its time."""
        due = self.progress_file.progress.due(self._course, today())
        kept = [skill for skill in due if skill.startswith(KEPT)]
        if kept:
            from kalooki_tui.storage.player.progress_file import kept_skills

            return len(due) - len(set(kept) - set(kept_skills()))
        return len(due)

    def learning(self, ruleset: str = "") -> Learning:
        """Return a course and what has been learnt of it; the one opened last, if none is named.

        Raises:
            ValueError: there is no such ruleset.
        """
        from kalooki_tui.training.skills import Learning

        self._course = ruleset or self._course
        return Learning.of(self._course, self.progress_file, lambda told: self.notify(told, timeout=12))

    @cached_property
    def puzzle_file(self) -> PuzzleFile:
        from kalooki_tui.storage.player.progress_file import PuzzleFile

        file = PuzzleFile.load()
        if file.damage:
            self.tell_notices(file.damage)
        return file

    # Looks and settings

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def _dress(self) -> None:
        """Apply the player's looks before the sheets are read: they are not read again for its colours."""
        # Pictures and tests are the same whatever terminal they are made in.
        self._own = own = self.own_looks()
        themes.register(self, Depth.TRUE if self.is_headless else themes.depth_of(self.console), own.themes)
        use_keys(own.keys)
        self.set_keymap(dict(own.keys))
        self.usual_theme = themes.DEFAULT_THEME if self.is_headless else themes.usual_theme(os.environ)
        self._wear(self.settings)
        self.stylesheet.set_variables(self.get_css_variables())

    def own_looks(self) -> OwnThemes:
        return read_own(config_folder())

    def refresh_css(self, animate: bool = True) -> None:
        """Read the sheets again, for other colours; those of the first screen are on before any is read."""
        if self._drawn:
            super().refresh_css(animate)

    @property
    def settings(self) -> PlayerSettings:
        return self.settings_file.settings

    def set(self, **chosen: Any) -> None:
        self.save_settings(replace(self.settings, **chosen))
        self._wear(self.settings)

    def save_settings(self, settings: PlayerSettings) -> None:
        """Write settings down; where that fails they hold until the program ends, and a notice says so."""
        try:
            aside = self.settings_file.save(settings)
        except StoreError as error:
            self.notify(str(error), severity="warning")
        else:
            if aside is not None:
                self.notify(f"The settings that could not be read are kept as {aside.name}.")

    def remember(self, settings: PlayerSettings) -> None:
        """Write settings that nobody asked to be written: never over a file that could not be read."""
        if self.settings_file.problems:
            self.settings_file.settings = settings
        elif settings != self.settings:
            self.save_settings(settings)

    def _wear(self, settings: PlayerSettings) -> None:
        theme = settings.theme if settings.theme in self.available_themes else None
        self.theme = theme or self.usual_theme
        self.animation_level = "none" if settings.reduced_motion else "full"
        look = look_from(settings)
        if look != self.look:
            self.look = look
            self._ascii.enabled = look.ascii
            for screen in self.screen_stack:
                for painted in screen.query(CanvasWidget):
                    painted.repaint_all()
                screen.refresh(layout=True)

    def _theme_chosen(self, theme: Theme) -> None:
        chosen = None if theme.name == self.usual_theme else theme.name
        unknown = self.settings.theme not in (None, *self.available_themes)
        if theme.name == self.theme and chosen != self.settings.theme and not (unknown and chosen is None):
            self.remember(replace(self.settings, theme=chosen))

    def _tell_problems(self, *own: Problem) -> None:
        told = [f"Some settings cannot be read. {problem}" for problem in self.settings_file.problems]
        told += map(str, own)
        if self.settings.theme not in (None, *self.available_themes):
            told.append(f"{self.settings_file.path}: there is no theme {self.settings.theme!r}")
        self.tell_notices(*told)

    def tell_notices(self, *more: str) -> None:
        for notice in (*more, *self.store.take_notices()):
            self.notify(notice, title="Please note", severity="warning", timeout=20)
