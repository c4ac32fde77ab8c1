from kalooki_tui.engine.actions import Group, Tack
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players import make_player
from tests.solver.hands import match_at, rules_of


def tacked(hand: str) -> set[str]:
    rules = rules_of("jamaican")
    table = [make_meld(rules.ruleset, 1, Group(parse_cards("6C 6D 6H", rules.faces)))]
    view = match_at(rules, rules.contract(1), parse_cards(hand, rules.faces), table).view(0)
    actions = [make_player("novice", str(seed)).decide(view).action for seed in range(20)]
    return {rules.faces.texts(action.cards) for action in actions if isinstance(action, Tack)}


def test_a_joker_is_kept_while_the_hand_is_large() -> None:
    assert tacked("2C 9D KH JK") == set()
    assert tacked("2C 9D JK") == {"JK"}
    assert tacked("2C 9D KH 6S") == {"6S"}
