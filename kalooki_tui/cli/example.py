"""``kalooki example``: files to try commands on, and programs to begin from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from kalooki_tui.cli.match_options import echo_table
from kalooki_tui.wording import escaped

FOLDER: Final = Path(__file__).resolve().parents[1] / "examples"
EXAMPLES: Final = {
    "match.jsonl": "the record of a match, for review, advise, replay and verify",
    "position.yaml": "a position, for check and advise",
    "house-rules.yaml": "a ruleset of your own, for rules check and play --ruleset",
    "small_bot.py": "a program for a seat, in a hundred lines",
    "small_front.py": "a front end for a hosted table, in sixty lines",
}


@click.command()
@click.argument("names", metavar="[NAME…]", nargs=-1, type=click.Choice(list(EXAMPLES)))
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def example(names: tuple[str, ...], force: bool) -> None:
    """Copy a sample record, position, ruleset or bot to this folder.

    Without a NAME: list them.
    """
    if not names:
        echo_table([("name", "what it is"), *EXAMPLES.items()])
        return
    for name in names:
        copy(name, Path(name), overwrite=force)
        click.echo(f"{name}: {EXAMPLES[name]}")


def copy(name: str, target: Path, *, overwrite: bool) -> None:
    """Write an example to a file, unless it is there; raise ClickException for another file of that name."""
    content = (FOLDER / name).read_bytes()
    try:
        with target.open("wb" if overwrite else "xb") as file:
            file.write(content)
    except FileExistsError:
        if not target.is_file() or target.read_bytes() != content:
            raise click.ClickException(f"{escaped(str(target))} is there already; --force overwrites it") from None
