"""The list of commands that `kalooki --help` shows, in groups by what somebody wants to do."""

from __future__ import annotations

from typing import Any, Final

import click

GROUPS: Final = {
    "Play": ("play", "daily", "host", "serve", "watch"),
    "Learn": ("learn", "exercise", "puzzle"),
    "Study": ("review", "advise", "replay", "stats"),
    "Your files": ("matches", "export", "import", "verify", "config", "doctor"),
    "Rules": ("rules", "meld", "solve", "check"),
    "Programs": ("sim", "example"),
}
"""The commands of each group, the likeliest first."""


class GroupedCommands(click.Group):
    """A group of commands whose help has a heading for each kind of them."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command; whoever reads its output, as `head` does, may stop when they have enough."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings, all in one column."""
        names = self.list_commands(context)
        width = max(map(len, names))
        room = formatter.width - width - 6
        for heading, members in GROUPS.items():
            with formatter.section(heading):
                rows = [(name.ljust(width), self.commands[name].get_short_help_str(room)) for name in members]
                formatter.write_dl(rows)
