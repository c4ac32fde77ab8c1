"""Compiled built-in rulesets, neither parsed nor checked again; edited files are not used.

``python -m kalooki_tui.rulesets.builtin`` prints `rulesets/compiled.json`.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from msgspec import convert

from kalooki_tui.rulesets import model
from kalooki_tui.rulesets.folders import CONTRACT_RUMMY
from kalooki_tui.rulesets.model import Ruleset

NAME: Final = "compiled.json"


class Compiled(NamedTuple):
    """Ruleset, and the files it was made of: its own, the one it extends, and so on."""

    files: tuple[str, ...]
    ruleset: Ruleset


@cache
def read_compiled(path: Path) -> Compiled | None:
    """Return the compiled ruleset of a built-in file; None if one of its files has changed."""
    folder = path.parent.parent if path.parent.name == CONTRACT_RUMMY else path.parent
    entry = _entries(folder).get(path.stem)
    try:
        if entry is None or any(checksum(path.parent / name) != known for name, known in entry["files"].items()):
            return None
    except OSError:
        return None
    return Compiled((*entry["files"],), convert(entry["ruleset"], Ruleset))


@cache
def _entries(folder: Path) -> dict[str, Any]:
    try:
        entries: dict[str, Any] = json.loads((folder / NAME).read_bytes())
    except (OSError, ValueError):
        # Someone who adds a folder of rulesets need not compile them.
        return {}
    return entries


def checksum(path: Path) -> int:
    # Where git has put other line ends into the file it is the same all the same.
    return crc32(path.read_bytes().replace(b"\r\n", b"\n"))


def compiled_text() -> str:
    from kalooki_tui.rulesets.folders import builtin_files
    from kalooki_tui.rulesets.loader import load_file
    from kalooki_tui.rulesets.trees import files_of

    lines = []
    for path in builtin_files():
        entry = {
            "files": {file.name: checksum(file) for file in files_of(path)},
            "ruleset": model.to_data(load_file(path)),
        }
        lines.append(f"{json.dumps(path.stem)}: {json.dumps(entry, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(compiled_text())
