import re
import shlex
from pathlib import Path

import pytest

from kalooki_tui.engine.actions import Call, Discard, Tack
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.match.headless import play_match, text_setup
from kalooki_tui.match.table import Table
from kalooki_tui.notation.actions import print_action
from kalooki_tui.players import Decision
from kalooki_tui.players.club import away, lay_contract
from kalooki_tui.players.seat import open_card

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "levels.md"
ORDERS = re.findall(r"^kalooki watch (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


class NextDeal(Exception):
    """The first deal is over."""


def first_deal(order: str) -> list[str]:
    words = shlex.split(order)
    named = list(zip(words[::2], words[1::2], strict=True))
    seats = [value for name, value in named if name == "--seat"]
    table = Table.open(text_setup("jamaican", seats, int(dict(named)["--seed"]), ()))
    names, faces, seen = table.match.names, table.setup.ruleset.faces, list[str]()

    def watch(seat: int, decision: Decision, seconds: float) -> None:
        view, action = table.view(seat), decision.action
        if view.deal > 1:
            raise NextDeal
        text, laid = print_action(action, names, faces), has_laid(view, seat)
        if isinstance(action, Discard) and laid and any(isinstance(other, Tack) for other in view.legal):
            fits = any(isinstance(other, Tack) and other.cards == (action.card,) for other in view.legal)
            seen.append(f"{text}, which could be added" if fits else f"{text}, not adding")
        if isinstance(action, Discard) and not laid and lay_contract(view) is not None:
            seen.append(f"{text}, not laying")
        card = open_card(view)
        if isinstance(action, Call) and card is not None and away(view, (*view.hand, card)) == away(view, view.hand):
            seen.append(f"{text} of {faces.text(card)}, no nearer")

    with pytest.raises(NextDeal):
        play_match(table, watch)
    return seen


@pytest.mark.parametrize(
    ("order", "seen"),
    [
        (
            ORDERS[0],
            [
                "Master: call of 9C, no nearer",
                "Expert: call of 2S, no nearer",
                "Expert: call of 4D, no nearer",
                "Expert: call of QD, no nearer",
            ],
        ),
        (ORDERS[1], ["Hoarder: discard 4S, not laying", "Caller: call of 4S, no nearer"]),
    ],
)
def test_the_deals_to_watch_show_what_the_page_says(order: str, seen: list[str]) -> None:
    assert first_deal(order) == seen
