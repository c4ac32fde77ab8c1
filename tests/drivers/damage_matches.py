"""Damage files of matches, and see what becomes of them: python -m tests.drivers.damage_matches

Each time one file of a folder of matches is damaged: a bit flipped, a piece cut off or out, a block
zeroed or swapped with another, a line doubled. Then the list, the statistics, `kalooki verify` and taking the matches
up again are tried. Checked: the damaged match never passes as whole, every other match is as it was, and nothing but
sentences is raised. Exit code 1 if anything failed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kalooki_tui.records.verifying import State, verify_files
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.matches import Store
from kalooki_tui.store.statistics import statistics
from kalooki_tui.table.headless import ai_players, text_setup
from kalooki_tui.table.table import Table

BLOCK: Final = 512
"""Bytes that are zeroed or swapped at once."""

Damage = Callable[[bytearray, random.Random], None]


def flip(content: bytearray, dice: random.Random) -> None:
    """One bit."""
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)


def cut(content: bytearray, dice: random.Random) -> None:
    """The end is lost."""
    del content[dice.randrange(len(content)) :]


def cut_out(content: bytearray, dice: random.Random) -> None:
    """A piece in the middle is lost."""
    start = dice.randrange(len(content))
    del content[start : start + dice.randrange(1, BLOCK)]


def zero(content: bytearray, dice: random.Random) -> None:
    """A block is zeroed."""
    start = dice.randrange(len(content))
    piece = content[start : start + BLOCK]
    content[start : start + BLOCK] = bytes(len(piece))


def swap(content: bytearray, dice: random.Random) -> None:
    """Two blocks change places."""
    blocks = [content[start : start + BLOCK] for start in range(0, len(content), BLOCK)]
    if len(blocks) > 2:
        one, other = dice.sample(range(len(blocks) - 1), 2)
        blocks[one], blocks[other] = blocks[other], blocks[one]
    content[:] = b"".join(blocks)


def double(content: bytearray, dice: random.Random) -> None:
    """A line is here twice."""
    lines = bytes(content).splitlines(keepends=True)
    place = dice.randrange(len(lines))
    content[:] = b"".join([*lines[:place], lines[place], *lines[place:]])


DAMAGES: Final[tuple[Damage, ...]] = (flip, cut, cut_out, zero, swap, double)


@dataclass
class Figures:
    """What came of it."""

    damages: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    passed: list[str] = field(default_factory=list)
    """Damaged files that passed as whole."""
    touched: list[str] = field(default_factory=list)
    """Other matches that were not as before."""
    raised: list[str] = field(default_factory=list)
    """What was raised and is no sentence."""

    @property
    def failures(self) -> list[str]:
        return [*self.passed, *self.touched, *self.raised]


def play_matches(home: Path) -> None:
    with Store.open(home) as store:
        for seed, most in enumerate((None, None, None, 150, 40)):
            steps = 0
            with store.begin(Table.open(text_setup("baby", [], seed, []))) as live:
                table, players = live.table, ai_players(live.table)
                while not table.match.finished and steps != most:
                    actor = table.match.actor
                    if actor is None:
                        table.next_deal()
                    else:
                        table.apply(players[actor].decide(table.view(actor)).action)
                    steps += 1
        statistics(store)


def standing(home: Path) -> dict[str, object]:
    """Each match that can be read, as the list and the record tell of it."""
    with Store.open(home) as store:
        found: dict[str, object] = {}
        for one in store.summaries():
            told = (one.finished, one.totals, one.deal, one.winners, one.imported)
            found[one.id] = told, tuple(store.lines(one.id)), store.scan(one.id).facts
        return found


def damage_once(good: Path, home: Path, dice: random.Random, figures: Figures) -> None:
    """Damage one file of a copy of a home, and look."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(good, home)
    before = standing(home)
    files = sorted((home / "matches").glob("*.jsonl"))
    file, damage = dice.choice(files), dice.choice(DAMAGES)
    content = bytearray(file.read_bytes())
    damage(content, dice)
    if bytes(content) == file.read_bytes():
        return
    file.write_bytes(content)
    figures.damages += 1
    figures.kinds[damage.__name__] += 1
    name = f"{damage.__name__} of {file.name}"
    try:
        look(home, file, before, name, figures)
    except Exception as error:  # noqa: BLE001 - whatever happens is what is looked for
        figures.raised.append(f"{name}: {type(error).__name__}: {error}")


def look(home: Path, file: Path, before: dict[str, object], name: str, figures: Figures) -> None:
    """See what has become of the damaged file and of the others."""
    (verdict,) = verify_files([str(file)])
    if verdict.state is State.WHOLE:
        figures.passed.append(f"{name}: {verdict}")
    after = standing(home)
    for match_id, told in before.items():
        if match_id == file.stem:
            if after.get(match_id) == told:
                figures.passed.append(f"{name}: it is listed as before")
            continue
        if after.get(match_id) != told:
            figures.touched.append(f"{name}: {match_id} is not as it was")
    with Store.open(home) as store:
        statistics(store)
        for one in [*store.summaries(), *store.lists().damaged]:
            try:
                store.resume(one.id).close()
            except StoreError as error:
                str(error)


def run(damages: int, seed: int, folder: Path) -> Figures:
    good, figures, dice = folder / "good", Figures(), random.Random(seed)
    play_matches(good)
    while figures.damages < damages:
        damage_once(good, folder / "home", dice, figures)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--damages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = run(arguments.damages, arguments.seed, Path(folder))
    for failure in figures.failures:
        print(failure)
    kinds = ", ".join(f"{times} {kind}" for kind, times in sorted(figures.kinds.items()))
    print(f"{figures.damages} damages ({kinds}): {len(figures.passed)} passed as whole, ", end="")
    print(f"{len(figures.touched)} touched another match, {len(figures.raised)} were raised")
    sys.exit(1 if figures.failures else 0)


if __name__ == "__main__":
    main()
