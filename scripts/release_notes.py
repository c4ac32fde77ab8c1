"""Print what a release changes, from CHANGELOG.md: python scripts/release_notes.py v0.2.0

The exit code is 1, and nothing is printed, where the tag is not the version of the program and of the citation, or the
changes have no section for it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def notes(tag: str, root: Path = ROOT) -> str:
    """The section of a version.

    Raises:
        ValueError: something does not agree with the tag; the text says what.
    """
    version = tag.removeprefix("v")
    for file, pattern in (("kalooki_tui/__init__.py", r'__version__ = "(.+)"'), ("CITATION.cff", r"version: (.+)")):
        found = re.search(rf"^{pattern}$", (root / file).read_text(encoding="utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            raise ValueError(f"{file} has version {found and found[1]}, and the tag is {tag}")
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## \[?{re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if section is None or not section[1].strip():
        raise ValueError(f"CHANGELOG.md has no section for {version}")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    try:
        sys.stdout.write(notes(sys.argv[1]))
    except ValueError as reason:
        sys.exit(str(reason))
