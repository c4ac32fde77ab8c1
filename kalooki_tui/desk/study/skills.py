"""How somebody stands: every skill of a course, its box, when it is due, which are weakest, what was done this week."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from kalooki_tui.coach.course.progress import DAYS, Day
from kalooki_tui.coach.course.progress import Skill as State
from kalooki_tui.coach.exercises.kinds import KINDS
from kalooki_tui.coach.exercises.kinds.may import Posed
from kalooki_tui.coach.exercises.words import kind_name
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.store.player.puzzles import kept_title
from kalooki_tui.wording import counted

#: Skills that are practised as the weakest.
WEAKEST: Final = 5


@dataclass(frozen=True, slots=True)
class Skill:
    """A kind of exercise in a chapter, and how it goes."""

    id: str
    """``runs/spot``; of a decision kept as a puzzle ``kept/`` and its file."""
    title: str
    state: State | None
    """None: not begun."""

    @property
    def box(self) -> str:
        return "-" if self.state is None else f"{self.state.box} of {len(DAYS)}"

    @property
    def lately(self) -> str:
        """How many of the last ones were right first time."""
        recent = () if self.state is None else self.state.recent
        return f"{sum(one.clean for one in recent)} of {len(recent)}" if recent else "-"

    def due(self, today: date) -> str:
        """When it should be practised again."""
        if self.state is None:
            return "-"
        days = (self.state.due - today).days
        return "today" if days <= 0 else "tomorrow" if days == 1 else f"in {days} days"

    @property
    def weakness(self) -> tuple[bool, int, float]:
        """What skills are sorted by, the weakest first and those not begun last."""
        if self.state is None:
            return True, 0, 0.0
        recent = self.state.recent
        return False, self.state.box, sum(one.clean for one in recent) / max(1, len(recent))


def skills_of(learning: Learning) -> list[Skill]:
    """Every skill of the course and every decision kept as a puzzle, the weakest first."""
    known, found = learning.file.progress.skills, dict[str, Skill]()
    for chapter in learning.course.chapters:
        title = learning.words(chapter.title)
        for kind in dict.fromkeys(step.kind for step in chapter.steps):
            skill, name = f"{chapter.id}/{kind}", kind_name(Posed if kind == Posed.kind else KINDS[kind])
            found[skill] = Skill(skill, f"{title}: {name}", known.get(f"{learning.course.id}/{skill}"))
    for skill, path in learning.kept.items():
        found[skill] = Skill(skill, f"Kept: {kept_title(path)}", known[f"{learning.course.id}/{skill}"])
    return sorted(found.values(), key=lambda skill: skill.weakness)


def skill_rows(learning: Learning) -> list[tuple[str, str, str, str]]:
    """A line a skill, under headings."""
    today = learning.day()
    rows = [(one.title, one.box, one.due(today), one.lately) for one in skills_of(learning)]
    return [("weakest first", "box", "due", "right first"), *rows]


def weakest(learning: Learning) -> list[str]:
    """The skills that most need practice, of those that were begun."""
    return [skill.id for skill in skills_of(learning) if skill.state is not None][:WEAKEST]


def week_words(week: Day) -> str:
    """What was done in the last seven days."""
    if not week.answered:
        return "No exercise in the last seven days."
    return f"In the last seven days: {counted(week.answered, 'exercise')}, {week.clean} right first time."
