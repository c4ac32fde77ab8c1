"""Commands of a screen as keys, and as lines of the command palette."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider

if TYPE_CHECKING:
    from kalooki_tui.desk.commands import Command
    from kalooki_tui.ui.screens.base import Shown


def bindings(commands: Iterable[Command]) -> list[BindingType]:
    """The keys of commands."""
    return [
        Binding(
            command.keys,
            f"command('{command.name}')",
            command.label,
            tooltip=command.sentence,
            show=False,
            priority=command.first,
            id=command.name,
        )
        for command in commands
    ]


class ScreenCommands(Provider):
    """A screen's commands in the command palette. Their words name no card of a hand."""

    async def discover(self) -> Hits:
        """Every command."""
        for command, run in self._commands:
            yield DiscoveryHit(self._title(command), run, help=command.sentence)

    async def search(self, query: str) -> Hits:
        """Commands that match what was typed."""
        matcher = self.matcher(query)
        for command, run in self._commands:
            score = matcher.match(f"{command.label} {command.sentence}")
            if score > 0:
                yield Hit(score, matcher.highlight(self._title(command)), run, help=command.sentence)

    @property
    def _commands(self) -> list[tuple[Command, Callable[[], None]]]:
        """The screen's commands, then those of its parts, each with what does it."""
        screen = cast("Shown", self.screen)
        own = [(command, partial(screen.run_found, command.name)) for command in screen.OFFERED if command.label]
        parts = [
            (command, partial(screen.run_within, part, command)) for part, some in screen.within for command in some
        ]
        return [*own, *parts]

    def _title(self, command: Command) -> str:
        return f"{command.label} ({command.shown})"
