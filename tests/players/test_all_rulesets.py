import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from kalooki_tui.cards import KINDS_OF_CARD
from kalooki_tui.engine.actions import Action, Cut, Discard
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.public import public_of, unseen_copies
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.players import LEVEL_TEXTS, LEVELS, TEMPERAMENTS, make_player
from kalooki_tui.players.belief import Belief, carelessness
from kalooki_tui.players.club import Club
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.lessons import ChoiceKind, laying_features
from kalooki_tui.players.master import Master
from kalooki_tui.players.seat import open_card
from tests.coach.test_hinting import made_up
from tests.coach.walking import dealt_anew, decisions
from tests.commands import Golden
from tests.moments import POSITIONS, position
from tests.players.simulate import new_deal, play_deal, rules_for

#: The master is tested where there is a native core.
QUICK_LEVELS = tuple(level for level in LEVELS if level != "master")
BENT = tuple(f"{level}/{temperament}" for temperament in TEMPERAMENTS for level in ("club", "expert"))


#: Deals by their number, and who plays them.
PLAYED = (
    ("jamaican", 5, "novice club expert club/caller"), ("trinidad", 4, "expert club/hoarder club/racer"),
    ("kalookie-40", 1, "club expert novice"), ("tuluki", 5, "expert club"),
    ("kooky", 5, "expert expert/caller club novice"), ("baby", 2, "club expert expert/racer novice club/hoarder"),
)  # fmt: skip


def test_what_every_level_does_in_deals_and_at_positions(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    for ruleset, number, levels in PLAYED:
        told.append(f"{ruleset} {number}: {levels}")

        def watch(deal: Deal, actor: int, action: Action) -> None:
            told[-1] += f"{actor + 1} {print_answer(action, deal.names, deal.rules.faces)}, "
            if isinstance(action, Discard):
                told.append("  ")

        told.append("  ")
        play_deal(new_deal(rules_for(ruleset, len(levels.split())), number, 7), levels.split(), watch)
    monkeypatch.setattr(Belief, "played_out", made_up)
    monkeypatch.setattr("kalooki_tui.players.master.available", lambda: True)
    players = {level: make_player(level, "golden") for level in (*QUICK_LEVELS, *BENT)}
    players |= {"master": Master("golden", worlds=40)}
    for path in sorted(POSITIONS.glob("*.yaml")):
        view, does = position(path.stem), defaultdict[str, list[str]](list)
        for level, player in players.items():
            does[print_answer(player.decide(view).action, view.names, view.rules.faces)].append(level)
        usual, *others = sorted(does, key=lambda action: -len(does[action]))
        told.append("; ".join([f"{path.stem}: {usual}", *(f"{one} ({', '.join(does[one])})" for one in others)]))
    golden("players", "\n".join(line.rstrip(", ") for line in told))


#: Deals by their number, every so many decisions of which are looked at.
WEIGHED = {
    ("jamaican", 3): 6, ("jamaican", 1): 7, ("trinidad", 2): 7, ("kalookie-40", 1): 5, ("tuluki", 4): 7,
    ("kooky", 4): 9, ("air-jamaica", 5): 9, ("baby", 1): 9,
}  # fmt: skip
WORTH = {
    Phase.DRAW: ChoiceKind.TAKE, Phase.CALL_WINDOW: ChoiceKind.CALL, Phase.FLIP_WINDOW: ChoiceKind.CALL,
    Phase.DECISION: ChoiceKind.REFUSE, Phase.FLIP_DECISION: ChoiceKind.REFUSE,
}  # fmt: skip


def weighed(view: View) -> Iterator[str]:
    """What the throws or the open card are worth to a club player and to an expert."""
    text, card, club, expert = view.rules.faces.text, open_card(view), Club("golden"), Expert("golden")
    if view.phase is Phase.PLAY:
        for player in (club, expert):
            yield " ".join(f"{text(one.card)} {one.total:.2f}" for one in player.throws(view))
        yield " ".join(map(str, laying_features(view, view.hand[2:], 1).values()))
    elif card is not None and view.phase in WORTH:
        gains = [f"{player.gain(view, card):.3f}" for player in (club, expert)]
        foretold = [expert.foretold(view, WORTH[view.phase], own) for own in (False, True)]
        learned = ["nothing" if gain is None else f"{gain:.2f}" for gain in foretold]
        yield f"{text(card)} {' '.join(gains)}, foretold {' '.join(learned)}"


def believed(view: View) -> Iterator[str]:
    """What is thought of each seat, and how likely it is to hold the likeliest cards and the others."""
    knows, texts, careless = Belief(view).knowledge, view.rules.faces.texts, carelessness(view)
    yield f"pool {sum(knows.pool)}, below {knows.unknown_below}, in the stock {sum(knows.most_in_stock or ())}"
    for seat, name in enumerate(view.names):
        by_card, likely = knows.leanings[seat], defaultdict[str, list[int]](list)
        for card in sorted(range(KINDS_OF_CARD), key=lambda card: -by_card[card]):
            likely[f"{by_card[card]:.2f}"].append(card)
        cards = ", ".join(f"{much} {texts(held)}" for much, held in likely.items() if much != "1.00")
        usual, passed = " ".join(map(str, knows.usual[seat])), texts(knows.passed[seat])
        thought = f"careless {careless[seat]:.2f}, usual {usual}, passed {passed}"
        yield f"{name} hides {knows.rooms[seat]}, drawn {knows.drawn[seat]}, {thought}: {cards}"


def test_what_cards_are_worth_and_what_is_believed_of_others(golden: Golden) -> None:
    told = list[str]()
    for (ruleset, number), step in WEIGHED.items():
        views = [view for _, view in decisions(ruleset, "worths", number)]
        for view in views[::step]:
            told += [f"{ruleset} {number}, {view.phase}: {view.names[view.seat]} {view.rules.faces.texts(view.hand)}"]
            told += [f"  {line}" for line in weighed(view)]
        told += [f"  {line}" for view in (views[len(views) // 3], views[-2]) for line in believed(view)]
    golden("worths", "\n".join(line.rstrip() for line in told))


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("ruleset", "seats", "referee"),
    [("jamaican", 4, "strict"), ("trinidad", 4, "penalties"), ("tuluki", 2, "strict"), ("kalookie-40", 4, "strict")],
)
def test_memory_holds_what_was_public(ruleset: str, seats: int, referee: str) -> None:
    rules = rules_for(ruleset, seats, Referee(referee))

    def watch(deal: Deal, seat: int, action: Action) -> None:
        view = deal.view(seat)
        public = public_of(view)
        hidden = Counter(deal.stock)
        for other, hand in enumerate(deal.hands):
            if other != seat:
                assert not Counter(public.taken[other]) - Counter(hand)
                hidden += Counter(hand) - Counter(public.taken[other])
        unseen = unseen_copies(view)
        if deal.phase is not Phase.CUT:
            assert {card: unseen[card] for card in range(KINDS_OF_CARD) if unseen[card]} == hidden
        assert public.calls == deal.calls

    deal = new_deal(rules, len(rules.ruleset.deals), 5)
    play_deal(deal, QUICK_LEVELS, watch)
    assert deal.actor is None


@pytest.mark.parametrize("levels", [QUICK_LEVELS, ("club/caller", "club/hoarder", "expert/racer")], ids=" ".join)
@pytest.mark.parametrize(("ruleset", "seats"), [("jamaican", 3), ("kooky", 3), ("tuluki", 2), ("kalookie-40", 3)])
def test_decisions_depend_on_the_view_alone(levels: tuple[str, ...], ruleset: str, seats: int) -> None:
    chance = random.Random(1)
    asked: Counter[str] = Counter()

    def watch(deal: Deal, seat: int, action: Action) -> None:
        if chance.random() > 0.3:
            return
        view, level = deal.view(seat), levels[seat]
        assert make_player(level, f"t/{seat}").decide(dealt_anew(deal, view, chance.randrange(99))).action == action
        asked[level] += 1

    play_deal(new_deal(rules_for(ruleset, seats), 2, 3), levels, watch)
    assert set(asked) == {*levels[:seats]}


def test_one_cut_in_twelve_is_exact() -> None:
    rules = rules_for("air-jamaica", 4)
    exact = 0
    for seed in range(600):
        view = new_deal(rules, 3, seed).view(0)
        action = make_player("club", f"cut/{seed}").decide(view).action
        assert isinstance(action, Cut)
        exact += action.count == 4 * 11
    assert 33 <= exact <= 67


def test_every_level_text_is_one_and_an_unknown_level_or_temperament_an_error() -> None:
    assert len(LEVEL_TEXTS) == 12
    for text in LEVEL_TEXTS:
        make_player(text, "1")
    for text in ("wizard", "novice/caller", "club/", "master/caller", "club/caller/racer"):
        with pytest.raises(ValueError, match=f"there is no AI level '{text}'"):
            make_player(text, "1")
    with pytest.raises(ValueError, match="did you mean 'club/racer'"):
        make_player("club/raser", "1")
