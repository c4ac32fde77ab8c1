"""Progress of a learner: stars of chapters, boxes of skills. Values only; the store keeps them.

Stars: one for a finished chapter, two where eight of ten exercises were right first time and without help, three
where they were so again on a later day. Boxes after Leitner: a skill that was right goes to the next box, a skill that
was not back to the first; it is due again after 1, 2, 4, 8 or 16 days.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from kalooki_tui.coach.course.chapter import Chapter
    from kalooki_tui.coach.course.lesson import Lesson
    from kalooki_tui.coach.practice_session import PracticeSession

#: What can be asked of deals that are played alone: to have laid without a hint; no more points than the others have.
ALONE: Final = ("laid", "points")
#: What the skill of a decision kept as a puzzle begins with, after its ruleset.
KEPT: Final = "kept/"
#: Days after which a skill is due again, by its box.
DAYS: Final = (1, 2, 4, 8, 16)
#: Attempts that are remembered of a skill.
RECENT: Final = 10

LAST_YEAR: Final = 9000
Name: TypeAlias = Annotated[str, Meta(pattern=r"^[^\x00-\x1f]{1,200}\Z")]
#: Days that are remembered.
REMEMBERED: Final = 60
#: A week of them.
WEEK: Final = 7


def today() -> date:
    return date.today()  # noqa: DTZ011 - a day of practice is the learner's own


class Try(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    clean: bool
    seconds: Annotated[float, Meta(ge=0, le=10_000_000)]


class Skill(Struct, frozen=True, forbid_unknown_fields=True):
    """Skill: its box, from 1, the day of its last practice, and recent attempts."""

    box: Annotated[int, Meta(ge=1, le=len(DAYS))]
    last: date
    recent: Annotated[tuple[Try, ...], Meta(max_length=RECENT)] = ()

    def __post_init__(self) -> None:
        if self.last.year > LAST_YEAR:
            raise ValueError(f"{self.last} is too late a day")

    @property
    def due(self) -> date:
        return self.last + timedelta(days=DAYS[self.box - 1])

    def after(self, attempt: Try, today: date) -> Skill:
        """Add an attempt; the box rises once a day at most."""
        if not attempt.clean:
            box = 1
        elif self.last < today or not self.recent:
            box = min(len(DAYS), self.box + 1)
        else:
            box = self.box
        return Skill(box, today, (*self.recent, attempt)[-RECENT:])


class OwnDeal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Deal played alone: new cards, nobody to help."""

    laid: bool
    """The contract was laid, and no hint was asked for."""
    points: Annotated[int, Meta(ge=-100_000, le=100_000)]
    others: Annotated[float, Meta(ge=-100_000, le=100_000)]


class ChapterState(Struct, frozen=True, forbid_unknown_fields=True):
    stars: Annotated[int, Meta(ge=0, le=3)] = 0
    clean_on: date | None = None
    """First day on which it was passed clean."""
    mastered: bool = False


class Day(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    answered: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    clean: Annotated[int, Meta(ge=0, le=1_000_000)] = 0

    def __post_init__(self) -> None:
        if self.clean > self.answered:
            raise ValueError("more were right than answered")


class Progress(Struct, frozen=True, forbid_unknown_fields=True):
    """Progress by ``ruleset/chapter``; skills by ``ruleset/chapter/kind``, or ``ruleset/kept/file`` of a puzzle."""

    chapters: dict[Name, ChapterState] = {}
    skills: dict[Name, Skill] = {}
    deals: dict[Name, Annotated[tuple[OwnDeal, ...], Meta(max_length=RECENT)]] = {}
    days: dict[date, Day] = {}
    version: Literal[1] = 1

    def standing(self, ruleset: str, chapter: str) -> ChapterState:
        return self.chapters.get(f"{ruleset}/{chapter}", ChapterState())

    def due(self, ruleset: str, today: date) -> list[str]:
        """Return the due skills of a ruleset, ``chapter/kind``, the longest due first."""
        own = [(skill.due, name) for name, skill in self.skills.items() if name.startswith(f"{ruleset}/")]
        return [name.removeprefix(f"{ruleset}/") for due, name in sorted(own) if due <= today]

    def week(self, today: date) -> Day:
        last = [one for day, one in self.days.items() if today - timedelta(WEEK) < day <= today]
        return Day(sum(one.answered for one in last), sum(one.clean for one in last))

    def keeping(self, ruleset: str, skill: str, today: date) -> Progress:
        """Add a decision kept as a puzzle today: it is due like any skill of the first box."""
        return replace(self, skills={**self.skills, f"{ruleset}/{skill}": Skill(1, today)})

    def noted(self, session: PracticeSession[Lesson], today: date) -> Progress:
        """Count an answered exercise, and a chapter finished by it."""
        lesson, attempt = session.source, session.attempt
        name = f"{lesson.rules.ruleset.id}/{lesson.tasks[session.number].skill}"
        before = self.skills.get(name, Skill(1, today))
        after = before.after(Try(attempt.is_clean, round(attempt.seconds, 1)), today)
        day = self.days.get(today, Day())
        days = {**self.days, today: Day(day.answered + 1, day.clean + attempt.is_clean)}
        kept = {day: days[day] for day in sorted(days)[-REMEMBERED:]}
        progress = replace(self, skills={**self.skills, name: after}, days=kept)
        is_finished = session.is_over and lesson.chapter is not None
        return progress._finished(session, today) if is_finished else progress

    def _finished(self, session: PracticeSession[Lesson], today: date) -> Progress:
        ruleset, chapter = session.source.rules.ruleset.id, session.source.chapter
        assert chapter is not None
        before = self.standing(ruleset, chapter.id)
        stars, clean_on = max(1, before.stars), before.clean_on
        if session.is_clean:
            stars = 3 if clean_on is not None and clean_on < today else max(2, before.stars)
            clean_on = clean_on or today
        mastered = before.mastered or (stars == 3 and self._is_mastered(ruleset, chapter))
        now = ChapterState(stars, clean_on, mastered)
        return replace(self, chapters={**self.chapters, f"{ruleset}/{chapter.id}": now})

    def played(self, ruleset: str, chapter: Chapter, deal: OwnDeal) -> Progress:
        name = f"{ruleset}/{chapter.id}"
        after = replace(self, deals={**self.deals, name: (*self.deals_of(ruleset, chapter.id), deal)[-RECENT:]})
        before = self.standing(ruleset, chapter.id)
        if before.stars < 3 or before.mastered or not after._is_mastered(ruleset, chapter):
            return after
        return replace(after, chapters={**after.chapters, name: replace(before, mastered=True)})

    def deals_of(self, ruleset: str, chapter: str) -> tuple[OwnDeal, ...]:
        return self.deals.get(f"{ruleset}/{chapter}", ())

    def _is_mastered(self, ruleset: str, chapter: Chapter) -> bool:
        wanted = chapter.mastery
        if wanted is None:
            return True
        if wanted.kind in ALONE:
            deals = self.deals_of(ruleset, chapter.id)[-wanted.of :]
            own, others = sum(deal.points for deal in deals), sum(deal.others for deal in deals)
            good = sum(deal.laid for deal in deals) >= wanted.right if wanted.kind == "laid" else own <= others
            return good and len(deals) == wanted.of
        skill = self.skills.get(f"{ruleset}/{chapter.id}/{wanted.kind}")
        last = () if skill is None else skill.recent[-wanted.of :]
        if len(last) < wanted.of or sum(one.clean for one in last) < wanted.right:
            return False
        return wanted.seconds is None or sum(one.seconds for one in last) <= wanted.seconds

    def next_chapter(self, ruleset: str, chapters: Iterable[Chapter]) -> Chapter | None:
        return next((chapter for chapter in chapters if not self.standing(ruleset, chapter.id).stars), None)
