"""Plays matches of one scripted person and AI seats until it is killed, and acknowledges each action it has taken.

`python -m tests.store.driver SEED`: takes up the unfinished match of the store, or begins one, and prints
`ID LINES DIGEST` after each step: how many lines the journal has, and how the match stands.
"""

import hashlib
import random
import sys

from kalooki_tui.store.matches import Store
from kalooki_tui.table.headless import ai_players
from kalooki_tui.table.table import Table
from tests.property.tables import sensible_action, snapshot
from tests.store.tables import open_table


def digest(table: Table) -> str:
    """How a match stands, in a few letters."""
    return hashlib.sha256(repr(snapshot(table.match)).encode()).hexdigest()[:16]


def step(table: Table, dice: random.Random) -> None:
    """The next step: of the person by dice, of an AI seat by itself, or the next deal."""
    match = table.match
    if match.actor is None:
        table.next_deal()
    elif table.is_human(match.actor):
        table.apply(sensible_action(match, dice))
    else:
        table.apply(ai_players(table)[match.actor].decide(match.view(match.actor)).action)


def main(seed: int) -> None:
    """Play until killed."""
    dice = random.Random(seed)
    store = Store.open()
    while True:
        going = store.unfinished()
        live = store.resume(going[0].id) if going else store.begin(open_table("jamaican", seed=dice.randrange(1000)))
        while not live.table.match.finished:
            step(live.table, dice)
            sys.stdout.write(f"{live.id} {len(list(store.lines(live.id)))} {digest(live.table)}\n")
            sys.stdout.flush()
        live.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
