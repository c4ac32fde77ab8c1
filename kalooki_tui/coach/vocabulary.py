"""A game's own words, and the coach's sentences: data with named slots, a folder a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

from msgspec.structs import asdict

from kalooki_tui.cards import FRENCH, JOKER, KINDS_OF_CARD, RANK, SUIT, SUITS, Card, make_card
from kalooki_tui.engine.melds import hand_words, melds_words
from kalooki_tui.rulesets.model import Contract, Ruleset, Vocabulary, card_values
from kalooki_tui.wording import capital, number_word, penalty_words


def vocabulary_slots(words: Vocabulary, penalty: int = 1) -> dict[str, str]:
    """Return a ruleset's own words by name, and each with a capital; `penalty`: cards that come with a call (H2)."""
    own: dict[str, str] = {**asdict(words), "penalty": penalty_words(penalty)}
    return own | {name.capitalize(): capital(word) for name, word in own.items()}


def contract_words(contract: Contract, vocabulary: Vocabulary) -> str:
    """Write a contract in the game's own words: ``one three, two fours``."""
    if contract.points:
        return f"{vocabulary.sets} and {vocabulary.runs} worth {contract.points} points"
    melds = melds_words(vocabulary, contract.asked_sets, contract.asked_runs, number_word)
    return ", ".join(melds) + hand_words(contract)


def example_melds(ruleset: Ruleset, contract: Contract) -> list[list[Card]]:
    """Return melds that meet the contract: sets of the smallest size, then runs."""
    suits = (3, 2, 0, 1) if ruleset.faces.name == FRENCH.name else (0, 1, 2, 3)
    if contract.points:
        return [
            [make_card(suit, 13) for suit in suits[: ruleset.sets.minimum]],
            [make_card(2, rank) for rank in (9, 10, 11, 12)],
        ]
    set_lengths, run_lengths = contract.lengths_to_lay(ruleset.sets.minimum, ruleset.runs.minimum)
    sets = [
        [make_card(suits[(number + place) % 4], (7, 5, 9, 3)[number % 4]) for place in range(length)]
        for number, length in enumerate(set_lengths)
    ]
    runs = [
        [make_card(suits[(number + 1) % 4], min((4, 7, 2, 5)[number % 4], 15 - length) + at) for at in range(length)]
        for number, length in enumerate(run_lengths)
    ]
    return sets + runs


def cost_words(ruleset: Ruleset, ranks: Iterable[int]) -> list[str]:
    """List the cost of cards of these ranks, highest first: ``black A 15``.

    Cards that cost their number are left out where most numbers do.
    """
    faces, values = ruleset.faces, card_values(ruleset)
    own = counts_numbers(ruleset)
    by_value: dict[int, list[str]] = {}
    for rank in ranks:
        kinds = [JOKER] if rank == RANK[JOKER] else [card for card in range(KINDS_OF_CARD) if RANK[card] == rank]
        of_rank = {values[card] for card in kinds}
        name = ruleset.vocabulary.joker if rank == RANK[JOKER] else faces.rank_name(rank)
        if own and of_rank == {int(name) if name.isdigit() else None}:
            continue
        for card in kinds:
            named = name if len(of_rank) == 1 else f"{_colour(ruleset, card)} {name}"
            if named not in by_value.setdefault(values[card], []):
                by_value[values[card]].append(named)
    return [
        f"{', '.join(_in_ranges(names))} {value if not names[-1].isdigit() else f'{value} each'}"
        for value, names in sorted(by_value.items(), reverse=True)
    ]


def counts_numbers(ruleset: Ruleset) -> bool:
    """Check that most cards with a number cost it (G3)."""
    values, numbers = card_values(ruleset), range(2, 11)
    return sum(values[make_card(0, number)] == number for number in numbers) > len(numbers) // 2


def _in_ranges(names: Sequence[str]) -> list[str]:
    """Return the names with three or more numbers in a row as one: ``2 to 9``."""
    found: list[list[str]] = []
    for name in names:
        if found and name.isdigit() and found[-1][-1].isdigit() and int(name) == int(found[-1][-1]) + 1:
            found[-1].append(name)
        else:
            found.append([name])
    return [text for row in found for text in ([f"{row[0]} to {row[-1]}"] if len(row) > 2 else row)]


def _colour(ruleset: Ruleset, card: Card) -> str:
    """Return the word that separates cards of one rank by value: black or red if enough, else the suit."""
    faces, values = ruleset.faces, card_values(ruleset)
    red = SUIT[card] in faces.red_suits
    alike = {values[make_card(suit, RANK[card])] for suit in range(SUITS) if (suit in faces.red_suits) is red}
    if len(alike) == 1 and ruleset.deck == "french":
        return "red" if red else "black"
    return faces.suit_names[SUIT[card]]


TEXTS: Final = Path(__file__).parent / "texts" / "en"


@cache
def sentences(name: str) -> Mapping[str, Mapping[str, str]]:
    """Load the sentences of a file such as `hints`, by kind and by case."""
    from ruamel.yaml import YAML

    text = (TEXTS / f"{name}.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, str]] = YAML(typ="safe").load(text)
    return found


def slots(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}
