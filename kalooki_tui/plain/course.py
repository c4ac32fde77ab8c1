"""Chapter of the course as lines of text: its words and worked example, and its deal with the coach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kalooki_tui.cards import suit_first
from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.exercises.definition import question
from kalooki_tui.coach.exercises.kinds.hand_questions import FARTHEST
from kalooki_tui.coach.rated_advice import warning
from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.engine.actions import Action, Allow, Discard, Draw, Pass
from kalooki_tui.engine.view import View
from kalooki_tui.plain.console import Ended, Lines
from kalooki_tui.plain.plain_match import PlainMatch, at_match
from kalooki_tui.session.plan import Speed
from kalooki_tui.training.coached_deals import Coach, Guessing, dearest, open_deal
from kalooki_tui.training.modes import opening
from kalooki_tui.training.skills import Learning

#: What is asked after a warning, by the action.
_DONE: Final[Mapping[type[Action], str]] = {
    Discard: "Throw it", Draw: "Draw from the stock", Pass: "Let it go", Allow: "Allow it",
}  # fmt: skip


def chapter_text(learning: Learning, chapter: Chapter) -> str:
    lines = [learning.title(chapter)]
    for told in opening(learning, chapter):
        judged = {None: "", True: "right.", False: "wrong."}[told.is_meld]
        said = " ".join(filter(None, (judged, told.rule, told.text)))
        cards = learning.rules.faces.symbols(told.cards)
        lines.append(f"{cards}: {said}" if cards else said)
    return "\n".join(lines)


def play_coached(lines: Lines, learning: Learning, chapter: Chapter, *, warned: bool) -> None:
    """Play a chapter's deal with the coach, and again from decisions as long as wanted; raise ValueError without
    one.
    """
    until: tuple[Action, ...] | None = ()
    while until is not None:
        played = _CoachedMatch(lines, learning, chapter, until, warned=warned)
        try:
            played.play()
        except Ended:
            return
        until = played.chosen


class _CoachedMatch(PlainMatch):
    plays_on = False  # the deal was chosen for what the facts say, and hints say it with the arrow
    may_reseat = False

    def __init__(
        self, lines: Lines, learning: Learning, chapter: Chapter, until: tuple[Action, ...], *, warned: bool
    ) -> None:
        plan, self._live = open_deal(learning, chapter, Speed.INSTANT, until=until)
        super().__init__(lines, at_match(plan, self._live))
        assert chapter.coached is not None
        self._warns = warned
        self._coach = Coach(learning, chapter)
        self._guessing = Guessing() if chapter.coached.guess else None
        self.chosen: tuple[Action, ...] | None = None
        """Actions before the decision that is played again; None: none."""

    def _situation(self, view: View) -> None:
        known = self._told
        if self._guessing is not None:
            self._guess(view, self._guessing)
        super()._situation(view)
        if self._told == known:
            return
        symbols, names = view.rules.faces.symbols, view.names
        for seat, hand in self._client.open_hands():
            self._lines.tell(f"{names[seat]} holds {symbols(sorted(hand, key=suit_first))}.")
        said = self._coach.say(view)
        self._coach.told(view)
        if said:
            self._lines.tell(f"Coach: {said}")

    def _guess(self, view: View, guessing: Guessing) -> None:
        asked = guessing.asks(view)
        if asked is None:
            return
        self._lines.tell(view.rules.faces.symbols(sorted(view.hand, key=suit_first)))
        answer = self._lines.ask(f"{question(asked)} 0 to {FARTHEST}:")
        while not (answer.isascii() and answer.isdigit() and int(answer) <= FARTHEST):
            answer = self._lines.ask(f"0 to {FARTHEST}:")
        self._lines.tell(guessing.told(view, asked, int(answer)))

    def _act(self, action: Action) -> None:
        done = _DONE.get(type(action))
        if self._warns and done and self._client.why_not(action) is None:
            words = warning(self._client.view(action.seat), action, worlds=0)
            if words:
                self._lines.tell(f"Coach: {words}")
                if not self._lines.confirm(f"{done} all the same?"):
                    return
        super()._act(action)

    def _cut(self, view: View) -> None:
        if self._coach.at_the_cut:
            self._lines.tell(f"Coach: {self._coach.at_the_cut}")
        super()._cut(view)

    def _deal_over(self) -> None:
        super()._deal_over()
        said = sentences("course")["recap"]
        dear = dearest(self._live.decisions(0), warned=self._warns)
        self._lines.tell(said["some"] if dear else said["none"])
        if dear:
            chosen = self._lines.choose("Play which again?", [one.words for one in dear])
            self.chosen = None if chosen is None else self._live.actions[: dear[chosen].place]
        self._over.set()
