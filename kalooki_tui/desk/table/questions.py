"""Questions to a person at the table in words, whatever shows them: who calls, allow or refuse, buy in, deal again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kalooki_tui.cards import Card
from kalooki_tui.desk.table.front import Way
from kalooki_tui.desk.table.prompt import card_in_question, card_name
from kalooki_tui.desk.words.deals import why_void
from kalooki_tui.engine.actions import Call, Pass
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.wording import FIRST_NAME, does, says_of


@dataclass(frozen=True, slots=True)
class Worded:
    """A question: cards stand in its text as they are."""

    name: str
    title: str
    text: tuple[str | Card, ...]
    ways: tuple[Way, ...]
    """`Way.key`: the key that takes it, or the table's command whose key does."""
    clause: str = ""


def as_asked(view: View) -> View:
    """The view of a person who is asked at once with others whether to call, as if it were this seat's turn to be."""
    return replace(view, actor=view.seat, legal=(Pass(view.seat), Call(view.seat)))


def whether_to_call(view: View) -> Worded:
    """Whether to call the card in question (C2); answered with a truth value."""
    card, origin = card_in_question(view)
    assert card is not None
    flips = view.turn == view.seat and not view.rules.settings.race
    price = "instead of drawing" if flips else "with a penalty card"
    ways = (Way(f"Call {card_name(view)}, {price}", True, "call"), Way("Let it go", False, "pass"))
    return Worded("call", "Call it?", (card, f" {origin}."), ways, "C2")


def whether_to_allow(view: View) -> Worded:
    """Allow or refuse (C4, C6): who calls what, and what each answer means; answered with a truth value."""
    card, _ = card_in_question(view)
    assert card is not None
    assert view.caller is not None
    caller = view.names[view.caller]
    limit = view.rules.ruleset.calls.limit
    used = "" if view.calls is None else f" ({view.calls[view.caller]} of {limit} calls used)"
    flips = view.phase is Phase.FLIP_DECISION
    words = view.rules.ruleset.vocabulary
    calls = f"{used} {says_of(caller, words.call)} {f'the {words.flip} ' if flips else ''}"
    ways = (
        Way(f"Allow: {does(caller, 'take', inside=True)} it and a penalty card, and you draw", True, "a"),
        Way(f"Refuse: you take {card_name(view)} {'as your draw' if flips else 'instead of drawing'}", False, "r"),
    )
    name = view.names[view.seat]
    title = "Allow the call?" if name == FIRST_NAME else f"{name}, allow the call?"
    return Worded("decision", title, (caller, calls, card), ways, "U3" if flips else "C6")


def whether_to_buy_in(view: View, seat: int) -> Worded:
    """Whether an eliminated seat buys in (P3); answered with a truth value."""
    stake = view.rules.settings.buy_in_stake
    still_in = [total for total, gone in zip(view.totals, view.eliminated, strict=True) if not gone]
    limit, name = view.rules.ruleset.end.eliminate_over, view.names[seat]
    out = f"{does(name, 'have')} {view.totals[seat]} points, more than {limit}, and {says_of(name, 'be')} out."
    text = f"{out}\nBuying in costs {stake} counters; the total is then {max(still_in)} points."
    ways = (Way(f"Buy in for {stake}", True, "b"), Way("Leave the match", False, "l"))
    return Worded("buy-in", "Buy in again?", (text,), ways, "P3")


def whether_again(view: View) -> Worded:
    """Whether a void contract is dealt again (D15, D32); answered with a truth value."""
    word = view.rules.ruleset.vocabulary.deal
    text = f"This {word} has been void {view.attempt} times. {why_void(view.history)}. Nobody has scored."
    if view.rules.ruleset.end.after == "elimination":
        other, clause = "End the match: the lowest total takes the pool", "D32"
    else:
        other, clause = "Pass this contract over, with no score for it", "D15"
    ways = (Way("Deal it again", True, "d"), Way(other, False, "o"))
    return Worded("go-on", "Void again", (text,), ways, clause)


def whether_taken_back(words: str) -> Worded:
    """Whether somebody elsewhere may take a step back; answered with a truth value."""
    ways = (Way("Let it be taken back", True, "agree"), Way("It stays", False, "disagree"))
    return Worded("consent", "Take it back?", (words,), ways)


def cut_words(view: View) -> str:
    """What the dealer's cut is about (B1)."""
    name, bonus = view.names[view.dealer], view.rules.ruleset.dealer_cut_bonus or 0
    return (
        f"{name}, you deal: cut the deck. A packet of exactly the cards this deal hands out, "
        f"{view.contract.cards} to each of {sum(view.in_deal)} seats, scores you {bonus}."
    )
