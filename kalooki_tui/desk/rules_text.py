"""A game's rules in sentences, made from its ruleset: what the model says is what is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT
from kalooki_tui.desk.words import contract_words
from kalooki_tui.rulesets.model import Ruleset, card_values

#: A sentence, and the clauses it comes from.
Line = tuple[str, str]


def rules_text(ruleset: Ruleset) -> list[tuple[str, list[Line]]]:
    """Headings with their lines."""
    return [
        ("Melds", list(_melds(ruleset))),
        ("Contracts", list(_contracts(ruleset))),
        ("Drawing and calling", list(_drawing(ruleset))),
        ("Tacking and swapping", list(_adding(ruleset))),
        ("Going out and scoring", list(_scoring(ruleset))),
    ]


def _melds(ruleset: Ruleset) -> Iterator[Line]:
    words, sets, runs = ruleset.vocabulary, ruleset.sets, ruleset.runs
    suits = ", all of different suits" if sets.suits == "distinct" else "; suits do not matter"
    most = f" to {sets.maximum}" if sets.maximum else " or more"
    yield f"A {words.set} is {sets.minimum}{most} cards of one rank{suits}.", "M1"
    yield (
        f"A {words.run} is {runs.minimum} or more cards of one suit in a row; the ace is high or low, only at an end.",
        "M2, M3",
    )
    yield (
        f"A {words.joker} stands for any card. A {words.set} needs {sets.naturals} or more that are no {words.jokers}.",
        "M5, M7",
    )
    if not runs.kisses:
        yield f"Two {words.jokers} never lie side by side in a {words.run}.", "M6"
    if runs.jokers_when_shortest is not None:
        yield (
            f"A {words.run} laid with {runs.minimum} cards holds at most {runs.jokers_when_shortest} {words.joker}.",
            "M9",
        )
    if ruleset.lay.repeats == "refused":
        yield f"All your {words.sets} are of different ranks and all your {words.runs} of different suits.", "M8"


def _contracts(ruleset: Ruleset) -> Iterator[Line]:
    words = ruleset.vocabulary
    for number, contract in enumerate(ruleset.deals, 1):
        asked = contract_words(contract, words)
        which = f"{words.deal.capitalize()} {number}" if len(ruleset.deals) > 1 else f"Every {words.deal}"
        yield f"{which}: {asked}, from {contract.cards} cards.", "L5" if contract.points else "L2-L4"
    yield (
        f"The first lay-down holds the whole contract, and may hold more. Only then do you {words.tack} or swap.",
        "L1, L9",
    )
    if ruleset.lay.full_suit_for_three_runs:
        yield f"Where three {words.runs} are asked for, one complete suit will do.", "L6"


def _drawing(ruleset: Ruleset) -> Iterator[Line]:
    calls = ruleset.calls
    if ruleset.draw.offer == "flip":
        yield (
            "The discard must be called, and costs a penalty card; then a card is flipped that the other may call.",
            "U1-U4",
        )
    else:
        yield "A turn begins with a card of the stock or the top discard.", "C1"
    if ruleset.draw.laid_seat == "stock":
        yield "Once you have laid you draw from the stock only.", "C1"
    if calls.limit == 0:
        yield "There are no calls: only the seat whose turn it is may take the discard.", "C10"
        return
    yield (
        f"Others may call the discard before you draw, {calls.limit} times each; a call costs a penalty card.",
        "C2-C5",
    )
    if ruleset.draw.offer == "take":
        yield "You allow the call and draw from the stock, or refuse it and take the discard yourself.", "C4, C6"
    if not calls.laid_seat:
        yield "A seat that has laid calls no more.", "C9"


def _adding(ruleset: Ruleset) -> Iterator[Line]:
    words, tack = ruleset.vocabulary, ruleset.tack
    yield f"Once you have laid you may add cards to anybody's melds: a {words.set} takes cards of its rank.", "K1"
    if tack.run_growth == "high-then-low":
        yield f"A {words.run} grows at its high end; only when that is the ace, at the low end.", "K2"
    else:
        yield f"A {words.run} grows at either end.", "K3"
    if tack.jokers == "own-melds":
        yield f"A {words.joker} goes onto your own melds only.", "K5"
    if tack.end_limit is not None:
        yield f"At most {tack.end_limit} cards go onto one end of a {words.run} in one turn.", "K6"
    yield f"You may put the real card in a {words.joker}'s place. {_SWAPS[ruleset.swap][0]}", _SWAPS[ruleset.swap][1]


_SWAPS: Final[dict[str, Line]] = {
    "high-then-low": ("In a run it moves to the high end, or past the ace to the low end.", "K7"),
    "up-only": ("In a run it moves up, if there is room.", "K8"),
    "free-own": ("In a run of yours it comes to your hand, in another's it moves to an end.", "K9"),
    "use-at-once": ("You use it in the same move.", "K10"),
}


def _scoring(ruleset: Ruleset) -> Iterator[Line]:
    words = ruleset.vocabulary
    if ruleset.discard.jokers:
        yield f"Any card may be discarded, {words.jokers} too.", "S1"
    else:
        yield f"Any card may be discarded but {words.jokers}.", "S1"
    if ruleset.discard.last_card == "discard":
        yield "Your last card must be a discard.", "G1"
    else:
        yield "The deal ends when a hand is empty, with a discard or without.", "G1"
    if ruleset.score.add_on:
        yield "After that every other seat that has laid may add on once more.", "G5"
    yield "The others score what they hold: " + _values(ruleset) + ".", "G2, G3"
    if ruleset.score.doubling == "bend":
        yield f"Going out in the turn of your first lay-down ({words.bend}) doubles the others' cards.", "G4"
    elif ruleset.score.doubling == "first-bend":
        yield f"To {words.bend} (go out in the turn you lay) before another has laid doubles the others' cards.", "G4"
    if ruleset.end.after == "elimination":
        yield f"A total over {ruleset.end.eliminate_over} is out; the last seat left takes the pool.", "P3, P4"
    else:
        yield f"After {len(ruleset.deals)} contracts the lowest total wins.", "G6"


def _values(ruleset: Ruleset) -> str:
    """Values of the cards, those that count their number left out."""
    faces, values = ruleset.faces, card_values(ruleset)
    by_value: dict[int, list[str]] = {}
    for rank in range(1, 14):
        kinds = [card for card in range(KINDS_OF_CARD) if RANK[card] == rank]
        of_rank = {values[card] for card in kinds}
        name = faces.rank_name(rank)
        if of_rank == {int(name) if name.isdigit() else None}:
            continue
        if len(of_rank) == 1:
            by_value.setdefault(of_rank.pop(), []).append(name)
        else:
            for card in kinds:
                by_value.setdefault(values[card], []).append(faces.suit_names[SUIT[card]] + " " + name)
    by_value.setdefault(values[JOKER], []).append(ruleset.vocabulary.joker)
    named = [f"{', '.join(names)} {value}" for value, names in sorted(by_value.items(), reverse=True)]
    return "; ".join(named) + "; the other cards count their number"
