"""Deals played by AI seats, watched while they run."""

from collections.abc import Callable, Iterable, Sequence

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import make_settings, resolve

Watch = Callable[[Deal, int, Action], None]


def rules_for(ruleset: str, seats: int, referee: Referee = Referee.STRICT) -> Rules:
    """The rules, with the dealer's cut where the ruleset has one."""
    found = resolve(ruleset, (), seats)
    settings = {"dealer_cut": True} if found.dealer_cut_bonus is not None else {}
    return make_rules(found, seats, referee, make_settings(found, settings))


def new_deal(rules: Rules, number: int, seed: int) -> Deal:
    names = tuple(f"Seat{seat + 1}" for seat in range(rules.seats))
    deal = Deal(rules, names, number, 0, 1 % rules.seats, f"{seed}/{number}")
    deal.begin()
    return deal


def seat_one_at(
    phase: Phase, ruleset: str, number: int, hand: Iterable[int], referee: Referee = Referee.STRICT
) -> Deal:
    """A deal of three seats, seat 1 to act with this hand."""
    deal = new_deal(rules_for(ruleset, 3, referee), number, 1)
    deal.asked, deal.phase, deal.turn, deal.actor = [], phase, 1, 1
    deal.hands[1] = [*hand]
    return deal


def play_deal(deal: Deal, levels: Sequence[str], watch: Watch | None = None) -> None:
    """Play a deal to its end; `watch` sees each decision before it is taken.

    Raises:
        Refused: a player chose what the rules forbid.
    """
    players = [make_player(levels[seat % len(levels)], f"t/{seat}") for seat in range(len(deal.hands))]
    for _ in range(20_000):
        actor = deal.actor
        if actor is None:
            return
        action = players[actor].decide(deal.view(actor)).action
        if watch is not None:
            watch(deal, actor, action)
        deal.apply(action)
    raise AssertionError("the deal does not end")
