"""From cards chosen in any order to melds, or to the reason why they make none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.melds import Meld, check_repeats, judge_run, judge_set, make_meld
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.solver import partition

#: A person is asked to choose among at most this many ways.
MOST_WAYS: Final = 12

Groups = tuple[Group, ...]


def arrangements(
    rules: Rules, contract: Contract, seat: int, cards: Sequence[Card], others: Sequence[Meld], *, laid: bool = False
) -> list[Groups] | Refusal:
    """The ways in which all the cards make melds beside the seat's `others` (M1-M9); a reason where there is none.

    Ways differ in what the melds are, or in what a joker of a run stands for.
    """
    found = partition(rules, contract, cards, MOST_WAYS, own_melds=others, laid=laid)
    if found:
        return found
    alone = partition(rules, contract, cards, 1, laid=laid)
    if alone:
        try:
            check_repeats(rules.ruleset, [*others, *(make_meld(rules.ruleset, seat, group) for group in alone[0])])
        except Refused as refused:
            return refused.refusal
    return _reason(rules.ruleset, cards)


def _reason(ruleset: Ruleset, cards: Sequence[Card]) -> Refusal:
    """Why the cards make no melds: judged as the one meld they look like."""
    naturals = [card for card in cards if card != JOKER]
    words, symbols = ruleset.vocabulary, ruleset.faces.symbols
    why: Refusal | None = None
    if len({RANK[card] for card in naturals}) <= 1:
        why = judge_set(ruleset, cards)
    elif len({SUIT[card] for card in naturals}) == 1:
        why = _no_run(ruleset, cards, sorted(naturals))
    return why or Refusal("lay.melds", "M1, M2", f"{symbols(cards)} do not all fit into {words.sets} and {words.runs}.")


def _no_run(ruleset: Ruleset, cards: Sequence[Card], naturals: list[Card]) -> Refusal | None:
    """Why cards of one suit are no run: of the orders from each of them upwards, that which says most."""
    jokers = (JOKER,) * (len(cards) - len(naturals))
    turned = (naturals[start:] + naturals[:start] for start in range(len(naturals)))
    reasons = [why for why in (judge_run(ruleset, (*order, *jokers)) for order in turned) if why is not None]
    return next((why for why in reasons if why.code != "run.order"), reasons[0])
