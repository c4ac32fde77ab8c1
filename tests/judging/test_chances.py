import pytest

from kalooki_tui.judging.facts import TURNS, Cell, Chances, chances_for
from kalooki_tui.rulesets.loader import load_ruleset
from tests.property.tables import RULESETS


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_number_of_seats_has_a_table_of_its_own(ruleset: str) -> None:
    tables = {seats: chances_for(ruleset, seats) for seats in load_ruleset(ruleset).seat_counts}
    assert len({id(table) for table in tables.values()}) == len(tables)
    for table in tables.values():
        assert sum(cell.count for cell in table.ends) > 100
        assert len(table.lays) == len(table.shares)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nearer_hands_lay_sooner_and_nobody_waits_for_nothing(ruleset: str) -> None:
    table = chances_for(ruleset, 4)
    for turns in range(1, TURNS + 1):
        chances = [table.lay_within(away, turns) for away in range(4)]
        assert chances == sorted(chances, reverse=True)
        assert chances[0] == 1.0
    for away in (1, 2):
        assert table.lay_within(away, 1) < table.lay_within(away, TURNS)
    assert table.end_before_turn(0) < table.end_before_turn(1)


def test_more_helpful_cards_make_a_hand_better_but_never_a_card_nearer() -> None:
    table = chances_for("jamaican", 4)
    few, usual, many = (table.lay_within(2, 3, share) for share in (0.02, table.shares[1], 0.9))
    assert few < usual < many
    assert usual == pytest.approx(table.lay_within(2, 3))
    assert table.lay_within(3, 3) < few
    assert many < table.lay_within(1, 3)
    assert table.lay_within(9, 3) == 0.0


def test_a_ruleset_without_tables_is_judged_by_the_default_and_seats_by_the_nearest_number() -> None:
    assert chances_for("of-my-own", 4) is chances_for("jamaican", 4)
    assert chances_for("tuluki", 5) is chances_for("tuluki", 2)
    assert chances_for("jamaican", 11) is chances_for("jamaican", 8)


def test_little_counted_is_drawn_towards_a_half() -> None:
    assert Cell(0, 0).chance == 0.5
    assert Cell(98, 0).chance == pytest.approx(0.01)
    table = Chances((Cell(8, 1),), ((Cell(8, 4),) * 3,), (0.0,))
    assert table.end_before_turn(3) == pytest.approx(0.2)
    assert table.lay_within(1, 2, 0.3) == pytest.approx(0.5)
