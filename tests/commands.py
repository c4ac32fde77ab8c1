"""The `kalooki` command in this process, and texts that are kept."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import click
import pytest
from click.testing import CliRunner

from kalooki_tui.cli import main as cli
from kalooki_tui.problems import InputError
from kalooki_tui.storage.files import StoreError


class Result(NamedTuple):
    code: object
    out: str
    err: str


#: Runs the command with these arguments.
Run = Callable[..., Result]
#: Compares a text with the golden one of this name.
Golden = Callable[[str, str], None]


def checksum(text: str) -> str:
    """Return eight hexadecimal digits that hardly any other text has."""
    return f"{crc32(text.encode()):08x}"


def groups_of(file: Path) -> dict[str, str]:
    """Return the groups of lines of a text: each a name with a colon, and what is indented below it."""
    return dict(re.findall(r"^(\S+):\n((?:  .+\n)+)", file.read_text(encoding="utf-8"), re.MULTILINE))


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Result:
    with pytest.raises(SystemExit) as caught:
        cli.main([*map(str, arguments)])
    return Result(caught.value.code, *capsys.readouterr())


def answered(*arguments: str, typed: str = "") -> tuple[int, str]:
    """A command's exit code and what it wrote, or the sentence that it ended with; `typed`: what it read."""
    result = CliRunner().invoke(cli.kalooki, [*arguments], input=typed, standalone_mode=False)
    match result.exception:
        case click.ClickException() as error:
            return error.exit_code, error.format_message()
        case InputError() | StoreError() as error:
            return 2, str(error)
    assert result.exception is None
    return int(result.return_value or 0), result.output
