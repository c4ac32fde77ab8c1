"""Public events as sentences for the log, in the game's own words and with the cards' symbols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kalooki_tui.cards import Card, Faces
from kalooki_tui.desk.words.deals import why_void
from kalooki_tui.engine import actions
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.rules import Rules
from kalooki_tui.wording import does, doing, listed, past, says_of, whom, whose


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line; `call`: a call or another thing that wants attention."""

    text: str
    call: bool = False


def log_line(event: Event, names: Sequence[str], rules: Rules) -> LogLine | None:
    """The line about an event; None for what is not worth one."""
    text = _calls(event, names, rules) or _table(event, names, rules) or _score(event, names, rules)
    wants_attention = isinstance(
        event,
        happened.Called | happened.CallAllowed | happened.CallRefused | happened.WentOut | happened.Charged
        | happened.Challenged | happened.Voided | happened.Reshuffled,
    )  # fmt: skip
    return LogLine(text, wants_attention) if text else None


def log_lines(events: Iterable[Event], names: Sequence[str], rules: Rules) -> list[LogLine]:
    """The lines about what happened."""
    return [line for event in events if (line := log_line(event, names, rules)) is not None]


def step_words(action: Action, names: Sequence[str], rules: Rules) -> str:
    """Whose step it is that is taken back, and what it was. No card is named, since it may be in a hand again."""
    words = rules.ruleset.vocabulary
    steps: dict[type[Action], str] = {
        actions.Draw: "draw", actions.Lay: "lay-down", actions.Tack: words.tack, actions.Swap: "swap",
        actions.Discard: "discard", actions.Call: words.call, actions.Pass: "pass", actions.Challenge: "challenge",
        actions.Allow: f"answer to the {words.call}", actions.Refuse: f"answer to the {words.call}",
    }  # fmt: skip
    return f"{whose(names[action.seat])} {steps.get(type(action), 'last step')}"


def deed(action: Action, faces: Faces, card_open: Card | None = None) -> str:
    """What somebody did, in the past; `card_open`: the card that lay open, if it is to be named."""
    verb, rest = _verb_of(action, faces, card_open)
    return f"{past(verb)}{rest}"


def better(action: Action, faces: Faces, card_open: Card | None = None) -> str:
    """The better thing to do, as the subject of a sentence."""
    if isinstance(action, actions.Draw) and action.source is Source.STOCK:
        return "the stock"
    verb, rest = _verb_of(action, faces, card_open if isinstance(action, actions.Draw) else None)
    return f"{doing(verb)}{rest}"


def _verb_of(action: Action, faces: Faces, card_open: Card | None) -> tuple[str, str]:
    """The verb for an action, and what follows it in any tense."""
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
        case actions.Swap(card=card):
            return "swap", f" {faces.symbol(card)} for a joker"
    return "end", " the turn"


def won_words(winners: Sequence[str]) -> str:
    """Who has won: ``You win the match``, ``Ann and Bea win the match``."""
    if len(winners) == 1:
        return f"{does(winners[0], 'win')} the match"
    return f"{listed(winners)} win the match"


def _calls(event: Event, names: Sequence[str], rules: Rules) -> str:
    symbol, words = rules.faces.symbol, rules.ruleset.vocabulary
    match event:
        case happened.Called(seat=seat, card=card):
            return f"{does(names[seat], words.call)} {symbol(card)}"
        case happened.CallAllowed(seat=seat, caller=caller, card=card, asked=asked):
            allows = f"{does(names[seat], 'allow')}: " if asked else ""
            return f"{allows}{does(names[caller], 'take', inside=asked)} {symbol(card)} and a penalty card"
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
    return ""


def _table(event: Event, names: Sequence[str], rules: Rules) -> str:
    faces, words = rules.faces, rules.ruleset.vocabulary
    match event:
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
            end = f" and {says_of(names[seat], 'free')} its {words.joker}" if freed else ""
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
    return ""


def _score(event: Event, names: Sequence[str], rules: Rules) -> str:
    words = rules.ruleset.vocabulary
    match event:
        case happened.WentOut(seat=seat, bent=bent):
            bends = f" and {says_of(names[seat], words.bend)}" if bent else ""
            return f"{does(names[seat], 'go out')}{bends}!"
        case happened.Charged(seat=seat, points=points):
            if points < 0:
                return f"{does(names[seat], 'score')} {points}"
            return f"{does(names[seat], 'be')} charged {points} points"
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
