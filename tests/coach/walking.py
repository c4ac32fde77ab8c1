"""Deals played for the coach to speak to: by club players, and coached ones, with what comes up in them."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.courses import EARLY, LEVEL, CoachedDeal, Course
from kalooki_tui.coach.rated_advice import hint
from kalooki_tui.engine.actions import Action, Allow, Call, Cut, Discard, Draw, Kind, Lay, Refuse, Source, Swap, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.solver import distance
from kalooki_tui.storage.player.progress_file import ProgressFile
from kalooki_tui.training.skills import Learning
from tests.moments import there

#: Decisions after which a deal is looked at no further.
MOST_DECISIONS: Final = 2000
#: What a seat does; None leaves it to a club player.
Decides = Callable[[View], Action | None]
SEATS = {"tuluki": 2, "kalookie-40": 3}


def decisions(ruleset: str, seed: str, number: int = 1) -> Iterator[tuple[Deal, View]]:
    """Every decision of one deal that is not about the cut, with the deal as it stands."""
    seats = SEATS.get(ruleset, 4)
    found = resolve(load_ruleset(ruleset), (), seats)
    rules = make_rules(found, seats, settings=make_settings(found, {}))
    names = tuple(["Ann", "Bob", "Cat", "Dee"][:seats])
    deal = Deal(rules, names, number, 0, 1, f"{seed}/{number}")
    deal.begin()
    players = [make_player("club", "0") for _ in range(seats)]
    while deal.actor is not None:
        view = deal.view(deal.actor)
        if view.phase is not Phase.CUT:
            yield deal, view
        deal.apply(players[view.seat].decide(view).action)


def dealt_anew(deal: Deal, view: View, seed: int) -> View:
    """The same view with the cards that it does not show dealt again."""
    again = deal.clone()
    hidden = [card for seat, hand in enumerate(again.hands) if seat != view.seat for card in hand] + again.stock
    random.Random(seed).shuffle(hidden)
    for seat, hand in enumerate(again.hands):
        if seat != view.seat:
            again.hands[seat] = [hidden.pop() for _ in hand]
    again.stock = hidden
    return again.view(view.seat)


def learning_of(ruleset: str = "jamaican") -> Learning:
    return Learning.of(ruleset, ProgressFile.load(), print)


def chapter_of(course: Course, chapter_id: str) -> Chapter:
    return there(course.chapter(chapter_id))


#: What the seeds of a chapter's deal are chosen for: what comes up early, and how it ends; empty: anyhow.
ENDINGS: Final = {
    "add-on": ("add-on", ""),
    "answers": ("decisions", "beaten"),
    "both-ends": ("tack-low", ""),
    "call-limit": ("call", ""),
    "calls": ("waits", "out"),
    "colours": ("lays", ""),
    "contracts": ("lays", ""),
    "cut": ("cut", ""),
    "deal-calls": ("call", ""),
    "different-suits": ("lays", ""),
    "distance": ("lays", "out"),
    "end-limit": ("tack", ""),
    "exact": ("lays", ""),
    "first-bend": ("bend", ""),
    "flip": ("flip", ""),
    "forty": ("lays", ""),
    "helps": ("take", "out"),
    "joker-either": ("swap", ""),
    "joker-freed": ("swap", ""),
    "joker-share": ("jokers", ""),
    "joker-taken": ("swap", ""),
    "joker-up": ("swap", ""),
    "joker-used": ("swap", ""),
    "kiss": ("jokers", "out"),
    "kissing": ("jokers", ""),
    "laid-calls": ("lays", ""),
    "laid-draws": ("laid-take", ""),
    "last-discard": ("out", ""),
    "lengths": ("lays", ""),
    "mixed": ("lays", "out"),
    "naturals": ("jokers", ""),
    "nearest-call": ("call", ""),
    "no-calls": ("take", ""),
    "no-doubling": ("lays", ""),
    "no-more-melds": ("tack", ""),
    "no-swaps": ("tack", ""),
    "out": ("lays", "void"),
    "own-jokers": ("tack", ""),
    "penalties": ("call", ""),
    "repeats": ("lays", ""),
    "runs": ("lays", "out"),
    "sets": ("lays", "out"),
    "short-run-jokers": ("jokers", ""),
    "short-runs": ("lays", ""),
    "swaps": ("swap", "out"),
    "tack-later": ("tack", ""),
    "tacks": ("tack", "beaten"),
    "throw-back": ("take", ""),
    "throw-jokers": ("lays", ""),
    "throw": ("lays", "caught"),
    "turn": ("lays", "out"),
    "values": ("lays", ""),
    "whole-hand": ("out", ""),
}
#: How a deal ends for a learner who does what the coach says: by going out, by another seat's going out after the
#: learner has laid or before that, or with the stock empty twice.
ENDS: Final = ("out", "beaten", "caught", "void")


@dataclass
class Played:
    """What came up for the learner's seat in a deal that was played to its end."""

    end: str = ""
    """One of `ENDS`; empty where it was not over after so many decisions."""
    paid: int = 0
    """The learner's points."""
    points: dict[str, int] = field(default_factory=dict)
    """How many of the learner's turns were over when it came up first."""

    def at(self, point: str) -> int:
        return self.points.get(point, MOST_DECISIONS)


#: What an action of the learner's seat is an example of; `laid`: whether it had laid before.
POINTS: Final[dict[str, Callable[[View, Action, bool], bool]]] = {
    "add-on": lambda view, action, laid: view.phase is Phase.ADD_ON,
    # Complete since a call, which lays nothing.
    "waits": lambda view, action, laid: (
        view.phase is Phase.DRAW and not laid and distance(view.rules, view.contract, view.hand) == 0
    ),
    "lays": lambda view, action, laid: isinstance(action, Lay) and not laid,
    "call": lambda view, action, laid: isinstance(action, Call),
    "take": lambda view, action, laid: isinstance(action, Draw) and action.source is Source.DISCARD,
    "laid-take": lambda view, action, laid: laid and POINTS["take"](view, action, laid),
    "flip": lambda view, action, laid: (
        action.source is Source.FLIP
        if isinstance(action, Draw)
        else isinstance(action, Call) and view.phase is Phase.FLIP_WINDOW
    ),
    "allowed": lambda view, action, laid: isinstance(action, Allow),
    "refused": lambda view, action, laid: isinstance(action, Refuse) and view.discard != JOKER,  # anybody takes that
    "tack": lambda view, action, laid: isinstance(action, Tack) and view.phase is not Phase.ADD_ON,
    "tack-joker": lambda view, action, laid: isinstance(action, Tack) and JOKER in action.cards,
    "tack-low": lambda view, action, laid: (
        isinstance(action, Tack)
        and view.melds[action.meld].kind is Kind.RUN
        and JOKER not in action.cards
        and action.cards[0] % 13 + 1 < view.melds[action.meld].low
    ),
    "swap": lambda view, action, laid: isinstance(action, Swap),
    "throw-joker": lambda view, action, laid: isinstance(action, Discard) and action.card == JOKER,
    "cut": lambda view, action, laid: isinstance(action, Cut),
}


def play_out(found: CoachedDeal, decide: Decides | None = None) -> Played:
    """Play a coached deal to its end; `decide`: what the learner does, a club player by default."""
    match, seen, turns = found.match, Played(), 0
    deal, seed = match.deal.clone(), match.setup.seed
    players = [
        make_player(LEVEL if seat == 0 else found.level, f"{seed}/player {seat}") for seat in range(match.rules.seats)
    ]
    for _ in range(MOST_DECISIONS):
        seat = deal.actor
        if seat is None:
            break
        view = deal.view(seat)
        told = decide(view) if decide is not None and seat == 0 else None
        action = told or players[seat].decide(view).action
        if seat == 0:
            for point, is_it in POINTS.items():
                if is_it(view, action, has_laid(view, 0)):
                    seen.points.setdefault(point, turns)
            turns += isinstance(action, Discard)
        deal.apply(action)
    else:
        return seen
    if not deal.hands[0]:
        seen.points["out"] = turns
    scored = next((event for event in deal.history if isinstance(event, Scored)), None)
    laid = has_laid(deal.view(0), 0)
    seen.end = "void" if scored is None else "out" if scored.out == 0 else "beaten" if laid else "caught"
    seen.paid = 0 if scored is None else scored.points[0]
    return seen


def follow_hints(view: View) -> Action | None:
    """Does what the coach says of the facts alone, where it says something: the same on every machine."""
    try:
        return hint(view, worlds=0).action
    except ValueError:
        return None


def comes_up(found: CoachedDeal, chapter: Chapter, decide: Decides | None = None) -> bool:
    """Whether the point of the deal comes up early and it ends as it should, played out by `decide`.

    A joker that lies open at the start is no lesson: anybody takes it.
    """
    if found.match.deal.view(0).discard == JOKER:
        return False
    point, end = ENDINGS[chapter.id]
    if point == "jokers" and found.match.deal.hands[0].count(JOKER) < min(2, found.match.rules.jokers // 2):
        return False
    seen = play_out(found, decide)
    return end in ("", seen.end) and _has(point, end, seen)


def _has(point: str, end: str, seen: Played) -> bool:
    at = seen.at
    lays = 1 <= at("lays") < MOST_DECISIONS
    return {
        # Early where nothing is said of the end, or that the learner goes out; else late, or not at all.
        "lays": end in ENDS[1:] or (lays and at("lays") <= EARLY),
        "waits": lays and at("call") < at("waits") <= 2 * EARLY,
        "jokers": at("lays") <= EARLY,
        "decisions": at("allowed") < MOST_DECISIONS and at("refused") < EARLY,
        # The turn that lays is not over until its discard.
        "bend": lays and at("lays") + 1 == at("out"),
        **{one: lays and at(one) < 3 for one in ("call", "take")},
        **{one: at(one) <= EARLY for one in ("cut", "flip", "throw-joker")},
    }.get(point, lays and at(point) <= 2 * EARLY)
