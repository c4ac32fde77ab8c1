"""Weights of an AI seat's throw, term by term. Nobody is told them: they are no facts of the game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kalooki_tui.cards import Card
from kalooki_tui.players.arithmetic import added_up


class Term(StrEnum):
    """Reasons to throw one card rather than another."""

    WAYS = "ways"
    """Ways to the contract that are lost with the card."""
    PAIR = "pair"
    """A pair that would be parted."""
    MELD = "meld"
    """A meld the card may come to, where the contract asks for points or is laid already."""
    TABLE = "table"
    """Whether the card may soon fit on the table."""
    POINTS = "points"
    """The card's cost if it is still held when somebody goes out."""
    FEED = "feed"
    """The card's estimated worth to the seats that could take or call it."""
    JOKER = "joker"
    """A joker is kept."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A card that might be thrown; by term, the points that speak for throwing it. A term that is absent counts 0."""

    card: Card
    terms: dict[Term, float]

    @property
    def total(self) -> float:
        """All terms together: the higher, the sooner it is thrown."""
        return added_up(self.terms.values())
