import pytest

from kalooki_tui.engine.actions import Discard
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import View
from kalooki_tui.players import PlayerChoice
from kalooki_tui.players.seat import AiSeat, goes_round
from kalooki_tui.solver.way_out import GoingOutSearch
from tests.property.tables import start_match


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
