"""What a session is for: what is said round its exercises, what is kept of the answers, what there is to do after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from kalooki_tui.cards import Card
from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.lesson import KeptTask, Lesson
from kalooki_tui.coach.course.progress import ALONE
from kalooki_tui.coach.exercises.drawing import why_as_it_lies
from kalooki_tui.coach.puzzles import Puzzle, Series
from kalooki_tui.coach.session import Session
from kalooki_tui.desk.study.coached import has_deal
from kalooki_tui.desk.study.learning import Learning, next_star, stars_text
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.player.puzzles import PuzzleFile
from kalooki_tui.wording import counted


class Next(StrEnum):
    GO_ON = "go-on"
    DEAL = "deal"
    OWN_DEAL = "own-deal"
    CHAPTER = "chapter"
    AGAIN = "again"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Told:
    """A paragraph before the exercises."""

    text: str
    cards: tuple[Card, ...] = ()
    is_meld: bool | None = None
    """Whether the cards are the meld that they are shown as; None: they are shown as none."""


class Occasion:
    """Exercises for their own sake: nothing is kept."""

    leaving: ClassVar[str] = ""
    """What is lost by leaving in the middle."""
    chapter: Chapter | None = None
    """The chapter whose words come first."""

    def __init__(self, session: Session[Any]) -> None:
        self.session = session

    @property
    def onward(self) -> list[tuple[str, str, Next]]:
        """What there is to do after a right answer: keys, words; nothing where the next exercise opens by itself."""
        return []

    @property
    def heading(self) -> str:
        return f"{self.session.code}  {self.session.source.rules.ruleset.name}"

    def answered(self) -> None:
        """Keep what the answer just given comes to."""

    @property
    def reason(self) -> str:
        return ""

    @property
    def line(self) -> str:
        return ""

    @property
    def told_after(self) -> list[str]:
        line = self.line if self.session.attempt.right else ""
        return [text for text in (self.reason, line) if text]

    @property
    def result(self) -> list[str]:
        result = self.session.result
        return [f"{result.clean} of {counted(len(result.attempts), 'exercise')} right at the first try."]

    @property
    def following(self) -> list[tuple[str, str, Next]]:
        return []


class Course(Occasion):
    """A chapter from its words to its result, or a practice of what is due: what was learnt is kept."""

    session: Session[Lesson]
    leaving: ClassVar[str] = "What you have answered counts for your practice; the chapter starts again next time."

    def __init__(self, learning: Learning, session: Session[Lesson]) -> None:
        super().__init__(session)
        self.learning, self.chapter = learning, session.source.chapter

    @property
    def opening(self) -> list[Told]:
        """What comes before the exercises of a chapter: a few words, then a worked example."""
        chapter, learning = self.chapter, self.learning
        if chapter is None:
            return []
        rules, words = learning.rules, learning.words
        told = [Told(text) for text in (*learning.foreword(chapter), words(chapter.words))]
        for line in chapter.examples:
            why = None if line.kind is None else why_as_it_lies(rules.ruleset, line.cards, line.kind)
            said = words(line.words, cost=str(rules.points(line.cards))) if line.words else ""
            rule = "" if why is None else f"{why.message} ({why.clause})"
            told.append(Told(said or rule, line.cards, None if line.kind is None else why is None))
        return told

    @property
    def title(self) -> str:
        return "Practice" if self.chapter is None else self.learning.title(self.chapter)

    @property
    def heading(self) -> str:
        attempts, count = self.session.attempts, self.session.source.count
        done = "".join("●" if attempt.is_clean else "○" for attempt in attempts if attempt.is_over)
        title = "Practice" if self.chapter is None else self.learning.words(self.chapter.title)
        place = f"{min(len(attempts), count)} of {count}"
        return f"{title}  ·  exercise {place}   {done}{'·' * (count - len(done))}"

    @property
    def reason(self) -> str:
        task = self.session.source.tasks[self.session.number]
        return task.puzzle.reason if isinstance(task, KeptTask) else ""

    @property
    def onward(self) -> list[tuple[str, str, Next]]:
        """The next exercise opens by itself unless there is a reason to read first."""
        return [("enter", "Go on", Next.GO_ON)] if self.reason else []

    def answered(self) -> None:
        """Note the skill, and the chapter whose last exercise it was."""
        if self.session.attempt.is_over:
            self.learning.note(self.session)

    @property
    def result(self) -> list[str]:
        result, chapter, learning = self.session.result, self.chapter, self.learning
        told = [f"{result.clean} of {counted(len(result.attempts), 'exercise')} right first time and without help."]
        if chapter is None:
            left = len(learning.due)
            return [*told, f"{counted(left, 'skill')} left to practise today." if left else "That was all for today."]
        stars = f"{learning.words(chapter.title)}: {stars_text(learning.standing(chapter))}"
        return [*told, stars, next_star(learning, chapter)]

    @property
    def deals(self) -> list[tuple[str, str, Next]]:
        if self.chapter is None or not has_deal(self.learning, self.chapter):
            return []
        wanted = self.chapter.mastery
        own = ("o", "Play a deal on your own: new cards, no coach", Next.OWN_DEAL)
        coached = ("d", "Play a deal with the coach", Next.DEAL)
        return [coached, own] if wanted is not None and wanted.kind in ALONE else [coached]

    @property
    def following(self) -> list[tuple[str, str, Next]]:
        found, chapter = self.deals, self.learning.next_chapter
        if chapter is not None and chapter is not self.chapter:
            found.append(("n", f"Next chapter: {self.learning.words(chapter.title)}", Next.CHAPTER))
        if self.chapter is not None:
            found.append(("g", "This chapter again, with new exercises", Next.AGAIN))
        return [*found, ("m", "Back to the chapters", Next.BACK)]


class Puzzles(Occasion):
    """One puzzle after another; the first try counts for the rating."""

    session: Session[Series]

    def __init__(
        self, session: Session[Series], file: PuzzleFile | None, tell: Callable[[str], object] = lambda told: None
    ) -> None:
        super().__init__(session)
        self.file = None if session.source.is_own else file
        self.tell = tell
        """Says what went wrong with the file."""
        self._rated: dict[int, float] = {}
        """Places of puzzles whose first try has counted, and what it changed."""

    @property
    def onward(self) -> list[tuple[str, str, Next]]:
        """A solved puzzle is looked at for as long as somebody wants."""
        return self.following

    @property
    def puzzle(self) -> Puzzle:
        self.session.prepare(self.session.number)
        return self.session.source.puzzles[self.session.number]

    @property
    def heading(self) -> str:
        about = f"{self.puzzle.code}  {self.puzzle.stars}"
        if self.file is None:
            return f"{about}  {self.session.exercise.rules.ruleset.name}"
        solved = self.file.solved
        change = self._rated.get(self.session.number) if self.session.attempt.right else None
        rating = f"your rating {solved.rating.rating:.0f}" if solved.tried else "no rating yet"
        changed = "" if change is None else f" ({change:+.0f})"
        return f"Puzzle {about}  ·  {self.session.exercise.rules.ruleset.name}  ·  {rating}{changed}"

    def answered(self) -> None:
        number, attempt = self.session.number, self.session.attempt
        if self.file is None or number in self._rated:
            return
        before = self.file.solved
        after = before.noted(self.session.exercise.kind, self.puzzle.rating, right=attempt.is_clean)
        self._rated[number] = after.rating.rating - before.rating.rating
        try:
            self.file.save(after)
        except StoreError as error:
            self.tell(str(error))

    @property
    def reason(self) -> str:
        return self.puzzle.reason

    @property
    def line(self) -> str:
        return self.puzzle.share(self.session.attempt.seconds)

    @property
    def following(self) -> list[tuple[str, str, Next]]:
        more = [] if self.session.is_last else [("enter", "The next puzzle", Next.GO_ON)]
        return [*more, ("m", "Back", Next.BACK)]
