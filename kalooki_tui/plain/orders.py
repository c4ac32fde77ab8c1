"""Typed lines as actions: the notation, or a short form with the rest worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kalooki_tui.engine.actions import Action, Discard, Done, Draw, EndTurn, Group, Lay, Source, Swap, Tack
from kalooki_tui.engine.additions import reach_of, swaps, tacks_of, uses
from kalooki_tui.engine.permissions import has_laid, owes, why_no_addition, why_no_lay
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.action_text import is_verb, parse_answer, parse_meld_number
from kalooki_tui.notation.card_text import NotationError, parse_cards
from kalooki_tui.presenter.turn_state import WhyNot, arrangements, swap_words, why_no_joker, why_no_place
from kalooki_tui.solver import best_lay_of, distance
from kalooki_tui.wording import counted, does, quote

#: Words that mean one action of the notation, and those that begin one.
WHOLE: Final = {
    "d": "draw stock", "draw": "draw stock", "stock": "draw stock",
    "t": "draw discard", "take": "draw discard",
    "f": "draw flip", "flip": "draw flip",
    "c": "call", "p": "pass", "n": "pass", "a": "allow", "r": "refuse",
}  # fmt: skip
FIRST: Final = {"x": "discard", "throw": "discard", "l": "lay", "k": "tack", "w": "swap"}

#: A way to do what was asked for, and its words.
Way = tuple[str, Action]


def ways_to(why_not: WhyNot, view: View, line: str) -> list[Way]:
    """Return the actions a line may mean, each in words; raise Refused or NotationError."""
    word, _, rest = line.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if not rest and word in WHOLE:
        return [(line, parse_answer(WHOLE[word], view.seat, view.names, view.rules.faces))]
    word = FIRST.get(word, word)
    match word:
        case "lay" | "best" if not rest or word == "best":
            _check(why_no_lay(view, view.seat))
            best = best_lay_of(view)
            if best is None or not best.groups:
                away = 0 if has_laid(view, view.seat) else distance(view.rules, view.contract, view.hand)
                lacking = f": you are {counted(away, 'card')} from the contract" if away else ""
                raise _refused("L1", f"There is nothing you can lay{lacking}.")
            return [(_words(view, best.groups), Lay(view.seat, best.groups))]
        case "lay" if ":" not in rest:  # what kind each meld is to be has not been said
            return _lays(view, rest)
        case "discard" if not rest:
            why = None if view.phase is Phase.PLAY else why_not(Discard(view.seat, view.hand[0]))
            raise _refused("S1", "Say which card, such as: x 7H") if why is None else Refused(why)
        case "tack":
            return _tacks(why_not, view, rest)
        case "swap" if len(rest.split()) <= 2 + (view.rules.ruleset.swap == "both-suits"):
            return _swaps(why_not, view, rest)
        case "end" | "done":
            return [(word, Done(view.seat) if view.phase is Phase.ADD_ON else EndTurn(view.seat))]
    if not is_verb(word):
        raise NotationError(f"{quote(word)} is not an action")
    return [(line, parse_answer(f"{word} {rest}", view.seat, view.names, view.rules.faces))]


def _check(why: Refusal | None) -> None:
    if why is not None:
        raise Refused(why)


def _refused(clause: str, message: str) -> Refused:
    return Refused(Refusal("plain.none", clause, message))


def _words(view: View, groups: Sequence[Group]) -> str:
    return "lay " + " | ".join(view.rules.faces.symbols(group.cards) for group in groups)


def _lays(view: View, text: str) -> list[Way]:
    """Return melds of the cards named; those between two bars belong together."""
    _check(why_no_lay(view, view.seat))
    named = [parse_cards(part, view.rules.faces) for part in text.split("|")]
    own = [meld for meld in view.melds if meld.owner == view.seat]
    cards = [card for part in named for card in part]
    missing = Counter(cards) - Counter(view.hand)
    if missing:
        raise _refused("L1", f"You do not hold {view.rules.faces.symbols(missing.elements())}.")
    found = arrangements(view.rules, view.contract, view.seat, cards, own, laid=has_laid(view, view.seat))
    if isinstance(found, Refusal):
        raise Refused(found)
    if len(named) > 1:
        asked = Counter(tuple(sorted(part)) for part in named)
        found = [groups for groups in found if Counter(tuple(sorted(one.cards)) for one in groups) == asked]
        if not found:
            raise _refused("M1, M2", "These cards do not make melds the way you divided them.")
    return [(_words(view, groups), Lay(view.seat, groups)) for groups in found]


def _tacks(why_not: WhyNot, view: View, text: str) -> list[Way]:
    """Return tacks of the cards: by meld number, else wherever they fit."""
    _check(why_no_addition(view, view.seat, "tack"))
    words = text.lower().split()
    end = words.pop() if words and words[-1] in ("high", "low") else None
    meld = parse_meld_number(words.pop()) if words and words[-1].startswith("m") else None
    cards = parse_cards(" ".join(words), view.rules.faces)
    if not cards:
        raise _refused("K1", "Say which cards, such as: tack 7H m2")
    reach = reach_of(view)
    found = [] if reach is None else tacks_of(reach, cards)
    if meld is not None:
        found = [one for one in found if one.action.meld == meld]
    if end is not None:
        found = [one for one in found if not isinstance(one.action, Tack) or one.action.end in (None, end)]
    if found:
        symbols, grown = view.rules.faces.symbols, [(one, one.action.meld) for one in found]
        return [(f"m{at + 1} becomes {symbols(one.changed[at].cards)}", one.action) for one, at in grown]
    if meld is not None:
        return [(f"tack on m{meld + 1}", parse_answer(f"tack {text}", view.seat, view.names, view.rules.faces))]
    raise Refused(why_no_place(view, cards, why_not))


def _swaps(why_not: WhyNot, view: View, text: str) -> list[Way]:
    _check(why_no_addition(view, view.seat, "swap"))
    words = text.split()
    both = view.rules.ruleset.swap == "both-suits"
    meld = parse_meld_number(words.pop()) if len(words) > 1 and (not both or words[-1][0] in "mM") else None
    cards = parse_cards(" ".join(words), view.rules.faces)
    if not 1 <= len(cards) <= 1 + both:
        raise _refused("K7", "Say which card, such as: swap 8S m1")
    reach = reach_of(view)
    found = [] if reach is None else [*swaps(reach, cards), *uses(reach, cards)]
    found = [one for one in found if meld is None or one.action.meld == meld]
    if found:
        return [(swap_words(view, one), one.action) for one in found]
    if meld is not None:
        also = cards[1] if len(cards) > 1 else None
        return [(f"swap into m{meld + 1}", Swap(view.seat, cards[0], meld, also=also))]
    raise Refused(why_no_joker(view, cards, why_not))


#: Characters up to which a question is asked again in the same words.
SHORT: Final = 30


def again_words(view: View, asked: str) -> str:
    """Return the possible answers in a word, where the whole question has just been asked."""
    if len(asked) <= SHORT:
        return asked
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            return "c or p:"
        case Phase.DECISION | Phase.FLIP_DECISION:
            return "a or r:"
        case Phase.DRAW:
            letters = {Source.STOCK: "d", Source.DISCARD: "t", Source.FLIP: "f"}
            return f"{' or '.join(letters[action.source] for action in view.legal if isinstance(action, Draw))}:"
    return "Your move:"


def left_words(view: View) -> str:
    limit = view.rules.ruleset.calls.limit
    return "" if view.calls is None else f" ({counted(limit - view.calls[view.seat], 'call')} left)"


def prompt_words(view: View, card: str) -> str:
    kinds = {type(action) for action in view.legal}
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            return f"{card} lies open. c calls it{left_words(view)}, p passes:"
        case Phase.DECISION | Phase.FLIP_DECISION:
            caller = view.names[view.caller] if view.caller is not None else ""
            return f"{does(caller, 'call')} {card}. a allows it, r refuses and takes it:"
        case Phase.DRAW:
            sources = [action.source for action in view.legal if isinstance(action, Draw)]
            ways = ["d draws"]
            ways += [f"t takes {card}"] if Source.DISCARD in sources else []
            ways += ["f takes the flip"] if Source.FLIP in sources else []
            return f"Your turn. {', '.join(ways)}:"
        case Phase.ADD_ON:
            return "Add on what you can, then end:"
    if owes(view) and view.drawn is not None:
        return f"{view.rules.faces.symbol(view.drawn)} has to be laid or tacked in this turn:"
    if Discard in kinds:
        tack = "" if has_laid(view, view.seat) and not view.may_add else ", tack"
        return f"Lay{tack} or throw a card:" if view.may_lay or view.may_add else "Throw a card:"
    return "Your move:"
