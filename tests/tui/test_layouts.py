from itertools import product

from kalooki_tui.tui.screens.tabletop import table_layout
from tests.commands import Golden


def test_every_size_leaves_room_for_melds_and_log(golden: Golden) -> None:
    told = list[str]()
    for height, width in product((24, 31, 32, 39, 40, 43, 44, 47, 48, 90), (80, 109, 110, 149, 150, 189, 190, 300)):
        layout = table_layout(width, height)
        told.append(f"{width}×{height} {layout}")
        # Recap and status have two rows each, the keys one.
        middle = height - layout.banner - layout.seats - layout.hand - 5 - 2 * layout.air
        assert middle >= 9
        assert middle - layout.piles >= 3
        assert width - layout.side - 2 * layout.air >= 50
    golden("layouts", "\n".join(told))
