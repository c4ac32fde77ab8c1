from itertools import product

from kalooki_tui.tui.screens.tabletop import table_layout


def test_every_size_leaves_room_for_melds_and_log() -> None:
    for width, height in product(range(80, 300, 5), range(24, 90, 3)):
        layout = table_layout(width, height)
        # Recap and status have two rows each, the keys one.
        middle = height - layout.banner - layout.seats - layout.hand - 5 - 2 * layout.air
        assert middle >= 9
        assert middle - layout.piles >= 3
        assert width - layout.side - 2 * layout.air >= 50
