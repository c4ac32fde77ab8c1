"""The master: the expert, but it decides what to throw, call, take and lay by playouts in likely worlds.

Each choice worth a thought is played to the end of the deal by the native core (`playouts`), in likely hidden
cards (`belief`), the same worlds for all choices (`race`). Worlds and the core's steps are
counted, not seconds: the same seed makes the same choice on every machine. Without the core the master plays like the
expert.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.view import View
from kalooki_tui.players import PACES, PlayerChoice, lessons
from kalooki_tui.players.club import JOKER_WORTH, away
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.race import LEAST_TOLD, WORTH_KNOWING, WORTH_TELLING, Contender, Race
from kalooki_tui.playouts import LIGHT, CoreSeat, PlayoutFault, available, why_not

#: Cards to throw that are played on, and beside a lay-down: those for which most speaks without it.
MOST_THROWS: Final = 6
MOST_BESIDE_LAYING: Final = 3
#: Another throw before laying is usually worse by this share of what speaks against it, give or take the spread.
THROW_HANDICAP: Final = 0.45
THROW_SPREAD: Final = 9.0
MOST_THROW_HANDICAP: Final = 40.0
#: Keeping the contract in hand is usually worse than laying by so many points, give or take the spread; and playing on
#: flatters it.
KEEP_HANDICAP: Final = 30.0
KEEP_SPREAD: Final = 30.0
KEEP_FLATTERED: Final = 6.0
#: An open card left or taken against what practice says is worse by what that says, give or take the spread; where
#: practice says nothing, by so many points. What is worse by more is asked about only where the hand is so near the
#: contract that the card may decide the deal, and then it starts with no more than that.
CARD_HANDICAP: Final = 8.0
CARD_SPREAD: Final = 9.0
LEAST_CARD_HANDICAP: Final = 1.0
MOST_CARD_HANDICAP: Final = 20.0
#: Cards from the contract, at the most, for such a moment.
NEAR: Final = 1
#: Cards in the hand of another seat that has laid with which it may go out at any moment: then a joker is a dear card.
LAST_CARDS: Final = 1
AS_EXPERT: Final = "The master plays like the expert."


class Master(Expert):
    def __init__(self, seed: str, *, worlds: int = PACES[""], threads: int = 2, every: bool = False) -> None:
        """Play on in at most so many `worlds`; with `every`, also choices that nothing speaks for, and once laid."""
        super().__init__(seed)
        self.every = every
        self.worlds = worlds
        self.expert = Expert(seed)
        self.threads = threads
        self.raced: Race | None = None
        """Choices played on last in this decision; None: none."""
        self.fault = ""
        """Why the last decision was the expert's, in words; empty: it was not, or there was nothing to play on."""

    def decide(self, view: View) -> PlayerChoice:
        self.fault, self.raced = "", None
        found = super().decide(view)
        return replace(found, notice=self.fault) if self.fault else found

    def first_lay(self, view: View) -> PlayerChoice | None:
        """Lay as the expert does, unless throwing a card and going on with the contract in hand is better."""
        found = super().first_lay(view)
        if found is None or not isinstance(found.action, do.Lay):
            return found
        throws = [card for card, _ in self._by_weight(view)[: None if self.every else MOST_BESIDE_LAYING]]
        keeping = [
            Contender((do.DISCARD[view.seat][card],), KEEP_HANDICAP, KEEP_SPREAD, KEEP_FLATTERED) for card in throws
        ]
        better = self._play_on(view, [Contender((found.action,)), *keeping])
        return PlayerChoice(do.DISCARD[view.seat][throws[better - 1]]) if better else found

    def discard(self, view: View) -> Card:
        """Throw the expert's card, unless another one is better where the deal is played on."""
        card = super().discard(view)
        if has_laid(view, view.seat) and not self.every:
            return card
        weights = dict(self._by_weight(view))
        cards = [card, *(other for other in weights if other != card)][: None if self.every else MOST_THROWS]
        choices = [
            Contender((do.DISCARD[view.seat][other],), _handicap(weights[card] - weights[other]), THROW_SPREAD)
            for other in cards
        ]
        better = self._play_on(view, choices)
        return cards[better or 0]

    def heeding(self, view: View, choice: lessons.ChoiceKind, own: bool, gained: float | None) -> bool:
        """Call, refuse a call or take the open card as the expert would, unless the opposite is better.

        A card that the expert would throw in the same turn is never taken, and refused to its caller only where that is
        better.
        """
        usual = super().heeding(view, choice, own, gained)
        doing, leaving = _both_ways(view, choice)
        if choice is not lessons.ChoiceKind.CALL and not self.expert.keeps_it(view, doing):
            if choice is lessons.ChoiceKind.TAKE:
                return False
            usual = False
        if doing not in view.legal or leaving not in view.legal or (has_laid(view, view.seat) and not self.every):
            return usual
        loss = CARD_HANDICAP if gained is None else max(LEAST_CARD_HANDICAP, -gained if usual else gained)
        if loss > MOST_CARD_HANDICAP and not self.every and away(view, view.hand) > NEAR:
            return usual
        first, other = (doing, leaving) if usual else (leaving, doing)
        contrary = Contender((other,), min(loss, MOST_CARD_HANDICAP), CARD_SPREAD)
        better = self._play_on(view, [Contender((first,)), contrary])
        return not usual if better else usual

    def race(self, view: View, choices: Sequence[Contender]) -> Race:
        worth, least = (WORTH_TELLING, LEAST_TOLD) if self.every else (WORTH_KNOWING, 0)
        own, most = self.goes_on(view), {"worlds": self.worlds, "threads": self.threads}
        return Race(view, choices, own, self.seed, **most, worth=worth, least=least)

    def goes_on(self, view: View) -> CoreSeat:
        """Return the own seat in playouts: the expert's weights, but as quick to think as the others."""
        return replace(self.weights(view.rules.ruleset.id), plans=LIGHT.plans)

    def keeps_it(self, view: View, action: do.Action) -> bool:
        return True

    def _by_weight(self, view: View) -> list[tuple[Card, float]]:
        others = (seat for seat in range(len(view.names)) if seat != view.seat)
        # Where another seat may go out before the next turn, all cards in hand count.
        may_end = any(has_laid(view, seat) and 0 < view.hand_sizes[seat] <= LAST_CARDS for seat in others)
        spared = JOKER_WORTH if may_end else 0.0
        found = [(one.card, one.total + spared * (one.card == JOKER)) for one in self.weigh_throws(view)]
        return sorted(found, key=lambda one: -one[1])

    def _play_on(self, view: View, choices: Sequence[Contender]) -> int | None:
        """Return the number of the best choice, 0 is the usual one; None: no core, or nothing to choose."""
        if len(choices) < 2:
            return None
        if not available():
            self.fault = f"{why_not()} {AS_EXPERT}"
            return None
        race = self.race(view, choices)
        try:
            found = race.run()
        except PlayoutFault as fault:
            self.fault = f"{fault} {AS_EXPERT}"
            return None
        self.raced = race
        return found


def _handicap(less: float) -> float:
    return min(THROW_HANDICAP * less, MOST_THROW_HANDICAP)


def _both_ways(view: View, choice: lessons.ChoiceKind) -> tuple[do.Action, do.Action]:
    seat = view.seat
    match choice:
        case lessons.ChoiceKind.CALL:
            return do.CALL[seat], do.PASS[seat]
        case lessons.ChoiceKind.REFUSE:
            return do.REFUSE[seat], do.ALLOW[seat]
        case _:
            return do.DRAW_DISCARD[seat] if view.flip is None else do.DRAW_FLIP[seat], do.DRAW_STOCK[seat]
