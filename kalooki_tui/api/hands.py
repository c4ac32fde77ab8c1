"""Questions about one hand: the best lay-down, the distance to the contract, the cards that help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from kalooki_tui import solver
from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import contract_text, judge_set
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.notation.card_text import NotationError, parse_cards, parse_groups, print_group
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.shape import Effort
from kalooki_tui.wording import counted

#: Steps of work for one hand, some three seconds; hands nine cards bigger than any that is played took 195,000 at most.
MOST_STEPS: Final = 300_000


class BestLay(Struct, frozen=True):
    """Lay-down: `melds` to lay at once, the cards `left`, and the `points` they cost before a discard."""

    melds: tuple[str, ...]
    left: tuple[str, ...]
    points: int

    def __str__(self) -> str:
        """Return the answer that lays it, such as ``lay 5C 5D 5H | 9S 9D 9C``."""
        return f"lay {' | '.join(self.melds)}"


def best_lay(
    hand: str | Iterable[str],
    ruleset: str = DEFAULT_RULESET,
    deal: int = 1,
    *,
    seats: int | None = None,
    options: Sequence[str] = (),
) -> BestLay | None:
    """Find the lay-down of the deal's contract that leaves the fewest points in the hand; None: impossible yet.

    `hand` is a text of cards, ``5C 10H JK``, or several. `seats` (the ruleset's fewest by default) and `options` matter
    where they change the game. Raise ValueError for an unknown ruleset, option, deal or card, for more copies than the
    deck has, or for a hand so big that it takes too long.
    """
    asked, cards = _asked(hand, ruleset, deal, seats, options)
    with _limited(cards) as effort:
        found = solver.best_lay(asked.rules, asked.contract, cards, prefer_out=False, effort=effort)
    return None if found is None else as_text(asked.rules, found)


def distance(
    hand: str | Iterable[str],
    ruleset: str = DEFAULT_RULESET,
    deal: int = 1,
    *,
    seats: int | None = None,
    options: Sequence[str] = (),
) -> int:
    """Count the cards that the hand lacks for the deal's contract; arguments as for `best_lay`."""
    asked, cards = _asked(hand, ruleset, deal, seats, options)
    with _limited(cards) as effort:
        return solver.distance(asked.rules, asked.contract, cards, effort)


def useful_cards(
    hand: str | Iterable[str],
    ruleset: str = DEFAULT_RULESET,
    deal: int = 1,
    *,
    seats: int | None = None,
    options: Sequence[str] = (),
) -> dict[str, int]:
    """Return the cards that bring the contract nearer, with the copies outside the hand."""
    asked, cards = _asked(hand, ruleset, deal, seats, options)
    faces = asked.rules.faces
    return {faces.text(card): copies for card, copies in find_answer(asked, cards).helps.items()}


def _asked(
    hand: str | Iterable[str], ruleset: str, deal: int, seats: int | None, options: Sequence[str]
) -> tuple[Asked, tuple[Card, ...]]:
    asked = Asked.read(ruleset, options, seats, deal)
    return asked, read_hand(asked, hand if isinstance(hand, str) else " ".join(hand), "hand")


class Asked(Struct, frozen=True):
    rules: Rules
    deal: int
    contract: Contract
    table: tuple[Card, ...]

    @classmethod
    def read(cls, ruleset: str, options: Sequence[str], seats: int | None, deal: int, table: str = "") -> Asked:
        """Read the game, by default with the fewest seats; raise ValueError, naming a wrong deal or table."""
        loaded = load_ruleset(ruleset)
        seats = loaded.seat_counts[0] if seats is None else seats
        game = resolve(loaded, options, seats)
        rules = make_rules(game, seats)
        last = len(game.deals)
        if deal < 1 or (deal > last and game.end.after == "last-deal"):
            raise NotationError(f"deal: {game.name} has deals 1 to {last}, not {deal}")
        cards: tuple[Card, ...] = ()
        if table.strip():
            try:
                cards = tuple(card for group in parse_groups(table, game.faces) for card in group.cards)
            except NotationError as error:
                raise NotationError(f"table: {error}") from None
        asked = cls(rules, deal, rules.contract(deal), cards)
        _check_deck(asked, (), "table")
        return asked


class Answer(Struct, frozen=True):
    hand: tuple[Card, ...]
    laydown: solver.Laydown | None
    away: int
    helps: Mapping[Card, int]


def read_hand(asked: Asked, text: str, place: str) -> tuple[Card, ...]:
    """Read a hand; raise NotationError, naming `place`, for a wrong card, none, or too many copies."""
    try:
        hand = parse_cards(text, asked.rules.faces)
    except NotationError as error:
        raise NotationError(f"{place}: {error}") from None
    if not hand:
        raise NotationError(f"{place}: there are no cards in the hand")
    _check_deck(asked, hand, place)
    return hand


def find_answer(asked: Asked, hand: tuple[Card, ...]) -> Answer:
    """Solve a hand; raise NotationError if it is so big that it takes too long."""
    rules, contract = asked.rules, asked.contract
    with _limited(hand) as effort:
        away, helps = solver.useful_cards(rules, contract, hand, effort)
        laydown = solver.best_lay(rules, contract, hand, prefer_out=False, effort=effort)
    unseen = [copies - (*hand, *asked.table).count(card) for card, copies in enumerate(rules.copies)]
    return Answer(hand, laydown, away, {card: unseen[card] for card in helps if unseen[card]})


def answer_data(asked: Asked, found: Answer) -> dict[str, object]:
    faces, laydown = asked.rules.faces, found.laydown
    return {
        "hand": faces.texts(found.hand),
        "can_lay": laydown is not None,
        "left": None if laydown is None else laydown.points_left,
        "lay": None if laydown is None else [meld_text(asked.rules, group) for group in laydown.groups],
        "away": found.away,
        "helps": {faces.text(card): copies for card, copies in found.helps.items()},
    }


def answer_text(asked: Asked, found: Answer) -> str:
    faces, words = asked.rules.faces, asked.rules.ruleset.vocabulary
    size = counted(len(found.hand), "card")
    lines = [
        f"contract  {contract_text(words, asked.contract)}",
        f"hand      {faces.texts(found.hand)}   ({size}, {asked.rules.points(found.hand)} points)",
    ]
    if found.laydown is not None:
        for index, group in enumerate(found.laydown.groups):
            lines.append(f"{'lay' if index == 0 else '':<8}  {meld_text(asked.rules, group)}")
        left = found.laydown.left
        lines.append(f"left      {faces.texts(left) if left else 'nothing'}   ({found.laydown.points_left} points)")
    elif found.away:
        lines.append(f"away      {counted(found.away, 'card')}")
        helps = " ".join(f"{faces.text(card)}×{copies}" for card, copies in found.helps.items())
        lines.append(f"helps     {helps or 'no unseen card'}")
    else:
        lines.append("lay       not now: the last card must be a discard, so draw one first")
    return "\n".join(lines)


@contextmanager
def _limited(hand: Sequence[Card]) -> Iterator[Effort]:
    effort = Effort(MOST_STEPS)
    yield effort
    if effort.is_spent:
        raise NotationError(f"a hand of {len(hand)} cards takes too long to solve; hands as they are played do not")


def as_text(rules: Rules, laydown: solver.Laydown) -> BestLay:
    left = tuple(map(rules.faces.text, laydown.left))
    return BestLay(tuple(meld_text(rules, group) for group in laydown.groups), left, laydown.points_left)


def meld_text(rules: Rules, group: Group) -> str:
    """Return the meld, with `run:` only where its cards would be read as a set."""
    ruleset = rules.ruleset
    said = group.kind is Kind.RUN and judge_set(ruleset, group.cards) is None
    return print_group(group if said else Group(group.cards), ruleset.faces)


def _check_deck(asked: Asked, hand: Sequence[Card], place: str) -> None:
    seen = (*hand, *asked.table)
    for card in sorted(set(seen)):
        copies = asked.rules.copies[card]
        if seen.count(card) > copies:
            where = "hand and table hold" if asked.table and hand else "it holds"
            raise NotationError(
                f"{place}: {where} {asked.rules.faces.text(card)} {seen.count(card)} times, "
                f"and the deck for {asked.rules.seats} seats has {copies}"
            )
