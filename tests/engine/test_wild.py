import random
from collections import Counter

import pytest

from kalooki_tui.cards import JOKER, full_deck
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.candidates import readings
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.melds import make_meld, meant_by
from kalooki_tui.engine.public import unseen_copies
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.rulesets.loader import resolve
from tests.property.tables import sensible_action

RULES = make_rules(resolve("liverpool", ("twos-wild",)), 3)


@pytest.mark.parametrize(
    ("cards", "kind", "roles"),
    [
        ("2H 3H 4H 5H", Kind.RUN, "2H 3H 4H 5H"),
        ("2S 3H 4H 5H", Kind.RUN, "JK 3H 4H 5H"),
        ("4H 2H 6H 7H", Kind.RUN, "4H JK 6H 7H"),
        ("AH 2H 2D 4H", Kind.RUN, "AH 2H JK 4H"),
        ("QH KH AH 2H", "run.wrap", ""),
        ("JH 2H KH AH", Kind.RUN, "JH JK KH AH"),
        ("5C 5D 2H", Kind.SET, "5C 5D JK"),
        ("2C 2D 2H", Kind.SET, "2C 2D 2H"),
        ("JK 2D 2H", Kind.SET, "JK 2D 2H"),
        ("5C 6D 2H", "run.suit", ""),
    ],
)
def test_a_wild_card_is_itself_in_its_own_place_and_a_joker_elsewhere(cards: str, kind: Kind | str, roles: str) -> None:
    faces = RULES.faces
    group = Group(tuple(parse_cards(cards, faces)))
    if isinstance(kind, Kind):
        meld = make_meld(RULES.ruleset, 0, group)
        assert (meld.kind, meld.cards, faces.texts(meld.roles)) == (kind, group.cards, roles)
        meant = [meant_by(meld, place) is not None for place in range(len(meld.cards))]
        assert meant == [kind is Kind.RUN and role == JOKER for role in meld.roles]
    else:
        with pytest.raises(Refused) as caught:
            make_meld(RULES.ruleset, 0, group)
        assert caught.value.code == kind


@pytest.mark.parametrize(("low", "high"), [("2H 2D 2S 2C", 2), ("AD 2D 3D 4D", 0)])
def test_a_run_of_wild_cards_begins_where_the_first_of_them_is_itself(low: str, high: int) -> None:
    meld = make_meld(RULES.ruleset, 0, Group(tuple(parse_cards(low, RULES.faces)), Kind.RUN))
    assert meld.low + meld.jokers == {2: 5, 0: 1}[high]


def test_a_hand_is_read_in_every_way_once() -> None:
    counts = [0] * (JOKER + 1)
    for card in parse_cards("2H 2H 2D JK 5C", RULES.faces):
        counts[card] += 1
    found = [(tuple(one.counts), one.jokers) for one in readings(RULES.wild, counts)]
    assert len(set(found)) == len(found) == 6
    assert [len(jokers) for _, jokers in found] == [4, 3, 2, 3, 2, 1]
    assert all(sum(read) == 5 and read[JOKER] == len(jokers) for read, jokers in found)


def test_no_card_is_lost_and_all_that_is_seen_is_counted_where_twos_are_wild() -> None:
    rules, swapped = make_rules(resolve("shanghai", ("twos-wild",)), 4), 0
    for seed in range(6):
        dice = random.Random(f"shanghai/{seed}")
        match = Match.start(MatchSetup(rules, tuple("ABCD"), seed))
        for _ in range(250):
            if match.phase is Phase.OVER or match.deal.number > 2:
                break
            action = sensible_action(match, dice)
            swapped += type(action).__name__ == "Swap"
            match.apply(action)
            deal = match.deal
            held = [card for hand in deal.hands for card in hand]
            laid = [card for meld in deal.melds for card in meld.cards]
            assert Counter([*held, *laid, *deal.stock, *deal.pile]) == Counter(full_deck(rules.packs, rules.jokers))
            for seat in range(4):
                others = [card for other in range(4) if other != seat for card in deal.hands[other]]
                unseen = unseen_copies(match.view(seat))
                hidden = Counter([*others, *deal.stock])
                assert all(copies <= hidden[card] for card, copies in enumerate(unseen))
    assert swapped
