"""A great many results in short: of every other record a checksum of what is worked out at its decisions, of each kind.

Where one differs, the texts of fewer moments (`solver`, `players`, `worths`, `counts`, `hints`) most often say in what.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.coach.rated_advice import hint, reason_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.solver import best_lay, lay_choices, useful_cards
from kalooki_tui.solver.witness import nearest_plan
from tests.coach.test_hinting import choices
from tests.commands import Golden, checksum
from tests.evaluation.test_decisions import counted
from tests.players.test_all_rulesets import BENT, QUICK_LEVELS, believed, weighed
from tests.playthroughs.golden import FOLDER, played

#: Moments of a record that are looked at, of each phase.
MOMENTS: Final = 2
#: Of so many moments one is explained, which takes as long as all else of all of them.
EXPLAINED: Final = 20
RECORDS: Final = sorted(FOLDER.glob("*.jsonl"))[::2]


def moments(path: Path) -> Iterator[View]:
    by_phase = defaultdict[Phase, list[View]](list)
    for match, _ in played(path):
        if match.actor is not None and match.phase not in (Phase.CUT, Phase.BUY_IN):
            by_phase[match.phase].append(match.view(match.actor))
    for views in by_phase.values():
        yield from views[len(views) // (2 * MOMENTS) :: max(1, len(views) // MOMENTS)]


def solved(view: View) -> Iterator[object]:
    rules, contract, hand = view.rules, view.contract, view.hand
    yield useful_cards(rules, contract, hand)
    yield nearest_plan(rules, contract, hand)
    yield lay_choices(rules, contract, hand, 3)
    yield best_lay(rules, contract, hand)
    own = [meld for meld in view.melds if meld.owner == view.seat]
    yield best_lay(rules, contract, hand, own_melds=own, table=view.melds, laid=True)


def decided(view: View) -> Iterator[object]:
    for level in (*QUICK_LEVELS, *BENT):
        yield make_player(level, "sums").decide(view)


def explained(view: View) -> Iterator[object]:
    yield from counted(view)
    yield hint(view, worlds=0)
    yield from (reason_of(view, action) for action in choices(view))


@pytest.mark.parametrize("kind", [solved, decided, weighed, believed, explained], ids=lambda kind: kind.__name__)
def test_what_is_worked_out_at_the_decisions_of_records(
    kind: Callable[[View], Iterator[object]], golden: Golden
) -> None:
    told, number = list[str](), count()
    for path in RECORDS:
        views = [view for view in moments(path) if kind is not explained or next(number) % EXPLAINED == 0]
        lines = [str(line) for view in views for line in kind(view)]
        told.append(f"{path.stem} {len(lines)} {checksum(' '.join(lines))}")
    golden(f"sums-{kind.__name__}", "\n".join(told))
