from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.filter import Monochrome
from textual.geometry import Region

import kalooki_tui.tui.widgets
from kalooki_tui.tui.widgets.hand import HandView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.wording import ASCII
from tests.tui import samples
from tests.tui.widgets.conftest import OneWidget, rows_of


async def test_face_down_the_widget_holds_no_card() -> None:
    hand = HandView()
    async with OneWidget(hand).run_test(size=(80, 24)) as pilot:
        hand.set_hand(samples.cards("KS 2C 9H 5D JK"))
        await pilot.pause()
        hand.turn_down(5)
        await pilot.pause()
        assert hand.cards == hand.shown == hand.selected == ()
        assert hand.cursor_card is None
        assert not set("".join(rows_of(hand))) & set("♠♥♦♣★AKQJ0123456789")
        assert "♠" not in pilot.app.export_screenshot()
        hand.set_hand(samples.cards("KS 2C"))
        hand.display = False
        await pilot.pause()
        hand.turn_down(2)
        assert not any(set(strip.text) & set("♠♥♦♣") for strip in hand._strips), "nor out of sight"


async def test_more_is_drawn_than_there_is_without_colours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    piles = PilesView()
    app = OneWidget(piles)
    async with app.run_test(size=(80, 24)) as pilot:
        piles.show(samples.view())
        await pilot.pause()
        monkeypatch.setattr(PilesView, "get_line_filters", lambda self: [Monochrome()])
        # As while the layout changes: more columns and rows than the widget has been drawn with.
        strips = piles.render_lines(Region(0, 0, piles.size.width + 7, piles.size.height + 1))
        assert {strip.cell_length for strip in strips} == {piles.size.width + 7}


def test_in_ascii_every_glyph_has_a_stand_in_of_one_letter() -> None:
    # Every glyph is one cell and its stand in one letter.
    for glyph, stand_in in ASCII.items():
        assert cell_len(glyph) == 1, glyph
        assert len(stand_in) == 1
        assert stand_in.isascii()
    assert not set(ASCII) & set("\ufe0e\ufe0f")
    # Every glyph in the widgets has a stand in.
    folder = Path(str(kalooki_tui.tui.widgets.__path__[0]))
    used = {character for path in folder.glob("*.py") for character in path.read_text("utf-8") if ord(character) > 127}
    # `⬧` is the place of the suit's symbol in a court card's picture; × stands in docstrings.
    assert used - {"⬧"} <= set(ASCII)
    # In ascii a joker is told from a call that is left.
    assert len({ASCII[glyph] for glyph in "★●○"}) == 3
