import pytest

from kalooki_tui.cards import make_card
from kalooki_tui.engine.actions import Allow, Call, Discard, Draw, Lay, Pass, Refuse, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import CallAllowed
from kalooki_tui.engine.view import Phase
from kalooki_tui.players import expert, make_player
from kalooki_tui.players.club import Club
from kalooki_tui.players.lessons import FOLDER, ChoiceKind, Learned, Trees, leaning, learned_by, read_learned
from kalooki_tui.playouts.worlds import FEATURES
from tests.moments import there
from tests.players.simulate import new_deal, rules_for, seat_one_at

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def three_sets() -> list[int]:
    return [make_card(suit, rank) for rank in (4, 8, 11) for suit in (CLUBS, HEARTS, SPADES)]


def seat_one(phase: Phase, hand: list[int]) -> Deal:
    return seat_one_at(phase, "jamaican", 1, hand)


ADVICE = """{"kinds": {
    "call": {"threshold": 3, "trees": [[19, 1.5, [3, 9.5, -9, -2], 9]]},
    "take": {"threshold": 3, "trees": [-2, [22, 5.5, -2, 0.5]]},
    "lay": {"threshold": 3, "trees": [[12, 2.5, -4, 4]]}
}}"""


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Learned:
    learned = read_learned(ADVICE)
    monkeypatch.setattr(expert, "learned_by", lambda ruleset: learned)
    return learned


@pytest.fixture
def untaught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expert, "learned_by", lambda ruleset: None)


def test_what_was_learnt_is_read_from_trees(taught: Learned) -> None:
    trees = taught.kinds[ChoiceKind.CALL]
    features = [0.0] * FEATURES
    features[3], features[19] = 9, 1
    assert trees.gained(features) == -9
    features[3] = 9.5
    assert trees.gained(features) == -9
    features[3] = 10
    assert trees.gained(features) == -2
    features[19] = 2
    assert trees.gained(features) == 9
    assert taught.advice.numbers == (
        *(3, 1, 19, 1.5, 3, 9.5, -1, -9, -1, -2, -1, 9),
        *(0, 0),
        *(3, 2, -1, -2, 22, 5.5, -1, -2, -1, 0.5),
        *(3, 1, 12, 2.5, -1, -4, -1, 4),
    )


@pytest.mark.parametrize(
    ("own", "gained", "does"), [(True, 3.0, True), (True, 3.5, False), (False, -3.0, False), (False, -3.5, True)]
)
def test_the_weights_choice_is_left_beyond_the_threshold_alone(own: bool, gained: float, does: bool) -> None:
    known = Trees(3.0, (gained,))
    assert known.prefers(own, known.gained([])) is does


def test_takes_what_the_weights_would_not_where_practice_says_so(taught: Learned) -> None:
    deal = seat_one(Phase.DRAW, [*three_sets(), make_card(DIAMONDS, 2), make_card(DIAMONDS, 13)])
    deal.pile[-1] = make_card(DIAMONDS, 3)
    decision = make_player("expert", "1").decide(deal.view(1))
    assert decision.action == Draw(1, Source.DISCARD)
    assert make_player("club", "1").decide(deal.view(1)).action == Draw(1, Source.STOCK)
    deal.pile[-1] = make_card(DIAMONDS, 6)
    assert make_player("expert", "1").decide(deal.view(1)).action == Draw(1, Source.STOCK)


def test_refuses_a_call_of_the_card_that_it_goes_out_with() -> None:
    deal = seat_one(Phase.DECISION, [*three_sets(), make_card(DIAMONDS, 13)])
    deal.caller = 0
    deal.pile[-1] = make_card(DIAMONDS, 4)
    assert make_player("expert", "1").decide(deal.view(1)).action == Refuse(1)
    # Without the contract such a card is not worth the turn.
    deal.hands[1] = [
        make_card(suit, rank) for rank, suit in ((5, 0), (7, 1), (9, 2), (10, 3), (12, 0), (13, 1), (2, 2))
    ]
    assert make_player("expert", "1").decide(deal.view(1)).action == Allow(1)


@pytest.mark.parametrize(("cards", "lays"), [(2, True), (3, False)])
def test_keeps_the_contract_where_practice_says_so(taught: Learned, cards: int, lays: bool) -> None:
    spare = [make_card(DIAMONDS, 13), make_card(SPADES, 9), make_card(CLUBS, 6)]
    deal = seat_one(Phase.PLAY, [*three_sets(), *spare])
    for seat in (0, 2):
        deal.hands[seat] = deal.hands[seat][:cards]
    view = deal.view(1)
    assert isinstance(make_player("expert", "1").decide(view).action, Lay if lays else Discard)
    assert isinstance(make_player("club", "1").decide(view).action, Lay)
    goes_out = seat_one(Phase.PLAY, [*three_sets(), make_card(DIAMONDS, 13)])
    assert isinstance(make_player("expert", "1").decide(goes_out.view(1)).action, Lay)


def test_a_temperament_bends_what_practice_has_taught(taught: Learned) -> None:
    features = [0.0] * FEATURES
    features[3], features[19] = 10, 1
    bent = leaning(taught, (("call", 4.0),))
    assert taught.kinds[ChoiceKind.CALL].gained(features) == -2
    assert bent.kinds[ChoiceKind.CALL].gained(features) == -6
    calls = taught.kinds[ChoiceKind.CALL]
    assert not calls.prefers(False, calls.gained(features))
    calls = bent.kinds[ChoiceKind.CALL]
    assert calls.prefers(False, calls.gained(features))
    assert bent.kinds[ChoiceKind.TAKE].gained(features) == taught.kinds[ChoiceKind.TAKE].gained(features)
    # The core is told the same: a tree more, which is a number.
    assert bent.advice.numbers[:2] == (3, 2)
    assert bent.advice.numbers[12:14] == (-1, -4)
    # Practice is four points against laying, and the racer thinks as many better of it.
    deal = seat_one(Phase.PLAY, [*three_sets(), *(make_card(DIAMONDS, rank) for rank in (13, 9, 6, 2))])
    deal.hands[0] = deal.hands[2] = deal.hands[0][:3]
    lays = {
        level: isinstance(make_player(level, "1").decide(deal.view(1)).action, Lay)
        for level in ("expert", "expert/racer", "expert/hoarder")
    }
    assert lays == {"expert": False, "expert/racer": True, "expert/hoarder": False}


def test_tables_that_are_shipped_can_be_read() -> None:
    assert learned_by("no-such-rules") is None
    assert learned_by("tuluki") is learned_by("jamaican"), "as another has taught"
    found = sorted(FOLDER.glob("*.json"))
    assert found
    for path in found:
        learned = there(learned_by(path.stem))
        assert learned.kinds
        assert path.stat().st_size < 80_000


@pytest.mark.parametrize(("calls", "action"), [(0, Call), (2, Call), (3, Pass)])
def test_calls_what_only_opens_more_ways_while_it_has_calls(
    untaught: None, calls: int, action: type[Call | Pass]
) -> None:
    pairs = [make_card(suit, rank) for rank in (4, 8, 11) for suit in (CLUBS, HEARTS)]
    deal = new_deal(rules_for("jamaican", 3), 1, 1)
    seat = deal.asked[0]
    deal.hands[seat] = [*pairs, make_card(SPADES, 13), make_card(SPADES, 2), make_card(DIAMONDS, 6)]
    deal.history += [CallAllowed(0, seat, make_card(HEARTS, 10), True)] * calls
    deal.calls[seat] = calls
    deal.pile[-1] = make_card(DIAMONDS, 2)
    assert isinstance(make_player("expert", "1").decide(deal.view(seat)).action, action)
    assert make_player("club", "1").decide(deal.view(seat)).action == Pass(seat)


def test_calls_freely_where_two_sets_are_asked_for_and_no_more_runs_and_looks_less_far_ahead_than_the_club() -> None:
    rules = rules_for("jamaican", 3)
    freely = [
        number
        for number in range(1, 10)
        if expert.Expert("1").enough_to_call(new_deal(rules, number, 1).view(0)) == expert.CALL_GAIN
    ]
    assert freely == [1, 2, 5, 6, 7]
    assert expert.Expert("1").style.horizon < Club("1").style.horizon
