"""Which chapters a ruleset's course has: those that are named for it, else those that its policies call for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kalooki_tui.coach.clauses import policy
from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.chapter_files import shipped
from kalooki_tui.coach.exercises.making import rules_for
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Ruleset

#: The whole course, from nothing; every other ruleset's tells what is different there.
WHOLE: Final = DEFAULT_RULESET
#: Chapters of the whole course that short rulesets begin with: of so many deals at most, each of so many melds at most.
GENTLE: Final = 4
GENTLE_DEALS: Final = 3
GENTLE_MELDS: Final = 2
#: In a chapter's `when`: any other value than that of the whole course's ruleset.
OTHER: Final = "other"


@dataclass(frozen=True)
class Course:
    """The chapters of a ruleset, in order."""

    rules: Rules
    chapters: tuple[Chapter, ...]
    whole: bool
    """Whether it begins with nothing known; if not, it tells what is different from the whole course."""

    @property
    def id(self) -> str:
        return self.rules.ruleset.id

    def chapter(self, chapter_id: str) -> Chapter | None:
        """A chapter by its id, or by its number from 1."""
        named = {str(number): chapter for number, chapter in enumerate(self.chapters, start=1)}
        named |= {chapter.id: chapter for chapter in self.chapters}
        return named.get(chapter_id)

    def having(self, chapter: Chapter) -> Course:
        """The same with a chapter of one's own: in the place of the one with its id, else at the end."""
        if self.chapter(chapter.id) is None:
            return replace(self, chapters=(*self.chapters, chapter))
        return replace(self, chapters=tuple(chapter if one.id == chapter.id else one for one in self.chapters))

    def number(self, chapter: Chapter) -> int:
        """The number of a chapter, from 1: in lists, above its page, on the command line."""
        return self.chapters.index(chapter) + 1

    def before(self, chapter: Chapter) -> tuple[Chapter, ...]:
        """The chapters that are known when one is begun; what is different is learnt after the whole course."""
        known = () if self.whole else tuple(one for one in shipped() if not one.when)
        return (*known, *self.chapters[: self.chapters.index(chapter)])


def course_of(ruleset: str = WHOLE) -> Course:
    """The course of a ruleset, shipped or a user's own.

    Raises:
        ValueError: there is no such ruleset.
    """
    rules = rules_for(ruleset)
    found = rules.ruleset
    core = [chapter for chapter in shipped() if not chapter.when]
    if is_gentle(found):
        return Course(rules, tuple(core[:GENTLE]), whole=True)
    called_for = [chapter for chapter in shipped() if chapter.when and _is_called_for(chapter, rules)]
    whole = found.id == WHOLE
    return Course(rules, (*core, *called_for) if whole else tuple(called_for), whole)


def is_gentle(ruleset: Ruleset) -> bool:
    """Whether a ruleset is short enough to begin with."""
    few = all(deal.sets + deal.runs <= GENTLE_MELDS and not deal.points for deal in ruleset.deals)
    return len(ruleset.deals) <= GENTLE_DEALS and few


def _is_called_for(chapter: Chapter, rules: Rules) -> bool:
    """Whether the ruleset's policies are the chapter's, and not those of the whole course as well."""
    known = load_ruleset(WHOLE)
    if not all(_has(rules.ruleset, path, values) for path, values in chapter.when.items()):
        return False
    return chapter.always or not all(_has(known, path, values) for path, values in chapter.when.items())


def _has(ruleset: Ruleset, path: str, values: tuple[object, ...]) -> bool:
    """Whether a policy has one of the values; `OTHER` is any that the whole course's ruleset has not."""
    value = policy(ruleset, path)
    return value in values or (OTHER in values and value != policy(load_ruleset(WHOLE), path))
