"""The app's settings: how it looks, which keys it has, and what the player is told about files that cannot be read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from textual.app import App
from textual.filter import LineFilter
from textual.theme import Theme

from kalooki_tui.desk.commands import wear_keys
from kalooki_tui.problems import Problem
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.matches import Store
from kalooki_tui.store.paths import config_folder
from kalooki_tui.store.player.settings import PlayerSettings, SettingsFile
from kalooki_tui.ui.looks import themes
from kalooki_tui.ui.looks.glyphs import DEFAULT_LOOK, AsciiFilter, Look, look_from
from kalooki_tui.ui.looks.own import read_own
from kalooki_tui.ui.looks.palettes import Depth
from kalooki_tui.ui.widgets.canvas import Painted


class Dressed(App[None]):
    """An app that wears what the player has chosen, and writes it down."""

    store: Store

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._drawn = False
        """Whether the first screen has been drawn."""
        self.look: Look = DEFAULT_LOOK
        self.settings_file = SettingsFile.load()
        self.usual_theme = themes.DEFAULT_THEME
        """The theme of a player who has chosen none."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The table's colours, whatever the theme."""
        return themes.DEFAULTS

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Those of the terminal; where the player wants ASCII, no other character comes through."""
        filters = super().get_line_filters()
        return [*filters, AsciiFilter()] if self.look.ascii else filters

    def _dress(self) -> None:
        """Put on what the player has chosen, before the sheets are read: they are not read again for its colours."""
        # Pictures and tests are the same whatever terminal they are made in.
        self._own = own = read_own(config_folder())
        themes.register(self, Depth.TRUE if self.is_headless else themes.depth_of(self.console), own.themes)
        wear_keys(own.keys)
        self.set_keymap(dict(own.keys))
        self.usual_theme = themes.DEFAULT_THEME if self.is_headless else themes.usual_theme(os.environ)
        self._wear(self.settings)
        self.stylesheet.set_variables(self.get_css_variables())

    def refresh_css(self, animate: bool = True) -> None:
        """Read the sheets again, for other colours; those of the first screen are on before any is read."""
        if self._drawn:
            super().refresh_css(animate)

    @property
    def settings(self) -> PlayerSettings:
        """What the player has chosen."""
        return self.settings_file.settings

    def set(self, **chosen: Any) -> None:
        """Change settings for good, and put them on."""
        self.save_settings(replace(self.settings, **chosen))
        self._wear(self.settings)

    def save_settings(self, settings: PlayerSettings) -> None:
        """Write settings down; where that fails they hold until the program ends, and a notice says so."""
        try:
            aside = self.settings_file.save(settings)
        except StoreError as error:
            self.notify(str(error), severity="warning", markup=False)
        else:
            if aside is not None:
                self.notify(f"The settings that could not be read are kept as {aside.name}.", markup=False)

    def remember(self, settings: PlayerSettings) -> None:
        """Write settings down that nobody asked to be written: never over a file that could not be read."""
        if self.settings_file.problems:
            self.settings_file.settings = settings
        elif settings != self.settings:
            self.save_settings(settings)

    def _wear(self, settings: PlayerSettings) -> None:
        """Draw as the settings say."""
        theme = settings.theme if settings.theme in self.available_themes else None
        self.theme = theme or self.usual_theme
        self.animation_level = "none" if settings.reduced_motion else "full"
        look = look_from(settings)
        if look != self.look:
            self.look = look
            for screen in self.screen_stack:
                for painted in screen.query(Painted):
                    painted.repaint_all()
                screen.refresh(layout=True)

    def _theme_chosen(self, theme: Theme) -> None:
        chosen = None if theme.name == self.usual_theme else theme.name
        unknown = self.settings.theme not in (None, *self.available_themes)
        if theme.name == self.theme and chosen != self.settings.theme and not (unknown and chosen is None):
            self.remember(replace(self.settings, theme=chosen))

    @property
    def theme_names(self) -> tuple[str, ...]:
        """The themes there are, the player's own last."""
        return tuple(self.available_themes)

    def _tell_problems(self, *own: Problem) -> None:
        """Say what is wrong with the settings' file or the store: once, and so that it can be read."""
        told = [f"Some settings cannot be read. {problem}" for problem in self.settings_file.problems]
        told += map(str, own)
        if self.settings.theme not in (None, *self.available_themes):
            told.append(f"{self.settings_file.path}: there is no theme {self.settings.theme!r}")
        self.tell_notices(*told)

    def tell_notices(self, *more: str) -> None:
        """Say what the store has to tell the player, and more."""
        for notice in (*more, *self.store.take_notices()):
            self.notify(notice, title="Please note", severity="warning", timeout=20, markup=False)
