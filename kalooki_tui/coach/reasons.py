"""A fact that decides, as a sentence: what hints, warnings, exercises, puzzles and reviews give as their reason.

The sentences are data (`texts/en/facts.yaml`). Their slots:

- `card`, `best`: the card that is better kept, or lies open; the one that is better thrown
- `mates`, `beside`: cards of the hand that go with the one, and with the other
- `spare`, `lost`, `left`, `taken`: cards over; that would no longer help; that stay; that a seat has taken
- `after`, `best_after`, `away`: cards from the contract without `card` or with the open card; without `best`; now
- `helps`, `best_helps`, `unseen`: unseen cards that bring the hand nearer without the one and the other; all unseen
- `points`, `best_points`, `price`: what cards cost; what an unseen card costs on average
- `calls`: calls left; `seat`, `seat_cards`: another seat, and how many cards it holds; `meld`: such as ``m3``
- `lay_chance`, `end_chance`: chances from self-play (`judging.chances`), such as ``1 time in 7``
- `gain`, `error`, `worlds`: points from playouts, two standard errors of them, and how often was played
- `who`: the seat whose action it was, where others read it
- `contract`, `deal`, `joker`: the ruleset's own words; `fact`: the sentence of the fact itself
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.coach.catalogue import sentences, slots
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import View
from kalooki_tui.judging.differences import Fact
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.recommending import fact_for
from kalooki_tui.playouts.means import Mean
from kalooki_tui.wording import Person, counted

#: Cards of a list that are named; of more, the first and how many there are besides.
MOST_NAMED: Final = 4
_CARDS: Final = frozenset({"card", "best", "mates", "beside", "spare", "lost", "left", "taken"})
_COUNTS: Final = {"after": "card", "calls": "call", "seat_cards": "card"}
#: Standard errors by which one choice must come out better to be called so.
SURE: Final = 2.0
#: Facts in which the distance is a plain number: ``From 4 away to 3``.
_PLAIN: Final = frozenset(("after", case) for case in ("call-nearer", "call-price", "take-nearer"))


def reason_of(view: View, action: Action) -> str:
    """Why a seat did this, for others to read once its hand lies open; empty where there was nothing to choose.

    It is the fact that speaks for the action, whoever or whatever chose it: a seat that did something else today than
    in the match, a program or a person gets the same sentence.
    """
    situation = Situation(view)
    try:
        fact = fact_for(situation, action)
    except ValueError:
        return ""
    return "" if fact is None else _fill(situation, fact, "they")


def reason(situation: Situation, fact: Fact, played: Mean | None = None, contrary: Fact | None = None) -> str:
    """The sentence of a fact; where it explains nothing, the fact that speaks against it and what playing on found."""
    words = _fill(situation, fact)
    if fact.explains:
        return words
    if contrary is not None:
        named = {"card": card_words(situation, contrary.slots["best"])} if "best" in contrary.slots else {}
        case = "contrary-throw" if named else "contrary"
        words = sentences("facts")["more"][case].format(fact=_fill(situation, contrary), **named)
    if played is None:
        return words
    is_sure, error = played.is_beyond(0.0, SURE), max(1.0, SURE * played.error)
    numbers = {"gain": f"{played.points:.0f}", "error": f"{error:.0f}", "worlds": str(played.worlds)}
    return sentences("facts")["more"]["played" if is_sure else "played-alike"].format(fact=words, **numbers)


def chance_words(chance: float) -> str:
    """A chance as people say it: ``1 time in 7``, ``4 times in 10``."""
    if chance < 0.3:
        return f"1 time in {min(100, max(2, round(1 / max(chance, 0.01))))}"
    return f"{min(9, round(chance * 10))} times in 10"


def card_words(situation: Situation, cards: Card | Iterable[Card], *, every: bool = False) -> str:
    """Cards as the screen shows them, the first few or `every` one by name."""
    faces = situation.rules.faces
    if isinstance(cards, int):
        return faces.symbol(cards)
    found = tuple(cards)
    if every:
        return faces.symbols(found)
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return (faces.symbols(found[:MOST_NAMED]) or "nothing") + more


def _fill(situation: Situation, fact: Fact, told: str = "you") -> str:
    sentence = sentences("facts")[told][fact.case]
    return sentence.format(**{name: _slot(situation, fact, name) for name in slots(sentence)})


def _slot(situation: Situation, fact: Fact, name: str) -> object:
    rules, vocabulary = situation.rules, situation.rules.ruleset.vocabulary
    if name in fact.slots:
        value = fact.slots[name]
        if name in _CARDS:
            return card_words(situation, value, every=name == "spare")
        if name == "seat":
            return Person(situation.view.names[value])
        if name == "meld":
            return f"m{value + 1}"
        if name in _COUNTS and (name, fact.case) not in _PLAIN:
            return counted(value, _COUNTS[name])
        return value
    match name:
        case "who":
            return Person(situation.view.names[situation.view.seat])
        case "contract":
            points = situation.view.contract.points
            return f"{points} points" if points else "contract"
        case "deal":
            return vocabulary.deal
        case "joker":
            return vocabulary.joker
        case "lay_chance":
            after = situation.without(fact.slots["best"])
            return chance_words(situation.chances.lay_within(after.away, 1, after.share))
        case "end_chance":
            return chance_words(situation.chances.end_before_turn(situation.others_laid))
    raise KeyError(f"no slot {name!r} in {fact.case!r} of {rules.ruleset.id}")
