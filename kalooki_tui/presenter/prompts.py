"""Words of the table: its prompt line, the commands of its footer, the questions it puts, and notes told once.

A note says what a rule means when it first matters, which is read off a seat's view. Its sentences are data
(`notes.yaml` in the texts of the coach). Their slots, beside the ruleset's vocabulary:

- a line of the rules by its name, such as ``{rule charge}``
- `limit`: calls a seat may make; `over_call`: points for each of more
- `aces`: what each kind of ace costs; `glyph`: the joker as it is drawn
- `out`: the name of who went out
- `challenge`, `end`: keys of the table
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from kalooki_tui.cards import ACE, JOKER, RANK, Card
from kalooki_tui.coach.vocabulary import cost_words
from kalooki_tui.engine.actions import Call, Draw, Lay, Pass, Source, Tack
from kalooki_tui.engine.events import CallAllowed, Charged
from kalooki_tui.engine.permissions import DECISIONS, FLIPS, WINDOWS, owes
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.presenter.commands import BY_BUTTONS, key_of
from kalooki_tui.presenter.moves import AnswerOption
from kalooki_tui.presenter.sentences import why_void
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.wording import FIRST_NAME, Person, capital, counted, does, listed, penalty_words, says_of, whom, whose

if TYPE_CHECKING:
    from kalooki_tui.session.client import AskedAtOnce


_TURN: Final = ("draw-stock", "take-discard", "take-flip", "lay", "tack", "swap", "discard", "end", "hint")
#: A narrow footer drops the last of these first, but never the two at its end.
_ALWAYS: Final = ("best-lay", "sort", "group", "scores", "rules", "last-round", "speed", "quit", "undo", "help")
_CALLING: Final = ("call", "pass", "hint")
#: A narrow footer drops moves last.
MOVES: Final = frozenset((*_TURN, *_CALLING, "best-lay", "take-back", "challenge"))
_WATCHING: Final = ("speed", "pause", "rules", "scores", "last-round", "quit", "help")


def prompt_for(state: TurnState, plans: Sequence[SeatPlan], asked: AskedAtOnce | None = None) -> tuple[str, bool]:
    """Return what the table waits for, and whether it is the open hand's person; `asked`: people asked at once."""
    view = state.view
    faces = view.rules.faces
    if view.actor is None:
        return " ".join(filter(None, ("The deal is over.", missing_words(view, asked)))), False
    if state.seat is None or not view.legal:
        has_answered = asked is not None and asked.has_answered(state.seat)
        return answer_words(view, asked) if has_answered else _others(view, plans, asked), False
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            card, origin = card_in_question(view)
            symbol = "" if card is None else faces.symbol(card)
            penalty = penalty_words(view.rules.ruleset.calls.penalty)
            ways = f"{key_of('call')} calls it, with {penalty} · {key_of('pass')} passes"
            return f"{symbol} {origin}: {f'call it, with {penalty}?' if BY_BUTTONS.get() else ways}", True
        case Phase.DRAW:
            return _draw_words(view), True
        case Phase.ADD_ON:
            out = "" if view.out is None else f"{does(view.names[view.out], 'be')} out. "
            return f"{out}Add on what you can, then {key_of('end')}.", True
        case Phase.PLAY:
            return _play_words(state), True
    return "", True


def hand_title(state: TurnState) -> str:
    """Return whose hand it is, how far, what it is worth, and how many cards are chosen.

    Raises:
        Refused: no hand lies open.
    """
    view, seat = state.view, state.my_seat
    parts = [capital(f"{whose(view.names[seat])} hand")]
    away = state.distance()
    if away is not None:
        goal = f"{view.contract.points} points" if view.contract.points else "the contract"
        parts.append(f"{counted(away, 'card')} from {goal}" if away else f"{goal} can be laid")
    elif state.has_laid:
        parts.append("laid")
    here = view.in_deal[seat]
    out = f"out of {'the match' if view.eliminated[seat] else 'this deal'}: the others play on"
    parts.append(counted(view.rules.points(view.hand), "point") if here else out)
    if state.selected:
        parts.append(f"{len(state.selected)} chosen")
    return " · ".join(parts)


def paused_words() -> str:
    return f"AI seats wait until you press {key_of('pause')} again."


def missing_words(view: View, asked: AskedAtOnce | None, own: int | None = None) -> str:
    """Return whom, of people asked at once but the `own` seat's, the table waits for, and how long still."""
    missing = [] if asked is None else [whom(view.names[seat]) for seat in asked.missing if seat != own]
    seconds = f": {asked.seconds} s" if asked is not None and asked.seconds else ""
    return f"The table waits for {listed(missing)}{seconds}." if missing else ""


def answer_words(view: View, asked: AskedAtOnce | None) -> str:
    calls = asked is not None and asked.given.get(view.seat)
    said = f"You call {card_name(view)}." if calls else f"You have let {card_name(view)} go."
    return " ".join(filter(None, (said, missing_words(view, asked, view.seat))))


def _others(view: View, plans: Sequence[SeatPlan], asked: AskedAtOnce | None) -> str:
    actor = view.names[view.actor] if view.actor is not None else ""
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            # Once all people have answered, an AI between them may still be asked.
            missing = [view.names[seat] for seat in asked.missing] if asked is not None else []
            missing = missing or [actor]
            who = does(missing[0], "be") if len(missing) == 1 else f"{listed(missing)} are"
            return f"{who} asked whether to call."
        case Phase.DECISION | Phase.FLIP_DECISION:
            return f"{does(actor, 'allow')} or {says_of(actor, 'refuse')} the call."
        case Phase.CUT:
            return f"{does(actor, 'cut')}."
        case Phase.BUY_IN:
            return f"{does(actor, 'be')} asked whether to buy in."
    if view.actor is None or view.turn != view.actor:
        return ""
    thinks = plans[view.actor].level.startswith("master")
    return f"{does(actor, 'be')} {'thinking' if thinks else 'to play'}."


def _draw_words(view: View) -> str:
    symbols, flip = view.rules.faces.symbols, view.rules.ruleset.vocabulary.flip
    discard, flipped = (symbols(() if card is None else (card,)) for card in (view.discard, view.flip))
    open_now = [action.source for action in view.legal if isinstance(action, Draw)]
    if BY_BUTTONS.get():
        what = {Source.STOCK: "draw", Source.DISCARD: f"take {discard}", Source.FLIP: f"take the {flip} {flipped}"}
        return f"Your turn: {' or '.join(what[source] for source in open_now)}."
    ways = {
        Source.STOCK: f"{key_of('draw-stock')} draws from the stock",
        Source.DISCARD: f"{key_of('take-discard')} takes {discard}",
        Source.FLIP: f"{key_of('take-flip')} takes the {flip} {flipped}",
    }
    return "Your turn: " + " · ".join(ways[source] for source in open_now)


def _play_words(state: TurnState) -> str:
    view = state.view
    by_buttons = BY_BUTTONS.get()
    if state.staged:
        staged = counted(len(state.staged), "meld")
        if by_buttons:
            return f"{staged} staged: lay all, or tap one to take it back"
        them = "it" if len(state.staged) == 1 else "them"
        why = state.why_not(Lay(state.my_seat, tuple(state.staged)))
        back = f"{key_of('take-back')} takes back"
        if why is not None and not (why.charged or why.changed):
            return f"{staged} staged. {why.message.rstrip('.')} · {back}"
        return f"{staged} staged: {key_of('confirm')} lays {them} · {back}"
    if state.ending():
        return state.ending()
    ways = _ways_on(state) if state.has_laid else []
    if owes(view) and view.drawn is not None:
        how = f"{listed(ways, 'or')} it" if state.has_laid else f"{key_of('best-lay')} puts a lay-down together"
        return f"{view.rules.faces.symbol(view.drawn)} was drawn and goes down in this turn: {how}"
    if ways:
        return f"{capital(listed(ways, 'or'))} if you like · {_throw_words()}"
    if not state.has_laid and state.distance() == 0:
        how = "puts it together" if by_buttons else "stages it"
        return f"You can lay: {key_of('best-lay')} {how} · {_throw_words()}"
    if by_buttons:
        return f"Your turn: {_throw_words()}."
    letters = view.rules.faces.rank_name(11) == "J"
    return f"Throw a card: {_throw_words(' (0 ten, A J Q K) ·' if letters else ' (A ace, 0 ten, 1 2 a 12) ·')}"


def _ways_on(state: TurnState) -> list[str]:
    """Return what a seat that has laid can still do besides throwing a card."""
    view = state.view
    ways = ["tack"] * any(isinstance(one, Tack) for one in view.legal) + ["swap"] * state.may_swap()
    return ways + ["lay"] * (view.may_lay and bool(state.best()))


def _throw_words(ranks: str = ",") -> str:
    """Return how a card is thrown; `ranks` follows the key of a rank."""
    if BY_BUTTONS.get():
        return "throw a card"
    throws = key_of("discard")
    return f"9 {throws} throws a nine{ranks} {throws} the card at ▲"


def card_in_question(view: View) -> tuple[int | None, str]:
    """Return the card in question and where it comes from. Nobody has thrown the first card (U5)."""
    if view.phase in FLIPS:
        return view.flip, f"turned up as the {view.rules.ruleset.vocabulary.flip}"
    throwers = public_of(view).throwers
    thrower = throwers[-1] if throwers else view.discarded_by
    return view.discard, "turned up" if thrower is None else f"thrown by {whom(view.names[thrower])}"


def card_name(view: View) -> str:
    """Return the card in question by name: ``7♥``, or ``the flip 7♥``."""
    card, _ = card_in_question(view)
    flips = view.phase in FLIPS
    flip = f"the {view.rules.ruleset.vocabulary.flip} " if flips else ""
    return "" if card is None else f"{flip}{view.rules.faces.symbol(card)}"


def large_words(view: View) -> str:
    """Return what is to be seen across the room: a call, or whose move it is."""
    if view.phase in DECISIONS and view.caller is not None:
        name, call = view.names[view.caller], view.rules.ruleset.vocabulary.call
        return f"{name} {says_of(name, call)}"
    if view.phase in WINDOWS:
        return f"Who {says_of('', view.rules.ruleset.vocabulary.call)}?"
    return "" if view.actor is None else view.names[view.actor]


def footer_names(state: TurnState, *, shared: bool = False) -> tuple[str, ...]:
    view = state.view
    ruleset = view.rules.ruleset
    if state.seat is None:
        return _WATCHING
    if view.phase in WINDOWS and view.legal:
        return (*_CALLING, *(("challenge",) if view.may_challenge else ()), *_ALWAYS[1:])
    left_out = {"take-discard" if ruleset.draw.offer == "flip" else "take-flip"}
    if not ruleset.has_swaps:
        left_out.add("swap")
    has_jokers_alone = bool(view.hand) and all(card == JOKER for card in view.hand)
    if view.phase is not Phase.ADD_ON and not has_jokers_alone:
        left_out.add("end")
    names = [name for name in _TURN if name not in left_out]
    if shared:
        names.append("cover")
    if view.may_challenge:
        names.append("challenge")
    if state.staged or state.choosing:
        names.insert(names.index("lay") + 1, "take-back")
    if state.why_best() is None:
        names.insert(names.index("lay") + 1, "best-lay")
    return tuple(dict.fromkeys((*names, *_ALWAYS)))


class WordedQuestion(Struct, frozen=True):
    name: str
    title: str
    text: tuple[str | Card, ...]
    ways: tuple[AnswerOption, ...]
    """The `key` of each: the key that takes it, or the table command whose key does."""
    clause: str = ""


def as_asked(view: View) -> View:
    """Return the view of a person asked at once with others as if it were the seat's turn to be asked."""
    return replace(view, actor=view.seat, legal=(Pass(view.seat), Call(view.seat)))


def whether_to_call(view: View) -> WordedQuestion:
    """Ask whether to call the card in question (C2); answered with a bool."""
    card, origin = card_in_question(view)
    assert card is not None
    flips = view.turn == view.seat and not view.rules.settings.race
    price = "instead of drawing" if flips else f"with {penalty_words(view.rules.ruleset.calls.penalty)}"
    ways = (AnswerOption(f"Call {card_name(view)}, {price}", True, "call"), AnswerOption("Let it go", False, "pass"))
    return WordedQuestion("call", "Call it?", (card, f" {origin}."), ways, "C2")


def whether_to_allow(view: View) -> WordedQuestion:
    """Ask whether to allow a call (C4, C6), with what each answer means; answered with a bool."""
    card, _ = card_in_question(view)
    assert card is not None
    assert view.caller is not None
    caller = view.names[view.caller]
    limit = view.rules.ruleset.calls.limit
    used = "" if view.calls is None else f" ({view.calls[view.caller]} of {limit} calls used)"
    flips = view.phase is Phase.FLIP_DECISION
    words, penalty = view.rules.ruleset.vocabulary, penalty_words(view.rules.ruleset.calls.penalty)
    calls = f"{used} {says_of(caller, words.call)} {f'the {words.flip} ' if flips else ''}"
    ways = (
        AnswerOption(f"Allow: {does(caller, 'take', inside=True)} it and {penalty}, and you draw", True, "a"),
        AnswerOption(
            f"Refuse: you take {card_name(view)} {'as your draw' if flips else 'instead of drawing'}", False, "r"
        ),
    )
    name = view.names[view.seat]
    title = "Allow the call?" if name == FIRST_NAME else f"{name}, allow the call?"
    return WordedQuestion("decision", title, (caller, calls, card), ways, "U3" if flips else "C6")


def whether_to_buy_in(view: View, seat: int) -> WordedQuestion:
    """Ask whether an eliminated seat buys in (P3); answered with a bool."""
    stake = view.rules.settings.buy_in_stake
    still_in = [total for total, gone in zip(view.totals, view.eliminated, strict=True) if not gone]
    limit, name = view.rules.ruleset.end.eliminate_over, view.names[seat]
    out = f"{does(name, 'have')} {view.totals[seat]} points, more than {limit}, and {says_of(name, 'be')} out."
    text = f"{out}\nBuying in costs {stake} counters; the total is then {max(still_in)} points."
    ways = (AnswerOption(f"Buy in for {stake}", True, "b"), AnswerOption("Leave the match", False, "l"))
    return WordedQuestion("buy-in", "Buy in again?", (text,), ways, "P3")


def whether_again(view: View) -> WordedQuestion:
    """Ask whether a void contract is dealt again (D15, D32); answered with a bool."""
    word = view.rules.ruleset.vocabulary.deal
    text = f"This {word} has been void {view.attempt} times. {why_void(view.history)}. Nobody has scored."
    if view.rules.ruleset.end.after == "elimination":
        other, clause = "End the match: the lowest total takes the pool", "D32"
    else:
        other, clause = "Pass this contract over, with no score for it", "D15"
    ways = (AnswerOption("Deal it again", True, "d"), AnswerOption(other, False, "o"))
    return WordedQuestion("go-on", "Void again", (text,), ways, clause)


def whether_taken_back(words: str) -> WordedQuestion:
    """Ask whether a step elsewhere may be taken back; answered with a bool."""
    ways = (AnswerOption("Let it be taken back", True, "agree"), AnswerOption("It stays", False, "disagree"))
    return WordedQuestion("consent", "Take it back?", (words,), ways)


def cut_words(view: View) -> str:
    name, bonus = view.names[view.dealer], view.rules.ruleset.dealer_cut_bonus or 0
    return (
        f"{name}, you deal: cut the deck. A packet of exactly the cards this deal hands out, "
        f"{view.contract.cards} to each of {sum(view.in_deal)} seats, scores you {bonus}."
    )


USUAL: Final = "usual"
#: The note that the dealer's cut shows in its question; the others have a strip of the table.
CUT: Final = "cut"


class Note(Struct, frozen=True):
    """Note in words; `clause`: where the rules open for more."""

    name: str
    text: str
    clause: str


def note_about(name: str, view: View) -> Note:
    # Most tables have no note at first, and are drawn without these modules.
    from kalooki_tui.coach.clauses import RULE, rule_slots
    from kalooki_tui.coach.vocabulary import sentences

    texts = sentences("notes")[name]
    rules = view.rules
    ruleset, rule, case = rules.ruleset, rules.charges.over_call, USUAL
    if name == "challenge" and rule is not None:
        case = rule.loser
    elif name == "dead":
        case = ruleset.draw.offer
    text = texts.get(case, texts.get(USUAL, ""))
    quoted = rule_slots(ruleset, rules) if RULE in text else {}
    slots = {
        **asdict(ruleset.vocabulary),
        "limit": ruleset.calls.limit,
        "over_call": 0 if rule is None else rule.points,
        "aces": ", ".join(cost_words(ruleset, (ACE,))),
        "glyph": rules.faces.symbol(JOKER),
        "out": Person("" if view.out is None else view.names[view.out]),
        "challenge": key_of("challenge"),
        "end": key_of("end"),
    }
    return Note(name, text.format(**quoted, **slots), texts["clauses"].partition(",")[0])


def due_note(view: View, seen: Collection[str], *, mine: bool) -> Note | None:
    """Return the most pressing note not seen yet; `mine`: the hand of the view's seat lies open."""
    for name, is_due in _DUE.items():
        if name not in seen and is_due(view, mine):
            return note_about(name, view)
    return None


def is_due(name: str, view: View, *, mine: bool) -> bool:
    return _DUE[name](view, mine)


def _have_aces(view: View) -> bool:
    costs = {value for card, value in enumerate(view.rules.values) if RANK[card] == ACE}
    return len(costs) > 1 and any(RANK[card] == ACE for card in view.hand)


#: When each note of the table is due, the most pressing first: given the view, and whether its hand lies open.
_DUE: Final[dict[str, Callable[[View, bool], bool]]] = {
    "add-on": lambda view, mine: mine and view.phase is Phase.ADD_ON and view.actor == view.seat,
    "flip": lambda view, mine: view.flip is not None,
    "charge": lambda view, mine: any(isinstance(event, Charged) and event.points > 0 for event in view.history),
    "void": lambda view, mine: view.attempt > 1,
    "reshuffle": lambda view, mine: view.reshuffles > 0,
    "dead": lambda view, mine: view.dead and view.discard is not None,
    "challenge": lambda view, mine: (
        mine and bool(view.may_challenge) and any(isinstance(event, CallAllowed) for event in view.history)
    ),
    "stakes": lambda view, mine: view.rules.ruleset.end.after == "elimination" and view.phase is not Phase.BUY_IN,
    "colours": lambda view, mine: mine and view.rules.ruleset.deck == "colours",
    "aces": lambda view, mine: mine and _have_aces(view),
}
NOTES: Final = (*_DUE, CUT)
