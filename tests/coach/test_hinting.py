"""The coach recommends what plays best, and gives a fact that can be counted as its reason, from the view alone."""

import random
from collections import Counter
from itertools import islice

import pytest

from kalooki_tui.coach.advice import chance_words, cost_of, could_have, hint, warning
from kalooki_tui.coach.exercises.kinds.moments import Allowing
from kalooki_tui.coach.exercises.model import Answer
from kalooki_tui.coach.vocabulary import sentences, slots
from kalooki_tui.engine.actions import ALLOW, Action, Allow, Call, Discard, Draw, Lay, Pass, Refuse, Source
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.evaluation.decisions import SLIP, Decision, judge
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import assess
from kalooki_tui.evaluation.recommendation import recommend, told_apart
from kalooki_tui.evaluation.rollouts import settled
from kalooki_tui.players import make_player
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.lessons import Trees
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setup import set_up
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.walking import dealt_anew, decisions
from tests.property.tables import RULESETS

LONGEST = 156
"""Cells: two rows of the narrowest screen."""


def deals_of(ruleset: str) -> list[int]:
    return sorted({1, len(load_ruleset(ruleset).deals)})


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kalookie-40", "tuluki"])
def test_facts_recommend_what_a_good_player_does_until_the_contract_is_laid(ruleset: str) -> None:
    """Throws and lay-downs as the club player, the open card as the expert, but for going out in this turn."""
    club, expert = make_player("club", "0"), make_player("expert", "coach")
    same: Counter[bool] = Counter()
    for number in deals_of(ruleset):
        for _, view in decisions(ruleset, "club", number):
            found = assess(Situation(view)) if view.laid[view.seat] == "no" else None
            if found is not None and found.way_out is None:
                player = club if view.phase in (Phase.PLAY, Phase.ADD_ON) else expert
                same[found.best.action == player.decide(view).action] += 1
    assert same[False] == 0
    assert same[True] > 10


@pytest.mark.parametrize("gained", [-50.0, 50.0])
def test_what_no_fact_speaks_for_is_said_plainly_and_nobody_is_warned_of_it(
    gained: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if practice had taught to have every card, or to leave it."""
    monkeypatch.setattr(Expert, "learned", lambda expert, view, choice: Trees(0.0, (gained,)))
    told: Counter[str] = Counter()
    for _, view in decisions("jamaican", "x", 2):
        found = assess(Situation(view))
        if view.phase in (Phase.PLAY, Phase.ADD_ON) or found.second is None or found.way_out is not None:
            continue
        told[found.fact.case] += 1
        if not found.fact.explains:
            assert hint(view, worlds=0).reason.startswith(("No count", "What can be counted speaks "))
        assert cost_of(view, found.best.action) is None
    if gained < 0:
        assert told["unexplained-have"] > 3
        assert not {"ready", "call-in-vain"} & set(told)
    else:
        assert told["call-price"] + told["unexplained-leave"] > 3
        assert not {"call-nearer", "take-nearer", "call-completes"} & set(told)


def test_nobody_is_told_to_have_a_card_only_to_throw_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Expert, "learned", lambda expert, view, choice: Trees(0.0, (-50.0,)))
    kept = 0
    for _, view in decisions("jamaican", "x", 2):
        if view.phase is Phase.DRAW:
            action = assess(Situation(view)).best.action
            if isinstance(action, Draw) and action.source is not Source.STOCK:
                assert Expert("coach").keeps_it(view, action)
                kept += 1
    assert kept


@pytest.mark.parametrize("worlds", [0, 40])
def test_hint_and_cost_are_the_same_with_the_hidden_cards_dealt_anew(worlds: int) -> None:
    compared = 0
    for number in (1, 9) if not worlds else (3,):
        for deal, view in islice(decisions("jamaican", "hidden", number), 0, None, 7):
            given = hint(view, worlds=worlds)
            anew, action = dealt_anew(deal, view, compared), random.Random(compared).choice(view.legal)
            assert hint(anew, worlds=worlds) == given
            assert cost_of(anew, action, 0) == cost_of(view, action, 0)
            compared += 1
    assert compared > 4


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "1 time in 100"),
        (0.071, "1 time in 14"),
        (0.25, "1 time in 4"),
        (0.4, "4 times in 10"),
        (1.0, "9 times in 10"),
    ],
)
def test_chances_are_said_as_people_say_them(chance: float, words: str) -> None:
    assert chance_words(chance) == words


def test_who_collects_a_card_is_said_where_that_decides() -> None:
    told = 0
    for seed in ("feed0", "feed1"):
        for _, view in decisions("jamaican", seed, 2):
            found = assess(Situation(view))
            if found.fact.case != "throw-collected":
                continue
            seat, taken = found.fact.slots["seat"], found.fact.slots["taken"]
            assert seat != view.seat
            assert set(taken) <= set(public_of(view).taken[seat])
            assert hint(view, worlds=0).reason.startswith(f"{view.names[seat]} has taken ")
            told += 1
        if told:
            return
    pytest.fail("no card was collected")


def test_the_reason_speaks_of_the_card_that_the_person_has_in_mind() -> None:
    asked = 0
    for _, view in islice(decisions("jamaican", "mind", 3), 0, None, 2):
        found = assess(Situation(view))
        if not isinstance(found.best.action, Discard) or len(found.options) < 4:
            continue
        for option in found.options[2:4]:
            symbol = view.rules.faces.symbol(option.cards[0])
            assert symbol in hint(view, about=option.action, worlds=0).reason
            asked += 1
    assert asked > 5


def test_where_the_choices_are_played_on_the_facts_decide_unless_their_choice_is_worse() -> None:
    followed = Counter[bool]()
    for _, view in islice(decisions("jamaican", "race", 4), 0, None, 5):
        given = hint(view, worlds=40)
        facts = assess(Situation(view)).best.action
        if given.as_good:
            assert given.action in given.as_good
            followed[given.action == facts] += 1
            if facts in given.as_good and given.action != facts:
                assert told_apart(Situation(view), given.action, facts)[0].explains
    assert followed[True] > 3


OUT = """ruleset: jamaican
deal: 1
dealer: Cy
turn: Ann
phase: decision
caller: Bea
discarded_by: Dot
seats:
  - {name: Ann, hand: 2C 3C 4C 5C 7C 3D 4D 5D 6D 7D 4H 5H JK}
  - {name: Bea, hand: KS KD 8S 8C 9H 10C 2D 9C JS QH 6S AS}
  - {name: Cy, hand: 9D 10H, laid: true}
  - {name: Dot, hand: KC QC JC 9S 8H 7H 3S AD AH 10D}
discard: 7S
stock: 9H 9S 8D
table:
  - {owner: Cy, cards: 2S 2H 2D}
"""


def test_a_called_card_with_which_the_hand_goes_out_is_refused() -> None:
    """Three 2s lie on the table: with the 7 the whole hand goes, and the others pay double."""
    view = set_up(read_position(OUT)).deal.view(0)
    for worlds in (0, 40):
        given = hint(view, worlds=worlds)
        assert isinstance(given.action, Refuse)
        assert given.reason == "With 7♠ you can go out in this turn, and what the others hold counts double."
    cost = cost_of(view, ALLOW[0])
    assert cost is not None
    assert cost.case == "refuse-out"
    assert "you could have gone out in that turn" in could_have([(view, ALLOW[0])])
    asked = Allowing.of(view)
    assert Allowing.is_clear(view)
    assert asked.judge(Answer(option=0)).right
    wrong = asked.judge(Answer(option=1))
    assert not wrong.right
    assert wrong.reason is not None
    assert wrong.reason.slots["reason"] == given.reason


def test_a_review_goes_on_in_the_worlds_of_the_hint_and_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[object, ...]] = []
    real = Belief.played_out

    def play(belief: Belief, ways: list[list[Action]], count: int, seed: str, **how: object) -> object:
        played.append((seed, how["own"], how["others"], count))
        return real(belief, ways, count, seed, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Belief, "played_out", play)
    compared = 0
    for _, view in islice(decisions("jamaican", "worlds", 3), 0, 40, 4):
        played.clear()
        given = hint(view, worlds=80).action
        hinted = list(played)
        judged = judge(Decision(0, 1, view, given))
        if judged is None or not hinted:
            continue
        played.clear()
        settled(judged, 80)
        common = min(len(hinted), len(played))
        assert [one[:3] for one in played[:common]] == [one[:3] for one in hinted[:common]]
        assert played[: common - 1] == hinted[: common - 1], "only the last round of a hint may be cut short"
        compared += common
    assert compared > 3


def test_what_speaks_against_the_advice_is_said_and_better_is_what_the_interval_says() -> None:
    said: Counter[str] = Counter()
    for seed in ("fourth", "against", "interval", "third", "fifth", "sixth"):
        if said["against"] and said["nothing"]:
            break
        for _, view in islice(decisions("baby", seed, 3), 60):
            situation = Situation(view)
            found = recommend(situation, worlds=40)
            if found.assessment.fact.explains or found.assessment.second is None:
                continue
            words = hint(view, worlds=40).reason
            contrary = told_apart(situation, found.action, found.assessment.second.action)[1]
            assert ("What can be counted speaks " in words) == (contrary is not None)
            better = found.played is not None and found.played.is_beyond(0.0, 2.0)
            assert ("it came out better by" in words) == better
            said["against" if contrary is not None else "nothing"] += 1
    assert said["against"] > 0
    assert said["nothing"] > 0


MOST = 80
"""Decisions of a deal that are looked at: some deals are long."""


def seen(ruleset: str, number: int = 1, most: int = MOST) -> list[tuple[View, Action]]:
    """What might be done in a deal, beside what was done."""
    dice = random.Random(ruleset)
    return [
        (view, action)
        for _, view in islice(decisions(ruleset, "costs", number), most)
        for action in dice.sample(list(view.legal), min(2, len(view.legal)))
    ]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_cost_is_said_in_a_whole_sentence_that_fits(ruleset: str) -> None:
    told = 0
    for view, action in seen(ruleset, most=MOST // 4):
        words = could_have([(view, action)], 0)
        assert bool(words) == (cost_of(view, action, 0) is not None)
        for sentence in (words, warning(view, action, 0) if isinstance(action, Discard) else ""):
            assert not set("{}") & set(sentence)
            assert len(sentence) <= LONGEST
            told += bool(sentence)
    assert told > 3


def test_what_is_recommended_costs_nothing() -> None:
    for _, view in islice(decisions("jamaican", "best", 2), 0, None, 3):
        assert cost_of(view, assess(Situation(view)).best.action, 0) is None


def test_a_throw_costs_what_it_takes_the_hand_further_from_the_contract() -> None:
    found: Counter[str] = Counter()
    for view, action in seen("jamaican", 3):
        cost, best = cost_of(view, action, 0), assess(Situation(view))
        if cost is None or not isinstance(action, Discard):
            continue
        found[cost.case] += 1
        if isinstance(best.best.action, Lay):
            assert cost.case == "lay"
        elif cost.case == "throw-away":
            assert best.best.after is not None
            assert cost.slots["best_after"] == str(best.best.after.away)
            assert int(cost.slots["after"].split()[0]) > best.best.after.away
        elif cost.case == "throw-helps":
            assert int(cost.slots["helps"]) < int(cost.slots["best_helps"])
        assert cost.lost >= SLIP
    assert {"lay", "throw-away", "throw-helps"} <= set(found)


def test_a_card_that_brings_the_contract_nearer_is_missed_and_one_that_does_not_is_not() -> None:
    cases: Counter[str] = Counter()
    for ruleset in ("jamaican", "trinidad"):
        for number in (1, 2):
            for _, view in decisions(ruleset, "calls", number):
                best = assess(Situation(view)).best.action
                passing = next((action for action in view.legal if isinstance(action, Pass)), None)
                calling = next((action for action in view.legal if isinstance(action, Call)), None)
                if passing is not None and best != passing:
                    cost = cost_of(view, passing, 0)
                    assert cost is None or cost.case in ("call-nearer", "call-completes")
                    cases["missed"] += cost is not None
                elif calling is not None and best != calling:
                    cost = cost_of(view, calling, 0)
                    cases["in vain"] += cost is not None and cost.case in ("call-no-nearer", "call-ready")
                stock = next((action for action in view.legal if isinstance(action, Draw)), None)
                if stock is not None and best == stock:
                    assert cost_of(view, stock, 0) is None
                    cases["drawn"] += 1
                allowed = [action for action in view.legal if isinstance(action, Refuse)]
                cases["asked"] += len(allowed)
    assert min(cases["missed"], cases["in vain"], cases["drawn"], cases["asked"]) > 0


def test_passing_over_the_open_card_that_completes_the_contract_is_warned_of() -> None:
    warned: Counter[tuple[type[Action], bool]] = Counter()
    for ruleset in ("jamaican", "trinidad"):
        for number in (1, 2):
            for _, view in decisions(ruleset, "past", number):
                for action in (one for one in view.legal if isinstance(one, Draw | Pass | Allow)):
                    cost, said = cost_of(view, action, 0), warning(view, action, 0)
                    completes = cost is not None and cost.case.endswith(("-completes", "-out"))
                    assert bool(said) == completes
                    assert not completes or view.rules.faces.symbol(view.discard) in said  # type: ignore[arg-type]
                    warned[type(action), completes] += 1
    assert {(Draw, True), (Draw, False), (Pass, True), (Pass, False), (Allow, False)} <= set(warned)


def test_the_sentence_after_a_deal_is_about_what_gave_up_most() -> None:
    deal = seen("jamaican", 2, MOST // 2)
    costs = [cost for cost in (cost_of(view, action, 0) for view, action in deal) if cost is not None]
    worst = max(costs, key=lambda cost: cost.lost)
    assert could_have(deal, 0) == sentences("costs")["could"][worst.case].format(**worst.slots)
    assert could_have([], 0) == ""


def test_every_slot_of_every_sentence_can_be_filled_and_none_is_unused() -> None:
    used = {name for cases in sentences("hints").values() for sentence in cases.values() for name in slots(sentence)}
    assert used == {"card", "cards", "meld", "name", "name_cards", "contract", "deal", "joker"}
