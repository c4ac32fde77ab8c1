"""Purposes of a session, with what is said and saved, and the state of answering its exercises. No screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from time import monotonic
from typing import Any, ClassVar, Final

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.lesson import KeptTask, Lesson
from kalooki_tui.coach.course.progress import ALONE
from kalooki_tui.coach.exercises.definition import (
    AnswerForm,
    Exercise,
    LearnerAnswer,
    Say,
    Verdict,
    answer_to,
    fill,
    options,
    question,
)
from kalooki_tui.coach.exercises.dice import why_as_it_lies
from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import Puzzle, Series
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.presenter.commands import key_of, not_open
from kalooki_tui.presenter.turn_state import Groups, Staging, arrangements
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.player.progress_file import PuzzleFile
from kalooki_tui.training.coached_deals import has_deal
from kalooki_tui.training.moments import match_of_view, plan_at
from kalooki_tui.training.skills import Learning, next_star, stars_text
from kalooki_tui.wording import counted


class Next(StrEnum):
    GO_ON = "go-on"
    DEAL = "deal"
    OWN_DEAL = "own-deal"
    CHAPTER = "chapter"
    AGAIN = "again"
    BACK = "back"
    PLAY_ON = "play-on"


class CoachWords(Struct, frozen=True):
    text: str
    cards: tuple[Card, ...] = ()
    is_meld: bool | None = None
    """Are they the meld that they are shown as? None: they are shown as none."""
    rule: str = ""
    """Why they are not."""


def opening(learning: Learning, chapter: Chapter) -> list[CoachWords]:
    """Return what a chapter says first, and its worked example."""
    rules, words = learning.rules, learning.words
    told = [CoachWords(text) for text in (*learning.foreword(chapter), words(chapter.words))]
    for line in chapter.examples:
        why = None if line.kind is None else why_as_it_lies(rules.ruleset, line.cards, line.kind)
        said = words(line.words, cost=str(rules.points(line.cards))) if line.words else ""
        rule = "" if why is None else f"{why.message} ({why.clause})"
        told.append(CoachWords(said, line.cards, None if line.kind is None else why is None, rule))
    return told


class TrainingMode:
    """Exercises for their own sake: nothing is saved."""

    leaving: ClassVar[str] = ""
    chapter: Chapter | None = None

    def __init__(self, session: PracticeSession[Any]) -> None:
        self.session = session

    @property
    def onward(self) -> list[tuple[str, str, Next]]:
        """Choices after a right answer (key, words, what); empty: the next exercise opens by itself."""
        return []

    @property
    def heading(self) -> str:
        name: str = self.session.source.rules.ruleset.name
        return name

    def answered(self) -> None: ...

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
        session = self.session
        return [f"{session.clean} of {counted(len(session.over), 'exercise')} right at the first try."]

    @property
    def following(self) -> list[tuple[str, str, Next]]:
        return []


class CourseMode(TrainingMode):
    """Chapter from its words to its result, or a practice of what is due: progress is saved."""

    session: PracticeSession[Lesson]
    leaving: ClassVar[str] = "What you have answered counts for your practice; the chapter starts again next time."

    def __init__(self, learning: Learning, session: PracticeSession[Lesson]) -> None:
        super().__init__(session)
        self.learning, self.chapter = learning, session.source.chapter

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
        return [("enter", "Go on", Next.GO_ON)] if self.reason else []

    def answered(self) -> None:
        if self.session.attempt.is_over:
            self.learning.note(self.session)

    @property
    def result(self) -> list[str]:
        session, chapter, learning = self.session, self.chapter, self.learning
        told = [f"{session.clean} of {counted(len(session.over), 'exercise')} right first time and without help."]
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


class Puzzles(TrainingMode):
    """Series of puzzles; the first try counts for the rating."""

    session: PracticeSession[Series]

    def __init__(
        self,
        session: PracticeSession[Series],
        file: PuzzleFile | None,
        tell: Callable[[str], object] = lambda told: None,
    ) -> None:
        super().__init__(session)
        self.file = None if session.source.is_own else file
        self.tell = tell
        self._rated: dict[int, float] = {}
        """Places of puzzles whose first try has counted, and what it changed."""

    @property
    def onward(self) -> list[tuple[str, str, Next]]:
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
        found = [] if self.session.is_last else [("enter", "The next puzzle", Next.GO_ON)]
        if self.puzzle.file is not None or self.puzzle.exercise.view is not None:
            found.append(("o", "Play on from here", Next.PLAY_ON))
        return [*found, ("m", "Back", Next.BACK)]

    def plan(self) -> MatchPlan:
        """Plan the match that goes on from the puzzle; raise ValueError if its file has changed, or it has no table."""
        puzzle, view = self.puzzle, self.puzzle.exercise.view
        if puzzle.file is not None:
            return plan_at(set_up(load_position(puzzle.file)), puzzle.code)
        if view is None:
            raise ValueError("this puzzle shows no table to play on from")
        return plan_at(match_of_view(view, puzzle.code), f"puzzle {puzzle.code}")


#: Options up to this length stand side by side.
SHORT: Final = 12


class ExerciseState(Staging):
    def __init__(self, session: PracticeSession[Any]) -> None:
        super().__init__()
        self.session = session
        self.said = ""
        """Reply to the last answer, or a step of help."""
        self._since = monotonic()

    @property
    def exercise(self) -> Exercise:
        return self.session.exercise

    def begin(self) -> None:
        self.staged, self.said = [], ""
        self._since = monotonic()

    # What is shown

    @property
    def question(self) -> str:
        return question(self.exercise, shown=True)

    @property
    def options(self) -> list[tuple[str, str]]:
        texts = options(self.exercise)
        return list(zip(self.exercise.keys, texts, strict=False))

    @property
    def option_keys(self) -> str:
        keys = [key for key, _ in self.options]
        return " or ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))

    @property
    def in_a_row(self) -> bool:
        return all(len(text) <= SHORT for _, text in self.options)

    @property
    def staged_melds(self) -> tuple[Meld, ...]:
        return tuple(make_meld(self.exercise.rules.ruleset, 0, group) for group in self.staged)

    @property
    def keys(self) -> str:
        exercise, how = self.exercise, self.exercise.how
        if how is AnswerForm.OPTION:
            return ""
        case = "by-more-melds" if how is AnswerForm.MELDS and self.staged else f"by-{how}"
        keys = {name: key_of(name) for name in ("lay", "confirm", "take-back")}
        key = key_of(exercise.command) if exercise.command else ""
        return fill(exercise, Say(case, {**keys, "key": key, "does": [Say("key")]}))

    @property
    def label(self) -> str:
        return fill(self.exercise, Say("label")) if self.exercise.command else ""

    # What is done

    def why_not(self, command: str, selected: Sequence[Card]) -> Refusal | None:
        """Refuse a command of the table that does not answer this exercise now."""
        how = self.exercise.how
        if self.session.attempt.right:
            return not_open("", "That was right: the next exercise opens.")
        if how is AnswerForm.MELDS and command == "confirm":
            return None if self.staged else not_open("L1", "Nothing is put together yet.")
        wanted = "lay" if how is AnswerForm.MELDS else self.exercise.command
        if command != wanted:
            return not_open("", "This exercise does not ask for that. " + (self.keys or "Choose one of the answers."))
        if how in (AnswerForm.CARDS, AnswerForm.MELDS) and not selected and not self.staged:
            return not_open("", "First choose the cards: space, or a click.")
        return None

    def take(self, answer: LearnerAnswer) -> Verdict:
        verdict = self.session.answer(answer, monotonic() - self._since)
        if verdict.right:
            self.said = ""
            return verdict
        told = answer_to(self.exercise, verdict, solved=self.session.is_solved)
        options = self.options
        # Of two answers the other one is right: there is nothing left to try.
        other = options[1 - (answer.option or 0)][0] if len(options) == 2 else ""
        self.said = f"{told} {f'Press {other}.' if other else 'Try again.'}"
        return verdict

    def take_cards(self, cards: Sequence[Card]) -> Verdict:
        return self.take(LearnerAnswer(tuple(cards)))

    def ask_again(self, card: Card) -> None:
        """Say that the card under the cursor is now chosen, and what the same key does."""
        key, symbol = key_of(self.exercise.command), self.exercise.rules.faces.symbol(card)
        self.said = f"{key} again answers {symbol}; {key_of('take-back')} takes it back."

    def take_staged(self) -> Verdict:
        return self.take(LearnerAnswer(groups=tuple(self.staged)))

    def arrange(self, cards: Sequence[Card]) -> list[Groups] | Refusal:
        exercise = self.exercise
        return arrangements(exercise.rules, exercise.contract, 0, cards, self.staged_melds)

    def help(self) -> str:
        self.said = self.session.help()
        return self.said
