"""The fixed list of actions of the environment: which action of the engine each number stands for at a moment.

A card is thrown or tacked by its own number. Of what there is too much to list, lay-downs, chains of tacks and swaps,
the best few have numbers: those that leave fewest points in the hand, the first the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kalooki_tui.cards import KINDS_OF_CARD, Faces
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.additions import chains, reach_of, uses
from kalooki_tui.engine.permissions import has_laid, owes
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.endgame import further_melds
from kalooki_tui.players.seat import may_lay_groups, with_blank_cards
from kalooki_tui.solver import lay_choices

#: Lay-downs, chains of several cards, and swaps that have a number.
LAYS: Final = 4
CHAINS: Final = 4
SWAPS: Final = 4

_PLAIN: Final[tuple[tuple[str, object], ...]] = (
    ("pass", do.Pass), ("call", do.Call), ("allow", do.Allow), ("refuse", do.Refuse), ("draw stock", do.Source.STOCK),
    ("draw discard", do.Source.DISCARD), ("draw flip", do.Source.FLIP), ("end", do.EndTurn), ("done", do.Done),
)  # fmt: skip
_NUMBERS: Final = {kind: number for number, (_, kind) in enumerate(_PLAIN)}
FIRST_LAY: Final = len(_PLAIN)
FIRST_CHAIN: Final = FIRST_LAY + LAYS
FIRST_SWAP: Final = FIRST_CHAIN + CHAINS
FIRST_TACK: Final = FIRST_SWAP + SWAPS
FIRST_DISCARD: Final = FIRST_TACK + KINDS_OF_CARD

#: How many numbers there are.
SIZE: Final = FIRST_DISCARD + KINDS_OF_CARD


def names(faces: Faces) -> tuple[str, ...]:
    """Name each action, in the notation as far as it goes: `lay 1` is the best lay-down."""
    best = (("lay", LAYS), ("chain", CHAINS), ("swap", SWAPS))
    return (
        *(name for name, _ in _PLAIN),
        *(f"{kind} {number}" for kind, size in best for number in range(1, size + 1)),
        *(f"{kind} {faces.text(card)}" for kind in ("tack", "discard") for card in range(KINDS_OF_CARD)),
    )


def open_actions(view: View) -> dict[int, do.Action]:
    """Return the engine's action for each number that is open to the view's seat."""
    found: dict[int, do.Action] = {}
    swaps: list[do.Swap] = []
    lays: list[do.Lay] = []
    for action in view.legal:
        if isinstance(action, do.Discard):
            found[FIRST_DISCARD + action.card] = action
        elif isinstance(action, do.Draw):
            found[_NUMBERS[action.source]] = action
        elif isinstance(action, do.Tack):
            found.setdefault(FIRST_TACK + action.cards[0], action)
        elif isinstance(action, do.Swap):
            swaps.append(action)
        elif isinstance(action, do.Lay):
            lays.append(action)
        else:
            found[_NUMBERS[type(action)]] = action
    if view.may_lay:
        lays += [lay for lay in _lays(view) if lay not in lays]
        found.update(zip(range(FIRST_LAY, FIRST_CHAIN), lays, strict=False))
    if view.may_add and view.melds:
        values = view.rules.values
        reach = reach_of(view)
        if reach is not None:
            swaps += [one.action for one in uses(reach) if isinstance(one.action, do.Swap)]
            several = [one.action for one in chains(reach) if isinstance(one.action, do.Tack)]
            several.sort(key=lambda action: -sum(values[card] for card in action.cards))
            found.update(zip(range(FIRST_CHAIN, FIRST_SWAP), several, strict=False))
        swaps.sort(key=lambda action: -values[action.card])
        found.update(zip(range(FIRST_SWAP, FIRST_TACK), swaps, strict=False))
    if owes(view):
        deal = with_blank_cards(view)
        found = {number: action for number, action in found.items() if deal.why_not(action) is None}
    return found


def number_of(action: do.Action, found: dict[int, do.Action]) -> int:
    """Return the number of an open action, or of the nearest of its kind; raise ValueError if there is none."""
    for number, one in found.items():
        if one == action:
            return number
    match action:
        case do.Tack(cards=(card,)):
            near: range = range(FIRST_TACK + card, FIRST_TACK + card + 1)
        case do.Tack():
            near = range(FIRST_CHAIN, FIRST_SWAP)
        case do.Swap():
            near = range(FIRST_SWAP, FIRST_TACK)
        case do.Lay():
            near = range(FIRST_LAY, FIRST_CHAIN)
        case _:
            near = range(0)
    for number in near:
        if number in found:
            return number
    raise ValueError(f"no number stands for {action!r} now")


def _lays(view: View) -> Iterator[do.Lay]:
    """Yield the best lay-down, and the best of the contract alone; once it is laid, the further melds."""
    if has_laid(view, view.seat):
        further = further_melds(view)
        if further is not None:
            yield further
        return
    best = lay_contract(view)
    if best is None or not isinstance(best.action, do.Lay):
        return
    yield best.action
    for choice in lay_choices(view.rules, view.contract, view.hand, LAYS):
        if choice.groups != best.action.groups and may_lay_groups(view, choice.groups):
            yield do.Lay(view.seat, choice.groups)
