"""Map of a course: its chapters with their stars, what is due, other rulesets' courses; and the page of skills."""

from __future__ import annotations

from typing import Any, Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.course.courses import is_gentle
from kalooki_tui.coach.course.lesson import Lesson
from kalooki_tui.presenter.commands import Command
from kalooki_tui.rulesets.loader import catalogue
from kalooki_tui.training.skills import Learning, skill_rows, stars_text, weakest, week_words
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import MENU, GameScreen
from kalooki_tui.tui.screens.question import ChoiceDialog
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.choices import Choice, ChoiceLine, numbered
from kalooki_tui.tui.widgets.command_bar import CommandBar
from kalooki_tui.wording import counted

COMMANDS: Final = (
    Command("learn-due", "p", "Practise what is due", "Exercises on what you have learnt and should repeat.",
            lambda at: at.practise()),
    Command("learn-skills", "s", "Skills", "Every skill: how you stand, what is weakest, what you did this week.",
            lambda at: at.app.go(routes.skills(at.learning))),
    Command("learn-game", "g", "Another game", "The course of another ruleset.", lambda at: at.choose_game()),
    Command("learn-teach", "t", "Teach", "Teach one contract to others at this keyboard, all hands open.",
            lambda at: at.app.go(routes.teach(at.learning.rules.ruleset.id))),
    Command("learn-rules", "i", "Rules", "Read the rules of this game.",
            lambda at: at.app.go(routes.rules(at.learning.rules.ruleset))),
    Command("learn-home", "escape,q", "Back", "Back to the first screen.", lambda at: at.app.go(routes.home())),
)  # fmt: skip


class LearnScreen(GameScreen):
    CSS_PATH = "learn.tcss"
    OFFERED = (*MENU, *COMMANDS)

    def __init__(self, learning: Learning) -> None:
        super().__init__(name="learn")
        self.learning = learning
        self._typed = ""
        """First figure of a number of two, if it was typed last."""

    def compose(self) -> ComposeResult:
        learning = self.learning
        name = learning.rules.ruleset.name
        heading = f"Learn {name}" if learning.course.whole else f"{name}: what is different from Jamaican Kalooki"
        yield Static(heading, id="top")
        with VerticalScroll(id="chapters", can_focus=False):
            evening = 0
            width = len(str(len(learning.course.chapters)))
            for index, chapter in enumerate(learning.course.chapters):
                if chapter.evening != evening and learning.course.whole:
                    evening = chapter.evening
                    yield Static(f"Evening {evening}" if evening else "More", classes="evening")
                number = f"{learning.course.number(chapter):>{width}}"
                yield ChoiceLine(index, Choice(number, self._line(index), index))
            if not learning.course.chapters:
                yield Static("This game is no different from Jamaican Kalooki: take its course.")
        yield Static(self._footing(), id="learn-note")
        yield CommandBar()

    def on_mount(self) -> None:
        chapters, following = self.learning.course.chapters, self.learning.next_chapter
        self.current = 0 if following is None else chapters.index(following)
        self.bar.show(self.footer_keys(COMMANDS))

    def _line(self, index: int) -> Content:
        chapter = self.learning.course.chapters[index]
        standing = self.learning.standing(chapter)
        due = sum(skill.startswith(f"{chapter.id}/") for skill in self.learning.due)
        note = f"  {due} due" if due else ""
        title = self.learning.words(chapter.title)
        return Content.assemble(f"{title:<28}", Content.styled(f"{stars_text(standing):<6}", "$gold"), note)

    def _footing(self) -> str:
        if due := len(self.learning.due):
            return f"{counted(due, 'skill')} to practise today: {COMMANDS[0].shown}."
        if not self.learning.begun and is_gentle(self.learning.rules.ruleset):
            return "A short game to begin with: ten minutes for the first chapter."
        if not self.learning.begun:
            return "★ finished · ★★ 8 of 10 right first time · ★★★ the same on a later day"
        return "Nothing is due today."

    def take(self, index: int) -> None:
        self.app.go(routes.one_lesson(self.learning, self.learning.lesson(self.learning.course.chapters[index])))

    def on_key(self, event: Any) -> None:
        """Open a chapter by its number; one that may be the first figure of another only marks its chapter."""
        figure, numbers = event.character or "", [str(number + 1) for number in range(len(self.menu))]
        if not figure.isdecimal():
            return
        typed = next((one for one in (self._typed + figure, figure) if one in numbers), "")
        if not typed:
            return
        event.stop()
        event.prevent_default()
        if sum(one.startswith(typed) for one in numbers) == 1:
            self.take(int(typed) - 1)
        else:
            self.go(int(typed) - 1 - self.current)
            self._typed = typed

    def go(self, step: int) -> None:
        self._typed = ""
        super().go(step)

    def practise(self) -> None:
        _open(self, self.learning.practice(), "Nothing is due today. You can always repeat a chapter.")

    def choose_game(self) -> None:
        listed = [entry.ruleset for entry in catalogue() if entry.ruleset is not None]
        choices = numbered((ruleset.name, ruleset.id) for ruleset in listed)
        ask = ChoiceDialog("Learn which game?", "", choices, may_close=True)
        self.app.overlays.choose(ask, lambda ruleset: self.app.go(routes.course(ruleset)))


#: Cells of what a skill is called.
WIDTH: Final = 42
SKILLS: Final = (
    Command("skills-weakest", "w", "Practise the weakest", "Exercises on the skills that stand lowest.",
            lambda at: at.practise()),
    Command("skills-up", "up,pageup", "", "Scroll up.", lambda at: at.scroll(-1)),
    Command("skills-down", "down,pagedown,space", "", "Scroll down.", lambda at: at.scroll(1)),
    Command("skills-back", "escape,q", "Back", "Back to the chapters.", lambda at: at.app.go(routes.course())),
)  # fmt: skip


class SkillsScreen(GameScreen):
    DEFAULT_CSS = """
    SkillsScreen #skills { height: 1fr; padding: 1 2; align-horizontal: center; }
    SkillsScreen #skills > * { max-width: 76; }
    """
    OFFERED = SKILLS

    def __init__(self, learning: Learning) -> None:
        super().__init__(name="skills")
        self.learning = learning

    def compose(self) -> ComposeResult:
        learning = self.learning
        yield Static(f"Skills  ·  {learning.rules.ruleset.name}", id="top")
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
        self.bar.show(self.footer_keys(command for command in SKILLS if command.label))

    def scroll(self, pages: int) -> None:
        self.query_one("#skills").scroll_relative(y=pages * max(1, self.size.height // 2), animate=False)

    def practise(self) -> None:
        lesson = self.learning.practice(skills=weakest(self.learning))
        _open(self, lesson, "Nothing has been practised yet: begin with a chapter.")


def _open(screen: LearnScreen | SkillsScreen, lesson: Lesson | None, why_none: str) -> None:
    if lesson is None:
        screen.notify(why_none)
    else:
        screen.app.go(routes.one_lesson(screen.learning, lesson))
