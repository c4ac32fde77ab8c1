"""Tables for the tests of the store, and a person who plays by dice."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.headless import ai_players
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.players import make_player
from kalooki_tui.records.lines import CheckChain, unsealed
from kalooki_tui.records.playback import verify
from kalooki_tui.records.writer import dump
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_facts import MatchFacts
from kalooki_tui.storage.match_store import Store

PEOPLE = (SeatPlan("Ann"), SeatPlan("Bob"), SeatPlan("Cat"))
SEATS = (SeatPlan("Ann"), SeatPlan("Bob", "ai:novice"), SeatPlan("Cat", "ai:novice"))


def played_two() -> tuple[str, str]:
    """Keep two matches, one that is over and one that goes on; their ids."""
    with Store.open() as store:
        over, going = store.begin(open_table(seed=3)), store.begin(open_table("tuluki", open_table().plans[:2]))
        play(over.table)
        play(going.table, 20)
        over.close()
        going.close()
    return over.id, going.id


def open_table(
    ruleset: str = "baby",
    seats: tuple[SeatPlan, ...] = SEATS,
    seed: int = 7,
    referee: Referee = Referee.STRICT,
    options: tuple[str, ...] = (),
    **settings: object,
) -> Table:
    game = resolve(load_ruleset(ruleset), options, len(seats))
    chosen = make_settings(game, {"max_redeals": 3} | settings if game.end.after == "last-deal" else settings)
    return Table.open(TableSetup(game, seats, seed, referee, chosen, options))


def play(table: Table, steps: int | None = None) -> list[Event]:
    """Play on, people's seats as a novice would; `steps` None: to the result."""
    players = ai_players(table)
    players |= {seat: make_player("novice", table.player_seed(seat)) for seat in table.people}
    events: list[Event] = []
    match = table.match
    while not match.finished and steps != 0:
        seat = match.actor
        if seat is None:
            events += table.next_deal()
        else:
            events += table.apply(players[seat].decide(match.view(seat)).action)
        steps = None if steps is None else steps - 1
    return events


def play_wildly(table: Table, dice: random.Random, steps: int) -> None:
    """Play on by dice, with attempts that the rules forbid among them."""
    from tests.property.tables import sensible_action, wild_action

    match = table.match
    for _ in range(steps):
        if match.finished:
            return
        if match.actor is None:
            table.next_deal()
            continue
        action = wild_action(match, dice) if dice.random() < 0.3 else sensible_action(match, dice)
        try:
            table.apply(action)
        except Refused:
            continue


def bare(lines: Iterable[str]) -> list[dict[str, Any]]:
    """A record's lines without what tells where and when it was written."""
    ours = ("started", "home", "teaching")
    return [{key: value for key, value in unsealed(json.loads(line)).items() if key not in ours} for line in lines]


def with_line(live: MatchJournal, line: dict[str, Any], folder: Path) -> Path:
    """A file with the match's record, without check values, and one line more."""
    file = folder / "record.jsonl"
    lines = [*(unsealed(json.loads(one)) for one in live.lines), line]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return file


def change_head(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the first line of a record, and write it as if it had always been so."""
    first, *others = [unsealed(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    change(first)
    chain = CheckChain()
    path.write_text("".join(f"{chain.seal(dump(line))}\n" for line in (first, *others)), encoding="utf-8")


def match_facts(store: Store, match_id: str) -> MatchFacts:
    facts = store.scan(match_id).facts
    assert facts is not None
    return facts


def verified(lines: Iterable[str], folder: Path) -> bool:
    """Whether every line of this record follows."""
    file = folder / "record.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return verify(str(file)).ok
