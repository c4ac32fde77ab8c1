"""Gather the documents for the site, as they lie in the project, so that every link leads where it does there.

    python scripts/make_docs.py

`make docs` then has MkDocs build the site of them (mkdocs.yml), which fails where a link or an anchor leads nowhere.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ROOT / "build" / "docs" / "pages"
FOLDERS: Final = ("docs", "screenshots", "rulesets", "kalooki_tui/examples", "lab", "tests/positions")
"""What the documents link to, besides the files beside them."""
SUFFIXES: Final = frozenset({".md", ".png", ".gif", ".svg", ".yaml", ".py", ".txt", ".json", ".1"})


def gather(target: Path = PAGES) -> None:
    """Copy the documents, and what they show or link to."""
    shutil.rmtree(target, ignore_errors=True)
    for name in FOLDERS:
        for file in sorted((ROOT / name).rglob("*")):
            if file.suffix in SUFFIXES and "__pycache__" not in file.parts:
                _copy(file, target)
    for file in [*ROOT.glob("*.md"), *ROOT.glob("LICENSE"), *ROOT.glob("CITATION.cff")]:
        _copy(file, target)


def _copy(file: Path, target: Path) -> None:
    place = target / file.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


if __name__ == "__main__":
    gather()
