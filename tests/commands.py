"""The `kalooki` command in this process."""

from __future__ import annotations

import pytest

from kalooki_tui.cli import main as cli


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    """A command's exit code, and what it wrote on either stream."""
    with pytest.raises(SystemExit) as caught:
        cli.main([*map(str, arguments)])
    return caught.value.code, *capsys.readouterr()
