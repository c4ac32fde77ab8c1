"""Views made up for drawing: any table at any moment, without playing up to it."""

from collections.abc import Sequence
from typing import Any

from kalooki_tui.cards import FACES, JOKER, RANKS, SUITS, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.rulesets.loader import load_ruleset

NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fitzgerald-Montmorency", "Gus", "Hal", "Ivy", "Jo", "Kim")


def cards(text: str, deck: str = "french") -> tuple[Card, ...]:
    """Cards written in ASCII notation, separated by spaces."""
    faces = FACES[deck]
    named = {faces.text(card): card for card in range(SUITS * RANKS)} | {"JK": JOKER}
    return tuple(named[word] for word in text.split())


def meld(rules: Rules, owner: int, text: str, kind: Kind | None = None) -> Meld:
    return make_meld(rules.ruleset, owner, Group(cards(text, rules.ruleset.deck), kind))


def view(
    ruleset: str = "jamaican",
    seats: int = 4,
    deal: int = 3,
    hand: str = "AS KD QD JD 9C 8C 7C 5H 5D 2S JK",
    melds: Sequence[tuple[int, str]] = ((2, "5C 5D 5S"), (2, "9S 10S JS JK"), (2, "3H 4H 5H 6H")),
    discard: str | None = "7H",
    **changes: Any,
) -> View:
    """A view of seat 0; `changes` replace any of its fields."""
    rules = make_rules(load_ruleset(ruleset), seats)
    deck = rules.ruleset.deck
    own = cards(hand, deck)
    laid = {owner for owner, _ in melds}
    values: dict[str, Any] = {
        "seat": 0, "names": NAMES[:seats], "rules": rules, "deal": deal, "attempt": 1, "contract": rules.contract(deal),
        "dealer": min(2, seats - 1), "turn": 0, "phase": Phase.DRAW, "actor": 0, "hand": own,
        "hand_sizes": (len(own), *(4 if seat in laid else 11 + seat % 3 for seat in range(1, seats))),
        "laid": tuple(HasLaid.EARLIER if seat in laid else HasLaid.NO for seat in range(seats)),
        "calls": tuple(seat % 4 for seat in range(seats)), "bend_forbidden": False,
        "melds": tuple(meld(rules, owner, text) for owner, text in melds),
        "discard": None if discard is None else cards(discard, deck)[0], "discarded_by": seats - 1, "pile": 17,
        "dead": False, "flip": None, "caller": None, "stock": 41, "reshuffles": 0, "out": None,
        "in_deal": (True,) * seats, "totals": tuple((40, 112, 86, 23, 7, 1250, 310, 64, 99, 5, 71)[:seats]),
        "penalties": (0,) * seats, "money": tuple(range(-3, seats - 3)), "pool": 50, "buy_ins": (0,) * seats,
        "eliminated": (False,) * seats, "history": (), "legal": (), "may_lay": False, "may_add": False, "added": (),
        "may_challenge": (),
    }  # fmt: skip
    return View(**(values | changes))


def crowded(seats: int = 11) -> View:
    """Trinidad's eleven seats with four melds each."""
    texts = ("5C 5D 5S", "9S 10S JS JK", "3H 4H 5H 6H 7H", "10D JD QD KD AD")
    return view("trinidad", seats, 7, melds=[(seat, text) for seat in range(seats) for text in texts])
