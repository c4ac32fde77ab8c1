"""A match of AI seats that somebody watches: the table takes the whole screen, and hands are shown on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from textual.widget import Widget

from kalooki_tui.desk.commands import BY_NAME, Command
from kalooki_tui.ui.playing.noting import Beside
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.hands import HandsView

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen

#: What of the table's commands is for somebody who only watches.
WATCHED: Final = ("pause", "speed", "scores", "rules", "words", "settings", "help", "quit")
HANDS: Final = Command("all-hands", "a", "Hands", "Show all hands, or hide them.", lambda at: at.beside.turn_hands())


class Watching(Beside):
    """All hands in the place of one, at a table where nobody at the keyboard plays."""

    is_match = False
    offered = (HANDS,)
    help: Mapping[str, Sequence[Command]] = {"While you watch": (HANDS, *(BY_NAME[name] for name in WATCHED))}

    def __init__(self, table: TableScreen) -> None:
        super().__init__(table)
        self.is_open = table.plan.open_hands
        """Whether all hands lie open."""

    def around(self, part: Widget) -> Iterable[Widget]:
        """All hands in the place of one."""
        if isinstance(part, HandView):
            part.display = False
            return (HandsView(), part)
        return (part,)

    def turn_hands(self) -> None:
        self.is_open = not self.is_open
        self.table.refresh_table()

    def refresh(self) -> None:
        """Show the hands where they lie open."""
        table, place = self.table, self.table.place
        hands = [(place.names[seat], hand) for seat, hand in place.open_hands()] if self.is_open else []
        for view in table.query(HandsView):
            view.show(hands, table.desk.view.turn, place.rules.faces, (table.app.size.width, table.app.size.height))
