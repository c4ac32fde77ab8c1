"""Coached deals: a real deal from a shipped seed, and whether a chapter's point comes up in it early."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.course.chapter import Chapter, Coached, Step
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Lay, Refuse, Source, Swap, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import CallRules, Ruleset

#: Seats of a coached deal, where the game is played with so many.
SEATS: Final = 3
#: Who sits there: the learner, then AI seats.
NAMES: Final = ("You", "Ada", "Ben")
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

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table."""
        return NAMES[: self.seats]

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return make_rules(self.ruleset, self.seats)

    def match(self) -> Match:
        """The match with this deal dealt, the learner to begin."""
        deal = Deal.blank(self.rules, self.names, self.number, self.seats - 1, 0, f"course/{self.seed}")
        deal.begin()
        return Match(MatchSetup(self.rules, self.names, self.seed), deal)


def coached_deal(chapter: Chapter, ruleset: str, seed: int | None = None) -> CoachedDeal | None:
    """A chapter's coached deal in the course of a ruleset; None where there is none. `seed`: not the shipped one."""
    coached = chapter.coached
    if coached is None:
        return None
    name = coached.ruleset or ruleset
    seed = coached.seeds.get(name) if seed is None else seed
    if seed is None:
        return None
    found = load_ruleset(name)
    seats = min(found.seat_counts, key=lambda count: abs(count - SEATS))
    resolved = resolve(found, (), seats)
    if not coached.calls:
        resolved = resolved.model_copy(update={"calls": CallRules(limit=0)})
    number = Step("build", coached.deal).number(resolved)
    return CoachedDeal(resolved, seats, number, seed, EASY if coached.open_hands else LEVEL)


@dataclass
class _Seen:
    """What has come up for the learner's seat, by the number of its turns that were over."""

    lays: int | None = None
    calls: list[int] = field(default_factory=list)
    takes: list[int] = field(default_factory=list)
    allowed: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    tacks: list[int] = field(default_factory=list)
    swaps: list[int] = field(default_factory=list)

    def note(self, action: Action, turns: int) -> None:
        """Note what the seat did."""
        match action:
            case Lay() if self.lays is None:
                self.lays = turns
            case Call():
                self.calls.append(turns)
            case Draw(source=Source.DISCARD):
                self.takes.append(turns)
            case Allow():
                self.allowed.append(turns)
            case Refuse():
                self.refused.append(turns)
            case Tack():
                self.tacks.append(turns)
            case Swap():
                self.swaps.append(turns)


def comes_up(found: CoachedDeal, coached: Coached) -> bool:
    """Whether the point of the deal comes up early, a club player in the learner's seat."""
    deal = found.match().deal
    jokers = deal.hands[0].count(JOKER)
    seen, turns = _Seen(), 0
    players = [
        make_player(LEVEL if seat == 0 else found.level, f"{found.seed}/player {seat}") for seat in range(found.seats)
    ]
    for _ in range(MOST_DECISIONS):
        seat = deal.actor
        if seat is None or turns > 2 * EARLY:
            break
        if deal.phase is Phase.CUT:
            return False
        action = players[seat].decide(deal.view(seat)).action
        deal.apply(action)
        if seat == 0:
            seen.note(action, turns)
            turns += isinstance(action, Discard)
    return _has(coached.point, seen, jokers)


def _has(point: str, seen: _Seen, jokers: int) -> bool:
    lays = seen.lays is not None and seen.lays >= 1
    match point:
        case "lays":
            return lays and seen.lays <= EARLY  # type: ignore[operator]
        case "jokers":
            return jokers >= 2 and lays
        case "call":
            return bool(seen.calls) and seen.calls[0] < 3 and lays
        case "take":
            return sum(turn < 3 for turn in seen.takes) >= 1 and lays
        case "decisions":
            return bool(seen.allowed and seen.refused) and min(seen.refused) < EARLY
        case "tack":
            return lays and any(turn <= 2 * EARLY for turn in seen.tacks)
        case "swap":
            return bool(seen.swaps) and lays
    return False
