import random
from collections import Counter
from itertools import islice

import pytest

from kalooki_tui.coach.exercises.definition import LearnerAnswer
from kalooki_tui.coach.exercises.kinds.turn_questions import Allowing
from kalooki_tui.coach.rated_advice import cost_of, could_have, hint, warning
from kalooki_tui.coach.vocabulary import sentences, slots
from kalooki_tui.engine.actions import ALLOW, Action, Allow, Call, Discard, Draw, Pass, Refuse, Source
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
from kalooki_tui.positions.staging import set_up
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.walking import dealt_anew, decisions
from tests.moments import there
from tests.property.tables import RULESETS

LONGEST = 156
"""Cells: two rows of the narrowest screen."""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kalookie-40", "tuluki"])
def test_facts_recommend_what_a_good_player_does_until_the_contract_is_laid(ruleset: str) -> None:
    """Throws and lay-downs as the club player, the open card as the expert, but for going out in this turn."""
    club, expert = make_player("club", "0"), make_player("expert", "coach")
    same: Counter[bool] = Counter()
    for _, view in decisions(ruleset, "club", len(load_ruleset(ruleset).deals)):
        found = assess(Situation(view)) if view.laid[view.seat] == "no" else None
        if found is not None and found.way_out is None:
            player = club if view.phase in (Phase.PLAY, Phase.ADD_ON) else expert
            same[found.best.action == player.decide(view).action] += 1
            if same[True] > 15:
                break
    assert same[False] == 0
    assert same[True] > 10


@pytest.mark.parametrize("gained", [-50.0, 50.0])
def test_what_no_fact_speaks_for_is_said_plainly_and_nobody_is_warned_of_it(
    gained: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if practice had taught to have every card, or to leave it."""
    monkeypatch.setattr(Expert, "learned", lambda expert, view, choice: Trees(0.0, (gained,)))
    told: Counter[str] = Counter()
    for _, view in islice(decisions("jamaican", "x", 2), 0, None, 2):
        if view.phase in (Phase.PLAY, Phase.ADD_ON):
            continue
        found = assess(Situation(view))
        best = found.best.action
        if gained < 0 and isinstance(best, Draw) and best.source is not Source.STOCK:
            assert Expert("coach").keeps_it(view, best), "nobody is told to have a card only to throw it again"
            told["kept"] += 1
        if found.second is None or found.way_out is not None:
            continue
        told[found.fact.case] += 1
        if not found.fact.explains:
            assert hint(view, worlds=0).reason.startswith(("No count", "What can be counted speaks "))
        assert cost_of(view, found.best.action) is None
    if gained < 0:
        assert told["unexplained-have"] > 3
        assert told["kept"]
        assert not {"ready", "call-in-vain"} & set(told)
    else:
        assert told["call-price"] + told["unexplained-leave"] > 3
        assert not {"call-nearer", "take-nearer", "call-completes"} & set(told)


@pytest.mark.parametrize("worlds", [0, 40])
def test_hint_and_cost_are_the_same_with_the_hidden_cards_dealt_anew(worlds: int) -> None:
    compared = 0
    for deal, view in islice(decisions("jamaican", "hidden", 3 if worlds else 9), 3, 48, 9):
        given = hint(view, worlds=worlds)
        anew, action = dealt_anew(deal, view, compared), random.Random(compared).choice(view.legal)
        assert hint(anew, worlds=worlds) == given
        assert cost_of(anew, action, 0) == cost_of(view, action, 0)
        compared += 1
    assert compared > 4


def test_who_collects_a_card_is_said_where_that_decides() -> None:
    told = 0
    for _, view in (one for seed in ("feed0", "feed1") for one in decisions("jamaican", seed, 2)):
        found = assess(Situation(view)) if view.phase is Phase.PLAY else None
        if found is None or found.fact.case != "throw-collected":
            continue
        seat, taken = found.fact.slots["seat"], found.fact.slots["taken"]
        assert seat != view.seat
        assert set(taken) <= set(public_of(view).taken[seat])
        assert hint(view, worlds=0).reason.startswith(f"{view.names[seat]} has taken ")
        told += 1
        if told > 1:
            break
    assert told


def test_the_reason_speaks_of_the_card_that_the_person_has_in_mind() -> None:
    asked = 0
    for _, view in islice(decisions("jamaican", "mind", 3), 0, None, 2):
        found = assess(Situation(view))
        if not isinstance(found.best.action, Discard) or len(found.options) < 4:
            continue
        for option in found.options[2:4]:
            assert isinstance(option.action, Discard)
            symbol = view.rules.faces.symbol(option.action.card)
            assert symbol in hint(view, about=option.action, worlds=0).reason
            asked += 1
        if asked > 5:
            break
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
        if followed[True] > 3:
            break
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
    cost = there(cost_of(view, ALLOW[0]))
    assert cost.is_warned_of
    assert could_have([(view, ALLOW[0])]) == f"In turn 1 my advice would have been: {given.suggestion} {given.reason}"
    asked = Allowing.of(view)
    assert Allowing.is_clear(view)
    assert asked.judge(LearnerAnswer(option=0)).right
    wrong = asked.judge(LearnerAnswer(option=1))
    assert not wrong.right
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
        given = hint(view, worlds=40).action
        hinted = list(played)
        judged = judge(Decision(0, 1, view, given))
        if judged is None or not hinted:
            continue
        played.clear()
        settled(judged, 40)
        common = min(len(hinted), len(played))
        assert [one[:3] for one in played[:common]] == [one[:3] for one in hinted[:common]]
        assert played[: common - 1] == hinted[: common - 1], "only the last round of a hint may be cut short"
        compared += common
        if compared > 3:
            break
    assert compared > 3


def test_what_speaks_against_the_advice_is_said_and_better_is_what_the_interval_says() -> None:
    said: Counter[str] = Counter()
    for _, view in (one for seed in "gf" for one in islice(decisions("baby", seed, 3), 25)):
        if said["against"] and said["nothing"]:
            break
        situation = Situation(view)
        found = recommend(situation, worlds=20)
        if found.assessment.fact.explains or found.assessment.second is None:
            continue
        words = hint(view, worlds=20).reason
        contrary = told_apart(situation, found.action, found.assessment.second.action)[1]
        assert ("What can be counted speaks " in words) == (contrary is not None)
        better = found.played is not None and found.played.is_beyond(0.0, 2.0)
        assert ("it came out better by" in words) == better
        said["against" if contrary is not None else "nothing"] += 1
    assert said["against"] > 0
    assert said["nothing"] > 0


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_cost_is_said_in_a_whole_sentence_that_fits(ruleset: str) -> None:
    told, dice = 0, random.Random(ruleset)
    for _, view in islice(decisions(ruleset, "costs"), 12):
        for action in dice.sample(list(view.legal), min(2, len(view.legal))):
            words = could_have([(view, action)], 0)
            assert bool(words) == (cost_of(view, action, 0) is not None)
            for sentence in (words, warning(view, action, 0) if isinstance(action, Discard) else ""):
                assert not set("{}") & set(sentence)
                assert len(sentence) <= LONGEST
                told += bool(sentence)
    assert told > 3


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad"])
def test_what_each_choice_of_a_deal_costs_and_which_is_warned_of(ruleset: str) -> None:
    dice, warned = random.Random(ruleset), Counter[tuple[type[Action], bool]]()
    dear: list[tuple[float, str, View, Action]] = []
    for _, view in decisions(ruleset, "past", 1):
        best = assess(Situation(view)).best
        throws = [action for action in view.legal if isinstance(action, Discard)]
        tried = [action for action in view.legal if isinstance(action, Draw | Pass | Allow | Call)]
        for action in {*tried, *dice.sample(throws, min(2, len(throws))), best.action}:
            cost, said = cost_of(view, action, 0), warning(view, action, 0)
            assert cost is None or (action != best.action and cost.lost >= SLIP * isinstance(action, Discard))
            assert bool(said) == (cost is not None and cost.is_warned_of)
            assert cost is None or not said or cost.words.endswith(said)
            dear += [] if cost is None else [(cost.lost, cost.words, view, action)]
            warned[type(action), bool(said)] += 1
    assert set(warned) >= {(Discard, True), (Draw, False), (Pass, True), (Pass, False), (Allow, False)}
    assert (Call, True) not in warned
    # The sentence after a deal is about what gave up most.
    worst = max(dear, key=lambda one: one[0])
    assert could_have([(view, action) for *_, view, action in [*dear[:5], worst]], 0) == worst[1]
    assert could_have([], 0) == ""


def test_every_slot_of_every_sentence_can_be_filled_and_none_is_unused() -> None:
    used = {name for cases in sentences("hints").values() for sentence in cases.values() for name in slots(sentence)}
    assert used == {"card", "cards", "meld", "name", "name_cards", "contract", "deal", "joker", "turn", "advice"}
