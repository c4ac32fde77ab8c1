"""Coached deals: a real deal from a shipped seed, and whether a chapter's point comes up in it early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.course.chapter import ENDS, SEATS, Chapter, Coached, Step
from kalooki_tui.coach.hinting import hint
from kalooki_tui.engine.actions import (
    Action,
    Allow,
    Call,
    Cut,
    Discard,
    Draw,
    Kind,
    Lay,
    Refuse,
    Source,
    Swap,
    Tack,
)
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.model import CallRules, Ruleset, Settings
from kalooki_tui.solver import distance
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: Who sits there: the learner, then AI seats.
LEVEL: Final = "club"
EASY: Final = "novice"
#: Turns of the learner in which a point is early.
EARLY: Final = 4
#: Decisions after which a deal is looked at no further.
MOST_DECISIONS: Final = 2000

Decides = Callable[[View], Action | None]
"""What a seat does; None leaves it to a club player."""


@dataclass(frozen=True)
class CoachedDeal:
    """A chapter's deal in one course: what it is played with."""

    ruleset: Ruleset
    seats: int
    number: int
    seed: int
    level: str
    referee: Referee = Referee.STRICT
    cut: bool = False
    """Whether the learner deals, and cuts for the bonus (B1); else the learner has the first turn."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table."""
        return (FIRST_NAME, *AI_NAMES)[: self.seats]

    @property
    def settings(self) -> Settings:
        """The settings of its match."""
        return make_settings(self.ruleset, {"dealer_cut": True} if self.cut else {})

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return make_rules(self.ruleset, self.seats, self.referee, self.settings)

    def match(self) -> Match:
        """The match with this deal dealt, the learner to begin or to cut."""
        dealer, first = (0, 1) if self.cut else (self.seats - 1, 0)
        deal = Deal.blank(self.rules, self.names, self.number, dealer, first, f"course/{self.seed}")
        deal.begin()
        return Match(MatchSetup(self.rules, self.names, self.seed), deal)


def coached_deal(chapter: Chapter, ruleset: str, seed: int | None = None, *, alone: bool = False) -> CoachedDeal | None:
    """A chapter's coached deal in the course of a ruleset; None where there is none. `seed`: not the shipped one.

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
    return CoachedDeal(
        resolved,
        seats,
        number,
        shipped,
        EASY if coached.open_hands else LEVEL,
        Referee.PENALTIES if coached.penalties else Referee.STRICT,
        coached.point == "cut",
    )


@dataclass
class Played:
    """What came up for the learner's seat in a deal that was played to its end."""

    end: str = ""
    """One of `ENDS`; empty where it was not over after so many decisions."""
    paid: int = 0
    """The learner's points."""
    points: dict[str, list[int]] = field(default_factory=dict)
    """For each point, the number of the learner's turns that were over by then."""

    def note(self, view: View, action: Action, turns: int) -> None:
        """Note what the seat does."""
        for point in _points_of(view, action):
            self.points.setdefault(point, []).append(turns)

    def at(self, point: str) -> int:
        """When it came up first; a number that is never early, if it did not."""
        return min(self.points.get(point, [MOST_DECISIONS]))


def _points_of(view: View, action: Action) -> list[str]:
    """What an action of the learner's seat is an example of."""
    laid = has_laid(view, view.seat)
    if view.phase is Phase.ADD_ON:
        return ["add-on"]
    if view.phase is Phase.DRAW and not laid and distance(view.rules, view.contract, view.hand) == 0:
        # Complete since a call, which lays nothing.
        return ["waits"]
    match action:
        case Lay() if not laid:
            return ["lays"]
        case Call():
            return ["call", *(["flip"] if view.phase is Phase.FLIP_WINDOW else [])]
        case Draw(source=Source.DISCARD):
            return ["take", *(["laid-take"] if laid else [])]
        case Draw(source=Source.FLIP):
            return ["flip"]
        case Allow():
            return ["allowed"]
        case Refuse() if view.discard != JOKER:  # anybody takes that
            return ["refused"]
        case Tack(cards=cards, meld=number):
            meld = view.melds[number]
            is_low = meld.kind is Kind.RUN and JOKER not in cards and cards[0] % 13 + 1 < meld.low
            return ["tack", *(["tack-low"] if is_low else []), *(["tack-joker"] if JOKER in cards else [])]
        case Swap():
            return ["swap"]
        case Discard(card=card) if card == JOKER:
            return ["throw-joker"]
        case Cut():
            return ["cut"]
    return []


def play_out(found: CoachedDeal, decide: Decides | None = None) -> Played:
    """Play a coached deal to its end; `decide`: what the learner does, a club player by default."""
    deal, seen, turns = found.match().deal, Played(), 0
    players = [
        make_player(LEVEL if seat == 0 else found.level, f"{found.seed}/player {seat}") for seat in range(found.seats)
    ]
    for _ in range(MOST_DECISIONS):
        seat = deal.actor
        if seat is None:
            break
        view = deal.view(seat)
        told = decide(view) if decide is not None and seat == 0 else None
        action = told or players[seat].decide(view).action
        if seat == 0:
            seen.note(view, action, turns)
            turns += isinstance(action, Discard)
        deal.apply(action)
    else:
        return seen
    if not deal.hands[0]:
        seen.points["out"] = [turns]
    scored = next((event for event in deal.history if isinstance(event, Scored)), None)
    laid = has_laid(deal.view(0), 0)
    seen.end = "void" if scored is None else "out" if scored.out == 0 else "beaten" if laid else "caught"
    seen.paid = 0 if scored is None else scored.points[0]
    return seen


def follow_hints(view: View) -> Action | None:
    """Do what the coach says of the facts alone, where it says something: the same on every machine."""
    try:
        return hint(view, worlds=0).action
    except ValueError:
        return None


def comes_up(found: CoachedDeal, coached: Coached, decide: Decides | None = None) -> bool:
    """Whether the point of the deal comes up early and it ends as it should, played out by `decide`.

    A joker that lies open at the start is no lesson: anybody takes it.
    """
    if not found.cut and found.match().deal.view(0).discard == JOKER:
        return False
    if coached.point == "jokers" and found.match().deal.hands[0].count(JOKER) < min(2, found.rules.jokers // 2):
        return False
    seen = play_out(found, decide)
    return coached.ends in ("", seen.end) and _has(coached, seen)


def _has(coached: Coached, seen: Played) -> bool:
    point = coached.point
    lays = 1 <= seen.at("lays") < MOST_DECISIONS
    match point:
        case "lays":
            # Early where nothing is said of the end, or that the learner goes out; else late, or not at all.
            return coached.ends in ENDS[1:] or (lays and seen.at("lays") <= EARLY)
        case "waits":
            return lays and seen.at("call") < seen.at("waits") <= 2 * EARLY
        case "jokers":
            return seen.at("lays") <= EARLY
        case "call" | "take":
            return seen.at(point) < 3 and lays
        case "decisions":
            return seen.at("allowed") < MOST_DECISIONS and seen.at("refused") < EARLY
        case "out":
            return lays and seen.at("out") <= 2 * EARLY
        case "bend":
            # The turn that lays is not over until its discard.
            return lays and seen.at("lays") + 1 == seen.at("out")
        case "cut" | "flip" | "throw-joker":
            return seen.at(point) <= EARLY
    return lays and seen.at(point) <= 2 * EARLY
