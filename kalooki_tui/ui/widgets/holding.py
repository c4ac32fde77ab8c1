"""The order of a hand: what stays in its place when the hand changes, and ways to sort it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kalooki_tui.cards import ACE, FRENCH, JOKER, RANK, SUIT, Card, Faces, rank_first

#: Places of the French suits, by number, so that black and red alternate.
_FRENCH_PLACES = (2, 3, 1, 0)


@dataclass(slots=True, eq=False)
class Held:
    """One card in the hand. Two copies of a card are two of these, and not equal."""

    card: Card
    chosen: bool = False
    staged: bool = False
    """Put into a meld that is not yet laid: not shown in the hand."""
    new: bool = False
    bundle: int = -1
    """Number of the planned meld it was bundled with; -1: none."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """The place of a card that a planned meld lacks."""

    bundle: int
    text: str
    """The card that would fill it, such as ``9♦``."""


def with_ghosts(held: Sequence[Held], ghosts: Sequence[Ghost]) -> list[Held | Ghost]:
    """The cards with the ghosts of each planned meld behind its last card."""
    places: list[Held | Ghost] = []
    for index, one in enumerate(held):
        places.append(one)
        following = held[index + 1].bundle if index + 1 < len(held) else -1
        if one.bundle >= 0 and following != one.bundle:
            places += [ghost for ghost in ghosts if ghost.bundle == one.bundle]
    return places


def merged(held: Sequence[Held], cards: Iterable[Card], *, mark_new: bool) -> list[Held]:
    """The hand after it has become the multiset `cards`.

    Cards still held keep their place; of several copies those staged, chosen or furthest right go first. New cards come
    at the end, in the order given.
    """
    cards = tuple(cards)
    left = Counter(cards)
    keep: set[Held] = set()
    for one in sorted(held, key=lambda one: (one.staged, one.chosen)):
        if left[one.card] > 0:
            left[one.card] -= 1
            keep.add(one)
    result = [one for one in held if one in keep]
    for one in result:
        one.new = False
    for card in cards:
        if left[card] > 0:
            left[card] -= 1
            result.append(Held(card, new=mark_new))
    return result


def stage(held: Sequence[Held], cards: Iterable[Card]) -> None:
    """Stage exactly these cards; of several copies prefer those staged already, then those selected."""
    left = Counter(cards)
    for one in sorted(held, key=lambda one: (not one.staged, not one.chosen)):
        one.staged = left[one.card] > 0
        if one.staged:
            left[one.card] -= 1
            one.chosen = False


def by_suit(held: Sequence[Held], faces: Faces) -> list[Held]:
    """By suit, black and red in turn, then from the ace up; jokers last."""
    places = _FRENCH_PLACES if faces.name == FRENCH.name else (0, 1, 2, 3)
    return sorted(held, key=lambda one: (4, 0) if one.card == JOKER else (places[SUIT[one.card]], RANK[one.card]))


def by_rank(held: Sequence[Held]) -> list[Held]:
    """From the ace up, equal ranks side by side; jokers last."""
    return sorted(held, key=lambda one: rank_first(one.card))


def gathered(held: Sequence[Held], bundles: Sequence[Sequence[Card]]) -> list[Held]:
    """Planned melds first, numbered as bundles; the other cards follow in their order."""
    rest = list(held)
    ordered: list[Held] = []
    for one in rest:
        one.bundle = -1
    for number, bundle in enumerate(bundles):
        for card in bundle:
            found = next((one for one in rest if one.card == card), None)
            if found is not None:
                rest.remove(found)
                found.bundle = number
                ordered.append(found)
    return ordered + rest


#: Small letters of ranks that have no other use at the table; those of queens and kings have.
SMALL_RANKS: Final = ("a", "j")
#: The first digit of the ranks above nine, where a deck numbers them.
TEENS: Final = "1"
_RANK_WORDS: Final = {ACE: "ace", 10: "ten", 11: "jack", 12: "queen", 13: "king"}


def has_numbers(faces: Faces) -> bool:
    """Whether the ranks above ten are numbers."""
    return faces.rank_name(11) != "J"


def no_card_words(key: str, joker: str, faces: Faces) -> str:
    """Why the key of a rank led to no card; `joker`: what a joker is called."""
    rank = rank_of_key(key[-1], faces, key[:-1])
    if rank is None:
        letters = "1 3 goes to a 13" if has_numbers(faces) else "J to a jack"
        return f"Ranks are their capital letters and digits: A goes to an ace, {letters}."
    word = faces.rank_name(rank) if has_numbers(faces) and rank != ACE else _RANK_WORDS.get(rank, str(rank))
    there = f"There is no {word if rank else joker} in your hand"
    return f"{there}; 0 to 3 makes it a ten to a 13." if key == TEENS and has_numbers(faces) else f"{there}."


def rank_of_key(character: str, faces: Faces, before: str = "") -> int | None:
    """Return the rank that a key leads to: digits, 0 for ten, capital A J Q K; * is the joker, rank 0.

    Where the deck numbers its ranks, 1 and a digit are the ranks 10 to 13; `before`: the digit typed just before.
    """
    if has_numbers(faces):
        if before == TEENS and character in ("0", "1", "2", "3"):
            return 10 + int(character)
        letters = {"A": 1, "1": 1, "0": 10, "*": 0}
    else:
        letters = {"A": 1, "1": 1, "0": 10, "J": 11, "Q": 12, "K": 13, "*": 0}
    if character in letters:
        return letters[character]
    return int(character) if len(character) == 1 and character in "23456789" else None
