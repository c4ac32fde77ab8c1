"""What a phone is shown of recorded matches: each deal's end, the scores, the rules and the words of a game."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from kalooki_tui.engine.permissions import AFTER_DEAL
from kalooki_tui.hosting.hand import protocol
from tests.commands import Golden
from tests.playthroughs.golden import FOLDER, played


@pytest.mark.parametrize("name", ["kalookie-40-3", "kooky-3-penalties", "tuluki-2", "trinidad-3-penalties"])
def test_the_pages_of_a_recorded_match(name: str, golden: Golden) -> None:
    pages, totals = list[tuple[str, Any]](), dict[int, Sequence[int]]()
    for match, _ in played(FOLDER / f"{name}.jsonl"):
        view = match.view(0)
        if match.phase in AFTER_DEAL and match.deal.number not in totals:
            totals[match.deal.number] = view.totals
            pages += [protocol.deal_over(view, [*totals.values()]), protocol.scores(view, [*totals.values()])]
    pages += [protocol.rules(view, ""), protocol.words(view), ("Hello", [protocol.hello(view, plays=True)])]
    dump = partial(json.dumps, ensure_ascii=False)
    lines = [line for title, blocks in pages for line in (f"── {title}", *map(dump, blocks))]
    golden(f"phone-pages-{name}", "\n".join(lines))
