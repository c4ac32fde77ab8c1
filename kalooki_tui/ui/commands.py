"""Commands on a screen: their keys, their place in the command palette and in the footer, why one is not open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen
from textual.widget import Widget

from kalooki_tui.ui.screens.base import GameScreen, Shown
from kalooki_tui.ui.widgets.command_bar import FooterKey

if TYPE_CHECKING:
    from kalooki_tui.desk.commands import Command
    from kalooki_tui.engine.refusals import Refusal


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


class Commanded(Shown):
    """Mixed into a screen: what a person can do on it, by key, click or palette."""

    OFFERED: ClassVar[tuple[Command, ...]] = ()
    """The screen's commands; its keys are made of them. One without a label is not in the command palette."""
    COMMANDS: ClassVar[set[Any]]

    def __init_subclass__(cls, **options: Any) -> None:
        if "OFFERED" in cls.__dict__:
            has_help = any("question_mark" in command.keys for command in cls.OFFERED)
            more = [] if has_help else [Binding("question_mark", "list_keys", show=False)]
            cls.BINDINGS = [*bindings(cls.OFFERED), *more]  # type: ignore[attr-defined]
            cls.COMMANDS = {ScreenCommands}
        super().__init_subclass__(**options)

    def action_command(self, name: str) -> None:
        """A command's key."""
        self.run_command(name)

    def run_command(self, name: str) -> None:
        """Do what a command does, or say why it is not open."""
        if not self.is_live:
            return
        command = next((command for command in self.OFFERED if command.name == name), None)
        if command is None:
            return  # the key of a command of a base class, which this screen has none of
        why = command.why_not(self)
        if why is None:
            command.run(self)
        else:
            self.refuse(why)

    def run_found(self, name: str) -> None:
        """Do what a command does that was chosen in the command palette."""
        self.run_command(name)

    @property
    def within(self) -> Sequence[tuple[Widget, Sequence[Command]]]:
        """Parts of the screen that have commands of their own, for the command palette."""
        return ()

    def run_within(self, part: Widget, command: Command) -> None:
        """Do what a command of one of its parts does, which has the keys from then on."""
        if self.is_live:
            part.focus()
            command.run(part)

    def action_list_keys(self) -> None:
        """List the screen's keys, where no command of its own does so."""
        if self.is_live and isinstance(self, GameScreen):
            from kalooki_tui.ui.screens.help import HelpScreen

            self.game.overlays.show(HelpScreen({"On this screen": self.OFFERED}))

    def refuse(self, why: Refusal) -> None:
        """Say why a command is not open."""
        cast("Screen[Any]", self).notify(why.message, markup=False)

    def footer_key(self, command: Command) -> FooterKey:
        """A command as the footer shows it now."""
        tooltip = partial(self._purpose, command)
        return FooterKey(command.name, command.shown, command.words(self), command.is_open(self), tooltip)

    def _purpose(self, command: Command) -> str:
        why = command.why_not(self)
        return command.sentence if why is None else f"{command.sentence} Not now: {why.message}"


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
        screen = cast("Commanded", self.screen)
        own = [(command, partial(screen.run_found, command.name)) for command in screen.OFFERED if command.label]
        parts = [
            (command, partial(screen.run_within, part, command)) for part, some in screen.within for command in some
        ]
        return [*own, *parts]

    def _title(self, command: Command) -> str:
        return f"{command.label} ({command.shown})"
