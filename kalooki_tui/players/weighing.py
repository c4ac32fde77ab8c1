"""Weights of an AI seat's throw, term by term, so that it can name the reason that decided."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from kalooki_tui.cards import Card
from kalooki_tui.engine.view import View
from kalooki_tui.values import dataclass


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
    share: float = 0.0
    """The share of the ways to the contract that is lost with the card."""

    @property
    def total(self) -> float:
        """All terms together: the higher, the sooner it is thrown."""
        return sum(self.terms.values())


def best_two(weighed: Iterable[Weighed]) -> tuple[Weighed, Weighed | None]:
    """The card to throw and the next best, the first of equal ones first.

    Raises:
        ValueError: there is no card at all.
    """
    ordered = sorted(weighed, key=lambda one: -one.total)
    if not ordered:
        raise ValueError("there is no card to throw")
    return ordered[0], ordered[1] if len(ordered) > 1 else None


def tipped(best: Weighed, second: Weighed) -> Term:
    """The term that speaks most for the best card against the next."""
    return max(Term, key=lambda term: best.terms.get(term, 0.0) - second.terms.get(term, 0.0))


def why_thrown(view: View, best: Weighed, second: Weighed | None) -> str:
    """Why the best card goes rather than the next: the term that tipped it, in one sentence."""
    if second is None:
        return "nothing else can be thrown"
    values, symbol = view.rules.values, view.rules.faces.symbol
    card, other = symbol(best.card), symbol(second.card)
    match tipped(best, second):
        case Term.WAYS:
            return f"{card} is in {best.share:.0%} of the ways to the contract, {other} in {second.share:.0%}"
        case Term.POINTS:
            return f"{card} costs {values[best.card]} if it stays in the hand, {other} {values[second.card]}"
        case Term.FEED:
            return f"{other} would be more use to the others than {card}"
        case Term.PAIR:
            return f"without {other} a pair would be split"
        case Term.MELD:
            return f"{other} is likelier than {card} to become part of a meld"
        case Term.TABLE:
            return f"{other} may soon fit on the table, {card} may not"
        case Term.JOKER:
            return f"a {view.rules.ruleset.vocabulary.joker} is worth keeping"
