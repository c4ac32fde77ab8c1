"""Deals of a match played ahead by the native core, where it knows all seats: the same actions, far sooner.

The core decides what a seat would; the engine then takes each action as it takes a player's, so that records, notes
and events are what they would have been. A deal is played ahead up to its end, or to where the stock is shuffled anew,
which is the engine's to do.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player, without_core
from kalooki_tui.players.club import Club
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.protocol import Decision, Player
from kalooki_tui.playouts import CoreSeat, PlayoutFault, available, play_deal
from kalooki_tui.playouts.handing import why_not_playable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kalooki_tui.engine.rules import Rules
    from kalooki_tui.table.seats import SeatPlan
    from kalooki_tui.table.table import Table


def weights_of(player: Player, ruleset: str) -> CoreSeat | None:
    """The player in the core; None: the core does not make its very choices, such as those that are left to chance."""
    if not isinstance(player, Club) or type(player) not in (Club, Expert) or player.style.hold:
        return None
    return player.weights(ruleset)


def is_for_core(rules: Rules, seats: Sequence[SeatPlan]) -> bool:
    """Whether the core plays all seats of such a table, if there is a core."""
    if any(plan.is_human or plan.is_outside for plan in seats):
        return False
    ruleset = rules.ruleset
    players = [make_player(plan.level, "") for plan in seats]
    # Calls in a race are not for it (D4).
    return (
        not (rules.settings.race or rules.settings.handicap)
        and not any(why_not_playable(rules, contract) for contract in ruleset.deals)
        and all(weights_of(player, ruleset.id) for player in players)
    )


def needs_core(rules: Rules, seats: Sequence[SeatPlan]) -> bool:
    """Whether the core has a part in matches at such a table: it plays all seats, or a seat asks it."""
    asks = any(without_core(plan.level) != plan.level for plan in seats if not plan.is_outside)
    return available() and (asks or is_for_core(rules, seats))


def native_players(table: Table, players: dict[int, Player]) -> dict[int, Player]:
    """The players, with their deals played ahead by the core wherever it can."""
    if not available() or not is_for_core(table.match.rules, table.plans):
        return players
    ahead = _Ahead(table, players)
    return {seat: NativeSeat(ahead, player) for seat, player in players.items()}


class _Ahead:
    """The rest of the deal, played ahead by the core."""

    def __init__(self, table: Table, players: dict[int, Player]) -> None:
        self.table = table
        styles = [weights_of(players[seat], table.match.rules.ruleset.id) for seat in range(len(players))]
        self.styles = [style for style in styles if style is not None]
        self.actions: deque[Action] = deque()
        self.failed = False

    def next_action(self) -> Action | None:
        """The action of the seat to act; None: the core has failed, so ask the player from now on."""
        if not self.actions and not self.failed:
            try:
                played = play_deal(self.table.match.deal, styles=self.styles)
            except PlayoutFault as fault:
                self.failed = True
                self.table.tell(str(fault))
            else:
                self.actions.extend(_up_to_the_shuffle(played.actions))
        return self.actions.popleft() if self.actions else None


def _up_to_the_shuffle(actions: Sequence[tuple[Action, tuple[int, ...] | None]]) -> list[Action]:
    found = []
    for action, stock in actions:
        found.append(action)
        if stock is not None:
            break
    return found


class NativeSeat:
    """One seat of a deal played ahead."""

    def __init__(self, ahead: _Ahead, player: Player) -> None:
        self.ahead, self.player = ahead, player

    def decide(self, view: View) -> Decision:
        """The player's decision; it decides cuts and buying in itself, which the core does not play."""
        action = None if view.phase in (Phase.CUT, Phase.BUY_IN) else self.ahead.next_action()
        return self.player.decide(view) if action is None else Decision(action)
