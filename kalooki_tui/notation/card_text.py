"""Cards as text: ``<rank><suit>`` in ASCII, ``JK`` for a joker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, Card, Faces
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.problems import shown
from kalooki_tui.wording import quote


class NotationError(ValueError):
    """Text that is not in the notation; the message names it and what would be right."""


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
    """Parse a card such as ``10h``, ``TH`` or ``jk``; raise NotationError."""
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
    """Parse cards separated by spaces or commas, also ``5♣`` or ``ace of clubs``; raise NotationError."""
    return tuple(parse_card(word, faces) for word in _OF.sub("of", text.replace(",", " ")).split())


def cards_of(value: object, faces: Faces) -> tuple[Card, ...]:
    """Read cards from a file's value; none means no cards; raise NotationError."""
    if value is not None and not isinstance(value, str):
        raise NotationError(f"must be cards separated by spaces, not {shown(value)}")
    return parse_cards(value or "", faces)


def parse_group(text: str, faces: Faces) -> Group:
    """Parse a meld: cards in order, perhaps after ``set:`` or ``run:``; raise NotationError."""
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
    """Parse melds separated by ``|``; raise NotationError."""
    return tuple(parse_group(part, faces) for part in text.split("|"))


def print_group(group: Group, faces: Faces) -> str:
    cards = faces.texts(group.cards)
    return cards if group.kind is None else f"{group.kind}: {cards}"


def print_groups(groups: Sequence[Group], faces: Faces) -> str:
    return " | ".join(print_group(group, faces) for group in groups)
