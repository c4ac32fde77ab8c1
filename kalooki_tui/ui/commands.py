"""Commands as keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType

if TYPE_CHECKING:
    from kalooki_tui.desk.commands import Command


def bindings(commands: Iterable[Command]) -> list[BindingType]:
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
