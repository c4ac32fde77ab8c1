"""How commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click


def echo_json(data: object, *, indent: int | None = 2) -> None:
    """One JSON object; with `indent` None on one line."""
    # A terminal would obey control characters that JSON may hold as they are.
    lines = json.dumps(data, ensure_ascii=False, indent=indent).split("\n")
    click.echo("\n".join(map(_escape, lines)))


def _escape(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in line)


def echo_table(rows: Sequence[Sequence[str]]) -> None:
    """Rows in columns, the first row their heads."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
