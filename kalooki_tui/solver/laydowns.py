"""The ways to meet a contract with no card too many, for a player to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.candidates import count_cards, possible_runs, possible_sets
from kalooki_tui.engine.melds import Meld, check_contract, find_repeated
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.ways import Ways
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import cards_away, forms_of
from kalooki_tui.solver.lay import Laydown
from kalooki_tui.solver.shape import Counts, list_cards

#: Ways looked at before the best are chosen.
MOST_WAYS: Final = 5_000


def lay_choices(
    rules: Rules, contract: Contract, hand: Sequence[Card], limit: int, size: int | None = None
) -> list[Laydown]:
    """Return up to `limit` ways to lay the contract alone, melds as short as possible, fewest points left first.

    With a point threshold (L5): melds of which none could be spared. Where the last card must be a discard a way
    leaves one (G1). A contract that takes the whole hand (H9) is laid with `size` cards, or else all.
    """
    counts = count_cards(hand)
    forms = forms_of(rules, contract, len(hand) if size is None else size)
    if not contract.whole and cards_away(rules, contract, counts, 1, 0):
        return []
    ways: dict[tuple[Group, ...], Laydown] = {}
    for melds in islice(chain.from_iterable(Ways(rules, form, hand).ways() for form in forms), MOST_WAYS):
        left = counts[:]
        for meld in melds:
            for card in meld.cards:
                left[card] -= 1
        cards = list_cards(left)
        if cards or contract.whole or rules.ruleset.discard.last_card == "any":
            groups = tuple(Group(meld.cards, meld.kind) for meld in melds)
            ways.setdefault(groups, Laydown(groups, cards, rules.points(cards)))
    return sorted(ways.values(), key=lambda way: (way.points_left, len(way.left)))[:limit]


#: Splits looked at before the best are chosen; more than a screen could ever offer.
MOST_SPLITS: Final = 2_000


def partition(
    rules: Rules,
    contract: Contract,
    cards: Sequence[Card],
    limit: int = 12,
    *,
    own_melds: Sequence[Meld] = (),
    laid: bool = False,
) -> list[tuple[Group, ...]]:
    """Return up to `limit` ways to split `cards` into valid melds (M1-M9), the contract first unless `laid`."""
    found: dict[tuple[Group, ...], tuple[bool, int, int]] = {}
    for melds in _splits(rules, count_cards(cards), list(own_melds), []):
        key = tuple(Group(meld.cards, meld.kind) for meld in sorted(melds, key=_order))
        if key not in found:
            found[key] = (not laid and not _holds(rules, contract, melds), len(melds), len(found))
        if len(found) >= MOST_SPLITS:
            break
    return sorted(found, key=found.__getitem__)[:limit]


def _order(meld: Meld) -> tuple[bool, int, int, int, tuple[Card, ...]]:
    return (meld.kind is Kind.RUN, meld.rank, meld.suit, meld.low, meld.cards)


def _holds(rules: Rules, contract: Contract, melds: Sequence[Meld]) -> bool:
    try:
        check_contract(rules, contract, melds)
    except Refused:
        return False
    return True


def _splits(rules: Rules, counts: Counts, own: list[Meld], chosen: list[Meld]) -> Iterator[list[Meld]]:
    """Choose the melds of the lowest natural left, then those of the rest."""
    wild = rules.wild
    # A wild card stands in any meld, so that the others are placed first (H7).
    held = [card for card in range(JOKER) if counts[card]]
    lowest = next((card for card in held if card not in wild), held[0] if held else None)
    if lowest is None:
        if not counts[JOKER]:
            yield chosen[:]
        return
    cards = list_cards(counts)
    of_suit = [card for card in cards if card == JOKER or card in wild or SUIT[card] == SUIT[lowest]]
    of_rank = [card for card in cards if card == JOKER or card in wild or RANK[card] == RANK[lowest]]
    melds = [*possible_runs(rules.ruleset, of_suit), *possible_sets(rules.ruleset, of_rank)]
    # Long ones first, so that splits of few melds come first.
    for meld in sorted((meld for meld in melds if lowest in meld.cards), key=lambda meld: -len(meld.cards)):
        if find_repeated(rules.ruleset, [*own, *chosen, meld]) is not None:
            continue
        for card in meld.cards:
            counts[card] -= 1
        chosen.append(meld)
        yield from _splits(rules, counts, own, chosen)
        chosen.pop()
        for card in meld.cards:
            counts[card] += 1
