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
from collections.abc import Callable, Iterator
from contextlib import suppress
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


def damage_once(good: Path, home: Path, dice: random.Random) -> tuple[str, list[str]]:
    """Damage one file of a copy of a home: how, and what is wrong then; nothing where the damage changes nothing."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(good, home)
    before = standing(home)
    file, damage = dice.choice(sorted((home / "matches").glob("*.jsonl"))), dice.choice(DAMAGES)
    content = bytearray(file.read_bytes())
    damage(content, dice)
    if bytes(content) == file.read_bytes():
        return "", []
    file.write_bytes(content)
    try:
        wrong = list(look(home, file, before))
    except Exception as error:  # noqa: BLE001 - whatever happens is what is looked for
        wrong = [f"{type(error).__name__}: {error}"]
    return damage.__name__, [f"{damage.__name__} of {file.name}: {one}" for one in wrong]


def look(home: Path, file: Path, before: dict[str, object]) -> Iterator[str]:
    """What is wrong with the damaged file and the others."""
    (verdict,) = verify_files([str(file)])
    if verdict.state is State.WHOLE:
        yield f"it passes as whole: {verdict}"
    after = standing(home)
    for match_id, told in before.items():
        if match_id == file.stem and after.get(match_id) == told:
            yield "it is listed as before"
        if match_id != file.stem and after.get(match_id) != told:
            yield f"{match_id} is not as it was"
    with Store.open(home) as store:
        statistics(store)
        for one in [*store.summaries(), *store.lists().damaged]:
            with suppress(StoreError):
                store.resume(one.id).close()


def run(damages: int, seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Damage so many times: how often in which way, and what was wrong."""
    good, dice = folder / "good", random.Random(seed)
    kinds, wrong = Counter[str](), list[str]()
    play_matches(good)
    while kinds.total() < damages:
        kind, found = damage_once(good, folder / "home", dice)
        kinds += Counter([kind] if kind else [])
        wrong += found
    return kinds, wrong


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--damages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kinds, wrong = run(arguments.damages, arguments.seed, Path(folder))
    told = ", ".join(f"{times} {kind}" for kind, times in sorted(kinds.items()))
    print(*wrong, f"{kinds.total()} damages ({told}): {len(wrong)} failures", sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
