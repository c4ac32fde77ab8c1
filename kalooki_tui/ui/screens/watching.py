"""A match of AI seats that somebody watches: the table takes the whole screen, and hands are shown on request."""

from __future__ import annotations

from typing import Any, Final

from textual.app import ComposeResult

from kalooki_tui.desk.commands import BY_NAME, COMMANDS, Command
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.hands import HandsView

#: What of the table's commands is for somebody who only watches.
WATCHED: Final = ("pause", "speed", "scores", "rules", "words", "settings", "help", "quit")
HANDS: Final = Command("all-hands", "a", "Hands", "Show all hands, or hide them.", lambda at: at.turn_hands())


class WatchScreen(TableScreen):
    """The table where nobody at the keyboard plays."""

    OFFERED = (*COMMANDS, HANDS)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.is_open = False
        """Whether all hands lie open."""

    def compose(self) -> ComposeResult:
        """The table, with all hands in the place of one."""
        for part in super().compose():
            if isinstance(part, HandView):
                part.display = False
                yield HandsView()
            yield part

    def show_help(self) -> None:
        """What a watcher can do: the keys of players do nothing here."""
        from kalooki_tui.ui.screens.help import HelpScreen

        self.app.overlays.show(HelpScreen({"While you watch": (HANDS, *(BY_NAME[name] for name in WATCHED))}))

    def turn_hands(self) -> None:
        """Hands open, or closed."""
        self.is_open = not self.is_open
        self.refresh_table()

    def refresh_table(self) -> None:
        """Show the table, and the hands where they lie open."""
        super().refresh_table()
        place = self.place
        hands = [(place.names[seat], hand) for seat, hand in place.open_hands()] if self.is_open else []
        turn = self.desk.view.turn
        for view in self.query(HandsView):
            view.show(hands, turn, place.rules.faces, (self.app.size.width, self.app.size.height))

    def refresh_bar(self) -> None:
        """Show the key that opens hands before the others."""
        super().refresh_bar()
        self.bar.show([self.footer_key(HANDS), *self.bar.keys])
