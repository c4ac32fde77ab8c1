"""Actions that the engine does not list, since there are too many: cuts, lay-downs, chains."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kalooki_tui import solver
from kalooki_tui.engine.actions import Action, Cut, Group, Lay
from kalooki_tui.engine.additions import chains, reach_in, uses
from kalooki_tui.engine.forming import possible_melds
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.moments import has_laid

#: Lay-downs of the contract that are listed, those that leave fewest points first.
MOST_LAYS: Final = 50
#: Single further melds that are looked at.
MOST_MELDS: Final = 5_000


def cuts(match: Match) -> Iterator[Cut]:
    """Every cut of the dealer's (B1)."""
    for count in range(1, match.rules.deck_size):
        yield Cut(match.deal.dealer, count)


def lay_downs(match: Match, seat: int) -> Iterator[Lay]:
    """Lay-downs that the rules allow the seat now: the best, some of the contract alone, or single further melds."""
    view = match.view(seat)
    if not view.may_lay:
        return
    best = solver.best_lay_of(view)
    found: dict[tuple[Group, ...], None] = {} if best is None else {best.groups: None}
    if has_laid(view, seat):
        melds = possible_melds(view.rules.ruleset, view.hand)
        found |= {(Group(meld.cards, meld.kind),): None for meld in islice(melds, MOST_MELDS)}
    else:
        choices = solver.lay_choices(view.rules, view.contract, view.hand, MOST_LAYS)
        found |= {choice.groups: None for choice in choices}
    for groups in found:
        action = Lay(seat, groups)
        if match.why_not(action) is None:
            yield action


def chains_and_uses(match: Match, seat: int) -> Iterator[Action]:
    """Tacks of several cards onto one meld, and swaps with a use of the freed joker (K10)."""
    reach = reach_in(match.deal, seat)
    if reach is not None:
        for addition in (*chains(reach), *uses(reach)):
            yield addition.action
