from collections import Counter
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kalooki_tui.cards import JOKER, make_card
from kalooki_tui.engine.actions import Action, Call, Challenge, Discard, Group, Kind, Lay, Swap, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import CallAllowed
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.evaluation.options import way_out
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players import LEVELS, make_player
from kalooki_tui.players.club import Club
from kalooki_tui.players.seat import without
from kalooki_tui.solver import distance
from tests.players.simulate import new_deal, play_deal, rules_for, seat_one_at
from tests.solver.hands import match_at, rules_of

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


@pytest.mark.parametrize(("calls", "challenges"), [(3, False), (4, True)])
def test_challenges_a_seat_seen_to_call_too_often_once(calls: int, challenges: bool) -> None:
    deal = seat_one_at(Phase.PLAY, "jamaican", 3, [make_card(CLUBS, rank) for rank in (2, 5, 9, 12)], Referee.PENALTIES)
    deal.calls[2] = calls
    deal.history += [CallAllowed(0, 2, make_card(SPADES, rank), True) for rank in range(2, 2 + calls)]
    player = make_player("club", "1")
    first = player.decide(deal.view(1)).action
    assert (first == Challenge(1, 2)) is challenges
    if challenges:
        deal.apply(first)
        assert deal.penalties == [0, 0, 50]
        assert isinstance(player.decide(deal.view(1)).action, Discard)


@pytest.mark.parametrize(("pool", "buys"), [(20, False), (40, True)])
def test_buys_in_where_the_share_of_the_pool_is_worth_the_stake(pool: int, buys: bool) -> None:
    view: Any = SimpleNamespace(
        rules=SimpleNamespace(
            ruleset=SimpleNamespace(end=SimpleNamespace(eliminate_over=150)), settings=SimpleNamespace(buy_in_stake=10)
        ),
        totals=(100, 20, 170), eliminated=(False, False, True), pool=pool,
    )  # fmt: skip
    assert Club("1").buys_in(view) is buys


def test_swaps_for_a_joker_and_uses_it_in_the_same_move() -> None:
    deal = seat_one_at(Phase.PLAY, "kalookie-40", 1, [make_card(HEARTS, 7), make_card(CLUBS, 2), make_card(SPADES, 12)])
    cards = (make_card(HEARTS, 6), JOKER, make_card(HEARTS, 8))
    deal.melds = [make_meld(deal.rules.ruleset, 2, Group(cards, Kind.RUN))]
    deal.laid[1] = HasLaid.EARLIER
    action = make_player("club", "1").decide(deal.view(1)).action
    assert isinstance(action, Swap)
    deal.apply(action)
    assert len(deal.hands[1]) == 2
    assert JOKER not in deal.hands[1]


def test_frees_the_joker_of_its_own_run_and_gets_rid_of_it() -> None:
    deal = seat_one_at(Phase.PLAY, "trinidad", 3, [make_card(HEARTS, 7), make_card(CLUBS, 2), make_card(SPADES, 12)])
    cards = (make_card(HEARTS, 5), make_card(HEARTS, 6), JOKER, make_card(HEARTS, 8))
    deal.melds = [make_meld(deal.rules.ruleset, 1, Group(cards, Kind.RUN))]
    deal.laid[1] = HasLaid.EARLIER
    player = make_player("club", "1")
    assert player.decide(deal.view(1)).action == Swap(1, make_card(HEARTS, 7), 0)
    while deal.turn == 1 and deal.phase is Phase.PLAY:
        deal.apply(player.decide(deal.view(1)).action)
    assert JOKER not in deal.hands[1]
    assert len(deal.hands[1]) == 1


@pytest.mark.parametrize("level", ["club", "expert"])
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kalookie-40"])
def test_nothing_that_the_nearest_plan_needs_is_thrown_beside_an_idle_card(ruleset: str, level: str) -> None:
    needless: list[Action] = []

    def watch(deal: Deal, seat: int, action: Action) -> None:
        view = deal.view(seat)
        if isinstance(action, Discard) and deal.laid[seat] is HasLaid.NO:
            rests = {one.card: without(view.hand, (one.card,)) for one in view.legal if isinstance(one, Discard)}
            after = {card: distance(view.rules, view.contract, rest) for card, rest in rests.items()}
            face = public_of(view).drawn_in_the_open(seat)
            if after[action.card] > min(points for card, points in after.items() if card != face or len(after) == 1):
                needless.append(action)

    rules = rules_for(ruleset, 3)
    play_deal(new_deal(rules, min(4, len(rules.ruleset.deals)), 0), (level,), watch)
    assert needless == []


def tacked(hand: str) -> set[str]:
    rules = rules_of("jamaican")
    table = [make_meld(rules.ruleset, 1, Group(parse_cards("6C 6D 6H", rules.faces)))]
    view = match_at(rules, rules.contract(1), parse_cards(hand, rules.faces), table).view(0)
    actions = [make_player("novice", str(seed)).decide(view).action for seed in range(20)]
    return {rules.faces.texts(action.cards) for action in actions if isinstance(action, Tack)}


def test_a_novice_keeps_a_joker_while_the_hand_is_large() -> None:
    assert tacked("2C 9D KH JK") == set()
    assert tacked("2C 9D JK") == {"JK"}
    assert tacked("2C 9D KH 6S") == {"6S"}


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


CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


@pytest.fixture(scope="module")
def views() -> list[View]:
    found: list[View] = []

    def watch(deal: Deal, seat: int, action: Action) -> None:
        view = deal.view(seat)
        if all(state is HasLaid.NO for state in view.laid):
            found.append(view)

    for number in (1, 2, 3):
        for seed in (5, 6):
            play_deal(new_deal(rules_for("jamaican", 4), number, seed), ["club"], watch)
    return found


def test_the_caller_calls_what_the_club_player_calls_and_more(views: list[View]) -> None:
    windows = [view for view in views if view.phase is Phase.CALL_WINDOW]
    called = Counter(
        (isinstance(make_player("club", "1").decide(view).action, Call), isinstance(decision.action, Call))
        for view in windows
        for decision in [make_player("club/caller", "1").decide(view)]
    )
    assert called[False, True]
    assert called[True, True]
    assert not called[True, False]


@pytest.mark.parametrize("level", ["club", "expert"])
def test_only_the_hoarder_may_wait_with_a_contract_and_few_cards_over(level: str) -> None:
    hand = [make_card(suit, rank) for rank in (4, 8, 11) for suit in (CLUBS, HEARTS, SPADES)]
    view = seat_one_at(Phase.PLAY, "jamaican", 1, [*hand, make_card(DIAMONDS, 2), make_card(HEARTS, 13)]).view(1)

    def lays(text: str, view: View) -> set[bool]:
        return {isinstance(make_player(text, str(seed)).decide(view).action, Lay) for seed in range(12)}

    assert lays(level, view) == lays(f"{level}/racer", view) == lays(f"{level}/caller", view) == {True}
    assert lays(f"{level}/hoarder", view) == {True, False}
    goes_out = seat_one_at(Phase.PLAY, "jamaican", 1, [*hand, make_card(DIAMONDS, 2)]).view(1)
    assert lays(f"{level}/hoarder", goes_out) == {True}
    deal = seat_one_at(Phase.PLAY, "jamaican", 1, [*hand, make_card(DIAMONDS, 2), make_card(HEARTS, 13)])
    deal.laid[2] = HasLaid.EARLIER
    assert lays(f"{level}/hoarder", deal.view(1)) == {True}
