"""Public events as sentences for the log, in the game's own words and with the cards' symbols."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kalooki_tui.desk.plan import FIRST_NAME
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.rules import Rules
from kalooki_tui.values import dataclass


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line; `call`: a call or another thing that wants attention."""

    text: str
    call: bool = False


def log_line(event: Event, names: Sequence[str], rules: Rules) -> LogLine | None:
    """The line about an event; None for what is not worth one."""
    text = _calls(event, names, rules) or _table(event, names, rules) or _score(event, names)
    wants_attention = isinstance(
        event,
        happened.Called | happened.CallAllowed | happened.CallRefused | happened.WentOut | happened.Charged
        | happened.Challenged | happened.Voided | happened.Reshuffled,
    )  # fmt: skip
    return LogLine(addressed(text), wants_attention) if text else None


def undone_words(gone: Sequence[Event], names: Sequence[str], rules: Rules) -> str:
    """What was taken back, by the events that are no more: the step, not what followed it, and no card, which may be
    in a hand again."""
    if gone and all(isinstance(event, happened.Passed) for event in gone):
        return "who calls is asked again"
    words = rules.ruleset.vocabulary
    steps: dict[type[Event], str] = {
        happened.Drew: "draw", happened.Laid: "lay-down", happened.Tacked: words.tack, happened.Swapped: "swap",
        happened.Discarded: "discard", happened.Called: words.call, happened.Challenged: "challenge",
        happened.CallAllowed: f"answer to the {words.call}", happened.CallRefused: f"answer to the {words.call}",
    }  # fmt: skip
    for event in gone:
        if type(event) in steps and (seat := getattr(event, "seat", None)) is not None:
            whose = "your" if names[seat] == FIRST_NAME else f"{names[seat]}'s"
            return f"{whose} {steps[type(event)]}"
    return "the last step"


#: Verbs whose second person is not the third without its s.
_IRREGULAR: Final = {"is": "are", "has": "have", "goes": "go", "does": "do", "passes": "pass"}
#: The seat, its verb, and what else is said of it. A name may end in You without being it.
_SAID_OF_YOU: Final = re.compile(rf"(?<!\S){FIRST_NAME} ([a-z]+)\b([^;:.!]*)")
#: A second verb of the same seat: every one of the third person ends in s, and no other word after these does.
_NEXT_VERB: Final = re.compile(r"\b(and|or) ([a-z]+s)\b")


def addressed(text: str) -> str:
    """A sentence about the seat called You, in the second person: ``You refuse and take …``."""

    def say(found: re.Match[str]) -> str:
        rest = _NEXT_VERB.sub(lambda verb: f"{verb[1]} {_second_person(verb[2])}", found[2])
        inside = found.string[: found.start()].endswith((": ", "; "))
        return f"{FIRST_NAME.lower() if inside else FIRST_NAME} {_second_person(found[1])}{rest}"

    return _SAID_OF_YOU.sub(say, text)


def _second_person(verb: str) -> str:
    return _IRREGULAR.get(verb, verb.removesuffix("s"))


def _calls(event: Event, names: Sequence[str], rules: Rules) -> str:
    symbol, words = rules.faces.symbol, rules.ruleset.vocabulary
    match event:
        case happened.Called(seat=seat, card=card):
            return f"{names[seat]} {words.call}s {symbol(card)}"
        case happened.CallAllowed(seat=seat, caller=caller, card=card, asked=asked):
            allows = f"{names[seat]} allows: " if asked else ""
            return f"{allows}{names[caller]} takes {symbol(card)} and a penalty card"
        case happened.CallRefused(seat=seat, card=card, source=source):
            flip = f"the {words.flip} " if source is Source.FLIP else ""
            return f"{names[seat]} refuses and takes {flip}{symbol(card)}"
        case happened.Flipped(card=card, given=given):
            taker = "" if given is None else f": {names[given]} gets it"
            return f"The {words.flip} is {symbol(card)}{taker}"
        case happened.Challenged(seat=seat, target=target, found=found, already=already):
            verdict = f"{found} too many" if found else "charged before" if already else "nothing found"
            return f"{names[seat]} challenges {names[target]}: {verdict}"
        case happened.CutMade(seat=seat, exact=exact):
            return f"{names[seat]} cuts{': exactly right' if exact else ''}"
    return ""


def _table(event: Event, names: Sequence[str], rules: Rules) -> str:
    faces, words = rules.faces, rules.ruleset.vocabulary
    match event:
        case happened.Dealt(dealer=dealer, card=card, turn=turn):
            return f"{names[dealer]} deals and turns up {faces.symbol(card)}; {names[turn]} begins"
        case happened.Drew(seat=seat, source=Source.STOCK):
            return f"{names[seat]} draws from the stock"
        case happened.Drew(seat=seat, source=source, card=card):
            which = f"the {words.flip}" if source is Source.FLIP else "the discard"
            return f"{names[seat]} takes {which}{'' if card is None else ' ' + faces.symbol(card)}"
        case happened.Laid(seat=seat, meld=meld, cards=cards):
            return f"{names[seat]} {words.lay}s m{meld + 1} {faces.symbols(cards)}"
        case happened.Tacked(seat=seat, meld=meld, cards=cards):
            return f"{names[seat]} {words.tack}s {faces.symbols(cards)} on m{meld + 1}"
        case happened.Swapped(seat=seat, meld=meld, card=card, freed=freed):
            end = f" and frees its {words.joker}" if freed else ""
            return f"{names[seat]} swaps {faces.symbol(card)} into m{meld + 1}{end}"
        case happened.Discarded(seat=seat, card=card):
            return f"{names[seat]} discards {faces.symbol(card)}"
        case happened.TurnEnded(seat=seat):
            return f"{names[seat]} has nothing to discard"
        case happened.DroppedOut(seat=seat):
            return f"{names[seat]} is out of the deal"
        case happened.Reshuffled(size=size):
            return f"The discards are shuffled: {size} cards in the stock"
        case happened.Voided():
            return "The stock has run out twice: the deal is void"
        case happened.AddedOn(seat=seat):
            return f"{names[seat]} is done"
    return ""


def _score(event: Event, names: Sequence[str]) -> str:
    match event:
        case happened.WentOut(seat=seat, bent=bent):
            return f"{names[seat]} goes out{' and bends the table' if bent else ''}!"
        case happened.Charged(seat=seat, points=points):
            return f"{names[seat]} is charged {points} points" if points >= 0 else f"{names[seat]} scores {points}"
        case happened.PassedOver(deal=deal):
            return f"Contract {deal} is passed over"
        case happened.Eliminated(seat=seat):
            return f"{names[seat]} is eliminated"
        case happened.BoughtIn(seat=seat, total=total):
            return f"{names[seat]} buys in again at {total}"
        case happened.SeatLeft(seat=seat):
            return f"{names[seat]} leaves the match"
        case happened.Paid(reason=reason, changes=changes):
            moved = ", ".join(f"{name} {change:+d}" for name, change in zip(names, changes, strict=True) if change)
            return f"Counters ({reason}): {moved}"
    return ""
