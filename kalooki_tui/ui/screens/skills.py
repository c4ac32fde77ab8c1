"""The page of skills: each with its box, when it is due, how it went, the weakest first."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.study.learning import Learning, skill_rows, weakest, week_words
from kalooki_tui.ui import routes
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.ui.widgets.command_bar import CommandBar

#: Cells of what a skill is called.
WIDTH: Final = 42
COMMANDS: Final = (
    Command("skills-weakest", "w", "Practise the weakest", "Exercises on the skills that stand lowest.",
            lambda at: at.practise()),
    Command("skills-up", "up,pageup", "", "Scroll up.", lambda at: at.scroll(-1)),
    Command("skills-down", "down,pagedown,space", "", "Scroll down.", lambda at: at.scroll(1)),
    Command("skills-back", "escape,q", "Back", "Back to the chapters.", lambda at: at.app.go(routes.course())),
)  # fmt: skip


class SkillsScreen(GameScreen):
    """How somebody stands in one course."""

    DEFAULT_CSS = """
    SkillsScreen { layout: vertical; }
    SkillsScreen #skills-top { height: 1; padding: 0 1; background: $felt-deep; color: $gold; text-style: bold; }
    SkillsScreen #skills { height: 1fr; padding: 1 2; align-horizontal: center; }
    SkillsScreen #skills > * { max-width: 76; }
    """
    OFFERED = COMMANDS

    def __init__(self, learning: Learning) -> None:
        super().__init__(name="skills")
        self.learning = learning

    def compose(self) -> ComposeResult:
        learning = self.learning
        yield Static(f"Skills  ·  {learning.rules.ruleset.name}", id="skills-top")
        lines = [
            f"{shorten(title, WIDTH):<{WIDTH}} {box:<6} {due:<10} {lately}"
            for title, box, due, lately in skill_rows(learning)
        ]
        with VerticalScroll(id="skills", can_focus=False):
            yield Static(f"{week_words(learning.file.progress.week(learning.day()))}\n")
            yield Static(Content.styled(lines[0], "$on-felt-muted"))
            yield Static("\n".join(lines[1:]))
        yield CommandBar()

    def on_mount(self) -> None:
        self.bar.show(self.footer_keys(command for command in COMMANDS if command.label))

    def scroll(self, pages: int) -> None:
        """A page on or back."""
        self.query_one("#skills").scroll_relative(y=pages * max(1, self.size.height // 2), animate=False)

    def practise(self) -> None:
        """Exercises on the weakest skills."""
        lesson = self.learning.practice(skills=weakest(self.learning))
        if lesson is None:
            self.notify("Nothing has been practised yet: begin with a chapter.")
        else:
            self.app.go(routes.one_lesson(self.learning, lesson))
