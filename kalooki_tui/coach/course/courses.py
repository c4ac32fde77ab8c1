"""Which chapters a ruleset's course has, those that its policies call for; and their coached deals."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.coach.clauses import fact_or_policy
from kalooki_tui.coach.course.chapter import SEATS, Chapter, Step, shipped
from kalooki_tui.coach.exercises.registry import rules_for
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.model import CallRules, Ruleset
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: The whole course, from nothing; every other ruleset's tells what is different there.
WHOLE: Final = DEFAULT_RULESET
#: Chapters of the whole course that short rulesets begin with: of so many deals at most, each of so many melds at most.
GENTLE: Final = 4
GENTLE_DEALS: Final = 3
GENTLE_MELDS: Final = 2
#: In a chapter's `when`: any other value than that of the whole course's ruleset.
OTHER: Final = "other"


class Course(Struct, frozen=True):
    rules: Rules
    chapters: tuple[Chapter, ...]
    whole: bool
    """Starts from nothing; else it teaches only the differences from the whole course."""

    @property
    def id(self) -> str:
        return self.rules.ruleset.id

    def chapter(self, chapter_id: str) -> Chapter | None:
        """Find a chapter by its id, or by its number from 1."""
        named = {str(number): chapter for number, chapter in enumerate(self.chapters, start=1)}
        named |= {chapter.id: chapter for chapter in self.chapters}
        return named.get(chapter_id)

    def having(self, chapter: Chapter) -> Course:
        """Add a user's chapter: in place of the one with its id, else at the end."""
        if self.chapter(chapter.id) is None:
            return replace(self, chapters=(*self.chapters, chapter))
        return replace(self, chapters=tuple(chapter if one.id == chapter.id else one for one in self.chapters))

    def number(self, chapter: Chapter) -> int:
        return self.chapters.index(chapter) + 1

    def before(self, chapter: Chapter) -> tuple[Chapter, ...]:
        """Return the chapters known before one is begun; differences are learnt after the whole course."""
        known = () if self.whole else tuple(one for one in shipped() if not one.when)
        return (*known, *self.chapters[: self.chapters.index(chapter)])


def course_of(ruleset: str = WHOLE) -> Course:
    """Return the course of a ruleset, shipped or a user's own; raise ValueError if there is no such ruleset."""
    rules = rules_for(ruleset)
    found = rules.ruleset
    core = [chapter for chapter in shipped() if not chapter.when]
    if is_gentle(found):
        return Course(rules, tuple(core[:GENTLE]), whole=True)
    whole, known = found.id == WHOLE, load_ruleset(WHOLE)
    called_for = [
        chapter
        for chapter in shipped()
        if chapter.when
        and all(_has(found, path, values) for path, values in chapter.when.items())
        and (chapter.always or not all(_has(known, path, values) for path, values in chapter.when.items()))
    ]
    return Course(rules, (*core, *called_for) if whole else tuple(called_for), whole)


def is_gentle(ruleset: Ruleset) -> bool:
    few = all(deal.sets + deal.runs <= GENTLE_MELDS and not deal.points for deal in ruleset.deals)
    return len(ruleset.deals) <= GENTLE_DEALS and few


def _has(ruleset: Ruleset, path: str, values: tuple[object, ...]) -> bool:
    """Check a policy or a fact against values; `OTHER`: any value but that of the whole course's ruleset."""
    value = fact_or_policy(ruleset, path)
    return value in values or (OTHER in values and value != fact_or_policy(load_ruleset(WHOLE), path))


#: Who sits there: the learner, then AI seats.
LEVEL: Final = "club"
EASY: Final = "novice"
#: Turns of the learner in which a point is early.
EARLY: Final = 4


class CoachedDeal(NamedTuple):
    match: Match
    """Dealt, the learner to begin or to cut (B1)."""
    level: str


def coached_deal(chapter: Chapter, ruleset: str, seed: int | None = None, *, alone: bool = False) -> CoachedDeal | None:
    """Return a chapter's coached deal in the course of a ruleset, or None; `seed`: not the shipped one.

    Where it is another ruleset's, the words are still those of the course. `alone`: a deal without the coach, which is
    to be scored, at a table of the usual size.
    """
    coached = chapter.coached
    if coached is None:
        return None
    name = coached.ruleset or ruleset
    shipped = coached.seeds.get(name) if seed is None else seed
    if shipped is None:
        return None
    found = load_ruleset(name)
    wanted = SEATS if alone else coached.seats
    seats = min(found.seat_counts, key=lambda count: abs(count - wanted))
    resolved = replace(resolve(found, (), seats), vocabulary=load_ruleset(ruleset).vocabulary)
    if not coached.calls:
        resolved = replace(resolved, calls=CallRules(limit=0))
    number = Step("build", coached.deal).number(resolved)
    referee = Referee.PENALTIES if coached.penalties else Referee.STRICT
    settings = make_settings(resolved, {"dealer_cut": True} if coached.cut else {})
    rules, names = make_rules(resolved, seats, referee, settings), (FIRST_NAME, *AI_NAMES)[:seats]
    dealer, first = (0, 1) if coached.cut else (seats - 1, 0)
    deal = Deal(rules, names, number, dealer, first, f"course/{shipped}")
    deal.begin()
    return CoachedDeal(Match(MatchSetup(rules, names, shipped), deal), EASY if coached.open_hands else LEVEL)
