"""Expert: a club player with a shorter horizon, freer calls and learnt trees; each difference was measured to gain."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Lay
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import public_of, unseen_copies
from kalooki_tui.engine.view import View
from kalooki_tui.players import PlayerChoice
from kalooki_tui.players.club import Club, away
from kalooki_tui.players.endgame import LAY_EFFORT, fits_table
from kalooki_tui.players.lessons import (
    NO_LAYDOWN,
    ChoiceKind,
    Learned,
    Trees,
    common_features,
    laying_features,
    leaning,
    learned_by,
    neighbours,
)
from kalooki_tui.players.numbers import added_up
from kalooki_tui.players.plans import prospect
from kalooki_tui.players.seat import open_card, without
from kalooki_tui.playouts.worlds import OF_CARD, OF_LAYING, CoreSeat, Style, row
from kalooki_tui.solver import best_lay
from kalooki_tui.solver.shape import Effort

#: How many times as good as an unseen card on average a card must be that is called though it brings the contract no
#: nearer: a call gives two cards for no turn. From 0.5 to 1.5 it makes no difference that could be measured.
CALL_GAIN: Final = 1.0
#: Cards it expects to choose from before the deal is decided.
HORIZON: Final = 6.0


class Expert(Club):
    def __init__(self, seed: str, style: Style | None = None) -> None:
        super().__init__(seed, replace(style or Style(), horizon=HORIZON))

    def weights(self, ruleset: str) -> CoreSeat:
        learned = self._taught(ruleset)
        return replace(super().weights(ruleset), level="expert", advice=None if learned is None else learned.advice)

    def enough_to_call(self, view: View) -> float:
        # In other contracts a card that brings them no nearer was measured to be worth no call.
        freely = view.contract.sets >= max(2, view.contract.runs)
        return min(CALL_GAIN, self.style.call_gain) if freely else self.style.call_gain

    def wants_to_call(self, view: View) -> bool:
        own = super().wants_to_call(view)
        if has_laid(view, view.seat) or public_of(view).calls[view.seat] >= view.rules.ruleset.calls.limit:
            return own
        if away(view, view.hand) == 0:
            return own
        return self.advised(view, ChoiceKind.CALL, own)

    def wants_to_refuse(self, view: View) -> bool:
        return self.advised(view, ChoiceKind.REFUSE, super().wants_to_take(view))

    def wants_to_take(self, view: View) -> bool:
        return self.advised(view, ChoiceKind.TAKE, super().wants_to_take(view))

    def advised(self, view: View, choice: ChoiceKind, own: bool) -> bool:
        """Heed the trees, where the weights alone say `own`."""
        return self.heeding(view, choice, own, self.foretold(view, choice, own))

    def heeding(self, view: View, choice: ChoiceKind, own: bool, gained: float | None) -> bool:
        """Decide by the club player's `own` choice and the trees' prediction."""
        known = self.learned(view, choice)
        return own if known is None or gained is None else known.prefers(own, gained)

    def foretold(self, view: View, choice: ChoiceKind, own: bool) -> float | None:
        """Predict the gain of calling, refusing or taking the open card over leaving it; None: the trees do not say."""
        known, card = self.learned(view, choice), open_card(view)
        if known is None or card is None:
            return None
        return known.gained(self._card_features(view, choice, card, own))

    def learned(self, view: View, choice: ChoiceKind) -> Trees | None:
        learned = self._taught(view.rules.ruleset.id)
        return None if learned is None else learned.kinds.get(choice)

    def _taught(self, ruleset: str) -> Learned | None:
        """Return all trees for a ruleset, biased as the style asks."""
        learned, leans = learned_by(ruleset), self.style.leans
        return learned if learned is None or not leans else leaning(learned, leans)

    def _card_features(self, view: View, choice: ChoiceKind, card: Card, own: bool) -> list[float]:
        public, seat, seats = public_of(view), view.seat, len(view.names)
        unseen = unseen_copies(view)
        before = -1 if has_laid(view, seat) else away(view, view.hand)
        other = view.caller if choice is ChoiceKind.REFUSE else view.turn
        assert other is not None
        values = common_features(view, public, before)
        if before > 0:
            values["cards_from_the_contract_with_it"] = away(view, (*view.hand, card))
            found = prospect(view.rules, view.contract, view.hand, unseen, self.style.horizon)
            values["worth_of_the_hand"] = found.worth
            total = added_up(found.want.get(one, 0.0) * copies for one, copies in enumerate(unseen) if copies)
            values["gain"] = found.want.get(card, 0.0) * sum(unseen) / total if total else 0.0
            values["gain_of_a_card_on_average"] = total / sum(unseen) if any(unseen) else 0.0
        if choice is not ChoiceKind.CALL and before == 0:
            values |= _left_by_laying(view, card)
        of_rank, near = neighbours(view, view.hand, card)
        values |= {
            "the_weights_would": own,
            "points": view.rules.values[card],
            "is_a_joker": card == JOKER,
            "own_of_its_rank": of_rank,
            "own_near_it": near,
            "fits_the_table": fits_table(view, card),
            "copies_unseen": unseen[card],
            "seats_to_the_other": (other - seat) % seats,
            "cards_of_the_other": view.hand_sizes[other],
            "calls_of_the_other": public.calls[other],
            "the_other_has_laid": has_laid(view, other),
            "danger": self.danger(view, public, card),
        }
        return row(OF_CARD, values)

    def first_lay(self, view: View) -> PlayerChoice | None:
        """Lay as soon as the hand holds the contract, unless the style holds it back, or practice says to wait."""
        found = super().first_lay(view)
        known = self.learned(view, ChoiceKind.LAY)
        if known is None or found is None or not isinstance(found.action, Lay):
            return found
        groups = found.action.groups
        left = without(view.hand, [card for group in groups for card in group.cards])
        values = common_features(view, public_of(view), 0) | laying_features(view, left, len(groups))
        return found if known.prefers(True, known.gained(row(OF_LAYING, values))) else None


def _left_by_laying(view: View, card: Card) -> dict[str, float]:
    """Return cards and points that stay where the contract is laid, and cards where one card more is held."""
    without = best_lay(view.rules, view.contract, view.hand, effort=Effort(LAY_EFFORT))
    with_card = best_lay(view.rules, view.contract, (*view.hand, card), effort=Effort(LAY_EFFORT))
    cards, points = NO_LAYDOWN
    return {
        "cards_left_by_laying": cards if without is None else len(without.left),
        "points_left_by_laying": points if without is None else view.rules.points(without.left),
        "cards_left_by_laying_with_it": cards if with_card is None else len(with_card.left),
    }
