"""Sentences about deals, actions and rules, in the game's own words and with the cards' symbols."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import JOKER, Card, Faces
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine import actions
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action, Kind, Source
from kalooki_tui.engine.events import DroppedOut, Event, Scored, Voided, WentOut
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.records.writer import in_effect
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import counted, does, doing, listed, past, penalty_words, prints, says_of, whom, whose


class Slot(Struct, frozen=True):
    """Meld the contract asks for (or, in points, the whole first lay-down): cards needed and cards there."""

    kind: Kind | None
    """None: `needed` and `have` are points."""
    needed: int
    have: int = 0
    held: int = 0
    """Cards for it that are together in the hand, by the nearest plan."""
    cards: tuple[Card, ...] = ()
    """Cards of `have`, else of `held`."""


def deal_words(view: View) -> str:
    """Return which deal it is: ``Game 3 of 9``; ``Game 5 of 9, 2 of 3`` where only some are played.

    A match that goes on by elimination has no total.
    """
    ruleset, number, whole = view.rules.ruleset, view.contract.number, view.contract.of
    word, count = ruleset.vocabulary.deal.capitalize(), len(ruleset.deals)
    some = f"{word} {number}{f' of {whole}' if whole else ''}" + (f", {view.deal} of {count}" if count > 1 else "")
    total = "" if ruleset.end.after == "elimination" else f" of {count}"
    again = f", try {view.attempt}" if view.attempt > 1 else ""
    is_some = number not in (0, view.deal) or (count == 1 and whole)
    return f"{some if is_some else f'{word} {view.deal}{total}'}{again}"


def score_sheet(view: View, totals: Sequence[Sequence[int]]) -> list[tuple[str, list[int]]]:
    """Return each deal's contract and its points by seat; `totals`: those after each deal."""
    words = view.rules.ruleset.vocabulary
    rows: list[tuple[str, list[int]]] = []
    before: Sequence[int] = view.rules.settings.handicap or (0,) * len(view.names)
    for number, row in enumerate(totals, 1):
        wanted = view.rules.contract(number)
        # Where every deal asks for points there is no room for more words.
        named = f"{wanted.points} points" if wanted.points else contract_words(wanted, words)
        if wanted.by_length or wanted.whole:
            named = contract_text(words, wanted)
        rows.append((named, [total - last for total, last in zip(row, before, strict=True)]))
        before = row
    return rows


def why_void(events: Sequence[Event]) -> str:
    """Return why the last deal among these events is void (S3, D33)."""
    turns = next((event.turns for event in reversed(events) if isinstance(event, Voided)), None)
    return "The stock ran out twice" if turns is None else f"Nobody has laid in {turns} turns of each seat"


def reminder(view: View) -> str:
    """Return what to bear in mind of the rules before the first lay-down."""
    ruleset, words = view.rules.ruleset, view.rules.ruleset.vocabulary
    bend, score = words.bend, ruleset.score
    if score.bend_bonus and score.doubling == "none":
        return f"go out in the turn you first lay, and you score {score.bend_bonus}"
    if score.doubling == "none" and view.contract.whole:
        return f"{words.lay} your whole hand at once, and the {words.deal} ends"
    if score.doubling == "none" and not view.contract.points:
        needed = view.contract.fewest_cards(ruleset.sets.minimum, ruleset.runs.minimum)
        at_once = f"{words.lay} all melds at once, later you only {words.tack}"
        told = [
            *[f"it takes {needed} cards, so {words.call}"]
            * (ruleset.calls.limit > 0 and needed > view.contract.cards + 1),
            *[f"{words.lay} exactly this"] * ruleset.lay.exact,
            *[f"{words.tack} from your next turn on"] * (not ruleset.lay.same_turn_tack),
            *["no more melds later" if ruleset.lay.exact else at_once] * (not ruleset.lay.further_melds),
        ]
        if told:
            return "; ".join(told)
    return {
        "bend": f"{bend}: go out in the turn you first lay, and others pay double",
        "first-bend": f"{bend}: lay first and go out in that turn, and others pay double",
    }.get(score.doubling, "going out never doubles in this game")


def deal_facts(view: View) -> str:
    begun = (event.turn for event in reversed(view.history) if isinstance(event, happened.Dealt))
    dealer, first = view.names[view.dealer], view.names[next(begun, view.turn)]
    return f"{view.contract.cards} cards each · {does(dealer, 'deal')} · {does(first, 'begin')}"


def empty_slots(view: View) -> tuple[Slot, ...]:
    ruleset, contract = view.rules.ruleset, view.contract
    if contract.points:
        return (Slot(None, contract.points),)
    sets = [Slot(Kind.SET, length) for length in contract.set_lengths(ruleset.sets.minimum)]
    return (*sets, *(Slot(Kind.RUN, length) for length in contract.run_lengths(ruleset.runs.minimum)))


class LogLine(Struct, frozen=True):
    text: str
    call: bool = False


def log_line(event: Event, names: Sequence[str], rules: Rules) -> LogLine | None:
    text = _sentence(event, names, rules)
    return LogLine(text, isinstance(event, _ATTENTION)) if text else None


_ATTENTION: Final = (
    happened.Called, happened.CallAllowed, happened.CallRefused, happened.WentOut, happened.Charged,
    happened.Challenged, happened.Voided, happened.Reshuffled,
)  # fmt: skip


def log_lines(events: Iterable[Event], names: Sequence[str], rules: Rules) -> list[LogLine]:
    return [line for event in events if (line := log_line(event, names, rules)) is not None]


def step_words(action: Action, names: Sequence[str], rules: Rules) -> str:
    """Return whose step is taken back and what it was, without a card, which may be in a hand again."""
    words = rules.ruleset.vocabulary
    steps: dict[type[Action], str] = {
        actions.Draw: "draw", actions.Lay: "lay-down", actions.Tack: words.tack, actions.Swap: "swap",
        actions.Discard: "discard", actions.Call: words.call, actions.Pass: "pass", actions.Challenge: "challenge",
        actions.Allow: f"answer to the {words.call}", actions.Refuse: f"answer to the {words.call}",
    }  # fmt: skip
    return f"{whose(names[action.seat])} {steps.get(type(action), 'last step')}"


def deed(action: Action, faces: Faces, card_open: Card | None = None) -> str:
    verb, rest = _verb_of(action, faces, card_open)
    return f"{past(verb)}{rest}"


def better(action: Action, faces: Faces, card_open: Card | None = None) -> str:
    if isinstance(action, actions.Draw) and action.source is Source.STOCK:
        return "the stock"
    verb, rest = _verb_of(action, faces, card_open if isinstance(action, actions.Draw) else None)
    return f"{doing(verb)}{rest}"


def _verb_of(action: Action, faces: Faces, card_open: Card | None) -> tuple[str, str]:
    symbol = "" if card_open is None else faces.symbol(card_open)
    match action:
        case actions.Discard(card=card):
            return "throw", f" {faces.symbol(card)}"
        case actions.Draw(source=source):
            return ("draw", " from the stock") if source is Source.STOCK else ("take", f" {symbol or 'the open card'}")
        case actions.Call():
            return "call", f" {symbol}" if symbol else ""
        case actions.Pass():
            return "let", f" {symbol or 'the card'} go"
        case actions.Allow() | actions.Refuse():
            verb = "allow" if isinstance(action, actions.Allow) else "refuse"
            return verb, f" the call of {symbol}" if symbol else " the call"
        case actions.Lay(groups=groups):
            return "lay", f" {' | '.join(faces.symbols(group.cards) for group in groups)}"
        case actions.Tack(cards=cards):
            return "add", f" {faces.symbols(cards)}"
        case actions.Swap():
            return "swap", f" {faces.symbols(action.cards)} for a joker"
    return "end", " the turn"


def won_words(winners: Sequence[str]) -> str:
    return f"{does(winners[0], 'win') if len(winners) == 1 else f'{listed(winners)} win'} the match"


def _sentence(event: Event, names: Sequence[str], rules: Rules) -> str:
    faces, words = rules.faces, rules.ruleset.vocabulary
    symbol = faces.symbol
    match event:
        case happened.Called(seat=seat, card=card):
            return f"{does(names[seat], words.call)} {symbol(card)}"
        case happened.CallAllowed(seat=seat, caller=caller, card=card, asked=asked):
            allows = f"{does(names[seat], 'allow')}: " if asked else ""
            penalty = penalty_words(rules.ruleset.calls.penalty)
            return f"{allows}{does(names[caller], 'take', inside=asked)} {symbol(card)} and {penalty}"
        case happened.CallRefused(seat=seat, card=card, source=source):
            flip = f"the {words.flip} " if source is Source.FLIP else ""
            return f"{does(names[seat], 'refuse')} and {says_of(names[seat], 'take')} {flip}{symbol(card)}"
        case happened.Flipped(card=card, given=given):
            taker = "" if given is None else f": {does(names[given], 'get', inside=True)} it"
            return f"The {words.flip} is {symbol(card)}{taker}"
        case happened.Challenged(seat=seat, target=target, found=found, already=already):
            verdict = f"{found} too many" if found else "charged before" if already else "nothing found"
            return f"{does(names[seat], 'challenge')} {whom(names[target])}: {verdict}"
        case happened.CutMade(seat=seat, exact=exact):
            return f"{does(names[seat], 'cut')}{': exactly right' if exact else ''}"
        case happened.Dealt(dealer=dealer, card=card, turn=turn):
            deals = f"{does(names[dealer], 'deal')} and {says_of(names[dealer], 'turn')} up {faces.symbol(card)}"
            return f"{deals}; {does(names[turn], 'begin', inside=True)}"
        case happened.Drew(seat=seat, source=Source.STOCK):
            return f"{does(names[seat], 'draw')} from the stock"
        case happened.Drew(seat=seat, source=source, card=card):
            which = f"the {words.flip}" if source is Source.FLIP else "the discard"
            return f"{does(names[seat], 'take')} {which}{'' if card is None else ' ' + faces.symbol(card)}"
        case happened.Laid(seat=seat, meld=meld, cards=cards):
            return f"{does(names[seat], words.lay)} m{meld + 1} {faces.symbols(cards)}"
        case happened.Tacked(seat=seat, meld=meld, cards=cards):
            return f"{does(names[seat], words.tack)} {faces.symbols(cards)} on m{meld + 1}"
        case happened.Swapped(seat=seat, meld=meld, card=card, freed=freed):
            what = f"its {words.joker}" if freed == JOKER else faces.symbol(freed) if freed is not None else ""
            end = f" and {says_of(names[seat], 'free')} {what}" if what else ""
            return f"{does(names[seat], 'swap')} {faces.symbol(card)} into m{meld + 1}{end}"
        case happened.Discarded(seat=seat, card=card):
            return f"{does(names[seat], 'discard')} {faces.symbol(card)}"
        case happened.TurnEnded(seat=seat):
            return f"{does(names[seat], 'have')} nothing to discard"
        case happened.DroppedOut(seat=seat):
            return f"{does(names[seat], 'be')} out of the deal"
        case happened.Reshuffled(size=size):
            return f"The discards are shuffled: {size} cards in the stock"
        case happened.Voided():
            return f"{why_void([event])}: the deal is void"
        case happened.AddedOn(seat=seat):
            return f"{does(names[seat], 'be')} done"
        case happened.WentOut(seat=seat, bent=bent):
            is_told = bent and (rules.ruleset.score.doubling != "none" or rules.ruleset.end.after == "elimination")
            bends = f" and {says_of(names[seat], words.bend)}" if is_told else ""
            return f"{does(names[seat], 'go out')}{bends}!"
        case happened.Charged(seat=seat, points=points):
            name = names[seat]
            return f"{does(name, 'score')} {points}" if points < 0 else f"{does(name, 'be')} charged {points} points"
        case happened.PassedOver(deal=deal):
            return f"Contract {deal} is passed over"
        case happened.Eliminated(seat=seat):
            return f"{does(names[seat], 'be')} eliminated"
        case happened.BoughtIn(seat=seat, total=total):
            return f"{does(names[seat], 'buy')} in again at {total}"
        case happened.SeatLeft(seat=seat):
            return f"{does(names[seat], 'leave')} the match"
        case happened.Paid(reason=reason, changes=changes):
            moved = ", ".join(f"{name} {change:+d}" for name, change in zip(names, changes, strict=True) if change)
            return f"Counters ({reason}): {moved}"
    return ""


@dataclass(slots=True)
class SeatSettlement:
    name: str
    stake: int = 0
    bought: int = 0
    call_ups: int = 0
    kalookies: int = 0
    pool: int = 0
    call_ups_won: int = 0
    kalookies_won: int = 0

    @property
    def total(self) -> int:
        return self.stake + self.bought + self.call_ups + self.kalookies + self.pool


def settlement(view: View, winners: Sequence[int], lines: Sequence[str]) -> list[SeatSettlement]:
    """Return the payments of each seat from the record's lines; seats in clockwise order.

    Empty if the match is not played for counters, or the record does not add up to the counters in play.
    """
    settings = view.rules.settings
    if view.rules.ruleset.end.after != "elimination" or not lines:
        return []
    seats = [
        SeatSettlement(name, -settings.initial_stake, -bought * settings.buy_in_stake)
        for name, bought in zip(view.names, view.buy_ins, strict=True)
    ]
    for out, bent, dealt in _won_deals(lines):
        amount = settings.kalookie if bent else settings.call_up
        for seat in dealt:
            change = amount * (len(dealt) - 1) if seat == out else -amount
            if bent:
                seats[seat].kalookies += change
                seats[seat].kalookies_won += seat == out
            else:
                seats[seat].call_ups += change
                seats[seat].call_ups_won += seat == out
    for seat in winners:
        # Counters that cannot be shared out evenly do not occur: one seat is left, and takes the pool.
        seats[seat].pool = -sum(one.stake + one.bought for one in seats)
    return seats if [one.total for one in seats] == list(view.money) else []


def _won_deals(lines: Sequence[str]) -> list[tuple[int, bool, tuple[int, ...]]]:
    names: list[str] = []
    dealt: tuple[int, ...] = ()
    found: list[tuple[int, bool, tuple[int, ...]]] = []
    for line in in_effect(map(json.loads, lines)):
        if "deal" in line:
            names = [*line["hands"]]
            dealt = tuple(seat for seat, name in enumerate(names) if line["hands"][name])
        elif "scored" in line and line.get("out") is not None:
            found.append((names.index(line["out"]), bool(line["bent"]), dealt))
    return found


def settlement_words(seats: Sequence[SeatSettlement]) -> list[str]:
    told = [f"{does(one.name, 'take')} the pool of {one.pool} counters." for one in seats if one.pool]
    for one in sorted(seats, key=lambda one: (-one.kalookies_won, -one.call_ups_won)):
        won = [counted(one.call_ups_won, "call-up")] if one.call_ups_won else []
        won += [counted(one.kalookies_won, "kalookie")] if one.kalookies_won else []
        if won:
            told.append(f"{does(one.name, 'have')} won {' and '.join(won)}.")
    return told


#: Ready to be said with one key.
PHRASES: Final = (
    "Kalooki!", "Well played.", "Hurry up!", "One moment, please.", "Oh no!", "Thank you!", "Good luck!", "Sorry!",
)  # fmt: skip
LONGEST: Final = 100


def plain_words(words: str) -> str:
    return " ".join(words.split())


def wrong_to_say(words: str) -> str:
    """Return why a line cannot be said; empty: it can."""
    said = plain_words(words)
    if not said:
        return "Nothing was said."
    if len(said) > LONGEST:
        return f"That is longer than {LONGEST} characters."
    return "" if prints(said) else "That has a character that cannot be printed."


#: What the clauses of charges are about, in a few words.
CHARGES: Final = {
    "F1": "a lay-down that was not the contract",
    "F1a": "a lay-down that was not the contract",
    "F2": "too many calls, or a wrong challenge",
    "F3": "lost a challenge: the hand plus 50",
    "F4": "tried to discard a joker",
    "B1": "an exact cut",
}


def last_score(view: View) -> Scored | None:
    return next((event for event in reversed(view.history) if isinstance(event, Scored)), None)


def headline(view: View, scored: Scored | None) -> str:
    words = view.rules.ruleset.vocabulary
    if scored is None:
        return f"{why_void(view.history)}: this {words.deal} is void, and nobody scores."
    if scored.out is None:
        return "One seat is left in the deal: it ends."
    name = view.names[scored.out]
    counters = view.rules.ruleset.end.after == "elimination"
    amounts = view.rules.settings
    if not scored.bent:
        return f"{name} went out" + (f": the call-up, {amounts.call_up} from each other seat." if counters else ".")
    told = f"{name} laid and went out at once"
    if scored.doubled:
        return f"{told} ({words.bend}): the others pay double."
    if counters:
        return f"{told}: a kalookie, {amounts.kalookie} from each other seat."
    if view.rules.ruleset.score.doubling == "first-bend":
        return f"{told}; nothing doubles, since another had laid before."
    return f"{told}."


def at_once_word(ruleset: Ruleset) -> str:
    """Return the head of a column that counts how often a seat laid and went out in one turn."""
    return "at once" if ruleset.score.doubling == "none" and ruleset.end.after == "last-deal" else "bends"


def how_scored(view: View, scored: Scored, seat: int) -> str:
    hand = scored.hands[seat]
    if seat == scored.out:
        return "went out"
    if not view.in_deal[seat]:
        dropped = any(isinstance(event, DroppedOut) and event.seat == seat for event in view.history)
        return "dropped out after a challenge" if dropped else "eliminated"
    if not hand:
        return "emptied the hand" if any(isinstance(event, WentOut) for event in view.history) else ""
    worth = view.rules.points(hand)
    words = f"{counted(len(hand), 'card')} worth {worth}"
    if scored.out is None:
        return f"{words}, not counted: the last seat in the deal"
    limit = view.rules.ruleset.end.eliminate_over
    if limit and scored.totals[seat] > limit:
        words += f" · over {limit}: out"
    return f"{words}, doubled: {2 * worth}" if scored.doubled else words
