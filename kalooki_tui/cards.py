"""Cards as small integers, and the two decks' faces.

A card is an ``int``: ``suit * 13 + rank - 1`` with suits 0-3 and ranks 1 (ace) to 13, and 52 for a joker.
Copies of a card from different packs are the same integer: nothing in the rules tells them apart.
Integers are used because search copies and compares hands thousands of times a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from msgspec import Struct

Card: TypeAlias = int

SUITS: Final = 4
RANKS: Final = 13
ACE: Final = 1
#: Position of the ace above the king in a run.
HIGH_ACE: Final = 14
JOKER: Final[Card] = 52
KINDS_OF_CARD: Final = 53

#: Rank of each card, 1 (ace) to 13; 0 for the joker.
RANK: Final[tuple[int, ...]] = (*(index % RANKS + 1 for index in range(SUITS * RANKS)), 0)
#: Suit of each card, 0 to 3; -1 for the joker.
SUIT: Final[tuple[int, ...]] = (*(index // RANKS for index in range(SUITS * RANKS)), -1)


def make_card(suit: int, rank: int) -> Card:
    """Return the card of `suit` (0-3) and `rank` (1-13), or of a position in a run: 14 is the high ace."""
    return suit * RANKS + (rank - 1) % RANKS


def suit_first(card: Card) -> tuple[bool, int, int]:
    """Sort by suit, then from the ace up, jokers last."""
    return card == JOKER, SUIT[card], RANK[card]


def rank_first(card: Card) -> tuple[bool, int, int]:
    """Sort from the ace up, equal ranks side by side, jokers last."""
    return card == JOKER, RANK[card], SUIT[card]


class Faces(Struct, frozen=True):
    """Faces of cards: suits in the order of their numbers, ranks from the ace up."""

    name: str
    suit_letters: tuple[str, str, str, str]
    suit_symbols: tuple[str, str, str, str]
    suit_names: tuple[str, str, str, str]
    rank_names: tuple[str, ...]
    red_suits: frozenset[int]
    """Suits drawn in red where only two colours are used."""
    joker_symbol: str = "★"
    """One cell wide."""
    names_suits: bool = False
    """True if suits are colours: cards bear a band, and its name where there is room."""

    def rank_name(self, rank: int) -> str:
        """Return the written rank: 1 and 14 are the ace."""
        return self.rank_names[(rank - 1) % RANKS]

    @property
    def has_numbers(self) -> bool:
        """True if the ranks above ten are numbers, not letters."""
        return self.rank_name(11) != "J"

    def text(self, card: Card) -> str:
        """Return the card in ASCII notation, such as ``10H`` or ``JK``."""
        if card == JOKER:
            return "JK"
        return self.rank_names[RANK[card] - 1] + self.suit_letters[SUIT[card]]

    def texts(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self.text, cards))

    def symbol(self, card: Card) -> str:
        """Return the card as the screen shows it, such as ``10♥`` or ``★``."""
        if card == JOKER:
            return self.joker_symbol
        return self.rank_names[RANK[card] - 1] + self.suit_symbols[SUIT[card]]

    def symbols(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self.symbol, cards))


FRENCH: Final = Faces(
    name="french",
    suit_letters=("C", "D", "H", "S"),
    suit_symbols=("♣", "♦", "♥", "♠"),
    suit_names=("clubs", "diamonds", "hearts", "spades"),
    rank_names=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"),
    red_suits=frozenset({1, 2}),
)

COLOURS: Final = Faces(
    name="colours",
    suit_letters=("R", "B", "Y", "G"),
    suit_symbols=("R", "B", "Go", "Gr"),
    suit_names=("red", "black", "gold", "green"),
    rank_names=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"),
    red_suits=frozenset({0}),
    joker_symbol="☻",
    names_suits=True,
)

FACES: Final[dict[str, Faces]] = {FRENCH.name: FRENCH, COLOURS.name: COLOURS}


def full_deck(packs: int, jokers: int) -> list[Card]:
    return [card for card in range(SUITS * RANKS) for _ in range(packs)] + [JOKER] * jokers
