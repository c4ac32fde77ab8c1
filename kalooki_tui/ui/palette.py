"""The table's commands in the command palette."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from kalooki_tui.ui.commands import COMMANDS, Command

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class TableCommands(Provider):
    """The table's commands in the palette. Their words name no card of a hand."""

    async def discover(self) -> Hits:
        """Every command."""
        for command in COMMANDS:
            yield DiscoveryHit(self._title(command), self._runner(command), help=command.sentence)

    async def search(self, query: str) -> Hits:
        """Commands that match what was typed."""
        matcher = self.matcher(query)
        for command in COMMANDS:
            score = matcher.match(f"{command.label} {command.sentence}")
            if score > 0:
                yield Hit(score, matcher.highlight(self._title(command)), self._runner(command), help=command.sentence)

    def _title(self, command: Command) -> str:
        return f"{command.label} ({command.shown})"

    def _runner(self, command: Command) -> Callable[[], None]:
        return partial(cast("TableScreen", self.screen).run_command, command.name)
