"""A coached deal at the desk: the table it is played at, what the coach says at a moment, hands that lie open."""

from __future__ import annotations

from typing import Final

from kalooki_tui.coach.course.chapter import Chapter, Remark
from kalooki_tui.coach.course.dealing import CoachedDeal, coached_deal
from kalooki_tui.coach.hinting import Hint, hint, kind_of
from kalooki_tui.desk.learning import Learning
from kalooki_tui.desk.plan import AskCalls, MatchPlan, Speed
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players.seat import open_card
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import Table, TableSetup

_MOMENTS: Final = {
    Phase.DRAW: "draw", Phase.CALL_WINDOW: "call", Phase.FLIP_WINDOW: "call", Phase.DECISION: "decision",
    Phase.FLIP_DECISION: "decision", Phase.PLAY: "play",
}  # fmt: skip
ARROW: Final = "→"


def has_deal(learning: Learning, chapter: Chapter) -> bool:
    """Whether a chapter has a coached deal in this course."""
    return coached_deal(chapter, learning.course.id) is not None


def open_deal(learning: Learning, chapter: Chapter, speed: Speed) -> tuple[MatchPlan, Table]:
    """The table of a chapter's coached deal, and the plan it is played by.

    Raises:
        ValueError: the chapter has none in this course.
    """
    found = coached_deal(chapter, learning.course.id)
    if found is None:
        raise ValueError(f"chapter {chapter.id!r} has no coached deal in this course")
    plans = _plans(found)
    plan = MatchPlan(found.ruleset.id, plans, seed=found.seed, speed=speed, ask_calls=AskCalls.ALWAYS)
    return plan, Table(TableSetup(found.ruleset, plans, found.seed), found.match(), plans)


def _plans(found: CoachedDeal) -> tuple[SeatPlan, ...]:
    return tuple(SeatPlan(name, f"ai:{found.level}" if seat else "human") for seat, name in enumerate(found.names))


class Coach:
    """What the coach says in one deal: each remark of the chapter once, and an arrow where it has them."""

    def __init__(self, learning: Learning, chapter: Chapter) -> None:
        assert chapter.coached is not None
        self._learning = learning
        self._arrows = chapter.coached.arrows
        self._left = list(chapter.coached.remarks)
        self._about: tuple[View, Remark | None] | None = None

    def say(self, view: View) -> str:
        """What to say to the person whose view it is; empty where there is nothing. Some tens of milliseconds."""
        moment = _MOMENTS.get(view.phase)
        if moment is None or not view.legal:
            return ""
        try:
            found = hint(view)
        except ValueError:
            return ""
        remark = self._remark(moment, kind_of(found.action))
        self._about = (view, remark)
        words = "" if remark is None else self._learning.words(remark.words, **_slots(view, found))
        arrow = f"{ARROW} {found.suggestion}" if self._arrows else ""
        return " ".join(part for part in (words, arrow) if part)

    def told(self, view: View) -> None:
        """What was said to this moment has been shown: the remark in it is not made again."""
        if self._about is None or self._about[0] != view:
            return
        self._left = [remark for remark in self._left if remark is not self._about[1]]

    def _remark(self, moment: str, advice: str) -> Remark | None:
        """The first that fits and has not been said."""
        return next((one for one in self._left if one.at == moment and one.advice in ("", advice)), None)


def _slots(view: View, found: Hint) -> dict[str, str]:
    card = open_card(view)
    return {
        "card": "" if card is None else view.rules.faces.symbol(card),
        "advice": found.suggestion,
        "name": "" if view.caller is None else view.names[view.caller],
    }


def open_hands(table: Table) -> list[tuple[str, tuple[int, ...]]]:
    """The other seats' hands, for a chapter in which they lie open."""
    deal = table.match.deal
    others = [seat for seat in range(len(deal.hands)) if not table.is_human(seat)]
    return [(deal.names[seat], tuple(sorted(deal.hands[seat]))) for seat in others]
