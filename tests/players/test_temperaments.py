from collections import Counter

import pytest

from kalooki_tui.cards import RANK, make_card
from kalooki_tui.engine.actions import Action, Call, Discard, Lay
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players import TEMPERAMENTS, make_player
from kalooki_tui.players.seat import without
from tests.players.simulate import new_deal, play_deal, rules_for, seat_one_at

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


def test_the_racer_throws_more_points_and_the_hoarder_keeps_pairs(views: list[View]) -> None:
    thrown: Counter[str] = Counter()
    paired: Counter[str] = Counter()
    for level in ("club", *(f"club/{temperament}" for temperament in TEMPERAMENTS)):
        for view in views:
            action = make_player(level, "1").decide(view).action
            if view.phase is Phase.PLAY and isinstance(action, Discard):
                thrown[level] += view.rules.values[action.card]
                ranks = Counter(RANK[card] for card in without(view.hand, [action.card]))
                paired[level] += sum(count > 1 for count in ranks.values())
    assert thrown["club/racer"] > thrown["club"]
    assert paired["club/hoarder"] > paired["club"]


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
