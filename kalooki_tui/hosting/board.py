"""The table in the middle: what everybody may see, large enough to be read from where the players sit."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Final

from textual import getters
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from kalooki_tui.desk.setup.plan import MatchPlan
from kalooki_tui.desk.table.place import Place
from kalooki_tui.desk.words import log_lines
from kalooki_tui.engine.moments import DECISIONS, WINDOWS
from kalooki_tui.engine.view import View
from kalooki_tui.ui.playing.noting import Beside
from kalooki_tui.ui.screens import tabletop
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.ui.widgets.status import StatusView
from kalooki_tui.ui.widgets.wrapping import wrapped
from kalooki_tui.wording import says_of

#: Letters of five rows, each row from the left.
_FONT: Final[dict[str, str]] = {
    "A": ".#. #.# ### #.# #.#", "B": "##. #.# ##. #.# ##.", "C": ".## #.. #.. #.. .##", "D": "##. #.# #.# #.# ##.",
    "E": "### #.. ##. #.. ###", "F": "### #.. ##. #.. #..", "G": ".## #.. #.# #.# .##", "H": "#.# #.# ### #.# #.#",
    "I": "### .#. .#. .#. ###", "J": "..# ..# ..# #.# .#.", "K": "#.# #.# ##. #.# #.#", "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#", "N": "#..# ##.# #.## #..# #..#", "O": ".#. #.# #.# #.# .#.",
    "P": "##. #.# ##. #.. #..", "Q": ".##. #..# #..# #.#. .#.#", "R": "##. #.# ##. #.# #.#", "S": ".## #.. .#. ..# ##.",
    "T": "### .#. .#. .#. .#.", "U": "#.# #.# #.# #.# ###", "V": "#.# #.# #.# #.# .#.",
    "W": "#...# #...# #.#.# ##.## #...#", "X": "#.# #.# .#. #.# #.#",
    "Y": "#.# #.# .#. .#. .#.", "Z": "### ..# .#. #.. ###",
    "0": "### #.# #.# #.# ###", "1": ".#. ##. .#. .#. ###", "2": "##. ..# .#. #.. ###", "3": "##. ..# .#. ..# ##.",
    "4": "#.# #.# ### ..# ..#", "5": "### #.. ##. ..# ##.", "6": ".## #.. ### #.# ###", "7": "### ..# .#. .#. .#.",
    "8": "### #.# ### #.# ###", "9": "### #.# ### ..# ##.", " ": ".. .. .. .. ..", "?": "##. ..# .#. ... .#.",
    "!": "# # # . #", "'": "# # . . .", "-": "... ... ### ... ...", ".": ". . . . #",
}  # fmt: skip
_BLOCKS: Final = {("#", "#"): "█", ("#", "."): "▀", (".", "#"): "▄", (".", "."): " "}
#: Rows of the headline: three of letters, two of words, or one between and one of words.
ROWS: Final = 5


def large(text: str, width: int) -> str:
    """A text in letters of three rows; as it is where it does not fit, or has signs without such letters."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)).upper()
    if not all(sign in _FONT for sign in plain):
        return shorten(text, width)
    glyphs = [_FONT[sign].split() for sign in plain]
    rows = [".".join(glyph[row] for glyph in glyphs) for row in range(5)]
    if len(rows[0]) > width:
        return shorten(text, width)
    rows.append("." * len(rows[0]))
    return "\n".join(
        "".join(_BLOCKS[upper, lower] for upper, lower in zip(one, other, strict=True)).rstrip()
        for one, other in zip(rows[::2], rows[1::2], strict=True)
    )


def beneath(words: str, width: int) -> str:
    """What stands below the letters: an empty row and one of words, or two of words where one will not do."""
    first, *others = wrapped(words, max(1, width), "") or ("",)
    return "\n".join([first, shorten(" ".join(others), width)] if others else ["", first])


def headline(view: View) -> str:
    """What everybody should know at once: whose turn it is, or who calls."""
    if view.phase in DECISIONS and view.caller is not None:
        name, call = view.names[view.caller], view.rules.ruleset.vocabulary.call
        return f"{name} {says_of(name, call)}"
    if view.phase in WINDOWS:
        return f"Who {says_of('', view.rules.ruleset.vocabulary.call)}?"
    return "" if view.actor is None else view.names[view.actor]


class BoardScreen(TableScreen):
    """The table without a hand: the room of the hand is the melds', and a headline's."""

    AUTO_FOCUS = "MeldsView"
    CSS_PATH = str(Path(tabletop.__file__).with_name(TableScreen.CSS_PATH))
    DEFAULT_CSS = """
    BoardScreen HandView, BoardScreen StatusView { display: none; }
    #headline { height: 5; padding: 0 2; background: $felt-deep; color: $gold; text-style: bold; }
    """
    headline_view = getters.query_one("#headline", Static)

    def __init__(self, plan: MatchPlan, place: Place, beside: Callable[[TableScreen], Beside]) -> None:
        super().__init__(plan, place, beside)
        self._width = 0

    def compose(self) -> ComposeResult:
        for part in super().compose():
            if isinstance(part, StatusView):
                yield Static(id="headline")
            yield part

    def _give_room(self, size: Size) -> None:
        super()._give_room(size)
        self._width = size.width - 4
        self.show_prompt()

    def show_prompt(self) -> None:
        """Say it large; below it, what happened last, and what the table waits for."""
        super().show_prompt()
        view = self.desk.view
        last = next((line.text for line in reversed(log_lines(view.history, view.names, view.rules))), "")
        words = " · ".join(filter(None, (last, self.status.prompt)))
        text, below = large(headline(view), self._width), beneath(words, self._width)
        self.headline_view.update(Content.assemble(f"{text}\n", Content.styled(below, "$on-felt")))
