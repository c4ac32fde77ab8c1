"""How commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click


def echo_json(data: object) -> None:
    """One JSON object."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def echo_table(rows: Sequence[Sequence[str]]) -> None:
    """Rows in columns, the first row their heads."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
