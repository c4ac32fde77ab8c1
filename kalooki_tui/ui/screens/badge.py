"""A person's key and colour, chosen in the set-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import Command
from kalooki_tui.ui.playing.people import COLOURS, Badge, may_have
from kalooki_tui.ui.screens.base import Dialog
from kalooki_tui.wording import capital, whose

_COMMANDS: Final = (
    Command("next-colour", "right,down,tab", "", "The next colour.", lambda at: at.turn(1)),
    Command("last-colour", "left,up,shift+tab", "", "The colour before.", lambda at: at.turn(-1)),
    Command("take-badge", "enter", "", "Use this key and colour.", lambda at: at.dismiss(at.badge)),
    Command("answer-nothing", "escape", "", "Leave it as it was.", lambda at: at.dismiss(None)),
)


class BadgeDialog(Dialog):
    """Any key that is free becomes the person's when it is pressed; dismissed with a `Badge`, or None."""

    OFFERED = _COMMANDS

    def __init__(self, name: str, badge: Badge, others: Mapping[str, str]) -> None:
        """`others`: whose the keys of the others are."""
        super().__init__(name="badge")
        self._person, self._others = name, dict(others)
        self.badge = badge

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as frame:
            frame.border_title = f"{capital(whose(self._person))} key and colour"
            frame.border_subtitle = "enter keeps it · esc cancels"
            yield Static("Press the key you want: a digit, or a letter such as your initial. ← → change the colour.\n")
            yield Static(id="sample")
            yield Static(id="told")

    def on_mount(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        key = (event.character or "").lower()
        if not (key.isalnum() or key == "-") or not key.isascii():
            return
        event.stop()
        if key in self._others:
            self._show(f"{key} is {whose(self._others[key])} key.")
        elif not may_have(key):
            self._show(f"{key} does something else between turns.")
        else:
            self.badge = Badge(key, self.badge.colour)
            self._show()

    def turn(self, step: int) -> None:
        names = list(COLOURS)
        colour = names[(names.index(self.badge.colour) + step) % len(names)]
        self.badge = Badge(self.badge.key, colour)
        self._show()

    def _show(self, told: str = "") -> None:
        words = f"  {self._person}: it is your turn · {self.badge.colour}\n"
        self.query_one("#sample", Static).update(Content.assemble(self.badge.chip(wide=True), words))
        line = self.query_one("#told", Static)
        line.update(f"{told}\n" if told else "")
        line.display = bool(told)
