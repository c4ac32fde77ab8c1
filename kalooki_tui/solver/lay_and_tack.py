"""The best lay-down together with tacks and swaps: cards that go onto the table need not be laid.

Every choice of cards for runs and swaps is tried in turn; cards that fit a set can wait at no cost; the remaining cards
get a lay-down search of their own. This is exact with one exception: if a freed joker is used at once (K10), its use in
the melds just laid is tried only for the lay-downs that are best without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.actions import Lay, Swap, Tack
from kalooki_tui.engine.candidates import count_cards
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.permissions import has_laid, owes
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import cards_away
from kalooki_tui.solver.lay import FREE, NOTHING_FOUND, Laydown, goes_out, lay_search, solve_lay
from kalooki_tui.solver.place import way_to_use
from kalooki_tui.solver.shape import Counts, Effort, list_cards
from kalooki_tui.solver.tack_search import TackSearch

#: Ways for the runs on the table that are looked at, those that take most first.
MOST_WAYS: Final = 400
#: What beginning to look at one of them costs, where the effort is limited.
STEPS_A_WAY: Final = 15


def best_lay(
    rules: Rules,
    contract: Contract,
    hand: Sequence[Card],
    *,
    own_melds: Sequence[Meld] = (),
    table: Sequence[Meld] = (),
    laid: bool = False,
    seat: int = 0,
    prefer_out: bool = True,
    effort: Effort | None = None,
) -> Laydown | None:
    """Return the lay-down that leaves the fewest points in the hand, and among equal ones the fewest cards.

    It contains the contract (L1, L5, L6), or further melds only where `laid` (L8); it is valid beside the seat's
    `own_melds` (M8) and leaves a card to discard where the last card must be a discard (G1). With `prefer_out` one that
    goes out, with nothing left or one card that may be discarded, is better than any other.
    With a `table`, all melds of it, the tacks and swaps of `seat` in the same turn count too (L9, H4): the cards left
    are those left after them, and there may be no groups where the seat has laid. None: nothing can be laid. If the
    `effort` is spent first, the answer is the best that was found.
    """
    counts = count_cards(hand)
    if table and (laid or (rules.ruleset.lay.same_turn_tack and not contract.whole)):
        effort = effort or Effort()
        return _lay_and_tack(rules, contract, counts, own_melds, table, seat, effort, laid=laid, prefer_out=prefer_out)
    return solve_lay(rules, contract, counts, own_melds, laid=laid, prefer_out=prefer_out, effort=effort)


def best_lay_of(
    view: View,
    hand: Sequence[Card] | None = None,
    *,
    with_table: bool = False,
    laid: bool | None = None,
    effort: Effort | None = None,
) -> Laydown | None:
    """Return the best lay-down of the view's seat with its hand, or with this one; `with_table`: tacks count too.

    `laid`: further melds are looked for, as though the seat had laid. Where a drawn discard has to be used (H6), it is
    the best with that card.
    """
    seat = view.seat
    if hand is None and not with_table and owes(view):
        step = next(iter(way_to_use(view)), None)
        if isinstance(step, Lay):
            left = count_cards(view.hand)
            for group in step.groups:
                for card in group.cards:
                    left[card] -= 1
            return Laydown(step.groups, list_cards(left), view.rules.points(list_cards(left)))
    with_table = with_table and (view.may_add or not has_laid(view, seat))
    own = [meld for meld in view.melds if meld.owner == seat]
    return best_lay(
        view.rules, view.contract, view.hand if hand is None else hand, own_melds=own, seat=seat, effort=effort,
        table=view.melds if with_table else (), laid=has_laid(view, seat) if laid is None else laid,
    )  # fmt: skip


def _lay_and_tack(
    rules: Rules,
    contract: Contract,
    counts: Counts,
    own_melds: Sequence[Meld],
    table: Sequence[Meld],
    seat: int,
    effort: Effort,
    *,
    laid: bool,
    prefer_out: bool,
) -> Laydown | None:
    """Return the lay-down, with the tacks and swaps beside it, that leaves the fewest points; see `best_lay`."""
    if not laid and cards_away(rules, contract, counts, 1, 0, effort):
        return None
    own = own_melds or [meld for meld in table if meld.owner == seat]
    turn = LayAndTackSearch(rules, FREE if laid else contract, counts, own, table, seat, effort, laid=laid)
    best = turn.best(None, NOTHING_FOUND)
    needs_card = rules.ruleset.discard.last_card == "discard"
    cards = sorted((card for card in range(KINDS_OF_CARD) if counts[card]), key=rules.values.__getitem__)
    if best is not None and not best.left and needs_card:
        best = None
        for card in cards:
            if best is None or rules.values[card] < best.points_left:
                kept = turn.best(card, NOTHING_FOUND)
                best = kept if best is None or (kept and kept.points_left < best.points_left) else best
    if best is not None and prefer_out and not goes_out(rules, best.left):
        discardable = (card for card in cards if card != JOKER or rules.ruleset.discard.jokers)
        best = next((found for card in discardable if (found := turn.best(card, 1)) is not None), best)
    if best is not None and rules.ruleset.uses_freed_jokers and not laid:
        alone = solve_lay(rules, contract, counts, own, prefer_out=prefer_out, effort=effort)
        candidates = [best, *(_tacked_after(rules, counts, plain, table, seat) for plain in (best, alone) if plain)]
        best = min(candidates, key=lambda found: (prefer_out and not goes_out(rules, found.left), found.points_left))
    if best is None or not (best.groups or best.tacks):
        return None
    return best


def _tacked_after(rules: Rules, counts: Counts, laydown: Laydown, table: Sequence[Meld], seat: int) -> Laydown:
    """Add the best tacks after the lay-down, onto its own melds too, which a freed joker may lengthen (K10)."""
    left = counts[:]
    for group in laydown.groups:
        for card in group.cards:
            left[card] -= 1
    melds = [*table, *(make_meld(rules.ruleset, seat, group) for group in laydown.groups)]
    return replace(tack_plan(rules, list_cards(left), melds, seat), groups=laydown.groups)


def tack_plan(rules: Rules, hand: Sequence[Card], melds: Sequence[Meld], seat: int) -> Laydown:
    """Return the tacks and swaps that leave the fewest points in `hand`, of equal ones the fewest cards.

    A plan that goes out is better than any other. Where the last card must be a discard, one is kept (G1). New melds
    are laid only with a joker freed for them (K10).
    """
    search = TackSearch(rules, count_cards(hand), tuple(melds), seat, {})
    plans: list[Laydown] = []
    for held, actions in search.reachable().items():
        kept, rest = None, list(held)
        if held and search.keeps_one and search.sinks.keys() >= {*held}:
            # The cheapest card, a joker only where there is nothing else.
            kept = min(held, key=lambda card: (card == JOKER, rules.values[card]))
            rest.remove(kept)
        plans.append(_sunk(rules, seat, search.sinks, Laydown((), tuple(rest), 0, actions), kept))
    return min(plans, key=lambda plan: (not goes_out(rules, plan.left), plan.points_left, len(plan.left)))


def _sunk(rules: Rules, seat: int, sinks: Mapping[Card, int], found: Laydown, kept: Card | None) -> Laydown:
    """Add the tacks of cards that a set takes at any time; the kept card stays."""
    sunk = sorted(set(found.left) & set(sinks))
    to_sets = (Tack(seat, (card,) * found.left.count(card), sinks[card]) for card in sunk)
    left = tuple(card for card in found.left if card not in sinks)
    if kept is not None:
        left = tuple(sorted((*left, kept)))
    return replace(found, left=left, points_left=rules.points(left), tacks=(*found.tacks, *to_sets))


class LayAndTackSearch:
    """Ways of one turn."""

    def __init__(
        self,
        rules: Rules,
        contract: Contract,
        counts: Counts,
        own: Sequence[Meld],
        table: Sequence[Meld],
        seat: int,
        effort: Effort,
        *,
        laid: bool,
    ) -> None:
        self.rules, self.contract, self.own, self.seat, self.laid = rules, contract, own, seat, laid
        self.effort = effort
        search = TackSearch(rules, counts[:], tuple(table), seat, {}, effort)
        self.sinks = search.sinks

        def order(way: tuple[tuple[Card, ...], tuple[Tack | Swap, ...]]) -> tuple[int, int]:
            return rules.points([card for card in way[0] if card not in search.sinks]), len(way[1])

        self.ways = sorted(search.reachable().items(), key=order)[:MOST_WAYS]

    def best(self, kept: Card | None, bound: int) -> Laydown | None:
        """Return the best way that leaves one copy of `kept`, if what else it leaves weighs less than `bound`."""
        best: Laydown | None = None
        for held, actions in self.ways:
            counts = count_cards(held)
            if kept is not None:
                if not counts[kept]:
                    continue
                counts[kept] -= 1
            self.effort.left -= STEPS_A_WAY
            if self.effort.left < 0:
                break
            if not self.laid and cards_away(self.rules, self.contract, counts, 1, 0, self.effort):
                continue
            search = lay_search(self.rules, self.contract, counts, self.own, bound, self.sinks, self.effort)
            laydown = search.solve()
            if laydown is not None:
                bound = search.best
                best = _sunk(self.rules, self.seat, self.sinks, replace(laydown, tacks=actions), kept)
                if not bound:
                    break
        return best
