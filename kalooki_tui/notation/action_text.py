"""Actions as text: ``Ann: draw stock``, ``Bob: lay 5C 5D 5S | 9S 10S JS QS``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from kalooki_tui.cards import Faces
from kalooki_tui.engine import actions as do
from kalooki_tui.notation.card_text import NotationError, parse_card, parse_cards, parse_groups, print_groups
from kalooki_tui.notation.seat_text import parse_seat
from kalooki_tui.problems import nearest
from kalooki_tui.wording import quote

Names: TypeAlias = Sequence[str]

_MELD: Final = re.compile(r"m([1-9][0-9]{0,2})", re.ASCII | re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9]{1,4}", re.ASCII)

_WORDS: Final[dict[str, Callable[[int], do.Action]]] = {
    "call": do.Call,
    "pass": do.Pass,
    "allow": do.Allow,
    "refuse": do.Refuse,
    "end": do.EndTurn,
    "done": do.Done,
    "buy-in": do.BuyIn,
    "leave": do.Leave,
}
#: Actions with something after the verb.
_VERBS: Final = ("draw", "lay", "tack", "swap", "discard", "challenge", "cut")


def parse_action(text: str, names: Names, faces: Faces) -> do.Action:
    """Parse a line ``<seat>: <action>``; raise NotationError. Whether the rules allow it is the engine's to say."""
    seat, colon, answer = text.partition(":")
    if not colon:
        raise NotationError(f"{quote(text.strip())} does not say whose action it is: write 'name: action'")
    return parse_answer(answer, parse_seat(seat.strip(), names), names, faces)


def parse_answer(text: str, seat: int, names: Names, faces: Faces) -> do.Action:
    """Parse an action of `seat` without its name, such as ``draw stock``; raise NotationError."""
    verb, _, rest = text.strip().partition(" ")
    verb, rest = verb.lower(), rest.strip()
    if verb in _WORDS:
        if rest:
            raise NotationError(f"{quote(verb)} takes nothing after it: leave out {quote(rest)}")
        return _WORDS[verb](seat)
    match verb:
        case "draw":
            if rest.lower() not in list(do.Source):
                raise NotationError(f"draw what? Write draw stock, draw discard or draw flip, not {quote(rest)}")
            return do.Draw(seat, do.Source(rest.lower()))
        case "lay":
            return do.Lay(seat, parse_groups(rest, faces))
        case "tack":
            return _parse_tack(seat, rest, faces)
        case "swap":
            return _parse_swap(seat, rest, faces)
        case "discard":
            cards = parse_cards(rest, faces)
            if len(cards) != 1:
                raise NotationError(f"one card is discarded, not {len(cards)}")
            return do.Discard(seat, cards[0])
        case "challenge":
            return do.Challenge(seat, parse_seat(rest, names))
        case "cut":
            if not _NUMBER.fullmatch(rest):
                raise NotationError(f"how many cards are in the packet? Write, for example, cut 41, not {quote(rest)}")
            return do.Cut(seat, int(rest))
    raise NotationError(f"{quote(verb)} is not an action{nearest(verb[:40], [*_VERBS, *_WORDS])}")


def print_action(action: do.Action, names: Names, faces: Faces) -> str:
    """Write an action as a line ``<seat>: <action>`` that `parse_action` reads back."""
    return f"{names[action.seat]}: {print_answer(action, names, faces)}"


def print_answer(action: do.Action, names: Names, faces: Faces) -> str:
    match action:
        case do.Draw(source=source):
            return f"draw {source}"
        case do.Lay(groups=groups):
            return f"lay {print_groups(groups, faces)}"
        case do.Tack(cards=cards, meld=meld, end=end):
            return f"tack {faces.texts(cards)} {print_meld_number(meld)}{_print_end(end)}"
        case do.Swap():
            return _print_swap(action, faces)
        case do.Discard(card=card):
            return f"discard {faces.text(card)}"
        case do.Challenge(target=target):
            return f"challenge {names[target]}"
        case do.Cut(count=count):
            return f"cut {count}"
        case _:
            return next(word for word, kind in _WORDS.items() if type(action) is kind)


def print_meld_number(meld: int) -> str:
    """Return the name of a meld on the table: the first is ``m1``."""
    return f"m{meld + 1}"


def parse_meld_number(text: str) -> int:
    """Parse the index of a meld: ``m1`` is 0; raise NotationError."""
    found = _MELD.fullmatch(text)
    if found is None:
        raise NotationError(f"{quote(text)} is not a meld on the table: melds are m1, m2 and so on")
    return int(found[1]) - 1


def _print_end(end: do.End | None) -> str:
    return "" if end is None else f" {end}"


def _print_swap(swap: do.Swap, faces: Faces) -> str:
    text = f"swap {faces.texts(swap.cards)} {print_meld_number(swap.meld)}{_print_end(swap.end)}"
    if swap.use is not None:
        return f"{text} use {print_meld_number(swap.use)}{_print_end(swap.use_end)}"
    if swap.lay:
        return f"{text} lay {print_groups(swap.lay, faces)}"
    return text


def _parse_end(words: list[str]) -> do.End | None:
    if words and words[0].lower() in (do.End.LOW, do.End.HIGH):
        return do.End(words.pop(0).lower())
    return None


def _nothing_more(words: list[str], after: str) -> None:
    if words:
        raise NotationError(f"{quote(' '.join(words))} does not belong after {after}")


def _parse_tack(seat: int, rest: str, faces: Faces) -> do.Action:
    words = rest.split()
    place = next((index for index, word in enumerate(words) if _MELD.fullmatch(word)), None)
    if place is None:
        parse_cards(rest, faces)
        raise NotationError("tack onto which meld? Write the cards and the meld, such as tack KS m2")
    cards = parse_cards(" ".join(words[:place]), faces)
    if not cards:
        raise NotationError("tack which cards? Write the cards and the meld, such as tack KS m2")
    after = words[place + 1 :]
    end = _parse_end(after)
    _nothing_more(after, "the meld: only low or high does")
    return do.Tack(seat, cards, parse_meld_number(words[place]), end)


def _parse_swap(seat: int, rest: str, faces: Faces) -> do.Action:
    words = rest.split()
    if len(words) < 2:
        raise NotationError("swap which card into which meld? Write, for example, swap 7H m3")
    card = parse_card(words.pop(0), faces)
    also = parse_card(words.pop(0), faces) if len(words) > 1 and not _MELD.fullmatch(words[0]) else None
    meld = parse_meld_number(words.pop(0))
    end = _parse_end(words)
    if not words:
        return do.Swap(seat, card, meld, end, also=also)
    use = words.pop(0).lower()
    if use == "lay":
        return do.Swap(seat, card, meld, end, lay=parse_groups(" ".join(words), faces), also=also)
    if use != "use":
        _nothing_more([use, *words], "the meld: only low, high, use or lay does")
    if not words:
        raise NotationError("use the joker on which meld? Write, for example, swap 7H m3 use m5")
    used = parse_meld_number(words.pop(0))
    use_end = _parse_end(words)
    _nothing_more(words, "the meld the joker is used on: only low or high does")
    return do.Swap(seat, card, meld, end, use=used, use_end=use_end, also=also)


def is_verb(word: str) -> bool:
    return word.lower() in (*_VERBS, *_WORDS)
