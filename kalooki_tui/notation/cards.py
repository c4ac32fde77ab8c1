"""Cards as text: ``<rank><suit>`` in ASCII, ``JK`` for a joker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, Card, Faces
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.wording import quote


class NotationError(ValueError):
    """A text is not in the notation; the message names the text and what would be right."""


_TEN = 10
_OF = re.compile(r"\s+of\s+", re.IGNORECASE)
#: The ranks as they are spoken, from the ace up.
_RANKS = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip


@cache
def _cards_by_text(faces: Faces) -> dict[str, Card]:
    known = {faces.text(card): card for card in range(KINDS_OF_CARD)}
    tens = {"T" + faces.text(card)[-1]: card for card in range(KINDS_OF_CARD) if RANK[card] == _TEN}
    # As they are shown and as they are spoken.
    shown = {faces.symbol(card).upper(): card for card in range(KINDS_OF_CARD)}
    spoken = {
        f"{rank}OF{suit}".upper(): card
        for card in range(KINDS_OF_CARD)
        if card != JOKER
        for rank in (_RANKS[RANK[card] - 1], faces.rank_name(RANK[card]))
        for suit in (faces.suit_names[SUIT[card]], faces.suit_names[SUIT[card]].removesuffix("s"))
    }
    return {"JOKER": JOKER} | spoken | shown | known | tens


def parse_card(text: str, faces: Faces) -> Card:
    """The card a text such as ``10h``, ``TH`` or ``jk`` names.

    Raises:
        NotationError: there is no such card in the deck.
    """
    # No letter beyond ASCII is one of these in another case.
    card = _cards_by_text(faces).get("".join(one.upper() if one.isascii() else one for one in text))
    if card is None:
        ranks, suits = faces.rank_names, ", ".join(faces.suit_letters)
        top = " ".join(ranks[_TEN - 1 :])
        raise NotationError(
            f"{quote(text)} is not a card: write a rank (A 2 … {top}) and a suit ({suits}), "
            f"such as {faces.text(6)}, or JK for a joker"
        )
    return card


def parse_cards(text: str, faces: Faces) -> tuple[Card, ...]:
    """The cards of a text, in order, separated by spaces or commas; an empty text holds none.

    They may be written as they are shown, ``5♣``, or spoken, ``ace of clubs``.

    Raises:
        NotationError: one of them is not a card.
    """
    return tuple(parse_card(word, faces) for word in _OF.sub("of", text.replace(",", " ")).split())


def parse_group(text: str, faces: Faces) -> Group:
    """One meld: its cards in order, after ``set:`` or ``run:`` where it is said which it is.

    Raises:
        NotationError: there are no cards, one is not a card, or the word before the colon is not a kind of meld.
    """
    before, colon, after = text.partition(":")
    kind: Kind | None = None
    if colon:
        word = before.strip().lower()
        if word not in (Kind.SET, Kind.RUN):
            raise NotationError(f"{quote(before.strip())} is not a kind of meld: write set: or run:")
        kind = Kind(word)
    cards = parse_cards(after if colon else before, faces)
    if not cards:
        raise NotationError("a meld needs cards: name them in order, such as " + faces.texts((4, 5, 6, 7)))
    return Group(cards, kind)


def parse_groups(text: str, faces: Faces) -> tuple[Group, ...]:
    """Melds separated by ``|``.

    Raises:
        NotationError: one of them is not in the notation.
    """
    return tuple(parse_group(part, faces) for part in text.split("|"))


def print_group(group: Group, faces: Faces) -> str:
    """One meld, with its kind where the group says it."""
    cards = faces.texts(group.cards)
    return cards if group.kind is None else f"{group.kind}: {cards}"


def print_groups(groups: Sequence[Group], faces: Faces) -> str:
    return " | ".join(print_group(group, faces) for group in groups)
