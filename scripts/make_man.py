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
FILES: Final = {
    "~/.local/share/kalooki/matches/": "The matches, a file for each. On macOS: ~/Library/Application Support/kalooki.",
    "~/.config/kalooki/settings.toml": "The settings. On macOS: ~/Library/Application Support/kalooki.",
    "~/.config/kalooki/rulesets/": "Rulesets of your own; each file is a game in every list.",
    "~/.config/kalooki/themes/, keys.toml": "Colours and keys of your own.",
}
EXAMPLES: Final = {
    "kalooki": "Play.",
    "kalooki play --ruleset baby --seat Ann --seat ai:club --seat ai:club --seed 7": "A short match.",
    "kalooki host": "Open a table to which others come by ssh or with a browser.",
    "kalooki learn": "The course, from the first card on.",
    "kalooki example match.jsonl && kalooki review match.jsonl --worlds 0": "What its decisions cost.",
    'kalooki solve --ruleset jamaican --deal 1 --hand "5C 5D 5H 9S 9D 9C KD KS JK"': "The best lay-down of a hand.",
    "kalooki sim --ruleset baby --matches 6 --seat ai:club --seat ai:novice --seat ai:novice": "Who wins how often.",
    "kalooki doctor": "What is installed and what is missing, for a report of a fault.",
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
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    for name in sorted(group.commands):
        command = group.commands[name]
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def entry(term: str, words: str) -> str:
    return f".TP\n.B {roff(term)}\n{roff(words)}"


def section(path: str, command: click.Command) -> Iterator[str]:
    """One command: how it is typed, what it does, its options."""
    context = click.Context(command, info_name=path, **kalooki.context_settings)
    yield f".SS {roff(' '.join([path, *command.collect_usage_pieces(context)]))}"
    yield "\n.PP\n".join(roff(part) for part in (command.help or "").split("\n\n"))
    for parameter in command.get_params(context):
        found = parameter.get_help_record(context)
        if found is not None and found[1] and "--help" not in parameter.opts:
            yield entry(*found)


def page() -> str:
    lines = [
        f'.TH KALOOKI 1 "" "kalooki-tui {__version__}" "Games"',
        ".SH NAME\nkalooki \\- Caribbean Kalooki, the contract rummy card game, in the terminal",
        ".SH SYNOPSIS\n.B kalooki\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
        f".SH DESCRIPTION\n{roff(kalooki.help or '')}",
        ".SH COMMANDS",
    ]
    for path, command in commands(kalooki, "kalooki"):
        lines += section(path, command)
    lines += [".SH EXAMPLES", *(entry(line, words) for line, words in EXAMPLES.items())]
    lines += [".SH FILES", *(entry(place, words) for place, words in FILES.items())]
    lines += [".SH ENVIRONMENT", *(entry(name, words) for name, words in ENVIRONMENT.items())]
    lines += [".SH EXIT STATUS", *(entry(code, words) for code, words in EXITS.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
