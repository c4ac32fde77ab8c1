"""Look for seeds of coached deals in which a chapter's point comes up early, and write them into the chapters' files.

`python -m lab.find_course_seeds [CHAPTER …]`; `--print` writes nothing. The first seed that no other deal has is taken
with which the deal goes as its chapter says, whether a club player has the learner's seat or one who follows the hints.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.chapter_files import shipped
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.course.dealing import coached_deal, comes_up, follow_hints
from kalooki_tui.rulesets.loader import catalogue

FOLDER: Final = Path(__file__).resolve().parents[1] / "kalooki_tui" / "coach" / "texts" / "en" / "chapters"
MOST_SEEDS: Final = 1000


def seed_of(chapter: Chapter, ruleset: str, taken: set[int]) -> int | None:
    """The first seed that is free and in which the point comes up."""
    assert chapter.coached is not None
    for seed in range(1, MOST_SEEDS + 1):
        found = None if seed in taken else coached_deal(chapter, ruleset, seed)
        if found is not None and comes_up(found, chapter.coached) and comes_up(found, chapter.coached, follow_hints):
            return seed
    return None


def rulesets_of(chapter: Chapter) -> list[str]:
    """The rulesets in whose course the chapter is, or the one that its deal is played by."""
    assert chapter.coached is not None
    if chapter.coached.ruleset:
        return [chapter.coached.ruleset]
    shipped_games = [entry.ruleset.id for entry in catalogue() if entry.ruleset is not None]
    return [game for game in shipped_games if chapter in course_of(game).chapters]


def main() -> None:
    """Look for the chapters named, or for all."""
    wanted = {word for word in sys.argv[1:] if not word.startswith("-")}
    taken: set[int] = set()
    for chapter in shipped():
        if chapter.coached is not None and wanted and chapter.id not in wanted:
            taken |= set(chapter.coached.seeds.values())
    for chapter in shipped():
        if chapter.coached is None or (wanted and chapter.id not in wanted):
            continue
        seeds: dict[str, int] = {}
        for game in rulesets_of(chapter):
            seed = seed_of(chapter, game, taken)
            if seed is not None:
                seeds[game] = seed
                taken.add(seed)
        print(chapter.id, chapter.coached.point, seeds, flush=True)
        if "--print" not in sys.argv:
            found = ", ".join(f"{game}: {seed}" for game, seed in seeds.items())
            file = FOLDER / f"{chapter.id}.yaml"
            text = file.read_text(encoding="utf-8")
            file.write_text(re.sub(r"seeds: \{.*\}", f"seeds: {{{found}}}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
