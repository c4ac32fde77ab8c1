from itertools import product

import pytest

from kalooki_tui.cards import FRENCH
from kalooki_tui.tui.screens.tabletop import table_layout
from kalooki_tui.tui.widgets.spread import Item, Layout, lay_out
from tests.tui import samples

MELDS = ("5C 5D 5S", "9S 10S JS JK", "3H 4H 5H 6H 7H")
SIZES = [(80, 24), (120, 36), (160, 45), (200, 50), (240, 65)]


def spread(owners: int, width: int, height: int) -> Layout:
    """The melds of that many seats, three each."""
    view = samples.view(seats=6, melds=[(seat, text) for seat in range(owners) for text in MELDS])
    return lay_out([Item(meld, index) for index, meld in enumerate(view.melds)], view.names, FRENCH, width, height)


def test_every_size_leaves_room_for_melds_and_log() -> None:
    for width, height in product(range(80, 300, 5), range(24, 90, 3)):
        layout = table_layout(width, height)
        # Recap and status have two rows each, the keys one.
        middle = height - layout.banner - layout.seats - layout.hand - 5 - 2 * layout.air
        assert middle >= 9
        assert middle - layout.piles >= 3
        assert width - layout.side - 2 * layout.air >= 50


@pytest.mark.parametrize("owners", range(1, 7))
def test_no_meld_lies_on_another(owners: int) -> None:
    for width, height in product((53, 86, 116, 148, 188), (10, 18, 24, 40)):
        layout = spread(owners, width, height)
        cells: set[tuple[int, int]] = set()
        for place in layout.places:
            rows = range(place.y, place.y + layout.card_height)
            here = {*product(range(place.x, place.x + place.width), rows)}
            assert not here & cells
            cells |= here
        for x, y, _, long in layout.names:
            assert not {(column, y) for column in range(x, x + long)} & cells
        assert len(layout.names) == owners


def test_more_room_never_makes_cards_lower_and_two_rows_are_kept_while_there_are_rows() -> None:
    # More room never makes cards lower.
    heights = [spread(3, 53, rows).card_height for rows in range(4, 60)]
    assert heights == sorted(heights)
    heights = [spread(3, width, 24).card_height for width in range(53, 240)]
    assert heights == sorted(heights)
    # Two rows are kept at eighty columns while there are rows.
    assert spread(1, 53, 10).card_height >= 3
    assert spread(2, 53, 10).card_height == 2
    assert spread(3, 53, 10).card_height == 2
    assert spread(6, 53, 10).card_height == 1
