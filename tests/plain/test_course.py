import pytest

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.engine.actions import Cut, Discard, Draw
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.plain import course
from kalooki_tui.plain.console import Lines
from kalooki_tui.plain.course import chapter_text, play_coached
from kalooki_tui.plain.plain_match import PlainMatch
from kalooki_tui.storage.player.progress_file import ProgressFile
from kalooki_tui.training.skills import Learning
from tests.coach.walking import follow_hints
from tests.commands import Golden
from tests.moments import there
from tests.plain.typing_in import Screen


def chapter_of(ruleset: str, chapter_id: str) -> tuple[Learning, Chapter]:
    learning = Learning.of(ruleset, ProgressFile.load(), print)
    chapter = there(learning.course.chapter(chapter_id))
    return learning, chapter


class Learner(Lines):
    """Types what the coach advises, or a careless throw; answers other questions as told."""

    def __init__(self, *, careless: bool = False, again: int = 0) -> None:
        self.screen = Screen()
        super().__init__(self.screen, self.screen, width=400)
        self.match: PlainMatch | None = None
        self.careless, self.again = careless, again
        self.asked: list[str] = []
        self.first: list[str] = []
        """What is typed before any move."""

    def ask(self, question: str) -> str:
        self.asked.append(question)
        self.tell(question)
        if question.startswith("Play which again?"):
            self.again -= 1
            return "1" if self.again >= 0 else ""
        if question.endswith("yes or no:"):
            return "yes"
        if question.endswith("go on:"):
            return ""
        assert self.match is not None
        view = self.match._client.view(0)
        if "0 to 5:" in question:
            return "3"
        if self.first:
            return self.first.pop(0)
        if view.phase == "cut":
            return str(Cut(0, 30).count)
        careless = next((one for one in view.legal if self.careless and isinstance(one, Draw | Discard)), None)
        action = careless or follow_hints(view)
        return print_answer(action, view.names, view.rules.faces) if action is not None else "p"


def played(monkeypatch: pytest.MonkeyPatch, learner: Learner, ruleset: str, chapter_id: str) -> str:
    matches = course._CoachedMatch

    def made(*given: object, **named: object) -> PlainMatch:
        learner.match = matches(*given, **named)  # type: ignore[arg-type]
        return learner.match

    monkeypatch.setattr(course, "_CoachedMatch", made)
    learning, chapter = chapter_of(ruleset, chapter_id)
    play_coached(learner, learning, chapter, warned=True)
    return learner.screen.getvalue()


def test_a_chapter_is_told_with_its_worked_example_judged(golden: Golden) -> None:
    golden("plain-chapter", chapter_text(*chapter_of("jamaican", "sets")))


def test_a_coached_deal_is_played_to_its_end_with_the_coachs_words(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    learner = Learner()
    learner.first = ["seats"]
    told = played(monkeypatch, learner, "baby", "sets")
    golden("plain-coached", told)


def test_a_costly_throw_is_warned_of_looked_back_on_and_played_again(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    learner = Learner(careless=True, again=1)
    told = played(monkeypatch, learner, "baby", "turn")
    golden("plain-warned", told)


def test_the_distance_is_asked_before_it_is_told(monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    golden("plain-distance", played(monkeypatch, Learner(), "jamaican", "distance"))
