import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice, pairwise

import pytest

from kalooki_tui.cards import JOKER, RANK, SUIT
from kalooki_tui.coach.rated_advice import hint, reason
from kalooki_tui.coach.vocabulary import sentences, slots
from kalooki_tui.engine.actions import Discard, Lay, Swap
from kalooki_tui.engine.events import CallAllowed
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import View
from kalooki_tui.evaluation.differences import of_throws
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.players.endgame import fits
from kalooki_tui.players.seat import open_card
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.solver import best_lay, distance
from kalooki_tui.wording import penalty_words
from tests.coach.walking import decisions
from tests.moments import there, view_of
from tests.property.tables import RULESETS

LONGEST = 156
"""Cells: two rows of the narrowest screen."""
MOST = 25
"""Decisions of a deal that are looked at."""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_hint_says_is_so_in_whole_sentences_that_fit(ruleset: str) -> None:
    told: Counter[str] = Counter()
    for number in (1, len(load_ruleset(ruleset).deals)):
        for _, view in islice(decisions(ruleset, "facts", number), MOST):
            given = hint(view, worlds=0)
            told[check(view, given.reason)] += 1
            assert given.action in view.legal or isinstance(given.action, Lay | Swap)
            for sentence in given.steps:
                assert sentence[-1] in ".?"
                assert not set("{}") & set(sentence)
                assert len(sentence) <= LONGEST
    assert sum(told.values()) > 20


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_said_of_any_two_throws_is_so(ruleset: str) -> None:
    told: Counter[str] = Counter()
    for _, view in islice(decisions(ruleset, "throws", 2), 8, MOST):
        throws = [action.card for action in view.legal if isinstance(action, Discard)]
        situation = Situation(view)
        for best, card in pairwise(throws):
            for pair in ((best, card), (card, best)):
                told[check(view, reason(situation, of_throws(situation, *pair)))] += 1
    assert sum(told.values()) > 20


def test_nothing_in_a_sentence_goes_unchecked() -> None:
    named = {name for sentence in sentences("facts")["you"].values() for name in slots(sentence)}
    assert named <= {*_CHECKS, *WORDS}


def test_every_sentence_ends_and_none_speaks_of_weights() -> None:
    for group in sentences("facts").values():
        for sentence in group.values():
            assert sentence.endswith((".", "{fact}"))
            assert "%" not in sentence
            assert "ways to the" not in sentence


WORDS = {"contract", "deal", "joker", "seat", "meld"}
"""Slots that hold no number and no card."""
PLAYED = re.compile(
    r"(?: |^)In \d+ possible deals played to the end, "
    r"(?:the two were too close to call\.$|it came out better by \d+ ± [1-9]\d* points\.(?:$| (?=What can be)))"
)
CONTRARY = re.compile(r"^What can be counted speaks (?:against it|for \S+ instead): ")


def read(view: View, said: str) -> tuple[str, dict[str, str]]:
    """The case of a sentence, and what fills its slots; what was played on is taken off first."""
    said = CONTRARY.sub("", PLAYED.sub("", said))
    for case, sentence in sentences("facts")["you"].items():
        found = _pattern(sentence).fullmatch(said)
        if found:
            return case, found.groupdict()
    raise AssertionError(f"no sentence of the catalogue: {said!r}")


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)(?::[^}]*)?\}", sentence)
    seen: set[str] = set()
    text = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            text += re.escape(part)
        elif part in seen:
            text += f"(?P={part})"
        else:
            seen.add(part)
            text += r"(?P<seat>\S+ \S+)" if part == "seat" else f"(?P<{part}>.+?)"
    return re.compile(text)


class Recount:
    """What a view says, counted plainly."""

    def __init__(self, view: View) -> None:
        self.view, self.rules = view, view.rules
        public = public_of(view)
        gone = Counter([*view.hand, *public.pile])
        for meld in view.melds:
            gone.update(meld.cards)
        for seat, taken in enumerate(public.taken):
            if seat != view.seat:
                gone.update(taken)
        if public.flip is not None:
            gone[public.flip] += 1
        whole = dict.fromkeys(range(JOKER), self.rules.packs) | {JOKER: self.rules.jokers}
        self.unseen = {card: max(0, copies - gone[card]) for card, copies in whole.items()}

    def card(self, symbol: str) -> int:
        return next(card for card in range(JOKER + 1) if self.rules.faces.symbol(card) == symbol)

    def away(self, hand: list[int]) -> int:
        return distance(self.rules, self.view.contract, hand)

    def helping(self, hand: list[int]) -> int:
        """Unseen cards that bring the hand nearer."""
        now = self.away(hand)
        return sum(copies for card, copies in self.unseen.items() if copies and now and self.away([*hand, card]) < now)

    def without(self, card: int, hand: Sequence[int] = ()) -> list[int]:
        left = list(hand or self.view.hand)
        left.remove(card)
        return left

    def with_open_card(self) -> tuple[int, int]:
        """Cards from the contract with the open card, and unseen cards that then help, after the best throw."""
        card = there(open_card(self.view))
        held = [*self.view.hand, card]
        hands = [self.without(one, held) for one in set(held)]
        nearest = min(map(self.away, hands))
        return nearest, max(self.helping(hand) for hand in hands if self.away(hand) == nearest)


def check(view: View, said: str) -> str:
    """The case of the sentence, everything in it having been counted once more.

    Raises:
        AssertionError: something said is not so.
    """
    case, found = read(view, said)
    at = Recount(view)
    for name, value in found.items():
        if name not in WORDS:
            assert _CHECKS[name](at, case, found, value), f"{name} = {value!r} in {said!r}"
    assert not case.startswith("throw-gives") or _gives(at, found), said
    assert case != "throw-mates-none" or _is_alone(at, at.card(found["best"])), said
    assert not case.startswith("throw-needed") or _number(found["after"]) > _number(found["best_after"]), said
    return case


def _gives(at: Recount, found: dict[str, str]) -> bool:
    """Whether the seat that draws next could put the one card on that meld, and the other one nowhere."""
    seat = at.view.names.index(found["seat"].split()[0])
    melds = [[fits(at.rules, seat, meld, at.card(found[name])) for meld in at.view.melds] for name in ("card", "best")]
    return has_laid(at.view, seat) and melds[0][int(found["meld"][1:]) - 1] and not any(melds[1])


def _is_alone(at: Recount, card: int) -> bool:
    """Whether no other natural of the hand is of its rank or near it in its suit, an ace at either end."""
    view, contract = at.view, at.view.contract
    any_kind = bool(contract.points) or has_laid(view, view.seat)
    others = [one for one in at.without(card) if one != JOKER]
    places = {one: {RANK[one], 14} if RANK[one] == 1 else {RANK[one]} for one in (*others, card)}
    if at.rules.ruleset.sets.suits == "distinct":
        others = [one for one in others if one != card]
    near = [abs(place - other) <= 3 for one in others if SUIT[one] == SUIT[card]
            for place in places[card] for other in places[one]]  # fmt: skip
    alike = [RANK[one] == RANK[card] for one in others]
    return not (any(near) and (any_kind or contract.runs)) and not (any(alike) and (any_kind or contract.sets))


def _number(text: str) -> int:
    return int(text.split(maxsplit=1)[0])


def _in_hand(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    named = value.split(" and ", maxsplit=1)[0].split()
    return value == "nothing" or not Counter(map(at.card, named)) - Counter(_held(at))


def _held(at: Recount) -> list[int]:
    card = open_card(at.view)
    return [*at.view.hand, *([] if card is None else [card])]


def _lost(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    card, best = at.without(at.card(found["card"])), at.without(at.card(found["best"])) if "best" in found else None
    for symbol in value.split(" and ", maxsplit=1)[0].split():
        one = at.card(symbol)
        if at.away([*card, one]) < at.away(card) or not at.unseen[one]:
            return False
        if best is not None and at.away([*best, one]) >= at.away(best):
            return False
    return True


def _after(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    if case.startswith("throw"):
        return at.away(at.without(at.card(found["card"]))) == _number(value)
    # For a called card nothing is thrown.
    called = at.away([*at.view.hand, there(open_card(at.view))])
    return _number(value) == (called if case in ("call-nearer", "call-price") else at.with_open_card()[0])


def _best_after(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    if "best" in found:
        return at.away(at.without(at.card(found["best"]))) == _number(value)
    return min(at.away(at.without(card)) for card in set(at.view.hand)) == _number(value)


def _helps(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    if case.startswith("wait"):
        return True  # goes out with a card of those: the tests of going out count them
    hand = at.without(at.card(found["card"])) if case.startswith("throw") else list(at.view.hand)
    return at.helping(hand) == _number(value)


def _best_helps(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    if "best" in found:
        return at.helping(at.without(at.card(found["best"]))) == _number(value)
    if case.startswith("throw"):
        hands = [at.without(card) for card in set(at.view.hand)]
        return _number(value) in {at.helping(hand) for hand in hands}
    return at.with_open_card()[1] == _number(value)


def _price(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    total = sum(at.unseen.values())
    mean = sum(at.rules.values[card] * copies for card, copies in at.unseen.items()) / total
    cards, points = at.rules.ruleset.calls.penalty, value.split()[-2]
    words = "an unknown card" if cards == 1 else "two unknown cards"
    return value == f"{words}, about {points} points" and abs(mean * cards - int(points)) <= 0.5


def _taken(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    taken = public_of(at.view).taken[at.view.names.index(found["seat"].split()[0])]
    return {at.card(symbol) for symbol in value.split()} <= set(taken)


def _left(at: Recount, case: str, found: dict[str, str], value: str) -> bool:
    laid = best_lay(at.rules, at.view.contract, _held(at))
    if laid is None:
        return False
    stays = at.rules.faces.symbols(laid.left[:4]).split() or ["nothing"]
    return value.split(" and ", maxsplit=1)[0].split() == stays


_Check = Callable[[Recount, str, dict[str, str], str], bool]
_CHECKS: dict[str, _Check] = {
    **dict.fromkeys(("card", "best"), lambda at, case, found, value: at.card(value) in _held(at)),
    **dict.fromkeys(("mates", "beside", "spare"), _in_hand),
    "left": _left, "lost": _lost, "taken": _taken, "after": _after, "best_after": _best_after,
    "away": lambda at, case, found, value: at.away(list(at.view.hand)) == _number(value),
    "helps": _helps, "best_helps": _best_helps, "price": _price,
    "more": lambda at, case, found, value: (
        value == ("one card more", "two cards more", "three cards more")[at.rules.ruleset.calls.penalty]
    ),
    "nor": lambda at, case, found, value: value == f", nor {penalty_words(at.rules.ruleset.calls.penalty)}",
    "unseen": lambda at, case, found, value: sum(at.unseen.values()) == _number(value),
    "points": lambda at, case, found, value: (
        at.rules.points(at.view.hand) if case == "lay" else at.rules.values[at.card(found["card"])]
    ) == _number(value),
    "best_points": lambda at, case, found, value: at.rules.values[at.card(found["best"])] == _number(value),
    "calls": lambda at, case, found, value: _number(value) == at.rules.ruleset.calls.limit - sum(
        isinstance(one, CallAllowed) and one.caller == at.view.seat for one in at.view.history
    ),
    "seat_cards": lambda at, case, found, value: _number(value) in {
        size for seat, size in enumerate(at.view.hand_sizes) if seat != at.view.seat
    },
}  # fmt: skip


def test_an_ace_goes_with_a_king_and_no_card_with_its_like_where_suits_may_not_repeat() -> None:
    seats = "seats: [{{name: Ann, hand: {hand}}}, {{name: Bob, hand: 2H}}, {{name: Cat, hand: 3H}}]"
    for ruleset, hand, card, mates in (
        ("liverpool", "AS 3S KS 9H 4D", "KS", "AS"),
        ("liverpool", "AS 3S KS 9H 4D", "AS", "3S KS"),
        ("kalookie-40", "4H 4H 4S 9C", "4H", "4S"),
        ("jamaican", "4H 4H 4S 9C", "4H", "4H 4S"),
    ):
        text = f"ruleset: {ruleset}\ndeal: 2\nturn: Ann\nphase: play\n{seats.format(hand=hand)}\ndiscard: 9D\n"
        view = view_of(text)
        held = {view.rules.faces.text(one): one for one in view.hand}
        assert {*Situation(view).mates(held[card])} == {held[mate] for mate in mates.split()}
