"""A game's rules in sentences, made from its ruleset: what the model says is what is told.

With the rules of one match the table's choices are told too: its seats, its referee, its amounts and switches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, SUITS, Card, make_card
from kalooki_tui.desk.words.deals import NUMBERS, contract_words
from kalooki_tui.desk.words.rules_of_match import cut_lines, penalty_lines, pool_lines, seat_lines, stock_lines
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Ruleset, card_values
from kalooki_tui.wording import capital

_CLAUSE: Final = re.compile(r"^([A-Z]\d+)[a-z]$")


class Line(NamedTuple):
    """A sentence or two, and the clauses they come from."""

    text: str
    clauses: str

    def has(self, clause: str) -> bool:
        """Whether it tells of that clause."""
        return clause in self.clauses.split(", ")


class Section(NamedTuple):
    """A heading and its lines."""

    heading: str
    lines: tuple[Line, ...]


def rules_text(ruleset: Ruleset, match: Rules | None = None) -> list[Section]:
    """The rules under headings; `match`: as one table plays them."""
    sections = (
        ("A turn", _turn(ruleset)),
        ("Melds", _melds(ruleset)),
        ("Contracts", _contracts(ruleset)),
        ("Drawing and calling", _drawing(ruleset, match)),
        ("Tacking and swapping", _adding(ruleset)),
        ("Going out and scoring", _scoring(ruleset)),
        ("When the stock runs out", stock_lines(ruleset, match)),
        ("The referee", penalty_lines(ruleset, match)),
        ("The dealer's cut", cut_lines(ruleset, match)),
        ("Stakes and the pool", pool_lines(ruleset, match)),
        ("Seats and cards", seat_lines(ruleset, match)),
    )
    made = [Section(heading, tuple(Line(*line) for line in lines)) for heading, lines in sections]
    return [section for section in made if section.lines]


def find_clause(sections: Sequence[Section], clause: str) -> Line | None:
    """The first line that tells of a clause; of a part of it (``D26a``) where the part has no line of its own."""
    wanted = [clause, *(found[1] for found in [_CLAUSE.match(clause)] if found)]
    lines = [line for section in sections for line in section.lines]
    return next((line for one in wanted for line in lines if line.has(one)), None)


def _turn(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    words = ruleset.vocabulary
    yield (
        f"A turn: draw one card, then {words.lay}, {words.tack} and swap what you can, then throw one card.",
        "T1, D8, D14",
    )
    exceptions = ["calls and the answers to them"] if ruleset.calls.limit else []
    exceptions += ["challenges"] if ruleset.infractions and ruleset.infractions.over_call else []
    exceptions += ["the final add-on"] if ruleset.score.add_on else []
    besides = f" The only exceptions: {', '.join(exceptions)}." if exceptions else ""
    yield f"Turns pass to the left, and only the seat whose turn it is acts.{besides}", "T2"
    yield "You see your own hand and what lies open; of the other hands, only the number of cards.", "V1, V2"


def _melds(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    words, sets, runs = ruleset.vocabulary, ruleset.sets, ruleset.runs
    if ruleset.deck == "colours":
        names = zip(ruleset.faces.suit_names, ruleset.faces.suit_letters, strict=True)
        yield f"The suits are four colours: {', '.join(f'{name} ({letter})' for name, letter in names)}.", "M1, M8"
    suits = ", all of different suits" if sets.suits == "distinct" else "; suits do not matter"
    most = f" to {sets.maximum}" if sets.maximum else " or more"
    yield f"A {words.set} is {sets.minimum}{most} cards of one rank{suits}.", "M1"
    yield (
        f"A {words.run} is {runs.minimum} or more cards of one suit in a row; the ace is high or low, only at an end.",
        "M2, M3",
    )
    if runs.longest == 14:
        yield f"The longest {words.run} has 14 cards: a whole suit, with an ace at each end.", "M4, D19"
    else:
        yield f"A {words.run} of a complete suit, 13 cards, takes no more.", "M4"
    yield (
        (
            f"A {words.joker} stands for any card. A {words.set} needs {NUMBERS[sets.naturals]} or more cards that "
            f"are not {words.jokers}, a {words.run} {NUMBERS[runs.naturals]} or more."
        ),
        "M5, M7",
    )
    if runs.kisses:
        yield f"{capital(words.jokers)} may lie side by side in a {words.run}.", "M6"
    else:
        yield f"Two {words.jokers} never lie side by side in a {words.run}.", "M6, K4"
    if runs.jokers_when_shortest is not None:
        yield (
            f"A {words.run} laid with {runs.minimum} cards holds at most {runs.jokers_when_shortest} {words.joker}.",
            "M9",
        )
    if ruleset.lay.repeats == "refused":
        yield f"All your {words.sets} are of different ranks and all your {words.runs} of different suits.", "M8"
    else:
        yield f"You may lay several {words.sets} of one rank and several {words.runs} of one suit.", "M8, D28"


def _contracts(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    words = ruleset.vocabulary
    for number, contract in enumerate(ruleset.deals, 1):
        asked = contract_words(contract, words)
        which = f"{capital(words.deal)} {number}" if len(ruleset.deals) > 1 else f"Every {words.deal}"
        yield f"{which}: {asked}, from {contract.cards} cards.", "L5" if contract.points else "L2, L3, L4"
    if any(contract.points for contract in ruleset.deals):
        yield (
            (
                f"For these points a {words.joker} counts as the card it stands for and an ace always "
                f"{max(card_values(ruleset)[:JOKER])}; cards added to other melds do not count."
            ),
            "L5, D1a",
        )
        yield f"The first lay-down must be worth that much at once. Only then do you {words.tack} or swap.", "L1, L9"
    else:
        yield (
            f"The first lay-down holds the whole contract, and may hold more. Only then do you {words.tack} or swap.",
            "L1, L9",
        )
    if ruleset.lay.full_suit_for_three_runs:
        yield f"If exactly three {words.runs} are asked for, one complete suit is enough.", "L6"
    if ruleset.lay.further_melds:
        yield "Once you have laid you may lay more melds, in the same turn or a later one.", "L8, D16"
    else:
        yield "Once you have laid you lay no more melds.", "L8"
    yield f"What is laid stays on the table until the {words.deal} is over.", "L7"


def _drawing(ruleset: Ruleset, match: Rules | None) -> Iterator[tuple[str, str]]:
    calls, words = ruleset.calls, ruleset.vocabulary
    if ruleset.draw.offer == "flip":
        yield from _flip(ruleset)
    else:
        yield "A turn begins with the top card of the stock or the top discard.", "C1, D2, U4"
        if ruleset.draw.laid_seat == "stock":
            yield "Once you have laid you draw from the stock only.", "C1"
        else:
            yield "You may take the discard after you have laid, too.", "C1, D28"
    if calls.limit == 0:
        yield "There are no calls: only the seat whose turn it is may take the discard.", "C10, C2"
        return
    price = f"a {words.call} costs a penalty card from the stock"
    if ruleset.draw.offer == "take":
        yield (
            f"Before the draw another seat may {words.call} the discard, but not a card it threw itself; {price}.",
            "C2, C4",
        )
        yield f"You allow the {words.call} and draw from the stock, or refuse it and take the discard.", "C4, C6"
        if ruleset.draw.laid_seat == "stock":
            yield "A seat that has laid cannot refuse: it allows at once.", "C6, C7"
        yield f"After a {words.call} the card that lies on top is dead: nobody takes or calls it.", "C4, C8"
    yield f"{calls.limit} {words.call}s per seat in a {words.deal}; one that is refused does not count.", "C5"
    yield from _order_of_calls(ruleset, match)
    if calls.laid_seat:
        yield f"A seat that has laid may {words.call}.", "C9, D28"
    else:
        yield f"A seat that has laid may not {words.call}.", "C9"
    yield f"Once the card for the turn is drawn from the stock, nobody may {words.call}.", "C8"


def _flip(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    words = ruleset.vocabulary
    flip = words.flip
    yield (
        (
            f"The discard is yours only if you {words.call} it, with a penalty card; nobody can refuse that. "
            f"The card turned up first counts as the dealer's discard."
        ),
        "U1, U5, D2",
    )
    yield f"Then the top of the stock is turned up: the {flip}. A {words.joker} goes to you, as your draw.", "U2, D31"
    yield (
        (
            f"The seat that threw may {words.call} any other {flip}, with a penalty card. You allow that, or take the "
            f"{flip} as your draw."
        ),
        "U3, C6",
    )
    yield (
        (
            f"If it was not called, you draw the {flip} or the top of the stock. A {flip} not taken lies on the "
            f"discards, dead."
        ),
        "U4, C4",
    )
    if ruleset.draw.laid_seat == "stock":
        yield f"Once you have laid you draw from the stock only, and must allow a {words.call}.", "C1, C7, D17"
    yield f"With two players there are no other {words.call}s: only the turn seat and the thrower.", "D3, C2"


def _order_of_calls(ruleset: Ruleset, match: Rules | None) -> Iterator[tuple[str, str]]:
    call = ruleset.vocabulary.call
    one = f"There is one {call} a turn"
    if match is None:
        yield (
            f"{one}: seats are asked in turn from the left; if the table wants, the fastest wins.",
            "C3, D4, D30",
        )
    elif match.settings.race:
        yield f"{one}: the first to press a key gets it.", "C3, D4, D30"
    else:
        yield f"{one}: seats are asked one after another, from the left of the seat to draw.", "C3, D4, D30"


def _adding(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    words, tack, sets = ruleset.vocabulary, ruleset.tack, ruleset.sets
    limit = f", up to {sets.maximum}, suits all different" if sets.maximum else ""
    yield (
        f"Once you have laid you may add cards to anybody's melds: a {words.set} takes cards of its rank{limit}.",
        "K1",
    )
    if tack.run_growth == "high-then-low":
        yield f"A {words.run} grows at its high end; only when that is the ace, at the low end.", "K2"
    else:
        yield f"A {words.run} grows at either end.", "K3"
    yield "If both ends fit, you say which.", "D6"
    if tack.jokers == "own-melds":
        yield f"A {words.joker} goes onto your own melds only.", "K5, K4"
    else:
        yield f"A {words.joker} may be added to anybody's melds.", "K4"
    if tack.end_limit is not None:
        yield f"At most {tack.end_limit} cards go onto one end of a {words.run} in one turn.", "K6"
    where, clauses = _SWAPS[ruleset.swap]
    where = where.format(joker=words.joker, run=words.run, set=words.set)
    yield f"You may put the real card in a {words.joker}'s place. {where}", clauses
    if ruleset.swap != "use-at-once":
        yield f"A {words.joker} in a {words.set} never moves.", "K11"
    if ruleset.swap in ("free-own", "use-at-once"):
        yield (
            f"If {words.jokers} stand for both aces of a {words.run}, the high one is meant unless you name the low.",
            "D26",
        )


_SWAPS: Final[dict[str, tuple[str, str]]] = {
    "high-then-low": (
        "In a {run} the {joker} moves to the high end, or past the ace to the low end; without room it is refused.",
        "K7, D26, D26a",
    ),
    "up-only": ("In a {run} the {joker} moves up; where there is no room above, it is refused.", "K8, K7, D26"),
    "free-own": ("In a {run} of yours the {joker} comes to your hand; in another's you choose an end.", "K9, K7"),
    "use-at-once": (
        "The {joker}, of a {set} too, must be used in the same move, in a new meld or added to one.",
        "K10, K11, D5, D20",
    ),
}


def _scoring(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    words = ruleset.vocabulary
    if ruleset.discard.jokers:
        yield f"Any card may be discarded, {words.jokers} too.", "S1"
    else:
        yield f"Any card except {words.jokers} may be discarded.", "S1"
        yield (
            f"A seat with nothing but {words.jokers} ends its turn without a discard; the top card is then dead.",
            "D8",
        )
    if ruleset.discard.last_card == "discard":
        yield f"The {words.deal} ends when a hand is empty. Your last card must be a discard.", "G1"
    else:
        yield f"The {words.deal} ends when a hand is empty, with a discard or without.", "G1, D21"
    if ruleset.score.add_on:
        yield (
            "Every other seat that has laid may then add on once more; a hand emptied this way scores nothing.",
            "G5",
        )
    yield f"The others score what they hold: {_values(ruleset)}.", "G2, G3"
    yield _DOUBLING[ruleset.score.doubling].format(bend=words.bend), "G4, D22"
    if ruleset.end.after == "elimination":
        yield (
            f"A total over {ruleset.end.eliminate_over} is out of the {words.match}; the last seat left wins.",
            "P3, P4",
        )
    else:
        yield f"After {len(ruleset.deals)} contracts the lowest total wins; equal totals share the win.", "G6, D29"


_DOUBLING: Final = {
    "none": "Nothing ever doubles.",
    "bend": "To {bend} is to go out in the turn of your first lay-down: the others' cards count double then, "
    "penalties never.",
    "first-bend": "To {bend} is to go out in the turn of your first lay-down. If nobody else had laid before, the "
    "others' cards count double, penalties never.",
}


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
                named = f"{_colour(ruleset, card)} {name}"
                if named not in by_value.setdefault(values[card], []):
                    by_value[values[card]].append(named)
    by_value.setdefault(values[JOKER], []).append(ruleset.vocabulary.joker)
    parts = [f"{', '.join(names)} {value}" for value, names in sorted(by_value.items(), reverse=True)]
    return "; ".join(parts) + "; the other cards count their number"


def _colour(ruleset: Ruleset, card: Card) -> str:
    """What tells a card's value from that of others of its rank: black or red where that is enough, else the suit."""
    faces, values = ruleset.faces, card_values(ruleset)
    red = SUIT[card] in faces.red_suits
    alike = {values[make_card(suit, RANK[card])] for suit in range(SUITS) if (suit in faces.red_suits) is red}
    if len(alike) == 1 and ruleset.deck == "french":
        return "red" if red else "black"
    return faces.suit_names[SUIT[card]]
