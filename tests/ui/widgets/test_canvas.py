"""What is written cell by cell takes as many cells in any terminal as it was counted for."""

import pytest
from rich.cells import cell_len
from rich.style import Style

from kalooki_tui.ui.widgets.canvas import Canvas, column


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("🏳️‍🌈 Lee", "🏳  Lee"), ("👨‍👩‍👧", "👨"), ("👍🏽", "👍"), ("❤️ Ann", "❤  Ann"),
        ("山田太郎", "山田太郎"), ("🇯🇲", "🇯🇲"), ("Zoë", "Zoë"), ("आशा", "आशा"), ("Ann", "Ann"),
    ],
)  # fmt: skip
def test_an_emoji_of_several_signs_is_shown_by_its_first(name: str, shown: str) -> None:
    assert column(name, 12).rstrip() == shown
    canvas = Canvas(12, 1, Style())
    assert canvas.text(0, 0, name, Style()) == cell_len(name)
    assert "".join(canvas.cells[0]).rstrip() == shown
    assert cell_len(shown) == cell_len(name)
