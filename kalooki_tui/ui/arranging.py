"""From cards chosen in any order to melds: every way in which all of them make valid ones."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, check_repeats, judge_run, judge_set, make_meld
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.notation.melding import arrange_run


def arrangements(
    rules: Rules, seat: int, cards: Sequence[Card], others: Sequence[Meld]
) -> list[tuple[Group, ...]] | Refusal:
    """The ways in which the cards make melds beside the seat's `others` (M1-M9), or why they make none."""
    ruleset = rules.ruleset
    found: list[tuple[Group, ...]] = []
    if judge_set(ruleset, cards) is None:
        found.append((Group(tuple(cards), Kind.SET),))
    run = arrange_run(ruleset, cards)
    if run is not None:
        found.append((Group(run, Kind.RUN),))
    if not found:
        meant_set = len({card % 13 for card in cards if card != JOKER}) <= 1
        why = judge_set(ruleset, cards) if meant_set else judge_run(ruleset, cards)
        assert why is not None
        return why
    refusal: Refusal | None = None
    fitting: list[tuple[Group, ...]] = []
    for groups in found:
        try:
            check_repeats(ruleset, [*others, *(make_meld(ruleset, seat, group) for group in groups)])
        except Refused as refused:
            refusal = refused.refusal
            continue
        fitting.append(groups)
    if not fitting:
        assert refusal is not None
        return refusal
    return fitting
