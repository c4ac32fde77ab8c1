"""A drawn discard that has to be used (H6): the search for its place against one that tries every action."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, Discard, Draw, Group, Lay, Source, Swap
from kalooki_tui.engine.additions import reach_in, single_tacks, swaps, uses
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.model import Contract, LayRules
from tests.solver.hands import match_at, random_hand, random_table, rules_of
from tests.solver.oracle import all_laydowns

GAMES = (
    "jamaican", "air-jamaica", "trinidad", "kalookie-40", "kooky", "contract-rummy", "liverpool", "shanghai", "carioca",
)  # fmt: skip
CONTRACTS = (
    Contract(cards=6, asked_sets=1),
    Contract(cards=6, asked_runs=1),
    Contract(cards=6, asked_sets=2),
    Contract(cards=6, asked_sets=1, asked_runs=1),
    Contract(cards=6, asked_runs=(5,)),
    Contract(cards=6, asked_runs=1, whole=True),
)


def must_use(rules: Rules, dice: random.Random, *, asked: bool = True) -> Rules:
    """The rules of a game, some of its policies changed by dice, with or without H6."""
    ruleset = rules.ruleset
    lay: LayRules = replace(
        ruleset.lay,
        exact=not ruleset.lay.full_suit_for_three_runs and dice.random() < 0.3,
        further_melds=dice.random() < 0.6,
        same_turn_tack=dice.random() < 0.7,
    )
    draw = replace(ruleset.draw, laid_seat="either", must_use=asked, throw_back=True)
    discard = replace(ruleset.discard, last_card=dice.choice(["any", "discard"]))
    return replace(rules, ruleset=replace(ruleset, lay=lay, draw=draw, discard=discard))


def position(dice: random.Random, game: str) -> tuple[Deal, Deal]:
    """A small hand before its draw, by the rules with H6 and without."""
    rules, number = rules_of(game), dice.random()
    with_it, without = (must_use(rules, random.Random(number), asked=asked) for asked in (True, False))
    contract = Contract(cards=6, points=20) if game == "kalookie-40" else dice.choice(CONTRACTS)
    laid = dice.choice([HasLaid.NO, HasLaid.EARLIER])
    hand = random_hand(dice, dice.randint(3, 8), 3 if dice.random() < 0.3 else 1)
    table = random_table(dice, rules, dice.randint(0, 4))
    if laid is HasLaid.NO:
        table = [meld for meld in table if meld.owner]
    deals = []
    for one in (with_it, without):
        deal = match_at(one, contract, hand[1:], table, laid=laid).deal
        deal.phase, deal.pile, deal.discarded_by = Phase.DRAW, [hand[0]], 1
        deal.bend_forbidden[0] = number < 0.2
        deals.append(deal)
    return deals[0], deals[1]


def every_action(deal: Deal) -> Iterator[Action]:
    """Every lay-down, single tack, swap and use of a freed joker: a chain is so many single tacks."""
    seat, laid = deal.turn, has_laid(deal, deal.turn)
    reach = reach_in(deal, seat) if laid else None
    if reach is not None:
        yield from (tack for tack, _ in single_tacks(reach))
        yield from (way.action for way in (*swaps(reach), *uses(reach)))
    own: list[Meld] = [meld for meld in deal.melds if meld.owner == seat]
    for melds, _ in all_laydowns(deal.rules, deal.contract, deal.hands[seat], own, laid=laid, keep=False):
        yield Lay(seat, tuple(Group(meld.cards, meld.kind) for meld in melds))


def can_be_used(deal: Deal, card: int, seen: set[object]) -> bool:
    """Try every action, one after another, until such a card lies on the table; these rules do not ask for it."""
    seat = deal.turn
    key = (tuple(sorted(deal.hands[seat])), tuple(deal.melds), tuple(sorted(deal.added.items())), deal.laid[seat])
    if key in seen:
        return False
    seen.add(key)
    for action in every_action(deal):
        after = deal.clone()
        try:
            after.apply(action)
        except Refused:
            continue
        freed = isinstance(action, Swap) and card == JOKER and not deal.rules.ruleset.uses_freed_jokers
        if not freed and after.hands[seat].count(card) < deal.hands[seat].count(card):
            return True
        if after.phase is Phase.PLAY and can_be_used(after, card, seen):
            return True
    return False


@pytest.mark.sweep(3)
@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("game", GAMES)
def test_a_discard_may_be_drawn_where_some_way_uses_it(game: str, number: int) -> None:
    dice = random.Random(f"places {game} {number}")
    for _ in range(25):
        deal, free = position(dice, game)
        card, draw = deal.pile[-1], Draw(0, Source.DISCARD)
        free.apply(draw)
        usable = can_be_used(free, card, set())
        told = deal.rules.faces.symbols([*deal.hands[0], card]), deal.melds, deal.laid[0], deal.contract
        why = deal.why_not(draw)
        assert (why is None) is usable, told
        assert (draw in deal.legal()) is usable
        assert why is None or (why.code, why.clause) == ("draw.must-use", "H6")
        if usable:
            deal.apply(draw)
            use_it(deal, dice)


def use_it(deal: Deal, dice: random.Random) -> None:
    """Take what is listed until the card lies on the table; after every other action there is a place left for it."""
    while deal.drawn is not None:
        legal = deal.legal()
        assert legal
        for action in every_action(deal):
            why, after = deal.why_not(action), deal.clone()
            assert action not in legal or why is None
            if why is None:
                after.apply(action)
                assert after.drawn is None or after.legal()
        throws = [Discard(0, one) for one in {*deal.hands[0]}]
        assert {deal.why_not(throw).code for throw in throws} == {"turn.must-use"}
        deal.apply(dice.choice(legal))
