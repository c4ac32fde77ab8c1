from pathlib import Path

from rich.cells import cell_len

import kalooki_tui.tui.widgets
from kalooki_tui.wording import ASCII


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
