from collections.abc import Sequence
from typing import Final

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Group, Kind, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.evaluation.options import way_out
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players import LEVELS, make_player
from tests.players.simulate import rules_for, seat_one_at

#: Ruleset, hand and runs on the table, those of seat 1 after `own`: what is worth most, tacked first, ends the way out.
POSITIONS: Final = (
    ("jamaican", "3S JK", (), ("JK 4S 5S 6S 7S",)),
    ("jamaican", "7D JK", (), ("5D 6D JK 8D",)),
    ("air-jamaica", "JK AD 9D", ("8D JK 10D JD",), ("2D 3D 4D JK",)),
    ("classic", "3D JK", ("2D 3D 4D JK",), ("AD 2D JK 4D",)),
    ("classic", "3H JK", ("2H JK 4H 5H",), ()),
    ("kalooki-short", "AC 5D JK", ("6D JK 8D 9D",), ("2C 3C 4C JK",)),
)


def at_play(ruleset: str, hand: str, others: Sequence[str], own: Sequence[str]) -> Deal:
    """Seat 1 has laid and drawn, and holds `hand`."""
    rules = rules_for(ruleset, 3)
    deal = seat_one_at(Phase.PLAY, ruleset, 1, parse_cards(hand, rules.faces))
    deal.laid[1] = HasLaid.EARLIER
    runs = [(0, run) for run in others] + [(1, run) for run in own]
    deal.melds = [
        make_meld(rules.ruleset, owner, Group(tuple(parse_cards(run, rules.faces)), Kind.RUN)) for owner, run in runs
    ]
    return deal


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("position", POSITIONS)
def test_goes_out_where_what_is_dearest_must_wait(
    position: tuple[str, str, tuple[str, ...], tuple[str, ...]], level: str
) -> None:
    deal = at_play(*position)
    assert way_out(deal.view(1)) is not None
    player = make_player(level, "1")
    while deal.actor == 1 and deal.phase is Phase.PLAY:
        deal.apply(player.decide(deal.view(1)).action)
    assert deal.out == 1


def test_a_joker_goes_to_the_one_end_that_takes_more_cards_in_this_turn() -> None:
    deal = at_play("kalookie-40", "10S JS JK 5S 2D KH", ("7S 8S 9S",), ())
    for card in parse_cards("10S JS", deal.rules.faces):
        deal.apply(Tack(1, (card,), 0))
    assert make_player("club", "1").decide(deal.view(1)).action == Tack(1, (JOKER,), 0)
