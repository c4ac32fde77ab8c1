"""Events and refusals as text, and refusals as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kalooki_tui.cards import JOKER, Card, Faces
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.notation.action_text import print_meld_number


def print_event(event: Event, names: Sequence[str], faces: Faces) -> str:
    if isinstance(event, happened.SeatEvent):
        return f"{names[event.seat]}: {_seat_line(event, names, faces)}"
    return _table_line(event, names, faces)


def _seat_line(event: Event, names: Sequence[str], faces: Faces) -> str:
    match event:
        case happened.CutMade(exact=exact):
            # The number stands in the record alone (B1).
            return f"cut{' (exact)' if exact else ''}"
        case happened.Passed():
            return "pass"
        case happened.Called(card=card):
            return f"call ({faces.text(card)})"
        case happened.CallAllowed(caller=caller, card=card, asked=asked):
            unasked = "" if asked else ", unasked"
            return f"allow ({names[caller]} takes {faces.text(card)}{unasked})"
        case happened.CallRefused(caller=caller, card=card):
            return f"refuse (takes {faces.text(card)} that {names[caller]} called)"
        case happened.PenaltyCard(card=card):
            return f"takes a penalty card{_held(card, faces)}"
        case happened.Drew(source=source, card=card):
            return f"draw {source}{_held(card, faces)}"
        case happened.Laid(meld=meld, kind=kind, cards=cards):
            return f"lay {faces.texts(cards)} ({print_meld_number(meld)}, {kind})"
        case happened.Tacked(meld=meld, cards=cards, now=now):
            return f"tack {faces.texts(cards)} {print_meld_number(meld)} ({faces.texts(now)})"
        case happened.Swapped(meld=meld, card=card, now=now, freed=freed):
            freed_text = "the joker" if freed == JOKER else faces.text(freed) if freed is not None else ""
            joker = f", {freed_text} is freed" if freed_text else ""
            return f"swap {faces.text(card)} {print_meld_number(meld)} ({faces.texts(now)}{joker})"
        case happened.Discarded(card=card):
            return f"discard {faces.text(card)}"
        case happened.TurnEnded():
            return "end"
        case happened.Challenged(target=target, found=found, already=already):
            verdict = f"{found} over-calls found" if found else "charged already" if already else "nothing found"
            return f"challenge {names[target]} ({verdict})"
        case happened.Charged(points=points, clause=clause):
            return f"is charged {points} points ({clause})"
        case happened.DroppedOut(cards=cards):
            shown = "" if not cards else f" ({faces.texts(cards)})"
            return f"drops out of the deal{shown}"
        case happened.WentOut(bent=bent):
            return f"goes out{' and bends the table' if bent else ''}"
        case happened.AddedOn():
            return "done"
        case happened.Eliminated():
            return "is eliminated"
        case happened.BoughtIn(total=total):
            return f"buy-in (at {total} points)"
        case happened.SeatLeft():
            return "leave"
    raise AssertionError(event)


def _table_line(event: Event, names: Sequence[str], faces: Faces) -> str:
    match event:
        case happened.Dealt(deal=deal, attempt=attempt, dealer=dealer, turn=turn, card=card):
            again = f", try {attempt}" if attempt > 1 else ""
            shown = faces.text(card)
            return f"deal {deal}{again}: {names[dealer]} deals, {shown} is turned up, {names[turn]} begins"
        case happened.Flipped(card=card, given=given):
            taker = "" if given is None else f", drawn by {names[given]}"
            return f"flip: {faces.text(card)}{taker}"
        case happened.Reshuffled(size=size, stock=stock):
            shown = "" if stock is None else f" ({faces.texts(stock)})"
            return f"reshuffled: {size} cards{shown}"
        case happened.Voided(deal=deal, attempt=attempt, turns=turns):
            return f"void: deal {deal}, try {attempt}" + ("" if turns is None else f", {turns} turns")
        case happened.Scored(points=points, totals=totals, doubled=doubled):
            double = ", doubled" if doubled else ""
            return f"scored: {_by_seat(points, names)}{double}; totals {_by_seat(totals, names)}"
        case happened.PassedOver(deal=deal, points=points, totals=totals):
            return f"passed over: deal {deal}; {_by_seat(points, names)}; totals {_by_seat(totals, names)}"
        case happened.Paid(reason=reason, changes=changes, pool=pool):
            return f"paid ({reason}): {_by_seat(changes, names)}; pool {pool}"
        case happened.MatchOver(winners=winners, totals=totals):
            won = " and ".join(names[seat] for seat in winners)
            return f"result: {won} won; totals {_by_seat(totals, names)}"
    raise AssertionError(event)


def print_events(events: Iterable[Event], names: Sequence[str], faces: Faces) -> list[str]:
    return [print_event(event, names, faces) for event in events]


def _held(card: Card | None, faces: Faces) -> str:
    return "" if card is None else f" ({faces.text(card)})"


def _by_seat(numbers: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))


def print_refusal(refusal: Refusal) -> str:
    cost = f" ({refusal.charged} points charged)" if refusal.charged else ""
    return f"refused: {refusal.code} ({refusal.clause}): {refusal.message}{cost}"


def refusal_data(refusal: Refusal) -> dict[str, object]:
    """Return a refusal for programs: `code`, `clause`, `message`; `charged` if it cost points."""
    data: dict[str, object] = {"code": refusal.code, "clause": refusal.clause, "message": refusal.message}
    if refusal.charged:
        data["charged"] = refusal.charged
    return data
