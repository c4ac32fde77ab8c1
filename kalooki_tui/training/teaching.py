"""What a teacher shows at a table: a deal's contract in cards, and at its end how far everybody was."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from kalooki_tui.coach.exercises.dice import asked_melds, cards_of, may_be, one_wrong
from kalooki_tui.coach.exercises.kinds.hand_questions import Melds, drawn_melds, why_not_laid
from kalooki_tui.coach.rated_advice import hint
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.solver import distance
from kalooki_tui.wording import capital, counted

#: Tries to draw melds that almost make a contract.
MOST_TRIES: Final = 400


class ContractLesson(NamedTuple):
    """Contract of a deal in cards."""

    changes: str
    makes: tuple[Melds, ...]
    fails: Melds
    """Melds that almost make it; empty: none were found."""
    why: Refusal | None
    """Rule that these break."""


def contract_lesson(rules: Rules, deal: int, seed: int) -> ContractLesson:
    """Draw two lay-downs of a deal's contract and one that almost is; the same seed draws the same cards."""
    dice, contract = random.Random(f"{seed}/contract {deal}"), rules.contract(deal)
    kinds = [(Kind.SET, 0), (Kind.RUN, 0), (Kind.RUN, 0), (Kind.SET, 0)]
    asked = asked_melds(rules, contract) or kinds
    makes = list[Melds]()
    for _ in range(2):
        drawn = (_made(rules, contract, asked, dice) for _ in range(MOST_TRIES))
        makes += [next(melds for melds in drawn if melds not in makes)]
    fails, why = _almost(rules, contract, asked, dice)
    return ContractLesson(changes_words(rules.ruleset, deal), tuple(makes), fails, why)


def _made(rules: Rules, contract: Contract, asked: Sequence[tuple[Kind, int]], dice: random.Random) -> Melds:
    for _ in range(MOST_TRIES):
        melds = drawn_melds(rules, dice, asked)
        if melds is not None and why_not_laid(rules, contract, melds) is None:
            return melds
    return ()


def _almost(
    rules: Rules, contract: Contract, asked: Sequence[tuple[Kind, int]], dice: random.Random
) -> tuple[Melds, Refusal | None]:
    """Spoil one card of a lay-down, so that its cards are one short of the contract."""
    for _ in range(MOST_TRIES):
        melds = _made(rules, contract, asked, dice)
        if not melds:
            break
        place = dice.randrange(len(melds))
        spoilt = Group(one_wrong(melds[place].cards, dice), melds[place].kind)
        tried = (*melds[:place], spoilt, *melds[place + 1 :])
        why = why_not_laid(rules, contract, tried)
        if why is not None and may_be(rules, cards_of(tried)) and distance(rules, contract, cards_of(tried)) == 1:
            return tried, why
    return (), None


def changes_words(ruleset: Ruleset, deal: int) -> str:
    """Say what is new in a deal's contract after the one before it in the whole game."""
    contract, words = ruleset.deals[min(deal, len(ruleset.deals)) - 1], ruleset.vocabulary
    if contract.points:
        return f"Every {words.deal} asks for the same: {contract_words(contract, words)}."
    before = _before(ruleset, deal)
    if before is None:
        return f"The first {words.deal} of the {words.match}: {contract_words(contract, words)}."
    more, asked = contract.cards - before.cards, capital(contract_words(contract, words))
    cards = f"{counted(abs(more), 'card')} {'more' if more > 0 else 'fewer'}" if more else "the same number of cards"
    return f"{asked}, after {contract_words(before, words)} in the {words.deal} before; {cards}."


def _before(ruleset: Ruleset, deal: int) -> Contract | None:
    """Return the contract before a deal's in the whole game, where only some of its deals are played too."""
    number, deals = ruleset.deals[deal - 1].number or deal, ruleset.deals
    if ruleset.deals[deal - 1].number:
        with suppress(InputError):
            deals = load_ruleset(ruleset.id).deals
    return deals[number - 2] if 1 < number <= len(deals) else None


def how_far(view: View, seats: Iterable[int]) -> list[str]:
    """Say of each of these seats, once a deal is scored, whether it had laid or how far it was from the contract."""
    hands = next((event.hands for event in reversed(view.history) if isinstance(event, Scored)), None)
    told = []
    for seat in seats if hands is not None else ():
        name, laid = view.names[seat], has_laid(view, seat)
        away = 0 if laid or hands is None else distance(view.rules, view.contract, hands[seat])
        far = f"ended {counted(away, 'card')} from the contract" if away else "held the contract and did not lay it"
        told.append(f"{name} laid the contract." if laid else f"{name} {far}.")
    return told


def answer_words(view: View) -> str:
    """Say what the seat to act could best do, and the fact that speaks for it, if one does."""
    try:
        found = hint(view)
    except ValueError:
        return "No fact speaks for one answer here."
    return f"{found.suggestion} {found.reason}"
