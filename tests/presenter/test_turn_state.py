from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import FRENCH, JOKER
from kalooki_tui.engine.actions import Discard, Group, Kind, Lay
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.notation.card_text import parse_cards, parse_group, print_group
from kalooki_tui.presenter import turn_state
from kalooki_tui.presenter.moves import lack_text
from kalooki_tui.presenter.turn_state import MOST_WAYS, Groups, TurnState, arrangements, ending, ending_words
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.solver.witness import Lacking, nearest_plan
from tests.moments import there, view_of
from tests.tui import samples
from tests.tui.samples import cards, view


def rules_of(ruleset: str) -> Rules:
    return make_rules(load_ruleset(ruleset), 3)


def ways(cards: str, *others: str, ruleset: str = "jamaican") -> list[Groups] | Refusal:
    rules = rules_of(ruleset)
    melds = [make_meld(rules.ruleset, 0, parse_group(text, rules.faces)) for text in others]
    return arrangements(rules, rules.contract(1), 0, parse_cards(cards, rules.faces), melds)


def texts(cards: str, *others: str, ruleset: str = "jamaican") -> set[str]:
    found = ways(cards, *others, ruleset=ruleset)
    assert not isinstance(found, Refusal), found
    faces = rules_of(ruleset).faces
    return {" | ".join(print_group(Group(group.cards), faces) for group in groups) for groups in found}


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("5H 5C 5D", {"5C 5D 5H"}), ("8C 6C 5C 7C", {"5C 6C 7C 8C"}), ("QS AS KS JS", {"JS QS KS AS"}),
        ("3D AD 2D 4D", {"AD 2D 3D 4D"}), ("5C 7C JK 8C", {"5C JK 7C 8C"}),
        ("7C 8C 9C JK", {"JK 7C 8C 9C", "7C 8C 9C JK"}), ("KH 5C KS 5D KD 5H", {"5C 5D 5H | KD KH KS"}),
        ("5C 5D JK", {"5C 5D JK"}), ("5C 5D 5H 4H JK 6H 7H", {"5C 5D 5H | 4H JK 6H 7H", "5C 5D JK | 4H 5H 6H 7H"}),
    ],
)  # fmt: skip
def test_cards_in_any_order_are_put_in_order(cards: str, expected: set[str]) -> None:
    assert texts(cards) == expected


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("5C 5D", "set.size"), ("5C 6C 7C", "run.size"), ("KC AC 2C 3C", "run.wrap"), ("9C JK JK", "set.naturals"),
        ("5C 9D QH", "lay.melds"), ("2C 9C QC KC", "run.order"),
    ],
)  # fmt: skip
def test_cards_that_make_no_meld_say_why(cards: str, code: str) -> None:
    found = ways(cards)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_melds_that_are_there_already_count() -> None:
    found = ways("5C 5D 5H", "5S 5C 5D")
    assert isinstance(found, Refusal)
    assert found.clause == "M8"
    assert texts("5C 5D 5H", "5S 5C 5H", ruleset="trinidad") == {"5C 5D 5H"}


@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kooky"])
def test_every_way_is_of_valid_melds_and_uses_every_card(ruleset: str) -> None:
    rules = rules_of(ruleset)
    chance = random.Random(ruleset)
    several = 0
    for _ in range(40):
        suit = chance.randrange(4)
        low = chance.randint(1, 9)
        run = [suit * 13 + low - 1 + step for step in range(4)]
        rank = chance.randrange(13)
        cards = run + [other * 13 + rank for other in range(3)]
        for _ in range(chance.randint(0, 2)):
            cards[chance.randrange(len(cards))] = 52
        chance.shuffle(cards)
        found = arrangements(rules, rules.contract(1), 0, cards, [])
        if isinstance(found, Refusal):
            assert found.clause
            continue
        assert 0 < len(found) <= MOST_WAYS
        several += len(found) > 1
        for groups in found:
            assert sorted(card for group in groups for card in group.cards) == sorted(cards)
            for group in groups:
                assert make_meld(rules.ruleset, 0, group).kind is group.kind
    assert several


NOBODY = (HasLaid.NO,) * 4
OTHERS = (HasLaid.NO, HasLaid.NO, HasLaid.EARLIER, HasLaid.NO)
#: One set and two runs, with a five that fits on Cat's fives.
OUT = "2S 2H 2D 7C 8C 9C 10C JD QD KD AD 5H 6S"


def in_play(hand: str, laid: tuple[HasLaid, ...] = OTHERS, **changes: object) -> View:
    return samples.view(hand=hand, phase=Phase.PLAY, laid=laid, may_lay=True, **changes)


def test_a_lay_down_and_tacks_that_end_the_deal_are_found_and_told() -> None:
    view = in_play(OUT)
    found = ending(view)
    assert len(there(next(one for one in found if isinstance(one, Lay))).groups) == 3
    words = ending_words(view, found)
    assert words.startswith("You can go out now: L stages melds, tack 5♥, throw 6♠.")
    assert len(words) <= 2 * 78


@pytest.mark.parametrize(
    "view",
    [
        in_play(OUT + " 8H"),
        in_play("2S 2H 4D 7C 8C 9C 10C JD QD KD AD 5H 6S"),
        in_play(OUT, bend_forbidden=True),
        replace(in_play(OUT), phase=Phase.DRAW),
    ],
    ids=["a card too many", "no contract", "the table may not be bent", "not to play"],
)
def test_whoever_cannot_end_the_deal_is_not_told_so(view: View) -> None:
    assert ending(view) == ()


TWOS_WILD = """
ruleset: {extends: shanghai, options: [twos-wild]}
deal: 6
turn: Ann
phase: play
seats:
  - {name: Ann, hand: AH 3H 5H 2H 2C 2D JK 7S 7S 3D 3S JD JS QC}
  - {name: Bob, hand: 6H 8H, laid: true}
  - {name: Cat, hand: 4D 7H, laid: true}
table:
  - {owner: Bob, cards: JD JH JS}
  - {owner: Cat, cards: QD QS JK}
"""


@pytest.mark.parametrize("game", ["kalookie-40", "shanghai"])
def test_the_melds_that_are_staged_are_those_with_which_the_rest_can_go(game: str) -> None:
    """The best lay-down would keep other cards: the jacks are tacked, not laid."""
    rules = {"ruleset": "kalookie-40", "seats": 3, "deal": 1, "melds": (), "phase": Phase.PLAY, "may_lay": True}
    view = samples.view(hand="6D 7D 8D 9D 10C 10H JH QS QH QC KC KD KS JK", **rules)  # type: ignore[arg-type]
    view = replace(view, legal=tuple(Discard(0, card) for card in {*view.hand}))
    view = view_of(TWOS_WILD) if game == "shanghai" else view
    state = TurnState(view, lambda action: None)
    state.open(view)
    told = state.ending()
    assert told.startswith("You can go out now: L stages melds, ")
    named = told.replace(",", " ").replace(".", " ").split()
    rest = [card for card in view.hand if view.rules.faces.symbol(card) in named]
    staged = [card for group in state.best() for card in group.cards]
    assert sorted([*staged, *rest]) == sorted(view.hand)


@pytest.mark.parametrize("laid", [HasLaid.THIS_TURN, HasLaid.EARLIER])
def test_who_has_laid_goes_out_with_the_last_card(laid: HasLaid) -> None:
    view = samples.view(hand="4H", phase=Phase.PLAY, laid=(laid, *OTHERS[1:]), may_lay=False, may_add=True)
    found = ending(view)
    assert ending_words(view, found).startswith("You can go out now: throw 4♥.")
    assert ending(replace(view, hand=(*view.hand, *view.hand))) == ()


@pytest.mark.parametrize(
    ("doubling", "laid", "hand", "words"),
    [
        ("bend", OTHERS, OUT, "It doubles what the others pay!"),
        ("first-bend", NOBODY, OUT, "It doubles what the others pay!"),
        ("first-bend", OTHERS, OUT, "Nothing doubles: Cat has laid already."),
        ("none", NOBODY, OUT, ""),
        ("bend", (HasLaid.EARLIER, *NOBODY[1:]), "5H 6S", "Nothing doubles: you laid in an earlier turn."),
    ],
)
def test_what_it_doubles_is_said(doubling: str, laid: tuple[HasLaid, ...], hand: str, words: str) -> None:
    view = in_play(hand, laid, may_add=laid[0] is HasLaid.EARLIER)
    ruleset = view.rules.ruleset
    rules = replace(view.rules, ruleset=replace(ruleset, score=replace(ruleset.score, doubling=doubling)))
    view = replace(view, rules=rules)
    found = ending(view)
    assert ending_words(view, found).partition(". ")[2] == words


def test_a_lacking_card_is_named_as_narrowly_as_it_can_be() -> None:
    assert lack_text(Lacking(0, cards("9D JK")), FRENCH) == "9♦"
    assert lack_text(Lacking(0, cards("10C 10H")), FRENCH) == "10"
    assert lack_text(Lacking(0, (JOKER,)), FRENCH) == "★"


def test_slots_shown_at_once_wait_for_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[object] = []
    monkeypatch.setattr(turn_state, "nearest_plan", lambda *hand: looked_for.append(hand) or nearest_plan(*hand))

    def held() -> list[int]:
        return [slot.held for slot in state.slots(at_once=True)]

    state = TurnState(view(), lambda _: None)
    state.open(view())
    none = [0] * len(held())
    assert held() == none
    assert not state.has_plan
    assert not looked_for
    state.slots()
    found = held()
    assert found != none
    assert state.has_plan
    # Another hand: the plan known last serves until its own is found.
    state.open(view(hand="AS KD QD JD 9C 8C 7C 5H 5D 2S"))
    assert not state.has_plan
    assert held() == found
    # Another deal.
    state.open(view(deal=4))
    assert not any(held())
    assert len(looked_for) == 1


EIGHTS = Group(samples.cards("8S 8H 8D"), Kind.SET)
NINES = Group(samples.cards("9S 9H 9D"), Kind.SET)


def test_a_meld_goes_back_when_a_card_of_it_has_left_the_hand_and_the_others_stay() -> None:
    view = samples.view(hand="8S 8H 8D 9S 9H 9D 4S", may_lay=True)
    state = TurnState(view, lambda action: None)
    state.open(view)
    state.staged = [EIGHTS, NINES]
    state.open(replace(view, hand=(*EIGHTS.cards, *NINES.cards)))
    assert state.staged == [EIGHTS, NINES]
    state.open(replace(view, hand=(*EIGHTS.cards[1:], *NINES.cards)))
    assert state.staged == [NINES]
    state.open(replace(view, may_lay=False))
    assert state.staged == []
