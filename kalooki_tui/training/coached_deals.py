"""A coached deal at the state: its table, what the coach says at a moment, and what the learner looks back on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kalooki_tui.coach.course.chapter import Chapter, Remark
from kalooki_tui.coach.course.courses import EARLY, coached_deal
from kalooki_tui.coach.course.progress import OwnDeal
from kalooki_tui.coach.exercises.definition import LearnerAnswer, answer_to
from kalooki_tui.coach.exercises.kinds.hand_questions import FARTHEST, Away
from kalooki_tui.coach.rated_advice import costs_of, hint, kind_of
from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.engine.events import Discarded, Scored
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.players.seat import open_card
from kalooki_tui.session.plan import MatchPlan, Speed
from kalooki_tui.storage.journal import MatchJournal, unwritten
from kalooki_tui.training.skills import Learning
from kalooki_tui.wording import Person

_MOMENTS: Final = {
    Phase.DRAW: "draw", Phase.CALL_WINDOW: "call", Phase.FLIP_WINDOW: "call", Phase.DECISION: "decision",
    Phase.FLIP_DECISION: "decision", Phase.PLAY: "play", Phase.ADD_ON: "add-on",
}  # fmt: skip
ARROW: Final = "→"


def has_deal(learning: Learning, chapter: Chapter) -> bool:
    return coached_deal(chapter, learning.course.id) is not None


def open_deal(
    learning: Learning, chapter: Chapter, speed: Speed, own_seed: int | None = None, until: Sequence[Action] = ()
) -> tuple[MatchPlan, MatchJournal]:
    """Open a chapter's coached deal after `until`, and its plan; raise ValueError if it has none.

    `own_seed`: other cards, and no coach.
    """
    found = coached_deal(chapter, learning.course.id, own_seed, alone=own_seed is not None)
    if found is None:
        raise ValueError(f"chapter {chapter.id!r} has no coached deal in this course")
    match, rules = found.match, found.match.rules
    plans = tuple(SeatPlan(name, f"ai:{found.level}" if seat else "human") for seat, name in enumerate(match.names))
    opens = chapter.coached is not None and chapter.coached.open_hands and own_seed is None
    plan = MatchPlan(rules.ruleset.id, plans, seed=match.setup.seed, speed=speed, open_hands=opens)
    setup = TableSetup(rules.ruleset, plans, match.setup.seed, rules.referee, rules.settings)
    live = unwritten(Table(setup, match, plans), teaching=own_seed is None)
    for action in until:
        live.table.attempt(action)
    return plan, live


class Coach:
    """Remarks of the chapter in one deal, and an arrow where it has them."""

    def __init__(self, learning: Learning, chapter: Chapter) -> None:
        assert chapter.coached is not None
        self._learning = learning
        self._arrows = chapter.coached.arrows
        self._left = list(chapter.coached.remarks)
        self._about: tuple[View, Remark | None] | None = None

    def say(self, view: View) -> str:
        """Return the remark to the person whose view it is, or nothing; takes some tens of milliseconds."""
        moment = _MOMENTS.get(view.phase)
        if moment is None or not view.legal:
            return ""
        try:
            # By facts alone: the deal was chosen for what they say, and they say it on every machine.
            found = hint(view, worlds=0)
        except ValueError:
            return ""
        goes_out = isinstance(found.action, Discard) and len(view.hand) == 1
        remark = self._remark(moment, "out" if goes_out else kind_of(found.action))
        self._about = (view, remark)
        card = open_card(view)
        slots = {
            "card": "" if card is None else view.rules.faces.symbol(card),
            "advice": found.suggestion,
            "game": view.rules.ruleset.name,
            "name": Person("" if view.caller is None else view.names[view.caller]),
        }
        words = "" if remark is None else self._learning.words(remark.words, **slots)
        arrow = f"{ARROW} {found.suggestion}" if self._arrows else ""
        return " ".join(part for part in (words, arrow) if part)

    def told(self, view: View) -> None:
        if self._about is None or self._about[0] != view:
            return
        said = self._about[1]
        self._left = [remark for remark in self._left if remark is not said or remark.again]

    @property
    def at_the_cut(self) -> str:
        found = self._remark("cut", "")
        return "" if found is None else self._learning.words(found.words)

    def _remark(self, moment: str, advice: str) -> Remark | None:
        return next((one for one in self._left if one.at == moment and one.advice in ("", advice)), None)


class Guessing:
    """Guesses of the distance to the contract, asked in the learner's first turns before it is shown."""

    def __init__(self) -> None:
        self._guessed: set[int] = set()

    def hides(self, view: View) -> bool:
        over = len(self._guessed) >= EARLY or has_laid(view, view.seat) or view.phase is Phase.OVER
        return not over and _turn(view) not in self._guessed

    def asks(self, view: View) -> Away | None:
        if view.phase is not Phase.DRAW or view.actor != view.seat or not self.hides(view):
            return None
        asked = Away(rules=view.rules, deal=view.deal, hand=tuple(sorted(view.hand)))
        if asked.right <= FARTHEST:
            return asked
        self._guessed.add(_turn(view))
        return None

    def told(self, view: View, asked: Away, number: int) -> str:
        self._guessed.add(_turn(view))
        verdict = asked.judge(LearnerAnswer(option=number))
        return f"Right: {asked.right} away." if verdict.right else answer_to(asked, verdict)


def _turn(view: View) -> int:
    """Return the own seat's turn, from 0; it lasts until the discard."""
    return sum(isinstance(event, Discarded) and event.seat == view.seat for event in view.history)


def own_deal(view: View, hints: int) -> OwnDeal | None:
    scored = next((event for event in reversed(view.history) if isinstance(event, Scored)), None)
    if scored is None:
        return None
    others = [points for seat, points in enumerate(scored.points) if seat != view.seat]
    laid = has_laid(view, view.seat)
    return OwnDeal(laid and not hints, scored.points[view.seat], round(sum(others) / len(others), 1))


#: Decisions that are looked back on.
MOST: Final = 3


class Dear(NamedTuple):
    place: int
    words: str


def dearest(decisions: Mapping[int, tuple[View, Action]], *, warned: bool) -> tuple[Dear, ...]:
    """Return the dearest decisions (by actions before each), overruled warnings first; by facts alone, as the coach."""
    places, found = [*decisions], list[tuple[bool, float, Dear]]()
    for number, cost in costs_of(decisions.values(), worlds=0):
        is_overruled = warned and cost.is_warned_of
        words = f"{cost.words} {sentences('course')['recap']['overruled']}" if is_overruled else cost.words
        found.append((is_overruled, cost.lost, Dear(places[number], words)))
    found.sort(key=lambda one: one[:2], reverse=True)
    return tuple(dear for *_, dear in found[:MOST])
