"""What would fill the place of a card that a plan lacks."""

from kalooki_tui.cards import FRENCH, JOKER
from kalooki_tui.desk.moves import lack_text
from kalooki_tui.solver.witness import Lacking
from tests.ui.samples import cards


def test_a_lacking_card_is_named_as_narrowly_as_it_can_be() -> None:
    assert lack_text(Lacking(0, cards("9D JK")), FRENCH) == "9♦"
    assert lack_text(Lacking(0, cards("10C 10H")), FRENCH) == "10"
    assert lack_text(Lacking(0, (JOKER,)), FRENCH) == "★"
