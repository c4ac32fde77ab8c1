"""Recap of what has happened since a seat's last turn, oldest first; and the melds that are new since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.permissions import may_call
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.wording import FIRST_NAME, capital, number_word, past, penalty_words, whom, whose

NOBODY: Final = frozenset[int]()


class RecapLine(Struct, frozen=True):
    """Doings of a seat, or of the table where `name` is empty: ``Cy``, ``took Q♠, threw 6♥``."""

    name: str
    text: str
    stays: bool = False
    """Whether it is told however little room there is: a challenge, a drop-out."""

    @property
    def whole(self) -> str:
        return f"{self.name} {self.text}".strip()


@dataclass
class _Doings:
    seat: int | None
    parts: list[str] = field(default_factory=list)
    laid: list[happened.Laid] = field(default_factory=list)
    tacked: list[happened.Tacked] = field(default_factory=list)
    stays: bool = False


def events_since(view: View) -> list[Event]:
    """Return what others have done, oldest first, and the seat's own calls, since its last turn ended."""
    found: list[Event] = []
    for event in reversed(view.history):
        if isinstance(event, happened.Dealt):
            break
        if isinstance(event, happened.Discarded | happened.TurnEnded) and event.seat == view.seat:
            break
        found.append(event)
    return found[::-1]


def last_round(view: View) -> list[Event]:
    return _since_turns(view, sum(view.in_deal), happened.Discarded, happened.TurnEnded)


def _since_turns(view: View, turns: int, *ends: type[Event]) -> list[Event]:
    """Return the events of the last turns and since; `ends`: the events that end a turn."""
    found: list[Event] = []
    for event in reversed(view.history):
        turns -= isinstance(event, ends)
        if turns < 0 or isinstance(event, happened.Dealt):
            break
        found.append(event)
    return found[::-1]


def fresh_melds(view: View) -> dict[int, list[Card]]:
    """Return the melds that others have laid or added to since the seat's last turn, each with its new cards."""
    found: dict[int, list[Card]] = {}
    for event in events_since(view):
        if isinstance(event, happened.Laid | happened.Tacked | happened.Swapped) and event.seat != view.seat:
            cards = (event.card,) if isinstance(event, happened.Swapped) else event.cards
            found.setdefault(event.meld, []).extend(cards)
    return found


def recap(
    view: View, *, short: bool = False, aloud: bool = False, together: Collection[int] = NOBODY
) -> list[RecapLine]:
    """Return what happened since the seat's last turn; `short`: without draws from the stock, tacks counted.

    `aloud`: for everybody, so that the seat is named like the others. `together`: seats of people asked at one screen
    at once, where nobody's call comes before another's but in a race.
    """
    doings: list[_Doings] = []

    def of(seat: int | None) -> _Doings:
        if not doings or doings[-1].seat != seat:
            doings.append(_Doings(seat))
        return doings[-1]

    events = events_since(view)
    before = len(view.history) - len(events)
    # What ended the seat's last turn is not among the events; it says whose card was called first.
    passed, thrower = False, view.seat if before and isinstance(view.history[before - 1], happened.Discarded) else None
    for place, event in enumerate(events):
        match event:
            case happened.Passed(seat=seat):
                passed = passed or seat == view.seat
            case happened.Discarded(seat=seat, card=card):
                _close(view, of(seat), short)
                of(seat).parts.append(f"threw {_symbol(view, card)}")
                passed, thrower = False, seat
            case happened.CallAllowed() | happened.CallRefused():
                at_once = event.caller in together and not view.rules.settings.race
                first = not (passed or at_once or aloud or thrower == view.seat)
                first = first and _was_to_be_asked(view, event, events[place + 1 :])
                _tell_call(view, event, first, None if aloud else view.seat, of)
            case _:
                _add(view, event, of, short)
                if isinstance(event, happened.Challenged | happened.DroppedOut):
                    of(event.seat).stays = True
    found = []
    for one in doings:
        _close(view, one, short)
        text = ", ".join(one.parts)
        name, text = ("", capital(text)) if one.seat is None else (view.names[one.seat], text)
        found += [RecapLine(name, text, one.stays)] if text else []
    return found


def fitting(
    view: View, width: int, rows: int, *, aloud: bool = False, together: Collection[int] = NOBODY
) -> list[RecapLine]:
    """Return the recap as far as it fits `rows` rows of `width` cells: shorter words first, then the oldest left out.

    A challenge and a drop-out stay: that seat has no more turns, and would see its cards gone and no reason.
    """
    room = rows * (width - 6)
    told = recap(view, aloud=aloud, together=together)
    if _length(told) > room:
        told = recap(view, short=True, aloud=aloud, together=together)
    gap = None
    while _length(told) > room - 2:
        oldest = next((place for place, one in enumerate(told[:-1]) if not one.stays), None)
        if oldest is None:
            break
        gap = oldest if gap is None else gap
        del told[oldest]
    if gap is not None:
        told.insert(gap, RecapLine("", "…"))
    return told


def ending(view: View, width: int, rows: int) -> str:
    """Return the last round of a deal for everybody, the oldest left out; empty where nobody went out."""
    out = next((event.seat for event in reversed(view.history) if isinstance(event, happened.WentOut)), None)
    if out is None:
        return ""
    told = fitting(replace(view, seat=(out + 1) % len(view.names)), width, rows, aloud=True)
    return " · ".join(one.whole for one in told)


def last_call(view: View) -> str:
    """Return how the last call since the card before the top one was answered; empty without one.

    While a flip lies open, that is the call for the card thrown just before it (U1).
    """
    for event in reversed(_since_turns(view, 1, happened.Discarded)):
        if isinstance(event, happened.CallAllowed | happened.CallRefused):
            caller, symbol = view.names[event.caller], _symbol(view, event.card)
            call = view.rules.ruleset.vocabulary.call
            if isinstance(event, happened.CallRefused):
                return f"{view.names[event.seat]} refused {whose(caller)} {call} and took {symbol}."
            return f"{caller} {past(call)} {symbol} and got it, with {penalty_words(view.rules.ruleset.calls.penalty)}."
    return ""


def last_challenge(view: View) -> str:
    """Return the last challenge since the card before the top one, and what came of it; empty without one."""
    came: list[str] = []
    for event in reversed(_since_turns(view, 1, happened.Discarded, happened.TurnEnded)):
        match event:
            case happened.Challenged():
                who, target = view.names[event.seat], view.names[event.target]
                verdict = "rightly" if event.found else "rightly but too late" if event.already else "wrongly"
                return f"{who} challenged {whom(target)}, {verdict}{': ' if came else ''}{' '.join(came[::-1])}."
            case happened.Charged(seat=seat, points=points, clause="F2" | "F3"):
                came.append(f"{whom(view.names[seat])} paid {points} points")
            case happened.DroppedOut():
                came.append("and dropped out")
    return ""


def last_cut(view: View) -> str:
    """Return whether the dealer's cut before this deal was exact; empty without one (B1)."""
    cut = next((event for event in reversed(view.history) if isinstance(event, happened.CutMade)), None)
    if cut is None:
        return ""
    bonus = view.rules.ruleset.dealer_cut_bonus or 0
    came = f"exactly right: {bonus} points" if cut.exact else "not exact: no bonus"
    return f"{capital(whose(view.names[cut.seat]))} cut was {came}."


def _length(told: Sequence[RecapLine]) -> int:
    return sum(len(one.whole) + 3 for one in told)


def _symbol(view: View, card: Card) -> str:
    return view.rules.faces.symbol(card)


def _add(view: View, event: Event, of: Callable[[int | None], _Doings], short: bool) -> None:
    match event:
        case happened.Drew(seat=seat, source=source, card=card) if seat != view.seat:
            if source is Source.STOCK:
                if not short:
                    of(seat).parts.append("drew")
            else:
                flip = f"the {view.rules.ruleset.vocabulary.flip} " if source is Source.FLIP else ""
                of(seat).parts.append(f"took {flip}{'a card' if card is None else _symbol(view, card)}")
        case happened.Laid(seat=seat) if seat != view.seat:
            of(seat).laid.append(event)
        case happened.Tacked(seat=seat) if seat != view.seat:
            of(seat).tacked.append(event)
        case happened.Swapped(seat=seat, meld=meld, card=card, freed=freed) if seat != view.seat:
            _close(view, of(seat), short)
            where = f"{_symbol(view, JOKER)} stays in it" if freed is None else f"{_symbol(view, freed)} freed"
            of(seat).parts.append(f"swapped {_symbol(view, card)} into m{meld + 1} ({where})")
        case happened.TurnEnded(seat=seat):
            of(seat).parts.append("threw nothing")
        case happened.Flipped(card=card):
            of(None).parts.append(f"the {view.rules.ruleset.vocabulary.flip} was {_symbol(view, card)}")
        case happened.Challenged(seat=seat, target=target):
            of(seat).parts.append(f"challenged {whom(view.names[target])}")
        case happened.Charged(seat=seat, points=points):
            of(seat).parts.append(f"paid {points} points" if points >= 0 else f"gained {-points} points")
        case happened.DroppedOut(seat=seat):
            of(seat).parts.append("dropped out")
        case happened.Reshuffled():
            of(None).parts.append("the discards were shuffled")
        case happened.WentOut(seat=seat) if seat != view.seat:
            _close(view, of(seat), short)
            of(seat).parts.append("went out")


def _tell_call(
    view: View,
    event: happened.CallAllowed | happened.CallRefused,
    first: bool,
    told_to: int | None,
    of: Callable[[int | None], _Doings],
) -> None:
    """Add a call and what came of it; `told_to`: the seat it is told to, None for everybody."""
    symbol = _symbol(view, event.card)
    call = past(view.rules.ruleset.vocabulary.call)
    by_place = view.rules.ruleset.calls.order == "nearest" and not view.rules.settings.race
    ahead = " and sits nearer" if by_place else " first"
    if isinstance(event, happened.CallAllowed):
        of(event.caller).parts.append(f"{call} {symbol}{ahead if first else ''}")
        return
    caller = FIRST_NAME if event.caller == told_to else view.names[event.caller]
    before = ahead if first and event.caller != view.seat else ""
    if before:
        of(event.caller).parts.append(f"{call}{before}")
    words = view.rules.ruleset.vocabulary
    flip = f"the {words.flip} " if event.source is Source.FLIP else ""
    of(event.seat).parts.append(f"refused {whose(caller)} {words.call}, took {flip}{symbol}")


def _was_to_be_asked(view: View, event: happened.CallAllowed | happened.CallRefused, later: Sequence[Event]) -> bool:
    """Tell whether the view's seat could have called after the caller, had that not called (C2, C5, C9).

    `later`: the events since, in which the seat may have laid or called another card.
    """
    caller, turn, seat, count = event.caller, event.seat, view.seat, len(view.names)
    if seat in (caller, turn) or view.rules.ruleset.draw.offer == "flip":
        return False
    return may_call(_before(view, later), seat) and (
        view.rules.settings.race or (seat - turn) % count > (caller - turn) % count
    )


def _before(view: View, later: Sequence[Event]) -> View:
    laid, calls = view.laid, view.calls
    if any(isinstance(event, happened.Laid) and event.seat == view.seat and event.first for event in later):
        laid = tuple(HasLaid.NO if seat == view.seat else one for seat, one in enumerate(laid))
    made = sum(isinstance(event, happened.CallAllowed) and event.caller == view.seat for event in later)
    if calls is not None:
        calls = tuple(count - (made if seat == view.seat else 0) for seat, count in enumerate(calls))
    return replace(view, laid=laid, calls=calls)


def _close(view: View, doings: _Doings, short: bool) -> None:
    words, laid = view.rules.ruleset.vocabulary, doings.laid
    if len(laid) == 1 and not short:
        doings.parts.append(f"{past(words.lay)} {view.rules.faces.symbols(laid[0].cards)}")
    elif laid:
        text = f"{past(words.lay)} {number_word(len(laid))} meld{'' if len(laid) == 1 else 's'}"
        jokers = [f"m{one.meld + 1}" for one in laid if JOKER in one.cards]
        doings.parts.append(f"{text} ({_symbol(view, JOKER)} in {', '.join(jokers)})" if jokers else text)
    doings.laid = []
    if doings.tacked:
        verb = past(words.tack)
        cards = [
            _symbol(view, card) + (f" on m{one.meld + 1}" if card == JOKER else "")
            for one in doings.tacked
            for card in one.cards
        ]
        if short and len(cards) > 2 and not any(JOKER in one.cards for one in doings.tacked):
            cards = [f"{len(cards)} cards"]
        doings.parts.append(f"{verb} {(', ' if any(' on ' in one for one in cards) else ' ').join(cards)}")
        doings.tacked = []
