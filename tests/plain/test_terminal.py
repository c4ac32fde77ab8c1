"""Lines out: in ASCII a card is written as it is typed, whatever the deck, and no line is too long for it."""

from __future__ import annotations

from io import StringIO

import pytest

from kalooki_tui.cards import FACES, JOKER, Faces
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.plain.terminal import Lines


@pytest.mark.parametrize("faces", FACES.values(), ids=list(FACES))
def test_in_ascii_a_card_can_be_read_as_it_is_written(faces: Faces) -> None:
    target = StringIO()
    cards = [*range(52), JOKER]
    Lines(StringIO(), target, ascii_only=True, width=400).tell(faces.symbols(cards))
    assert list(parse_cards(target.getvalue().strip(), faces)) == cards


@pytest.mark.parametrize("faces", FACES.values(), ids=list(FACES))
def test_lines_full_of_jokers_keep_to_the_width(faces: Faces) -> None:
    target = StringIO()
    lines = Lines(StringIO("\n"), target, ascii_only=True, width=20)
    lines.tell(faces.symbols([JOKER] * 20))
    lines.ask(faces.symbols([JOKER] * 20))
    written = target.getvalue().splitlines()
    assert len(written) > 3
    assert max(map(len, written)) <= 20
