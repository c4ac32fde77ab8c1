"""A refusal: what the rules forbid, with a stable code, the clause that forbids it and a sentence for the player."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Refusal(Struct, frozen=True):
    code: str
    """Stable name such as ``run.kiss``; the public list is in the notation reference."""
    clause: str
    message: str
    charged: int = 0
    changed: bool = False
    """The deal changed all the same: charged now, or remembered for the end of the turn (F1a)."""


class Refused(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def clause(self) -> str:
        return self.refusal.clause

    @property
    def message(self) -> str:
        return self.refusal.message


def refuse(code: str, clause: str, message: str) -> Refused:
    return Refused(Refusal(code, clause, message))


#: Every code there is, with the clauses it can come with and what it says. Codes are public: never rename one.
CODES: Final[dict[str, str]] = {
    "turn.not-yours": "T2, D12, D30, F3: it is another seat's turn, or this seat is not asked",
    "turn.wrong-phase": "T1, D15, D30, G5, G6, P3: not at this moment of the deal or match",
    "draw.laid": "C1, D17: a seat that has laid draws from the stock only",
    "draw.dead": "C4, D8: the top discard is dead, or there is none",
    "draw.must-use": "H6: the discard could not be laid or tacked in this turn",
    "draw.call-only": "U1: in Tuluki the discard goes only to a call",
    "draw.no-flip": "U4: no flip lies open",
    "call.closed": "C8, D30, H3: the moment for calling has passed",
    "call.laid": "C9: a seat that has laid does not call",
    "call.limit": "C5: all the calls of this deal are made",
    "call.own-discard": "C2: the seat threw that card itself",
    "call.turn-seat": "C2: the turn seat may simply take the card",
    "call.taken": "C3: another seat called first",
    "call.none": "C10, H13: there are no calls in this game, or in this deal",
    "refuse.laid": "C6: only a seat that may take the card may refuse a call",
    "hand.missing": "S1, T1: the seat does not hold the card, or not that many times",
    "lay.empty": "L1, M1: there is nothing in the lay-down, or in one of its melds",
    "lay.contract": "L1: the lay-down is not the contract",
    "lay.exact": "H10: the first lay-down is more than the contract",
    "lay.whole": "H9: the first lay-down is not the whole hand",
    "lay.points": "L5: the first melds are worth too little",
    "lay.further": "L8: no melds are laid after the contract in this game",
    "set.size": "M1: too few or too many cards for a set",
    "set.rank": "M1: the cards are not of one rank",
    "set.suit-repeated": "M1: a suit repeats where all must be different",
    "set.naturals": "M7: too few cards that are not jokers",
    "set.jokers": "H11: too many jokers for the other cards",
    "run.size": "M2: too few cards for a run",
    "run.suit": "M2: the cards are not of one suit",
    "run.order": "M2: the cards are not in sequence",
    "run.wrap": "M3: the run passes the ace",
    "run.length": "M4: more cards than a run holds",
    "run.kiss": "M6: two jokers side by side",
    "run.naturals": "M7: too few cards that are not jokers",
    "run.jokers": "M9, H11: too many jokers for the other cards, or for a run of the fewest cards",
    "meld.rank-repeated": "M8: two sets of one rank",
    "meld.suit-repeated": "M8: two runs of one suit",
    "meld.unknown": "L7: there is no such meld on the table",
    "tack.not-laid": "L9: the contract comes before tacking",
    "tack.same-turn": "H4: cards are tacked from the turn after the first lay-down on",
    "tack.empty": "K1: no card is named",
    "tack.rank": "K1: not of the set's rank",
    "tack.suit": "K1: not of the run's suit, or a suit the set has already",
    "tack.gap": "K1, M2: the card does not follow on there",
    "tack.low-closed": "K2: the low end opens when the high end is the ace",
    "tack.full": "K1, M3, M4: the meld takes no more cards there",
    "tack.kiss": "K4: two jokers would lie side by side",
    "tack.jokers": "H11: too many jokers for the other cards",
    "tack.joker-owner": "K5: jokers go only onto the seat's own melds",
    "tack.end-limit": "K6: no more cards to that end in this turn",
    "tack.which-end": "D6: both ends would do: say low or high",
    "swap.not-laid": "L9: the contract comes before swapping",
    "swap.same-turn": "H4: jokers are swapped from the turn after the first lay-down on",
    "swap.none": "H12: no joker is swapped in this game",
    "swap.no-joker": "K7, K10: the meld holds no joker",
    "swap.card": "D26, K7, K10, H1: no joker there stands for the card, or a set is asked for an end",
    "swap.set": "K11: a joker in a set never moves",
    "swap.both-suits": "H1, K10: one card is put in a joker's place, or two in that of a set of three",
    "swap.closed": "H1: a complete set keeps its joker",
    "swap.full": "D26a, K7, K8: the joker cannot go to that end",
    "swap.kiss": "K7: two jokers would lie side by side",
    "swap.top": "K8: the joker moves up only, and there is no place above",
    "swap.unused": "K10: the joker must be used in the same move",
    "swap.stays": "K11: the joker goes to no other meld in this game",
    "swap.which-end": "D6: the joker may go to either end: say low or high",
    "discard.joker": "S1: jokers are not discarded",
    "discard.drawn": "H5: the discard that was drawn is not thrown again in the same turn",
    "turn.must-use": "H6: the discard that was drawn is laid or tacked first",
    "end.discard-needed": "D8: a turn ends with a discard",
    "finish.discard-needed": "G1: the last card must be a discard",
    "finish.bend-forbidden": "F2: the seat may not bend the table in this deal",
    "challenge.laid": "D13: a seat that has laid can no longer be challenged",
    "challenge.closed": "D13: no challenge is possible now, or not of that seat",
    "cut.size": "B1: a packet holds at least one card and not the whole deck",
}
