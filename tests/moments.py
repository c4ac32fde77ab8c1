"""Moments of play that tests of several rooms begin with, as positions."""

from pathlib import Path
from typing import Final, TypeVar

from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Table
from kalooki_tui.players import make_player
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up

Found = TypeVar("Found")
POSITIONS: Final = Path(__file__).with_name("positions")
HANDS: Final = (
    "5C 5D 5H KS KD 7C 8C 9C JK 2D",
    "5S 6H 7H QC 2C 3D 4C 10S JS QH",
    "9D 9H 3S 4S 6S 8D 10D JC QS AC",
    "9C 9S 3C 4H 6D 8S 10H JD QD AD",
)

VOID: Final = """
ruleset: jamaican
deal: 2
dealer: Cat
turn: Ann
phase: draw
reshuffles: 1
stock_only: true
stock: ""
seats:
  - {name: Ann, hand: 5C 5D 5H KS}
  - {name: Bob, hand: 5S 6H 7H QC}
  - {name: Cat, hand: 9D 9H 3S 4S}
discard: 5C 7D
"""
"""The stock has run out for the second time: the next draw makes the deal void."""


#: 7S lies open, and completes what Ann needs.
OPEN: Final = """
ruleset: jamaican
deal: 1
dealer: Cat
turn: Ann
phase: draw
seats:
  - {name: Ann, hand: 5C 5D 5H KS KD KH 7C 7D 2D}
  - {name: Bob, hand: 5S 6H 8H QC 2C 3C 4C 9C JC}
  - {name: Cat, hand: 9D 9H 3S 3H 6C 8D 10D 10C AH}
discard: 7S
"""


#: The same card in a call window, with Bob about to go out; and called by Cat, when Ann may refuse.
ASKED: Final = """
ruleset: jamaican
deal: 1
dealer: Bob
turn: Cat
phase: call-window
seats:
  - {name: Ann, hand: 5C 5D 5H KS KD KH 7C 7D 2H}
  - {name: Bob, hand: 6H QH, laid: true}
  - {name: Cat, hand: 9D 9H 3S 3H 6C 8D 10D 10C AH}
table:
  - {owner: Bob, cards: 8C 8D 8S}
  - {owner: Bob, cards: 4C 4D 4S}
  - {owner: Bob, cards: JC JD JS}
discard: 7S
"""
CALLED: Final = OPEN.replace("phase: draw", "phase: decision\ncaller: Cat\ndiscarded_by: Bob")


def call_window(*, turn: str = "Ann", thrower: str = "Dee", second: str = "Bob", race: bool = False) -> str:
    """Four seats, Ann the first, are asked about the 5C that was thrown; nobody has laid."""
    rules = "{extends: jamaican, settings: {race: true}}" if race else "jamaican"
    names = ("Ann", second, "Cat", "Dee")
    seats = "\n".join(f"  - {{name: {name}, hand: {hand}}}" for name, hand in zip(names, HANDS, strict=True))
    return f"""
ruleset: {rules}
deal: 2
dealer: Cat
turn: {turn}
phase: call-window
seats:
{seats}
discard: 5C
discarded_by: {thrower}
"""


def buy_in(*people: str) -> str:
    """Kalookie 40: these people are out of the match, and may buy in again."""
    gone = [f"  - {{name: {name}, hand: \"\", score: {160 + 10 * at}, money: -10, eliminated: true}}"
            for at, name in enumerate(people)]  # fmt: skip
    seats = "\n".join(gone)
    return f"""
ruleset: kalookie-40
deal: 3
dealer: Cat
turn: Ann
phase: buy-in
seats:
{seats}
  - {{name: Bob, hand: "", score: 90, money: -10}}
  - {{name: Cat, hand: "", score: 20, money: -10}}
pool: {10 * (len(people) + 2)}
"""


def view_of(text: str) -> View:
    """The view of whose decision a position is."""
    match = set_up(read_position(text))
    return match.view(match.actor)


def position(name: str) -> View:
    """The moment with which a position of the suite begins."""
    text = (POSITIONS / f"{name}.yaml").read_text(encoding="utf-8")
    return view_of(text.partition("steps:")[0])


def play_first_deal(table: Table) -> None:
    """Let the club player play every seat until the first deal is over."""
    players = [make_player("club", table.player_seed(seat)) for seat in range(len(table.plans))]
    match = table.match
    for _ in range(400):
        if match.actor is None:
            table.next_deal()
            return
        table.apply(players[match.actor].decide(table.view(match.actor)).action)
    raise AssertionError("the deal does not end")


def there(value: Found | None) -> Found:
    """A value that must be there."""
    assert value is not None
    return value
