"""Learning without a screen: a course with what has been learnt of it, what there is still to earn, every skill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct

from kalooki_tui.coach.clauses import RULE, rule_slots
from kalooki_tui.coach.course.chapter import KEY, Chapter, Mastery, fill, read_file
from kalooki_tui.coach.course.courses import WHOLE, Course, course_of
from kalooki_tui.coach.course.lesson import Lesson, lesson_of, practice_of
from kalooki_tui.coach.course.progress import ALONE, DAYS, ChapterState, Day, OwnDeal, Progress, Skill, today
from kalooki_tui.coach.exercises.definition import kind_name
from kalooki_tui.coach.exercises.kinds.turn_questions import MomentExercise
from kalooki_tui.coach.exercises.registry import KINDS, new_seed
from kalooki_tui.coach.practice_session import CLEAN_OF_TEN, PracticeSession
from kalooki_tui.coach.puzzles import Puzzle, from_file
from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.engine.rules import Rules
from kalooki_tui.presenter.commands import BY_NAME
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Vocabulary
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.player.progress_file import ProgressFile, kept_skills, kept_title
from kalooki_tui.wording import counted

STAR: Final = "★"
NO_STAR: Final = "·"


@dataclass
class Learning:
    """Course of a ruleset as somebody goes through it."""

    course: Course
    file: ProgressFile
    day: Callable[[], date] = today
    tell: Callable[[str], object] = lambda notice: None

    @classmethod
    def of(cls, ruleset: str, file: ProgressFile, tell: Callable[[str], object]) -> Learning:
        return cls(course_of(ruleset), file, tell=tell)

    def with_file(self, path: str) -> tuple[Learning, Chapter]:
        """Return the course with the chapter of a file, and that chapter; raise InputError if it is none."""
        chapter = read_file(path, BY_NAME)
        return replace(self, course=self.course.having(chapter)), chapter

    @property
    def rules(self) -> Rules:
        return self.course.rules

    def words(self, text: str, **more: str) -> str:
        """Fill the slots of a chapter's text; keys are those of the table, rules those of the ruleset."""
        keys = {f"{KEY}{name}": command.shown for name, command in BY_NAME.items()}
        return fill(text, self.rules, {**keys, **more})

    def foreword(self, chapter: Chapter) -> list[str]:
        """Return lines above the first chapter's words: other names of the same things, other packs."""
        course, said = self.course, sentences("course")["foreword"]
        if chapter is not course.chapters[0]:
            return []
        own, known = self.rules.ruleset, load_ruleset(WHOLE)
        here, there = own.vocabulary, known.vocabulary if course.id != WHOLE else Vocabulary()
        names = [(getattr(here, name), getattr(there, name)) for name in ("set", "run", "deal", "joker")]
        others = [said["name"].format(here=mine, there=theirs) for mine, theirs in names if mine != theirs]
        told = [said["elsewhere" if course.id == WHOLE else "names"].format(names=", ".join(others))] if others else []
        if not course.whole and own.packs[0] != known.packs[0]:
            told.append(rule_slots(own)[f"{RULE}D10"])
        return told

    def title(self, chapter: Chapter) -> str:
        return f"{self.course.number(chapter)}  {self.words(chapter.title)}  ·  rules {' '.join(chapter.clauses)}"

    def standing(self, chapter: Chapter) -> ChapterState:
        return self.file.progress.standing(self.course.id, chapter.id)

    def deals_of(self, chapter: Chapter) -> tuple[OwnDeal, ...]:
        return self.file.progress.deals_of(self.course.id, chapter.id)

    @property
    def due(self) -> list[str]:
        there = {f"{chapter.id}/{step.kind}" for chapter in self.course.chapters for step in chapter.steps}
        there.update(kept_skills())
        return [skill for skill in self.file.progress.due(self.course.id, self.day()) if skill in there]

    @property
    def next_chapter(self) -> Chapter | None:
        return self.file.progress.next_chapter(self.course.id, self.course.chapters)

    @property
    def begun(self) -> bool:
        skills = self.file.progress.skills.items()
        return any(name.startswith(f"{self.course.id}/") and skill.recent for name, skill in skills)

    def lesson(self, chapter: Chapter, seed: str | None = None) -> Lesson:
        return lesson_of(chapter, self.course.before(chapter), self.rules, seed or new_seed())

    def practice(self, seed: str | None = None, skills: Sequence[str] | None = None) -> Lesson | None:
        course, wanted = self.course, self.due if skills is None else skills
        before = course.before(course.chapters[0]) if course.chapters else ()
        return practice_of(wanted, course.chapters, self.rules, seed or new_seed(), before, self._kept(wanted))

    @property
    def kept(self) -> dict[str, Path]:
        """Files of decisions kept as puzzles of this ruleset, by skill."""
        known = self.file.progress.skills
        return {skill: path for skill, path in kept_skills().items() if f"{self.course.id}/{skill}" in known}

    def _kept(self, wanted: Sequence[str]) -> dict[str, Puzzle]:
        """Read the puzzles of these skills; one that cannot be asked is reported and skipped."""
        files, found = self.kept, dict[str, Puzzle]()
        for skill in (one for one in wanted if one in files):
            try:
                found[skill] = from_file(files[skill])
            except ValueError as error:
                self.tell(str(error))
        return found

    def note(self, session: PracticeSession[Lesson]) -> None:
        """Save the exercise just answered, and a chapter finished by it."""
        self._save(self.file.progress.noted(session, self.day()))

    def note_deal(self, chapter: Chapter, deal: OwnDeal) -> None:
        self._save(self.file.progress.played(self.course.id, chapter, deal))

    def _save(self, progress: Progress) -> None:
        try:
            aside = self.file.save(progress)
        except StoreError as error:
            self.tell(str(error))
        else:
            if aside is not None:
                self.tell(f"The part of your progress that could not be read is kept as {aside.name}.")


def stars_text(standing: ChapterState) -> str:
    return STAR * standing.stars + NO_STAR * (3 - standing.stars) + (" ✓" if standing.mastered else "")


def next_star(learning: Learning, chapter: Chapter) -> str:
    standing = learning.standing(chapter)
    if standing.mastered:
        return "You have mastered this chapter."
    wanted = chapter.mastery
    if standing.stars == 3:
        told = "Three stars. It counts as mastered"
        if wanted is None:
            return f"{told}."
        if wanted.kind in ALONE:
            return f"{told} {mastery_of_deals(learning, wanted)}."
        within = "" if wanted.seconds is None else f" in {wanted.seconds} seconds"
        kind = f"{wanted.kind!r} exercises right first time{within}."
        return f"{told} with {wanted.right} of your last {wanted.of} {kind}"
    if standing.clean_on is not None:
        return "The third star: the same again on another day, with new exercises."
    return f"The second star: {CLEAN_OF_TEN} of 10 right first time and without help."


def mastery_of_deals(learning: Learning, wanted: Mastery) -> str:
    deals = counted(wanted.of, learning.rules.ruleset.vocabulary.deal)
    if wanted.kind == "laid":
        return f"once you have laid without a hint in {deals} of your own"
    return f"once your last {deals} on your own have cost you no more points than the others on average"


def own_deal_words(learning: Learning, chapter: Chapter, deal: OwnDeal | None) -> str:
    wanted = chapter.mastery
    assert wanted is not None
    if deal is None:
        return "Nobody has scored: it does not count."
    if learning.standing(chapter).mastered:
        return "You have mastered this chapter."
    played = learning.deals_of(chapter)
    if wanted.kind == "laid":
        came = "You laid without a hint." if deal.laid else "It counts once you lay without a hint."
    else:
        last = played[-wanted.of :]
        own, others = (sum(one) / len(last) for one in ([d.points for d in last], [d.others for d in last]))
        came = f"Your last {len(last)} of {wanted.of}: {own:.0f} points on average, the others {others:.0f}."
    title = learning.words(chapter.title)
    return f"{came} {title} counts as mastered {mastery_of_deals(learning, wanted)}, with three stars."


#: Skills that are practised as the weakest.
WEAKEST: Final = 5


class SkillRow(Struct, frozen=True):
    id: str
    """``runs/spot``; of a decision kept as a puzzle ``kept/`` and its file."""
    title: str
    state: Skill | None

    @property
    def box(self) -> str:
        return "-" if self.state is None else f"{self.state.box} of {len(DAYS)}"

    @property
    def lately(self) -> str:
        recent = () if self.state is None else self.state.recent
        return f"{sum(one.clean for one in recent)} of {len(recent)}" if recent else "-"

    def due(self, today: date) -> str:
        if self.state is None:
            return "-"
        days = (self.state.due - today).days
        return "today" if days <= 0 else "tomorrow" if days == 1 else f"in {days} days"

    @property
    def weakness(self) -> tuple[bool, int, float]:
        """Sort key: weakest first, those not begun last."""
        if self.state is None:
            return True, 0, 0.0
        recent = self.state.recent
        return False, self.state.box, sum(one.clean for one in recent) / max(1, len(recent))


def skills_of(learning: Learning) -> list[SkillRow]:
    """List every skill of the course and every decision kept as a puzzle, the weakest first."""
    known, found = learning.file.progress.skills, dict[str, SkillRow]()
    for chapter in learning.course.chapters:
        title = learning.words(chapter.title)
        for kind in dict.fromkeys(step.kind for step in chapter.steps):
            skill = f"{chapter.id}/{kind}"
            name = kind_name(MomentExercise if kind == MomentExercise.kind else KINDS[kind])
            found[skill] = SkillRow(skill, f"{title}: {name}", known.get(f"{learning.course.id}/{skill}"))
    for skill, path in learning.kept.items():
        found[skill] = SkillRow(skill, f"Kept: {kept_title(path)}", known[f"{learning.course.id}/{skill}"])
    return sorted(found.values(), key=lambda skill: skill.weakness)


def skill_rows(learning: Learning) -> list[tuple[str, str, str, str]]:
    today = learning.day()
    rows = [(one.title, one.box, one.due(today), one.lately) for one in skills_of(learning)]
    return [("weakest first", "box", "due", "right first"), *rows]


def weakest(learning: Learning) -> list[str]:
    return [skill.id for skill in skills_of(learning) if skill.state is not None][:WEAKEST]


def week_words(week: Day) -> str:
    if not week.answered:
        return "No exercise in the last seven days."
    return f"In the last seven days: {counted(week.answered, 'exercise')}, {week.clean} right first time."
