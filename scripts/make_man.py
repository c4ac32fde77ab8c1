"""Write the manual page of `kalooki` from the commands themselves: docs/kalooki.1."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from kalooki_tui import __version__
from kalooki_tui.cli.main import kalooki

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "kalooki.1"
ENVIRONMENT: Final = {
    "KALOOKI_HOME": "The folder of matches, settings, rulesets, themes and keys, in place of the usual ones.",
    "KALOOKI_DEBUG": "If set, a fault of the program shows where it comes from.",
    "NO_COLOR": "If set, everything is drawn in greys.",
}
EXITS: Final = {
    "0": "All is well.",
    "1": "Something that was checked is not as it should be.",
    "2": "What was typed, or a file, is wrong: one sentence says what and where.",
    "70": "A fault in the program.",
    "130": "Interrupted by Ctrl+C.",
}


def roff(text: str) -> str:
    """Text as the page's language wants it: nothing in it is taken for an order."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """The commands of a group and of the groups in it, each with its full name."""
    for name in sorted(group.commands):
        command = group.commands[name]
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def entry(term: str, words: str) -> str:
    """A term and what it means."""
    return f".TP\n.B {roff(term)}\n{roff(words)}"


def section(path: str, command: click.Command) -> Iterator[str]:
    """One command: how it is typed, what it does, its options."""
    context = click.Context(command, info_name=path)
    yield f".SS {roff(' '.join([path, *command.collect_usage_pieces(context)]))}"
    yield "\n.PP\n".join(roff(part) for part in (command.help or "").split("\n\n"))
    for parameter in command.get_params(context):
        found = parameter.get_help_record(context)
        if found is not None and found[1] and "--help" not in parameter.opts:
            yield entry(*found)


def page() -> str:
    """The whole page."""
    lines = [
        f'.TH KALOOKI 1 "" "kalooki-tui {__version__}" "Games"',
        ".SH NAME\nkalooki \\- Caribbean Kalooki, the contract rummy card game, in the terminal",
        ".SH SYNOPSIS\n.B kalooki\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
        f".SH DESCRIPTION\n{roff(kalooki.help or '')}",
        ".SH COMMANDS",
    ]
    for path, command in commands(kalooki, "kalooki"):
        lines += section(path, command)
    lines += [".SH ENVIRONMENT", *(entry(name, words) for name, words in ENVIRONMENT.items())]
    lines += [".SH EXIT STATUS", *(entry(code, words) for code, words in EXITS.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
