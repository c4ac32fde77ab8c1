"""How commands print: tables for people, JSON for programs; what was asked for in vain as an error of usage."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from kalooki_tui.wording import cells, padded, prints


def echo_json(data: object, *, indent: int | None = 2) -> None:
    """One JSON object; with `indent` None on one line."""
    # A terminal would obey control characters that JSON may hold as they are.
    lines = json.dumps(data, ensure_ascii=False, indent=indent).split("\n")
    click.echo("\n".join(map(_escape, lines)))


def _escape(line: str) -> str:
    if prints(line):
        return line
    return "".join(one if prints(one) else json.dumps(one)[1:-1] for one in line)


def echo_table(rows: Sequence[Sequence[str]]) -> None:
    """Rows in columns, the first row their heads."""
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(map(padded, row, widths)).rstrip())


@contextmanager
def usage_errors() -> Iterator[None]:
    """What does not go together is told as an error of usage; what a file has wrong tells its own line."""
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise click.UsageError(str(error)) from None
