import pytest

from kalooki_tui.engine.actions import (
    ALLOW,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    REFUSE,
    Action,
    Discard,
    Draw,
    EndTurn,
    Refuse,
    Source,
)
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import Drew
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players import PlayerChoice, expert, make_player
from kalooki_tui.players.lessons import read_learned
from kalooki_tui.players.seat import AiSeat, goes_round, open_card
from kalooki_tui.solver.way_out import GoingOutSearch
from tests.players.simulate import new_deal, play_deal, rules_for, seat_one_at
from tests.property.tables import start_match

#: Deals of three equal seats (two in Tuluki) in which each level once threw the card again: contract and seed.
DEALS = {
    "jamaican": {"novice": (4, 3), "club": (2, 1), "expert": (6, 14)},
    "kalookie-40": {"novice": (1, 15), "club": (1, 20), "expert": (1, 146)},
    "kooky": {"novice": (3, 2), "club": (2, 19), "expert": (8, 7)},
    "trinidad": {"novice": (3, 16), "club": (5, 18), "expert": (7, 20)},
    "tuluki": {"novice": (8, 7), "club": (5, 103), "expert": (9, 8)},
}
CASES = [(ruleset, level, *deal) for ruleset, levels in DEALS.items() for level, deal in levels.items()]

#: Hands for three sets and for three runs.
PAIRS = "4C 4H 8C 8H JC JH 5S 3D"
BITS_OF_RUNS = "5C 6C 7C 6H 7H 9H 2S 3S KD"

#: As if practice had taught to have every open card that may be drawn.
HAVE_ALL = '{"kinds": {"take": {"threshold": 3, "trees": [-50]}, "refuse": {"threshold": 3, "trees": [-50]}}}'


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("ruleset", "level", "number", "seed"), CASES)
def test_what_a_seat_takes_or_refuses_it_does_not_throw_in_that_turn(
    ruleset: str, level: str, number: int, seed: int
) -> None:
    taken: dict[int, int | None] = {}
    again: list[tuple[int, Action]] = []

    def watch(deal: Deal, seat: int, action: Action) -> None:
        match action:
            case Draw(source=source):
                taken[seat] = None if source is Source.STOCK else open_card(deal.view(seat))
            case Refuse():
                taken[seat] = open_card(deal.view(seat))
            case Discard(card=card) if taken.pop(seat, None) == card and len(deal.hands[seat]) > 1:
                again.append((seat, action))

    play_deal(new_deal(rules_for(ruleset, 2 if ruleset == "tuluki" else 3), number, seed), (level,), watch)
    assert again == []


def seat_one(phase: Phase, hand: str, discard: str, number: int = 1) -> Deal:
    faces = rules_for("jamaican", 3).faces
    deal = seat_one_at(phase, "jamaican", number, parse_cards(hand, faces))
    (deal.pile[-1],) = parse_cards(discard, faces)
    deal.caller = 0 if phase is Phase.DECISION else None
    return deal


@pytest.fixture
def greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = read_learned(HAVE_ALL)
    monkeypatch.setattr(expert, "learned_by", lambda ruleset: learned)


@pytest.mark.usefixtures("greedy")
@pytest.mark.parametrize(
    ("phase", "number", "hand", "discard", "action"),
    [
        (Phase.DRAW, 1, PAIRS, "KD", DRAW_STOCK[1]),
        (Phase.DRAW, 1, PAIRS, "4S", DRAW_DISCARD[1]),
        (Phase.DRAW, 4, BITS_OF_RUNS, "KD", DRAW_STOCK[1]),
        (Phase.DRAW, 4, BITS_OF_RUNS, "8C", DRAW_DISCARD[1]),
        (Phase.DECISION, 1, PAIRS, "KD", ALLOW[1]),
        (Phase.DECISION, 1, PAIRS, "4S", REFUSE[1]),
    ],
)
def test_an_expert_has_no_card_that_it_would_throw(
    phase: Phase, number: int, hand: str, discard: str, action: Action
) -> None:
    deal = seat_one(phase, hand, discard, number)
    assert make_player("expert", "1").decide(deal.view(1)).action == action


@pytest.mark.parametrize(("level", "card"), [("novice", "2D"), ("club", "KD"), ("expert", "KD")])
def test_a_face_that_was_drawn_in_the_open_all_the_same_is_kept(level: str, card: str) -> None:
    """As where a person took it, and an AI seat goes on."""
    deal = seat_one(Phase.DRAW, PAIRS, card)
    face = deal.pile[-1]
    deal.apply(DRAW_DISCARD[1])
    thrown = make_player(level, "1").decide(deal.view(1)).action
    assert isinstance(thrown, Discard)
    assert thrown.card != face
    # After a draw from the stock the same card of the same hand goes.
    deal.history[-1] = Drew(1, Source.STOCK, face)
    assert make_player(level, "1").decide(deal.view(1)).action == DISCARD[1][face]


@pytest.mark.parametrize("level", ["novice", "club", "expert"])
def test_where_nothing_else_can_be_thrown_it_goes(level: str) -> None:
    deal = seat_one(Phase.DRAW, "JK", "KD")
    deal.apply(DRAW_DISCARD[1])
    (king,) = parse_cards("KD", deal.rules.faces)
    assert make_player(level, "1").decide(deal.view(1)).action == DISCARD[1][king]
    deal.apply(DISCARD[1][king])
    # So it is not drawn either: then the seat holds nothing but jokers, and ends its turn without a throw.
    deal = seat_one(Phase.DRAW, "JK", "KD")
    assert make_player(level, "1").decide(deal.view(1)).action == DRAW_STOCK[1]
    deal.stock[-1] = deal.hands[1][0]
    deal.apply(DRAW_STOCK[1])
    assert make_player(level, "1").decide(deal.view(1)).action == EndTurn(1)


def test_only_the_own_draw_of_this_turn_counts() -> None:
    deal = seat_one(Phase.DRAW, "4C 4H 8C 8H JC JH KS 3D", "KD")
    deal.apply(DRAW_DISCARD[1])
    (king, spade) = parse_cards("KD KS", deal.rules.faces)
    assert public_of(deal).drawn_in_the_open(1) == king
    assert public_of(deal).drawn_in_the_open(2) is None
    deal.apply(DISCARD[1][spade])
    assert public_of(deal).drawn_in_the_open(1) is None
    deal = seat_one(Phase.DECISION, "4C 4H 8C 8H JC JH KS 3D", "KD")
    deal.apply(REFUSE[1])
    assert public_of(deal).drawn_in_the_open(1) is None


class Magpie(AiSeat):
    def wants_to_call(self, view: View) -> bool:
        return True

    def wants_to_refuse(self, view: View) -> bool:
        return True

    def wants_to_take(self, view: View) -> bool:
        return True

    def first_lay(self, view: View) -> PlayerChoice | None:
        return None

    def shed(self, view: View) -> PlayerChoice | None:
        return None

    def discard(self, view: View) -> int:
        cards = sorted(action.card for action in view.legal if isinstance(action, Discard))
        return self.random_at(view, "throw").choice(cards)


@pytest.mark.parametrize(
    ("ruleset", "seats", "referee"), [("trinidad", 4, Referee.PENALTIES), ("tuluki", 2, Referee.STRICT)]
)
def test_open_cards_do_not_go_round_for_ever(
    ruleset: str, seats: int, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GoingOutSearch, "actions", lambda search: ())
    match = start_match(ruleset, seats, 3, referee)
    players = [Magpie(str(seat)) for seat in range(seats)]
    rounds = 0
    while match.actor is not None:
        view = match.view(match.actor)
        rounds += goes_round(view)
        match.apply(players[match.actor].decide(view).action)
        assert len(match.deal.history) < 20_000
    assert match.deal.void
    assert bool(rounds) == (ruleset != "tuluki")  # a flip comes from the stock: no card goes round there
