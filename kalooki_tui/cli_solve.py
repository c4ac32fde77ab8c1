"""The answers of ``kalooki solve``: what a hand can lay, how far it is from the contract, which cards help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import contract_text, judge_set
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.notation.cards import parse_cards, parse_groups, print_group
from kalooki_tui.notation.errors import NotationError
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import Laydown, best_lay, useful_cards


@dataclass(frozen=True, slots=True)
class Asked:
    """The game in which hands are asked about."""

    rules: Rules
    deal: int
    contract: Contract
    table: tuple[Card, ...]
    """Cards of the melds on the table."""

    @classmethod
    def read(cls, ruleset: str, options: Sequence[str], seats: int | None, deal: int, table: str) -> Asked:
        """The game that the command line names.

        Raises:
            InputError, NotationError: the ruleset, an option, the seats, the deal or the table is wrong.
        """
        loaded = load_ruleset(ruleset)
        seats = loaded.seat_counts[0] if seats is None else seats
        game = resolve(loaded, options, seats)
        try:
            rules = make_rules(game, seats)
        except ValueError as error:
            raise NotationError(f"--seats: {error}") from None
        last = len(game.deals)
        if deal < 1 or (deal > last and game.end.after == "last-deal"):
            raise NotationError(f"--deal: {game.name} has deals 1 to {last}, not {deal}")
        cards: tuple[Card, ...] = ()
        if table.strip():
            try:
                cards = tuple(card for group in parse_groups(table, game.faces) for card in group.cards)
            except NotationError as error:
                raise NotationError(f"--table: {error}") from None
        asked = cls(rules, deal, rules.contract(deal), cards)
        _check_deck(asked, (), "--table")
        return asked


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of one hand."""

    hand: tuple[Card, ...]
    laydown: Laydown | None
    """The lay-down that leaves the fewest points."""
    away: int
    helps: dict[Card, int]
    """Cards that bring the hand nearer, with the copies not yet seen; none of which every copy is seen."""


def read_hand(asked: Asked, text: str, place: str) -> tuple[Card, ...]:
    """The hand a text names.

    Raises:
        NotationError: naming `place`; a word is not a card, there are none, or the deck has not so many.
    """
    try:
        hand = parse_cards(text, asked.rules.faces)
    except NotationError as error:
        raise NotationError(f"{place}: {error}") from None
    if not hand:
        raise NotationError(f"{place}: there are no cards in the hand")
    _check_deck(asked, hand, place)
    return hand


def _copies(rules: Rules, card: Card) -> int:
    return rules.jokers if card == JOKER else rules.packs


def _check_deck(asked: Asked, hand: Sequence[Card], place: str) -> None:
    seen = (*hand, *asked.table)
    for card in sorted(set(seen)):
        copies = _copies(asked.rules, card)
        if seen.count(card) > copies:
            where = "hand and table hold" if asked.table and hand else "it holds"
            raise NotationError(
                f"{place}: {where} {asked.rules.faces.text(card)} {seen.count(card)} times, "
                f"and the deck for {asked.rules.seats} seats has {copies}"
            )


def answer(asked: Asked, hand: tuple[Card, ...]) -> Answer:
    """Solve one hand."""
    rules, contract = asked.rules, asked.contract
    away, helps = useful_cards(rules, contract, hand)
    unseen = {card: _copies(rules, card) - hand.count(card) - asked.table.count(card) for card in range(KINDS_OF_CARD)}
    laydown = best_lay(rules, contract, hand, prefer_out=False)
    return Answer(hand, laydown, away, {card: unseen[card] for card in helps if unseen[card]})


def answer_data(asked: Asked, found: Answer) -> dict[str, object]:
    """The answer for programs."""
    faces, laydown = asked.rules.faces, found.laydown
    return {
        "hand": faces.texts(found.hand),
        "can_lay": laydown is not None,
        "left": None if laydown is None else laydown.points_left,
        "lay": None if laydown is None else [_meld_text(asked, group) for group in laydown.groups],
        "away": found.away,
        "helps": {faces.text(card): copies for card, copies in found.helps.items()},
    }


def _meld_text(asked: Asked, group: Group) -> str:
    """The meld, with `run:` before it only where its cards would be read as a set otherwise."""
    ruleset = asked.rules.ruleset
    said = group.kind is Kind.RUN and judge_set(ruleset, group.cards) is None
    return print_group(group if said else Group(group.cards), ruleset.faces)


def answer_text(asked: Asked, found: Answer) -> str:
    """The answer for people."""
    faces, words = asked.rules.faces, asked.rules.ruleset.vocabulary
    lines = [
        f"contract  {contract_text(words, asked.contract)}",
        f"hand      {faces.texts(found.hand)}   ({len(found.hand)} cards, {asked.rules.points(found.hand)} points)",
    ]
    if found.laydown is not None:
        for index, group in enumerate(found.laydown.groups):
            lines.append(f"{'lay' if index == 0 else '':<8}  {_meld_text(asked, group)}")
        left = found.laydown.left
        lines.append(f"left      {faces.texts(left) if left else 'nothing'}   ({found.laydown.points_left} points)")
    elif found.away:
        lines.append(f"away      {found.away} {'card' if found.away == 1 else 'cards'}")
        helps = " ".join(f"{faces.text(card)}×{copies}" for card, copies in found.helps.items())
        lines.append(f"helps     {helps or 'no card not yet seen'}")
    else:
        lines.append("lay       not now: the last card must be a discard, so draw one first")
    return "\n".join(lines)
