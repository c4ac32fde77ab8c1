"""A panel of weak rules that answer puzzles: a puzzle is as hard as the best of them that fails it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.coach.exercises.counting import Helps
from kalooki_tui.coach.exercises.judging import Allowing, Calling, Throwing
from kalooki_tui.coach.exercises.laying import Best, Block, TackChain
from kalooki_tui.coach.exercises.melds import Repair
from kalooki_tui.coach.exercises.model import Answer, Exercise
from kalooki_tui.coach.exercises.table import Out
from kalooki_tui.engine.actions import Action, Allow, Discard, Group, Kind, Pass
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.tacks import tack
from kalooki_tui.players import make_player
from kalooki_tui.solver import distance

Rule: TypeAlias = Callable[[Exercise], Answer | None]
#: The rules from the weakest to the best, and the rating of a puzzle that none better fails.
RATINGS: Final = {"": 1000.0, "dearest": 1150.0, "pairs": 1300.0, "first-fit": 1450.0, "greedy": 1600.0,
                  "novice": 1700.0, "club": 1850.0}  # fmt: skip


def hardest(exercise: Exercise) -> str:
    """The best rule that fails the exercise; empty where none does."""
    failed = ""
    for name, rule in _RULES.items():
        answer = rule(exercise)
        if answer is not None and not exercise.judge(answer).right:
            failed = name
    return failed


def _dearest(exercise: Exercise) -> Answer | None:
    """Whatever costs most goes; nothing is called; nobody can go out; the first of two is as good."""
    match exercise:
        case Throwing() | Repair():
            return Answer((max(_naturals(exercise.hand), key=lambda card: exercise.rules.values[card]),))
        case Calling() | Allowing():
            return Answer(option=1)
        case Out():
            return Answer(option=1)
        case Block():
            return Answer(option=0)
        case TackChain():
            return Answer((max(_naturals(exercise.hand), key=lambda card: exercise.rules.values[card]),))
    return None


def _pairs(exercise: Exercise) -> Answer | None:
    """Cards of one rank go together, and nothing else does."""
    match exercise:
        case Throwing() | Repair():
            ranks = Counter(RANK[card] for card in exercise.hand if card != JOKER)
            alone = [card for card in _naturals(exercise.hand) if ranks[RANK[card]] == 1] or _naturals(exercise.hand)
            return Answer((max(alone, key=lambda card: exercise.rules.values[card]),))
        case Calling() | Allowing():
            card = None if exercise.view is None else exercise.view.discard
            has = card is not None and any(RANK[own] == RANK[card] for own in _naturals(exercise.hand))
            return Answer(option=0 if has else 1)
        case Helps():
            ranks = Counter(RANK[card] for card in exercise.held if card != JOKER)
            return Answer(tuple(card for card in exercise.hand if card == JOKER or ranks[RANK[card]] > 1))
    return None


def _first_fit(exercise: Exercise) -> Answer | None:
    """The first thing that fits, from the lowest card up, and each for itself."""
    match exercise:
        case Best():
            return _laid(exercise, key=lambda group: 0)
        case Out() | TackChain():
            fitting = [card for card in exercise.hand if _placed(exercise.rules, exercise.table, card) is not None]
            return _left(exercise, list((Counter(exercise.hand) - Counter(fitting)).elements()))
        case Helps():
            return Answer(tuple(card for card in exercise.hand if card == JOKER or _near(card, exercise.held)))
        case Throwing():
            loose = [card for card in _naturals(exercise.hand) if not _near(card, _without(exercise.hand, card))]
            return Answer(((loose or _naturals(exercise.hand))[0],))
        case Calling() | Allowing():
            card = None if exercise.view is None else exercise.view.discard
            return Answer(option=0 if card is not None and (card == JOKER or _near(card, exercise.hand)) else 1)
    return None


def _greedy(exercise: Exercise) -> Answer | None:
    """What gains most at once: one thing after another, never a swap."""
    match exercise:
        case Best():
            return _laid(exercise, key=lambda group: -exercise.rules.points(group.cards))
        case Out() | TackChain():
            table, left = list(exercise.table), sorted(exercise.hand, key=lambda card: -exercise.rules.values[card])
            for _ in exercise.hand:
                for card in left:
                    found = _placed(exercise.rules, table, card)
                    if found is not None:
                        place, meld = found
                        table[place] = meld
                        left.remove(card)
                        break
            return _left(exercise, left)
        case Throwing():
            cards = _naturals(exercise.hand)
            away = {card: distance(exercise.rules, exercise.contract, _without(exercise.hand, card)) for card in cards}
            return Answer((min(cards, key=lambda card: (away[card], -exercise.rules.values[card])),))
    return None


def _by_level(level: str) -> Rule:
    """An AI player of that level."""

    def answer(exercise: Exercise) -> Answer | None:
        if not isinstance(exercise, Throwing | Calling | Allowing):
            return None
        assert exercise.view is not None
        return answer_of(make_player(level, "panel").decide(exercise.view).action)

    return answer


def answer_of(action: Action) -> Answer:
    """What an action answers to an exercise of judgement."""
    if isinstance(action, Discard):
        return Answer((action.card,))
    return Answer(option=1 if isinstance(action, Pass | Allow) else 0)


_RULES: Final[dict[str, Rule]] = {
    "dearest": _dearest,
    "pairs": _pairs,
    "first-fit": _first_fit,
    "greedy": _greedy,
    "novice": _by_level("novice"),
    "club": _by_level("club"),
}


def _naturals(cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card != JOKER]


def _without(cards: Sequence[Card], card: Card) -> list[Card]:
    rest = list(cards)
    rest.remove(card)
    return rest


def _near(card: Card, others: Sequence[Card]) -> bool:
    """Whether the card goes with another: of its rank, or next to it in its suit."""
    return any(
        RANK[own] == RANK[card] or (SUIT[own] == SUIT[card] and abs(RANK[own] - RANK[card]) == 1)
        for own in _naturals(others)
    )


def _left(exercise: Exercise, left: Sequence[Card]) -> Answer:
    """What stays, as the answer to what is asked."""
    if isinstance(exercise, Out):
        return Answer(option=0 if len(left) <= 1 else 1)
    return Answer(tuple(sorted(left)))


def _placed(rules: Rules, table: Sequence[Meld], card: Card) -> tuple[int, Meld] | None:
    """The first meld that takes the card as it lies, and what becomes of it."""
    for place, meld in enumerate(table):
        try:
            return place, tack(rules, 0, meld, (card,), None)
        except Refused:
            continue
    return None


def _laid(exercise: Best, key: Callable[[Group], float]) -> Answer | None:
    """Melds without jokers, one after another in the order of the key, until the contract is there."""
    rules, contract = exercise.rules, exercise.contract
    left, groups = Counter(exercise.hand), list[Group]()
    wanted: dict[Kind | None, int] = {Kind.SET: contract.sets, Kind.RUN: contract.runs}
    for group in sorted(_melds(rules, exercise.hand), key=key):
        if wanted[group.kind] and not Counter(group.cards) - left:
            wanted[group.kind] -= 1
            left -= Counter(group.cards)
            groups.append(group)
    return Answer(groups=tuple(groups))


def _melds(rules: Rules, hand: Sequence[Card]) -> list[Group]:
    """Sets of all cards of a rank and runs as long as they go, from the lowest card up."""
    held, found = Counter(_naturals(hand)), list[Group]()
    for card in sorted(held, key=lambda card: (RANK[card], SUIT[card])):
        same = [own for own in sorted(held.elements()) if RANK[own] == RANK[card]]
        if same[0] == card and len(same) >= rules.ruleset.sets.minimum:
            found.append(Group(tuple(same), Kind.SET))
        run = [card]
        while SUIT[run[-1] + 1] == SUIT[card] and run[-1] + 1 in held and run[-1] + 1 != JOKER:
            run.append(run[-1] + 1)
        if len(run) >= rules.ruleset.runs.minimum:
            found.append(Group(tuple(run), Kind.RUN))
    return found
