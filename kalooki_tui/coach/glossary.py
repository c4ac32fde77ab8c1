"""The words of a game, each explained in a sentence or two and shown in cards.

The texts are `texts/en/glossary.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kalooki_tui.cards import FRENCH, Card
from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.clauses import rule_slots
from kalooki_tui.coach.vocabulary import vocabulary_slots
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.rulesets.model import Ruleset

#: Games that have a word, by the name of the condition.
ONLY: Final[dict[str, Callable[[Ruleset], bool]]] = {
    "bend": lambda ruleset: ruleset.score.doubling != "none",
    "calls": lambda ruleset: ruleset.calls.limit > 0,
    "contract": lambda ruleset: not any(deal.points for deal in ruleset.deals),
    "flip": lambda ruleset: ruleset.draw.offer == "flip",
    "no-kiss": lambda ruleset: not ruleset.runs.kisses,
    "points": lambda ruleset: any(deal.points for deal in ruleset.deals),
}


@dataclass(frozen=True, slots=True)
class Picture:
    """Cards side by side."""

    cards: tuple[Card, ...]
    wrong: bool = False
    """Whether they are not a meld."""
    lacks: tuple[Card, ...] = ()
    """Cards that are missing behind them."""
    add: tuple[Card, ...] = ()
    """Cards that come to them."""
    back: bool = False
    """Whether a card lies face down beside them."""
    dead: bool = False
    """Whether nobody may take them."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the game."""

    term: str
    says: str
    pictures: tuple[Picture, ...]
    clause: str = ""
    """Where the rules tell of it, if they do so in other words."""


def glossary(ruleset: Ruleset) -> tuple[Word, ...]:
    """The words that a game has, in the order in which one meets them."""
    entries: list[Mapping[str, Any]] = sentences("glossary")["words"]  # type: ignore[assignment]
    names = vocabulary_slots(ruleset.vocabulary) | rule_slots(ruleset)
    return tuple(
        Word(
            entry["term"].format_map(names),
            entry["says"].format_map(names),
            tuple(map(_picture, entry["pictures"])),
            entry.get("clause", ""),
        )
        for entry in entries
        if "only" not in entry or ONLY[entry["only"]](ruleset)
    )


def _picture(entry: Mapping[str, Any]) -> Picture:
    cards = {key: parse_cards(entry.get(key, ""), FRENCH) for key in ("cards", "lacks", "add")}
    signs = {key: bool(entry.get(key)) for key in ("wrong", "back", "dead")}
    return Picture(**cards, **signs)  # type: ignore[arg-type]
