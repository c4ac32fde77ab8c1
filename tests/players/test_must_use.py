"""Seats at tables where a drawn discard is used in the same turn (H6): they draw it only to use it."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Action, Discard, Draw, EndTurn, Group, Lay, Refuse, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.placing import first_step
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import assess
from kalooki_tui.playouts import available
from kalooki_tui.playouts import play_deal as play_natively
from kalooki_tui.rl.slots import open_actions
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from kalooki_tui.solver.place import way_to_use
from tests.engine.test_placing import GAMES, position
from tests.players.simulate import new_deal, play_deal

TABLES = ("jamaican", "trinidad", "contract-rummy", "shanghai")


def rules_with_it(name: str, *, penalties: bool = False) -> Rules:
    found = load_ruleset(name)
    referee = Referee.PENALTIES if penalties and found.infractions is not None else Referee.STRICT
    ruleset = replace(found, draw=replace(found.draw, must_use=True))
    return make_rules(ruleset, found.seat_counts[0], referee, make_settings(ruleset, {"max_turns": 60}))


class Watched:
    """What was drawn, and whether it was used."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def see(self, deal: Deal, seat: int, action: Action) -> None:
        if isinstance(action, Discard | EndTurn):
            assert deal.drawn is None
        elif isinstance(action, Refuse) or (isinstance(action, Draw) and action.source is Source.DISCARD):
            self.counts["laid" if has_laid(deal, seat) else "not laid"] += 1
        elif deal.drawn is not None:
            self.counts["used"] += 1


@pytest.mark.parametrize("ruleset", TABLES)
def test_every_level_uses_what_it_draws_in_the_same_turn(ruleset: str) -> None:
    watched, rules = Watched(), rules_with_it(ruleset)
    for number in range(1, 6):
        play_deal(new_deal(rules, number, 3), ("novice", "club", "expert"), watched.see)
    drawn = watched.counts["laid"] + watched.counts["not laid"]
    assert watched.counts["used"] >= drawn > 0
    assert watched.counts["not laid"]
    assert bool(watched.counts["laid"]) is (rules.ruleset.draw.laid_seat == "either")


@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kalookie-40", "contract-rummy", "liverpool"])
def test_whatever_is_played_a_seat_always_has_something_to_do(ruleset: str) -> None:
    dice = random.Random(f"random play {ruleset}")
    rules, watched = rules_with_it(ruleset, penalties=True), Watched()
    for number in range(1, 8):
        deal = new_deal(rules, min(number, len(rules.ruleset.deals)), number)
        for _ in range(250):
            if deal.actor is None:
                break
            legal = deal.legal()
            assert legal
            if deal.drawn is not None:
                numbered = open_actions(deal.view(deal.actor)).values()
                assert numbered
                assert not any(map(deal.why_not, numbered))
            open_card = [one for one in legal if isinstance(one, Draw) and one.source is Source.DISCARD]
            action = dice.choice(open_card or legal)
            watched.see(deal, deal.actor, action)
            if deal.phase is Phase.PLAY and rules.penalties and dice.random() < 0.05:
                # A bad lay-down may be charged, and take the card its last place (F1).
                throw_together(deal, dice)
                continue
            deal.apply(action)
    assert watched.counts


def throw_together(deal: Deal, dice: random.Random) -> None:
    hand = deal.hands[deal.turn]
    try:
        deal.apply(Lay(deal.turn, (Group(tuple(dice.sample(hand, min(3, len(hand))))),)))
    except Refused:
        assert deal.legal()


@pytest.mark.parametrize("game", [game for game in GAMES if game not in ("kalookie-40", "shanghai")])
def test_seats_find_a_place_wherever_there_is_one(game: str) -> None:
    """But for uses of a freed joker, runs longer for their jokers, melds beside an exact contract, tiny hands."""
    dice, found = random.Random(f"places for seats {game}"), 0
    for _ in range(150):
        deal, _ = position(dice, game)
        lay, draw = deal.rules.ruleset.lay, Draw(0, Source.DISCARD)
        if (lay.exact and lay.further_melds) or deal.contract.whole or deal.why_not(draw) is not None:
            continue
        deal.apply(draw)
        while deal.drawn is not None:
            steps = way_to_use(deal.view(0))
            assert steps
            assert assess(Situation(deal.view(0))).best.worth > 0
            deal.apply(steps[0])
        found += 1
    assert found


@pytest.mark.skipif(not available(), reason="without a C compiler there is no native core")
@pytest.mark.parametrize("ruleset", TABLES)
def test_the_native_core_draws_only_what_it_uses(ruleset: str) -> None:
    watched, rules = Watched(), rules_with_it(ruleset)
    for number in range(1, 8):
        deal = new_deal(rules, number, 5)
        for action, stock in play_natively(deal, seed=str(number)).actions:
            assert deal.actor is not None
            watched.see(deal, deal.actor, action)
            deal.next_stock = stock
            deal.apply(action)
        assert deal.actor is None
    assert watched.counts["used"]


def test_without_a_place_nothing_is_asked() -> None:
    deal = new_deal(rules_with_it("jamaican"), 1, 1)
    assert deal.top_discard is not None
    assert first_step(deal, deal.turn, deal.top_discard, drawing=True) is None
