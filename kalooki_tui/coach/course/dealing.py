"""Coached deals: a real deal from a shipped seed, and whether a chapter's point comes up in it early."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.course.chapter import Chapter, Coached, Step
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
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.model import CallRules, Ruleset, Settings
from kalooki_tui.values import dataclass
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: Seats of a coached deal, where the game is played with so many.
SEATS: Final = 3
#: Who sits there: the learner, then AI seats.
LEVEL: Final = "club"
EASY: Final = "novice"
#: Turns of the learner in which a point is early.
EARLY: Final = 4
#: Decisions after which a deal is looked at no further.
MOST_DECISIONS: Final = 400


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


def coached_deal(chapter: Chapter, ruleset: str, seed: int | None = None) -> CoachedDeal | None:
    """A chapter's coached deal in the course of a ruleset; None where there is none. `seed`: not the shipped one.

    Where it is another ruleset's, the words are still those of the course.
    """
    coached = chapter.coached
    if coached is None:
        return None
    name = coached.ruleset or ruleset
    shipped = coached.seeds.get(name) if seed is None else seed
    if shipped is None:
        return None
    found = load_ruleset(name)
    seats = min(found.seat_counts, key=lambda count: abs(count - SEATS))
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
class _Seen:
    """What has come up for the learner's seat: for each point, the number of its turns that were over by then."""

    points: dict[str, list[int]] = field(default_factory=dict)

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
        case Refuse():
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


def comes_up(found: CoachedDeal, coached: Coached) -> bool:
    """Whether the point of the deal comes up early, a club player in the learner's seat."""
    deal = found.match().deal
    if coached.point == "jokers" and deal.hands[0].count(JOKER) < min(2, found.rules.jokers // 2):
        return False
    seen, turns = _Seen(), 0
    players = [
        make_player(LEVEL if seat == 0 else found.level, f"{found.seed}/player {seat}") for seat in range(found.seats)
    ]
    for _ in range(MOST_DECISIONS):
        seat = deal.actor
        if seat is None or turns > 2 * EARLY:
            break
        view = deal.view(seat)
        action = players[seat].decide(view).action
        if seat == 0:
            seen.note(view, action, turns)
            turns += isinstance(action, Discard)
        deal.apply(action)
    if deal.actor is None and not deal.hands[0]:
        seen.points["out"] = [turns]
    return _has(coached.point, seen)


def _has(point: str, seen: _Seen) -> bool:
    lays = 1 <= seen.at("lays") < MOST_DECISIONS
    match point:
        case "lays":
            return lays and seen.at("lays") <= EARLY
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
